// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the task clock: every moment that was observed is in one interval,
 * and none is made up.
 *
 * Run: make kunit
 */
#include <linux/limits.h>

#include "task/clock.h"
#include "suites.h"
#include "lib/task_clock.h"

/* The length of the part that someone watched. */
static u64 length_since(const struct sp_interval *interval, u64 begin)
{
	u64 start = max(interval->start, begin);

	return interval->end > start ? interval->end - start : 0;
}

static void expect_interval(struct kunit *test, const struct sp_clock *clock,
			    enum sp_time time, u64 now, u64 start, u64 end,
			    bool open)
{
	struct sp_interval got;

	KUNIT_ASSERT_TRUE(test, sp_clock_time(clock, time, now, &got));
	KUNIT_EXPECT_EQ(test, got.start, start);
	KUNIT_EXPECT_EQ(test, got.end, end);
	KUNIT_EXPECT_EQ(test, got.open, open);
}

static void expect_none(struct kunit *test, const struct sp_clock *clock,
			enum sp_time time)
{
	struct sp_interval got;

	KUNIT_EXPECT_FALSE(test, sp_clock_time(clock, time, 1000000, &got));
}

static void unknown_past_is_no_time(struct kunit *test)
{
	struct sp_clock clock;
	enum sp_time time;

	sp_clock_start(&clock, SP_PHASE_UNKNOWN, 100);
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		expect_none(test, &clock, time);
	/* It leaves: since when it ran is not known. */
	KUNIT_EXPECT_FALSE(test, sp_clock_leave(&clock, SP_STATE_S, 150));
	expect_none(test, &clock, SP_TIME_ON_CPU);
	expect_interval(test, &clock, SP_TIME_OFF_CPU, 170, 150, 170, true);

	sp_clock_start(&clock, SP_PHASE_UNKNOWN, 100);
	KUNIT_EXPECT_FALSE(test, sp_clock_come(&clock, 150));
	expect_none(test, &clock, SP_TIME_OFF_CPU);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 170, 150, 170, true);
}

static void sleep_is_cut_at_the_wakeup(struct kunit *test)
{
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_leave(&clock, SP_STATE_D, 150);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 160, 100, 150, false);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 160, 150, 160, true);
	expect_none(test, &clock, SP_TIME_RUN_QUEUE);
	sp_clock_wake(&clock, 170);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 180, 100, 150, false);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 170, false);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 180, 170, 180, true);
	expect_interval(test, &clock, SP_TIME_OFF_CPU, 180, 150, 180, true);
	/* A second waker who was late. */
	sp_clock_wake(&clock, 175);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 175, false);

	sp_clock_come(&clock, 190);
	KUNIT_EXPECT_EQ(test, clock.woken, 0);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 200, 190, 200, true);
	expect_none(test, &clock, SP_TIME_OFF_CPU);
	expect_none(test, &clock, SP_TIME_BLOCKED);
	expect_none(test, &clock, SP_TIME_RUN_QUEUE);
}

static void preempted_is_not_asleep(struct kunit *test)
{
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	/* Whatever was stamped while it ran. */
	sp_clock_wake(&clock, 120);
	sp_clock_leave(&clock, SP_STATE_R, 150);
	expect_none(test, &clock, SP_TIME_BLOCKED);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 180, 150, 180, true);
}

static void waker_is_faster_than_the_hook(struct kunit *test)
{
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_wake(&clock, 140);
	sp_clock_leave(&clock, SP_STATE_S, 150);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 150, false);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 180, 150, 180, true);
	/* A stamp of another CPU's clock, ahead of this one. */
	sp_clock_wake(&clock, 500);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 180, false);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 180, 180, 180, true);
}

static void somebody_must_have_woken_it(struct kunit *test)
{
	struct sp_clock clock;

	/* The waker looked just before it left. */
	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_try_to_wake(&clock, 140);
	sp_clock_leave(&clock, SP_STATE_S, 150);
	/* As long as it sleeps, nobody knows. */
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 180, true);
	expect_none(test, &clock, SP_TIME_RUN_QUEUE);
	KUNIT_EXPECT_EQ(test, sp_clock_woken(&clock), 140);
	clock.woken = 140;
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 150, false);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 180, 150, 180, true);
	/* Who was sure counts. */
	sp_clock_wake(&clock, 160);
	sp_clock_try_to_wake(&clock, 170);
	KUNIT_EXPECT_EQ(test, sp_clock_woken(&clock), 160);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 150, 160, false);
	sp_clock_come(&clock, 190);
	KUNIT_EXPECT_EQ(test, clock.tried, 0);
	/* Whoever does not sleep is not woken. */
	sp_clock_try_to_wake(&clock, 195);
	KUNIT_EXPECT_EQ(test, sp_clock_woken(&clock), 0);
}

static void wakeups_that_others_see(struct kunit *test)
{
	struct sp_clock clock;

	/* Woken when it was about to sleep, it went on, and sleeps for another reason. */
	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_wake(&clock, 140);
	sp_clock_leave(&clock, SP_STATE_S, 150);
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, false, true), 0);
	/* Perhaps its state is about to be another one. */
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, false, false), 140);
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, true, true), 140);
	sp_clock_wake(&clock, 160);
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, false, true), 160);

	/* Who woke it had looked before it slept. */
	sp_clock_come(&clock, 200);
	sp_clock_try_to_wake(&clock, 240);
	sp_clock_leave(&clock, SP_STATE_S, 250);
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, false, true), 0);
	KUNIT_EXPECT_EQ(test, sp_clock_woken_yet(&clock, true, true), 240);
}

static void missed_event_makes_nothing_up(struct kunit *test)
{
	struct sp_clock clock;

	/* It left twice. */
	sp_clock_start(&clock, SP_PHASE_RUNNABLE, 100);
	sp_clock_leave(&clock, SP_STATE_S, 200);
	expect_none(test, &clock, SP_TIME_ON_CPU);
	expect_interval(test, &clock, SP_TIME_OFF_CPU, 300, 200, 300, true);
	/* It came in twice. */
	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_come(&clock, 200);
	expect_none(test, &clock, SP_TIME_OFF_CPU);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 300, 200, 300, true);
}

static void time_that_steps_back(struct kunit *test)
{
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	KUNIT_EXPECT_TRUE(test, sp_clock_leave(&clock, SP_STATE_S, 99));
	expect_interval(test, &clock, SP_TIME_ON_CPU, 99, 100, 100, false);
	/* No moment is counted twice. */
	KUNIT_EXPECT_TRUE(test, sp_clock_come(&clock, 99));
	KUNIT_EXPECT_FALSE(test, sp_clock_leave(&clock, SP_STATE_S, 101));
	expect_interval(test, &clock, SP_TIME_ON_CPU, 101, 100, 101, false);
	/* No time at all is no step. */
	KUNIT_EXPECT_FALSE(test, sp_clock_come(&clock, 101));
}

/* Whoever looks may have a clock that is behind that of the CPU it left. */
static void looks_from_before_see_no_time(struct kunit *test)
{
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 90, 100, 100, true);
	sp_clock_leave(&clock, SP_STATE_R, 150);
	expect_interval(test, &clock, SP_TIME_ON_CPU, 140, 100, 150, false);
	expect_interval(test, &clock, SP_TIME_OFF_CPU, 140, 150, 150, true);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 140, 150, 150, true);
	sp_clock_come(&clock, 160);
	sp_clock_leave(&clock, SP_STATE_S, 170);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 165, 170, 170, true);
	/* And so may be whoever woke it. */
	sp_clock_wake(&clock, 120);
	expect_interval(test, &clock, SP_TIME_BLOCKED, 180, 170, 170, false);
	expect_interval(test, &clock, SP_TIME_RUN_QUEUE, 165, 170, 170, true);
}

static void steps_back_are_no_time(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sp_time_between(100, 101), 1ULL);
	KUNIT_EXPECT_EQ(test, sp_time_between(100, 100), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_time_between(100, 99), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_time_between(U64_MAX, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_time_between(0, U64_MAX), U64_MAX);
}

#define STEPS	20000

/*
 * The reference: a log of what a task did, one line per event. The times that
 * the clock tells when the task comes in must be those in the log, and all of
 * them together the time that passed.
 */
static void like_a_log(struct kunit *test)
{
	const u64 begin = 1ULL << 40, split = begin + 9000000;
	u64 spent[SP_CLOCK_TIMES] = {}, expected[SP_CLOCK_TIMES] = {};
	u64 now = begin, came = begin, before = 0, after = 0;
	struct rnd_state random;
	struct sp_clock clock;
	unsigned int step;

	sp_random_start(test, &random);
	sp_clock_start(&clock, SP_PHASE_ON_CPU, now);
	for (step = 0; step < STEPS; step++) {
		u32 dice = sp_random_below(&random, 100);
		u64 left, woken;
		enum sp_time time;

		left = now + sp_random_below(&random, 1000);
		woken = left + (dice < 50 ? sp_random_below(&random, 1000) : 0);
		now = woken + sp_random_below(&random, 1000);
		/* The waker's stamp may precede that of the switch. */
		if (dice < 10) {
			woken = left;
			sp_clock_wake(&clock, left - min_t(u64, left - came, 5));
		}
		sp_clock_leave(&clock, dice < 30 ? SP_STATE_S : dice < 50 ?
			       SP_STATE_D : SP_STATE_R, left);
		if (dice >= 10 && dice < 50)
			sp_clock_wake(&clock, woken);
		expected[SP_TIME_ON_CPU] += left - came;
		expected[SP_TIME_OFF_CPU] += now - left;
		expected[SP_TIME_BLOCKED] += woken - left;
		expected[SP_TIME_RUN_QUEUE] += now - woken;
		for (time = 0; time < SP_CLOCK_TIMES; time++) {
			struct sp_interval interval;

			/* In short, for hooks. */
			KUNIT_ASSERT_EQ(test,
					sp_clock_time(&clock, time, now, &interval),
					!!(sp_clock_times(&clock, sp_clock_woken(&clock)) &
					   BIT(time)));
			if (!sp_clock_time(&clock, time, now, &interval)) {
				KUNIT_ASSERT_EQ(test, time, SP_TIME_BLOCKED);
				continue;
			}
			spent[time] += length_since(&interval, 0);
			if (time == SP_TIME_OFF_CPU)
				continue;
			after += length_since(&interval, split);
			interval.end = min(interval.end, split);
			before += length_since(&interval, 0);
		}
		KUNIT_ASSERT_FALSE(test, sp_clock_come(&clock, now));
		came = now;
	}
	KUNIT_EXPECT_EQ(test, spent[SP_TIME_ON_CPU], expected[SP_TIME_ON_CPU]);
	KUNIT_EXPECT_EQ(test, spent[SP_TIME_OFF_CPU], expected[SP_TIME_OFF_CPU]);
	KUNIT_EXPECT_EQ(test, spent[SP_TIME_BLOCKED], expected[SP_TIME_BLOCKED]);
	KUNIT_EXPECT_EQ(test, spent[SP_TIME_RUN_QUEUE], expected[SP_TIME_RUN_QUEUE]);
	KUNIT_EXPECT_EQ(test, before, split - begin);
	KUNIT_EXPECT_EQ(test, after, now - split);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(unknown_past_is_no_time),
	KUNIT_CASE(sleep_is_cut_at_the_wakeup),
	KUNIT_CASE(preempted_is_not_asleep),
	KUNIT_CASE(waker_is_faster_than_the_hook),
	KUNIT_CASE(somebody_must_have_woken_it),
	KUNIT_CASE(wakeups_that_others_see),
	KUNIT_CASE(missed_event_makes_nothing_up),
	KUNIT_CASE(time_that_steps_back),
	KUNIT_CASE(looks_from_before_see_no_time),
	KUNIT_CASE(steps_back_are_no_time),
	KUNIT_CASE(like_a_log),
	{}
};

struct kunit_suite sp_task_clock_suite = {
	.name = "schedprof_task_clock",
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the task clock: every moment that was observed is in one interval,
 * and none is made up.
 *
 * Run: make kunit
 */
#include <linux/limits.h>

#include "suites.h"
#include "task_clock.h"

static void first_event_ends_nothing(struct kunit *test)
{
	struct sp_clock clock;
	struct sp_interval done;

	sp_clock_start(&clock, SP_PHASE_UNKNOWN, 100);
	KUNIT_EXPECT_FALSE(test, sp_clock_turn(&clock, SP_PHASE_ON_CPU, 150,
					       &done));
	KUNIT_EXPECT_EQ(test, clock.phase, SP_PHASE_ON_CPU);
	KUNIT_EXPECT_EQ(test, clock.since, 150);
	KUNIT_EXPECT_EQ(test, clock.before, 150);
	KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, SP_PHASE_OFF_CPU, 170,
					      &done));
	KUNIT_EXPECT_EQ(test, done.start, 150);
	KUNIT_EXPECT_EQ(test, clock.before, 150);
}

static void start_knows_since_when(struct kunit *test)
{
	struct sp_clock clock;
	struct sp_interval done;

	sp_clock_start(&clock, SP_PHASE_OFF_CPU, 100);
	KUNIT_EXPECT_EQ(test, clock.before, 100);
	KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, SP_PHASE_ON_CPU, 150,
					      &done));
	KUNIT_EXPECT_EQ(test, done.start, 100);
	KUNIT_EXPECT_EQ(test, done.end, 150);
	KUNIT_EXPECT_EQ(test, done.phase, SP_PHASE_OFF_CPU);
	KUNIT_EXPECT_FALSE(test, done.stepped);
	KUNIT_EXPECT_EQ(test, clock.since, 150);
	KUNIT_EXPECT_EQ(test, clock.before, 100);
}

static void missed_event_makes_nothing_up(struct kunit *test)
{
	static const enum sp_phase phases[] = {
		SP_PHASE_ON_CPU, SP_PHASE_OFF_CPU,
	};
	struct sp_clock clock;
	struct sp_interval done;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(phases); i++) {
		sp_clock_start(&clock, phases[i], 100);
		KUNIT_EXPECT_FALSE(test, sp_clock_turn(&clock, phases[i], 200,
						       &done));
		KUNIT_EXPECT_EQ(test, clock.phase, phases[i]);
		KUNIT_EXPECT_EQ(test, clock.before, 200);
		KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, phases[!i], 300,
						      &done));
		/* Only what came after the gap. */
		KUNIT_EXPECT_EQ(test, done.start, 200);
		KUNIT_EXPECT_EQ(test, done.end, 300);
		KUNIT_EXPECT_EQ(test, done.phase, phases[i]);
	}
}

static void time_that_steps_back(struct kunit *test)
{
	struct sp_clock clock;
	struct sp_interval done;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, SP_PHASE_OFF_CPU, 99,
					      &done));
	KUNIT_EXPECT_TRUE(test, done.stepped);
	KUNIT_EXPECT_EQ(test, done.start, 100);
	KUNIT_EXPECT_EQ(test, done.end, 100);
	/* From here on the new time counts. */
	KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, SP_PHASE_ON_CPU, 101,
					      &done));
	KUNIT_EXPECT_FALSE(test, done.stepped);
	KUNIT_EXPECT_EQ(test, done.start, 99);
	KUNIT_EXPECT_EQ(test, done.end, 101);

	/* No time at all is no step. */
	KUNIT_EXPECT_TRUE(test, sp_clock_turn(&clock, SP_PHASE_OFF_CPU, 101,
					      &done));
	KUNIT_EXPECT_FALSE(test, done.stepped);
	KUNIT_EXPECT_EQ(test, done.end, done.start);
}

static void clip_to_what_was_watched(struct kunit *test)
{
	static const struct {
		u64 start, end, begin, length;
	} clips[] = {
		{ 100, 200, 0, 100 },
		{ 100, 200, 99, 100 },
		{ 100, 200, 100, 100 },
		{ 100, 200, 101, 99 },
		{ 100, 200, 199, 1 },
		{ 100, 200, 200, 0 },
		{ 100, 200, 201, 0 },
		{ 100, 200, U64_MAX, 0 },
		{ 100, 100, 0, 0 },
		{ 100, 100, 200, 0 },
		{ 0, U64_MAX, 0, U64_MAX },
		{ U64_MAX - 1, U64_MAX, 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clips); i++) {
		struct sp_interval interval = {
			.start = clips[i].start, .end = clips[i].end,
		};

		KUNIT_EXPECT_EQ(test, sp_interval_clip(&interval,
						       clips[i].begin),
				clips[i].length);
	}
}

#define STEPS	20000

/* The reference: the log of all events, of which some were missed. */
static void like_a_log(struct kunit *test)
{
	enum sp_phase phase = SP_PHASE_UNKNOWN, next;
	u64 since = 0, now = 1ULL << 40;
	struct sp_interval done;
	struct rnd_state random;
	struct sp_clock clock;
	unsigned int step;
	bool ends;

	sp_random_start(test, &random);
	sp_clock_start(&clock, phase, since);
	for (step = 0; step < STEPS; step++) {
		u32 dice = sp_random_below(&random, 100);

		if (dice < 90)
			next = phase == SP_PHASE_ON_CPU ? SP_PHASE_OFF_CPU :
							  SP_PHASE_ON_CPU;
		else if (dice < 99)
			next = phase;
		else
			next = SP_PHASE_UNKNOWN;
		now += sp_random_below(&random, 1000);
		if (dice % 10 == 7)
			now -= sp_random_below(&random, 2000);

		ends = phase != SP_PHASE_UNKNOWN && phase != next;
		KUNIT_ASSERT_EQ(test, sp_clock_turn(&clock, next, now, &done),
				ends);
		if (ends) {
			KUNIT_ASSERT_EQ(test, done.phase, phase);
			KUNIT_ASSERT_EQ(test, done.start, since);
			KUNIT_ASSERT_EQ(test, done.stepped, now < since);
			KUNIT_ASSERT_EQ(test, done.end - done.start,
					now < since ? 0 : now - since);
		}
		KUNIT_ASSERT_EQ(test, clock.before, ends ? since : now);
		KUNIT_ASSERT_EQ(test, clock.since, now);
		KUNIT_ASSERT_EQ(test, clock.phase, next);
		phase = next;
		since = now;
	}
}

/* What adds up over all phases and all watchers is the time that passed. */
static void no_moment_is_lost(struct kunit *test)
{
	u64 spent[SP_PHASES] = {}, expected[SP_PHASES] = {};
	const u64 begin = 5000, split = 3000000;
	u64 now = begin, before = 0, after = 0;
	struct sp_interval done;
	struct rnd_state random;
	struct sp_clock clock;
	unsigned int step;

	sp_random_start(test, &random);
	sp_clock_start(&clock, SP_PHASE_ON_CPU, now);
	for (step = 0; step < STEPS; step++) {
		enum sp_phase phase = clock.phase;
		u32 ns = sp_random_below(&random, 1000);

		now += ns;
		expected[phase] += ns;
		KUNIT_ASSERT_TRUE(test, sp_clock_turn(&clock, step & 1 ?
						      SP_PHASE_ON_CPU :
						      SP_PHASE_OFF_CPU,
						      now, &done));
		spent[done.phase] += sp_interval_clip(&done, 0);
		after += sp_interval_clip(&done, split);
		done.end = min(done.end, split);
		before += sp_interval_clip(&done, 0);
	}
	KUNIT_EXPECT_EQ(test, spent[SP_PHASE_ON_CPU], expected[SP_PHASE_ON_CPU]);
	KUNIT_EXPECT_EQ(test, spent[SP_PHASE_OFF_CPU],
			expected[SP_PHASE_OFF_CPU]);
	KUNIT_EXPECT_EQ(test, before, split - begin);
	KUNIT_EXPECT_EQ(test, after, now - split);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(first_event_ends_nothing),
	KUNIT_CASE(start_knows_since_when),
	KUNIT_CASE(missed_event_makes_nothing_up),
	KUNIT_CASE(time_that_steps_back),
	KUNIT_CASE(clip_to_what_was_watched),
	KUNIT_CASE(like_a_log),
	KUNIT_CASE(no_moment_is_lost),
	{}
};

struct kunit_suite sp_task_clock_suite = {
	.name = "schedprof_task_clock",
	.test_cases = cases,
};

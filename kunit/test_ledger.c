// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the ledger: every nanosecond of a task is in one account, whenever
 * the books are opened, and the kernel's books are held against the same time.
 *
 * Run: make kunit
 */
#include <linux/minmax.h>

#include "lib/ledger.h"
#include "suites.h"
#include "lib/task_clock.h"

#define STEPS 20000

static u64 sum_of(const struct sp_ledger *ledger)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < SP_ACCOUNTS; i++)
		sum += ledger->ns[i];
	return sum;
}

static void each_time_in_its_account(struct kunit *test)
{
	struct sp_ledger ledger = { };
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_leave(&clock, SP_STATE_D, 110);
	clock.leaving = SP_LEFT_VOLUNTARILY;
	sp_clock_wake(&clock, 130);
	sp_ledger_add(&ledger, &clock, clock.woken, 170, 50);
	KUNIT_EXPECT_EQ(test, ledger.since, 100);
	KUNIT_EXPECT_EQ(test, ledger.until, 170);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_ON_CPU], 10);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_DISK], 20);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_SLEEP], 0);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_RUN_QUEUE], 40);
	KUNIT_EXPECT_EQ(test, ledger.voluntary, 1);
	KUNIT_EXPECT_EQ(test, ledger.involuntary, 0);
	KUNIT_EXPECT_EQ(test, ledger.wakeups, 1);

	sp_clock_come(&clock, 170);
	sp_clock_leave(&clock, SP_STATE_R, 175);
	clock.leaving = SP_LEFT_INVOLUNTARILY;
	sp_ledger_add(&ledger, &clock, clock.woken, 180, 50);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_ON_CPU], 15);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_RUN_QUEUE], 45);
	KUNIT_EXPECT_EQ(test, ledger.involuntary, 1);
	KUNIT_EXPECT_EQ(test, ledger.wakeups, 1);
	KUNIT_EXPECT_EQ(test, sum_of(&ledger), ledger.until - ledger.since);
}

static void what_was_before_does_not_count(struct kunit *test)
{
	struct sp_ledger ledger = { };
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_leave(&clock, SP_STATE_S, 110);
	clock.leaving = SP_LEFT_VOLUNTARILY;
	sp_clock_wake(&clock, 130);
	sp_ledger_add(&ledger, &clock, clock.woken, 170, 120);
	KUNIT_EXPECT_EQ(test, ledger.since, 120);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_ON_CPU], 0);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_SLEEP], 10);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_RUN_QUEUE], 40);
	/* It left before, and was woken since. */
	KUNIT_EXPECT_EQ(test, ledger.voluntary, 0);
	KUNIT_EXPECT_EQ(test, ledger.wakeups, 1);
}

/*
 * Copied while a hook adds an interval, each word may be of before or after that. What was made
 * of it closes, also with that interval once more, as it is added by whoever looks.
 */
static void torn_copies_are_closed(struct kunit *test)
{
	const u64 foreign[SP_FOREIGNS] = { 2, 1 };
	struct sp_ledger before = { }, after, torn;
	u64 *was = (u64 *)&before, *is = (u64 *)&after, *word = (u64 *)&torn;
	unsigned int i, words = offsetof(struct sp_ledger, voluntary) / sizeof(u64), mask;
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_leave(&clock, SP_STATE_S, 110);
	sp_clock_wake(&clock, 130);
	sp_ledger_add(&before, &clock, clock.woken, 170, 50);
	sp_ledger_add_foreign(&before, foreign, 10);
	sp_clock_come(&clock, 170);
	sp_clock_leave(&clock, SP_STATE_D, 190);
	sp_clock_wake(&clock, 220);
	after = before;
	sp_ledger_add(&after, &clock, clock.woken, 280, 50);
	sp_ledger_add_foreign(&after, foreign, 20);
	for (mask = 0; mask < BIT(words); mask++) {
		torn = before;
		for (i = 0; i < words; i++)
			word[i] = mask & BIT(i) ? is[i] : was[i];
		sp_ledger_close(&torn);
		KUNIT_ASSERT_EQ(test, sum_of(&torn), sp_ledger_observed(&torn));
		KUNIT_ASSERT_LE(test, sp_ledger_own(&torn), torn.ns[SP_ACCOUNT_ON_CPU]);
		sp_ledger_add(&torn, &clock, clock.woken, 300, 50);
		KUNIT_ASSERT_EQ(test, sum_of(&torn), sp_ledger_observed(&torn));
		KUNIT_ASSERT_EQ(test, torn.until, 300);
	}
	/* Nothing that has no begin is any time. */
	torn = after;
	torn.since = 0;
	sp_ledger_close(&torn);
	KUNIT_EXPECT_EQ(test, sum_of(&torn), 0);
	/* Whole ones stay as they are, but nothing is compared with what the kernel says. */
	torn = after;
	torn.based = true;
	torn.over = true;
	sp_ledger_close(&torn);
	KUNIT_EXPECT_EQ(test, memcmp(&torn, &after, sizeof(torn)), 0);
}

/* A task that was not wanted for a while, and is again: the while is in no account. */
static void gaps_are_not_observed(struct kunit *test)
{
	struct sp_kernel_books kernel = { 5000, 7000, 3, 4 };
	struct sp_ledger ledger = { };
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_ON_CPU, 100);
	sp_clock_leave(&clock, SP_STATE_S, 110);
	sp_ledger_add(&ledger, &clock, 0, 170, 50);
	sp_ledger_base(&ledger, &kernel);
	sp_clock_come(&clock, 170);
	sp_clock_leave(&clock, SP_STATE_S, 180);
	/* Not added: it is called by another name now. */
	sp_clock_come(&clock, 500);
	sp_clock_leave(&clock, SP_STATE_S, 700);
	/* It was called so again from 550 on. */
	sp_ledger_add(&ledger, &clock, 0, 800, 550);
	KUNIT_EXPECT_EQ(test, ledger.since, 100);
	KUNIT_EXPECT_EQ(test, ledger.until, 800);
	KUNIT_EXPECT_EQ(test, sp_ledger_observed(&ledger), 70 + 250);
	KUNIT_EXPECT_EQ(test, sum_of(&ledger), 70 + 250);
	/* To be compared with the kernel's from its next switch on. */
	KUNIT_EXPECT_FALSE(test, ledger.based);
}

/* One of its switches was not seen, and then the time is before what was booked. */
static void nothing_is_booked_twice(struct kunit *test)
{
	struct sp_ledger ledger = { };
	struct sp_clock clock;

	sp_clock_start(&clock, SP_PHASE_RUNNABLE, 100);
	sp_ledger_add(&ledger, &clock, 0, 200, 50);
	sp_clock_come(&clock, 200);
	sp_clock_leave(&clock, SP_STATE_S, 210);
	/* It came, which was missed, and leaves on a CPU whose time is behind. */
	sp_clock_leave(&clock, SP_STATE_S, 150);
	clock.leaving = SP_LEFT_VOLUNTARILY;
	sp_ledger_add(&ledger, &clock, 170, 260, 50);
	KUNIT_EXPECT_EQ(test, ledger.until, 260);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_SLEEP], 0);
	KUNIT_EXPECT_EQ(test, ledger.ns[SP_ACCOUNT_RUN_QUEUE], 100 + 60);
	KUNIT_EXPECT_EQ(test, sum_of(&ledger), sp_ledger_observed(&ledger));
	KUNIT_EXPECT_EQ(test, ledger.voluntary, 1);
	KUNIT_EXPECT_EQ(test, ledger.wakeups, 1);
	/* All of it lies before. */
	sp_clock_leave(&clock, SP_STATE_R, 180);
	sp_ledger_add(&ledger, &clock, 0, 190, 50);
	KUNIT_EXPECT_EQ(test, ledger.until, 260);
	KUNIT_EXPECT_EQ(test, sum_of(&ledger), sp_ledger_observed(&ledger));
}

/* Random lives, with time that steps back, too; books opened in the middle. */
static void all_of_it_is_booked(struct kunit *test)
{
	struct sp_ledger ledger = { };
	u64 now = 1000000, begin = 0;
	struct rnd_state random;
	struct sp_clock clock;
	u32 left[3] = { };
	unsigned int step;

	sp_random_start(test, &random);
	sp_clock_start(&clock, SP_PHASE_ON_CPU, now);
	for (step = 0; step < STEPS; step++) {
		enum sp_state state = sp_random_below(&random, SP_STATES);

		now += sp_random_below(&random, 500);
		sp_clock_leave(&clock, state, now - sp_random_below(&random, 3));
		clock.leaving = sp_random_below(&random, 2) ?
				SP_LEFT_VOLUNTARILY : SP_LEFT_INVOLUNTARILY;
		if (sp_random_below(&random, 4))
			sp_clock_wake(&clock, now + sp_random_below(&random, 700) - 100);
		now += sp_random_below(&random, 900);
		if (step == STEPS / 3)
			begin = now - 100;
		if (begin) {
			sp_ledger_add(&ledger, &clock, clock.woken, now, begin);
			left[clock.leaving] += clock.out_ts >= begin;
			KUNIT_ASSERT_EQ(test, sum_of(&ledger),
					ledger.until - ledger.since);
		}
		sp_clock_come(&clock, now);
	}
	KUNIT_EXPECT_EQ(test, ledger.since, begin);
	KUNIT_EXPECT_EQ(test, ledger.voluntary, left[SP_LEFT_VOLUNTARILY]);
	KUNIT_EXPECT_EQ(test, ledger.involuntary, left[SP_LEFT_INVOLUNTARILY]);
	/* As it is now, while it runs. */
	sp_ledger_add(&ledger, &clock, clock.woken, now + 77, begin);
	KUNIT_EXPECT_EQ(test, ledger.until, clock.in_ts + now + 77 - clock.in_ts);
	KUNIT_EXPECT_EQ(test, sum_of(&ledger), ledger.until - ledger.since);
}

static void kernel_grows_by_the_same(struct kunit *test)
{
	struct sp_kernel_books kernel = { 5000, 7000, 3, 4 };
	struct sp_ledger ledger = { };

	/* These were opened with more than the kernel has. */
	ledger.ns[SP_ACCOUNT_ON_CPU] = 9000;
	ledger.ns[SP_ACCOUNT_RUN_QUEUE] = 100;
	ledger.voluntary = 9;
	sp_ledger_base(&ledger, &kernel);
	KUNIT_EXPECT_TRUE(test, ledger.based);
	KUNIT_EXPECT_EQ(test, kernel.ran_ns + 50 - ledger.base.ran_ns, 9050);
	KUNIT_EXPECT_EQ(test, kernel.waited_ns + 60 - ledger.base.waited_ns, 160);
	KUNIT_EXPECT_EQ(test, kernel.voluntary + 1 - ledger.base.voluntary, 10U);
	KUNIT_EXPECT_EQ(test, kernel.involuntary + 2 - ledger.base.involuntary, 2U);
}

static void programs_of_one_task_merge(struct kunit *test)
{
	struct sp_ledger early = { .since = 100, .until = 200, .voluntary = U32_MAX,
				   .involuntary = 30, .wakeups = 400, .migrations = 5000,
				   .foreign = { 1, 20, 300 },
				   .based = true, .base = { .ran_ns = 11 } };
	struct sp_ledger late = { .since = 200, .until = 350, .voluntary = 2,
				  .involuntary = 3, .wakeups = 4, .migrations = 5,
				  .foreign = { 6, 7, 8 },
				  .based = true, .base = { .ran_ns = 22 },
				  .over = true, .end = { .ran_ns = 33 } };
	struct sp_ledger both = late, other = early;

	early.ns[SP_ACCOUNT_ON_CPU] = 100;
	other.ns[SP_ACCOUNT_ON_CPU] = 100;
	late.ns[SP_ACCOUNT_SLEEP] = 150;
	both.ns[SP_ACCOUNT_SLEEP] = 150;
	sp_ledger_merge(&both, &early);
	sp_ledger_merge(&other, &late);
	/* In whichever order. */
	KUNIT_EXPECT_EQ(test, memcmp(&both, &other, sizeof(both)), 0);
	KUNIT_EXPECT_EQ(test, both.since, 100);
	KUNIT_EXPECT_EQ(test, both.until, 350);
	KUNIT_EXPECT_EQ(test, sum_of(&both), 250);
	KUNIT_EXPECT_EQ(test, both.voluntary, U32_MAX + 2ULL);
	KUNIT_EXPECT_EQ(test, both.involuntary, 33);
	KUNIT_EXPECT_EQ(test, both.wakeups, 404);
	KUNIT_EXPECT_EQ(test, both.migrations, 5005);
	KUNIT_EXPECT_EQ(test, both.foreign[0], 7);
	KUNIT_EXPECT_EQ(test, both.foreign[1], 27);
	KUNIT_EXPECT_EQ(test, both.foreign[2], 308);
	KUNIT_EXPECT_EQ(test, both.base.ran_ns, 11);
	KUNIT_EXPECT_EQ(test, both.end.ran_ns, 33);
	KUNIT_EXPECT_TRUE(test, both.over);
}

static void programs_that_lie_apart_merge(struct kunit *test)
{
	struct sp_ledger early = { .since = 100, .until = 200, .based = true, .apart = 30 };
	struct sp_ledger late = { .since = 300, .until = 350, .based = true, .apart = 10 };
	struct sp_ledger both = early;

	sp_ledger_merge(&both, &late);
	KUNIT_EXPECT_EQ(test, sp_ledger_observed(&both), 70 + 40);
	KUNIT_EXPECT_FALSE(test, both.based);
	sp_ledger_merge(&late, &early);
	KUNIT_EXPECT_EQ(test, memcmp(&both, &late, sizeof(both)), 0);
	/* One behind the other: nothing lies between. */
	both = (struct sp_ledger) { .since = 40, .until = 100, .based = true };
	sp_ledger_merge(&both, &early);
	KUNIT_EXPECT_EQ(test, sp_ledger_observed(&both), 60 + 70);
	KUNIT_EXPECT_TRUE(test, both.based);
}

/* Their times may lie apart, or overlap: what was observed are the parts all the same. */
static void other_tasks_merge(struct kunit *test)
{
	static const u64 since[] = { 250, 199, 150, 100, 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(since); i++) {
		struct sp_ledger one = { .since = 100, .until = 200, .based = true };
		struct sp_ledger other = { .since = since[i] + 1, .until = since[i] + 71,
					   .based = true };
		struct sp_ledger none = { };

		one.ns[SP_ACCOUNT_ON_CPU] = 100;
		other.ns[SP_ACCOUNT_SLEEP] = 70;
		sp_ledger_merge_other(&none, &one);
		KUNIT_EXPECT_EQ(test, sp_ledger_observed(&none), 100);
		sp_ledger_merge_other(&one, &other);
		KUNIT_EXPECT_EQ(test, sp_ledger_observed(&one), 170);
		/* What the kernel says is of one task. */
		KUNIT_EXPECT_FALSE(test, one.based);
		KUNIT_EXPECT_EQ(test, sum_of(&one), 170);
		sp_ledger_merge_other(&one, &none);
		KUNIT_EXPECT_EQ(test, sp_ledger_observed(&one), 270);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_time_in_its_account),
	KUNIT_CASE(what_was_before_does_not_count),
	KUNIT_CASE(all_of_it_is_booked),
	KUNIT_CASE(kernel_grows_by_the_same),
	KUNIT_CASE(torn_copies_are_closed),
	KUNIT_CASE(gaps_are_not_observed),
	KUNIT_CASE(nothing_is_booked_twice),
	KUNIT_CASE(programs_of_one_task_merge),
	KUNIT_CASE(programs_that_lie_apart_merge),
	KUNIT_CASE(other_tasks_merge),
	{}
};

struct kunit_suite sp_ledger_suite = {
	.name = "schedprof_ledger",
	.test_cases = cases,
};

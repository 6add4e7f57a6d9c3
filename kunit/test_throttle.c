// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of when groups were throttled: a time counts when its end was seen, from when it was
 * about to begin last; lists of times are what a naive model of single nanoseconds says; and a
 * full log forgets those that were seen the longest ago, and says so.
 *
 * Run: make kunit
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "lib/throttle.h"
#include "suites.h"

#define CPUS	2
#define PLACES	(64 * CPUS)
#define ROUNDS	20000
#define MOMENTS	200

static void *group(unsigned long number)
{
	return (void *)(0xffff888000000000UL + number * 512);
}

static struct sp_throttle_log *empty_log(struct kunit *test)
{
	struct sp_throttle_log *log = kunit_kzalloc(test, sp_throttle_log_bytes(CPUS), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, log);
	sp_throttle_log_init(log, CPUS);
	return log;
}

static void expect_times(struct kunit *test, struct sp_throttle_log *log, void *of, u64 from,
			 const struct sp_throttle *want, u32 n)
{
	struct sp_throttles got = { };
	u32 i;

	sp_throttle_log_find(log, of, from, &got);
	KUNIT_ASSERT_EQ(test, got.n, n);
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_EQ(test, got.list[i].from, want[i].from);
		KUNIT_EXPECT_EQ(test, got.list[i].to, want[i].to);
	}
}

static void a_time_has_two_ends(struct kunit *test)
{
	static const struct sp_throttle both[] = { { 400, 450 }, { 120, 200 } };
	struct sp_throttle_log *log = empty_log(test);

	KUNIT_EXPECT_EQ(test, log->used, 0);
	/* It was throttled before anybody looked. */
	sp_throttle_log_end(log, group(1), 50, 0);
	expect_times(test, log, group(1), 0, NULL, 0);
	/* The first call found more time. */
	sp_throttle_log_begin(log, group(1), 100, 0);
	sp_throttle_log_begin(log, group(1), 120, 0);
	KUNIT_EXPECT_EQ(test, log->used, 1);
	expect_times(test, log, group(1), 0, NULL, 0);
	sp_throttle_log_end(log, group(1), 200, 0);
	sp_throttle_log_begin(log, group(1), 400, 0);
	sp_throttle_log_end(log, group(1), 450, 0);
	expect_times(test, log, group(1), 0, both, 2);
	expect_times(test, log, group(2), 0, NULL, 0);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&log->throttles), 2);
}

static void of_a_wait_there_is_its_part(struct kunit *test)
{
	static const struct sp_throttle parts[] = { { 400, 500 }, { 150, 200 } };
	struct sp_throttle_log *log = empty_log(test);

	sp_throttle_log_begin(log, group(1), 100, 0);
	sp_throttle_log_end(log, group(1), 200, 0);
	sp_throttle_log_begin(log, group(1), 400, 0);
	sp_throttle_log_end(log, group(1), 500, 0);
	expect_times(test, log, group(1), 150, parts, 2);
	expect_times(test, log, group(1), 500, NULL, 0);
}

/* Who is let go without a call before had nothing to run with, and stayed as it was. */
static void let_go_in_vain_goes_on(struct kunit *test)
{
	static const struct sp_throttle longer = { 100, 300 };
	struct sp_throttle_log *log = empty_log(test);

	sp_throttle_log_begin(log, group(1), 100, 0);
	sp_throttle_log_end(log, group(1), 200, 0);
	sp_throttle_log_end(log, group(1), 300, 0);
	expect_times(test, log, group(1), 0, &longer, 1);
	/* Unless a call may have been missed; from then on nothing goes on. */
	sp_throttle_log_end(log, group(1), 400, 1);
	sp_throttle_log_end(log, group(1), 500, 1);
	expect_times(test, log, group(1), 0, &longer, 1);
}

/* Between a call and the end there was another one that nobody saw. */
static void what_began_unseen_is_not_told(struct kunit *test)
{
	static const struct sp_throttle next = { 400, 450 };
	struct sp_throttle_log *log = empty_log(test);

	sp_throttle_log_begin(log, group(1), 100, 0);
	sp_throttle_log_end(log, group(1), 200, 1);
	expect_times(test, log, group(1), 0, NULL, 0);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&log->unsure), 1);
	sp_throttle_log_begin(log, group(1), 400, 1);
	sp_throttle_log_end(log, group(1), 450, 1);
	expect_times(test, log, group(1), 0, &next, 1);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&log->unsure), 1);
}

static void the_newest_are_kept(struct kunit *test)
{
	struct sp_throttle_log *log = empty_log(test);
	struct sp_throttles got = { };
	u32 i;

	for (i = 1; i <= 3 * SP_THROTTLES; i++) {
		sp_throttle_log_begin(log, group(1), i * 100, 0);
		sp_throttle_log_end(log, group(1), i * 100 + 10, 0);
	}
	sp_throttle_log_find(log, group(1), 0, &got);
	KUNIT_ASSERT_EQ(test, got.n, SP_THROTTLES);
	KUNIT_EXPECT_TRUE(test, got.cut);
	for (i = 0; i < SP_THROTTLES; i++)
		KUNIT_EXPECT_EQ(test, got.list[i].from, (3 * SP_THROTTLES - i) * 100ULL);
	/* Of a wait that began later all is told. */
	got = (struct sp_throttles) { };
	sp_throttle_log_find(log, group(1), 3 * SP_THROTTLES * 100 - 50, &got);
	KUNIT_EXPECT_EQ(test, got.n, 1);
	KUNIT_EXPECT_FALSE(test, got.cut);
}

/* How many groups that share its bucket were seen after it; the first one is seen all the time. */
static u32 seen_after(const struct sp_throttle_log *log, u32 number, u32 groups)
{
	u32 i, after = 0;

	for (i = number ? number + 1 : groups; i < groups; i++)
		after += hash_ptr(group(i), log->bits) == hash_ptr(group(number), log->bits);
	return after + (number && hash_ptr(group(0), log->bits) ==
			hash_ptr(group(number), log->bits));
}

static void a_full_log_forgets_the_oldest(struct kunit *test)
{
	const u32 groups = 4 * PLACES;
	struct sp_throttle_log *log = empty_log(test);
	struct sp_throttles got;
	u32 i, known = 0;

	for (i = 0; i < groups; i++) {
		sp_throttle_log_begin(log, group(i), i * 100 + 100, 0);
		sp_throttle_log_end(log, group(i), i * 100 + 150, 0);
		/* Somebody of these is seen all the time. */
		sp_throttle_log_begin(log, group(0), i * 100 + 160, 0);
		sp_throttle_log_end(log, group(0), i * 100 + 190, 0);
		got = (struct sp_throttles) { };
		sp_throttle_log_find(log, group(i), 0, &got);
		KUNIT_ASSERT_NE(test, got.n, 0);
	}
	for (i = 0; i < groups; i++) {
		got = (struct sp_throttles) { };
		sp_throttle_log_find(log, group(i), 0, &got);
		known += !!got.n;
		KUNIT_ASSERT_EQ(test, got.n != 0, seen_after(log, i, groups) < SP_THROTTLE_WAYS);
		/* Nobody has what was another one's. */
		if (i && got.n)
			KUNIT_ASSERT_EQ(test, got.list[0].from, i * 100ULL + 100);
	}
	KUNIT_EXPECT_EQ(test, known + atomic_long_read(&log->forgotten), groups);
	/* None of its places is empty. */
	KUNIT_EXPECT_EQ(test, known, (u32)PLACES);
	got = (struct sp_throttles) { };
	sp_throttle_log_find(log, group(0), 0, &got);
	KUNIT_EXPECT_EQ(test, got.n, SP_THROTTLES);
}

/* Each moment, whatever order they come in. */
static void lists_are_as_in_the_model(struct kunit *test)
{
	struct rnd_state random;
	u32 round, i, at, n;

	sp_random_start(test, &random);
	for (round = 0; round < ROUNDS; round++) {
		DECLARE_BITMAP(model, MOMENTS) = { };
		struct sp_throttles list = { };

		/* No more than there is room for, however they lie. */
		n = sp_random_below(&random, SP_THROTTLES + 1);
		for (i = 0; i < n; i++) {
			u32 from = sp_random_below(&random, MOMENTS);
			u32 length = sp_random_below(&random, 12);

			length = min(length, MOMENTS - from);
			sp_throttles_add(&list, from, from + length);
			bitmap_set(model, from, length);
		}
		for (i = 0; i < list.n; i++) {
			bool apart = !i || list.list[i].to < list.list[i - 1].from;

			KUNIT_ASSERT_TRUE(test, apart && list.list[i].from < list.list[i].to);
			for (at = list.list[i].from; at < list.list[i].to; at++)
				KUNIT_ASSERT_TRUE(test, test_and_clear_bit(at, model));
		}
		KUNIT_ASSERT_TRUE(test, bitmap_empty(model, MOMENTS));
		if (!(round % 1024))
			cond_resched();
	}
}

static void too_many_lose_the_oldest(struct kunit *test)
{
	struct sp_throttles list = { };
	u32 i;

	for (i = 0; i < 2 * SP_THROTTLES; i++)
		sp_throttles_add(&list, i * 10, i * 10 + 5);
	KUNIT_ASSERT_EQ(test, list.n, SP_THROTTLES);
	KUNIT_EXPECT_TRUE(test, list.cut);
	KUNIT_EXPECT_EQ(test, list.list[0].from, (2 * SP_THROTTLES - 1) * 10ULL);
	/* Older than all that are left. */
	sp_throttles_add(&list, 1, 2);
	KUNIT_EXPECT_EQ(test, list.list[SP_THROTTLES - 1].from, SP_THROTTLES * 10ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_time_has_two_ends),
	KUNIT_CASE(of_a_wait_there_is_its_part),
	KUNIT_CASE(let_go_in_vain_goes_on),
	KUNIT_CASE(what_began_unseen_is_not_told),
	KUNIT_CASE(the_newest_are_kept),
	KUNIT_CASE(a_full_log_forgets_the_oldest),
	KUNIT_CASE(lists_are_as_in_the_model),
	KUNIT_CASE(too_many_lose_the_oldest),
	{ }
};

struct kunit_suite sp_throttle_suite = {
	.name = "schedprof_throttle",
	.test_cases = cases,
};

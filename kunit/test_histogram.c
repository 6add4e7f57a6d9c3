// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the histogram: every duration is in the one row that its bounds
 * promise, and merging loses none.
 *
 * Run: make kunit
 */
#include <linux/limits.h>

#include "lib/histogram.h"
#include "suites.h"

#define LAST	(SP_HISTOGRAM_ROWS - 1)

static void rows_touch_each_other(struct kunit *test)
{
	unsigned int row;

	KUNIT_EXPECT_EQ(test, sp_histogram_low(0), 0);
	KUNIT_EXPECT_EQ(test, sp_histogram_high(0), 1);
	for (row = 1; row < SP_HISTOGRAM_ROWS; row++) {
		KUNIT_EXPECT_EQ(test, sp_histogram_low(row),
				sp_histogram_high(row - 1));
		if (row < LAST)
			KUNIT_EXPECT_EQ(test, sp_histogram_high(row),
					2 * sp_histogram_low(row));
	}
	KUNIT_EXPECT_EQ(test, sp_histogram_high(LAST), U64_MAX);
}

static void bounds_are_exact(struct kunit *test)
{
	unsigned int row;

	KUNIT_EXPECT_EQ(test, sp_histogram_row(0), 0);
	KUNIT_EXPECT_EQ(test, sp_histogram_row(1), 1);
	KUNIT_EXPECT_EQ(test, sp_histogram_row(2), 2);
	KUNIT_EXPECT_EQ(test, sp_histogram_row(3), 2);
	for (row = 3; row < SP_HISTOGRAM_ROWS; row++) {
		u64 length = sp_histogram_low(row);

		KUNIT_EXPECT_EQ(test, sp_histogram_row(length - 1), row - 1);
		KUNIT_EXPECT_EQ(test, sp_histogram_row(length), row);
		KUNIT_EXPECT_EQ(test, sp_histogram_row(length + 1), row);
	}
	/* The longest that a clock can tell. */
	KUNIT_EXPECT_EQ(test, sp_histogram_row(S64_MAX), LAST);
	KUNIT_EXPECT_EQ(test, sp_histogram_row(U64_MAX), LAST);
}

/* The reference: the bounds themselves, one row after the other. */
static unsigned int row_of(u64 length)
{
	unsigned int row = 0;

	while (row < LAST && length >= sp_histogram_high(row))
		row++;
	return row;
}

static void like_a_search(struct kunit *test)
{
	struct sp_histogram *h, *half, *merged;
	struct rnd_state random;
	u64 *expected;
	unsigned int i;

	h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);
	half = kunit_kzalloc(test, 2 * sizeof(*half), GFP_KERNEL);
	merged = kunit_kzalloc(test, sizeof(*merged), GFP_KERNEL);
	expected = kunit_kzalloc(test, sizeof(h->count), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, h);
	KUNIT_ASSERT_NOT_NULL(test, half);
	KUNIT_ASSERT_NOT_NULL(test, merged);
	KUNIT_ASSERT_NOT_NULL(test, expected);
	sp_random_start(test, &random);
	for (i = 0; i < 20000; i++) {
		/* Every length in bits is as likely as another. */
		u64 length = sp_random_u64(&random) >> sp_random_below(&random, 64);

		KUNIT_ASSERT_EQ(test, sp_histogram_row(length), row_of(length));
		expected[row_of(length)]++;
		sp_histogram_add(h, length);
		sp_histogram_add(&half[i & 1], length);
	}
	sp_histogram_merge(merged, &half[0]);
	sp_histogram_merge(merged, &half[1]);
	for (i = 0; i < SP_HISTOGRAM_ROWS; i++) {
		KUNIT_EXPECT_GT(test, expected[i], 0);
		KUNIT_EXPECT_EQ(test, h->count[i], expected[i]);
		KUNIT_EXPECT_EQ(test, merged->count[i], expected[i]);
		KUNIT_EXPECT_EQ(test, half[0].count[i] + half[1].count[i],
				expected[i]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(rows_touch_each_other),
	KUNIT_CASE(bounds_are_exact),
	KUNIT_CASE(like_a_search),
	{}
};

struct kunit_suite sp_histogram_suite = {
	.name = "schedprof_histogram",
	.test_cases = cases,
};

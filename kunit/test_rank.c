// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the ranking: the best n of what was offered, in order, whatever
 * the order in which it came.
 *
 * Run: make kunit
 */
#include <linux/limits.h>

#include "lib/limits.h"
#include "lib/memory.h"
#include "lib/rank.h"
#include "suites.h"

struct fixture {
	struct sp_rank rank;
	struct rnd_state random;
	struct offer *offers;
};

struct offer {
	u64 value;
	u32 item;
};

static int set_up(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	sp_rank_destroy(&f->rank);
	vfree(f->offers);
}

static void start(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;

	sp_rank_destroy(&f->rank);
	KUNIT_ASSERT_EQ(test, sp_rank_init(&f->rank, max), 0);
}

static void nothing_is_ranked(struct kunit *test)
{
	struct fixture *f = test->priv;

	start(test, 0);
	KUNIT_EXPECT_NULL(test, sp_rank_best(&f->rank));
	sp_rank_offer(&f->rank, 5, 1);
	KUNIT_EXPECT_NULL(test, sp_rank_best(&f->rank));

	start(test, 3);
	KUNIT_EXPECT_NULL(test, sp_rank_best(&f->rank));
}

static void one_place(struct kunit *test)
{
	static const u64 values[] = { 0, 7, 3, U64_MAX, 8, U64_MAX };
	static const u32 best[] = { 0, 1, 1, 3, 3, 3 };
	const struct sp_rank_node *node;
	struct fixture *f = test->priv;
	unsigned int i;

	start(test, 1);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		sp_rank_offer(&f->rank, values[i], i);
		node = sp_rank_best(&f->rank);
		KUNIT_ASSERT_NOT_NULL(test, node);
		KUNIT_EXPECT_EQ(test, node->item, best[i]);
		KUNIT_EXPECT_EQ(test, node->value, values[best[i]]);
		KUNIT_EXPECT_NULL(test, sp_rank_next(node));
	}
}

static void equal_values_by_item(struct kunit *test)
{
	static const u32 items[] = { 4, 1, 5, 0, 3, 2 };
	const struct sp_rank_node *node;
	struct fixture *f = test->priv;
	unsigned int i;

	start(test, 3);
	for (i = 0; i < ARRAY_SIZE(items); i++)
		sp_rank_offer(&f->rank, 9, items[i]);
	node = sp_rank_best(&f->rank);
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_NOT_NULL(test, node);
		KUNIT_EXPECT_EQ(test, node->item, i);
		node = sp_rank_next(node);
	}
	KUNIT_EXPECT_NULL(test, node);
}

/* The reference: insertion into a sorted array of everything. */
static void sort_in(struct offer *offers, u32 count, struct offer one)
{
	u32 at = count;

	while (at && (offers[at - 1].value < one.value ||
		      (offers[at - 1].value == one.value &&
		       offers[at - 1].item > one.item))) {
		offers[at] = offers[at - 1];
		at--;
	}
	offers[at] = one;
}

static void compare(struct kunit *test, u32 max, u32 count, u32 values)
{
	const struct sp_rank_node *node;
	struct fixture *f = test->priv;
	struct offer one;
	u32 i;

	start(test, max);
	for (i = 0; i < count; i++) {
		one.value = sp_random_below(&f->random, values);
		/* Some are offered high up in the range of 64 bits. */
		one.value <<= i % 3 ? 0 : 40;
		one.item = i ^ 0x55;
		sp_rank_offer(&f->rank, one.value, one.item);
		sort_in(f->offers, i, one);
	}
	node = sp_rank_best(&f->rank);
	for (i = 0; i < min(count, max); i++) {
		KUNIT_ASSERT_NOT_NULL(test, node);
		KUNIT_ASSERT_EQ(test, node->value, f->offers[i].value);
		KUNIT_ASSERT_EQ(test, node->item, f->offers[i].item);
		node = sp_rank_next(node);
	}
	KUNIT_ASSERT_NULL(test, node);
}

static void like_a_sorted_array(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 127, 128,
				     129, 400 };
	static const u32 values[] = { 1, 3, 50, U32_MAX };
	static const u32 most = 300;
	struct fixture *f = test->priv;
	unsigned int i, j;

	f->offers = sp_alloc(most * sizeof(*f->offers));
	KUNIT_ASSERT_NOT_NULL(test, f->offers);
	sp_random_start(test, &f->random);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (j = 0; j < ARRAY_SIZE(values); j++) {
			u32 max = sizes[i];

			compare(test, max, most, values[j]);
			/* Not full, just full, and the first that is too many. */
			compare(test, max, min(max - 1, most), values[j]);
			compare(test, max, min(max, most), values[j]);
			compare(test, max, min(max + 1, most), values[j]);
		}
	}
}

static void expect_greatest(struct kunit *test, u32 max, u32 count)
{
	const struct sp_rank_node *node;
	struct fixture *f = test->priv;
	u32 i;

	node = sp_rank_best(&f->rank);
	for (i = 0; i < max; i++) {
		KUNIT_ASSERT_NOT_NULL(test, node);
		KUNIT_ASSERT_EQ(test, node->value, count - i);
		node = sp_rank_next(node);
	}
	KUNIT_EXPECT_NULL(test, node);
}

static void longest_list_any_order(struct kunit *test)
{
	static const u32 count = SP_MAX_TOP + SP_MAX_TOP / 2;
	struct fixture *f = test->priv;
	u32 i;

	start(test, SP_MAX_TOP);
	for (i = 1; i <= count; i++)
		sp_rank_offer(&f->rank, i, i);
	expect_greatest(test, SP_MAX_TOP, count);

	start(test, SP_MAX_TOP);
	for (i = count; i; i--)
		sp_rank_offer(&f->rank, i, i);
	expect_greatest(test, SP_MAX_TOP, count);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nothing_is_ranked),
	KUNIT_CASE(one_place),
	KUNIT_CASE(equal_values_by_item),
	KUNIT_CASE(like_a_sorted_array),
	KUNIT_CASE(longest_list_any_order),
	{}
};

struct kunit_suite sp_rank_suite = {
	.name = "schedprof_rank",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

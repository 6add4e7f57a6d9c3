// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of what readers share: their memory has a bound and all comes back, and
 * whatever goes over all lines, or sorts them, gives way to others often enough.
 *
 * Run: make kunit
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "lib/blob.h"
#include "report/names.h"
#include "lib/readers.h"
#include "report/report.h"
#include "suites.h"
#include "report/view.h"

#define LINES	50000

static void bounded_and_given_back(struct kunit *test)
{
	u64 before = sp_readers_bytes(), most = (u64)totalram_pages() * PAGE_SIZE / 4;
	u64 *all[8] = { };
	unsigned int i;

	/* The whole bound is more than is left of it. */
	KUNIT_EXPECT_PTR_EQ(test, sp_readers_alloc(most), NULL);
	KUNIT_EXPECT_EQ(test, sp_readers_bytes(), before);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		all[i] = sp_readers_alloc(100000);
		KUNIT_ASSERT_NOT_NULL(test, all[i]);
		KUNIT_EXPECT_EQ(test, all[i][100000 / 8 - 1], 0ULL);
		KUNIT_EXPECT_EQ(test, (unsigned long)all[i] % 16, 0UL);
		memset(all[i], 0xff, 100000);
	}
	KUNIT_EXPECT_GE(test, sp_readers_bytes() - before, 800000ULL);
	KUNIT_EXPECT_LE(test, sp_readers_bytes() - before, 801000ULL);
	KUNIT_EXPECT_EQ(test, sp_readers_room() + sp_readers_bytes(), most);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		sp_readers_free(all[i]);
	sp_readers_free(NULL);
	KUNIT_EXPECT_EQ(test, sp_readers_bytes(), before);
}

/* A view of so many lines of random threads, times and stacks. */
static struct sp_view *make_view(struct kunit *test, u32 count)
{
	struct sp_view *view = kunit_kzalloc(test, sizeof(*view), GFP_KERNEL);
	static u64 places[16];
	struct rnd_state random;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, view);
	sp_random_start(test, &random);
	view->lines = sp_readers_alloc(count * sizeof(*view->lines));
	KUNIT_ASSERT_NOT_NULL(test, view->lines);
	view->count = count;
	view->top_n = 20;
	for (i = 0; i < count; i++) {
		struct sp_report_entry *line = &view->lines[i];

		line->who.tid = 1 + sp_random_below(&random, 1000);
		line->who.leader_start = 1;
		line->kernel = (void *)&places[sp_random_below(&random, 16)];
		line->sum.total = 1 + sp_random_below(&random, 1000000);
		line->sum.count = 1;
	}
	return view;
}

static void free_view(struct sp_view *view)
{
	sp_readers_free(view->lines);
	sp_readers_free(view->order);
	view->order = NULL;
}

static u64 yields(void)
{
	return atomic_long_read(&sp_readers_yields);
}

static void all_lines_give_way(struct kunit *test)
{
	struct sp_view *view = make_view(test, LINES);
	u64 before = yields();
	u32 count, *order;

	KUNIT_ASSERT_EQ(test, sp_top_prepare(view), 0);
	KUNIT_EXPECT_GE(test, yields() - before, (u64)LINES);
	KUNIT_EXPECT_EQ(test, view->rows, 21U);
	before = yields();
	order = sp_view_order(view, &count);
	KUNIT_ASSERT_NOT_NULL(test, order);
	KUNIT_EXPECT_EQ(test, count, (u32)LINES);
	KUNIT_EXPECT_GE(test, yields() - before, (u64)LINES);
	sp_readers_free(order);
	free_view(view);
}

/* Whatever sorts n things compares at least n log n / 2 times in a random order. */
static void sorts_give_way(struct kunit *test)
{
	struct sp_view *view = make_view(test, LINES);
	u64 least = (u64)LINES * ilog2(LINES) / 2;
	u64 before = yields();

	KUNIT_ASSERT_EQ(test, sp_by_task_prepare(view), 0);
	KUNIT_EXPECT_GE(test, yields() - before, least);
	free_view(view);

	view = make_view(test, LINES);
	before = yields();
	KUNIT_ASSERT_EQ(test, sp_group(view, SP_GROUP_PROCESS), 0);
	KUNIT_EXPECT_GE(test, yields() - before, least);
	free_view(view);
}

static int all_alike(const void *a, const void *b, const void *count)
{
	++*(u64 *)count;
	return 0;
}

/* How often sort_r() compares LINES items that are all alike. */
static u64 comparisons(struct kunit *test)
{
	u32 *order = sp_readers_alloc(LINES * sizeof(*order));
	u64 count = 0;

	KUNIT_ASSERT_NOT_NULL(test, order);
	sort_r(order, LINES, sizeof(*order), all_alike, NULL, &count);
	sp_readers_free(order);
	return count;
}

/* Of lines that are nobody's, no two become one; each gives way behind the sort, too. */
static void lines_of_nobody_give_way(struct kunit *test)
{
	struct sp_view *view = make_view(test, LINES);
	u64 sorted = comparisons(test), before;
	u32 i;

	for (i = 0; i < LINES; i++) {
		view->lines[i].who = (struct sp_who) { };
		view->lines[i].kernel = NULL;
		view->lines[i].sum.total = 1;
	}
	before = yields();
	KUNIT_ASSERT_EQ(test, sp_group(view, SP_GROUP_PROCESS), 0);
	KUNIT_EXPECT_GE(test, yields() - before, sorted + 3 * LINES - 1);
	before = yields();
	KUNIT_ASSERT_EQ(test, sp_by_task_prepare(view), 0);
	KUNIT_EXPECT_GE(test, yields() - before, sorted + 2 * LINES);
	free_view(view);
}

static void print_number(struct seq_buf *s, const struct sp_view *view,
			 unsigned long address)
{
	seq_buf_printf(s, "n%lu", address);
}

static void names_are_found(struct kunit *test)
{
	struct sp_names names = { };
	u64 held = sp_readers_bytes(), before = yields();
	struct rnd_state random;
	u32 i, n, bytes;
	char text[32];

	sp_random_start(test, &random);
	for (i = 0; i < LINES; i++)
		KUNIT_ASSERT_EQ(test, sp_names_add(&names, 2 * sp_random_below(&random, 5000)), 0);
	KUNIT_ASSERT_EQ(test, sp_names_print(&names, print_number, NULL), 0);
	KUNIT_EXPECT_GE(test, yields() - before, (u64)LINES);
	KUNIT_EXPECT_LE(test, sp_names_count(&names), 5000U);
	KUNIT_EXPECT_GE(test, sp_names_count(&names), 4900U);
	for (i = 0; i < 10000; i++) {
		const char *name;

		n = sp_names_number(&names, i);
		if (i % 2)
			KUNIT_ASSERT_EQ(test, n, 0U);
		if (!n)
			continue;
		name = sp_names_of(&names, n, &bytes);
		snprintf(text, sizeof(text), "n%u", i);
		KUNIT_ASSERT_EQ(test, bytes, (u32)strlen(text));
		KUNIT_ASSERT_EQ(test, strncmp(name, text, bytes), 0);
	}
	sp_names_free(&names);
	KUNIT_EXPECT_EQ(test, sp_readers_bytes(), held);
}

static void mappings_are_found(struct kunit *test)
{
	/* As sp_mappings_copy() leaves them: the newest of a program is first. */
	struct sp_mapped mappings[] = {
		{ 0x1000, 0x3000, 0, 2, SP_MAPPING_FILE, "/new" },
		{ 0x2000, 0x9000, 0x100, 2, SP_MAPPING_FILE, "/old" },
		{ 0x1000, 0x2000, 0, 5, SP_MAPPING_LOST, NULL },
		{ 0x8000, 0x9000, 0, 5, SP_MAPPING_ANON, NULL },
	};
	struct sp_names names = {
		.mappings = mappings, .mapping_count = ARRAY_SIZE(mappings),
	};
	struct sp_resolved at;

	KUNIT_ASSERT_TRUE(test, sp_names_resolve(&names, 2, 0x2fff, &at));
	KUNIT_EXPECT_STREQ(test, at.path, "/new");
	KUNIT_EXPECT_EQ(test, at.offset, 0x1fffULL);
	KUNIT_ASSERT_TRUE(test, sp_names_resolve(&names, 2, 0x3000, &at));
	KUNIT_EXPECT_STREQ(test, at.path, "/old");
	KUNIT_EXPECT_EQ(test, at.offset, 0x1100ULL);
	KUNIT_EXPECT_FALSE(test, sp_names_resolve(&names, 2, 0x9000, &at));
	KUNIT_EXPECT_FALSE(test, sp_names_resolve(&names, 5, 0x1000, &at));
	KUNIT_ASSERT_TRUE(test, sp_names_resolve(&names, 5, 0x8fff, &at));
	KUNIT_EXPECT_EQ(test, (int)at.kind, (int)SP_MAPPING_ANON);
	KUNIT_EXPECT_FALSE(test, sp_names_resolve(&names, 0, 0x1000, &at));
	KUNIT_EXPECT_FALSE(test, sp_names_resolve(&names, 3, 0x1000, &at));
	KUNIT_EXPECT_FALSE(test, sp_names_resolve(&names, 9, 0x1000, &at));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(bounded_and_given_back),
	KUNIT_CASE(all_lines_give_way),
	KUNIT_CASE(sorts_give_way),
	KUNIT_CASE(lines_of_nobody_give_way),
	KUNIT_CASE(names_are_found),
	KUNIT_CASE(mappings_are_found),
	{}
};

struct kunit_suite sp_readers_suite = {
	.name = "schedprof_readers",
	.test_cases = cases,
};

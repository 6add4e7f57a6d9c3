// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of grouping: lines that share what they are grouped by and their stacks
 * become one, others do not, and no time is lost.
 *
 * Run: make kunit
 */
#include <linux/sched.h>

#include "suites.h"
#include "report/view.h"

#define LINES 2000

/* Stacks, each twice, as open intervals have them; of a frame only the address counts. */
static u64 places[3][2][sizeof(struct sp_stack) / sizeof(u64) + 2];

static const struct sp_stack *stack_at(u32 place, u32 copy)
{
	struct sp_stack *stack = (void *)places[place][copy];

	stack->n = 2;
	stack->flags = copy ? SP_STACK_ABSENT : 0;
	stack->hash = copy;
	stack->frame[0] = sp_frame(0x1000, copy);
	stack->frame[1] = sp_frame(0x2000 + place, copy);
	return stack;
}

/* Eight threads in two processes; the first one's leader is "a". */
static void make_line(struct sp_report_entry *line, u32 thread, u32 kernel, u32 user)
{
	memset(line, 0, sizeof(*line));
	line->who.tid = 100 + thread;
	line->who.tgid = 100 + thread / 4 * 4;
	line->who.start_time = 1000 + thread;
	line->who.leader_start = 1000 + thread / 4 * 4;
	line->who.comm[0] = 'a' + thread % 2;
	line->who.leader_comm[0] = 'a';
	line->who.program = 1 + thread / 4;
	line->kernel = kernel ? stack_at(kernel - 1, thread / 2 % 2) : NULL;
	line->user = user ? stack_at(2, thread / 2 % 2) : NULL;
}

static void check(struct kunit *test, enum sp_group by, u32 rows_per_stack[2])
{
	struct sp_view view = { .count = LINES };
	u64 total = 0, before = 0, intervals = 0;
	struct rnd_state random;
	u32 i, rows[2] = { };

	view.lines = kunit_kzalloc(test, LINES * sizeof(*view.lines), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, view.lines);
	sp_random_start(test, &random);
	for (i = 0; i < LINES; i++) {
		struct sp_report_entry *line = &view.lines[i];

		make_line(line, i % 8, i / 8 % 3, i / 24 % 2);
		/* Some places are empty. */
		if (!sp_random_below(&random, 5) && i >= 48)
			continue;
		sp_sum_add(&line->sum, sp_random_below(&random, 1000), i, 0);
		before += line->sum.total;
		intervals++;
	}
	KUNIT_ASSERT_EQ(test, sp_group(&view, by), 0);
	for (i = 0; i < LINES; i++) {
		const struct sp_report_entry *line = &view.lines[i];

		if (!line->sum.count)
			continue;
		total += line->sum.total;
		intervals -= line->sum.count;
		rows[!!line->user]++;
	}
	KUNIT_EXPECT_EQ(test, total, before);
	KUNIT_EXPECT_EQ(test, intervals, 0);
	/* Three kernel stacks each. */
	KUNIT_EXPECT_EQ(test, rows[0], 3 * rows_per_stack[0]);
	KUNIT_EXPECT_EQ(test, rows[1], 3 * rows_per_stack[1]);
}

static void by_process(struct kunit *test)
{
	u32 two_processes[] = { 2, 2 };

	check(test, SP_GROUP_PROCESS, two_processes);
}

static void by_comm(struct kunit *test)
{
	/* User frames of two programs are not the same, if their names are. */
	u32 two_names[] = { 2, 4 };

	check(test, SP_GROUP_COMM, two_names);
}

/*
 * What a name had behind its end, and what the leader was called when a thread was met, tell
 * no groups apart.
 */
static void names_make_no_rows(struct kunit *test)
{
	static const char names[2][TASK_COMM_LEN] = { "cp\0-parts", "cp\0h" };
	static const enum sp_group by[] = { SP_GROUP_PROCESS, SP_GROUP_COMM };
	struct sp_view view = { .count = 4 };
	u32 i, round, rows;

	view.lines = kunit_kzalloc(test, 4 * sizeof(*view.lines), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, view.lines);
	for (round = 0; round < ARRAY_SIZE(by); round++) {
		for (i = 0; i < view.count; i++) {
			make_line(&view.lines[i], i, 1, 0);
			memcpy(view.lines[i].who.comm, names[i % 2], TASK_COMM_LEN);
			view.lines[i].who.leader_comm[0] = 'a' + i;
			view.lines[i].sum.count = 1;
		}
		KUNIT_ASSERT_EQ(test, sp_group(&view, by[round]), 0);
		for (i = 0, rows = 0; i < view.count; i++)
			rows += !!view.lines[i].sum.count;
		KUNIT_EXPECT_EQ(test, rows, 1);
	}
}

static void threads_stay_apart(struct kunit *test)
{
	struct sp_view view = { .count = 2 };

	view.lines = kunit_kzalloc(test, 2 * sizeof(*view.lines), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, view.lines);
	make_line(&view.lines[0], 1, 1, 1);
	view.lines[0].sum.count = 1;
	view.lines[1] = view.lines[0];
	KUNIT_ASSERT_EQ(test, sp_group(&view, SP_GROUP_THREAD), 0);
	KUNIT_EXPECT_EQ(test, view.lines[0].sum.count, 1);
	KUNIT_EXPECT_EQ(test, view.lines[1].sum.count, 1);
}

/* Rows of nobody: what was lost, and what was folded. */
static void nobody_is_no_group(struct kunit *test)
{
	struct sp_view view = { .count = 2 };

	view.lines = kunit_kzalloc(test, 2 * sizeof(*view.lines), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, view.lines);
	strscpy(view.lines[0].who.comm, "[exited]", TASK_COMM_LEN);
	view.lines[0].sum.count = 1;
	strscpy(view.lines[1].who.comm, "[lost]", TASK_COMM_LEN);
	view.lines[1].sum.count = 1;
	KUNIT_ASSERT_EQ(test, sp_group(&view, SP_GROUP_COMM), 0);
	KUNIT_EXPECT_EQ(test, view.lines[0].sum.count, 1);
	KUNIT_EXPECT_EQ(test, view.lines[1].sum.count, 1);
	KUNIT_EXPECT_STREQ(test, view.lines[1].who.comm, "[lost]");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(by_process),
	KUNIT_CASE(by_comm),
	KUNIT_CASE(names_make_no_rows),
	KUNIT_CASE(threads_stay_apart),
	KUNIT_CASE(nobody_is_no_group),
	{}
};

struct kunit_suite sp_group_suite = {
	.name = "schedprof_group",
	.test_cases = cases,
};

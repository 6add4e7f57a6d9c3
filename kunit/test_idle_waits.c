// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of waits for work: which functions they are in, how that list changes, and which
 * stacks of a view are found to be theirs.
 *
 * Run: make kunit
 */
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "lib/idle_waits.h"
#include "lib/limits.h"
#include "lib/print.h"
#include "lib/readers.h"
#include "lib/why.h"
#include "report/idle.h"
#include "report/report.h"
#include "suites.h"

#define LINES	6

struct fixture {
	struct sp_why why;
	struct seq_buf s;
	struct sp_idle_waits *list;
	struct sp_recording recording;
	struct sp_view view;
	struct sp_report_entry lines[LINES];
	char text[2 * SP_IDLE_BYTES];
	char write[2 * SP_IDLE_BYTES];
};

static int set_up(struct kunit *test)
{
	struct fixture *f = vzalloc(sizeof(*f));

	test->priv = f;
	if (!f)
		return -ENOMEM;
	seq_buf_init(&f->s, f->text, sizeof(f->text) - 1);
	f->list = sp_idle_waits_default();
	f->recording.mode = &sp_modes[0];
	f->view.recording = &f->recording;
	f->view.filter = "all tasks";
	f->view.backend = "kprobe";
	f->view.lines = f->lines;
	f->view.top_n = LINES;
	return 0;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	sp_idle_waits_put(f->list);
	sp_readers_free(f->view.order);
	sp_readers_free(f->view.idle_stacks);
	vfree(f);
}

static const char *printed(struct fixture *f)
{
	f->text[f->s.len] = '\0';
	f->s.len = 0;
	return f->text;
}

static const char *shown(struct fixture *f)
{
	sp_idle_waits_show(&f->s, f->list);
	return printed(f);
}

static void takes(struct kunit *test, const char *text)
{
	struct fixture *f = test->priv;
	struct sp_idle_waits *list = sp_idle_waits_change(f->list, text, &f->why);

	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(list), "'%s': %s", text, f->why.text);
	sp_idle_waits_put(f->list);
	f->list = list;
}

static void takes_and_shows(struct kunit *test, const char *text, const char *expected)
{
	takes(test, text);
	KUNIT_EXPECT_STREQ(test, shown(test->priv), expected);
}

/* One line, and nothing changes. */
static void refuses(struct kunit *test, const char *text, int err)
{
	struct fixture *f = test->priv;
	struct sp_idle_waits *list;
	size_t i;

	memset(&f->why, 0, sizeof(f->why));
	list = sp_idle_waits_change(f->list, text, &f->why);
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(list), err, "for '%s'", text);
	if (!IS_ERR(list))
		sp_idle_waits_put(list);
	i = strlen(f->why.text);
	KUNIT_EXPECT_TRUE_MSG(test, i >= 20 && i < sizeof(f->why.text) - 1, "for '%s': '%s'", text,
			      f->why.text);
	for (i = 0; f->why.text[i]; i++)
		KUNIT_EXPECT_TRUE(test, isprint(f->why.text[i]));
}

static enum sp_idle_frame tells(struct kunit *test, const char *symbol)
{
	struct fixture *f = test->priv;

	return sp_idle_waits_frame(f->list, symbol);
}

static void table_is_good(struct kunit *test)
{
	struct fixture *f = test->priv;
	char *rest = f->write, *name;

	strscpy(f->write, shown(f), sizeof(f->write));
	/* What is shown can be written, and has room for names of the user's. */
	takes_and_shows(test, f->write, f->write);
	KUNIT_EXPECT_LT(test, strlen(f->write), (size_t)SP_IDLE_BYTES / 2);
	takes_and_shows(test, "default", f->write);
	/* A futex is in none, and each is asked before its caller is. */
	KUNIT_EXPECT_NULL(test, strstr(f->write, "futex"));
	while ((name = strsep(&rest, " ")))
		KUNIT_EXPECT_EQ_MSG(test, tells(test, name), SP_IDLE_YES, "%s", name);
}

static void symbols_are_names(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll.isra.0"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll.constprop.0.cold"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "svc_recv [sunrpc]"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll+0x12/0x340"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_pol"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll_callback"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "sep_poll"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, ""), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "0xffffffff81000000"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "schedule"), SP_IDLE_CALLER);
	KUNIT_EXPECT_EQ(test, tells(test, "poll_schedule_timeout.constprop.0"), SP_IDLE_CALLER);
	KUNIT_EXPECT_EQ(test, tells(test, "preempt_schedule_irq"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "io_schedule"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "futex_wait_queue"), SP_IDLE_NO);
}

static void lists_change(struct kunit *test)
{
	takes_and_shows(test, "none", "none");
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll"), SP_IDLE_NO);
	/* Whoever sleeps for others does so without the list. */
	KUNIT_EXPECT_EQ(test, tells(test, "schedule"), SP_IDLE_CALLER);
	takes_and_shows(test, "+b", "b");
	takes_and_shows(test, "+a +b,+c", "b a c");
	takes_and_shows(test, "-a", "b c");
	takes_and_shows(test, "-b +d -c", "d");
	takes_and_shows(test, "-d", "none");
	takes_and_shows(test, "x  y,x\tz", "x y z");
	takes(test, "default x");
	KUNIT_EXPECT_EQ(test, tells(test, "x"), SP_IDLE_YES);
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll"), SP_IDLE_YES);
	takes(test, "-ep_poll");
	KUNIT_EXPECT_EQ(test, tells(test, "ep_poll"), SP_IDLE_NO);
	KUNIT_EXPECT_EQ(test, tells(test, "do_select"), SP_IDLE_YES);
}

static void bad_words_are_refused(struct kunit *test)
{
	static const struct {
		const char *text;
		int err;
	} cases[] = {
		{ "", -EINVAL }, { ",", -EINVAL }, { "none a", -EINVAL }, { "a none", -EINVAL },
		{ "+none", -EINVAL }, { "-default", -EINVAL }, { "default +a", -EINVAL },
		{ "a -b", -EINVAL }, { "+", -EINVAL }, { "+a -", -EINVAL }, { "--a", -EINVAL },
		{ "a.isra.0", -EINVAL }, { "a*", -EINVAL }, { "m:a", -EINVAL },
		{ "\303\244", -EINVAL }, { "+a\001", -EINVAL },
		{ "+futex_wait", -EINVAL }, { "do_futex", -EINVAL },
		{ "+__futex_wait", -EINVAL }, { "+schedule", -EINVAL },
		{ "-b", -ENOENT }, { "-a -a", -ENOENT }, { "+c -b", -ENOENT },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	takes_and_shows(test, "a", "a");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		refuses(test, cases[i].text, cases[i].err);
		KUNIT_EXPECT_STREQ(test, shown(f), "a");
	}
}

static void bounds_hold(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int n;

	memset(f->write, 'x', SP_IDLE_NAME - 1);
	takes(test, f->write);
	f->write[SP_IDLE_NAME - 1] = 'x';
	refuses(test, f->write, -E2BIG);
	/* All have 99 letters and a blank, so that the last one fits to the byte. */
	takes(test, "none");
	for (n = 0; n < SP_IDLE_BYTES / 100 - 1; n++) {
		snprintf(f->write, sizeof(f->write), "+n%098u", n);
		takes(test, f->write);
	}
	memset(f->write, 0, sizeof(f->write));
	memset(f->write, 'y', 100);
	f->write[0] = '+';
	takes(test, f->write);
	KUNIT_EXPECT_EQ(test, strlen(shown(f)), (size_t)SP_IDLE_BYTES - 1);
	strscpy(f->write, shown(f), sizeof(f->write));
	takes_and_shows(test, f->write, f->write);
	refuses(test, "+z", -ENOSPC);
}

/* Any words, against a list that is kept in the simplest way. */
static void random_changes(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct rnd_state random;
	char expected[64];
	u32 round, i, have = 0;

	sp_random_start(test, &random);
	takes(test, "none");
	for (round = 0; round < 5000; round++) {
		u32 name = sp_random_below(&random, 16);
		bool add = sp_random_below(&random, 2);

		snprintf(f->write, sizeof(f->write), "%cf%x", add ? '+' : '-', name);
		if (!add && !(have & BIT(name))) {
			refuses(test, f->write, -ENOENT);
		} else {
			takes(test, f->write);
			have = add ? have | BIT(name) : have & ~BIT(name);
		}
		for (i = 0; i < 16; i++) {
			snprintf(expected, sizeof(expected), "f%x.isra.%u", i, round % 3);
			KUNIT_EXPECT_EQ(test, tells(test, expected),
					have & BIT(i) ? SP_IDLE_YES : SP_IDLE_NO);
		}
	}
}

/* A stack that only this view has, as those of open intervals are. */
static struct sp_stack *stack(struct kunit *test, u16 flags, unsigned int n, void *inner,
			      void *outer, void *outermost)
{
	struct sp_stack *stack = kunit_kzalloc(test, struct_size(stack, frame, 3), GFP_KERNEL);
	void *const at[] = { inner, outer, outermost };
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, stack);
	stack->flags = flags;
	stack->n = n;
	stack->hash = f->view.own_stacks++;
	for (i = 0; i < n; i++)
		stack->frame[i] = sp_frame((unsigned long)at[i] + 1, 7);
	return stack;
}

static struct sp_report_entry *line(struct fixture *f, const char *comm, u64 ns)
{
	struct sp_report_entry *line = &f->lines[f->view.count++];

	strscpy(line->who.comm, comm, TASK_COMM_LEN);
	line->who.tid = 100 + f->view.count;
	line->who.tgid = line->who.tid;
	line->sum.total = ns;
	line->sum.count = 1;
	f->view.total_ns += ns;
	return line;
}

static void find(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, sp_idle_find(&f->view, f->list), 0);
}

static void is_idle(struct kunit *test, const struct sp_stack *stack, bool expected)
{
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, sp_view_is_idle(&f->view, stack), expected);
}

static void innermost_frames_decide(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_stack *waits = stack(test, 0, 3, schedule_timeout, schedule, kthread_worker_fn);
	struct sp_stack *works = stack(test, 0, 3, schedule, msleep, kthread_worker_fn);
	struct sp_stack *runs = stack(test, SP_STACK_RUNNING, 2, schedule, kthread_worker_fn, NULL);
	struct sp_stack *sleeps = stack(test, 0, 2, schedule, schedule_timeout, NULL);
	struct sp_stack *empty = stack(test, SP_STACK_MOVED, 0, NULL, NULL, NULL);

	line(f, "waits", 7)->kernel = waits;
	line(f, "works", 20)->kernel = works;
	line(f, "runs", 30)->kernel = runs;
	line(f, "sleeps", 40)->kernel = sleeps;
	line(f, "empty", 50)->kernel = empty;
	line(f, "waits too", 900)->kernel = waits;
	find(test);
	is_idle(test, waits, true);
	is_idle(test, works, false);
	is_idle(test, runs, false);
	is_idle(test, sleeps, false);
	is_idle(test, empty, false);
	is_idle(test, NULL, false);
	KUNIT_EXPECT_EQ(test, f->view.idle_ns, 907ULL);
}

static void only_time_off_the_cpu_is_waited(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_stack *waits = stack(test, 0, 2, schedule, kthread_worker_fn, NULL);
	struct sp_stack *queued = stack(test, SP_STACK_QUEUED, 2, schedule, kthread_worker_fn,
					NULL);
	struct sp_stack *runs = stack(test, SP_STACK_ON_CPU, 2, schedule, kthread_worker_fn, NULL);
	unsigned int i;
	bool waited;

	line(f, "waits", 7)->kernel = waits;
	line(f, "queued", 20)->kernel = queued;
	line(f, "runs", 30)->kernel = runs;
	for (i = 0; sp_mode_names[i]; i++) {
		f->recording.mode = &sp_modes[i];
		f->view.idle_ns = 0;
		find(test);
		waited = !strcmp(sp_mode_names[i], "offcpu") ||
			 !strcmp(sp_mode_names[i], "blocked") ||
			 !strcmp(sp_mode_names[i], "wall");
		is_idle(test, waits, waited);
		is_idle(test, queued, false);
		is_idle(test, runs, false);
		KUNIT_EXPECT_EQ(test, f->view.idle_ns, waited ? 7ULL : 0ULL);
		sp_readers_free(f->view.idle_stacks);
		f->view.idle_stacks = NULL;
	}
}

static void contains(struct kunit *test, const char *text, const char *what)
{
	KUNIT_EXPECT_PTR_NE_MSG(test, strstr(text, what), (char *)NULL,
				"no '%s' in '%s'", what, text);
}

static const char *top(struct fixture *f, u32 row)
{
	sp_top_show(&f->s, &f->view, row);
	return printed(f);
}

static const char *by_task(struct fixture *f, u32 row)
{
	sp_by_task_show(&f->s, &f->view, row);
	return printed(f);
}

/* Behind all else, however long they are; a task by what it did not wait. */
static void rows_are_told_apart(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_stack *waits = stack(test, 0, 2, schedule, kthread_worker_fn, NULL);
	struct sp_stack *works = stack(test, 0, 2, schedule, msleep, NULL);
	const char *text;

	line(f, "idle", 9000)->kernel = waits;
	line(f, "both", 500)->kernel = waits;
	line(f, "both", 20)->kernel = works;
	f->lines[2].who.tid = f->lines[1].who.tid;
	line(f, "works", 30)->kernel = works;
	find(test);
	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	KUNIT_ASSERT_EQ(test, f->view.rows, 5U);
	contains(test, top(f, 0), "# waiting for work 9.500 us (99.5%), ");
	contains(test, top(f, 1), "1. works  pid 104  tid 104\n");
	contains(test, top(f, 2), "2. both  pid 103  tid 102\n");
	contains(test, top(f, 3), "3. idle  pid 101  tid 101  [waiting for work]\n");
	contains(test, top(f, 4), "4. both  pid 102  tid 102  [waiting for work]\n");
	sp_folded_show(&f->s, &f->view, 0);
	KUNIT_EXPECT_STREQ(test, printed(f),
			   "idle-101;[waiting_for_work];kthread_worker_fn_[k];schedule_[k] 9\n");
	sp_folded_show(&f->s, &f->view, 3);
	KUNIT_EXPECT_STREQ(test, printed(f), "works-104;msleep_[k];schedule_[k] 0\n");

	sp_readers_free(f->view.order);
	KUNIT_ASSERT_EQ(test, sp_by_task_prepare(&f->view), 0);
	KUNIT_ASSERT_EQ(test, f->view.rows, 4U);
	contains(test, by_task(f, 1), "1. works  pid 104  tid 104\n");
	text = by_task(f, 2);
	contains(test, text, "2. both  pid 103  tid 102\n");
	contains(test, text, "total 520 ns");
	contains(test, text, "    waiting for work: 500 ns (96.2% of the task's)");
	contains(test, text, "costliest stack: 20 ns");
	contains(test, by_task(f, 3), "3. idle  pid 101  tid 101  [waiting for work]\n");
}

static void every_line_gives_way(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_stack *waits = stack(test, 0, 2, schedule, kthread_worker_fn, NULL);
	u32 i, count = 10000;
	u64 before;

	f->view.lines = vzalloc(count * sizeof(*f->view.lines));
	KUNIT_ASSERT_NOT_NULL(test, f->view.lines);
	f->view.count = count;
	for (i = 0; i < count; i++) {
		f->view.lines[i].sum.count = 1;
		f->view.lines[i].sum.total = 3;
		f->view.lines[i].kernel = waits;
	}
	before = atomic_long_read(&sp_readers_yields);
	find(test);
	KUNIT_EXPECT_GE(test, atomic_long_read(&sp_readers_yields) - before, (u64)count);
	KUNIT_EXPECT_EQ(test, f->view.idle_ns, 3ULL * count);
	vfree(f->view.lines);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(table_is_good),
	KUNIT_CASE(symbols_are_names),
	KUNIT_CASE(lists_change),
	KUNIT_CASE(bad_words_are_refused),
	KUNIT_CASE(bounds_hold),
	KUNIT_CASE(random_changes),
	KUNIT_CASE(innermost_frames_decide),
	KUNIT_CASE(only_time_off_the_cpu_is_waited),
	KUNIT_CASE(rows_are_told_apart),
	KUNIT_CASE(every_line_gives_way),
	{ }
};

struct kunit_suite sp_idle_waits_suite = {
	.name = "schedprof_idle_waits",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

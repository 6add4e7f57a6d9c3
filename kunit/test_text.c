// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of what people and programs read: names that want to forge lines,
 * numbers at their bounds, folded lines, the ranking of top and by_task, who is to blame there,
 * and texts that are read in two calls.
 *
 * Run: make kunit
 */
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "binary_text.h"
#include "record/mappings.h"
#include "lib/readers.h"
#include "record/ledger_snapshot.h"
#include "report/report.h"
#include "suites.h"
#include "lib/text.h"
#include "report/view.h"

#define PAGE	8192
#define LINES	6

struct fixture {
	struct seq_buf s;
	struct sp_recording recording;
	struct sp_view view;
	struct sp_report_entry lines[LINES];
	char text[PAGE];
};

static int set_up(struct kunit *test)
{
	struct fixture *f = vzalloc(sizeof(*f));

	test->priv = f;
	if (!f)
		return -ENOMEM;
	seq_buf_init(&f->s, f->text, PAGE - 1);
	f->recording.mode = &sp_modes[0];
	f->view.recording = &f->recording;
	f->view.filter = "all tasks";
	f->view.backend = "kprobe";
	f->view.lines = f->lines;
	f->view.top_n = 10;
	return sp_mappings_init(&f->recording.mappings, 0, false);
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	sp_mappings_destroy(&f->recording.mappings);
	sp_readers_free(f->view.order);
	vfree(f);
}

/* What was printed since the last call. */
static const char *printed(struct fixture *f)
{
	f->text[f->s.len] = '\0';
	f->s.len = 0;
	return f->text;
}

static void names_cannot_forge_lines(struct kunit *test)
{
	struct fixture *f = test->priv;

	sp_text_plain(&f->s, "a b;c");
	KUNIT_EXPECT_STREQ(test, printed(f), "a b;c");
	sp_text_plain(&f->s, "a\nb\033[2J\177");
	KUNIT_EXPECT_STREQ(test, printed(f), "a\\x0ab\\x1b[2J\\x7f");
	sp_text_plain(&f->s, "");
	KUNIT_EXPECT_STREQ(test, printed(f), "");
	/* Some control characters are above 0x7f; a name may end within a character. */
	sp_text_plain(&f->s, "\302\233m \233 \303");
	KUNIT_EXPECT_STREQ(test, printed(f), "\\xc2\\x9bm \\x9b \\xc3");
	/* One may be written longer than need be, and half of a pair is none. */
	sp_text_plain(&f->s, "\340\202\233\360\200\202\233\355\240\200\364\220\200\200");
	KUNIT_EXPECT_STREQ(test, printed(f),
			   "\\xe0\\x82\\x9b\\xf0\\x80\\x82\\x9b\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");

	sp_text_folded(&f->s, "a b;c\td\n\001\177z");
	KUNIT_EXPECT_STREQ(test, printed(f), "a_b_c_d___z");
	sp_text_folded(&f->s, "");
	KUNIT_EXPECT_STREQ(test, printed(f), "");
	/* Some control characters are above 0x7f. */
	sp_text_folded(&f->s, "\302\233m \302\240\302");
	KUNIT_EXPECT_STREQ(test, printed(f), "__m_\302\240_");
	/* And what is no UTF-8 may be one for terminals of eight bits. */
	sp_text_folded(&f->s, "\2332J\340\202\233;\355\240\200\303\233\342\202");
	KUNIT_EXPECT_STREQ(test, printed(f), "_2J_______\303\233__");
	/* Names in other scripts stay. */
	sp_text_folded(&f->s, "\303\244\303\204");
	KUNIT_EXPECT_STREQ(test, printed(f), "\303\244\303\204");
	sp_text_plain(&f->s, "\303\244\303\204\342\202\254\360\237\220\247");
	KUNIT_EXPECT_STREQ(test, printed(f), "\303\244\303\204\342\202\254\360\237\220\247");
}

static void times_have_units(struct kunit *test)
{
	static const struct {
		u64 ns;
		const char *text;
	} cases[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.000 us" },
		{ 1001, "1.001 us" }, { 999999, "999.999 us" },
		{ 1000000, "1.000 ms" }, { 999999999, "999.999 ms" },
		{ 1000000000, "1.000 s" }, { 3600000000000, "3600.000 s" },
		{ U64_MAX, "18446744073.709 s" },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sp_text_time(&f->s, cases[i].ns);
		KUNIT_EXPECT_STREQ(test, printed(f), cases[i].text);
	}
}

static void shares_are_rounded(struct kunit *test)
{
	static const struct {
		u64 part, whole;
		const char *text;
	} cases[] = {
		{ 0, 0, "0.0%" }, { 0, 7, "0.0%" }, { 7, 7, "100.0%" },
		{ 1, 3, "33.3%" }, { 2, 3, "66.7%" }, { 1, 2000, "0.1%" },
		{ 1, 2001, "0.0%" }, { U64_MAX, U64_MAX, "100.0%" },
		{ U64_MAX / 2, U64_MAX, "50.0%" },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sp_text_share(&f->s, cases[i].part, cases[i].whole);
		KUNIT_EXPECT_STREQ(test, printed(f), cases[i].text);
	}
}

static void bars_show_everything(struct kunit *test)
{
	struct fixture *f = test->priv;

	sp_text_bar(&f->s, 0, 10);
	KUNIT_EXPECT_STREQ(test, printed(f), "");
	sp_text_bar(&f->s, 1, 1000000);
	KUNIT_EXPECT_STREQ(test, printed(f), "#");
	sp_text_bar(&f->s, 10, 10);
	KUNIT_EXPECT_EQ(test, strlen(printed(f)), (size_t)40);
	sp_text_bar(&f->s, 5, 10);
	KUNIT_EXPECT_EQ(test, strlen(printed(f)), (size_t)20);
}

static void addresses_are_never_printed(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned long nowhere = (unsigned long)f;

	sp_text_symbol(&f->s, (unsigned long)schedule + 1);
	KUNIT_EXPECT_EQ(test, strncmp(printed(f), "schedule+0x1/0x", 15), 0);
	sp_text_function(&f->s, (unsigned long)schedule + 1);
	KUNIT_EXPECT_STREQ(test, printed(f), "schedule_[k]");
	/* A call that does not return is the last thing in its function. */
	sp_text_function(&f->s, (unsigned long)names_cannot_forge_lines + 1);
	KUNIT_EXPECT_STREQ(test, printed(f), "names_cannot_forge_lines_[k]");

	sp_text_symbol(&f->s, nowhere);
	KUNIT_EXPECT_STREQ(test, printed(f), "[unknown]");
	sp_text_function(&f->s, nowhere);
	KUNIT_EXPECT_STREQ(test, printed(f), "[unknown]_[k]");
}

static struct sp_stack *stack(struct kunit *test, u16 flags, unsigned int n,
			      unsigned long inner, unsigned long outer)
{
	/* Of a waker, who that is comes behind, which here is nobody. */
	struct sp_stack *stack = kunit_kzalloc(test, struct_size(stack, frame, 2) +
					       sizeof(struct sp_waker), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, stack);
	stack->flags = flags;
	stack->n = n;
	/* Where the frames were found is none of a reader's business. */
	stack->frame[0] = sp_frame(inner, 7);
	if (n > 1)
		stack->frame[1] = sp_frame(outer, 9);
	return stack;
}

static struct sp_report_entry *line(struct fixture *f, const char *comm, pid_t tid,
				    u64 ns, u64 count)
{
	struct sp_report_entry *line = &f->lines[f->view.count++];

	strscpy(line->who.comm, comm, TASK_COMM_LEN);
	line->who.tid = tid;
	line->who.tgid = tid;
	line->sum.total = ns;
	line->sum.count = count;
	line->sum.max = ns;
	f->view.total_ns += ns;
	return line;
}

static const char *folded(struct fixture *f, u32 row)
{
	sp_folded_show(&f->s, &f->view, row);
	return printed(f);
}

static void folded_lines_are_outermost_first(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_report_entry *l = line(f, "my; app", 42, 1999, 1);

	l->kernel = stack(test, 0, 2, (unsigned long)schedule + 1,
			  (unsigned long)schedule_timeout + 1);
	l->user = stack(test, SP_STACK_USER, 2, 0x401000, 0x402000);
	KUNIT_EXPECT_EQ(test, sp_folded_prepare(&f->view), 0);
	KUNIT_EXPECT_EQ(test, f->view.rows, 1u);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "my__app-42;"
			   "[exited]+0x402000;[exited]+0x401000;"
			   "schedule_timeout_[k];schedule_[k] 1\n");
	l->user = NULL;
	KUNIT_EXPECT_STREQ(test, folded(f, 0),
			   "my__app-42;schedule_timeout_[k];schedule_[k] 1\n");
	l->kernel = NULL;
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "my__app-42 1\n");
}

static void folded_lines_tell_what_is_odd(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_report_entry *l = line(f, "app", 42, 5000, 1);

	l->kernel = stack(test, SP_STACK_CUT, 1, (unsigned long)schedule + 1, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[cut]_[k];schedule_[k] 5\n");
	l->kernel = stack(test, SP_STACK_MOVED, 0, 0, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[task_moved]_[k] 5\n");
	l->kernel = NULL;
	l->user = stack(test, SP_STACK_USER | SP_STACK_NO_FP, 1, 0x1000, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0),
			   "app-42;[no_frame_pointer];[exited]+0x1000 5\n");
	l->user = stack(test, SP_STACK_USER | SP_STACK_CUT, 1, 0x1000, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[cut];[exited]+0x1000 5\n");
	l->user = stack(test, SP_STACK_USER | SP_STACK_UNSEEN, 0, 0, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[user_stack_not_seen] 5\n");
	l->user = stack(test, SP_STACK_USER | SP_STACK_MOVED, 0, 0, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[task_moved] 5\n");
	l->user = NULL;
	l->lost = "[lost stack]";
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;[lost_stack] 5\n");
	l->sum.count = 0;
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "");

	line(f, "[lost]", 0, U64_MAX, 3)->lost = "[lost]";
	KUNIT_EXPECT_STREQ(test, folded(f, 1), "[lost] 18446744073709551\n");
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

/* The same marks in both, each time at the end of the stack where it is. */
static void marks_are_where_they_belong(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_report_entry *l = line(f, "app", 42, 5000, 1);

	f->view.top_n = 1;
	l->user = stack(test, SP_STACK_USER | SP_STACK_NO_FP | SP_STACK_CUT, 1, 0x1000, 0);
	KUNIT_EXPECT_STREQ(test, folded(f, 0),
			   "app-42;[cut];[no_frame_pointer];[exited]+0x1000 5\n");
	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	contains(test, top(f, 1), "        --\n        [exited]+0x1000\n        [no frame pointer]\n        [cut: deeper than stack_depth]\n");
	l->user = NULL;
	l->kernel = stack(test, SP_STACK_MOVED, 0, 0, 0);
	contains(test, top(f, 1), "        [task moved]\n");
	l->kernel = stack(test, SP_STACK_UNSEEN, 0, 0, 0);
	contains(test, top(f, 1), "        [not seen: over before the next sample]\n");
	l->kernel = stack(test, SP_STACK_WAKER | SP_STACK_CUT, 1, (unsigned long)schedule + 1, 0);
	l->waker = l->kernel;
	l->kernel = NULL;
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "app-42;--;schedule_[k];[cut]_[k]; 5\n");
}

/* A word in brackets is ours, and so is what marks a frame of the kernel. */
static void names_pass_for_nothing_else(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_report_entry *l = line(f, "[exited]", 42, 5000, 1);
	struct sp_stack *waker = stack(test, SP_STACK_WAKER, 0, 0, 0);
	char *comm = ((struct sp_waker *)sp_stack_waker(waker))->comm;

	f->view.top_n = 1;
	l->waker = waker;
	strscpy(comm, "do_exit_[k]", TASK_COMM_LEN);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "(exited]-42;--;do_exit_(k] 5\n");
	strscpy(comm, "[interrupt]", TASK_COMM_LEN);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "(exited]-42;--;(interrupt] 5\n");
	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	contains(test, top(f, 1), "        -- woken by (interrupt]\n");
	waker->flags |= SP_STACK_IRQ;
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "(exited]-42;--;[interrupt] 5\n");
	/* Of a culprit that is a task the first bracket is none when it is recorded. */
	waker->flags = SP_STACK_WAKER | SP_STACK_CULPRIT;
	strscpy(comm, "[other cpu]", TASK_COMM_LEN);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "(exited]-42;[because_of];[other_cpu] 5\n");
	strscpy(comm, "do_exit_[k]", TASK_COMM_LEN);
	KUNIT_EXPECT_STREQ(test, folded(f, 0), "(exited]-42;[because_of];do_exit_(k] 5\n");
}

static void top_ranks_and_stops(struct kunit *test)
{
	struct fixture *f = test->priv;

	line(f, "small", 1, 10, 1);
	line(f, "empty", 2, 99, 0);
	line(f, "large", 3, 30, 1)->open = true;
	line(f, "middle", 4, 20, 1);
	line(f, "middle too", 5, 20, 1);
	f->view.top_n = 3;
	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	/* The head is a row, too. */
	KUNIT_ASSERT_EQ(test, f->view.rows, 4u);
	contains(test, top(f, 0), "# off-CPU time by task and stack: all tasks\n");
	contains(test, top(f, 1), "1. large  pid 3  tid 3  (open)\n");
	contains(test, top(f, 2), "2. middle  pid 4  tid 4\n");
	contains(test, top(f, 3), "3. middle too  pid 5  tid 5\n");
}

static void what_ended_before_it_began_is_at_0(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_report_entry *l = line(f, "app", 42, 10, 1);

	f->recording.begin_at = 5000;
	l->sum.max_at = 7000;
	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	contains(test, top(f, 1), "maximum 10 ns (at 2.000 us on CPU 0)\n");
	/* By a clock that has stepped back. */
	l->sum.max_at = 4999;
	contains(test, top(f, 1), "maximum 10 ns (at 0 ns on CPU 0)\n");
}

static void nothing_recorded_is_said(struct kunit *test)
{
	struct fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, sp_top_prepare(&f->view), 0);
	KUNIT_EXPECT_EQ(test, f->view.rows, 1u);
	f->view.recording = NULL;
	KUNIT_EXPECT_STREQ(test, top(f, 0),
			   "# Nothing recorded yet (all tasks): write 1 to enable.\n");
}

static void tasks_are_added_up(struct kunit *test)
{
	struct fixture *f = test->priv;
	const char *text;

	/* One task with two stacks, a later one with its TID, one alone. */
	line(f, "two", 7, 10, 1)->who.start_time = 1;
	line(f, "alone", 9, 35, 5)->who.start_time = 1;
	line(f, "two", 7, 30, 2)->who.start_time = 1;
	line(f, "reused", 7, 39, 1)->who.start_time = 2;
	/* Rows without a task are no task. */
	line(f, "[lost]", 0, 4, 1);
	line(f, "[exited]", 0, 3, 1);
	KUNIT_ASSERT_EQ(test, sp_by_task_prepare(&f->view), 0);
	KUNIT_ASSERT_EQ(test, f->view.rows, 6u);

	sp_by_task_show(&f->s, &f->view, 1);
	text = printed(f);
	contains(test, text, "1. two  pid 7  tid 7\n");
	contains(test, text, "total 40 ns (33.1%)  count 3");
	contains(test, text, "average 13 ns  maximum 30 ns");
	contains(test, text, "costliest stack: 30 ns (75.0% of the task's)");
	sp_by_task_show(&f->s, &f->view, 2);
	contains(test, printed(f), "2. reused");
	sp_by_task_show(&f->s, &f->view, 3);
	contains(test, printed(f), "3. alone");
	sp_by_task_show(&f->s, &f->view, 4);
	contains(test, printed(f), "4. [lost]\n");
	sp_by_task_show(&f->s, &f->view, 5);
	contains(test, printed(f), "5. [exited]\n");
}

#define WAITERS		200
#define CULPRITS	12
#define WORDS		2	/* of them are no tasks */
#define PAIRS		10000

/* What rows of a waiter add up to, by culprit, put into words with the greatest three. */
static void tell_greatest(struct seq_buf *s, const u64 totals[CULPRITS])
{
	static const char *const words[WORDS] = { "[idle]", "[interrupts]" };
	u64 waited = 0, below = U64_MAX;
	u32 i, n, best;

	for (i = 0; i < CULPRITS; i++)
		waited += totals[i];
	for (n = 0; n < 3; n++) {
		for (best = CULPRITS, i = 0; i < CULPRITS; i++)
			if (totals[i] < below && (best == CULPRITS || totals[i] > totals[best]))
				best = i;
		sp_puts(s, n ? ", " : "    because of ");
		if (best < WORDS)
			seq_buf_printf(s, "%s ", words[best]);
		else
			seq_buf_printf(s, "c%u %u ", best, 1000 + best);
		sp_text_share(s, totals[best], waited);
		below = totals[best];
	}
	sp_puts(s, " of ");
	sp_text_time(s, waited);
	sp_puts(s, " that it waited\n");
}

/* As adding up tells, and who is looked for is not met behind all others. */
static void greatest_culprits_are_found(struct kunit *test)
{
	struct sp_ledger_snapshot *ledgers;
	u64 (*totals)[CULPRITS], yields;
	struct fixture *f = test->priv;
	const struct sp_who nobody = { .tid = WAITERS + 1 };
	struct rnd_state random;
	char *wanted;
	u32 i;

	sp_random_start(test, &random);
	ledgers = kunit_kzalloc(test, struct_size(ledgers, list, WAITERS), GFP_KERNEL);
	totals = kunit_kzalloc(test, WAITERS * sizeof(*totals), GFP_KERNEL);
	wanted = kunit_kzalloc(test, 1024, GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, ledgers && totals && wanted);
	ledgers->blame = kunit_kzalloc(test, PAIRS * sizeof(*ledgers->blame), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ledgers->blame);
	for (i = 0; i < WAITERS; i++)
		ledgers->list[i].who.tid = WAITERS - i;
	for (i = 0; i < PAIRS; i++) {
		struct sp_blame_row *row = &ledgers->blame[i];
		u32 culprit = i % CULPRITS;

		row->task = i / CULPRITS % WAITERS;
		row->total = 1 + sp_random_below(&random, NSEC_PER_SEC);
		row->who = culprit < WORDS ? culprit : 100 + culprit;
		if (culprit >= WORDS) {
			row->culprit.tid = 1000 + culprit;
			row->culprit.tgid = 1000 + culprit;
			snprintf(row->culprit.comm, TASK_COMM_LEN, "c%u", culprit);
		}
		totals[row->task][culprit] += row->total;
	}
	ledgers->rows = PAIRS;
	f->view.ledgers = ledgers;
	KUNIT_ASSERT_EQ(test, sp_blame_gather(&f->view), 0);
	yields = atomic_long_read(&sp_readers_yields);
	for (i = 0; i < WAITERS; i++) {
		struct seq_buf s;

		seq_buf_init(&s, wanted, 1023);
		tell_greatest(&s, totals[i]);
		wanted[s.len] = '\0';
		sp_blame_show_greatest(&f->s, &f->view, &ledgers->list[i].who);
		KUNIT_EXPECT_STREQ(test, printed(f), wanted);
	}
	sp_blame_show_greatest(&f->s, &f->view, &nobody);
	KUNIT_EXPECT_STREQ(test, printed(f), "");
	KUNIT_EXPECT_LE(test, atomic_long_read(&sp_readers_yields) - yields, 12UL * WAITERS);
	sp_readers_free(f->view.blame);
}

/* Each time that it is printed there is more. */
static unsigned int times_printed;

static void print_growing(struct seq_buf *s, void *unused)
{
	unsigned int i;

	times_printed++;
	for (i = 0; i < times_printed; i++)
		sp_puts(s, "a line\n");
}

/* What configfs asks for in two calls is of one moment, and no end of it is cut off. */
static void binary_texts_are_of_one_moment(struct kunit *test)
{
	struct fixture *f = test->priv;
	ssize_t n;

	times_printed = 0;
	n = sp_binary_text_read(print_growing, NULL, 0);
	KUNIT_ASSERT_EQ(test, n, (ssize_t)strlen("a line\n"));
	KUNIT_ASSERT_EQ(test, sp_binary_text_read(print_growing, f->text, n), n);
	f->text[n] = '\0';
	KUNIT_EXPECT_STREQ(test, f->text, "a line\n");

	/* Whoever asks anew gets what is there then, also when he did not take the last. */
	n = sp_binary_text_read(print_growing, NULL, 0);
	n = sp_binary_text_read(print_growing, NULL, 0);
	KUNIT_ASSERT_EQ(test, n, (ssize_t)(3 * strlen("a line\n")));
	KUNIT_ASSERT_EQ(test, sp_binary_text_read(print_growing, f->text, n), n);
	f->text[n] = '\0';
	KUNIT_EXPECT_STREQ(test, f->text, "a line\na line\na line\n");
	/* There is none that he did not ask for. */
	KUNIT_EXPECT_EQ(test, sp_binary_text_read(print_growing, f->text, n), (ssize_t)-EAGAIN);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names_cannot_forge_lines),
	KUNIT_CASE(times_have_units),
	KUNIT_CASE(shares_are_rounded),
	KUNIT_CASE(bars_show_everything),
	KUNIT_CASE(addresses_are_never_printed),
	KUNIT_CASE(folded_lines_are_outermost_first),
	KUNIT_CASE(folded_lines_tell_what_is_odd),
	KUNIT_CASE(marks_are_where_they_belong),
	KUNIT_CASE(names_pass_for_nothing_else),
	KUNIT_CASE(top_ranks_and_stops),
	KUNIT_CASE(what_ended_before_it_began_is_at_0),
	KUNIT_CASE(nothing_recorded_is_said),
	KUNIT_CASE(tasks_are_added_up),
	KUNIT_CASE(greatest_culprits_are_found),
	KUNIT_CASE(binary_texts_are_of_one_moment),
	{ }
};

struct kunit_suite sp_text_suite = {
	.name = "schedprof_text",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_stacks: what people read: the costliest keys (top), and the
 * costliest tasks, each with its costliest stack (by_task). Ranked when
 * opened, in an rb-tree of as many nodes as rows are printed.
 *
 * Reads views only; no lock. Row 0 is the head.
 */
#include <linux/sort.h>

#include "export.h"
#include "memory.h"
#include "rank.h"
#include "report.h"
#include "text.h"
#include "view.h"

static u32 to_order(struct sp_view *view, const struct sp_rank *rank)
{
	const struct sp_rank_node *node;
	u32 n = 0;

	for (node = sp_rank_best(rank); node; node = sp_rank_next(node))
		view->order[n++] = node->item;
	return n;
}

/**
 * sp_top_prepare() - rank the lines
 * @view: a fresh view
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_top_prepare(struct sp_view *view)
{
	u32 i, max = min(view->top_n, view->count);
	struct sp_rank rank;

	view->rows = 1;
	if (!max)
		return 0;
	view->order = sp_alloc(max * sizeof(u32));
	if (!view->order || sp_rank_init(&rank, max))
		return -ENOMEM;
	for (i = 0; i < view->count; i++)
		if (view->lines[i].sum.count)
			sp_rank_offer(&rank, view->lines[i].sum.total, i);
	view->rows += to_order(view, &rank);
	sp_rank_destroy(&rank);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_top_prepare);

/* Lines of one task are neighbours then, the costliest first. */
static int by_task(const void *a, const void *b, const void *data)
{
	const struct sp_view *view = data;
	const struct sp_line *x = &view->lines[*(const u32 *)a];
	const struct sp_line *y = &view->lines[*(const u32 *)b];

	if (x->who.tid != y->who.tid)
		return x->who.tid < y->who.tid ? -1 : 1;
	if (x->who.start_time != y->who.start_time)
		return x->who.start_time < y->who.start_time ? -1 : 1;
	if (x->who.tid == SP_TID_COMM && strcmp(x->who.comm, y->who.comm))
		return strcmp(x->who.comm, y->who.comm);
	if (x->sum.total != y->sum.total)
		return x->sum.total > y->sum.total ? -1 : 1;
	return 0;
}

static bool same_task(const struct sp_line *x, const struct sp_line *y)
{
	/* Two special rows both have TID 0. */
	return x->who.tid && x->who.tid == y->who.tid &&
	       x->who.start_time == y->who.start_time &&
	       (x->who.tid != SP_TID_COMM || !strcmp(x->who.comm, y->who.comm));
}

/* The first line of each task gets the figures of all of them. */
static void rank_tasks(struct sp_view *view, struct sp_rank *rank, u32 n)
{
	u32 i, j;

	for (i = 0; i < n; i = j) {
		struct sp_line *first = &view->lines[view->order[i]];

		first->stack_ns = first->sum.total;
		for (j = i + 1; j < n; j++) {
			const struct sp_line *next = &view->lines[view->order[j]];

			if (!same_task(first, next))
				break;
			sp_sum_merge(&first->sum, &next->sum);
			first->open |= next->open;
		}
		sp_rank_offer(rank, first->sum.total, view->order[i]);
	}
}

/**
 * sp_by_task_prepare() - rank the tasks
 * @view: a fresh view; its lines are changed
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_by_task_prepare(struct sp_view *view)
{
	u32 i, n = 0, max = min(view->top_n, view->count);
	struct sp_rank rank;

	view->rows = 1;
	if (!max)
		return 0;
	view->order = sp_alloc(view->count * sizeof(u32));
	if (!view->order || sp_rank_init(&rank, max))
		return -ENOMEM;
	for (i = 0; i < view->count; i++)
		if (view->lines[i].sum.count)
			view->order[n++] = i;
	sort_r(view->order, n, sizeof(u32), by_task, NULL, view);
	rank_tasks(view, &rank, n);
	view->rows += to_order(view, &rank);
	sp_rank_destroy(&rank);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_by_task_prepare);

static void show_head(struct seq_file *m, const struct sp_view *view,
		      const char *what)
{
	const struct sp_recording *recording = view->recording;
	const struct sp_fates *fates = &view->totals.fates;

	if (!recording) {
		seq_printf(m, "# Nothing recorded yet (%s): write 1 to enable.\n",
			   view->filter);
		return;
	}
	seq_printf(m, "# %s by %s: %s\n", recording->settings.mode->what, what,
		   view->filter);
	seq_printf(m, "# mode %s, backend %s, clock %s, ",
		   recording->settings.mode->name, view->backend,
		   sp_source_names[recording->settings.source]);
	sp_text_time(m, view->totals.enabled_ns);
	seq_printf(m, " recorded%s, %llu intervals and %u open ones, ",
		   sp_recording_over(recording) ? "" : " so far", fates->recorded, view->open);
	sp_report_time(m, view, view->total_ns);
	seq_puts(m, " in all\n# lost ");
	sp_text_share(m, view->lost_ns, view->total_ns);
	seq_printf(m, " of the time, %lu probe misses\n", view->misses);
	if (recording->functions)
		sp_functions_show_counts(m, view);
	if (view->missed_programs)
		seq_puts(m, "# [exited] frames are of programs that ended before they were looked at\n");
}

static void show_who(struct seq_file *m, const struct sp_view *view,
		     const struct sp_line *line)
{
	sp_text_plain(m, line->who.comm);
	if (line->who.tid > 0)
		seq_printf(m, "  pid %d", line->who.tgid);
	if (line->who.tid > 0 && view->group_by == SP_GROUP_THREAD)
		seq_printf(m, "  tid %d", line->who.tid);
	if (line->open)
		seq_puts(m, "  (open)");
	seq_putc(m, '\n');
}

static void show_figures(struct seq_file *m, const struct sp_view *view,
			 const struct sp_line *line)
{
	const struct sp_sum *sum = &line->sum;
	u64 at = sum->max_at - sp_recording_begin(view->recording);

	seq_puts(m, "    total ");
	sp_report_time(m, view, sum->total);
	seq_puts(m, " (");
	sp_text_share(m, sum->total, view->total_ns);
	seq_printf(m, ")  count %llu  average ", sum->count);
	sp_report_time(m, view, div64_u64(sum->total, sum->count));
	seq_puts(m, "  maximum ");
	sp_report_time(m, view, sum->max);
	seq_puts(m, " (at ");
	sp_report_time(m, view, at);
	seq_printf(m, " on CPU %u)\n", sum->max_cpu);
	if (!view->recording->functions)
		return;
	seq_puts(m, "    inclusive ");
	sp_report_time(m, view, sum->inclusive);
	seq_puts(m, "  longest ");
	sp_report_time(m, view, sum->longest);
	seq_putc(m, '\n');
}

/* What is said in place of frames. */
static void show_why(struct seq_file *m, const struct sp_stack *stack)
{
	if (stack->flags & SP_STACK_MOVED)
		seq_puts(m, "        [task moved]\n");
	if (stack->flags & SP_STACK_RUNNING)
		seq_puts(m, "        [on the CPU now]\n");
	if (stack->flags & SP_STACK_EXITED)
		seq_puts(m, "        [exit]\n");
	if (stack->flags & SP_STACK_UNSEEN)
		seq_puts(m, stack->flags & SP_STACK_USER ?
			 "        [user stack not seen: left before recording]\n" :
			 "        [not seen: over before the next sample]\n");
	if (stack->flags & SP_STACK_IRQS_OFF)
		seq_puts(m, "        [irqs off] until here\n");
}

static void show_frames(struct seq_file *m, const struct sp_view *view,
			const struct sp_stack *stack)
{
	unsigned int i;

	for (i = 0; i < stack->n; i++) {
		seq_puts(m, "        ");
		sp_report_kernel(m, view, stack, i);
		seq_putc(m, '\n');
	}
	if (stack->flags & SP_STACK_CUT)
		seq_puts(m, "        [cut: deeper than stack_depth]\n");
}

static void show_user(struct seq_file *m, const struct sp_view *view,
		      const struct sp_line *line)
{
	const struct sp_stack *stack = line->user;
	unsigned int i;

	seq_puts(m, "        --\n");
	show_why(m, stack);
	for (i = 0; i < stack->n; i++) {
		seq_puts(m, "        ");
		sp_report_user(m, view, line, sp_frame_user(stack->frame[i]),
			       sp_text_plain);
		seq_putc(m, '\n');
	}
	if (stack->flags & SP_STACK_NO_FP)
		seq_puts(m, "        [no frame pointer]\n");
	if (stack->flags & SP_STACK_CUT)
		seq_puts(m, "        [cut: deeper than stack_depth]\n");
}

static void show_waker(struct seq_file *m, const struct sp_stack *stack)
{
	seq_puts(m, "        -- woken by ");
	sp_text_plain(m, sp_report_waker(stack));
	seq_putc(m, '\n');
}

static void show_stacks(struct seq_file *m, const struct sp_view *view,
			const struct sp_line *line)
{
	if (line->lost && line->who.tid)
		seq_printf(m, "        %s\n", line->lost);
	if (line->kernel) {
		show_why(m, line->kernel);
		show_frames(m, view, line->kernel);
	}
	if (line->user)
		show_user(m, view, line);
	if (line->waker) {
		show_waker(m, line->waker);
		show_frames(m, view, line->waker);
	}
}

/**
 * sp_top_show() - one key with its stacks
 * @m: where to
 * @view: prepared
 * @row: below view->rows
 *
 * Context: process, may sleep.
 */
void sp_top_show(struct seq_file *m, struct sp_view *view, u32 row)
{
	const struct sp_line *line;

	if (!row) {
		show_head(m, view, "task and stack");
		return;
	}
	line = &view->lines[view->order[row - 1]];
	seq_printf(m, "\n%u. ", row);
	show_who(m, view, line);
	show_figures(m, view, line);
	show_stacks(m, view, line);
}
SP_EXPORT_FOR_KUNIT(sp_top_show);

/**
 * sp_by_task_show() - one task with its costliest stack
 * @m: where to
 * @view: prepared
 * @row: below view->rows
 *
 * Context: process, may sleep.
 */
void sp_by_task_show(struct seq_file *m, struct sp_view *view, u32 row)
{
	const struct sp_line *line;

	if (!row) {
		show_head(m, view, "task");
		return;
	}
	line = &view->lines[view->order[row - 1]];
	seq_printf(m, "\n%u. ", row);
	show_who(m, view, line);
	show_figures(m, view, line);
	seq_puts(m, "    costliest stack: ");
	sp_report_time(m, view, line->stack_ns);
	seq_puts(m, " (");
	sp_text_share(m, line->stack_ns, line->sum.total);
	seq_puts(m, " of the task's)\n");
	show_stacks(m, view, line);
}
SP_EXPORT_FOR_KUNIT(sp_by_task_show);

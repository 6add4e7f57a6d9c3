// SPDX-License-Identifier: GPL-2.0-only
/*
 * top: what people read: the costliest keys (top), and the
 * costliest tasks, each with its costliest stack (by_task). Ranked when
 * opened, in an rb-tree of as many nodes as rows are printed.
 *
 * Reads views only; no lock. Row 0 is the head.
 */
#include <linux/sort.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/rank.h"
#include "lib/readers.h"
#include "report/report.h"
#include "unwind/tables.h"
#include "lib/text.h"

/* The best become the rows behind the head. */
static void take_best(struct sp_view *view, struct sp_rank *rank)
{
	const struct sp_rank_node *node;
	u32 n = 0;

	for (node = sp_rank_best(rank); node; node = sp_rank_next(node))
		view->order[n++] = node->item;
	view->rows += n;
	sp_rank_destroy(rank);
}

/* What waits for work comes behind all that does not. */
#define NOT_IDLE	BIT_ULL(63)

static u64 rank_of(u64 total, bool idle)
{
	return min_t(u64, total, NOT_IDLE - 1) | (idle ? 0 : NOT_IDLE);
}

static u64 rank_of_line(const struct sp_view *view, const struct sp_report_entry *line)
{
	return rank_of(line->sum.total, sp_view_is_idle(view, line->kernel));
}

/**
 * sp_top_prepare() - rank the lines
 * @view: a fresh view
 *
 * Return: 0 or -ENOMEM.
 */
int sp_top_prepare(struct sp_view *view)
{
	u32 i, max = min(view->top_n, view->count);
	struct sp_rank rank;

	view->rows = 1;
	if (!max)
		return 0;
	view->order = sp_readers_alloc(max * sizeof(u32));
	if (!view->order || sp_rank_init(&rank, max))
		return -ENOMEM;
	for (i = 0; i < view->count; i++) {
		const struct sp_report_entry *line = &view->lines[i];

		if (line->sum.count)
			sp_rank_offer(&rank, rank_of_line(view, line), i);
		sp_readers_yield();
	}
	take_best(view, &rank);
	return sp_blame_gather(view);
}
SP_EXPORT_FOR_KUNIT(sp_top_prepare);

/* Lines of one task are neighbours then, the one that would be first in top first. */
static int by_task(const void *a, const void *b, const void *data)
{
	const struct sp_view *view = data;
	const struct sp_report_entry *x = &view->lines[*(const u32 *)a];
	const struct sp_report_entry *y = &view->lines[*(const u32 *)b];

	sp_readers_yield();
	return sp_view_compare_tasks(&x->who, &y->who) ?:
	       cmp_int(rank_of_line(view, y), rank_of_line(view, x));
}

static bool same_task(const struct sp_report_entry *x, const struct sp_report_entry *y)
{
	/* Two special rows both have TID 0. */
	return x->who.tid && !sp_view_compare_tasks(&x->who, &y->who);
}

static u64 idle_ns_of(const struct sp_view *view, const struct sp_report_entry *line)
{
	return sp_view_is_idle(view, line->kernel) ? line->sum.total : 0;
}

/* The first line of each task gets the figures of all of them. */
static void rank_tasks(struct sp_view *view, struct sp_rank *rank, u32 n)
{
	bool idle;
	u32 i, j;
	u64 ns;

	for (i = 0; i < n; i = j) {
		struct sp_report_entry *first = &view->lines[view->order[i]];

		sp_readers_yield();
		first->stack_ns = first->sum.total;
		first->idle_ns = idle_ns_of(view, first);
		for (j = i + 1; j < n; j++) {
			const struct sp_report_entry *next = &view->lines[view->order[j]];

			if (!same_task(first, next))
				break;
			sp_sum_merge(&first->sum, &next->sum);
			first->idle_ns += idle_ns_of(view, next);
			first->open |= next->open;
			sp_readers_yield();
		}
		/* If the first one is, all are. */
		idle = sp_view_is_idle(view, first->kernel);
		ns = first->sum.total - (idle ? 0 : first->idle_ns);
		sp_rank_offer(rank, rank_of(ns, idle), view->order[i]);
	}
}

/**
 * sp_by_task_prepare() - rank the tasks
 * @view: a fresh view; its lines are changed
 *
 * Return: 0 or -ENOMEM.
 */
int sp_by_task_prepare(struct sp_view *view)
{
	u32 n, max = min(view->top_n, view->count);
	struct sp_rank rank;

	view->rows = 1;
	if (!max)
		return 0;
	view->order = sp_view_order(view, &n);
	if (!view->order || sp_rank_init(&rank, max))
		return -ENOMEM;
	sort_r(view->order, n, sizeof(u32), by_task, NULL, view);
	rank_tasks(view, &rank, n);
	take_best(view, &rank);
	return sp_blame_gather(view);
}
SP_EXPORT_FOR_KUNIT(sp_by_task_prepare);

static void show_head(struct seq_buf *s, const struct sp_view *view,
		      const char *what)
{
	const struct sp_recording *recording = view->recording;
	const struct sp_fates *fates = &view->totals.fates;

	if (!recording) {
		seq_buf_printf(s, "# Nothing recorded yet (%s): write 1 to enable.\n",
			       view->filter);
		return;
	}
	seq_buf_printf(s, "# %s by %s: %s\n", recording->mode->what, what,
		       view->filter);
	seq_buf_printf(s, "# mode %s, backend %s, clock %s, ",
		       recording->mode->name, view->backend,
		       sp_clock_id_names[recording->config.clock]);
	sp_text_time(s, view->totals.enabled_ns);
	seq_buf_printf(s, " recorded%s, %llu intervals and %u open ones, ",
		       view->over ? "" : " so far", fates->recorded, view->open);
	sp_report_time(s, view, view->total_ns);
	sp_puts(s, " in all\n# lost ");
	sp_text_share(s, view->lost_ns, view->total_ns);
	seq_buf_printf(s, " of the time, %lu probe misses\n", view->misses);
	if (view->idle_ns) {
		sp_puts(s, "# waiting for work ");
		sp_report_time(s, view, view->idle_ns);
		sp_puts(s, " (");
		sp_text_share(s, view->idle_ns, view->total_ns);
		sp_puts(s, "), behind all else; idle_waits says where that is\n");
	}
	if (recording->functions)
		sp_functions_show_counts(s, view);
	if (view->missed_programs)
		sp_puts(s, "# [exited] frames are of programs that ended before they were looked at\n");
	/* Elsewhere there are none. */
	if (IS_ENABLED(CONFIG_X86_64) && recording->config.stack & SP_WANT_USER &&
	    !READ_ONCE(sp_unwind_tables) && !view->ended_stacks[SP_STACK_END_COMPLETE])
		sp_puts(s, "# user stacks are by frame pointers alone; schedprof unwind add PID makes them whole\n");
}

static void show_who(struct seq_buf *s, const struct sp_view *view,
		     const struct sp_report_entry *line)
{
	sp_view_show_name(s, view, &line->who, sp_text_plain);
	if (line->who.tid > 0)
		seq_buf_printf(s, "  pid %d", line->who.tgid);
	if (line->who.tid > 0 && view->group_by == SP_GROUP_THREAD)
		seq_buf_printf(s, "  tid %d", line->who.tid);
	if (line->open)
		sp_puts(s, "  (open)");
	if (sp_view_is_idle(view, line->kernel))
		sp_puts(s, "  [waiting for work]");
	sp_putc(s, '\n');
}

static void show_figures(struct seq_buf *s, const struct sp_view *view,
			 const struct sp_report_entry *line)
{
	const struct sp_sum *sum = &line->sum;
	u64 at = sp_time_between(sp_recording_begin(view->recording), sum->max_at);

	sp_puts(s, "    total ");
	sp_report_time(s, view, sum->total);
	sp_puts(s, " (");
	sp_text_share(s, sum->total, view->total_ns);
	seq_buf_printf(s, ")  count %llu  average ", sum->count);
	sp_report_time(s, view, div64_u64(sum->total, sum->count));
	sp_puts(s, "  maximum ");
	sp_report_time(s, view, sum->max);
	sp_puts(s, " (at ");
	sp_report_time(s, view, at);
	seq_buf_printf(s, " on CPU %u)\n", sum->max_cpu);
	if (!view->recording->functions)
		return;
	sp_puts(s, "    inclusive ");
	sp_report_time(s, view, sum->inclusive);
	sp_puts(s, "  longest ");
	sp_report_time(s, view, sum->longest);
	sp_putc(s, '\n');
}

/**
 * sp_top_show() - one key with its stacks
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_top_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_report_entry *line;

	if (!row) {
		show_head(s, view, "task and stack");
		return;
	}
	line = &view->lines[view->order[row - 1]];
	seq_buf_printf(s, "\n%u. ", row);
	show_who(s, view, line);
	show_figures(s, view, line);
	sp_blame_show_greatest(s, view, &line->who);
	sp_report_stacks(s, view, line);
}
SP_EXPORT_FOR_KUNIT(sp_top_show);

/**
 * sp_by_task_show() - one task with its costliest stack
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_by_task_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_report_entry *line;

	if (!row) {
		show_head(s, view, "task");
		return;
	}
	line = &view->lines[view->order[row - 1]];
	seq_buf_printf(s, "\n%u. ", row);
	show_who(s, view, line);
	show_figures(s, view, line);
	sp_blame_show_greatest(s, view, &line->who);
	if (line->idle_ns && line->idle_ns < line->sum.total) {
		sp_puts(s, "    waiting for work: ");
		sp_report_time(s, view, line->idle_ns);
		sp_puts(s, " (");
		sp_text_share(s, line->idle_ns, line->sum.total);
		sp_puts(s, " of the task's), not in the stack below\n");
	}
	sp_puts(s, "    costliest stack: ");
	sp_report_time(s, view, line->stack_ns);
	sp_puts(s, " (");
	sp_text_share(s, line->stack_ns, line->sum.total);
	sp_puts(s, " of the task's)\n");
	sp_report_stacks(s, view, line);
}
SP_EXPORT_FOR_KUNIT(sp_by_task_show);

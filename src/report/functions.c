// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions: what each task did in each instrumented function, one line
 * each, for programs; and what heads say of such functions. Reads views
 * only; no lock. Row 0 is the head.
 */
#include <linux/bitmap.h>
#include <linux/sort.h>

#include "compat/compat.h"
#include "lib/readers.h"
#include "report/report.h"
#include "lib/text.h"

/* Functions that the head of top names, because timing them distorts. */
#define NAMED_BUSY	8

/* A line's own function; 0: its stack was lost. */
static unsigned long function_of(const struct sp_report_entry *line)
{
	return line->kernel && line->kernel->n ?
	       sp_frame_kernel(line->kernel->frame[0]) : 0;
}

/* Lines of one task and function are neighbours then. */
static int by_task_and_function(const void *a, const void *b, const void *data)
{
	const struct sp_view *view = data;
	const struct sp_report_entry *x = &view->lines[*(const u32 *)a];
	const struct sp_report_entry *y = &view->lines[*(const u32 *)b];

	sp_readers_yield();
	return sp_view_compare_tasks(&x->who, &y->who) ?:
	       cmp_int(function_of(x), function_of(y));
}

/* The costliest first; what costs the same in the order from above. */
static int by_cost(const void *a, const void *b, const void *data)
{
	const struct sp_view *view = data;

	return cmp_int(view->lines[*(const u32 *)b].sum.total,
		       view->lines[*(const u32 *)a].sum.total) ?:
	       by_task_and_function(a, b, data);
}

/**
 * sp_functions_prepare() - a row for each task and function
 * @view: a fresh view; its lines are changed
 *
 * Return: 0 or -ENOMEM.
 */
int sp_functions_prepare(struct sp_view *view)
{
	const struct sp_function_list *list;
	u32 i, n, rows = 0;

	view->rows = 1;
	if (!view->recording || !view->recording->functions || !view->count)
		return 0;
	list = view->recording->functions->list;
	view->throttled = sp_view_bits(list->count);
	view->order = sp_view_order(view, &n);
	if (!view->throttled || !view->order)
		return -ENOMEM;
	bitmap_copy(view->throttled, view->recording->functions->throttled, list->count);
	sort_r(view->order, n, sizeof(u32), by_task_and_function, NULL, view);
	for (i = 0; i < n; i++) {
		if (rows && !by_task_and_function(&view->order[rows - 1],
						  &view->order[i], view))
			sp_sum_merge(&view->lines[view->order[rows - 1]].sum,
				     &view->lines[view->order[i]].sum);
		else
			view->order[rows++] = view->order[i];
	}
	sort_r(view->order, rows, sizeof(u32), by_cost, NULL, view);
	view->rows += rows;
	return 0;
}

static void show_head(struct seq_buf *s, const struct sp_view *view)
{
	const char *unit;

	if (!view->recording) {
		sp_puts(s, "# Nothing recorded yet: write function to mode, names to functions, and 1 to enable.\n");
		return;
	}
	if (!view->recording->functions) {
		sp_puts(s, "# This session does not profile functions: write 0 to enable, function to mode, names to functions, and 1 to enable.\n");
		return;
	}
	unit = sp_clock_id_unit(view->recording->config.clock);
	seq_buf_printf(s, "tid\tcomm\tfunction\tcount\tinclusive_%s\texclusive_%s\tmax_%s\n",
		       unit, unit, unit);
}

/**
 * sp_functions_show() - what one task did in one function
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_functions_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_functions *functions;
	const struct sp_function *function;
	const struct sp_report_entry *line;

	if (!row) {
		show_head(s, view);
		return;
	}
	functions = view->recording->functions;
	line = &view->lines[view->order[row - 1]];
	function = sp_function_at(functions->list, function_of(line));
	seq_buf_printf(s, "%d\t", max(line->who.tid, 0));
	sp_view_show_name(s, view, &line->who, sp_text_folded);
	seq_buf_printf(s, "\t%s%s\t%llu\t%llu\t%llu\t%llu\n",
		       function ? function->name : "[lost_stack]",
		       function && test_bit(function - functions->list->function,
					    view->throttled) ? " (throttled)" : "",
		       line->sum.count, line->sum.inclusive, line->sum.total,
		       line->sum.longest);
}

/**
 * sp_functions_show_counts() - what a head says about functions
 * @s: where to
 * @view: the view of a recording of functions
 */
void sp_functions_show_counts(struct seq_buf *s, const struct sp_view *view)
{
	const struct sp_functions *functions = view->recording->functions;
	enum sp_clock_id clock_id = view->recording->config.clock;
	struct sp_function_use use;
	u32 i, busy = 0;

	seq_buf_printf(s, "# %u functions, %u switched off, %llu activations missed; times are exclusive, and of all activations\n",
		       view->functions.functions, view->functions.throttled,
		       view->functions.missed);
	for (i = 0; i < functions->list->count; i++) {
		if (!sp_functions_distort(functions, i, clock_id, &use))
			continue;
		if (++busy > NAMED_BUSY)
			continue;
		seq_buf_printf(s, "# %s was called %llu times since enable, on average for ",
			       functions->list->function[i].name, use.calls);
		sp_report_time(s, view, div64_u64(use.time, use.calls));
		sp_puts(s, test_bit(i, functions->throttled) ?
			", and is switched off\n" :
			", so timing it distorts; throttle=1 switches it off\n");
	}
	if (busy > NAMED_BUSY)
		seq_buf_printf(s, "# and %u more of this kind\n", busy - NAMED_BUSY);
}

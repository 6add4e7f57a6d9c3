// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded: one line per key, outermost frame first, as flame graph
 * programs read it. Reads views only; no lock.
 */
#include "lib/export.h"
#include "report/report.h"
#include "lib/text.h"
#include "report/view.h"

/* What is said in place of frames. */
static const struct {
	u16 flag;
	const char *text;
} reasons[] = {
	{ SP_STACK_MOVED, ";[task_moved]" },
	{ SP_STACK_RUNNING, ";[on_the_CPU_now]" },
	{ SP_STACK_EXITED, ";[exit]" },
	{ SP_STACK_IRQS_OFF, ";[irqs_off]" },
	{ SP_STACK_CUT, ";[cut]" },
	{ SP_STACK_NO_FP, ";[no_frame_pointer]" },
};

static void show_why(struct seq_buf *s, const struct sp_stack *stack,
		     const char *mark)
{
	unsigned int i;

	if (stack->flags & SP_STACK_UNSEEN)
		seq_buf_printf(s, ";[%s]%s", stack->flags & SP_STACK_USER ?
			       "user_stack_not_seen" : "not_seen", mark);
	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (stack->flags & reasons[i].flag)
			seq_buf_printf(s, "%s%s", reasons[i].text, mark);
}

static void user_part(struct seq_buf *s, const struct sp_view *view,
		      const struct sp_report_entry *line)
{
	const struct sp_stack *stack = line->user;
	unsigned int i;

	if (!stack)
		return;
	show_why(s, stack, "");
	for (i = stack->n; i--; ) {
		sp_putc(s, ';');
		sp_report_user(s, view, line, sp_frame_user(stack->frame[i]),
			       sp_text_folded);
	}
}

static void kernel_part(struct seq_buf *s, const struct sp_view *view,
			const struct sp_report_entry *line)
{
	const struct sp_stack *stack = line->kernel;
	unsigned int i;

	if (!stack)
		return;
	show_why(s, stack, "_[k]");
	for (i = stack->n; i--; ) {
		sp_putc(s, ';');
		sp_report_kernel_folded(s, view, stack, i);
	}
}

static void waker_part(struct seq_buf *s, const struct sp_view *view,
		       const struct sp_report_entry *line)
{
	const struct sp_stack *stack = line->waker;
	unsigned int i;

	if (!stack)
		return;
	sp_puts(s, ";--");
	for (i = 0; i < stack->n; i++) {
		sp_putc(s, ';');
		sp_report_symbol(s, view, sp_frame_kernel(stack->frame[i]),
				 sp_text_function);
	}
	if (stack->flags & SP_STACK_CUT)
		sp_puts(s, ";[cut]_[k]");
	sp_putc(s, ';');
	sp_text_folded(s, sp_report_waker(stack));
}

/**
 * sp_folded_prepare() - every line is a row
 * @view: a fresh view
 */
int sp_folded_prepare(struct sp_view *view)
{
	view->rows = view->count;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_folded_prepare);

/**
 * sp_folded_frames() - the stacks of a line
 * @s: where to; a semicolon before each frame
 * @view: the view
 * @line: with a TID, unless it is nobody's
 */
void sp_folded_frames(struct seq_buf *s, const struct sp_view *view,
		      const struct sp_report_entry *line)
{
	if (line->lost && line->who.tid)
		sp_puts(s, ";[lost_stack]");
	user_part(s, view, line);
	kernel_part(s, view, line);
	waker_part(s, view, line);
}

/**
 * sp_folded_show() - one line
 * @s: where to
 * @view: the view
 * @row: below view->rows
 */
void sp_folded_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_report_entry *line = &view->lines[row];

	if (!line->sum.count)
		return;
	sp_text_folded(s, line->who.comm);
	if (line->who.tid > 0)
		seq_buf_printf(s, "-%d", line->who.tid);
	sp_folded_frames(s, view, line);
	seq_buf_printf(s, " %llu\n",
		       sp_clock_id_row_unit(view->recording->config.clock,
					    line->sum.total));
}
SP_EXPORT_FOR_KUNIT(sp_folded_show);

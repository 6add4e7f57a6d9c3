// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_events: what happened, one line each, the oldest first, for people and
 * programs. Reads views only; no lock. Row 0 is the head.
 */
#include "report.h"
#include "text.h"
#include "view.h"

/**
 * sp_events_prepare() - every event that is still known is a row
 * @view: a fresh view
 */
int sp_events_prepare(struct sp_view *view)
{
	view->rows = 1 + view->happening_count;
	return 0;
}

static void show_head(struct seq_file *m, const struct sp_view *view)
{
	if (!view->recording || !view->recording->events.max) {
		seq_puts(m, "# Nothing to tell: write nosched to mode, and 1 to enable.\n");
		return;
	}
	seq_puts(m, "seconds\tcpu\ttid\ttgid\tcomm\tduration_us\tirqs\tstack\n");
}

static void show_stack(struct seq_file *m, const struct sp_view *view, u32 id)
{
	const struct sp_stack *stack;
	unsigned int i;

	if (id == SP_STACK_NONE || id == SP_STACK_LOST) {
		seq_puts(m, id == SP_STACK_LOST ? "[lost_stack]" : "-");
		return;
	}
	stack = sp_stack_table_get(&view->recording->stacks, id);
	if (!stack->n)
		seq_puts(m, stack->flags & SP_STACK_UNSEEN ? "[not_seen]" : "[user_mode]");
	for (i = stack->n; i--; ) {
		sp_text_function(m, sp_frame_kernel(stack->frame[i]));
		if (i)
			seq_putc(m, ';');
	}
}

/**
 * sp_events_show() - one event
 * @m: where to
 * @view: prepared
 * @row: below view->rows
 *
 * Context: process, may sleep.
 */
void sp_events_show(struct seq_file *m, struct sp_view *view, u32 row)
{
	const struct sp_happening *what;
	u64 seconds;
	u32 ns;

	if (!row) {
		show_head(m, view);
		return;
	}
	what = &view->happenings[row - 1];
	seconds = what->at;
	ns = do_div(seconds, NSEC_PER_SEC);
	seq_printf(m, "%llu.%06u\t%u\t%d\t%d\t", seconds,
		   ns / (u32)NSEC_PER_USEC, what->cpu, what->tid, what->tgid);
	sp_text_folded(m, what->comm);
	seq_printf(m, "\t%llu\t%s\t", div_u64(what->ns, NSEC_PER_USEC),
		   what->irqs_off ? "off" : "on");
	show_stack(m, view, what->kernel);
	seq_putc(m, '\n');
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * events: what happened, one line each, the oldest first, for people and
 * programs. Reads views only; no lock. Row 0 is the head; if events are missing,
 * it ends with a line that begins with # and says how many.
 */
#include <linux/math64.h>

#include "report/report.h"
#include "lib/text.h"

/**
 * sp_events_prepare() - every event is a row
 * @view: a fresh view
 */
int sp_events_prepare(struct sp_view *view)
{
	view->rows = 1 + view->events.total;
	return 0;
}

static void show_head(struct seq_buf *s, const struct sp_view *view)
{
	u64 missing = view->events.missing + view->totals.refused_events;

	if (!view->recording || !view->recording->events.ring) {
		sp_puts(s, "# There is no event trace: write 0 to enable, 1024 to trace_kb, and 1 to enable.\n");
		return;
	}
	sp_puts(s, view->recording->config.clock == SP_CLOCK_TSC ?
		    "cycles\tcpu\ttid\ttgid\tcomm\tduration_cycles\tirqs\tstack\n" :
		    "seconds\tcpu\ttid\ttgid\tcomm\tduration_us\tirqs\tstack\n");
	if (missing)
		seq_buf_printf(s, "# %llu events are missing; a larger trace_kb keeps more\n",
			       missing);
}

/* Whole units and their thousandths, millionths, ... as many as @digits says. */
static void show_parts(struct seq_buf *s, u64 ns, u32 unit, int digits)
{
	u32 rest = do_div(ns, unit);

	seq_buf_printf(s, "%llu.%0*u", ns, digits, rest);
}

static const char *irqs_of(const struct sp_view *view, const struct sp_trace_record *record)
{
	if (!sp_mode_samples(view->recording->mode))
		return "-";
	return record->flags & SP_HAPPENING_IRQS_OFF ? "off" : "on";
}

static const struct sp_stack *stack_of(const struct sp_view *view, u32 id)
{
	return sp_stack_table_known(&view->recording->stacks, id);
}

/**
 * sp_events_bring() - have an event at hand
 * @view: prepared
 * @row: below view->rows
 *
 * Return: 0, or -ENOMEM or -EIO.
 */
int sp_events_bring(struct sp_view *view, u32 row)
{
	return row ? sp_view_reach(view, row - 1) : 0;
}

/* As in folded, but what stands before the first frame is the end of a column. */
static void show_stack(struct seq_buf *s, const struct sp_view *view,
		       const struct sp_trace_record *record)
{
	struct sp_report_entry line = {
		.who.tid = record->tid,
		.who.program = record->program,
		.kernel = stack_of(view, record->kernel),
		.user = stack_of(view, record->user),
		.waker = stack_of(view, record->waker),
		.lost = record->kernel == SP_STACK_LOST ? "[lost stack]" : NULL,
	};
	size_t before = s->len;

	sp_report_stacks_folded(s, view, &line);
	if (s->len == before)
		sp_puts(s, "\t-");
	else if (!seq_buf_has_overflowed(s))
		s->buffer[before] = '\t';
}

/**
 * sp_events_show() - one event
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_events_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_trace_record *record;
	bool cycles;
	u64 at;

	if (!row) {
		show_head(s, view);
		return;
	}
	record = sp_events_at(&view->events, row - 1);
	cycles = view->recording->config.clock == SP_CLOCK_TSC;
	at = sp_view_moment(view, record->at);
	if (cycles)
		seq_buf_printf(s, "%llu", at);
	else
		show_parts(s, at, NSEC_PER_SEC, 9);
	seq_buf_printf(s, "\t%u\t%d\t%d\t", record->cpu, record->tid, record->tgid);
	sp_text_name(s, record->comm, sp_text_folded);
	sp_putc(s, '\t');
	if (cycles)
		seq_buf_printf(s, "%llu", record->length);
	else
		show_parts(s, record->length, NSEC_PER_USEC, 3);
	seq_buf_printf(s, "\t%s", irqs_of(view, record));
	show_stack(s, view, record);
	sp_putc(s, '\n');
}

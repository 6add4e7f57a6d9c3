// SPDX-License-Identifier: GPL-2.0-only
/*
 * report: the table of result files, and those that are short: histogram and
 * stats. Reads views only; no lock.
 */
#include <linux/kernel.h>

#include "report.h"
#include "text.h"

/**
 * sp_report_user() - where a user frame is
 * @m: where to
 * @view: the view
 * @line: whose stack it is
 * @address: of the frame
 * @print: prints a name the way the file wants it
 *
 * Context: process, may sleep.
 */
void sp_report_user(struct seq_file *m, const struct sp_view *view,
		    const struct sp_line *line, u64 address,
		    void (*print)(struct seq_file *m, const char *name))
{
	struct sp_resolved at = { };

	if (!sp_images_resolve(&view->recording->images, line->who.image,
			       address, &at)) {
		seq_printf(m, "[exited]+0x%llx", address);
		return;
	}
	if (at.kind == SP_MAPPING_FILE)
		print(m, at.path);
	else
		seq_puts(m, at.kind == SP_MAPPING_VDSO ? "[vdso]" : "[anon]");
	seq_printf(m, "+0x%llx", at.offset);
}

/* A length of time for people, in the recording's own unit. */
void sp_report_time(struct seq_file *m, const struct sp_view *view, u64 time)
{
	if (view->recording->settings.source == SP_SOURCE_TSC)
		seq_printf(m, "%llu cycles", time);
	else
		sp_text_time(m, time);
}

/* The unit in the names of columns that hold sums. */
const char *sp_report_unit(const struct sp_view *view)
{
	return sp_source_unit(view->recording ? view->recording->settings.source :
						SP_SOURCE_MONO);
}

/* Who woke a task: a name, or what is no task. */
const char *sp_report_waker(const struct sp_stack *stack)
{
	if (stack->flags & SP_STACK_UNSEEN)
		return "[not seen]";
	if (stack->flags & SP_STACK_IRQ)
		return "[interrupt]";
	return stack->flags & SP_STACK_SOFTIRQ ? "[softirq]" : stack->waker;
}

static int one_row(struct sp_view *view)
{
	view->rows = 1;
	return 0;
}

static void show_histogram(struct seq_file *m, struct sp_view *view, u32 row)
{
	const u64 *count = view->totals.histogram.count;
	unsigned int i, first = SP_HISTOGRAM_ROWS, last = 0;
	u64 most = 0;

	for (i = 0; i < SP_HISTOGRAM_ROWS; i++) {
		if (!count[i])
			continue;
		first = min(first, i);
		last = i;
		most = max(most, count[i]);
	}
	seq_puts(m, strcmp(sp_report_unit(view), "cycles") ? "low_us\thigh_us\tcount\n" :
		    "low_cycles\thigh_cycles\tcount\n");
	for (i = first; i <= last; i++) {
		seq_printf(m, "%llu\t%llu\t%llu\t", sp_histogram_low(i),
			   sp_histogram_high(i), count[i]);
		sp_text_bar(m, count[i], most);
		seq_putc(m, '\n');
	}
}

static u64 sum_of(const struct sp_fates *fates)
{
	return fates->filtered + fates->below_min + fates->above_max + fates->lost_tasks +
	       fates->lost_stacks + fates->lost_entries + fates->recorded;
}

/* What was counted, a line each; there is one row. */
void sp_report_stats(struct seq_file *m, struct sp_view *view, u32 row)
{
	const struct sp_recording *recording = view->recording;
	const struct sp_totals *totals = &view->totals;
	const struct sp_fates *fates = &totals->fates;
	u64 intervals = 0;

	if (recording)
		intervals = totals->counts.intervals[recording->settings.mode->time];
	seq_printf(m, "context_switches %llu\n", totals->counts.switches);
	seq_printf(m, "wakeups %llu\n", totals->counts.wakeups);
	seq_printf(m, "samples %llu\n", totals->counts.samples);
	seq_printf(m, "intervals %llu\n", intervals);
	seq_printf(m, "filtered %llu\n", fates->filtered);
	seq_printf(m, "below_min %llu\n", fates->below_min);
	seq_printf(m, "above_max %llu\n", fates->above_max);
	seq_printf(m, "lost_tasks %llu\n", fates->lost_tasks);
	seq_printf(m, "lost_stacks %llu\n", fates->lost_stacks);
	seq_printf(m, "lost_entries %llu\n", fates->lost_entries);
	seq_printf(m, "recorded %llu\n", fates->recorded);
	/* Each interval is in one of the above: this is 0, or there is a defect. */
	seq_printf(m, "unaccounted %lld\n", (s64)(intervals - sum_of(fates)));
	seq_printf(m, "lost_events %llu\n",
		   totals->refused_events + totals->overwritten_events);
	seq_printf(m, "unbooked %llu\n", totals->unbooked);
	seq_printf(m, "lost_%s %llu\n", sp_report_unit(view), view->lost_ns);
	seq_printf(m, "open %u\n", view->open);
	seq_printf(m, "truncated_stacks %u\n", view->cut_stacks);
	seq_printf(m, "missed_programs %u\n", view->missed_programs);
	seq_printf(m, "lost_mappings %u\n", view->lost_mappings);
	seq_printf(m, "functions %u\n", view->functions.functions);
	seq_printf(m, "throttled_functions %u\n", view->functions.throttled);
	seq_printf(m, "throttled_calls %llu\n", view->functions.throttled_calls);
	seq_printf(m, "missed_calls %llu\n", view->functions.missed);
	seq_printf(m, "unreturned_calls %llu\n", view->functions.dropped);
	seq_printf(m, "idle_calls %llu\n", view->functions.idle);
	seq_printf(m, "function_overhead_ns %llu\n", totals->call_ns);
	seq_printf(m, "clock_steps %llu\n", totals->counts.clock_steps);
	seq_printf(m, "probe_misses %lu\n", view->misses);
	seq_printf(m, "blind_ns %llu\n", totals->counts.blind_ns);
	seq_printf(m, "tasks %u\n", view->tasks);
	seq_printf(m, "stacks %u\n", view->stacks);
	seq_printf(m, "entries %u\n", view->entries);
	seq_printf(m, "memory_bytes %llu\n", recording ? recording->bytes : 0);
	seq_printf(m, "enabled_ns %llu\n", totals->enabled_ns);
	seq_printf(m, "overhead_ns %llu\n", totals->counts.overhead_ns);
}

const struct sp_report sp_reports[] = {
	{ "top", sp_top_prepare, sp_top_show },
	{ "by_task", sp_by_task_prepare, sp_by_task_show },
	{ "folded", sp_folded_prepare, sp_folded_show },
	{ "tasks", sp_tasks_prepare, sp_tasks_show, SP_VIEW_BOOKS },
	{ "functions", sp_functions_prepare, sp_functions_show },
	{ "events", sp_events_prepare, sp_events_show, SP_VIEW_EVENTS },
	{ "histogram", one_row, show_histogram },
	{ "stats", one_row, sp_report_stats },
	{ "raw", sp_raw_prepare, sp_raw_show, SP_VIEW_ALL },
};

const unsigned int sp_report_count = ARRAY_SIZE(sp_reports);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * report: the table of result files, and those that are short: histogram and
 * stats. Reads views only, without a lock; stats also asks which unwind tables are missing.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>

#include "report/report.h"
#include "unwind/tables.h"
#include "lib/readers.h"
#include "lib/text.h"
#include "record/ledger_snapshot.h"
#include "record/totals.h"

/* Of a path. It may have 4,095 bytes, and each frame has it again; raw has all of it, once. */
#define MAX_PATH_SHOWN	255

/* The name of a file is at its end. A character that is cut is left out. */
static void show_path(struct seq_buf *s, const char *path,
		      void (*print)(struct seq_buf *s, const char *name))
{
	size_t bytes = strlen(path);

	if (bytes > MAX_PATH_SHOWN) {
		sp_puts(s, "...");
		path += bytes - MAX_PATH_SHOWN;
		while ((*path & 0xc0) == 0x80)
			path++;
	}
	print(s, path);
}

/**
 * sp_report_user() - where a user frame is
 * @s: where to
 * @view: the view
 * @program: whose stack it is; 0: that is not known
 * @address: of the frame
 * @print: prints a name the way the file wants it
 */
void sp_report_user(struct seq_buf *s, const struct sp_view *view, u32 program, u64 address,
		    void (*print)(struct seq_buf *s, const char *name))
{
	struct sp_resolved at = { };

	if (!view->names ||
	    !sp_names_resolve(view->names, program, address, &at)) {
		seq_buf_printf(s, "[exited]+0x%llx", address);
		return;
	}
	if (at.kind == SP_MAPPING_FILE)
		show_path(s, at.path, print);
	else
		sp_puts(s, at.kind == SP_MAPPING_VDSO ? "[vdso]" : "[anon]");
	seq_buf_printf(s, "+0x%llx", at.offset);
}

/**
 * sp_report_symbol() - the name of a kernel frame, as it was at open
 * @s: where to
 * @view: the view
 * @address: of the frame
 * @print: prints what was not looked up then
 */
void sp_report_symbol(struct seq_buf *s, const struct sp_view *view,
		      unsigned long address,
		      void (*print)(struct seq_buf *s, unsigned long address))
{
	u32 bytes, number = view->names ? sp_names_number(view->names, address) : 0;
	const char *name;

	if (!number) {
		print(s, address);
		return;
	}
	name = sp_names_of(view->names, number, &bytes);
	sp_put(s, name, bytes);
}

/* A length of time for people, in the recording's own unit. */
void sp_report_time(struct seq_buf *s, const struct sp_view *view, u64 time)
{
	if (view->recording->config.clock == SP_CLOCK_TSC)
		seq_buf_printf(s, "%llu cycles", time);
	else
		sp_text_time(s, time);
}

/* The unit in the names of columns that hold sums. */
const char *sp_report_unit(const struct sp_view *view)
{
	return sp_clock_id_unit(view->recording ? view->recording->config.clock :
						SP_CLOCK_MONO);
}

/* Who woke a task, or ran while it waited: a name, or what is no task. */
void sp_report_waker(struct seq_buf *s, const struct sp_stack *stack,
		     void (*show)(struct seq_buf *s, const char *name))
{
	const char *name = sp_stack_waker(stack)->comm;

	if (stack->flags & SP_STACK_UNSEEN)
		show(s, "[not seen]");
	else if (stack->flags & SP_STACK_IRQ)
		show(s, "[interrupt]");
	else if (stack->flags & SP_STACK_SOFTIRQ)
		show(s, "[softirq]");
	/* No culprit's own name begins so, see culprit_stack(). */
	else if (stack->flags & SP_STACK_CULPRIT && *name == '[')
		show(s, name);
	else
		sp_text_name(s, name, show);
}

static int one_row(struct sp_view *view)
{
	view->rows = 1;
	return 0;
}

static void show_histogram(struct seq_buf *s, struct sp_view *view, u32 row)
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
	sp_puts(s, strcmp(sp_report_unit(view), "cycles") ? "low_us\thigh_us\tcount\n" :
		    "low_cycles\thigh_cycles\tcount\n");
	for (i = first; i <= last; i++) {
		seq_buf_printf(s, "%llu\t%llu\t%llu\t", sp_histogram_low(i),
			       sp_histogram_high(i), count[i]);
		sp_text_bar(s, count[i], most);
		sp_putc(s, '\n');
	}
}

/* What may become of an interval: all that struct sp_fates has. */
static const struct {
	const char *name;
	size_t offset;
} fate_lines[] = {
	{ "filtered", offsetof(struct sp_fates, filtered) },
	{ "below_min", offsetof(struct sp_fates, below_min) },
	{ "above_max", offsetof(struct sp_fates, above_max) },
	{ "lost_tasks", offsetof(struct sp_fates, lost_tasks) },
	{ "lost_stacks", offsetof(struct sp_fates, lost_stacks) },
	{ "lost_entries", offsetof(struct sp_fates, lost_entries) },
	{ "recorded", offsetof(struct sp_fates, recorded) },
};

static_assert(sizeof(struct sp_fates) == ARRAY_SIZE(fate_lines) * sizeof(u64));

static void show_fates(struct seq_buf *s, const struct sp_fates *fates, u64 intervals)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fate_lines); i++) {
		u64 count = *(const u64 *)((const char *)fates + fate_lines[i].offset);

		seq_buf_printf(s, "%s %llu\n", fate_lines[i].name, count);
		intervals -= count;
	}
	/* Each interval is in one of the above: this is 0, or there is a defect. */
	seq_buf_printf(s, "unaccounted %lld\n", (s64)intervals);
}

/* Of user stacks, as far as tables were there to tell. */
static const struct {
	const char *name;
	enum sp_stack_end end;
} end_lines[] = {
	{ "whole_stacks", SP_STACK_END_COMPLETE },
	{ "guessed_stacks", SP_STACK_END_GUESSED },
	{ "no_table_stacks", SP_STACK_END_TABLE },
	{ "no_rule_stacks", SP_STACK_END_RULE },
	{ "absent_stacks", SP_STACK_END_MEMORY },
};

static void show_ends(struct seq_buf *s, const struct sp_view *view)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(end_lines); i++)
		seq_buf_printf(s, "%s %u\n", end_lines[i].name,
			       view->ended_stacks[end_lines[i].end]);
}

/* Of struct sp_foreign_sums. */
#define OF_SUMS(member)	(offsetof(struct sp_foreign_sums, member) / sizeof(u64))
static const struct {
	const char *name;
	size_t word;
} foreign_lines[] = {
	{ "irq_ns", OF_SUMS(all[SP_FOREIGN_IRQ]) },
	{ "softirq_ns", OF_SUMS(all[SP_FOREIGN_SOFTIRQ]) },
	{ "stolen_ns", OF_SUMS(all[SP_FOREIGN_STOLEN]) },
	{ "idle_irq_ns", OF_SUMS(idle[SP_FOREIGN_IRQ]) },
	{ "idle_softirq_ns", OF_SUMS(idle[SP_FOREIGN_SOFTIRQ]) },
	{ "idle_stolen_ns", OF_SUMS(idle[SP_FOREIGN_STOLEN]) },
	{ "lost_irq_ns", OF_SUMS(lost[SP_FOREIGN_IRQ]) },
	{ "lost_softirq_ns", OF_SUMS(lost[SP_FOREIGN_SOFTIRQ]) },
	{ "lost_stolen_ns", OF_SUMS(lost[SP_FOREIGN_STOLEN]) },
};

/*
 * What tasks that are not wanted had, what came into a task after its books were closed and
 * before the end, and what the counters beside this one tell.
 */
static void show_unbooked(struct seq_buf *s, const struct sp_view *view)
{
	static const char *const names[SP_FOREIGNS] = { "irq", "softirq", "stolen" };
	const struct sp_foreign_sums *sums = &view->totals.foreign;
	u64 booked[SP_FOREIGNS] = { }, rest;
	unsigned int i;
	u32 task;

	for (task = 0; task < view->ledgers->count; task++) {
		for (i = 0; i < SP_FOREIGNS; i++)
			booked[i] += view->ledgers->list[task].ledger.foreign[i];
		sp_readers_yield();
	}
	for (i = 0; i < SP_FOREIGNS; i++) {
		rest = sp_clock_id_of_ns(view->recording->config.clock,
					 sums->all[i] - sums->idle[i]);
		seq_buf_printf(s, "unbooked_%s_%s %llu\n", names[i], sp_report_unit(view),
			       rest > booked[i] ? rest - booked[i] : 0);
	}
}

static void show_foreign(struct seq_buf *s, const struct sp_view *view)
{
	const u64 *sums = (const u64 *)&view->totals.foreign;
	struct sp_foreign_rest rest = view->totals.rest;
	unsigned int i;

	if (view->ledgers) {
		rest.excess += view->ledgers->rest.excess;
		rest.unsplit_ns += view->ledgers->rest.unsplit_ns;
	}

	for (i = 0; i < ARRAY_SIZE(foreign_lines); i++)
		seq_buf_printf(s, "%s %llu\n", foreign_lines[i].name,
			       sums[foreign_lines[i].word]);
	seq_buf_printf(s, "interrupts_excess_%s %llu\ninterrupts_unsplit_ns %llu\n",
		       sp_report_unit(view), rest.excess, rest.unsplit_ns);
	if (view->over && view->ledgers)
		show_unbooked(s, view);
}

/* What was counted, a line each; there is one row. */
void sp_report_stats(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_recording *recording = view->recording;
	const struct sp_totals *totals = &view->totals;
	u64 intervals = 0;

	if (recording)
		intervals = totals->counts.intervals[recording->mode->time];
	seq_buf_printf(s, "context_switches %llu\n", totals->counts.switches);
	seq_buf_printf(s, "wakeups %llu\n", totals->counts.wakeups);
	seq_buf_printf(s, "samples %llu\n", totals->counts.samples);
	seq_buf_printf(s, "pieces %llu\n", totals->pieces);
	seq_buf_printf(s, "lost_pieces %llu\n", totals->lost_pieces);
	seq_buf_printf(s, "intervals %llu\n", intervals);
	show_fates(s, &totals->fates, intervals);
	seq_buf_printf(s, "lost_events %llu\n",
		       totals->refused_events + totals->overwritten_events);
	seq_buf_printf(s, "unbooked %llu\n", totals->unbooked);
	seq_buf_printf(s, "lost_blame %llu\n", totals->lost_blame);
	seq_buf_printf(s, "lost_cgroups %u\n",
		       recording ? atomic_read(&recording->cgroups.missed) : 0);
	seq_buf_printf(s, "lost_%s %llu\n", sp_report_unit(view), view->lost_ns);
	seq_buf_printf(s, "open %u\n", view->open);
	seq_buf_printf(s, "truncated_stacks %u\n", view->cut_stacks);
	show_ends(s, view);
	seq_buf_printf(s, "cut_wakers %llu\n", totals->cut_wakers);
	seq_buf_printf(s, "missed_programs %u\n", view->missed_programs);
	seq_buf_printf(s, "lost_mappings %u\n", view->lost_mappings);
	seq_buf_printf(s, "functions %u\n", view->functions.functions);
	seq_buf_printf(s, "throttled_functions %u\n", view->functions.throttled);
	seq_buf_printf(s, "throttled_calls %llu\n", view->functions.throttled_calls);
	seq_buf_printf(s, "missed_calls %llu\n", view->functions.missed);
	seq_buf_printf(s, "unreturned_calls %llu\n", view->functions.dropped);
	seq_buf_printf(s, "idle_calls %llu\n", view->functions.idle);
	seq_buf_printf(s, "function_overhead_ns %llu\n", totals->call_ns);
	seq_buf_printf(s, "clock_steps %llu\n", totals->counts.clock_steps);
	if (recording && recording->config.interrupts)
		show_foreign(s, view);
	seq_buf_printf(s, "probe_misses %lu\n", view->misses);
	seq_buf_printf(s, "blind_ns %llu\n", totals->counts.blind_ns);
	seq_buf_printf(s, "tasks %u\n", view->tasks);
	seq_buf_printf(s, "stacks %u\n", view->stacks);
	seq_buf_printf(s, "entries %u\n", view->entries);
	seq_buf_printf(s, "memory_bytes %llu\n", recording ? recording->bytes : 0);
	seq_buf_printf(s, "enabled_ns %llu\n", totals->enabled_ns);
	seq_buf_printf(s, "overhead_ns %llu\n",
		       totals->counts.overhead_ns + totals->counts.look_ns);
}

/* And which files have no unwind table, on this host: programs ask unwind_missing. */
static void show_stats(struct seq_buf *s, struct sp_view *view, u32 row)
{
	sp_report_stats(s, view, row);
	sp_unwind_missing_show(s, "no_table.", ' ', false);
}

const struct sp_report sp_reports[] = {
	{ "top", sp_top_prepare, sp_top_show, SP_VIEW_RANKED, SP_FRAMES_SYMBOLS, true },
	{ "by_task", sp_by_task_prepare, sp_by_task_show, SP_VIEW_RANKED, SP_FRAMES_SYMBOLS,
	  true },
	{ "folded", sp_folded_prepare, sp_folded_show, .frames = SP_FRAMES_FUNCTIONS },
	{ "tasks", sp_tasks_prepare, sp_tasks_show, SP_VIEW_LEDGERS },
	{ "blame", sp_blame_prepare, sp_blame_show, SP_VIEW_LEDGERS },
	{ "functions", sp_functions_prepare, sp_functions_show },
	{ "events", sp_events_prepare, sp_events_show, SP_VIEW_EVENTS,
	  SP_FRAMES_FUNCTIONS, .reach = sp_events_bring },
	{ "histogram", one_row, show_histogram, SP_VIEW_COUNTS },
	{ "stats", one_row, show_stats, SP_VIEW_COUNTS, .keeps_first = true },
	{ "raw", sp_raw_prepare, sp_raw_show, SP_VIEW_ALL, .reach = sp_raw_reach },
};

const unsigned int sp_report_count = ARRAY_SIZE(sp_reports);

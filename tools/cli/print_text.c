// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_text: what people read: the head, and rows with their stacks. Reads reports
 * and has no state, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>

#include "names.h"
#include "print_text.h"
#include "say.h"
#include "words.h"

#define FRAME	4096

static const char *meta_or(const struct cli_report *report, const char *name,
			   const char *instead)
{
	const char *value = schedprof_meta(report->recording, name);

	return value ? value : instead;
}

/* Prints which tasks were looked at: the attributes that are not the default. */
static void print_filter(const struct cli_report *report, FILE *out)
{
	static const struct {
		const char *name, *any;
	} filters[] = {
		{ "config.pids", "all" },
		{ "config.tids", "all" },
		{ "config.inherit", "0" },
		{ "config.comm", "" },
		{ "config.uid", "-1" },
		{ "config.cgroup", "" },
		{ "config.tasks_kind", "all" },
		{ "config.state", "all" },
		{ "config.min_us", "0" },
		{ "config.max_us", "0" },
		{ "config.functions", "" },
	};
	const char *comma = ": ";
	char text[80];
	size_t i;

	for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		const char *value = meta_or(report, filters[i].name, "");

		if (!*value || !strcmp(value, filters[i].any))
			continue;
		fprintf(out, "%s%s ", comma, strchr(filters[i].name, '.') + 1);
		snprintf(text, sizeof(text), "%.60s%s", value,
			 strlen(value) > 60 ? "..." : "");
		cli_print_plain(out, text);
		comma = ", ";
	}
	if (*comma == ':')
		fputs(": all tasks", out);
}

static void print_title(const struct cli_report *report, FILE *out)
{
	static const char *const tasks[] = {
		[SCHEDPROF_BY_THREAD] = "thread",
		[SCHEDPROF_BY_PROCESS] = "process",
		[SCHEDPROF_BY_COMM] = "name",
		[SCHEDPROF_BY_CGROUP] = "control group",
	};
	static const struct {
		const char *mode, *title;
	} titles[] = {
		{ "offcpu", "off-CPU time" },
		{ "blocked", "time asleep" },
		{ "runqueue", "time waiting for a CPU" },
		{ "oncpu", "time on a CPU" },
		{ "wall", "wall time" },
		{ "nosched", "time in the kernel while others waited" },
		{ "function", "time in kernel functions" },
	};
	const char *mode = cli_mode(report->recording);
	const char *title = mode;
	const char *task = tasks[report->o->group];
	size_t i;

	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(titles[i].mode, mode))
			title = titles[i].title;
	fputs("# ", out);
	cli_print_plain(out, title);
	fputs(" by ", out);
	switch (report->o->by) {
	case CLI_BY_STACK:
		fputs("stack", out);
		break;
	case CLI_BY_FUNCTION:
		fputs("function", out);
		break;
	case CLI_BY_TASK:
		fputs(task, out);
		break;
	default:
		fprintf(out, "%s and stack", task);
	}
}

enum loss_kind {
	LOSS_COUNT,
	LOSS_NS,
	LOSS_OF_STACKS,		/* there is less to see in stacks, and as much to count */
};

/* What did not fit, and what would help. */
static const struct loss {
	const char *name;
	enum loss_kind kind;
	const char *text;
} losses[] = {
	{ "stats.lost_tasks", LOSS_COUNT,
	  "intervals without a row for their task: raise --max-tasks" },
	{ "stats.lost_stacks", LOSS_OF_STACKS,
	  "intervals without room for their stack: raise --max-stacks" },
	{ "stats.lost_entries", LOSS_COUNT,
	  "intervals without an entry: raise --max-entries" },
	{ "stats.lost_pieces", LOSS_COUNT,
	  "pieces of intervals without room: raise --max-stacks or --max-entries" },
	{ "stats.lost_events", LOSS_COUNT,
	  "events that are no longer there: raise --trace" },
	{ "stats.unbooked", LOSS_COUNT,
	  "switches of tasks without books: raise --max-tasks" },
	{ "stats.lost_blame", LOSS_COUNT,
	  "times that nobody could be blamed: raise --max-entries, --max-tasks or --max-stacks" },
	{ "stats.lost_cgroups", LOSS_COUNT,
	  "times that a control group has no name: there is room for 1024, of 1023 bytes each" },
	{ "stats.blind_ns", LOSS_NS,
	  "in which nothing was seen, as somebody silenced the hooks: hook = tracepoint helps" },
	{ "stats.cut_wakers", LOSS_OF_STACKS,
	  "wakeups without the waker's program: raise --max-stacks or --max-entries" },
	{ "stats.probe_misses", LOSS_COUNT,
	  "probe misses: hook = tracepoint has none" },
	{ "stats.missed_calls", LOSS_COUNT,
	  "calls that were not timed" },
	{ "stats.throttled_functions", LOSS_COUNT,
	  "functions were called too often and switched off" },
	{ "stats.missed_programs", LOSS_OF_STACKS,
	  "times that a program had ended before it was looked at: frames say [exited]" },
	{ "stats.lost_mappings", LOSS_OF_STACKS,
	  "mappings or programs without room, frames say [exited]: raise --max-tasks" },
};

#define LOSSES	(sizeof(losses) / sizeof(losses[0]))

/* Return: how much that is, in words; NULL: nothing. */
static const char *loss_word(const struct cli_report *report, const struct loss *loss,
			     char word[CLI_WORD])
{
	uint64_t value = cli_meta(report->recording, loss->name);

	if (!value)
		return NULL;
	if (loss->kind == LOSS_NS)
		return cli_time(word, value);
	snprintf(word, CLI_WORD, "%" PRIu64, value);
	return word;
}

static void print_losses(const struct cli_report *report, FILE *out)
{
	const struct loss *loss;
	char word[CLI_WORD];

	for (loss = losses; loss < losses + LOSSES; loss++)
		if (loss_word(report, loss, word))
			fprintf(out, "# %s%s %s%s\n", cli_color(CLI_RED), word, loss->text,
				cli_color(CLI_PLAIN));
}

/**
 * cli_note_losses() - what did not fit into a table, which has no head
 * @report: the report
 */
void cli_note_losses(const struct cli_report *report)
{
	const struct loss *loss;
	char word[CLI_WORD];

	if (report->o->quiet)
		return;
	for (loss = losses; loss < losses + LOSSES; loss++)
		if (loss->kind != LOSS_OF_STACKS && loss_word(report, loss, word))
			cli_note("%s %s", word, loss->text);
}

static void print_hidden(const struct cli_report *report, FILE *out)
{
	char time[CLI_WORD], share[CLI_WORD];

	if (report->hidden_count)
		fprintf(out, "# waiting for work, left out: %s (%s), count %" PRIu64 "; --idle shows where\n",
			cli_length(time, report->hidden, report->cycles),
			cli_share(share, report->hidden, report->total),
			report->hidden_count);
}

/**
 * cli_print_facts() - what was recorded, how, and what was lost
 * @report: the report
 * @out: where to
 */
void cli_print_facts(const struct cli_report *report, FILE *out)
{
	const struct schedprof_recording *recording = report->recording;
	char word[CLI_WORD], all[CLI_WORD], lost[CLI_WORD];
	uint64_t open = cli_meta(recording, "stats.open");

	print_title(report, out);
	print_filter(report, out);
	fputs("\n# mode ", out);
	cli_print_plain(out, cli_mode(report->recording));
	fputs(", hook ", out);
	cli_print_plain(out, meta_or(report, "hook", "?"));
	fputs(", clock ", out);
	cli_print_plain(out, meta_or(report, "clock", "?"));
	fprintf(out, ", %s recorded, %" PRIu64 " %s",
		cli_time(word, cli_meta(recording, "stats.enabled_ns")),
		cli_meta(recording, "stats.recorded"),
		report->functions ? "calls" : "intervals");
	if (open)
		fprintf(out, " and %" PRIu64 " open ones", open);
	fprintf(out, ", %s in all\n",
		cli_length(all, report->total, report->cycles));
	fprintf(out, "# lost %s of the time\n",
		cli_share(lost, cli_meta(recording, report->cycles ?
					 "stats.lost_cycles" : "stats.lost_ns"),
			  report->total));
	print_losses(report, out);
}

/**
 * cli_print_head() - the facts, and what is in no row
 * @report: the report
 * @out: where to
 */
void cli_print_head(const struct cli_report *report, FILE *out)
{
	cli_print_facts(report, out);
	print_hidden(report, out);
}

static void print_row_owner(const struct cli_report *report, const struct cli_row *row,
			    FILE *out)
{
	const struct schedprof_task *task = &row->task;
	char name[CLI_NAME];

	if (row->key) {
		if (report->o->by == CLI_BY_FUNCTION)
			cli_print_plain(out, row->key);
		else
			fprintf(out, "%" PRIu32 " %s", row->entries,
				row->entries == 1 ? "task" : "tasks and programs");
		return;
	}
	cli_print_plain(out, cli_row_name(task, report->o->group, name));
	if (task->tgid > 0)
		fprintf(out, "  pid %d", task->tgid);
	if (task->tid > 0 && report->o->group == SCHEDPROF_BY_THREAD)
		fprintf(out, "  tid %d", task->tid);
}

static void print_figures(const struct cli_report *report,
			  const struct cli_row *row, FILE *out)
{
	char total[CLI_WORD], share[CLI_WORD], mean[CLI_WORD], max[CLI_WORD];
	uint64_t begin = cli_meta(report->recording, "begin_ns");
	bool cycles = report->cycles;

	fprintf(out, "    %s%s%s (%s)  count %" PRIu64 "  average %s  maximum %s",
		cli_color(CLI_BOLD), cli_length(total, row->total, cycles),
		cli_color(CLI_PLAIN),
		cli_share(share, row->total, report->total - report->hidden),
		row->count, cli_length(mean, row->count ? row->total / row->count : 0,
				       cycles),
		cli_length(max, row->max, cycles));
	if (report->functions)
		fprintf(out, "  inclusive %s",
			cli_length(max, row->inclusive, cycles));
	else if (row->max && begin)
		fprintf(out, " (at %s on CPU %" PRIu32 ")",
			cli_length(max, row->max_at - (begin < row->max_at ? begin : 0),
				   cycles), row->max_cpu);
	fputc('\n', out);
}

static void print_frames(const struct cli_report *report,
			 const struct schedprof_task *task,
			 const struct schedprof_stack *stack, FILE *out)
{
	struct schedprof_frame frame;
	const char *remark;
	char text[FRAME];
	size_t i;

	for (i = 0; (remark = schedprof_stack_remark(stack, i)); i++)
		fprintf(out, "        %s%s%s\n", cli_color(CLI_DIM), remark,
			cli_color(CLI_PLAIN));
	for (i = 0; schedprof_frame(report->recording, task, stack, i, &report->names, &frame,
				    sizeof(frame)); i++) {
		schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_PLAIN, text,
				     sizeof(text));
		fprintf(out, "        %s\n", text);
	}
}

/* Who woke a task, from where in the kernel, and in the program that called it. */
static void print_waker(const struct cli_report *report,
			const struct schedprof_entry *entry, FILE *out)
{
	const struct schedprof_stack *waker = entry->waker;
	char name[CLI_NAME];

	/* Or who ran while it waited for a CPU. */
	fputs(waker->flags & SCHEDPROF_STACK_RUNNING ? "        -- because of " :
						       "        -- woken by ", out);
	cli_print_plain(out, cli_waker_name(waker, name));
	fputc('\n', out);
	print_frames(report, entry->task, waker, out);
	if (!waker->user)
		return;
	fputs("        --\n", out);
	print_frames(report, waker->program, waker->user, out);
}

static void print_stacks(const struct cli_report *report,
			 const struct cli_row *row, FILE *out)
{
	const struct schedprof_entry *entry = row->entry;

	if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK)
		fprintf(out, "        %s[lost stack]%s\n", cli_color(CLI_RED),
			cli_color(CLI_PLAIN));
	if (entry->kernel)
		print_frames(report, entry->task, entry->kernel, out);
	if (entry->user) {
		fputs("        --\n", out);
		print_frames(report, entry->task, entry->user, out);
	}
	if (entry->waker)
		print_waker(report, entry, out);
}

static void print_row(const struct cli_report *report, size_t index, FILE *out)
{
	const struct cli_row *row = &report->rows[index];
	char total[CLI_WORD], share[CLI_WORD];

	fprintf(out, "\n%zu. %s", index + 1, cli_color(CLI_BOLD));
	print_row_owner(report, row, out);
	fprintf(out, "%s%s%s\n", cli_color(CLI_PLAIN), row->open ? "  (open)" : "",
		row->idle && row->idle == row->total ? "  [waiting for work]" : "");
	print_figures(report, row, out);
	if (row->idle && row->idle < row->total)
		fprintf(out, "    waiting for work: %s (%s of it)\n",
			cli_length(total, row->idle, report->cycles),
			cli_share(share, row->idle, row->total));
	if (report->o->by == CLI_BY_FUNCTION)
		return;
	if (report->o->by == CLI_BY_TASK && row->entries > 1)
		fprintf(out,
			"    costliest of %" PRIu32 " stacks: %s (%s of the task's)\n",
			row->entries,
			cli_length(total, row->costliest, report->cycles),
			cli_share(share, row->costliest, row->total));
	print_stacks(report, row, out);
}

/**
 * cli_print_rows() - rows and their stacks, and how many more rows there are
 * @report: the report
 * @count: of the rows, from the first one on
 * @out: where to
 */
void cli_print_rows(const struct cli_report *report, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++)
		print_row(report, i, out);
	if (count < report->count)
		fprintf(out, "\n# %zu more rows; --top %zu prints them all\n",
			report->count - count, report->count);
}

/**
 * cli_print_text() - head and rows
 * @report: the report
 * @out: where to
 */
void cli_print_text(const struct cli_report *report, FILE *out)
{
	cli_print_head(report, out);
	cli_print_rows(report, cli_report_limit(report), out);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_json: all that a snapshot has, as one JSON object, which
 * doc/json-schema/report.json describes. Reads reports and has no state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blamed.h"
#include "events.h"
#include "json.h"
#include "names.h"
#include "print_json.h"
#include "words.h"
#include "working.h"

#define FRAME	4096

/* Names are text, also if they have nothing but digits. */
static bool is_number(const char *section, const char *name)
{
	size_t length = strlen(name);

	if (!strcmp(section, "stats.") || !strcmp(name, "merged"))
		return true;
	return !*section && length > 3 && !strcmp(name + length - 3, "_ns");
}

/* In the recording, this one is by the session's clock whatever it is called. */
static const char *name_of(const struct cli_report *report, const char *name)
{
	return report->cycles && !strcmp(name, "begin_ns") ? "begin_cycles" : name;
}

/* Statistics and attributes have sections of their own. */
static void print_json_meta(const struct cli_report *report, struct cli_json *top,
			    const char *section, const char *prefix)
{
	struct cli_json list = cli_json_open(top, section, '{');
	const char *name, *value;
	size_t i, n = strlen(prefix);
	uint64_t figure;
	bool negative;

	for (i = 0; schedprof_meta_at(report->recording, i, &name, &value); i++) {
		if (n ? strncmp(name, prefix, n) != 0 :
			!strncmp(name, "stats.", 6) || !strncmp(name, "config.", 7))
			continue;
		cli_json_key(&list, "\n    ", name_of(report, name) + n);
		/* Nothing is less than 0 unless the module has a defect. */
		negative = *value == '-';
		if (is_number(prefix, name) &&
		    cli_parse_number(value + negative, 0, UINT64_MAX, &figure))
			fprintf(list.out, "%s%" PRIu64, negative ? "-" : "", figure);
		else
			cli_print_quoted(list.out, value);
	}
	cli_json_close(&list, '}');
}

/* Why there is no name; NULL: there is one, or none was looked for. */
static const char *missing_word(int missing)
{
	switch (missing) {
	case SCHEDPROF_MISSING_FILE:
		return "file";
	case SCHEDPROF_MISSING_OTHER_FILE:
		return "other file";
	case SCHEDPROF_MISSING_IDENTITY:
		return "identity";
	case SCHEDPROF_MISSING_SYMBOLS:
		return "symbols";
	case SCHEDPROF_MISSING_TOO_LARGE:
		return "too large";
	default:
		return NULL;
	}
}

static void print_json_frame(const struct schedprof_frame *frame, FILE *out)
{
	struct cli_json list = { .out = out };
	char whole[FRAME];

	schedprof_frame_text(frame, sizeof(*frame), SCHEDPROF_PLAIN, whole,
			     sizeof(whole));
	fputc('{', out);
	cli_json_text(&list, "text", whole);
	if (frame->function) {
		cli_json_text(&list, "function", frame->function);
		cli_json_number(&list, "offset_bytes", frame->offset);
	}
	if (frame->module)
		cli_json_text(&list, "module", frame->module);
	if (frame->path) {
		cli_json_text(&list, "path", frame->path);
		cli_json_number(&list, "file_offset_bytes", frame->file_offset);
		if (frame->build_id)
			cli_json_text(&list, "build_id", frame->build_id);
	}
	if (missing_word(frame->missing))
		cli_json_text(&list, "missing", missing_word(frame->missing));
	if (frame->source) {
		cli_json_text(&list, "source", frame->source);
		cli_json_number(&list, "line", frame->line);
	}
	fputs(" }", out);
}

/* The members of a stack, without the end of the object. */
static void print_json_frames(const struct cli_report *report, struct cli_json *entry,
			      const struct schedprof_task *task,
			      const struct schedprof_stack *stack)
{
	struct cli_json list = { .out = entry->out };
	struct schedprof_frame frame;
	char name[CLI_NAME];
	const char *remark;
	size_t i;

	fputs("{ \"frames\": [", list.out);
	for (i = 0; schedprof_frame(report->recording, task, stack, i, &report->names,
				    &frame, sizeof(frame)); i++) {
		cli_json_next(&list, "\n        ");
		print_json_frame(&frame, list.out);
	}
	fputs("]", list.out);
	list.more = true;
	if (stack->flags & SCHEDPROF_STACK_WAKER)
		cli_json_text(&list, "name", cli_waker_name(stack, name));
	cli_json_key(&list, " ", "remarks");
	fputc('[', list.out);
	list.more = false;
	for (i = 0; (remark = schedprof_stack_remark(stack, i)); i++) {
		cli_json_next(&list, " ");
		cli_print_quoted(list.out, remark);
	}
	fputc(']', list.out);
}

static void print_json_stack(const struct cli_report *report, struct cli_json *entry,
			     const char *name, const struct schedprof_task *task,
			     const struct schedprof_stack *stack)
{
	struct cli_json list = { .out = entry->out, .more = true };

	if (!stack)
		return;
	cli_json_key(entry, "\n      ", name);
	print_json_frames(report, &list, task, stack);
	if (stack->user) {
		cli_json_key(&list, "\n        ", "user");
		print_json_frames(report, &list, stack->program, stack->user);
		fputs(" }", list.out);
	}
	fputs(" }", list.out);
}

static void print_json_task(struct cli_json *entry, const struct schedprof_task *task)
{
	struct cli_json list = { .out = entry->out };
	char name[CLI_NAME];

	cli_json_key(entry, "\n      ", "task");
	fputc('{', list.out);
	/* A number tells that it is no word of ours. */
	cli_json_text(&list, "comm", task->tid > 0 ? task->comm :
		      cli_row_name(task, SCHEDPROF_BY_COMM, name));
	cli_json_number(&list, "tid", task->tid > 0 ? (uint64_t)task->tid : 0);
	cli_json_number(&list, "pid", task->tgid > 0 ? (uint64_t)task->tgid : 0);
	if (task->cgroup)
		cli_json_text(&list, "cgroup", task->cgroup);
	cli_json_number(&list, "start_ns", task->start_ns);
	cli_json_truth(&list, "exited", task->flags & SCHEDPROF_TASK_EXITED);
	fputs(" }", list.out);
}

static void print_json_entry(const struct cli_report *report, const struct cli_row *row,
			     FILE *out)
{
	const struct schedprof_entry *entry = row->entry;
	struct cli_json list = { .out = out, .cycles = report->cycles };

	fputc('{', out);
	cli_json_time(&list, "total", row->total);
	cli_json_number(&list, "count", row->count);
	cli_json_time(&list, "max", row->max);
	cli_json_time(&list, "max_at", row->max_at);
	cli_json_number(&list, "max_cpu", row->max_cpu);
	if (report->functions)
		cli_json_time(&list, "inclusive", row->inclusive);
	cli_json_truth(&list, "open", row->open);
	cli_json_time(&list, "waiting_for_work", row->idle);
	if (row->key)
		cli_json_text(&list, report->o->by == CLI_BY_STACK ? "stack" : "function",
			      row->key);
	else
		print_json_task(&list, &row->task);
	if (report->o->by == CLI_BY_ENTRY || report->o->by == CLI_BY_STACK) {
		if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK)
			cli_json_truth(&list, "lost_stack", true);
		print_json_stack(report, &list, "kernel", entry->task, entry->kernel);
		print_json_stack(report, &list, "user", entry->task, entry->user);
		if (entry->waker && entry->waker->flags & SCHEDPROF_STACK_RUNNING)
			cli_json_text(&list, "because_of", schedprof_waker_name(entry->waker));
		else
			print_json_stack(report, &list, "waker", entry->task, entry->waker);
	}
	fputs(" }", out);
}

static void print_json_entries(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "entries", '[');
	size_t i, n = cli_report_limit(report);

	for (i = 0; i < n; i++) {
		cli_working(report->o, "naming frames of rows", i, n);
		cli_json_next(&list, "\n    ");
		print_json_entry(report, &report->rows[i], list.out);
	}
	cli_working(report->o, "naming frames of rows", n, n);
	cli_json_close(&list, ']');
}

static void print_json_ledger(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "tasks", '[');
	const struct schedprof_ledger *ledger;
	size_t i;

	for (i = 0; (ledger = schedprof_ledger_at(report->recording, i)); i++) {
		struct cli_json row = { .out = list.out, .cycles = list.cycles };
		const struct schedprof_task task = cli_ledger_task(ledger);
		char name[CLI_NAME];

		cli_json_next(&list, "\n    {");
		cli_json_text(&row, "comm", ledger->tid ? ledger->comm :
			      cli_row_name(&task, SCHEDPROF_BY_COMM, name));
		cli_json_number(&row, "tid", (uint64_t)ledger->tid);
		cli_json_number(&row, "pid", (uint64_t)ledger->tgid);
		cli_json_time(&row, "oncpu", ledger->oncpu);
		cli_json_time(&row, "runqueue", ledger->runqueue);
		cli_json_time(&row, "sleep", ledger->sleep);
		cli_json_time(&row, "disk", ledger->disk);
		if (cli_splits_interrupts(report->recording)) {
			cli_json_time(&row, "irq", ledger->irq);
			cli_json_time(&row, "softirq", ledger->softirq);
			cli_json_time(&row, "stolen", ledger->stolen);
		}
		cli_json_number(&row, "switches_vol", ledger->switches_vol);
		cli_json_number(&row, "switches_invol", ledger->switches_invol);
		cli_json_number(&row, "wakeups", ledger->wakeups);
		cli_json_number(&row, "migrations", ledger->migrations);
		fputs(" }", list.out);
	}
	cli_json_close(&list, ']');
}

static void print_json_blamed(struct cli_json *list, const struct schedprof_blame *blame)
{
	struct cli_json row = { .out = list->out, .cycles = list->cycles };
	char name[CLI_NAME];

	cli_json_next(list, "\n    {");
	cli_json_text(&row, "comm", blame->group && !blame->tid ?
		      cli_chosen(blame->comm, name) : blame->comm);
	cli_json_number(&row, "tid", (uint64_t)blame->tid);
	cli_json_number(&row, "pid", (uint64_t)blame->tgid);
	if (blame->cgroup)
		cli_json_text(&row, "cgroup", blame->cgroup);
	cli_json_text(&row, "culprit", blame->culprit_comm);
	if (blame->culprit == SCHEDPROF_CULPRIT_TASK) {
		cli_json_number(&row, "culprit_tid", (uint64_t)blame->culprit_tid);
		cli_json_number(&row, "culprit_pid", (uint64_t)blame->culprit_tgid);
		if (blame->culprit_cgroup)
			cli_json_text(&row, "culprit_cgroup", blame->culprit_cgroup);
	}
	cli_json_truth(&row, "self", blame->self);
	cli_json_time(&row, "total", blame->total);
	cli_json_number(&row, "count", blame->count);
	cli_json_time(&row, "longest", blame->longest);
	fputs(" }", list->out);
}

/* What a row of a group has: no name and number but its own. @names is room for the former. */
static struct schedprof_blame blame_of(const struct cli_blamed *row, int by,
				       char names[2][CLI_NAME])
{
	const struct cli_party *waiter = &row->waiter, *culprit = &row->culprit;
	bool paths = by == SCHEDPROF_BY_CGROUP;

	return (struct schedprof_blame) {
		.comm = cli_party_as_is(waiter, names[0]),
		.tid = waiter->tid, .tgid = waiter->tid,
		.cgroup = paths && !waiter->word ? waiter->name : NULL,
		.culprit = culprit->mark ? SCHEDPROF_CULPRIT_LOST : SCHEDPROF_CULPRIT_TASK,
		.culprit_comm = cli_party_as_is(culprit, names[1]),
		.culprit_tid = culprit->tid, .culprit_tgid = culprit->tid,
		.culprit_cgroup = paths && !culprit->word ? culprit->name : NULL,
		.self = row->self,
		.total = row->total, .count = row->count, .longest = row->longest,
	};
}

/* Return: CLI_OK, or CLI_FAILED after saying why. */
static int print_json_groups(const struct cli_report *report, struct cli_json *list)
{
	int by = report->o->group;
	char names[2][CLI_NAME];
	struct cli_blamed *rows;
	size_t i, n;

	rows = cli_blamed_rows(report->recording, by, &n);
	if (!rows)
		return CLI_FAILED;
	for (i = 0; i < n; i++) {
		const struct schedprof_blame row = blame_of(&rows[i], by, names);

		print_json_blamed(list, &row);
	}
	free(rows);
	return CLI_OK;
}

static int print_json_blame(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "blame", '[');
	const struct schedprof_blame *blame;
	int err = CLI_OK;
	size_t i;

	if (report->o->group != SCHEDPROF_BY_THREAD)
		err = print_json_groups(report, &list);
	else
		for (i = 0; (blame = schedprof_blame_at(report->recording, i)); i++)
			print_json_blamed(&list, blame);
	cli_json_close(&list, ']');
	return err;
}

static void print_json_histogram(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "histogram", '[');
	const struct schedprof_histogram *row;
	size_t i;

	for (i = 0; (row = schedprof_histogram_at(report->recording, i)); i++) {
		struct cli_json members = { .out = list.out };

		cli_json_next(&list, "\n    {");
		cli_json_number(&members, list.cycles ? "low_cycles" : "low_us", row->low);
		cli_json_number(&members, list.cycles ? "high_cycles" : "high_us", row->high);
		cli_json_number(&members, "count", row->count);
		fputs(" }", list.out);
	}
	cli_json_close(&list, ']');
}

static void print_json_functions(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "functions", '[');
	const struct schedprof_function *function;
	size_t i;

	for (i = 0; (function = schedprof_function_at(report->recording, i)); i++) {
		struct cli_json row = { .out = list.out };

		cli_json_next(&list, "\n    {");
		cli_json_text(&row, "name", function->name);
		cli_json_number(&row, "calls", function->calls);
		cli_json_number(&row, "missed", function->missed);
		cli_json_truth(&row, "throttled",
			       function->flags & SCHEDPROF_FUNCTION_THROTTLED);
		fputs(" }", list.out);
	}
	cli_json_close(&list, ']');
}

static void print_json_event(const struct cli_report *report, struct cli_json *list,
			     const struct schedprof_event *event)
{
	const char *function = cli_event_function(report, event);
	char *stack = cli_event_stack(report, event);
	struct cli_json row = { .out = list->out, .cycles = list->cycles };

	cli_json_next(list, "\n    {");
	cli_json_time(&row, "at", event->at);
	cli_json_time(&row, "length", event->length);
	cli_json_number(&row, "cpu", event->cpu);
	cli_json_text(&row, "comm", event->comm);
	cli_json_number(&row, "tid", (uint64_t)event->tid);
	cli_json_number(&row, "pid", (uint64_t)event->tgid);
	cli_json_truth(&row, "irqs_off", event->flags & SCHEDPROF_EVENT_IRQS_OFF);
	if (function) {
		cli_json_text(&row, "function", function);
		cli_json_number(&row, "depth", event->depth);
	}
	cli_json_text(&row, "stack", stack ? stack : "");
	fputs(" }", list->out);
	free(stack);
}

static void print_json_events(const struct cli_report *report, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "events", '[');
	const struct schedprof_event *event;
	size_t i;

	for (i = 0; (event = schedprof_event_at(report->recording, i)); i++)
		print_json_event(report, &list, event);
	cli_json_close(&list, ']');
}

static void print_json_ran(const struct cli_ran *ran, struct cli_json *top)
{
	struct cli_json list = cli_json_open(top, "run", '{');
	struct cli_json words = { .out = list.out };
	size_t i;

	cli_json_key(&list, " ", "command");
	fputc('[', list.out);
	for (i = 0; ran->program[i]; i++) {
		cli_json_next(&words, " ");
		cli_print_quoted(list.out, ran->program[i]);
	}
	fputs(" ]", list.out);
	if (!ran->running)
		cli_json_number(&list, "status", (uint64_t)ran->status);
	cli_json_number(&list, "wall_ns", ran->wall_ns);
	fputs(" }", list.out);
}

/**
 * cli_print_json() - one object
 * @report: the report
 * @ran: the program that it is about, or NULL
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_print_json(const struct cli_report *report, const struct cli_ran *ran, FILE *out)
{
	struct cli_json top = { .out = out, .cycles = report->cycles };
	int err;

	fputc('{', out);
	cli_json_key(&top, "\n  ", "schedprof_report");
	fputc('2', out);
	cli_json_key(&top, "\n  ", "unit");
	cli_print_quoted(out, schedprof_unit(report->recording));
	if (ran)
		print_json_ran(ran, &top);
	print_json_meta(report, &top, "meta", "");
	print_json_meta(report, &top, "config", "config.");
	print_json_meta(report, &top, "stats", "stats.");
	print_json_entries(report, &top);
	print_json_ledger(report, &top);
	err = print_json_blame(report, &top);
	print_json_histogram(report, &top);
	print_json_functions(report, &top);
	print_json_events(report, &top);
	fputs("\n}\n", out);
	return err;
}

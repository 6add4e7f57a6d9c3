// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_json: all that a snapshot has, as one JSON object; schedprof(1) describes
 * it. Written as it goes, since no value is needed twice. Reads reports only; no
 * locks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "names.h"
#include "print_json.h"
#include "words.h"

#define FRAME	4096

/* Writes the comma that goes before all members but the first. */
struct list {
	FILE *out;
	bool more;
};

static void next(struct list *list, const char *indent)
{
	fprintf(list->out, "%s%s", list->more ? "," : "", indent);
	list->more = true;
}

static void key(struct list *list, const char *indent, const char *name)
{
	next(list, indent);
	cli_print_quoted(list->out, name);
	fputs(": ", list->out);
}

static void text(struct list *list, const char *name, const char *value)
{
	key(list, " ", name);
	cli_print_quoted(list->out, value);
}

static void number(struct list *list, const char *name, uint64_t value)
{
	key(list, " ", name);
	fprintf(list->out, "%" PRIu64, value);
}

/* Lists and sections, each on lines of its own. */
static struct list open_list(struct list *top, const char *name, char bracket)
{
	key(top, "\n  ", name);
	fputc(bracket, top->out);
	return (struct list){ top->out, false };
}

static void close_list(struct list *list, char bracket)
{
	fprintf(list->out, "%s%c", list->more ? "\n  " : "", bracket);
}

/* Names are text, also those that somebody has made of digits only. */
static bool is_number(const char *section, const char *name)
{
	size_t length = strlen(name);

	if (!strcmp(section, "stats.") || !strcmp(name, "merged"))
		return true;
	return !*section && length > 3 && !strcmp(name + length - 3, "_ns");
}

/* Statistics and attributes have sections of their own. */
static void print_meta(const struct cli_report *report, struct list *top,
		       const char *section, const char *prefix)
{
	struct list list = open_list(top, section, '{');
	const char *name, *value;
	size_t i, n = strlen(prefix);
	uint64_t figure;

	for (i = 0; schedprof_meta_at(report->recording, i, &name, &value); i++) {
		if (n ? strncmp(name, prefix, n) != 0 :
			!strncmp(name, "stats.", 6) || !strncmp(name, "config.", 7))
			continue;
		key(&list, "\n    ", name + n);
		if (is_number(prefix, name) &&
		    cli_parse_number(value, 0, UINT64_MAX, &figure))
			fprintf(list.out, "%" PRIu64, figure);
		else
			cli_print_quoted(list.out, value);
	}
	close_list(&list, '}');
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
	default:
		return NULL;
	}
}

static void print_frame(const struct schedprof_frame *frame, FILE *out)
{
	struct list list = { out, false };
	char whole[FRAME];

	schedprof_frame_text(frame, sizeof(*frame), SCHEDPROF_PLAIN, whole,
			     sizeof(whole));
	fputc('{', out);
	text(&list, "text", whole);
	if (frame->function) {
		text(&list, "function", frame->function);
		number(&list, "offset", frame->offset);
	}
	if (frame->module)
		text(&list, "module", frame->module);
	if (frame->path) {
		text(&list, "path", frame->path);
		number(&list, "file_offset", frame->file_offset);
		if (frame->build_id)
			text(&list, "build_id", frame->build_id);
		if (missing_word(frame->missing))
			text(&list, "missing", missing_word(frame->missing));
	}
	if (frame->source) {
		text(&list, "source", frame->source);
		number(&list, "line", frame->line);
	}
	fputs(" }", out);
}

static void print_stack(const struct cli_report *report, struct list *entry,
			const char *name, const struct schedprof_task *task,
			const struct schedprof_stack *stack)
{
	struct list list = { entry->out, false };
	struct schedprof_frame frame;
	const char *remark;
	size_t i;

	if (!stack)
		return;
	key(entry, "\n      ", name);
	fputs("{ \"frames\": [", list.out);
	for (i = 0; schedprof_frame(report->shown, task, stack, i, &report->names,
				    &frame, sizeof(frame)); i++) {
		next(&list, "\n        ");
		print_frame(&frame, list.out);
	}
	fputs("]", list.out);
	list.more = true;
	if (stack->flags & SCHEDPROF_STACK_WAKER)
		text(&list, "name", schedprof_waker_name(stack));
	key(&list, " ", "remarks");
	fputc('[', list.out);
	list.more = false;
	for (i = 0; (remark = schedprof_stack_remark(stack, i)); i++) {
		next(&list, " ");
		cli_print_quoted(list.out, remark);
	}
	fputs("] }", list.out);
}

static void print_task(struct list *entry, const struct schedprof_task *task)
{
	struct list list = { entry->out, false };

	key(entry, "\n      ", "task");
	fputc('{', list.out);
	text(&list, "comm", task->comm);
	number(&list, "tid", task->tid > 0 ? (uint64_t)task->tid : 0);
	number(&list, "pid", task->tgid > 0 ? (uint64_t)task->tgid : 0);
	number(&list, "start_ns", task->start_ns);
	key(&list, " ", "exited");
	fputs(task->flags & SCHEDPROF_TASK_EXITED ? "true }" : "false }", list.out);
}

static void print_entry(const struct cli_report *report, const struct cli_row *row,
			FILE *out)
{
	const struct schedprof_entry *entry = row->entry;
	struct list list = { out, false };

	fputc('{', out);
	number(&list, "total", row->total);
	number(&list, "count", row->count);
	number(&list, "max", row->max);
	number(&list, "max_at", row->max_at);
	number(&list, "max_cpu", row->max_cpu);
	if (report->functions)
		number(&list, "inclusive", row->inclusive);
	key(&list, " ", "open");
	fputs(row->open ? "true" : "false", out);
	if (row->key)
		text(&list, report->o->by == CLI_BY_STACK ? "stack" : "function",
		     row->key);
	else
		print_task(&list, entry->task);
	if (report->o->by == CLI_BY_ENTRY || report->o->by == CLI_BY_STACK) {
		if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK) {
			key(&list, " ", "lost_stack");
			fputs("true", out);
		}
		print_stack(report, &list, "kernel", entry->task, entry->kernel);
		print_stack(report, &list, "user", entry->task, entry->user);
		print_stack(report, &list, "waker", entry->task, entry->waker);
	}
	fputs(" }", out);
}

static void print_entries(const struct cli_report *report, struct list *top)
{
	struct list list = open_list(top, "entries", '[');
	size_t i, n = cli_report_limit(report);

	for (i = 0; i < n; i++) {
		next(&list, "\n    ");
		print_entry(report, &report->rows[i], list.out);
	}
	close_list(&list, ']');
}

static void print_ledger(const struct cli_report *report, struct list *top)
{
	struct list list = open_list(top, "tasks", '[');
	const struct schedprof_ledger *ledger;
	size_t i;

	for (i = 0; (ledger = schedprof_ledger_at(report->recording, i)); i++) {
		struct list row = { list.out, false };

		next(&list, "\n    {");
		text(&row, "comm", ledger->comm);
		number(&row, "tid", (uint64_t)ledger->tid);
		number(&row, "pid", (uint64_t)ledger->tgid);
		number(&row, "oncpu", ledger->oncpu);
		number(&row, "runqueue", ledger->runqueue);
		number(&row, "sleep", ledger->sleep);
		number(&row, "disk", ledger->disk);
		number(&row, "switches_vol", ledger->switches_vol);
		number(&row, "switches_invol", ledger->switches_invol);
		number(&row, "wakeups", ledger->wakeups);
		number(&row, "migrations", ledger->migrations);
		fputs(" }", list.out);
	}
	close_list(&list, ']');
}

static void print_histogram(const struct cli_report *report, struct list *top)
{
	struct list list = open_list(top, "histogram", '[');
	const struct schedprof_histogram *row;
	size_t i;

	for (i = 0; (row = schedprof_histogram_at(report->recording, i)); i++) {
		struct list members = { list.out, false };

		next(&list, "\n    {");
		number(&members, "low", row->low);
		number(&members, "high", row->high);
		number(&members, "count", row->count);
		fputs(" }", list.out);
	}
	close_list(&list, ']');
}

static void print_functions(const struct cli_report *report, struct list *top)
{
	struct list list = open_list(top, "functions", '[');
	const struct schedprof_function *function;
	size_t i;

	for (i = 0; (function = schedprof_function_at(report->recording, i)); i++) {
		struct list row = { list.out, false };

		next(&list, "\n    {");
		text(&row, "name", function->name);
		number(&row, "calls", function->calls);
		number(&row, "missed", function->missed);
		key(&row, " ", "throttled");
		fputs(function->flags & SCHEDPROF_FUNCTION_THROTTLED ?
		      "true }" : "false }", list.out);
	}
	close_list(&list, ']');
}

static void print_event(const struct cli_report *report, struct list *list,
			const struct schedprof_event *event)
{
	const char *function = cli_event_function(report, event);
	char *stack = cli_event_stack(report, event);
	struct list row = { list->out, false };

	next(list, "\n    {");
	number(&row, "at", event->at);
	number(&row, "length", event->length);
	number(&row, "cpu", event->cpu);
	text(&row, "comm", event->comm);
	number(&row, "tid", (uint64_t)event->tid);
	number(&row, "pid", (uint64_t)event->tgid);
	key(&row, " ", "irqs_off");
	fputs(event->flags & SCHEDPROF_EVENT_IRQS_OFF ? "true" : "false", row.out);
	if (function) {
		text(&row, "function", function);
		number(&row, "depth", event->depth);
	}
	text(&row, "stack", stack ? stack : "");
	fputs(" }", list->out);
	free(stack);
}

static void print_events(const struct cli_report *report, struct list *top)
{
	struct list list = open_list(top, "events", '[');
	const struct schedprof_event *event;
	size_t i;

	for (i = 0; (event = schedprof_event_at(report->recording, i)); i++)
		print_event(report, &list, event);
	close_list(&list, ']');
}

static void print_ran(const struct cli_ran *ran, struct list *top)
{
	struct list list = open_list(top, "run", '{');
	struct list words = { list.out, false };
	size_t i;

	key(&list, " ", "command");
	fputc('[', list.out);
	for (i = 0; ran->program[i]; i++) {
		next(&words, " ");
		cli_print_quoted(list.out, ran->program[i]);
	}
	fputs(" ]", list.out);
	if (!ran->running)
		number(&list, "status", (uint64_t)ran->status);
	number(&list, "wall_ns", ran->wall_ns);
	fputs(" }", list.out);
}

/**
 * cli_print_json() - one object
 * @report: the report
 * @ran: the program that it is about, or NULL
 * @out: where to
 */
void cli_print_json(const struct cli_report *report, const struct cli_ran *ran,
		    FILE *out)
{
	struct list top = { out, false };

	fputc('{', out);
	key(&top, "\n  ", "schedprof_report");
	fputc('1', out);
	key(&top, "\n  ", "unit");
	cli_print_quoted(out, schedprof_unit(report->recording));
	if (ran)
		print_ran(ran, &top);
	print_meta(report, &top, "meta", "");
	print_meta(report, &top, "config", "config.");
	print_meta(report, &top, "stats", "stats.");
	print_entries(report, &top);
	print_ledger(report, &top);
	print_histogram(report, &top);
	print_functions(report, &top);
	print_events(report, &top);
	fputs("\n}\n", out);
}

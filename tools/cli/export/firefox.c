// SPDX-License-Identifier: GPL-2.0-only
/*
 * firefox: the processed profile of the Firefox Profiler, in the version 55 of that format,
 * which newer ones of the program upgrade. A thread is a thread; a sample is a row, whose
 * weight is its time in ms, to the ns, and whose time is when its longest interval ended.
 * If there are events, they are markers with a beginning and an end.
 *
 * One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "../json.h"
#include "../names.h"
#include "facts.h"
#include "formats.h"
#include "numbers.h"
#include "places.h"
#include "walk.h"

#define VERSION		55
#define NS_PER_MS	1000000
#define NO_STACK	SIZE_MAX

/* A row, or an event. */
struct sample {
	uint64_t time;		/* by the session's clock; of an event: its end */
	uint64_t length;
	size_t stack;		/* NO_STACK: none */
	size_t name;		/* of an event: a string */
	uint32_t cpu;
};

struct samples {
	struct sample *at;
	size_t count, room;
};

/* All tables of one thread. */
struct thread {
	char *comm;
	int32_t pid, tid;
	struct cli_numbers strings, functions, stacks;
	struct samples samples, markers;
};

struct firefox {
	const struct cli_report *report;
	struct cli_numbers threads;
	uint64_t begin;
	bool failed;
};

/* A function, whose name and file are strings. Each has one frame of the same number. */
struct function {
	size_t name, file;
	unsigned int line;
	bool has_file, kernel;
};

struct stack_node {
	size_t function, prefix;
};

static struct thread *thread_of(struct firefox *f, const char *name, const char *comm,
				int32_t pid, int32_t tid)
{
	struct cli_numbered *numbered = cli_number_of(&f->threads, "%s\n%" PRId32, name, pid);
	struct thread *thread = numbered->data;

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || f->threads.failed) {
		free(thread);
		f->failed = true;
		return NULL;
	}
	numbered->data = thread;
	thread->comm = strdup(comm);
	thread->pid = pid;
	thread->tid = tid;
	f->failed |= !thread->comm;
	return thread;
}

static void add_sample(struct firefox *f, struct samples *samples,
		       const struct sample *sample)
{
	struct sample *at;
	size_t room;

	if (samples->count == samples->room) {
		room = samples->room ? 2 * samples->room : 16;
		at = realloc(samples->at, room * sizeof(*at));
		if (!at) {
			f->failed = true;
			return;
		}
		samples->at = at;
		samples->room = room;
	}
	samples->at[samples->count++] = *sample;
}

static size_t string(struct thread *thread, const char *text)
{
	return cli_number(&thread->strings, text)->number;
}

static size_t function_of(struct firefox *f, struct thread *thread, const char *name,
			  const struct schedprof_frame *frame)
{
	const char *file = frame ? cli_place_file(frame) : NULL;
	unsigned int line = frame ? frame->line : 0;
	struct cli_numbered *numbered;
	struct function *function;

	numbered = cli_number_of(&thread->functions, "%s\n%s\n%u", name, file ? file : "",
				 line);
	if (numbered->data)
		return numbered->number;
	function = calloc(1, sizeof(*function));
	if (!function || thread->functions.failed) {
		free(function);
		f->failed = true;
		return 0;
	}
	numbered->data = function;
	function->name = string(thread, name);
	function->has_file = file;
	function->file = file ? string(thread, file) : 0;
	function->line = line;
	function->kernel = frame && frame->kind == SCHEDPROF_FRAME_KERNEL;
	return numbered->number;
}

/* The stack of @function called from @prefix. */
static size_t stack_of(struct firefox *f, struct thread *thread, size_t prefix,
		       size_t function)
{
	struct cli_numbered *numbered = cli_number_of(&thread->stacks, "%zu %zu", prefix,
						      function);
	struct stack_node *node = numbered->data;

	if (node)
		return numbered->number;
	node = calloc(1, sizeof(*node));
	if (!node || thread->stacks.failed) {
		free(node);
		f->failed = true;
		return 0;
	}
	numbered->data = node;
	node->function = function;
	node->prefix = prefix;
	return numbered->number;
}

static void add_levels(struct firefox *f, struct thread *thread,
		       const struct cli_stack *stack, struct sample *sample)
{
	size_t i;

	for (i = 0; i < stack->count; i++) {
		const struct cli_level *level = &stack->levels[i];
		size_t function = function_of(f, thread, level->name,
					      level->is_frame ? &level->frame : NULL);

		sample->stack = stack_of(f, thread, sample->stack, function);
	}
}

static int take_row(const struct cli_report *report, const struct cli_stack *stack,
		    void *data)
{
	const struct cli_row *row = stack->row;
	const struct schedprof_task *task = stack->task;
	const char *name = stack->thread ? stack->thread : "all tasks";
	struct firefox *f = data;
	struct sample sample = {
		.time = row->max_at ? row->max_at : f->begin, .length = row->total,
		.stack = NO_STACK,
	};
	struct thread *thread;

	(void)report;
	thread = thread_of(f, name, task ? stack->comm : name, task ? task->tgid : 0,
			   task ? task->tid : 0);
	if (!thread)
		return cli_no_memory();
	add_levels(f, thread, stack, &sample);
	/* What has no stack is not shown. */
	if (!stack->count)
		sample.stack = stack_of(f, thread, NO_STACK,
					function_of(f, thread, "[no stack]", NULL));
	add_sample(f, &thread->samples, &sample);
	return CLI_OK;
}

static int take_event(const struct cli_report *report, const struct cli_stack *stack,
		      void *data)
{
	const struct schedprof_event *event = stack->event;
	const char *function = cli_event_function(report, event);
	struct sample sample = {
		.time = event->at, .length = event->length, .stack = NO_STACK,
		.cpu = event->cpu,
	};
	struct firefox *f = data;
	struct thread *thread;

	thread = thread_of(f, stack->thread, stack->comm, event->tgid, event->tid);
	if (!thread)
		return cli_no_memory();
	sample.name = string(thread, function ? function : cli_time_name(report));
	add_levels(f, thread, stack, &sample);
	add_sample(f, &thread->markers, &sample);
	return CLI_OK;
}

/*
 * What is shown begins with the first sample and ends with the last one, of any thread, and
 * markers may be before and behind.
 */
static void add_bounds(struct firefox *f)
{
	struct sample sample = { .time = f->begin, .stack = NO_STACK };
	struct thread *thread = f->threads.first ? f->threads.first->data : NULL;

	if (!thread)
		return;
	add_sample(f, &thread->samples, &sample);
	sample.time += cli_duration(f->report);
	add_sample(f, &thread->samples, &sample);
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* In ms, with all decimals. */
static void print_ms(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / NS_PER_MS, ns % NS_PER_MS);
}

/* When it was, after the session began. */
static void print_time(const struct firefox *f, FILE *out, uint64_t time)
{
	if (time < f->begin) {
		fputc('-', out);
		print_ms(out, f->begin - time);
	} else {
		print_ms(out, time - f->begin);
	}
}

static void print_number(FILE *out, size_t number, size_t none)
{
	if (number == none)
		fputs("null", out);
	else
		fprintf(out, "%zu", number);
}

static struct cli_json begin_list(struct cli_json *object, const char *name)
{
	cli_json_key(object, " ", name);
	fputc('[', object->out);
	return (struct cli_json){ .out = object->out };
}

/* A list of the same word for each element. */
static void print_constant(struct cli_json *object, const char *name, const char *word,
			   size_t count)
{
	struct cli_json list = begin_list(object, name);
	size_t i;

	for (i = 0; i < count; i++) {
		cli_json_next(&list, "");
		fputs(word, list.out);
	}
	fputc(']', list.out);
}

static struct cli_json begin_table(struct cli_json *thread, const char *name, size_t count)
{
	struct cli_json table = { .out = thread->out };

	cli_json_key(thread, "\n      ", name);
	fputc('{', table.out);
	cli_json_number(&table, "length", count);
	return table;
}

static void print_samples(const struct firefox *f, struct cli_json *json,
			  const struct samples *samples)
{
	struct cli_json table = begin_table(json, "samples", samples->count), list;
	size_t i;

	cli_json_text(&table, "weightType", "tracing-ms");
	list = begin_list(&table, "stack");
	for (i = 0; i < samples->count; i++) {
		cli_json_next(&list, "");
		print_number(list.out, samples->at[i].stack, NO_STACK);
	}
	fputc(']', list.out);
	list = begin_list(&table, "time");
	for (i = 0; i < samples->count; i++) {
		cli_json_next(&list, "");
		print_time(f, list.out, samples->at[i].time);
	}
	fputc(']', list.out);
	list = begin_list(&table, "weight");
	for (i = 0; i < samples->count; i++) {
		cli_json_next(&list, "");
		print_ms(list.out, samples->at[i].length);
	}
	fputs("] }", list.out);
}

static void print_marker_data(const struct firefox *f, struct cli_json *list,
			      const struct sample *marker)
{
	struct cli_json data = { .out = list->out };

	cli_json_next(list, "\n        ");
	fputc('{', list->out);
	cli_json_text(&data, "type", "interval");
	cli_json_number(&data, "cpu", marker->cpu);
	if (marker->stack != NO_STACK) {
		cli_json_key(&data, " ", "cause");
		fputs("{ \"time\": ", list->out);
		print_time(f, list->out, marker->time);
		fprintf(list->out, ", \"stack\": %zu }", marker->stack);
	}
	fputs(" }", list->out);
}

static void print_markers(const struct firefox *f, struct cli_json *json,
			  const struct samples *markers)
{
	struct cli_json table = begin_table(json, "markers", markers->count), list;
	const struct sample *at = markers->at;
	size_t i;

	list = begin_list(&table, "name");
	for (i = 0; i < markers->count; i++) {
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", at[i].name);
	}
	fputc(']', list.out);
	list = begin_list(&table, "startTime");
	for (i = 0; i < markers->count; i++) {
		cli_json_next(&list, "");
		print_time(f, list.out, at[i].time > at[i].length ? at[i].time - at[i].length : 0);
	}
	fputc(']', list.out);
	list = begin_list(&table, "endTime");
	for (i = 0; i < markers->count; i++) {
		cli_json_next(&list, "");
		print_time(f, list.out, at[i].time);
	}
	fputc(']', list.out);
	/* 1: with a beginning and an end. */
	print_constant(&table, "phase", "1", markers->count);
	print_constant(&table, "category", "0", markers->count);
	list = begin_list(&table, "data");
	for (i = 0; i < markers->count; i++)
		print_marker_data(f, &list, &at[i]);
	fputs("] }", list.out);
}

static void print_stack_table(struct cli_json *json, const struct cli_numbers *stacks)
{
	struct cli_json table = begin_table(json, "stackTable", stacks->count), list;
	const struct cli_numbered *numbered;

	list = begin_list(&table, "frame");
	for (numbered = stacks->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", ((const struct stack_node *)numbered->data)->function);
	}
	fputc(']', list.out);
	list = begin_list(&table, "prefix");
	for (numbered = stacks->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		print_number(list.out, ((const struct stack_node *)numbered->data)->prefix,
			     NO_STACK);
	}
	fputs("] }", list.out);
}

/* Numbers of categories: where they stand in "categories" of the meta data. */
static void print_frame_table(struct cli_json *json, const struct cli_numbers *functions)
{
	struct cli_json table = begin_table(json, "frameTable", functions->count), list;
	const struct cli_numbered *numbered;

	list = begin_list(&table, "func");
	for (numbered = functions->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", numbered->number);
	}
	fputc(']', list.out);
	list = begin_list(&table, "category");
	for (numbered = functions->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		fputs(((const struct function *)numbered->data)->kernel ? "1" : "0", list.out);
	}
	fputc(']', list.out);
	list = begin_list(&table, "line");
	for (numbered = functions->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		print_number(list.out, ((const struct function *)numbered->data)->line, 0);
	}
	fputc(']', list.out);
	print_constant(&table, "subcategory", "0", functions->count);
	print_constant(&table, "address", "-1", functions->count);
	print_constant(&table, "inlineDepth", "0", functions->count);
	print_constant(&table, "nativeSymbol", "null", functions->count);
	print_constant(&table, "innerWindowID", "null", functions->count);
	print_constant(&table, "column", "null", functions->count);
	fputs(" }", table.out);
}

static void print_function_table(struct cli_json *json, const struct cli_numbers *functions)
{
	struct cli_json table = begin_table(json, "funcTable", functions->count), list;
	const struct cli_numbered *numbered;

	list = begin_list(&table, "name");
	for (numbered = functions->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, "");
		fprintf(list.out, "%zu", ((const struct function *)numbered->data)->name);
	}
	fputc(']', list.out);
	list = begin_list(&table, "fileName");
	for (numbered = functions->first; numbered; numbered = numbered->next) {
		const struct function *function = numbered->data;

		cli_json_next(&list, "");
		print_number(list.out, function->has_file ? function->file : SIZE_MAX, SIZE_MAX);
	}
	fputc(']', list.out);
	print_constant(&table, "isJS", "false", functions->count);
	print_constant(&table, "relevantForJS", "false", functions->count);
	print_constant(&table, "resource", "-1", functions->count);
	print_constant(&table, "lineNumber", "null", functions->count);
	print_constant(&table, "columnNumber", "null", functions->count);
	fputs(" }", table.out);
}

static void print_strings(struct cli_json *json, const struct cli_numbers *strings)
{
	const struct cli_numbered *numbered;
	struct cli_json list;

	cli_json_key(json, "\n      ", "stringArray");
	fputc('[', json->out);
	list = (struct cli_json){ .out = json->out };
	for (numbered = strings->first; numbered; numbered = numbered->next) {
		cli_json_next(&list, " ");
		cli_print_quoted(list.out, numbered->text);
	}
	fputc(']', list.out);
}

static void print_empty_tables(struct cli_json *json)
{
	static const char *const symbols[] = { "libIndex", "address", "name", "functionSize" };
	static const char *const resources[] = { "lib", "name", "host", "type" };
	struct cli_json table;
	size_t i;

	table = begin_table(json, "nativeSymbols", 0);
	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		print_constant(&table, symbols[i], "", 0);
	fputs(" }", json->out);
	table = begin_table(json, "resourceTable", 0);
	for (i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		print_constant(&table, resources[i], "", 0);
	fputs(" }", json->out);
}

static void print_thread(const struct firefox *f, struct cli_json *list, struct thread *thread)
{
	struct cli_json json = { .out = list->out };
	char pid[16];

	if (thread->samples.count)
		qsort(thread->samples.at, thread->samples.count, sizeof(struct sample), by_time);
	if (thread->markers.count)
		qsort(thread->markers.at, thread->markers.count, sizeof(struct sample), by_time);
	cli_json_next(list, "\n    ");
	fputc('{', json.out);
	snprintf(pid, sizeof(pid), "%" PRId32, thread->pid > 0 ? thread->pid : 0);
	cli_json_text(&json, "name", thread->comm);
	cli_json_text(&json, "processType", "default");
	cli_json_text(&json, "pid", pid);
	cli_json_number(&json, "tid", thread->tid > 0 ? (uint64_t)thread->tid : 0);
	cli_json_truth(&json, "isMainThread", thread->pid == thread->tid);
	cli_json_number(&json, "processStartupTime", 0);
	cli_json_key(&json, " ", "processShutdownTime");
	fputs("null", json.out);
	cli_json_number(&json, "registerTime", 0);
	cli_json_key(&json, " ", "unregisterTime");
	fputs("null", json.out);
	print_constant(&json, "pausedRanges", "", 0);
	print_samples(f, &json, &thread->samples);
	print_markers(f, &json, &thread->markers);
	print_stack_table(&json, &thread->stacks);
	print_frame_table(&json, &thread->functions);
	print_function_table(&json, &thread->functions);
	print_empty_tables(&json);
	print_strings(&json, &thread->strings);
	fputs(" }", json.out);
}

static void print_meta(const struct firefox *f, struct cli_json *top)
{
	struct cli_json meta = { .out = top->out };

	cli_json_key(top, "\n  ", "meta");
	fputc('{', meta.out);
	cli_json_number(&meta, "version", 24);
	cli_json_number(&meta, "preprocessedProfileVersion", VERSION);
	cli_json_number(&meta, "processType", 0);
	cli_json_text(&meta, "product", cli_time_name(f->report));
	cli_json_text(&meta, "importedFrom", "schedprof " SCHEDPROF_VERSION);
	cli_json_number(&meta, "stackwalk", 1);
	cli_json_truth(&meta, "symbolicated", true);
	cli_json_truth(&meta, "usesOnlyOneStackType", true);
	cli_json_truth(&meta, "sourceCodeIsNotOnSearchfox", true);
	cli_json_key(&meta, " ", "startTime");
	print_ms(meta.out, cli_begin_time(f->report));
	cli_json_number(&meta, "interval", 1);
	cli_json_key(&meta, "\n    ", "categories");
	fputs("[ { \"name\": \"User\", \"color\": \"yellow\", \"subcategories\": [\"Other\"] }, { \"name\": \"Kernel\", \"color\": \"orange\", \"subcategories\": [\"Other\"] } ]",
	      meta.out);
	cli_json_key(&meta, "\n    ", "markerSchema");
	fputs("[ { \"name\": \"interval\", \"display\": [\"marker-chart\", \"marker-table\", \"timeline-overview\"], \"fields\": [ { \"key\": \"cpu\", \"label\": \"CPU\", \"format\": \"integer\" } ] } ] }",
	      meta.out);
}

static void print_profile(const struct firefox *f, FILE *out)
{
	struct cli_json top = { .out = out }, list;
	const struct cli_numbered *numbered;

	fputc('{', out);
	print_meta(f, &top);
	print_constant(&top, "libs", "", 0);
	list = cli_json_open(&top, "threads", '[');
	for (numbered = f->threads.first; numbered; numbered = numbered->next)
		print_thread(f, &list, numbered->data);
	cli_json_close(&list, ']');
	fputs("\n}\n", out);
}

static void free_thread(struct thread *thread)
{
	free(thread->comm);
	free(thread->samples.at);
	free(thread->markers.at);
	cli_numbers_free(&thread->strings);
	cli_numbers_free(&thread->functions);
	cli_numbers_free(&thread->stacks);
}

/* A thread's tables may have failed where nobody looked. */
static bool has_failed(const struct firefox *f)
{
	const struct cli_numbered *numbered;
	bool failed = f->failed || f->threads.failed;

	for (numbered = f->threads.first; numbered; numbered = numbered->next) {
		const struct thread *thread = numbered->data;

		failed |= !thread || thread->strings.failed || thread->functions.failed ||
			  thread->stacks.failed;
	}
	return failed;
}

/* What was merged has no one beginning: then it is the first longest wait. */
static uint64_t begin_of(const struct cli_report *report)
{
	uint64_t begin = cli_meta(report->recording, "begin_ns"), at;
	size_t i, n = begin ? 0 : cli_report_limit(report);

	for (i = 0; i < n; i++) {
		at = report->rows[i].max_at;
		if (at && (!begin || at < begin))
			begin = at;
	}
	return begin;
}

/* A processed profile of the Firefox Profiler. */
int cli_write_firefox(const struct cli_report *report, FILE *out)
{
	struct firefox f = { .report = report, .begin = begin_of(report) };
	struct cli_numbered *numbered;
	int err;

	if (report->cycles) {
		cli_error("times of the Firefox Profiler are in ms, and these are in cycles; record with --clock mono");
		return CLI_FAILED;
	}
	err = cli_walk(report, SCHEDPROF_NAMED, take_row, &f);
	if (!err && cli_events_have_threads(report))
		err = cli_walk_events(report, SCHEDPROF_NAMED, take_event, &f);
	if (!err) {
		add_bounds(&f);
		if (has_failed(&f))
			err = cli_no_memory();
		else
			print_profile(&f, out);
	}
	for (numbered = f.threads.first; numbered; numbered = numbered->next)
		if (numbered->data)
			free_thread(numbered->data);
	cli_numbers_free(&f.threads);
	return err;
}

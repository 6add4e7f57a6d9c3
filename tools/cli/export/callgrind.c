// SPDX-License-Identifier: GPL-2.0-only
/*
 * callgrind: what callgrind_annotate and KCachegrind read: functions, what each took
 * itself, and what those that it called took. The outermost function is the thread.
 *
 * A function that is in a stack once more gets a name of its own ("f'2"), as callgrind
 * does it, so that no time is counted twice. One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "formats.h"
#include "numbers.h"
#include "places.h"
#include "walk.h"

struct function {
	uint64_t time, count;	/* of its own */
	size_t object, file;	/* numbers */
	size_t name;
};

struct edge {
	const struct cli_numbered *caller, *callee;
	uint64_t time, count;
};

/* How often a name was in a stack so far. */
struct seen {
	uint64_t stack;
	unsigned int times;
};

struct callgrind {
	struct cli_numbers functions, edges, objects, files, names;
	struct cli_numbers seen;
	uint64_t stack;			/* the number of this one */
	uint64_t time, count;
	bool failed;
};

/* The number of a name that is a line. */
static size_t line_number(struct callgrind *c, struct cli_numbers *numbers,
			  const char *name)
{
	char *plain = cli_plain(name);
	size_t number = plain ? cli_number(numbers, plain)->number : 0;

	c->failed |= !plain;
	free(plain);
	return number;
}

static struct cli_numbered *function_of(struct callgrind *c, const char *name,
					const char *object, const char *file,
					unsigned int again)
{
	struct cli_numbered *numbered;
	struct function *function;
	char more[16] = "";

	if (again)
		snprintf(more, sizeof(more), "'%u", again + 1);
	numbered = cli_number_of(&c->functions, "%s%s\n%s\n%s", name, more, object, file);
	if (numbered->data)
		return numbered;
	function = calloc(1, sizeof(*function));
	if (!function) {
		c->failed = true;
		return numbered;
	}
	numbered->data = function;
	function->object = line_number(c, &c->objects, object);
	function->file = line_number(c, &c->files, file);
	function->name = cli_number_of(&c->names, "%s%s", name, more)->number;
	return numbered;
}

/* How often a name is in the stack already. Asked once for each level. */
static unsigned int times_before(struct callgrind *c, const char *name)
{
	struct cli_numbered *numbered = cli_number(&c->seen, name);
	struct seen *seen = numbered->data;

	if (!seen) {
		seen = calloc(1, sizeof(*seen));
		if (!seen) {
			c->failed = true;
			return 0;
		}
		numbered->data = seen;
	}
	if (seen->stack != c->stack)
		*seen = (struct seen){ .stack = c->stack };
	return seen->times++;
}

static struct cli_numbered *function_at(struct callgrind *c, const struct cli_stack *stack,
					size_t index)
{
	const struct cli_level *level = &stack->levels[index];
	const struct schedprof_frame *frame = &level->frame;
	const char *object = level->is_frame ? cli_place_object(frame) : "[remarks]";

	return function_of(c, level->name, object ? object : "[exited]",
			   level->is_frame && frame->source ? frame->source : "???",
			   times_before(c, level->name));
}

static void add_call(struct callgrind *c, const struct cli_numbered *caller,
		     const struct cli_numbered *callee, const struct cli_row *row)
{
	struct cli_numbered *numbered = cli_number_of(&c->edges, "%zu %zu", caller->number,
						      callee->number);
	struct edge *edge = numbered->data;

	if (!edge) {
		edge = calloc(1, sizeof(*edge));
		if (!edge) {
			c->failed = true;
			return;
		}
		edge->caller = caller;
		edge->callee = callee;
		numbered->data = edge;
	}
	edge->time += row->total;
	edge->count += row->count;
}

static int add_stack(const struct cli_report *report, const struct cli_stack *stack,
		     void *data)
{
	struct cli_numbered *function = NULL, *callee;
	struct callgrind *c = data;
	struct function *own;
	size_t i;

	(void)report;
	c->stack++;
	if (stack->thread)
		function = function_of(c, stack->thread, "[tasks]", "???", 0);
	for (i = 0; i < stack->count; i++) {
		callee = function_at(c, stack, i);
		if (function)
			add_call(c, function, callee, stack->row);
		function = callee;
	}
	if (!function)
		function = function_of(c, "[no stack]", "[remarks]", "???", 0);
	own = function->data;
	if (own) {
		own->time += stack->row->total;
		own->count += stack->row->count;
	}
	c->time += stack->row->total;
	c->count += stack->row->count;
	return CLI_OK;
}

static int by_caller(const void *a, const void *b)
{
	const struct edge *x = *(const struct edge *const *)a;
	const struct edge *y = *(const struct edge *const *)b;

	if (x->caller->number != y->caller->number)
		return x->caller->number < y->caller->number ? -1 : 1;
	return x->callee->number < y->callee->number ? -1 :
	       x->callee->number > y->callee->number;
}

/* NULL: there is no memory. */
static const struct edge **sorted_edges(const struct callgrind *c)
{
	const struct edge **edges = calloc(c->edges.count + 1, sizeof(*edges));
	const struct cli_numbered *numbered;
	size_t n = 0;

	if (!edges)
		return NULL;
	for (numbered = c->edges.first; numbered; numbered = numbered->next)
		if (numbered->data)
			edges[n++] = numbered->data;
	qsort(edges, n, sizeof(*edges), by_caller);
	return edges;
}

/* The texts of numbers are told first. */
static void print_names(FILE *out, const char *key, const struct cli_numbers *names)
{
	const struct cli_numbered *name;

	for (name = names->first; name; name = name->next)
		fprintf(out, "%s=(%zu) %s\n", key, name->number + 1, name->text);
}

static void print_function(FILE *out, const char *call, const struct function *function)
{
	fprintf(out, "%sob=(%zu)\n%s=(%zu)\n%sfn=(%zu)\n", call, function->object + 1,
		*call ? "cfi" : "fl", function->file + 1, call, function->name + 1);
}

static void print_functions(const struct callgrind *c, const struct edge **edges, FILE *out)
{
	const struct cli_numbered *numbered;

	for (numbered = c->functions.first; numbered; numbered = numbered->next) {
		const struct function *function = numbered->data;

		fputc('\n', out);
		print_function(out, "", function);
		fprintf(out, "0 %" PRIu64 " %" PRIu64 "\n", function->time, function->count);
		for (; *edges && (*edges)->caller == numbered; edges++) {
			print_function(out, "c", (*edges)->callee->data);
			fprintf(out, "calls=%" PRIu64 " 0\n0 %" PRIu64 " %" PRIu64 "\n",
				(*edges)->count, (*edges)->time, (*edges)->count);
		}
	}
}

static void print_head(const struct cli_report *report, const struct callgrind *c, FILE *out)
{
	const char *time = cli_time_name(report), *unit = report->cycles ? "cycles" : "ns";
	char *fact;
	size_t i;

	fputs("# callgrind format\nversion: 1\ncreator: schedprof " SCHEDPROF_VERSION "\n", out);
	for (i = 0; (fact = cli_fact(report, i)); i++) {
		if (*fact)
			fprintf(out, "desc: %s\n", fact);
		free(fact);
	}
	fprintf(out, "cmd: schedprof\npositions: line\nevent: %s_%s : %s, %s\n", time, unit,
		time, unit);
	fprintf(out, "events: %s_%s %s\nsummary: %" PRIu64 " %" PRIu64 "\n\n", time, unit,
		cli_count_name(report), c->time, c->count);
	print_names(out, "ob", &c->objects);
	print_names(out, "fl", &c->files);
	print_names(out, "fn", &c->names);
}

static int print_file(const struct cli_report *report, const struct callgrind *c, FILE *out)
{
	const struct edge **edges = sorted_edges(c);

	if (!edges || c->failed || c->functions.failed || c->edges.failed ||
	    c->objects.failed || c->files.failed || c->names.failed || c->seen.failed) {
		free(edges);
		return cli_no_memory();
	}
	print_head(report, c, out);
	print_functions(c, edges, out);
	free(edges);
	return CLI_OK;
}

/* A file of callgrind. */
int cli_write_callgrind(const struct cli_report *report, FILE *out)
{
	struct callgrind c = { };
	int err = cli_walk(report, SCHEDPROF_NAMED, add_stack, &c);

	if (!err)
		err = print_file(report, &c, out);
	cli_numbers_free(&c.functions);
	cli_numbers_free(&c.edges);
	cli_numbers_free(&c.objects);
	cli_numbers_free(&c.files);
	cli_numbers_free(&c.names);
	cli_numbers_free(&c.seen);
	return err;
}

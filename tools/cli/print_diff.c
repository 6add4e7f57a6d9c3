// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_diff: what changed from one recording to another, or what happened between
 * two snapshots of one. Reads recordings and has no state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "names.h"
#include "print_diff.h"
#include "rows.h"
#include "words.h"

struct view {
	const struct cli_options *o;
	bool cycles;
	bool functions;	/* of mode function */
	bool between;	/* two snapshots of one session: only what came is shown */
	FILE *out;
};

static uint64_t grown(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

static const char *change_word(char word[CLI_WORD], const struct view *view,
			       const struct schedprof_diff_row *row)
{
	uint64_t a = row->before.total, b = row->after.total;
	char length[CLI_WORD];

	cli_length(length, b > a ? b - a : a - b, view->cycles);
	snprintf(word, CLI_WORD, "%c%.30s", b < a ? '-' : '+', length);
	return word;
}

/* A control group without a path is not known. */
static const char *name_of(const struct schedprof_diff_row *row, int group, char text[CLI_NAME])
{
	if (row->flags || (group == SCHEDPROF_BY_CGROUP && *row->comm == '['))
		return row->comm;
	return cli_chosen(row->comm, text);
}

static void print_row_name(const struct schedprof_diff_row *row, int group, FILE *out)
{
	char text[CLI_NAME];

	cli_print_plain(out, name_of(row, group, text));
	if (row->tid > 0)
		fprintf(out, "  %s %d", group == SCHEDPROF_BY_PROCESS ? "pid" : "tid",
			row->tid);
	fputc('\n', out);
}

/* Prints a line for each frame, the innermost first. */
static void print_stack_lines(const char *stack, FILE *out)
{
	size_t end = strlen(stack), begin;

	while (end) {
		for (begin = end; begin && stack[begin - 1] != ';'; begin--)
			;
		fprintf(out, "        %.*s\n", (int)(end - begin), stack + begin);
		end = begin ? begin - 1 : 0;
	}
}

static void print_changed_row(const struct view *view, size_t number,
			      const struct schedprof_diff_row *row)
{
	char word[CLI_WORD], a[CLI_WORD], b[CLI_WORD];

	fprintf(view->out, "\n%zu. %s", number, cli_color(CLI_BOLD));
	print_row_name(row, view->o->group, view->out);
	fputs(cli_color(CLI_PLAIN), view->out);
	if (view->between)
		fprintf(view->out, "    %s  count %" PRIu64 "\n",
			cli_length(a, grown(row->before.total, row->after.total),
				   view->cycles),
			grown(row->before.count, row->after.count));
	else
		fprintf(view->out,
			"    %s%s%s  from %s (count %" PRIu64 ") to %s (count %" PRIu64 ")\n",
			cli_color(row->after.total > row->before.total ?
				  CLI_RED : CLI_GREEN),
			change_word(word, view, row), cli_color(CLI_PLAIN),
			cli_length(a, row->before.total, view->cycles),
			row->before.count,
			cli_length(b, row->after.total, view->cycles),
			row->after.count);
	print_stack_lines(row->stack, view->out);
}

static void print_folded_stack(const struct schedprof_diff_row *row, int group, FILE *out)
{
	char text[CLI_NAME];

	cli_print_folded(out, name_of(row, group, text));
	if (row->tid > 0)
		fprintf(out, "-%d", row->tid);
	fprintf(out, "%s%s", *row->stack ? ";" : "", row->stack);
}

/**
 * cli_diff_folded() - a row in one line, without its times
 * @row: the row
 * @group: enum schedprof_by
 *
 * Return: the line, to be freed; NULL if there was not enough memory.
 */
char *cli_diff_folded(const struct schedprof_diff_row *row, int group)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print_folded_stack(row, group, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/**
 * cli_diff_times() - the times of a row that are shown
 * @row: the row
 * @between: two snapshots of one session: only what came, and nothing before
 */
struct cli_flame_times cli_diff_times(const struct schedprof_diff_row *row, bool between)
{
	if (between)
		return (struct cli_flame_times){ grown(row->before.total, row->after.total), 0 };
	return (struct cli_flame_times){ row->after.total, row->before.total };
}

/* Two values behind each stack, which programs for flame graphs compare. */
static void print_folded_row(const struct view *view,
			     const struct schedprof_diff_row *row)
{
	struct cli_flame_times times = cli_diff_times(row, view->between);
	uint64_t unit = view->cycles ? 1 : 1000;

	print_folded_stack(row, view->o->group, view->out);
	if (!view->between)
		fprintf(view->out, " %" PRIu64, times.before / unit);
	fprintf(view->out, " %" PRIu64 "\n", times.now / unit);
}

static void print_json_figures(const struct view *view, struct cli_json *row,
			       const char *name, const struct schedprof_figures *figures)
{
	struct cli_json list = { .out = row->out, .cycles = view->cycles };

	cli_json_key(row, " ", name);
	fputc('{', list.out);
	cli_json_time(&list, "total", figures->total);
	cli_json_number(&list, "count", figures->count);
	cli_json_time(&list, "max", figures->max);
	if (view->functions)
		cli_json_time(&list, "inclusive", figures->inclusive);
	fputs(" }", list.out);
}

static void print_json_row(const struct view *view, struct cli_json *rows,
			   const struct schedprof_diff_row *row)
{
	struct cli_json list = { .out = rows->out, .cycles = view->cycles };
	int group = view->o->group;
	char name[CLI_NAME];

	cli_json_next(rows, "\n    {");
	/* A number, or the slash of a path, tells that it is no word of ours. */
	cli_json_text(&list, "comm", row->tid > 0 || group == SCHEDPROF_BY_CGROUP ? row->comm :
		      name_of(row, group, name));
	if (group < SCHEDPROF_BY_COMM)
		cli_json_number(&list, group == SCHEDPROF_BY_PROCESS ? "pid" : "tid",
				row->tid > 0 ? (uint64_t)row->tid : 0);
	cli_json_text(&list, "stack", row->stack);
	print_json_figures(view, &list, "before", &row->before);
	print_json_figures(view, &list, "after", &row->after);
	fputs(" }", list.out);
}

/* Prints all that comes before the rows. Return: the list of rows. */
static struct cli_json begin_json(const struct schedprof_recording *after, FILE *out)
{
	struct cli_json top = { .out = out };

	fputc('{', out);
	cli_json_key(&top, "\n  ", "schedprof_diff");
	fputc('2', out);
	cli_json_key(&top, "\n  ", "unit");
	cli_print_quoted(out, schedprof_unit(after));
	return cli_json_open(&top, "rows", '[');
}

/* As the library marks the stacks of who waits for work; no function of a program reads so. */
static bool is_idle(const struct schedprof_diff_row *row)
{
	return !strncmp(row->stack, "[waiting_for_work]", 18);
}

/* People get one line for all waits for work, as in a report. */
static bool is_hidden(const struct view *view, const struct schedprof_diff_row *row)
{
	return view->o->format == CLI_TEXT && !view->o->idle && is_idle(row);
}

/* Intervals that were open in the first snapshot may be in other rows by now. */
static bool is_shown(const struct view *view, const struct schedprof_diff_row *row)
{
	if (view->between)
		return row->after.total > row->before.total ||
		       row->after.count > row->before.count;
	return row->before.count || row->after.count;
}

static uint64_t seconds_ns(const struct schedprof_recording *recording)
{
	return cli_meta(recording, "stats.enabled_ns");
}

static void print_hidden(const struct view *view, const struct schedprof_diff *diff)
{
	uint64_t before = 0, after = 0, came = 0;
	const struct schedprof_diff_row *row;
	char a[CLI_WORD], b[CLI_WORD];
	bool any = false;
	size_t i;

	for (i = 0; (row = schedprof_diff_at(diff, i)); i++) {
		if (!is_shown(view, row) || !is_hidden(view, row))
			continue;
		before += row->before.total;
		after += row->after.total;
		came += grown(row->before.total, row->after.total);
		any = true;
	}
	if (!any)
		return;
	if (view->between)
		fprintf(view->out, "# waiting for work, left out: %s; --idle shows where\n",
			cli_length(a, came, view->cycles));
	else
		fprintf(view->out, "# waiting for work, left out: from %s to %s; --idle shows where\n",
			cli_length(a, before, view->cycles),
			cli_length(b, after, view->cycles));
}

/**
 * cli_print_diff_head() - what was compared with what
 * @before: the one recording
 * @after: the other
 * @between: both are of one session
 * @out: where to
 */
void cli_print_diff_head(const struct schedprof_recording *before,
			 const struct schedprof_recording *after, bool between, FILE *out)
{
	char a[CLI_WORD], b[CLI_WORD];

	fputs("# mode ", out);
	cli_print_plain(out, cli_mode(after));
	if (between)
		fprintf(out, ": what came from %s to %s after the start\n",
			cli_time(a, seconds_ns(before)),
			cli_time(b, seconds_ns(after)));
	else
		fprintf(out, ": from a recording of %s to one of %s\n",
			cli_time(a, seconds_ns(before)),
			cli_time(b, seconds_ns(after)));
}

/**
 * cli_print_diff() - print a comparison
 * @diff: the comparison
 * @before: of what
 * @after: with what
 * @o: the options
 * @between: both are of one session, and what came between them is wanted
 * @out: where to
 */
void cli_print_diff(const struct schedprof_diff *diff,
		    const struct schedprof_recording *before,
		    const struct schedprof_recording *after,
		    const struct cli_options *o, bool between, FILE *out)
{
	struct view view = {
		.o = o,
		.cycles = !strcmp(schedprof_unit(after), "cycles"),
		.functions = !strcmp(cli_mode(after), "function"),
		.between = between,
		.out = out,
	};
	struct cli_json rows = { };
	size_t i, n = 0, limit = o->top;

	if (!limit)
		limit = o->format == CLI_TEXT ? 20 : SIZE_MAX;
	if (o->format == CLI_TEXT) {
		cli_print_diff_head(before, after, between, out);
		print_hidden(&view, diff);
	}
	if (o->format == CLI_JSON)
		rows = begin_json(after, out);
	for (i = 0; i < schedprof_diff_count(diff) && n < limit; i++) {
		const struct schedprof_diff_row *row = schedprof_diff_at(diff, i);

		if (!is_shown(&view, row) || is_hidden(&view, row))
			continue;
		n++;
		if (o->format == CLI_TEXT)
			print_changed_row(&view, n, row);
		else if (o->format == CLI_FOLDED)
			print_folded_row(&view, row);
		else
			print_json_row(&view, &rows, row);
	}
	if (o->format == CLI_JSON)
		fputs("\n  ]\n}\n", out);
}

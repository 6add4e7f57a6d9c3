// SPDX-License-Identifier: GPL-2.0-only
/*
 * csv: a line for each row, as RFC 4180 has it but with the lines' ends of Unix: the names
 * of columns are those of JSON. No state, so nothing is locked.
 */
#include <inttypes.h>

#include "../../shared/utf8.h"
#include "facts.h"
#include "formats.h"
#include "walk.h"

/*
 * What is between quotes: a newline is as it is, bytes that are no UTF-8 and other control
 * characters become U+FFFD, as a terminal may be what prints it.
 */
static void print_quoted(FILE *out, const char *text)
{
	size_t n;

	for (; *text; text += n ? n : 1) {
		n = utf8_printable(text);
		if (*text == '"')
			fputs("\"\"", out);
		else if (n || *text == '\n')
			fwrite(text, 1, n ? n : 1, out);
		else
			fputs("\xef\xbf\xbd", out);
	}
}

/* Nothing, not "", if there is no one task. */
static void print_task(const struct cli_report *report, const struct cli_stack *stack,
		       FILE *out)
{
	const struct schedprof_task *task = stack->task;
	char name[CLI_NAME];

	if (!task) {
		fputs(",,", out);
		return;
	}
	fputc('"', out);
	print_quoted(out, cli_row_name(task, report->o->group, name));
	fprintf(out, "\",%" PRId32 ",%" PRId32, task->tid > 0 ? task->tid : 0,
		task->tgid > 0 ? task->tgid : 0);
}

/* As in folded stacks, without the task. */
static void print_levels(const struct cli_stack *stack, FILE *out)
{
	size_t i;

	fputc('"', out);
	for (i = 0; i < stack->count; i++) {
		fputs(i ? ";" : "", out);
		print_quoted(out, stack->levels[i].name);
	}
	fputc('"', out);
}

static int write_row(const struct cli_report *report, const struct cli_stack *stack,
		     void *data)
{
	const struct cli_row *row = stack->row;
	FILE *out = data;

	print_task(report, stack, out);
	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32
		",%" PRIu64 ",%s,%" PRIu64 ",",
		cli_time_name(report), row->total, row->count, row->max, row->max_at,
		row->max_cpu, row->inclusive, row->open ? "true" : "false", row->idle);
	print_levels(stack, out);
	fputc('\n', out);
	return CLI_OK;
}

/* Values separated by commas. */
int cli_write_csv(const struct cli_report *report, FILE *out)
{
	const char *unit = report->cycles ? "cycles" : "ns";

	fprintf(out, "comm,tid,pid,state,total_%s,count,max_%s,max_at_%s,max_cpu,inclusive_%s,open,waiting_for_work_%s,stack\n",
		unit, unit, unit, unit, unit);
	return cli_walk(report, SCHEDPROF_FOLDED, write_row, out);
}

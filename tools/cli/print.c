// SPDX-License-Identifier: GPL-2.0-only
/*
 * print: which of the formats a report is printed in, and folded stacks. Reads reports
 * and has no state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "names.h"
#include "output.h"
#include "picture.h"
#include "print.h"
#include "print_json.h"
#include "print_tables.h"
#include "print_text.h"
#include "say.h"

/* In us, or in cycles, as in the file folded of the module. */
static uint64_t folded_value(const struct cli_report *report, uint64_t time)
{
	return report->cycles ? time : time / 1000;
}

static void print_folded_task(const struct cli_row *row, int by, FILE *out)
{
	const struct schedprof_task *task = row->entry->task;

	cli_print_folded(out, task->comm);
	if (by != SCHEDPROF_BY_COMM && task->tid > 0)
		fprintf(out, "-%d", by == SCHEDPROF_BY_THREAD ? task->tid : task->tgid);
}

/* Prints a line for each row. Return: CLI_OK, or CLI_FAILED after saying why. */
static int print_folded_rows(const struct cli_report *report, FILE *out)
{
	size_t i, n = cli_report_limit(report);
	struct schedprof_error error;
	char *line;

	for (i = 0; i < n; i++) {
		const struct cli_row *row = &report->rows[i];

		if (row->key) {
			/* The key of a stack is a folded line. */
			if (report->o->by == CLI_BY_FUNCTION)
				cli_print_folded(out, row->key);
			else
				fputs(row->key, out);
		} else if (report->o->by == CLI_BY_TASK) {
			print_folded_task(row, report->o->group, out);
		} else {
			line = schedprof_entry_folded(report->shown, row->entry,
						      report->o->group,
						      &report->names, &error);
			if (!line)
				return cli_fail(&error);
			fputs(line, out);
			free(line);
		}
		fprintf(out, " %" PRIu64 "\n", folded_value(report, row->total));
	}
	return CLI_OK;
}

/**
 * cli_print() - a report as its options say
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_print(const struct cli_report *report, FILE *out)
{
	const struct cli_options *o = report->o;

	switch (o->format) {
	case CLI_FOLDED:
		return print_folded_rows(report, out);
	case CLI_JSON:
		cli_print_json(report, NULL, out);
		return CLI_OK;
	default:
		if (o->view != CLI_VIEW_ENTRIES)
			return cli_print_table(report, out);
		cli_print_text(report, out);
		return CLI_OK;
	}
}

/**
 * cli_print_recording() - make the report and print it
 * @o: the options
 * @recording: the snapshot; freed in any case
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_print_recording(const struct cli_options *o,
			struct schedprof_recording *recording)
{
	struct cli_report report;
	FILE *out = NULL;
	int err;

	err = cli_report_make(&report, recording, o);
	if (!err) {
		out = cli_output_open(o, stdout);
		err = out ? cli_print(&report, out) : CLI_FAILED;
	}
	if (out && cli_output_close(out))
		err = CLI_FAILED;
	if (!err)
		err = cli_picture_report(&report);
	if (!err)
		cli_names_missing(&report.names, o);
	cli_report_free(&report);
	return err;
}

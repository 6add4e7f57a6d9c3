// SPDX-License-Identifier: GPL-2.0-only
/*
 * print: which of the formats a report is printed in. Reads reports and has no state,
 * so nothing is locked.
 */
#include "export/formats.h"
#include "output.h"
#include "picture.h"
#include "print.h"
#include "print_json.h"
#include "print_tables.h"
#include "print_text.h"
#include "say.h"

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

	if (o->format == CLI_FOLDED && o->view == CLI_VIEW_BLAME)
		return cli_print_blame_folded(report, out);
	switch (o->format) {
	case CLI_JSON:
		return cli_print_json(report, NULL, out);
	case CLI_TEXT:
		if (o->view != CLI_VIEW_ENTRIES)
			return cli_print_table(report, out);
		cli_print_text(report, out);
		return CLI_OK;
	default:
		return cli_format_write(report, out);
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
	if (err)
		cli_output_drop(out);
	else
		err = cli_output_close(out);
	if (!err)
		err = cli_picture_report(&report);
	if (!err)
		cli_names_missing(&report.names, o);
	cli_report_free(&report);
	return err;
}

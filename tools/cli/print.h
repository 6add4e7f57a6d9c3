/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print: a report on its way out: text, folded stacks, JSON, tables. Reads
 * reports and changes nothing. One thread.
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdio.h>

#include "rows.h"

/* What `schedprof run` knows beside the snapshot. */
struct cli_ran {
	char **program;
	bool running;		/* still, because somebody did not want to wait */
	int status;		/* as shells say it; 0 while it runs */
	uint64_t wall_ns;	/* that it took, or has taken so far */
};

int cli_output_check(const struct cli_options *o);
FILE *cli_output_open(const struct cli_options *o, FILE *instead);
int cli_output_close(FILE *out);

int cli_print(const struct cli_report *report, FILE *out);
int cli_print_recording(const struct cli_options *o,
			struct schedprof_recording *recording);

void cli_print_head(const struct cli_report *report, FILE *out);
void cli_print_row(const struct cli_report *report, size_t index, FILE *out);
void cli_print_text(const struct cli_report *report, FILE *out);
int cli_print_folded_report(const struct cli_report *report, FILE *out);
void cli_print_json(const struct cli_report *report, const struct cli_ran *ran,
		    FILE *out);
int cli_print_table(const struct cli_report *report, FILE *out);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_ran FILE COMMAND...: the JSON of schedprof run, for which there need be no module: a
 * recording as if a command had been run for it. One thread.
 */
#include <err.h>
#include <stdio.h>

#include "print_json.h"

int main(int argc, char **argv)
{
	struct cli_ran ran = { .program = argv + 2, .status = 137, .wall_ns = 1234567890 };
	struct cli_options options = { .format = CLI_JSON };
	struct schedprof_error error;
	struct cli_report report;

	if (argc < 3)
		errx(2, "usage: print_ran FILE COMMAND...");
	if (cli_report_make(&report, schedprof_load(argv[1], &error), &options))
		errx(1, "there is no report of %s", argv[1]);
	cli_print_json(&report, &ran, stdout);
	cli_report_free(&report);
	return 0;
}

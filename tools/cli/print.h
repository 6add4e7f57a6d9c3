/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print: a report in the format that its options say. Reads reports and has no state,
 * so nothing is locked.
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdio.h>

#include "rows.h"

int cli_print(const struct cli_report *report, FILE *out);
int cli_print_recording(const struct cli_options *o,
			struct schedprof_recording *recording);

#endif

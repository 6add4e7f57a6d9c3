/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output: where the result of a command goes. State: a pipe that is kept open from the
 * check on, and a file that has no name yet. One thread, so nothing is locked.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"

int cli_output_check(const struct cli_options *o);
bool cli_output_is_kept(const struct cli_options *o, FILE *instead);
FILE *cli_output_open(const struct cli_options *o, FILE *instead);
int cli_output_close(FILE *out);
void cli_output_drop(FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_diff: two snapshots side by side, on their way out. No state, so nothing is
 * locked.
 */
#ifndef CLI_PRINT_DIFF_H
#define CLI_PRINT_DIFF_H

#include <stdio.h>

#include <schedprof.h>

#include "flame.h"
#include "options.h"

void cli_print_diff(const struct schedprof_diff *diff,
		    const struct schedprof_recording *before,
		    const struct schedprof_recording *after,
		    const struct cli_options *o, bool between, FILE *out);
void cli_print_diff_head(const struct schedprof_recording *before,
			 const struct schedprof_recording *after, bool between, FILE *out);
char *cli_diff_folded(const struct schedprof_diff_row *row, int group);
struct cli_flame_times cli_diff_times(const struct schedprof_diff_row *row, bool between);

#endif

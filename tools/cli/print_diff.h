/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_diff: two snapshots side by side, on their way out. No state, so nothing is
 * locked.
 */
#ifndef CLI_PRINT_DIFF_H
#define CLI_PRINT_DIFF_H

#include <schedprof.h>

#include "options.h"

void cli_print_diff(const struct schedprof_diff *diff,
		    const struct schedprof_recording *before,
		    const struct schedprof_recording *after,
		    const struct cli_options *o, bool between, FILE *out);

#endif

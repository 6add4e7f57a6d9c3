/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * picture: files with flame graphs. One thread, so nothing is locked.
 */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <schedprof.h>

#include "rows.h"

int cli_picture_check(const struct cli_options *o);
int cli_picture_report(const struct cli_report *report);
int cli_picture_diff(const struct schedprof_diff *diff,
		     const struct schedprof_recording *before,
		     const struct schedprof_recording *after,
		     const struct cli_options *o, bool between);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gather: from what a session recorded to its counters. A pure function on these, which are
 * used by one thread.
 */
#ifndef CLI_METRICS_GATHER_H
#define CLI_METRICS_GATHER_H

#include <schedprof.h>

#include "totals.h"

bool cli_gather(struct cli_session_totals *session,
		const struct schedprof_recording *recording, const char *boot, size_t most);
char *cli_label(const char *name);

#endif

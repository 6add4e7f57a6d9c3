/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load: the snapshots of a file that are asked for. One thread, so nothing is
 * locked.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <schedprof.h>

#include "options.h"

struct cli_loaded {
	struct schedprof_recording *recording;
	struct schedprof_recording *since;	/* NULL: nobody asked */
};

int cli_load(struct cli_loaded *loaded, const char *path,
	     const struct cli_options *o);

#endif

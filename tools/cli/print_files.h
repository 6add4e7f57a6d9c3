/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_files: files that a command has written, as JSON. No state. One thread, so nothing is
 * locked.
 */
#ifndef CLI_PRINT_FILES_H
#define CLI_PRINT_FILES_H

#include "options.h"

/* A file that was written. */
struct cli_written {
	const char *path;	/* NULL: none, it is passed over */
	uint64_t snapshots;	/* in it, or in it and those before it; 0: it has none */
};

int cli_print_files(const struct cli_options *o, const struct cli_written *files,
		    unsigned int count);

#endif

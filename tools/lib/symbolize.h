/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What finding a file and looking into it share.
 */
#ifndef SP_SYMBOLIZE_H
#define SP_SYMBOLIZE_H

#include <sys/types.h>

#include "internal.h"

/* A file that was found, and where separate debug files for it may be. */
struct sp_found {
	int fd;			/* -1: there is none */
	dev_t device;
	ino_t inode;
	char *debug_path;	/* as libdwfl takes it; to be freed */
};

int sp_find_file(const char *root, const char *debug_path, int pid, const char *path,
		 struct sp_found *found, struct schedprof_error *error);

#endif

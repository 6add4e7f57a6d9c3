/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * find_file: where the file that a process mapped may be. A search is used by one
 * thread.
 */
#ifndef LIBSP_FIND_FILE_H
#define LIBSP_FIND_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "schedprof.h"

/* Which file is looked for. */
struct libsp_wanted {
	const char *root;	/* "": not set */
	const char *debug_path;
	int pid;		/* 0: none */
	const char *path;
	const struct schedprof_mapping *mapping;	/* NULL: whatever is there */
};

/* The places where the file may be, one after the other. */
struct libsp_search {
	const struct libsp_wanted *wanted;
	unsigned int step;
	const char *debug_left;	/* of debug_path */
	char process[32];	/* /proc/PID/root, if that is another root; else "" */
};

/* A file that was found at such a place. */
struct libsp_found {
	int fd;
	struct stat status;
	const char *root;	/* below which its separate debug files are, too */
};

void libsp_search_begin(struct libsp_search *search, const struct libsp_wanted *wanted);
bool libsp_search_next(struct libsp_search *search, struct libsp_found *found);
bool libsp_is_inode(int fd, const struct stat *status, const struct schedprof_file *file);

#endif

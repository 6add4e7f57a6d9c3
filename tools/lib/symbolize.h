/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What finding a file and looking into it share.
 */
#ifndef LIBSP_SYMBOLIZE_H
#define LIBSP_SYMBOLIZE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "internal.h"

/* open_file.c: nothing but regular files, and none outside of a directory. */
int libsp_open_in(int directory, const char *path);
int libsp_open_in_by_steps(int directory, const char *path);
int libsp_open_regular(const char *root, const char *path, struct stat *status);
int libsp_open_regular_handle(int handle, struct stat *status);

/* Which file is looked for. */
struct libsp_wanted {
	const char *root;	/* "": not set */
	const char *debug_path;
	int pid;		/* 0: none */
	const char *path;
	const struct schedprof_mapping *mapping;	/* NULL: whatever is there */
};

/* A place where it may be, one after the other. */
struct libsp_search {
	const struct libsp_wanted *wanted;
	unsigned int step;
	const char *debug_left;	/* of debug_path */
	char process[32];	/* /proc/PID/root, if it is not ours; else "" */
};

/* A file that was found there. */
struct libsp_found {
	int fd;
	struct stat status;
	const char *root;	/* where its separate debug files are, too */
};

/* find_file.c */
void libsp_search_begin(struct libsp_search *search, const struct libsp_wanted *wanted);
bool libsp_search_next(struct libsp_search *search, struct libsp_found *found);
bool libsp_is_inode(int fd, const struct stat *status, const struct schedprof_file *file);

/* find_debug.c */
int libsp_find_debug(const char *root, const char *debug_path, const char *path,
		     const char *build_id, const char *link, uint32_t crc);

#endif

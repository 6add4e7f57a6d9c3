/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * code_files: the files that processes have mapped as code, and which processes tell of
 * code that they generate. What is found is used by one
 * thread.
 */
#ifndef LIBSP_CODE_FILES_H
#define LIBSP_CODE_FILES_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "arena.h"
#include "keys.h"
#include "schedprof.h"

/* Which file it is, as /proc/PID/maps says it. */
struct libsp_code_key {
	uint32_t major, minor;
	uint64_t inode;
};

/* A file, and one of the mappings of it. */
struct libsp_code_file {
	struct libsp_code_key key;
	pid_t pid;		/* the last process that was found to have mapped it */
	uint64_t start, end;	/* where it has */
	const char *path;	/* as that process sees it */
	uint32_t processes;	/* how many have it */
};

struct libsp_code_files {
	struct libsp_arena arena;
	struct libsp_keys keys;
	struct libsp_rows rows;	/* struct libsp_code_file */
	struct libsp_buffer generators;	/* pid_t, of those that have mapped a jit-PID.dump */
};

void libsp_code_files_init(struct libsp_code_files *files);
int libsp_code_of_process(struct libsp_code_files *files, pid_t pid,
			  struct schedprof_error *error);
int libsp_code_of_all(struct libsp_code_files *files, bool (*goes_on)(void *data), void *data,
		      struct schedprof_error *error);
struct libsp_code_file *libsp_code_file_at(struct libsp_code_files *files, uint32_t index);
pid_t libsp_code_generator_at(const struct libsp_code_files *files, size_t index);
void libsp_code_files_free(struct libsp_code_files *files);
int libsp_code_file_open(const struct libsp_code_file *file, struct stat *status);

#endif

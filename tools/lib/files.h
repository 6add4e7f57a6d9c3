/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * files: small files that are read whole, and where file systems are mounted. No
 * state.
 */
#ifndef LIBSP_FILES_H
#define LIBSP_FILES_H

#include "schedprof.h"

char *libsp_read_fd(int fd, size_t *size, const char *path,
		    struct schedprof_error *error);
char *libsp_read_file(const char *path, size_t *size, struct schedprof_error *error);
char *libsp_mount_of(const char *type, const char *mounts,
		     struct schedprof_error *error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * open_file: opens nothing but regular files, and none outside of a directory; and makes
 * of one what may be mapped. No state.
 */
#ifndef LIBSP_OPEN_FILE_H
#define LIBSP_OPEN_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

int libsp_open_in(int directory, const char *path);
int libsp_open_in_by_steps(int directory, const char *path);
int libsp_open_regular(const char *root, const char *path, struct stat *status);
int libsp_open_regular_handle(int handle, struct stat *status);
bool libsp_is_of_root(int fd, const struct stat *status);
int libsp_open_to_map(int fd, uint64_t *room);

#endif

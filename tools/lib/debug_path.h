/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * debug_path: the directories of debug files, as a list with colons. Pure function.
 */
#ifndef LIBSP_DEBUG_PATH_H
#define LIBSP_DEBUG_PATH_H

#include <stddef.h>

const char *libsp_next_directory(const char **list, size_t *length);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * find_debug: separate debug files of a program. No state.
 */
#ifndef LIBSP_FIND_DEBUG_H
#define LIBSP_FIND_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

int libsp_find_debug(const char *root, const char *debug_path, const char *path,
		     const char *build_id, const char *link, uint32_t crc, uint64_t *room,
		     bool *refused);

#endif

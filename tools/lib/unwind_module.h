/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_module: the tables that the module has. No state but that of the kernel.
 */
#ifndef LIBSP_UNWIND_MODULE_H
#define LIBSP_UNWIND_MODULE_H

#include "schedprof.h"

int libsp_unwind_count(const struct schedprof *handle, uint64_t *tables);
int libsp_unwind_room(const struct schedprof *handle, unsigned int flags, uint64_t *room,
		      struct schedprof_error *error);
bool libsp_is_build_id(const char *text);

#endif

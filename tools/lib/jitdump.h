/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jitdump: reads files jit-PID.dump. No state.
 */
#ifndef LIBSP_JITDUMP_H
#define LIBSP_JITDUMP_H

#include "code_table.h"

bool libsp_jitdump_read(int fd, struct libsp_code_table *table, bool *timed,
			uint64_t *until);
bool libsp_jitdump_frames(int fd, struct libsp_code_table *table, bool *whole);

#endif

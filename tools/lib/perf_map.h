/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf_map: reads files perf-PID.map. No state.
 */
#ifndef LIBSP_PERF_MAP_H
#define LIBSP_PERF_MAP_H

#include "code_table.h"

bool libsp_perf_map_read(int fd, struct libsp_code_table *table);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * frame: what an address in a stack is. A recording does not change, so nothing is
 * locked.
 */
#ifndef LIBSP_FRAME_H
#define LIBSP_FRAME_H

#include "schedprof.h"

const struct schedprof_kernel *libsp_names_kernel(const struct schedprof_names *names);
struct schedprof_symbolizer *libsp_names_user(const struct schedprof_names *names);
const struct schedprof_task *
libsp_find_task(const struct schedprof_recording *recording, int32_t tid,
		uint64_t start_ns, uint32_t exec_id);
const struct schedprof_mapping *
libsp_mapping_at(const struct schedprof_recording *recording, uint32_t image,
		 uint64_t address);

#endif

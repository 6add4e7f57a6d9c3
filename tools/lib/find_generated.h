/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * find_generated: where a process wrote what the code is that it generated. No state.
 */
#ifndef LIBSP_FIND_GENERATED_H
#define LIBSP_FIND_GENERATED_H

#include "alive.h"

/* Of which process, and below which directory. */
struct libsp_generator {
	const struct libsp_process *process;
	const struct schedprof_recording *recording;
	uint32_t image;		/* of its mappings in the recording; 0: not known */
	const char *root;	/* "": not set */
};

int libsp_process_of_thread(int tid);
int libsp_open_perf_map(const struct libsp_generator *generator);
bool libsp_is_jitdump(const char *path);
int libsp_open_mapped_jitdump(const struct libsp_generator *generator);
int libsp_open_jitdump(const struct libsp_generator *generator);

#endif

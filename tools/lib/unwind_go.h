/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_go: what is different in programs with Go in them. What was found out is not
 * changed any more.
 */
#ifndef LIBSP_UNWIND_GO_H
#define LIBSP_UNWIND_GO_H

#include "elf_image.h"

/* The runtime has a dozen of them, and may have two of a name. */
#define LIBSP_GO_MAX_SWITCHES	32

struct libsp_go {
	bool is;		/* there is Go in the program */
	unsigned int count;
	uint64_t switches[LIBSP_GO_MAX_SWITCHES];	/* addresses of functions */
};

int libsp_go_of(const struct libsp_elf *elf, struct libsp_go *go,
		struct schedprof_error *error);
bool libsp_go_switches(const struct libsp_go *go, uint64_t function);

#endif

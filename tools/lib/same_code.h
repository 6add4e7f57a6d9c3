/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * same_code: where in a process's memory there is more of one and the same function. No
 * state.
 */
#ifndef LIBSP_SAME_CODE_H
#define LIBSP_SAME_CODE_H

#include "schedprof.h"

struct libsp_same_code {
	int pid;
	const uint64_t *told;	/* where it is known to be, in order */
	size_t count;		/* of these, at least one */
	uint64_t size;		/* of the function */
	/* Called for each other one. Return: 0 or a negative code. */
	int (*found)(void *data, uint64_t start, struct schedprof_error *error);
	void *data;
};

int libsp_same_code_find(const struct libsp_same_code *same, struct schedprof_error *error);

#endif

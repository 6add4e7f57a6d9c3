/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_generated: unwind tables of code that a process generated. No state.
 */
#ifndef LIBSP_UNWIND_GENERATED_H
#define LIBSP_UNWIND_GENERATED_H

#include "unwind_made.h"

/* Programs have their code in one or two of them. */
#define LIBSP_MAX_WINDOWS	8

struct libsp_generated_unwind {
	struct schedprof_unwind *table[LIBSP_MAX_WINDOWS];
	unsigned int count;
};

int libsp_unwind_of_dump(int fd, const char *name, const struct sp_unwind_process *process,
			 struct libsp_generated_unwind *made, struct schedprof_error *error);
void libsp_generated_unwind_free(struct libsp_generated_unwind *made);

#endif

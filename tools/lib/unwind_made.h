/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_made: a table that is made, as its makers and its readers see it; what is declared
 * here is in unwind_check.c. A table never changes.
 */
#ifndef LIBSP_UNWIND_MADE_H
#define LIBSP_UNWIND_MADE_H

#include <table_format.h>

#include "schedprof.h"

struct schedprof_unwind {
	struct sp_unwind_header *header;	/* the rows are behind it */
	char name[SP_UNWIND_NAME_ROOM];	/* build-id; or process, of generated code */
};

static inline const struct sp_unwind_row *
libsp_unwind_rows(const struct schedprof_unwind *table)
{
	return (const struct sp_unwind_row *)(table->header + 1);
}

void libsp_process_name(char name[SP_UNWIND_NAME_ROOM], const struct sp_unwind_process *of);
bool libsp_is_table_name(const char *text);
struct schedprof_unwind *libsp_unwind_wrap(void *bytes, struct schedprof_error *error);

#endif

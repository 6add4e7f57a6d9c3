/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_table: a table and what it is made of. A table never changes.
 */
#ifndef LIBSP_UNWIND_TABLE_H
#define LIBSP_UNWIND_TABLE_H

#include <table_format.h>

#include "elf_image.h"
#include "schedprof.h"

struct schedprof_unwind {
	struct sp_unwind_header *header;	/* the rows are behind it */
	char build_id[2 * SP_UNWIND_BUILD_ID_MAX + 1];
};

static inline const struct sp_unwind_row *
libsp_unwind_rows(const struct schedprof_unwind *table)
{
	return (const struct sp_unwind_row *)(table->header + 1);
}

struct schedprof_unwind *libsp_unwind_wrap(void *bytes, struct schedprof_error *error);
struct schedprof_unwind *libsp_unwind_of(const struct libsp_elf *elf, unsigned int flags,
					 struct schedprof_error *error);

#endif

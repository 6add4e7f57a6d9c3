/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_table: makes tables of files. No state.
 */
#ifndef LIBSP_UNWIND_TABLE_H
#define LIBSP_UNWIND_TABLE_H

#include "elf_image.h"
#include "unwind_made.h"

struct schedprof_unwind *libsp_unwind_of(const struct libsp_elf *elf, unsigned int flags,
					 struct schedprof_error *error);

#endif

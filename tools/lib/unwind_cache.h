/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_cache: unwind tables in a directory, by build-id. The directory is what several
 * processes share: files appear in it whole, by a rename.
 */
#ifndef LIBSP_UNWIND_CACHE_H
#define LIBSP_UNWIND_CACHE_H

#include "schedprof.h"

/* Of what makes tables: another number where it makes others of the same file. */
#define LIBSP_CACHE_MAKER 2

char *libsp_cache_default(void);
struct schedprof_unwind *libsp_cache_find(const char *directory, const char *build_id);
void libsp_cache_keep(const char *directory, const struct schedprof_unwind *table);

#endif

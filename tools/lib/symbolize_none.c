// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * symbolize_none: in place of symbolize, where libdw was not there when the library
 * was built. No state, so nothing is locked.
 */
#include "abi.h"
#include "error.h"
#include "schedprof.h"
#include "symbolize.h"

static int unsupported(struct schedprof_error *error)
{
	return libsp_fail(error, SCHEDPROF_UNSUPPORTED,
			  "this libschedprof was built without libdw, so it does not know the names of user functions; install libdw-dev or elfutils-devel and build it again");
}

LIBSP_EXPORT struct schedprof_symbolizer *
schedprof_symbolizer_open(struct schedprof_error *error)
{
	unsupported(error);
	return NULL;
}

LIBSP_EXPORT void schedprof_symbolizer_close(struct schedprof_symbolizer *symbolizer)
{
	(void)symbolizer;
}

LIBSP_EXPORT int schedprof_symbolizer_set_root(struct schedprof_symbolizer *symbolizer,
					       const char *root,
					       struct schedprof_error *error)
{
	(void)symbolizer;
	(void)root;
	return unsupported(error);
}

LIBSP_EXPORT int
schedprof_symbolizer_set_debug_path(struct schedprof_symbolizer *symbolizer,
				    const char *path, struct schedprof_error *error)
{
	(void)symbolizer;
	(void)path;
	return unsupported(error);
}

LIBSP_EXPORT int
schedprof_symbolizer_set_servers(struct schedprof_symbolizer *symbolizer, bool asked,
				 struct schedprof_error *error)
{
	(void)symbolizer;
	(void)asked;
	return unsupported(error);
}

LIBSP_EXPORT int schedprof_symbolize(struct schedprof_symbolizer *symbolizer, int pid,
				     const char *path, uint64_t offset,
				     struct schedprof_place *place, size_t size,
				     struct schedprof_error *error)
{
	(void)symbolizer;
	(void)pid;
	(void)path;
	(void)offset;
	memset(place, 0, size);
	return unsupported(error);
}

int libsp_symbolize_mapping(struct schedprof_symbolizer *symbolizer, int pid,
			    const struct schedprof_mapping *mapping, uint64_t offset,
			    struct schedprof_place *place)
{
	(void)symbolizer;
	(void)pid;
	(void)mapping;
	(void)offset;
	(void)place;
	return SCHEDPROF_MISSING_SYMBOLS;
}

int libsp_symbolize_generated(struct schedprof_symbolizer *symbolizer,
			      struct libsp_generator *generator, uint64_t address,
			      uint64_t time, struct libsp_generated_place *place)
{
	(void)symbolizer;
	(void)generator;
	(void)address;
	(void)time;
	(void)place;
	return SCHEDPROF_MISSING_SYMBOLS;
}

LIBSP_EXPORT const char *
schedprof_symbolizer_missing_at(struct schedprof_symbolizer *symbolizer, size_t index,
				int *why, const char **build_id)
{
	(void)symbolizer;
	(void)index;
	(void)why;
	(void)build_id;
	return NULL;
}

LIBSP_EXPORT bool schedprof_symbolizer_is_full(struct schedprof_symbolizer *symbolizer)
{
	(void)symbolizer;
	return false;
}

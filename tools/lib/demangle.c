// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * demangle: names of C++ and Rust functions, by GNU libiberty. Pure function.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "schedprof.h"

#ifdef LIBSP_HAVE_LIBIBERTY
#include <demangle.h>

LIBSP_EXPORT char *schedprof_demangle(const char *name)
{
	char *text;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	/* The old names of Rust look like those of C++, but with a hash at their end. */
	text = rust_demangle(name, 0);
	return text ? text : cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI);
}
#else
LIBSP_EXPORT char *schedprof_demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif

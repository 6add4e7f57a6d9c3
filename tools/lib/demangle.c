// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * demangle: names of C++ and Rust functions, by GNU libiberty. Pure function.
 *
 * Anybody may have written the name. What it says once may be printed again wherever it
 * refers to it, and there again, so that a few hundred bytes become gigabytes: printing
 * ends where a name is longer than anybody reads.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "buffer.h"
#include "schedprof.h"

#ifdef LIBSP_HAVE_LIBIBERTY
#include <demangle.h>

/* Names of real programs have some ten thousand bytes at most. */
#define MAX_LENGTH 65536

struct printed {
	struct libsp_buffer text;
	bool cut;
	jmp_buf *too_long;
};

/*
 * Called by libiberty, which has nothing to be told that it shall stop, and nothing
 * allocated while it prints more than one byte.
 */
static void print(const char *bytes, size_t length, void *data)
{
	struct printed *printed = data;

	printed->cut |= printed->text.failed || printed->text.size + length >= MAX_LENGTH;
	if (!printed->cut)
		libsp_buffer_add(&printed->text, bytes, length);
	else if (length > 1)
		longjmp(*printed->too_long, 1);
}

/* Return: whether @name was one, and was printed whole. */
static bool print_name(const char *name, struct printed *printed)
{
	jmp_buf too_long;

	printed->too_long = &too_long;
	if (setjmp(too_long))
		return false;
	/* The old names of Rust look like those of C++, but with a hash at their end. */
	if (rust_demangle_callback(name, 0, print, printed))
		return !printed->cut;
	printed->text.size = 0;
	printed->cut = false;
	return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, print, printed) &&
	       !printed->cut;
}

LIBSP_EXPORT char *schedprof_demangle(const char *name)
{
	struct printed printed = { };

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	if (print_name(name, &printed)) {
		libsp_buffer_add(&printed.text, "", 1);
		if (!printed.text.failed)
			return (char *)printed.text.at;
	}
	libsp_buffer_free(&printed.text);
	return NULL;
}
#else
LIBSP_EXPORT char *schedprof_demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif

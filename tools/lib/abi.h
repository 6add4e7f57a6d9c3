/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * abi: what the library exports, and structs that callers allocate: those may be
 * shorter or longer than the ones that the library was compiled with. No state.
 */
#ifndef LIBSP_ABI_H
#define LIBSP_ABI_H

#include <stddef.h>
#include <string.h>

#include "schedprof.h"

/* For functions that schedprof.h and the headers that it includes declare. */
#define LIBSP_EXPORT	__attribute__((visibility("default")))

/*
 * Copies a struct of @size bytes into the caller's, which has @room bytes: members
 * that the caller does not know are left out, and those that are not known here are
 * set to zero.
 */
static inline void libsp_copy_struct(void *to, size_t room, const void *from, size_t size)
{
	size_t both = room < size ? room : size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, room - both);
}

/* Does the caller's struct, of @size bytes, have this member? */
#define LIBSP_HAS(size, type, member)					\
	((size) >= offsetof(type, member) + sizeof(((type *)0)->member))

#endif

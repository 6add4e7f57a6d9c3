/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * buffer: bytes that grow at their end. A buffer has no lock: one thread at a time
 * uses it.
 *
 * Once there is no memory, failed is set and adding does nothing any more: callers
 * look at it once, in the end.
 */
#ifndef LIBSP_BUFFER_H
#define LIBSP_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "schedprof.h"

struct libsp_buffer {
	unsigned char *at;
	size_t size;		/* bytes that were added */
	size_t room;		/* bytes that are allocated */
	bool failed;
};

void *libsp_buffer_grow(struct libsp_buffer *buffer, size_t size);
void libsp_buffer_add(struct libsp_buffer *buffer, const void *bytes, size_t size);
void libsp_buffer_text(struct libsp_buffer *buffer, const char *text);
void libsp_buffer_print(struct libsp_buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *libsp_buffer_take(struct libsp_buffer *buffer, size_t *size,
			struct schedprof_error *error);
void libsp_buffer_free(struct libsp_buffer *buffer);

#endif

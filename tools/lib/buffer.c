// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * buffer: bytes that grow at their end. A buffer has no lock: one thread at a time
 * uses it.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "error.h"

/* Return: room for @size more bytes, which count as added; or NULL. */
void *libsp_buffer_grow(struct libsp_buffer *buffer, size_t size)
{
	unsigned char *at;

	if (buffer->failed)
		return NULL;
	if (size > buffer->room - buffer->size) {
		size_t room = buffer->room ? buffer->room : 256;

		while (room - buffer->size < size && room <= SIZE_MAX / 4)
			room *= 2;
		at = room - buffer->size < size ? NULL : realloc(buffer->at, room);
		if (!at) {
			buffer->failed = true;
			return NULL;
		}
		buffer->at = at;
		buffer->room = room;
	}
	at = buffer->at + buffer->size;
	buffer->size += size;
	return at;
}

void libsp_buffer_add(struct libsp_buffer *buffer, const void *bytes, size_t size)
{
	void *at;

	if (!size)
		return;
	at = libsp_buffer_grow(buffer, size);
	if (at)
		memcpy(at, bytes, size);
}

void libsp_buffer_text(struct libsp_buffer *buffer, const char *text)
{
	libsp_buffer_add(buffer, text, strlen(text));
}

void libsp_buffer_print(struct libsp_buffer *buffer, const char *format, ...)
{
	va_list arguments;
	char *at;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0) {
		buffer->failed = true;
		return;
	}
	/* The NUL gets room, but does not count as added. */
	at = libsp_buffer_grow(buffer, (size_t)length + 1);
	if (!at)
		return;
	va_start(arguments, format);
	vsnprintf(at, (size_t)length + 1, format, arguments);
	va_end(arguments);
	buffer->size--;
}

/* Return: the text with a NUL at its end, which the caller frees; or NULL. */
char *libsp_buffer_take(struct libsp_buffer *buffer, size_t *size,
			struct schedprof_error *error)
{
	char *text;

	libsp_buffer_add(buffer, "", 1);
	if (buffer->failed) {
		libsp_buffer_free(buffer);
		libsp_no_memory(error);
		return NULL;
	}
	if (size)
		*size = buffer->size - 1;
	text = (char *)buffer->at;
	*buffer = (struct libsp_buffer){ };
	return text;
}

void libsp_buffer_free(struct libsp_buffer *buffer)
{
	free(buffer->at);
	*buffer = (struct libsp_buffer){ };
}

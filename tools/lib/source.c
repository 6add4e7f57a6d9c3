// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * source: bytes from a file, a stream or memory, unpacked if they are packed. A
 * source has no lock: one thread at a time uses it.
 *
 * gzread(3) of zlib takes what follows a member of gzip, and is no member itself,
 * for the end of the data: here it is damage.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "schedprof.h"
#include "source.h"

int libsp_source_init(struct libsp_source *source, const char *name,
		      struct schedprof_error *error)
{
	source->fd = -1;
	source->name = strdup(name);
	return source->name ? 0 : libsp_no_memory(error);
}

void libsp_source_close(struct libsp_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	if (source->packing == LIBSP_PACKING_GZIP)
		inflateEnd(&source->zip);
	free(source->name);
}

/* Return: how many bytes came, 0 at the end, or a negative code. */
static ssize_t pull_bytes(struct libsp_source *source, unsigned char *to, size_t size,
			  struct schedprof_error *error)
{
	ssize_t got;

	if (source->stream) {
		errno = 0;
		got = (ssize_t)fread(to, 1, size, source->stream);
		if (!got && ferror(source->stream))
			got = -1;
	} else if (source->fd >= 0) {
		do
			got = read(source->fd, to, size);
		while (got < 0 && errno == EINTR);
	} else {
		got = (ssize_t)(size < source->memory_left ? size : source->memory_left);
		if (got)
			memcpy(to, source->memory, (size_t)got);
		source->memory += got;
		source->memory_left -= (size_t)got;
	}
	if (got < 0)
		return libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot read %s",
					source->name);
	source->taken += (uint64_t)got;
	return got;
}

/* Reads on if the room is empty; sets ended if there is nothing more. */
static int fill_room(struct libsp_source *source, struct schedprof_error *error)
{
	ssize_t got;

	if (source->at < source->filled || source->ended)
		return 0;
	got = pull_bytes(source, source->room, sizeof(source->room), error);
	if (got < 0)
		return (int)got;
	source->at = 0;
	source->filled = (size_t)got;
	source->ended = !got;
	return 0;
}

/* The first two bytes tell the packing, and they may come one by one. */
static int find_packing(struct libsp_source *source, struct schedprof_error *error)
{
	ssize_t got;

	while (source->filled < 2 && !source->ended) {
		got = pull_bytes(source, source->room + source->filled,
				 sizeof(source->room) - source->filled, error);
		if (got < 0)
			return (int)got;
		source->filled += (size_t)got;
		source->ended = !got;
	}
	source->ended = false;	/* for fill_room(), which finds out again */
	source->packing = LIBSP_PACKING_NONE;
	if (source->filled < 2 || source->room[0] != 0x1f || source->room[1] != 0x8b)
		return 0;
	/* 16: in the format of gzip. */
	if (inflateInit2(&source->zip, 16 + MAX_WBITS) != Z_OK)
		return libsp_no_memory(error);
	source->packing = LIBSP_PACKING_GZIP;
	source->member = true;
	return 0;
}

static int bad_packing(const struct libsp_source *source, int code, const char *what,
		       struct schedprof_error *error)
{
	uint64_t at = source->taken - (source->filled - source->at);

	return libsp_fail_at(error, code, at,
			     "%s is damaged: %s at byte %llu of the packed file; read it leniently to get what comes before",
			     source->name, what, (unsigned long long)at);
}

/* Calls inflate() once. @got: how many bytes came. Return: 0 or a negative code. */
static int unpack_some(struct libsp_source *source, unsigned char *to, size_t size,
		       size_t *got, struct schedprof_error *error)
{
	z_stream *zip = &source->zip;
	int result;

	if (!source->member) {
		/* Another member follows, or nothing. */
		if (inflateReset(zip) != Z_OK)
			return libsp_no_memory(error);
		source->member = true;
	}
	zip->next_in = source->room + source->at;
	zip->avail_in = (uInt)(source->filled - source->at);
	zip->next_out = to;
	zip->avail_out = (uInt)size;
	result = inflate(zip, Z_NO_FLUSH);
	source->at = source->filled - zip->avail_in;
	*got = size - zip->avail_out;
	if (result == Z_STREAM_END)
		source->member = false;
	else if (result == Z_MEM_ERROR)
		return libsp_no_memory(error);
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return bad_packing(source, SCHEDPROF_DAMAGED,
				   zip->msg ? zip->msg : "this is not gzip", error);
	return 0;
}

/* Reads some bytes; none only at the end. */
static int read_some(struct libsp_source *source, unsigned char *to, size_t size,
		     size_t *got, struct schedprof_error *error)
{
	int result;

	for (*got = 0; !*got; ) {
		result = fill_room(source, error);
		if (result)
			return result;
		if (source->ended) {
			if (source->packing == LIBSP_PACKING_GZIP && source->member)
				return bad_packing(source, SCHEDPROF_TRUNCATED,
						   "it ends too early", error);
			return 0;
		}
		if (source->packing == LIBSP_PACKING_GZIP) {
			result = unpack_some(source, to, size, got, error);
			if (result)
				return result;
		} else {
			*got = source->filled - source->at;
			if (*got > size)
				*got = size;
			memcpy(to, source->room + source->at, *got);
			source->at += *got;
		}
	}
	return 0;
}

/*
 * Reads @size bytes; fewer come only at the end of the data. Damage of the packing
 * is reported once the bytes before it are read. Return: 0 or a negative code.
 */
int libsp_source_read(struct libsp_source *source, void *to, size_t size, size_t *got,
		      struct schedprof_error *error)
{
	unsigned char *at = to;
	size_t n;
	int result;

	*got = 0;
	if (source->packing == LIBSP_PACKING_UNKNOWN) {
		result = find_packing(source, error);
		if (result)
			return result;
	}
	while (*got < size) {
		/* zlib counts with an int. */
		size_t want = size - *got < 1 << 20 ? size - *got : 1 << 20;

		result = read_some(source, at + *got, want, &n, error);
		if (result)
			return result;
		if (!n)
			break;
		*got += n;
	}
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reader: one snapshot after the other. Every length is checked before there is room
 * made for it, so that damaged data cannot ask for more memory than there are bytes
 * of data, but for one record. A reader has no lock: one thread at a time uses it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"
#include "buffer.h"
#include "error.h"
#include "parse.h"
#include "raw_format.h"
#include "record.h"
#include "results.h"
#include "schedprof.h"
#include "source.h"

/* How many times its packed size a snapshot may have above SCHEDPROF_LIMIT. */
#define MAX_RATIO 100

struct schedprof_reader {
	struct libsp_source source;
	uint64_t offset;		/* of what comes next, unpacked */
	uint64_t limit;			/* of a snapshot, in bytes */
	bool limited;			/* else see is_too_large() */
	uint64_t packed;		/* bytes of the source before the snapshot */
	bool lenient;
	int failed;			/* 0, or what every further call returns */
	struct schedprof_error why;
};

static struct schedprof_reader *make_reader(const char *name,
					    struct schedprof_error *error)
{
	struct schedprof_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		libsp_no_memory(error);
		return NULL;
	}
	if (libsp_source_init(&reader->source, name, error)) {
		free(reader);
		return NULL;
	}
	return reader;
}

/* Makes a reader of an open file, which is closed with it, or now on failure. */
static struct schedprof_reader *make_file_reader(int fd, const char *path,
						 struct schedprof_error *error)
{
	struct schedprof_reader *reader = make_reader(path, error);

	if (reader)
		reader->source.fd = fd;
	else
		close(fd);
	return reader;
}

LIBSP_EXPORT struct schedprof_reader *
schedprof_read_session(const struct schedprof *handle, const char *session,
		       struct schedprof_error *error)
{
	struct schedprof_reader *reader;
	char *path;
	int fd = libsp_open_result(handle, session, "raw", &path, error);

	if (fd < 0)
		return NULL;
	reader = make_file_reader(fd, path, error);
	free(path);
	return reader;
}

LIBSP_EXPORT struct schedprof_reader *schedprof_read_path(const char *path,
							  struct schedprof_error *error)
{
	int fd;

	if (!strcmp(path, "-"))
		return schedprof_read_stream(stdin, error);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot open %s", path);
		return NULL;
	}
	return make_file_reader(fd, path, error);
}

LIBSP_EXPORT struct schedprof_reader *
schedprof_read_stream(FILE *stream, struct schedprof_error *error)
{
	struct schedprof_reader *reader = make_reader("the stream", error);

	if (reader)
		reader->source.stream = stream;
	return reader;
}

LIBSP_EXPORT struct schedprof_reader *
schedprof_read_memory(const void *data, size_t size, struct schedprof_error *error)
{
	struct schedprof_reader *reader = make_reader("the memory", error);

	if (reader) {
		reader->source.memory = data;
		reader->source.memory_left = size;
	}
	return reader;
}

LIBSP_EXPORT void schedprof_reader_close(struct schedprof_reader *reader)
{
	if (!reader)
		return;
	libsp_source_close(&reader->source);
	free(reader);
}

LIBSP_EXPORT void schedprof_reader_be_lenient(struct schedprof_reader *reader)
{
	reader->lenient = true;
}

static bool is_damage(int result)
{
	return result == -SCHEDPROF_DAMAGED || result == -SCHEDPROF_TRUNCATED ||
	       result == -SCHEDPROF_NEWER;
}

LIBSP_EXPORT const struct schedprof_error *
schedprof_reader_damage(const struct schedprof_reader *reader)
{
	return reader->lenient && is_damage(reader->failed) ? &reader->why : NULL;
}

static int too_short(const struct schedprof_reader *reader, uint64_t end,
		     struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_TRUNCATED, end,
			     "%s ends at byte %llu, in the middle of a recording; read it leniently to get what comes before",
			     reader->source.name, (unsigned long long)end);
}

LIBSP_EXPORT void schedprof_reader_limit(struct schedprof_reader *reader, uint64_t bytes)
{
	reader->limit = bytes ? bytes : UINT64_MAX;
	reader->limited = true;
}

/*
 * What is not packed has its size on disk. Of gzip, one byte may become a thousand;
 * snapshots shrink to a tenth, and to less only if there is little in them.
 */
static bool is_too_large(const struct schedprof_reader *reader, uint64_t size)
{
	uint64_t limit = reader->limit;

	if (!reader->limited) {
		if (reader->source.packing != LIBSP_PACKING_GZIP)
			return false;
		limit = (reader->source.taken - reader->packed) * MAX_RATIO;
		if (limit < SCHEDPROF_LIMIT)
			limit = SCHEDPROF_LIMIT;
	}
	return size > limit;
}

static int too_large(const struct schedprof_reader *reader,
		     struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_TOO_LARGE, reader->offset,
			     "the recording at byte %llu of %s is larger when it is unpacked than it may be, as if somebody wanted to fill the memory; raise the limit if it is to be read",
			     (unsigned long long)reader->offset, reader->source.name);
}

/* Reads @size bytes to the end of @bytes. */
static int take_bytes(struct schedprof_reader *reader, struct libsp_buffer *bytes,
		      size_t size, size_t *got, struct schedprof_error *error)
{
	void *to;

	if (is_too_large(reader, bytes->size + size))
		return too_large(reader, error);
	to = libsp_buffer_grow(bytes, size);
	if (!to)
		return libsp_no_memory(error);
	return libsp_source_read(&reader->source, to, size, got, error);
}

/* Reads a record to the end of @bytes. Return: 1, 0 at the end of the data, or a code. */
static int take_record(struct schedprof_reader *reader, struct libsp_buffer *bytes,
		       struct libsp_record *record, struct schedprof_error *error)
{
	size_t got, at = bytes->size;
	int result;

	record->offset = reader->offset + at;
	result = take_bytes(reader, bytes, LIBSP_HEADER, &got, error);
	if (result)
		return result;
	if (!got && !at)
		return 0;
	if (!at) {
		result = libsp_record_order(bytes->at, got, record->offset,
					    &record->swap, error);
		if (result)
			return result;
	}
	if (got < LIBSP_HEADER)
		return too_short(reader, record->offset + got, error);
	result = libsp_record_header(record, bytes->at + at, error);
	if (result)
		return result;
	result = take_bytes(reader, bytes, libsp_padded(record->bytes), &got, error);
	if (result)
		return result;
	if (got < libsp_padded(record->bytes))
		return too_short(reader, record->offset + LIBSP_HEADER + got, error);
	record->body = bytes->at + at + LIBSP_HEADER;
	return libsp_record_check(record, bytes->at + at, error) ?: 1;
}

/* Reads all records up to the end of the sequence. Return: 1, 0 or a code. */
static int take_sequence(struct schedprof_reader *reader, struct libsp_buffer *bytes,
			 struct schedprof_error *error)
{
	struct libsp_record record = { };
	int result;

	result = take_record(reader, bytes, &record, error);
	if (result == 1)
		result = libsp_record_begin(&record, error) ?: 1;
	while (result == 1 && record.kind != SP_RAW_END) {
		result = take_record(reader, bytes, &record, error);
		if (result == 1 && record.kind == SP_RAW_BEGIN)
			return libsp_fail_at(error, SCHEDPROF_DAMAGED, record.offset,
					     "a new recording begins at byte %llu, before the one at byte %llu ended; read the file leniently to get what comes before",
					     (unsigned long long)record.offset,
					     (unsigned long long)reader->offset);
	}
	return result;
}

static int next_recording(struct schedprof_reader *reader,
			  struct schedprof_recording **recording,
			  struct schedprof_error *error)
{
	struct libsp_buffer bytes = { };
	uint64_t offset = reader->offset;
	void *shrunk;
	int result;

	reader->packed = reader->source.taken -
			 (reader->source.filled - reader->source.at);
	result = take_sequence(reader, &bytes, error);

	if (result != 1) {
		libsp_buffer_free(&bytes);
		return result;
	}
	reader->offset += bytes.size;
	/* The bytes stay as long as the recording, so the room for more is given back. */
	shrunk = realloc(bytes.at, bytes.size);
	if (shrunk)
		bytes.at = shrunk;
	*recording = libsp_parse(bytes.at, bytes.size, offset, error);
	return *recording ? 1 : -error->code;
}

LIBSP_EXPORT int schedprof_next(struct schedprof_reader *reader,
				struct schedprof_recording **recording,
				struct schedprof_error *error)
{
	int result = 0;

	*recording = NULL;
	if (!reader->failed) {
		result = next_recording(reader, recording, &reader->why);
		if (result >= 0)
			return result;
		reader->failed = result;
	}
	if (reader->lenient && is_damage(reader->failed))
		return 0;
	if (error)
		*error = reader->why;
	return reader->failed;
}

LIBSP_EXPORT struct schedprof_recording *schedprof_load(const char *path,
							struct schedprof_error *error)
{
	struct schedprof_reader *reader = schedprof_read_path(path, error);
	struct schedprof_recording *last = NULL, *recording;
	int result;

	if (!reader)
		return NULL;
	while ((result = schedprof_next(reader, &recording, error)) == 1) {
		schedprof_recording_free(last);
		last = recording;
	}
	schedprof_reader_close(reader);
	if (result < 0) {
		schedprof_recording_free(last);
		return NULL;
	}
	if (!last)
		libsp_fail(error, SCHEDPROF_TRUNCATED,
			   "there is no recording in %s; it is empty", path);
	return last;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * record: one record of the file raw: its header, its checksum, its numbers. Pure
 * functions.
 */
#include <string.h>
#include <zlib.h>

#include "error.h"
#include "raw_format.h"
#include "record.h"
#include "schedprof.h"

#define CRC_AT offsetof(struct sp_raw_record, crc)

uint32_t libsp_u32(const struct libsp_record *record, size_t offset)
{
	uint32_t value;

	memcpy(&value, record->body + offset, sizeof(value));
	return record->swap ? __builtin_bswap32(value) : value;
}

uint64_t libsp_u64(const struct libsp_record *record, size_t offset)
{
	uint64_t value;

	memcpy(&value, record->body + offset, sizeof(value));
	return record->swap ? __builtin_bswap64(value) : value;
}

/* The size of a body of that many bytes, with the filling that follows. */
size_t libsp_padded(uint32_t bytes)
{
	return ((size_t)bytes + 7) & ~(size_t)7;
}

static int no_recording(uint64_t offset, struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, offset,
			     "at byte %llu there is no recording of schedprof; give a file that was written by schedprof record, or read from raw",
			     (unsigned long long)offset);
}

/*
 * Is that the header of a first record, and in which byte order? Also decides for
 * data that end within it: @size is how much there is. Return: 0 or a negative code.
 */
int libsp_record_order(const unsigned char *header, size_t size, uint64_t offset,
		       bool *swap, struct schedprof_error *error)
{
	struct sp_raw_record first = { .kind = SP_RAW_BEGIN }, other;
	size_t known = size < sizeof(first.kind) ? size : sizeof(first.kind);

	other.kind = __builtin_bswap32(first.kind);
	*swap = memcmp(header, &first.kind, known) != 0;
	if (*swap && memcmp(header, &other.kind, known))
		return no_recording(offset, error);
	return 0;
}

/*
 * What a header says; swap and offset of @record are set by the caller, and body is
 * still to come. Return: 0 or a negative code.
 */
int libsp_record_header(struct libsp_record *record, const unsigned char *header,
			struct schedprof_error *error)
{
	record->body = header;
	record->kind = libsp_u32(record, offsetof(struct sp_raw_record, kind));
	record->bytes = libsp_u32(record, offsetof(struct sp_raw_record, bytes));
	record->body = NULL;
	if (record->bytes > SP_RAW_MAX_BYTES)
		return libsp_fail_at(error, SCHEDPROF_DAMAGED, record->offset,
				     "the record at byte %llu is damaged: it says that it has %u bytes, and none has more than %u; read the file leniently to get what comes before",
				     (unsigned long long)record->offset, record->bytes,
				     SP_RAW_MAX_BYTES);
	return 0;
}

static int damaged_bytes(const struct libsp_record *record, const char *what,
			 struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, record->offset,
			     "the record at byte %llu is damaged: %s; read the file leniently to get what comes before",
			     (unsigned long long)record->offset, what);
}

/* Is the record the one that was written? The body is there, with its filling. */
int libsp_record_check(struct libsp_record *record, const unsigned char *header,
		       struct schedprof_error *error)
{
	unsigned char blank[LIBSP_HEADER];
	uint32_t stored;
	size_t i;
	uLong sum;

	memcpy(blank, header, LIBSP_HEADER);
	memcpy(&stored, blank + CRC_AT, sizeof(stored));
	if (record->swap)
		stored = __builtin_bswap32(stored);
	memset(blank + CRC_AT, 0, sizeof(stored));
	sum = crc32(crc32(0, blank, LIBSP_HEADER), record->body, record->bytes);
	if (sum != stored)
		return damaged_bytes(record, "its checksum is wrong", error);
	for (i = record->bytes; i < libsp_padded(record->bytes); i++)
		if (record->body[i])
			return damaged_bytes(record, "it is not filled up with zeros",
					     error);
	return 0;
}

/* The first record of a sequence: is it one that this library reads? */
int libsp_record_begin(const struct libsp_record *record, struct schedprof_error *error)
{
	uint32_t order, version;

	if (record->kind != SP_RAW_BEGIN ||
	    record->bytes < sizeof(struct sp_raw_begin) ||
	    memcmp(record->body, SP_RAW_MAGIC, sizeof(SP_RAW_MAGIC) - 1))
		return no_recording(record->offset, error);
	order = libsp_u32(record, offsetof(struct sp_raw_begin, byte_order));
	if (order != SP_RAW_BYTE_ORDER)
		return damaged_bytes(record, "its byte order is none", error);
	version = libsp_u32(record, offsetof(struct sp_raw_begin, version));
	if (version != SP_RAW_VERSION)
		return libsp_fail_at(error, SCHEDPROF_NEWER, record->offset,
				     "the recording at byte %llu has version %u of the format, and this library reads version %u; install a newer libschedprof",
				     (unsigned long long)record->offset, version,
				     SP_RAW_VERSION);
	return 0;
}

/*
 * Fails because of what a record says, though it is the one that was written. Return:
 * a negative code.
 */
int libsp_record_damaged(const struct libsp_record *record, const char *what,
			 struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, record->offset,
			     "the record at byte %llu (kind %u) is damaged: %s; read the file leniently to get what comes before",
			     (unsigned long long)record->offset, record->kind, what);
}

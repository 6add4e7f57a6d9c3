// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_check: tables that were made before are checked, and looked into. A table never
 * changes, so nothing is locked.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "abi.h"
#include "error.h"
#include "hex.h"
#include "unwind_made.h"
#include "unwind_module.h"

/* What the module calls it in lists. */
void libsp_process_name(char name[SP_UNWIND_NAME_ROOM], const struct sp_unwind_process *of)
{
	snprintf(name, SP_UNWIND_NAME_ROOM, SP_UNWIND_PROCESS_FORMAT, of->pid,
		 (unsigned long long)of->start, of->window);
}

/* A build-id, or what libsp_process_name() makes? */
bool libsp_is_table_name(const char *text)
{
	char name[SP_UNWIND_NAME_ROOM];
	struct sp_unwind_process of;
	unsigned long long start;

	if (libsp_is_build_id(text))
		return true;
	if (sscanf(text, SP_UNWIND_PROCESS_FORMAT, &of.pid, &start, &of.window) != 3)
		return false;
	of.start = start;
	libsp_process_name(name, &of);
	return !strcmp(name, text);
}

/* Takes @bytes over, whatever happens. Return: a table of them, or NULL. */
struct schedprof_unwind *libsp_unwind_wrap(void *bytes, struct schedprof_error *error)
{
	struct schedprof_unwind *table = calloc(1, sizeof(*table));
	struct sp_unwind_process of;

	if (!table) {
		free(bytes);
		libsp_no_memory(error);
		return NULL;
	}
	table->header = bytes;
	if (table->header->flags & SP_UNWIND_PROCESS) {
		memcpy(&of, table->header->build_id, sizeof(of));
		libsp_process_name(table->name, &of);
	} else {
		libsp_hex(table->name, table->header->build_id,
			  table->header->build_id_bytes);
	}
	return table;
}

static bool is_good_header(const struct sp_unwind_header *header)
{
	unsigned int i;

	if (!header->build_id_bytes || header->build_id_bytes > SP_UNWIND_BUILD_ID_MAX ||
	    header->reserved || !header->rows || header->machine != EM_X86_64)
		return false;
	if (header->flags == SP_UNWIND_PROCESS) {
		if (header->build_id_bytes != sizeof(struct sp_unwind_process))
			return false;
	} else if (header->flags & ~(SP_UNWIND_VDSO | SP_UNWIND_OF_ROOT)) {
		return false;
	}
	for (i = header->build_id_bytes; i < SP_UNWIND_BUILD_ID_MAX; i++)
		if (header->build_id[i])
			return false;
	return true;
}

static int damaged(size_t at, const char *what, struct schedprof_error *error)
{
	return libsp_fail_at(error, SCHEDPROF_DAMAGED, at,
			     "this is no good unwind table: %s; make it again", what);
}

static int check_table(const unsigned char *data, size_t size,
		       struct schedprof_error *error)
{
	size_t behind = offsetof(struct sp_unwind_header, crc) + sizeof(uint32_t), at;
	struct sp_unwind_header header;
	struct sp_unwind_row row, last = { };
	uint32_t i;

	if (size < sizeof(header) || size > SP_UNWIND_MAX_BYTES)
		return damaged(0, "its size", error);
	memcpy(&header, data, sizeof(header));
	if (memcmp(header.magic, SP_UNWIND_MAGIC, sizeof(header.magic)))
		return damaged(0, "its first bytes", error);
	if (header.version != SP_UNWIND_VERSION)
		return libsp_fail(error, SCHEDPROF_NEWER,
				  "this unwind table is of version %u, and this library knows %u; make it again",
				  header.version, SP_UNWIND_VERSION);
	if (header.bytes != size ||
	    (size - sizeof(header)) / sizeof(row) != header.rows ||
	    (size - sizeof(header)) % sizeof(row))
		return damaged(0, "its size", error);
	if ((uint32_t)crc32(crc32(0, NULL, 0), data + behind, (uInt)(size - behind)) !=
	    header.crc)
		return damaged(behind, "its checksum", error);
	if (!is_good_header(&header))
		return damaged(behind, "its head", error);
	for (i = 0; i < header.rows; i++, last = row) {
		at = sizeof(header) + i * sizeof(row);
		memcpy(&row, data + at, sizeof(row));
		if (!sp_unwind_row_is_known(&row))
			return damaged(at, "a row", error);
		if (i && row.offset <= last.offset)
			return damaged(at, "the order of its rows", error);
	}
	return 0;
}

LIBSP_EXPORT struct schedprof_unwind *
schedprof_unwind_read(const void *data, size_t size, struct schedprof_error *error)
{
	void *copy;

	if (check_table(data, size, error))
		return NULL;
	copy = malloc(size);
	if (!copy) {
		libsp_no_memory(error);
		return NULL;
	}
	memcpy(copy, data, size);
	return libsp_unwind_wrap(copy, error);
}

LIBSP_EXPORT void schedprof_unwind_free(struct schedprof_unwind *table)
{
	if (!table)
		return;
	free(table->header);
	free(table);
}

LIBSP_EXPORT const void *schedprof_unwind_data(const struct schedprof_unwind *table,
					       size_t *size)
{
	*size = table->header->bytes;
	return table->header;
}

LIBSP_EXPORT const char *schedprof_unwind_build_id(const struct schedprof_unwind *table)
{
	return table->name;
}

LIBSP_EXPORT size_t schedprof_unwind_row_count(const struct schedprof_unwind *table)
{
	return table->header->rows;
}

LIBSP_EXPORT bool schedprof_unwind_row_at(const struct schedprof_unwind *table,
					  size_t index, struct schedprof_unwind_row *row,
					  size_t size)
{
	const struct sp_unwind_row *from = libsp_unwind_rows(table) + index;
	struct schedprof_unwind_row is;

	if (index >= table->header->rows)
		return false;
	/* What lies between its parts is not left as it was. */
	memset(&is, 0, sizeof(is));
	is.offset = from->offset;
	is.kind = (int)sp_unwind_kind(from);
	is.cfa = from->cfa;
	is.saved = sp_unwind_saved(from);
	libsp_copy_struct(row, size, &is, sizeof(is));
	return true;
}

LIBSP_EXPORT bool schedprof_unwind_find(const struct schedprof_unwind *table,
					uint64_t offset, struct schedprof_unwind_row *row,
					size_t size)
{
	const struct sp_unwind_row *rows = libsp_unwind_rows(table);
	size_t low = 0, high = table->header->rows, middle;

	/* The first one that is behind it is at high. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (rows[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return high && schedprof_unwind_row_at(table, high - 1, row, size);
}

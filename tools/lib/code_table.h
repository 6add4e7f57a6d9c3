/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * code_table: which generated function was at an address, at a time. A table is filled
 * by one thread, and does not change once it is ready.
 */
#ifndef LIBSP_CODE_TABLE_H
#define LIBSP_CODE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "buffer.h"

/*
 * So much of a file is kept. What is beyond that may have taken the place of what is kept: so of a
 * file with times only what was there before counts, and of others nothing.
 */
#define LIBSP_MAX_CODE		1048576
#define LIBSP_MAX_CODE_NAME	4096
#define LIBSP_MAX_CODE_BYTES	268435456
/* After all times. */
#define LIBSP_CODE_LAST		UINT64_MAX

/* From @address on, up to the next one, it is that line. */
struct libsp_code_line {
	uint64_t address;
	uint32_t line;
	const char *source;
};

/* What came to an address. */
struct libsp_code {
	uint64_t start;
	uint64_t end;		/* exclusive */
	uint64_t time;		/* since when it is there; 0: from the beginning */
	const char *name;	/* NULL: nothing is there any more */
	const struct libsp_code_line *lines;	/* sorted by address */
	size_t line_count;
	uint64_t lines_start;	/* where the code was that the lines are of */
	const unsigned char *frames;	/* .eh_frame of it; NULL: not told, or not asked for */
	size_t frames_size;
};

struct libsp_code_table {
	struct libsp_arena arena;	/* of names and lines */
	size_t arena_bytes;
	bool full;			/* a file has more than may be kept of it */
	struct libsp_buffer codes;	/* struct libsp_code; once ready, by time */
	uint64_t *bounds;		/* all starts and ends, sorted, each once */
	size_t bound_count;
	uint32_t *first;		/* of each node of the tree: its place in of_node */
	uint32_t *of_node;		/* numbers of codes, of a node by time */
};

bool libsp_code_add(struct libsp_code_table *table, const struct libsp_code *code);
const char *libsp_code_text(struct libsp_code_table *table, const char *text,
			    size_t length);
void *libsp_code_room(struct libsp_code_table *table, size_t size);
bool libsp_code_ready(struct libsp_code_table *table);
const struct libsp_code *libsp_code_find(const struct libsp_code_table *table,
					 uint64_t address, uint64_t time);
const struct libsp_code_line *libsp_code_line_find(const struct libsp_code *code,
						   uint64_t address);
size_t libsp_code_bytes(const struct libsp_code_table *table);
void libsp_code_free(struct libsp_code_table *table);

#endif

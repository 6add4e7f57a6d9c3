/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * parse_rows: from one record to an element of an array of the recording. A parser
 * is used by the one thread that parses.
 */
#ifndef LIBSP_PARSE_ROWS_H
#define LIBSP_PARSE_ROWS_H

#include "record.h"
#include "recording.h"

/* The kinds of records that are known are below that. */
#define LIBSP_KINDS (SP_RAW_CGROUP + 1)

/* Of a stack: far more than there is room for in one of the module. */
#define LIBSP_MAX_FRAMES 4096

/*
 * Of a path or a name, one of which may be told in each of these frames. Paths of the kernel
 * have PATH_MAX bytes at most, and its names a lot less.
 */
#define LIBSP_MAX_TEXT 4096

/* A place of a hash table: the element that has a number. Number 0: a free place. */
struct libsp_number {
	uint32_t number;
	uint32_t index;
};

/* A hash table, at least twice as large as what is put into it. */
struct libsp_numbers {
	struct libsp_number *table;
	size_t mask;
	uint64_t factor;	/* of all numbers, odd, and not known to whoever made the file */
};

struct libsp_parser {
	struct schedprof_recording *recording;
	struct libsp_numbers tasks;
	struct libsp_numbers stacks;
	struct libsp_numbers files;
	struct libsp_numbers cgroups;
};

int libsp_parser_init(struct libsp_parser *parser, const size_t counts[LIBSP_KINDS],
		      struct schedprof_error *error);
void libsp_parser_free(struct libsp_parser *parser);
int libsp_parse_row(struct libsp_parser *parser, const struct libsp_record *record,
		    struct schedprof_error *error);

#endif

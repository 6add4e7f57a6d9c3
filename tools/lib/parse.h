/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What making a recording needs only while it is made. One thread.
 */
#ifndef LIBSP_PARSE_H
#define LIBSP_PARSE_H

#include "internal.h"

/* Kinds of records that we know are below that. */
#define LIBSP_KINDS (SP_RAW_FILES + 1)

/*
 * Which number means which element: a hash table, twice as large as what will be in
 * it. Number 0 is a free place.
 */
struct libsp_number {
	uint32_t number;
	uint32_t index;
};

struct libsp_numbers {
	struct libsp_number *table;
	size_t mask;
};

struct libsp_parser {
	struct schedprof_recording *recording;
	struct libsp_numbers tasks;
	struct libsp_numbers stacks;
	struct libsp_numbers files;
};

int libsp_damaged(const struct libsp_record *record, const char *what,
		  struct schedprof_error *error);

int libsp_parser_init(struct libsp_parser *parser, const size_t counts[LIBSP_KINDS],
		      struct schedprof_error *error);
void libsp_parser_free(struct libsp_parser *parser);
int libsp_parse_row(struct libsp_parser *parser, const struct libsp_record *record,
		    struct schedprof_error *error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What making a recording needs only while it is made. One thread.
 */
#ifndef SP_PARSE_H
#define SP_PARSE_H

#include "internal.h"

/* Kinds of records that we know are below that. */
#define SP_RAW_KINDS (SP_RAW_FILES + 1)

/*
 * Which number means which element: a hash table, twice as large as what will be in
 * it. Number 0 is a free place.
 */
struct sp_number {
	uint32_t number;
	uint32_t index;
};

struct sp_numbers {
	struct sp_number *table;
	size_t mask;
};

struct sp_parser {
	struct schedprof_recording *recording;
	struct sp_numbers tasks;
	struct sp_numbers stacks;
	struct sp_numbers files;
};

int sp_damaged(const struct sp_record *record, const char *what,
	       struct schedprof_error *error);

int sp_parser_init(struct sp_parser *parser, const size_t counts[SP_RAW_KINDS],
		   struct schedprof_error *error);
void sp_parser_free(struct sp_parser *parser);
int sp_parse_row(struct sp_parser *parser, const struct sp_record *record,
		 struct schedprof_error *error);

#endif

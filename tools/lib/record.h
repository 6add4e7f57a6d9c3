/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * record: one record of the file raw: its header, its checksum, its numbers. Pure
 * functions.
 */
#ifndef LIBSP_RECORD_H
#define LIBSP_RECORD_H

#include <stdbool.h>

#include "raw_format.h"
#include "schedprof.h"

struct libsp_record {
	uint32_t kind;
	uint32_t bytes;		/* of the body */
	bool swap;		/* the byte order of the writer is not the one here */
	const unsigned char *body;
	uint64_t offset;	/* of the header, in the data */
};

/* The size of a header. */
#define LIBSP_HEADER	sizeof(struct sp_raw_record)

uint32_t libsp_u32(const struct libsp_record *record, size_t offset);
uint64_t libsp_u64(const struct libsp_record *record, size_t offset);
size_t libsp_padded(uint32_t bytes);
int libsp_record_order(const unsigned char *header, size_t size, uint64_t offset,
		       bool *swap, struct schedprof_error *error);
int libsp_record_header(struct libsp_record *record, const unsigned char *header,
			struct schedprof_error *error);
int libsp_record_check(struct libsp_record *record, const unsigned char *header,
		       struct schedprof_error *error);
int libsp_record_begin(const struct libsp_record *record, struct schedprof_error *error);
int libsp_record_damaged(const struct libsp_record *record, const char *what,
			 struct schedprof_error *error);

#endif

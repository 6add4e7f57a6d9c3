/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recordings that the library makes itself, and numbers for things that are the
 * same. One thread.
 */
#ifndef SP_ENCODE_H
#define SP_ENCODE_H

#include "internal.h"

struct sp_encoder {
	struct sp_buffer out;
	uint64_t records;
};

void sp_encode(struct sp_encoder *encoder, enum sp_raw_kind kind, const void *fields,
	       size_t size, const void *rest, size_t rest_size);
void sp_encode_begin(struct sp_encoder *encoder);
struct schedprof_recording *sp_encode_end(struct sp_encoder *encoder,
					  struct schedprof_error *error);

/* Keys of any kind, numbered from 1 in the order in which they came. */
struct sp_keys {
	void *tree;		/* of struct sp_key */
	struct sp_arena *arena;
	uint32_t count;
};

uint32_t sp_key_number(struct sp_keys *keys, const void *key, size_t size,
		       bool *fresh);
void sp_keys_free(struct sp_keys *keys);

/* An array whose elements are numbered from 1. */
struct sp_rows {
	struct sp_buffer buffer;
	size_t size;		/* of an element */
};

void *sp_row(struct sp_rows *rows, uint32_t number);
void *sp_row_add(struct sp_rows *rows);
uint32_t sp_row_count(const struct sp_rows *rows);

#endif

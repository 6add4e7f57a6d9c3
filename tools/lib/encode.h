/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recordings that the library makes itself, and numbers for things that are the
 * same. One thread.
 */
#ifndef LIBSP_ENCODE_H
#define LIBSP_ENCODE_H

#include "internal.h"

struct libsp_encoder {
	struct libsp_buffer out;
	uint64_t records;
};

void libsp_encode(struct libsp_encoder *encoder, enum sp_raw_kind kind, const void *fields,
		  size_t size, const void *rest, size_t rest_size);
void libsp_encode_begin(struct libsp_encoder *encoder);
struct schedprof_recording *libsp_encode_end(struct libsp_encoder *encoder,
					     struct schedprof_error *error);

/* Keys of any kind, numbered from 1 in the order in which they came. */
struct libsp_keys {
	void *tree;		/* of struct libsp_key */
	struct libsp_arena *arena;
	uint32_t count;
};

uint32_t libsp_key_number(struct libsp_keys *keys, const void *key, size_t size,
			  bool *fresh);
void libsp_keys_free(struct libsp_keys *keys);

/* An array whose elements are numbered from 1. */
struct libsp_rows {
	struct libsp_buffer buffer;
	size_t size;		/* of an element */
};

void *libsp_row(struct libsp_rows *rows, uint32_t number);
void *libsp_row_add(struct libsp_rows *rows);
uint32_t libsp_row_count(const struct libsp_rows *rows);

#endif

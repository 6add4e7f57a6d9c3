/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * keys: numbers, from 1 on, for things that are the same, and arrays whose elements
 * have such numbers. One thread at a time.
 */
#ifndef LIBSP_KEYS_H
#define LIBSP_KEYS_H

#include <stdbool.h>

#include "arena.h"
#include "buffer.h"

/* Keys of any kind, numbered from 1 in the order in which they came. */
struct libsp_keys {
	void *tree;		/* of struct libsp_key */
	struct libsp_arena *arena;
	uint32_t count;
};

/* An array whose elements are numbered from 1. */
struct libsp_rows {
	struct libsp_buffer buffer;
	size_t size;		/* of an element */
};

uint32_t libsp_key_number(struct libsp_keys *keys, const void *key, size_t size,
			  bool *fresh);
void *libsp_key_row(struct libsp_keys *keys, struct libsp_rows *rows, const void *key,
		    size_t size, bool *fresh);
void libsp_keys_free(struct libsp_keys *keys);

void *libsp_row(struct libsp_rows *rows, uint32_t number);
void *libsp_row_add(struct libsp_rows *rows);
uint32_t libsp_row_count(const struct libsp_rows *rows);

#endif

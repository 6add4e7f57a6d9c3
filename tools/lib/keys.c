// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * keys: numbers, from 1 on, for things that are the same, and arrays whose elements
 * have such numbers. One thread at a time uses what belongs together.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "buffer.h"
#include "keys.h"

struct libsp_key {
	uint32_t number;
	size_t size;
	const void *bytes;
};

static int compare_keys(const void *a, const void *b)
{
	const struct libsp_key *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->size);
}

/* Return: the number of the key, which @fresh says is new; 0: no memory. */
uint32_t libsp_key_number(struct libsp_keys *keys, const void *key, size_t size,
			  bool *fresh)
{
	struct libsp_key wanted = { .size = size, .bytes = key }, *made, **found;

	*fresh = false;
	found = tfind(&wanted, &keys->tree, compare_keys);
	if (found)
		return (*found)->number;
	made = libsp_arena_get(keys->arena, sizeof(*made));
	if (!made || keys->count == UINT32_MAX)
		return 0;
	made->size = size;
	made->bytes = libsp_arena_text(keys->arena, key, size);
	if (!made->bytes || !tsearch(made, &keys->tree, compare_keys))
		return 0;
	made->number = ++keys->count;
	*fresh = true;
	return made->number;
}

/* None are left; they themselves are given back with their arena. */
void libsp_keys_free(struct libsp_keys *keys)
{
	tdestroy(keys->tree, libsp_arena_keep);
	keys->tree = NULL;
	keys->count = 0;
}

/* Return: the element of that number, which stays in place until one is added. */
void *libsp_row(struct libsp_rows *rows, uint32_t number)
{
	return rows->buffer.at + (size_t)(number - 1) * rows->size;
}

/* Return: another element, all zero; or NULL. */
void *libsp_row_add(struct libsp_rows *rows)
{
	void *row = libsp_buffer_grow(&rows->buffer, rows->size);

	return row ? memset(row, 0, rows->size) : NULL;
}

uint32_t libsp_row_count(const struct libsp_rows *rows)
{
	return (uint32_t)(rows->buffer.size / rows->size);
}

/*
 * The element of @rows that has the number of the key: a new one, all zero, if @fresh
 * says that the key is new. Return: the element, or NULL if there is no memory.
 */
void *libsp_key_row(struct libsp_keys *keys, struct libsp_rows *rows, const void *key,
		    size_t size, bool *fresh)
{
	uint32_t number = libsp_key_number(keys, key, size, fresh);

	if (!number)
		return NULL;
	if (*fresh)
		return libsp_row_add(rows);
	/* There may have been memory for the key, and none for its element. */
	return number <= libsp_row_count(rows) ? libsp_row(rows, number) : NULL;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * arena: many small pieces of memory that are given back together. An arena has no
 * lock: its owner lets one thread at a time take from it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

#define CHUNK 65536

struct libsp_chunk {
	struct libsp_chunk *next;
	size_t used;
	/* The alignment suits every type that is taken from an arena. */
	_Alignas(16) unsigned char room[];
};

/* Return: @size bytes, zero, aligned for anything; or NULL. */
void *libsp_arena_get(struct libsp_arena *arena, size_t size)
{
	struct libsp_chunk *chunk = arena->chunks;
	size_t want;
	void *at;

	if (size > SIZE_MAX / 2)
		return NULL;
	want = (size + 15) & ~(size_t)15;
	if (!chunk || arena->left < want) {
		size_t room = want > CHUNK ? want : CHUNK;

		chunk = calloc(1, sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->left = room;
	}
	at = chunk->room + chunk->used;
	chunk->used += want;
	arena->left -= want;
	return at;
}

/* Return: a copy with a NUL at its end, or NULL. */
char *libsp_arena_text(struct libsp_arena *arena, const void *text, size_t length)
{
	char *copy = libsp_arena_get(arena, length + 1);

	if (copy)
		memcpy(copy, text, length);
	return copy;
}

void libsp_arena_free(struct libsp_arena *arena)
{
	struct libsp_chunk *chunk, *next;

	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	arena->chunks = NULL;
	arena->left = 0;
}

/* For tdestroy(), of a tree whose nodes are in an arena and end with it. */
void libsp_arena_keep(void *node)
{
	(void)node;
}

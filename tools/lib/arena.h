/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arena: memory that is given back all at once. An arena has no lock: its owner lets
 * one thread at a time use it.
 */
#ifndef LIBSP_ARENA_H
#define LIBSP_ARENA_H

#include <stddef.h>

struct libsp_chunk;

struct libsp_arena {
	struct libsp_chunk *chunks;	/* the newest first */
	size_t left;			/* bytes of the newest chunk */
};

void *libsp_arena_get(struct libsp_arena *arena, size_t size);
char *libsp_arena_text(struct libsp_arena *arena, const void *text, size_t length);
void libsp_arena_free(struct libsp_arena *arena);
void libsp_arena_keep(void *node);

#endif

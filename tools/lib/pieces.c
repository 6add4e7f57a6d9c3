// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * pieces: which mapping of a program is at an address. Of those that hold it, the one that
 * comes first in the recording counts: it was mapped last.
 *
 * The addresses of each program are cut where its mappings start and end, and each piece
 * has the mapping that counts there. However a file was made, that takes no longer than
 * sorting, and to look for an address no longer than the logarithm.
 *
 * The one thread that parses makes them, and then they do not change. Nothing is locked.
 */
#include <stdlib.h>

#include "error.h"
#include "pieces.h"

/* From @start on, up to the next one of that image. */
struct piece {
	uint64_t start;
	uint32_t image;
	const struct schedprof_mapping *mapping;	/* NULL: nothing is there */
};

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* How many pieces start before an address of an image, or there. */
static size_t count_up_to(const struct schedprof_recording *recording, uint32_t image,
			  uint64_t address)
{
	const struct piece wanted = { .start = address, .image = image };
	const struct piece *pieces = recording->pieces.at;
	size_t low = 0, high = recording->pieces.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_place(&pieces[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All starts and ends, sorted, each once. Return: false if there is no memory. */
static bool cut_pieces(struct schedprof_recording *recording)
{
	const struct schedprof_mapping *mappings = recording->mappings.at;
	size_t i, kept = 0, count = recording->mappings.count;
	struct piece *pieces;

	pieces = libsp_arena_get(&recording->arena, 2 * count * sizeof(*pieces));
	if (!pieces)
		return false;
	for (i = 0; i < count; i++) {
		pieces[2 * i].start = mappings[i].start;
		pieces[2 * i].image = mappings[i].image;
		pieces[2 * i + 1].start = mappings[i].end;
		pieces[2 * i + 1].image = mappings[i].image;
	}
	qsort(pieces, 2 * count, sizeof(*pieces), by_place);
	for (i = 0; i < 2 * count; i++)
		if (!kept || by_place(&pieces[kept - 1], &pieces[i]))
			pieces[kept++] = pieces[i];
	recording->pieces = (struct libsp_list){ pieces, kept };
	return true;
}

/* The first piece from @at on that has no mapping yet. What is gone over is shortened. */
static size_t next_free(size_t *next, size_t at)
{
	while (next[at] != at) {
		next[at] = next[next[at]];
		at = next[at];
	}
	return at;
}

/* @next: of each piece; itself, as long as it has no mapping, or one up to the next such */
static void fill_pieces(struct schedprof_recording *recording, size_t *next)
{
	const struct schedprof_mapping *mapping = recording->mappings.at;
	struct piece *pieces = recording->pieces.at;
	size_t i, at, end;

	for (i = 0; i < recording->pieces.count; i++)
		next[i] = i;
	for (i = 0; i < recording->mappings.count; i++, mapping++) {
		at = count_up_to(recording, mapping->image, mapping->start) - 1;
		end = count_up_to(recording, mapping->image, mapping->end) - 1;
		while ((at = next_free(next, at)) < end) {
			pieces[at].mapping = mapping;
			next[at] = at + 1;
		}
	}
}

/* @recording: has its mappings. Return: 0 or a negative code. */
int libsp_pieces_make(struct schedprof_recording *recording, struct schedprof_error *error)
{
	size_t *next;

	if (!recording->mappings.count)
		return 0;
	next = calloc(2 * recording->mappings.count, sizeof(*next));
	if (!next || !cut_pieces(recording)) {
		free(next);
		return libsp_no_memory(error);
	}
	fill_pieces(recording, next);
	free(next);
	return 0;
}

/* Return: the mapping that counts there, or NULL. */
const struct schedprof_mapping *
libsp_piece_find(const struct schedprof_recording *recording, uint32_t image,
		 uint64_t address)
{
	const struct piece *pieces = recording->pieces.at;
	size_t count = count_up_to(recording, image, address);

	return count && pieces[count - 1].image == image ? pieces[count - 1].mapping : NULL;
}

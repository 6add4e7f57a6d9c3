// SPDX-License-Identifier: GPL-2.0-only
/*
 * mapped_files: which files programs have mapped, each once, for readers.
 *
 * Process context; under the mutex of the store, but for memory.
 */
#include <linux/bitmap.h>
#include <linux/mutex.h>

#include "lib/export.h"
#include "record/mappings.h"
#include "lib/memory.h"
#include "lib/readers.h"

static void copy_files(struct sp_mappings *mappings, const unsigned long *used,
		       struct sp_mapped_file *files, u32 count)
{
	u32 i, at = 0;

	mutex_lock(&mappings->mutex);
	for (i = 0; i < count; i++) {
		sp_readers_yield();
		at = find_next_bit(used, mappings->max_path_bytes / sizeof(u64), at);
		files[i].number = at++ * sizeof(u64);
		files[i].id = sp_path_entry(mappings, files[i].number)->id;
	}
	mutex_unlock(&mappings->mutex);
}

/**
 * sp_mappings_files() - which files some mappings are of
 * @mappings: the store
 * @mapped: from sp_mappings_copy()
 * @mapped_count: how many
 * @files: set to a list of them, each once, by number, for sp_readers_free();
 *	NULL if it is empty
 * @count: set to its length
 *
 * Return: 0 or -ENOMEM.
 */
int sp_mappings_files(struct sp_mappings *mappings, const struct sp_mapped *mapped,
		      u32 mapped_count, struct sp_mapped_file **files, u32 *count)
{
	unsigned long *used;
	u32 i;

	*files = NULL;
	*count = 0;
	if (!mapped_count)
		return 0;
	/* Numbers are places, in steps of 8 bytes. */
	used = sp_alloc(BITS_TO_LONGS(mappings->max_path_bytes / sizeof(u64)) *
			sizeof(long));
	if (!used)
		return -ENOMEM;
	for (i = 0; i < mapped_count; i++) {
		sp_readers_yield();
		if (mapped[i].file &&
		    !__test_and_set_bit(mapped[i].file / sizeof(u64), used))
			++*count;
	}
	if (*count) {
		*files = sp_readers_alloc(*count * sizeof(**files));
		if (*files)
			copy_files(mappings, used, *files, *count);
	}
	vfree(used);
	return *count && !*files ? -ENOMEM : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * blob: what a reader gathers before it knows how much it will be. Grows by
 * doubling, so that it never takes more than a few times what is in it. Process
 * context; owned by one reader, so there is no lock.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "lib/blob.h"
#include "lib/export.h"
#include "lib/readers.h"

#define FIRST_BYTES 4096

/**
 * sp_blob_grow() - make room
 * @blob: all 0, or in use
 * @bytes: for so many more
 *
 * Return: 0, or -ENOMEM with everything as it was.
 */
int sp_blob_grow(struct sp_blob *blob, size_t bytes)
{
	size_t room = max3(2 * blob->room, blob->used + bytes, (size_t)FIRST_BYTES);
	char *data;

	if (bytes <= blob->room - blob->used)
		return 0;
	data = sp_readers_alloc(room);
	if (!data)
		return -ENOMEM;
	if (blob->used)
		memcpy(data, blob->data, blob->used);
	sp_readers_free(blob->data);
	blob->data = data;
	blob->room = room;
	return 0;
}

/**
 * sp_blob_free() - give the memory back
 * @blob: may be all 0, and is all 0 then
 */
void sp_blob_free(struct sp_blob *blob)
{
	sp_readers_free(blob->data);
	memset(blob, 0, sizeof(*blob));
}
SP_EXPORT_FOR_KUNIT(sp_blob_free);

/**
 * sp_blob_add() - put something behind the rest
 * @blob: all 0, or in use
 * @data: copied
 * @bytes: how much it is
 *
 * Return: 0, or -ENOMEM with everything as it was.
 */
int sp_blob_add(struct sp_blob *blob, const void *data, size_t bytes)
{
	int err = sp_blob_grow(blob, bytes);

	if (err)
		return err;
	memcpy(blob->data + blob->used, data, bytes);
	blob->used += bytes;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_blob_add);

/**
 * sp_blob_print() - put what a function prints behind the rest
 * @blob: all 0, or in use
 * @print: called again with more room as long as it is cut
 * @data: for @print
 *
 * Return: 0, or -ENOMEM with everything as it was.
 */
int sp_blob_print(struct sp_blob *blob,
		  void (*print)(struct seq_buf *s, void *data), void *data)
{
	size_t bytes = FIRST_BYTES;

	for (;; bytes *= 2) {
		int err = sp_blob_grow(blob, bytes);
		struct seq_buf s;

		if (err)
			return err;
		seq_buf_init(&s, blob->data + blob->used, blob->room - blob->used);
		print(&s, data);
		if (!seq_buf_has_overflowed(&s)) {
			blob->used += s.len;
			return 0;
		}
	}
}
SP_EXPORT_FOR_KUNIT(sp_blob_print);

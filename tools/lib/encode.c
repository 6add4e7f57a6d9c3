// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * encode: records in this machine's byte order, and sets of keys. What is made here
 * is read by the same parser as everything else.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "encode.h"

struct libsp_key {
	uint32_t number;
	size_t size;
	const void *bytes;
};

/* One record: its fields, and text or a list behind them. */
void libsp_encode(struct libsp_encoder *encoder, enum sp_raw_kind kind, const void *fields,
		  size_t size, const void *rest, size_t rest_size)
{
	struct sp_raw_record head = {
		.kind = kind,
		.bytes = (uint32_t)(size + rest_size),
	};
	static const char filling[8];
	uLong sum;

	if (rest_size > SP_RAW_MAX_BYTES - size) {
		/* Not from what was read: no record was longer. */
		encoder->out.failed = true;
		return;
	}
	sum = crc32(0, (const unsigned char *)&head, sizeof(head));
	sum = crc32(sum, fields, (uInt)size);
	if (rest_size)
		sum = crc32(sum, rest, (uInt)rest_size);
	head.crc = (uint32_t)sum;
	libsp_buffer_add(&encoder->out, &head, sizeof(head));
	libsp_buffer_add(&encoder->out, fields, size);
	libsp_buffer_add(&encoder->out, rest, rest_size);
	libsp_buffer_add(&encoder->out, filling, libsp_padded(head.bytes) - head.bytes);
	encoder->records++;
}

void libsp_encode_begin(struct libsp_encoder *encoder)
{
	struct sp_raw_begin begin = {
		.byte_order = SP_RAW_BYTE_ORDER,
		.version = SP_RAW_VERSION,
	};

	memcpy(begin.magic, SP_RAW_MAGIC, sizeof(begin.magic));
	libsp_encode(encoder, SP_RAW_BEGIN, &begin, sizeof(begin), NULL, 0);
}

/* Return: the recording; or NULL. The encoder is empty then. */
struct schedprof_recording *libsp_encode_end(struct libsp_encoder *encoder,
					     struct schedprof_error *error)
{
	struct sp_raw_end end = { .records = encoder->records + 1 };
	unsigned char *bytes;
	size_t size;

	libsp_encode(encoder, SP_RAW_END, &end, sizeof(end), NULL, 0);
	bytes = (unsigned char *)libsp_buffer_take(&encoder->out, &size, error);
	return bytes ? libsp_parse(bytes, size, 0, error) : NULL;
}

static int compare(const void *a, const void *b)
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
	found = tfind(&wanted, &keys->tree, compare);
	if (found)
		return (*found)->number;
	made = libsp_arena_get(keys->arena, sizeof(*made));
	if (!made || keys->count == UINT32_MAX)
		return 0;
	made->size = size;
	made->bytes = libsp_arena_text(keys->arena, key, size);
	if (!made->bytes || !tsearch(made, &keys->tree, compare))
		return 0;
	made->number = ++keys->count;
	*fresh = true;
	return made->number;
}

/* What the arena has is given back with it. */
static void keep(void *node)
{
	(void)node;
}

void libsp_keys_free(struct libsp_keys *keys)
{
	tdestroy(keys->tree, keep);
	keys->tree = NULL;
}

/* Valid until the next one is added. */
void *libsp_row(struct libsp_rows *rows, uint32_t number)
{
	return rows->buffer.at + (size_t)(number - 1) * rows->size;
}

/* Return: another one, zero; or NULL. */
void *libsp_row_add(struct libsp_rows *rows)
{
	void *row = libsp_buffer_grow(&rows->buffer, rows->size);

	return row ? memset(row, 0, rows->size) : NULL;
}

uint32_t libsp_row_count(const struct libsp_rows *rows)
{
	return (uint32_t)(rows->buffer.size / rows->size);
}

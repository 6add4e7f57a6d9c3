// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * encode: records in the byte order of this machine. What is made here is read by
 * the same parser as everything else. An encoder is used by one thread.
 */
#include <string.h>
#include <zlib.h>

#include "buffer.h"
#include "encode.h"
#include "parse.h"
#include "raw_format.h"
#include "record.h"

/* Adds a record: its fields, and the text or list that follows the fields. */
void libsp_encode(struct libsp_encoder *encoder, enum sp_raw_kind kind,
		  const void *fields, size_t size, const void *rest, size_t rest_size)
{
	struct sp_raw_record head = {
		.kind = kind,
		.bytes = (uint32_t)(size + rest_size),
	};
	static const char filling[8];
	uLong sum;

	if (rest_size > SP_RAW_MAX_BYTES - size) {
		/* No record that was read was longer. */
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

/* Return: the recording, or NULL; in both cases the encoder is empty. */
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

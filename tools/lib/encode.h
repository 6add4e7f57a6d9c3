/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * encode: recordings that the library makes itself. One thread.
 */
#ifndef LIBSP_ENCODE_H
#define LIBSP_ENCODE_H

#include "buffer.h"
#include "raw_format.h"

struct libsp_encoder {
	struct libsp_buffer out;
	uint64_t records;
};

void libsp_encode(struct libsp_encoder *encoder, enum sp_raw_kind kind,
		  const void *fields, size_t size, const void *rest, size_t rest_size);
void libsp_encode_begin(struct libsp_encoder *encoder);
struct schedprof_recording *libsp_encode_end(struct libsp_encoder *encoder,
					     struct schedprof_error *error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * source: where the bytes of a reader come from, and the unpacking of gzip. One
 * thread at a time.
 */
#ifndef LIBSP_SOURCE_H
#define LIBSP_SOURCE_H

#include <stdbool.h>
#include <zlib.h>

#include "schedprof.h"

#define LIBSP_SOURCE_ROOM 65536

enum libsp_packing {
	LIBSP_PACKING_UNKNOWN,
	LIBSP_PACKING_NONE,
	LIBSP_PACKING_GZIP,
};

struct libsp_source {
	/* One of these. */
	int fd;				/* -1: not this; closed in the end */
	FILE *stream;			/* NULL: not this */
	const unsigned char *memory;
	size_t memory_left;

	char *name;			/* for messages */
	enum libsp_packing packing;
	z_stream zip;
	bool member;			/* within one of gzip's members */
	bool ended;			/* nothing more comes from below */
	size_t at, filled;		/* of room */
	uint64_t taken;			/* bytes that came from below */
	unsigned char room[LIBSP_SOURCE_ROOM];
};

int libsp_source_init(struct libsp_source *source, const char *name,
		      struct schedprof_error *error);
void libsp_source_close(struct libsp_source *source);
int libsp_source_read(struct libsp_source *source, void *to, size_t size, size_t *got,
		      struct schedprof_error *error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a reader's bytes come from, and the unpacking of gzip. One thread.
 */
#ifndef SP_SOURCE_H
#define SP_SOURCE_H

#include <zlib.h>

#include "internal.h"

#define SP_SOURCE_ROOM 65536

enum sp_packing {
	SP_PACKING_UNKNOWN,
	SP_PACKING_NONE,
	SP_PACKING_GZIP,
};

struct sp_source {
	/* One of these. */
	int fd;				/* -1: not this; closed in the end */
	FILE *stream;			/* NULL: not this */
	const unsigned char *memory;
	size_t memory_left;

	char *name;			/* for messages */
	enum sp_packing packing;
	z_stream zip;
	bool member;			/* within one of gzip's members */
	bool ended;			/* nothing more comes from below */
	size_t at, filled;		/* of room */
	uint64_t taken;			/* bytes that came from below */
	unsigned char room[SP_SOURCE_ROOM];
};

int sp_source_init(struct sp_source *source, const char *name,
		   struct schedprof_error *error);
void sp_source_close(struct sp_source *source);
int sp_source_read(struct sp_source *source, void *to, size_t size, size_t *got,
		   struct schedprof_error *error);

#endif

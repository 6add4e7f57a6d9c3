/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unwind_rows: the rows of an unwind table, of what call frames say. What is being made is
 * used by one thread.
 */
#ifndef LIBSP_UNWIND_ROWS_H
#define LIBSP_UNWIND_ROWS_H

#include "buffer.h"
#include "call_frames.h"
#include "unwind_made.h"

/* Functions and their rows, in any order at first. Zero but for the name. */
struct libsp_making {
	const char *name;		/* of what, for messages */
	struct libsp_buffer pieces, rows;
};

struct libsp_making_mark {
	size_t pieces, rows;
};

int libsp_making_begin(struct libsp_making *m, uint64_t start, uint64_t end,
		       struct schedprof_error *error);
int libsp_making_row(struct libsp_making *m, uint64_t at,
		     const struct libsp_call_frame *frame, struct schedprof_error *error);
int libsp_making_again(struct libsp_making *m, uint64_t start,
		       struct schedprof_error *error);
void libsp_making_mark(const struct libsp_making *m, struct libsp_making_mark *mark);
void libsp_making_back(struct libsp_making *m, const struct libsp_making_mark *mark);
void libsp_making_sort(struct libsp_making *m);
size_t libsp_making_count(const struct libsp_making *m);
uint64_t libsp_making_start(const struct libsp_making *m, size_t index);
size_t libsp_making_put(const struct libsp_making *m, size_t first, enum sp_unwind_kind gap,
			struct libsp_buffer *table);
void libsp_making_free(struct libsp_making *m);
struct schedprof_unwind *libsp_making_finish(const struct libsp_making *m,
					     struct libsp_buffer *table,
					     struct schedprof_error *error);

#endif

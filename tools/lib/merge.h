/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What adding recordings up needs while it is done. One thread.
 */
#ifndef LIBSP_MERGE_H
#define LIBSP_MERGE_H

#include "encode.h"

/* What is the same in several recordings, and by what it is told. */
enum libsp_merge_keys {
	LIBSP_MERGE_SYMBOL,	/* text of a kernel frame */
	LIBSP_MERGE_FILE,	/* struct sp_raw_file without its number */
	LIBSP_MERGE_REGION,	/* path, which file, and part of it */
	LIBSP_MERGE_LOST,	/* address that looks like one in a region */
	LIBSP_MERGE_STACK,	/* flags, waker, frames as numbers */
	LIBSP_MERGE_TASK,	/* struct sp_raw_task without what differs */
	LIBSP_MERGE_ENTRY,	/* the same of struct sp_raw_entry */
	LIBSP_MERGE_LEDGER,
	LIBSP_MERGE_HISTOGRAM,
	LIBSP_MERGE_FUNCTION,
	LIBSP_MERGE_META,
	LIBSP_MERGE_KEYS
};

struct libsp_merge {
	int by;				/* enum schedprof_by */
	struct libsp_arena arena;	/* of all keys */
	struct schedprof_error *error;

	struct libsp_keys keys[LIBSP_MERGE_KEYS];
	struct libsp_rows entries;	/* struct sp_raw_entry */
	struct libsp_rows ledgers;	/* struct sp_raw_ledger */
	struct libsp_rows histogram;	/* struct sp_raw_histogram */
	struct libsp_rows functions;	/* struct libsp_merged_function */
	struct libsp_rows meta;		/* struct libsp_merged_meta */
	struct libsp_rows region_files;	/* uint32_t: number of each region's file */

	/* Records that need not change any more. */
	struct libsp_encoder symbols;
	struct libsp_encoder files;
	struct libsp_encoder lost;
	struct libsp_encoder regions;
	struct libsp_encoder stacks;
	struct libsp_encoder tasks;
};

struct libsp_merged_function {
	struct sp_raw_function raw;
	const char *name;
};

struct libsp_merged_meta {
	const char *name;
	const char *value;	/* of the first recording */
	bool number;		/* sum is what counts */
	uint64_t sum;
	size_t seen;		/* in how many recordings, with the same value */
};

/* merge_stacks.c: numbers in the result; false: no memory. */
int libsp_check_units(const struct schedprof_recording *a,
		      const struct schedprof_recording *b, int by,
		      struct schedprof_error *error);

bool libsp_merge_symbol(struct libsp_merge *merge,
			const struct schedprof_recording *recording, uint64_t address,
			uint64_t *number);
bool libsp_merge_stack(struct libsp_merge *merge,
		       const struct schedprof_recording *recording,
		       const struct schedprof_task *task,
		       const struct schedprof_stack *stack, uint32_t *number);

/* merge_books.c: what is about no stack. */
bool libsp_merge_books(struct libsp_merge *merge,
		       const struct schedprof_recording *recording);
bool libsp_merge_meta(struct libsp_merge *merge,
		      const struct schedprof_recording *recording);
void libsp_merge_meta_text(struct libsp_merge *merge, size_t recordings,
			   struct libsp_buffer *text);

#endif

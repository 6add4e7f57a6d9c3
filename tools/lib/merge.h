/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What adding recordings up needs while it is done. One thread.
 */
#ifndef SP_MERGE_H
#define SP_MERGE_H

#include "encode.h"

/* What is the same in several recordings, and by what it is told. */
enum sp_merge_keys {
	SP_MERGE_SYMBOL,	/* text of a kernel frame */
	SP_MERGE_FILE,		/* struct sp_raw_file without its number */
	SP_MERGE_REGION,	/* path, which file, and part of it */
	SP_MERGE_LOST,		/* address that looks like one in a region */
	SP_MERGE_STACK,		/* flags, waker, frames as numbers */
	SP_MERGE_TASK,		/* struct sp_raw_task without what differs */
	SP_MERGE_ENTRY,		/* the same of struct sp_raw_entry */
	SP_MERGE_LEDGER,
	SP_MERGE_HISTOGRAM,
	SP_MERGE_FUNCTION,
	SP_MERGE_META,
	SP_MERGE_KEYS
};

struct sp_merge {
	int by;				/* enum schedprof_by */
	struct sp_arena arena;		/* of all keys */
	struct schedprof_error *error;

	struct sp_keys keys[SP_MERGE_KEYS];
	struct sp_rows entries;		/* struct sp_raw_entry */
	struct sp_rows ledgers;		/* struct sp_raw_ledger */
	struct sp_rows histogram;	/* struct sp_raw_histogram */
	struct sp_rows functions;	/* struct sp_merged_function */
	struct sp_rows meta;		/* struct sp_merged_meta */
	struct sp_rows region_files;	/* uint32_t: number of each region's file */

	/* Records that need not change any more. */
	struct sp_encoder symbols;
	struct sp_encoder files;
	struct sp_encoder lost;
	struct sp_encoder regions;
	struct sp_encoder stacks;
	struct sp_encoder tasks;
};

struct sp_merged_function {
	struct sp_raw_function raw;
	const char *name;
};

struct sp_merged_meta {
	const char *name;
	const char *value;	/* of the first recording */
	bool number;		/* sum is what counts */
	uint64_t sum;
	size_t seen;		/* in how many recordings, with the same value */
};

/* merge_stacks.c: numbers in the result; false: no memory. */
int sp_check_units(const struct schedprof_recording *a,
		   const struct schedprof_recording *b, int by,
		   struct schedprof_error *error);

bool sp_merge_symbol(struct sp_merge *merge,
		     const struct schedprof_recording *recording, uint64_t address,
		     uint64_t *number);
bool sp_merge_stack(struct sp_merge *merge,
		    const struct schedprof_recording *recording,
		    const struct schedprof_task *task,
		    const struct schedprof_stack *stack, uint32_t *number);

/* merge_books.c: what is about no stack. */
bool sp_merge_books(struct sp_merge *merge,
		    const struct schedprof_recording *recording);
bool sp_merge_meta(struct sp_merge *merge,
		   const struct schedprof_recording *recording);
void sp_merge_meta_text(struct sp_merge *merge, size_t recordings,
			struct sp_buffer *text);

#endif

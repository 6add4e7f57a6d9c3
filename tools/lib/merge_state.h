/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * merge_state: what adding recordings up needs while it is done. One thread.
 */
#ifndef LIBSP_MERGE_STATE_H
#define LIBSP_MERGE_STATE_H

#include "arena.h"
#include "encode.h"
#include "keys.h"
#include "raw_format.h"
#include "schedprof.h"

/* What is the same in several recordings, and by what it is told. */
enum libsp_merge_keys {
	LIBSP_MERGE_SYMBOL,	/* text of a kernel frame */
	LIBSP_MERGE_FILE,	/* struct sp_raw_file without its number */
	LIBSP_MERGE_REGION,	/* path, which file, and part of it */
	LIBSP_MERGE_LOST,	/* address that looks like one in a region */
	LIBSP_MERGE_STACK,	/* flags, waker, frames as numbers, the waker's user stack */
	LIBSP_MERGE_CGROUP,	/* path */
	LIBSP_MERGE_TASK,	/* struct sp_raw_task without what differs */
	LIBSP_MERGE_ENTRY,	/* the same of struct sp_raw_entry */
	LIBSP_MERGE_LEDGER,
	LIBSP_MERGE_BLAME,	/* struct sp_raw_blame without what differs */
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
	struct libsp_rows blames;	/* struct sp_raw_blame */
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
	struct libsp_encoder wakers;
	struct libsp_encoder cgroups;
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

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * recording: what a recording consists of. It does not change once it is parsed, so
 * nothing is locked, but for alive, whose elements are atomic.
 */
#ifndef LIBSP_RECORDING_H
#define LIBSP_RECORDING_H

#include <stdatomic.h>
#include <string.h>

#include "arena.h"
#include "schedprof.h"

struct libsp_meta {
	const char *name;
	const char *value;
};

/* An array in the arena of a recording. */
struct libsp_list {
	void *at;
	size_t count;
};

struct schedprof_recording {
	unsigned char *bytes;		/* of the sequence, as they were read */
	size_t size;
	struct libsp_arena arena;	/* of all that follows */
	const char *schema;
	struct libsp_list meta;		/* struct libsp_meta */
	struct libsp_list by_name;	/* the same, by libsp_by_name(): the first one of a name */
	struct libsp_list symbols;	/* sorted by libsp_by_address() */
	struct libsp_list mappings;	/* in the order of the records */
	struct libsp_list files;
	struct libsp_list pieces;	/* what is where of the mappings; of pieces.c */
	struct libsp_list stacks;
	struct libsp_list cgroups;	/* const char *: their paths */
	struct libsp_list tasks;
	const struct schedprof_task **by_task;		/* sorted by libsp_by_task() */
	struct libsp_list wakers;	/* struct schedprof_task: programs of wakers */
	atomic_schar *alive;		/* enum libsp_alive of each task, then of each waker,
					 * and then of the machine of the recording
					 */
	struct libsp_list entries;
	struct libsp_list ledgers;
	struct libsp_list blames;
	struct libsp_list histogram;
	struct libsp_list functions;
	struct libsp_list events;
};

/* How facts are sorted and searched. */
static inline int libsp_by_name(const void *a, const void *b)
{
	const struct libsp_meta *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* How the symbols are sorted and searched. */
static inline int libsp_by_address(const void *a, const void *b)
{
	const struct schedprof_symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* How the pointers to tasks are sorted and searched: a task that runs one program. */
static inline int libsp_by_task(const void *a, const void *b)
{
	const struct schedprof_task *x = *(const struct schedprof_task *const *)a;
	const struct schedprof_task *y = *(const struct schedprof_task *const *)b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->exec_id < y->exec_id ? -1 : x->exec_id > y->exec_id;
}

#endif

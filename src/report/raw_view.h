/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_RAW_VIEW_H
#define SP_REPORT_RAW_VIEW_H

#include "lib/blob.h"
#include "record/mappings.h"
#include "report/names.h"
#include "report/raw_format.h"
#include "report/view.h"

/*
 * What the file raw has beyond its view: what entries and events refer to. Fixed
 * when the file is opened; owned by the view.
 */
struct sp_raw {
	bool hidden;			/* kernel addresses are numbers */
	struct sp_blob meta;		/* text */
	struct sp_blob schema;		/* text */
	struct sp_names names;		/* of kernel frames; their mappings are below */
	struct sp_mapped *mappings;
	u32 mapping_count;
	struct sp_blob file_of;		/* u32: of each mapping, number of its file */
	struct sp_mapped_file *files;
	u32 file_count;
	struct sp_blob stacks;		/* struct sp_raw_numbered */
	struct sp_blob wakers;		/* struct sp_raw_woke */
	struct sp_blob cgroups;		/* u32: numbers of those that have a path */
	struct sp_blob tasks;		/* u32: the first line of each task */
	struct sp_blob entries;		/* u32: lines */
	struct sp_blob functions;	/* struct sp_raw_called */
	u32 first_thread, last_row;	/* of the histogram: last is behind it */
	u32 records[SP_RAW_CGROUP + 1];	/* how many there are, by enum sp_raw_kind */
};

struct sp_raw_numbered {
	const struct sp_stack *stack;
	u32 number;
};

/* A waker's stack, and where it was in which program. */
struct sp_raw_woke {
	const struct sp_stack *stack, *user;
	u32 program;
};

/* What an instrumented function did. */
struct sp_raw_called {
	const struct sp_function *function;
	struct sp_function_use use;
	bool throttled;
};

/* How many there are of a list. */
#define sp_raw_count(list, type) ((u32)((list)->used / sizeof(type)))

struct sp_raw *sp_raw_gather(struct sp_view *view);
void sp_raw_free(struct sp_raw *raw);
u64 sp_raw_address(const struct sp_raw *raw, u64 address);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_VIEW_H
#define SP_VIEW_H

#include "function.h"
#include "group.h"
#include "recording.h"

struct sp_session;

/* One key with its figures, as a reader sees it. */
struct sp_line {
	struct sp_who who;
	struct sp_sum sum;		/* count 0: there is nothing here */
	bool open;			/* an open interval is in it */
	const struct sp_stack *kernel;	/* NULL: none */
	const struct sp_stack *user;
	const struct sp_stack *waker;
	u64 stack_ns;			/* by_task: of the costliest stack */
	const char *lost;		/* what is said in place of stacks */
};

/* Everything a report is made of, fixed when it was opened. */
struct sp_view {
	struct sp_recording *recording;	/* reference; NULL: nothing recorded */
	char *filter;			/* one line for people */
	const char *backend;
	unsigned long misses;
	struct sp_function_totals functions;	/* all 0 in other modes */
	struct sp_totals totals;	/* open intervals in the histogram only */
	u64 total_ns;			/* of all lines */
	u64 lost_ns;			/* of those without row or stack */
	u32 open;			/* intervals that are */
	u64 events;			/* that had happened */
	u32 tasks, stacks, entries, cut_stacks;
	u32 missed_programs, lost_mappings;
	u32 top_n;
	enum sp_group group_by;
	u32 count;			/* lines */
	u32 copied;			/* of them, by number of the entry */
	struct sp_line *lines;
	const struct sp_books *books;	/* NULL: none; only for reports about them */
	struct sp_books *own_books;	/* if they are the view's */
	struct hlist_head walked;	/* stacks that only this view has */
	/* Of the report. */
	u32 *order;
	u32 rows;
};

struct sp_view *sp_view_create(struct sp_session *session, bool books);
void sp_view_free(struct sp_view *view);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_VIEW_H
#define SP_REPORT_VIEW_H

#include "lib/blob.h"
#include "func/function.h"
#include "record/totals.h"

struct sp_idle_waits;
struct sp_names;
struct sp_open_intervals;
struct sp_raw;
struct sp_session;
struct sp_view_stacks;

/* What of a recording a report is made of. */
enum sp_view_kind {
	SP_VIEW_LINES,			/* as group_by has them */
	SP_VIEW_RANKED,			/* the same, and who is to blame */
	SP_VIEW_COUNTS,			/* nothing but totals */
	SP_VIEW_LEDGERS,
	SP_VIEW_EVENTS,
	SP_VIEW_ALL,			/* and lines by thread, and the attributes */
};

/* What shares one row. */
enum sp_group {
	SP_GROUP_THREAD,
	SP_GROUP_PROCESS,
	SP_GROUP_COMM,
	SP_GROUP_CGROUP,
};

/* The TID of a row of many processes with one name. */
#define SP_TID_COMM (-1)
/* And of one of all in a control group. */
#define SP_TID_CGROUP (-2)

/* One key with its figures, as a reader sees it. */
struct sp_report_entry {
	struct sp_who who;
	struct sp_sum sum;		/* count 0: there is nothing here */
	bool open;			/* an open interval is in it */
	const struct sp_stack *kernel;	/* NULL: none */
	const struct sp_stack *user;
	const struct sp_stack *waker;
	u64 stack_ns;			/* by_task: of the costliest stack */
	u64 idle_ns;			/* by_task: of it all, when it waited for work */
	const char *lost;		/* what is said in place of stacks */
	/* Unless it is a group's. */
	u32 task;			/* number of task and program; 0: nobody's */
	u32 exec_id;
	bool over;			/* it exited, or runs another program */
};

/* A waiter and a culprit, as group_by has them. */
struct sp_blame_line {
	struct sp_who waiter;
	struct sp_who culprit;		/* all 0 if it is no task */
	u64 who;			/* enum sp_culprit; SP_CULPRITS: a task */
	bool self;			/* of the same process */
	u64 total, count, longest;
	u64 waited;			/* of all lines of the waiter */
};

/* Everything a report is made of, fixed when it was opened. */
struct sp_view {
	struct sp_recording *recording;	/* reference; NULL: nothing recorded */
	const char *session;		/* its name; valid while files can be opened */
	char *filter;			/* one line for people */
	const char *backend;
	unsigned long misses;
	struct sp_function_totals functions;	/* all 0 in other modes */
	unsigned long *throttled;	/* which of them were, in functions; or NULL */
	struct sp_totals totals;	/* open intervals in the histogram only */
	u64 total_ns;			/* of all lines */
	u64 lost_ns;			/* of those without row or stack */
	u64 idle_ns;			/* of those that wait for work */
	unsigned long *idle_stacks;	/* which are theirs, by number; NULL: none */
	unsigned int attempt;		/* of taking it, from 0 on */
	u32 open;			/* intervals that are */
	struct sp_events_copy events;	/* the trace, or a part of it at a time */
	u32 tasks, stacks, entries, cut_stacks;
	u32 ended_stacks[SP_STACK_ENDS];	/* of user stacks: why they end where they do */
	u32 missed_programs, lost_mappings;
	u32 top_n;
	enum sp_group group_by;
	u32 count;			/* lines */
	u32 copied;			/* of them, by number of the entry */
	struct sp_report_entry *lines;
	const struct sp_ledger_snapshot *ledgers;	/* NULL unless a report needs them */
	struct sp_ledger_snapshot *own_ledgers;	/* if they are the view's */
	struct sp_view_stacks *arena;	/* stacks that only this view has */
	u32 own_stacks;			/* how many; sp_stack.hash numbers them */
	u32 strangers;			/* tasks that have no row */
	struct sp_blob config;		/* the attributes, a line each */
	bool over;			/* it had ended */
	bool names_programs;		/* by numbers that stay theirs until it is freed */
	struct sp_moment taken;
	struct sp_moment told;		/* of the recording, when the copy was taken */
	u64 taken_realtime_ns;
	/* Of the report. */
	struct sp_blame_line *blame;
	u32 blames;
	u32 *order;
	u32 rows;
	struct sp_names *names;		/* of frames; NULL: as they are */
	struct sp_raw *raw;
};

/* report/take.c */
struct sp_view *sp_view_create(struct sp_session *session, enum sp_view_kind kind);
void sp_view_free(struct sp_view *view);

/* report/view_open.c: what is open now, added to a view while it is taken. */
int sp_view_add_open(struct sp_view *view, const struct sp_open_intervals *intervals);
void sp_view_count_open(struct sp_view *view, const struct sp_open_intervals *intervals);
void sp_view_add_nosched_spans(struct sp_view *view);
int sp_view_add_calls(struct sp_view *view, u32 room);
void sp_view_free_stacks(struct sp_view *view);

/* Under lines of waits for a CPU; what else a task does is not because of them. */
static inline bool sp_view_tells_culprits(const struct sp_recording *recording)
{
	return recording->blamed && recording->mode->time == SP_TIME_RUN_QUEUE;
}

/* report/group.c */
int sp_group(struct sp_view *view, enum sp_group by);
void sp_group_who(struct sp_who *who, enum sp_group by);

/* report/about.c */
void sp_about_filter(struct seq_buf *s, struct sp_session *session);
void sp_about_config(struct seq_buf *s, struct sp_session *session);
int sp_about_keep(struct sp_session *session);

/* report/view.c */
void sp_view_find_programs(struct sp_view *view);
int sp_view_reach(struct sp_view *view, u32 number);
u32 sp_view_program(struct sp_view *view, const struct sp_trace_record *record);
const struct sp_stack *sp_view_waker_user(const struct sp_view *view,
					  const struct sp_stack *waker, u32 *program);
u32 sp_view_stack_number(const struct sp_view *view, const struct sp_stack *stack);
bool sp_view_is_idle(const struct sp_view *view, const struct sp_stack *kernel);
unsigned long *sp_view_bits(u32 count);
u32 *sp_view_order(const struct sp_view *view, u32 *count);
int sp_view_compare_tasks(const struct sp_who *x, const struct sp_who *y);
void sp_view_show_name(struct seq_buf *s, const struct sp_view *view, const struct sp_who *who,
		       void (*show)(struct seq_buf *s, const char *name));
u32 sp_view_stranger(struct sp_view *view);
void sp_view_set_task(struct sp_report_entry *line, const struct sp_threads *threads,
		      const struct sp_thread *thread);

/* When it was by the kernel's clock that the session measures with; 0 stays 0. */
static inline u64 sp_view_moment(const struct sp_view *view, u64 at)
{
	const struct sp_recording *recording = view->recording;

	return at ? sp_moment_map(recording->config.clock, at, &recording->begin,
				  &view->told) : 0;
}

#endif

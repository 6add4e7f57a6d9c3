/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_REPORT_H
#define SP_REPORT_REPORT_H

#include "report/names.h"
#include "lib/print.h"
#include "report/view.h"

struct sp_blame_row;

/* One file of results: a list of rows made from a view. */
struct sp_report {
	const char *name;
	/* Sets view->rows and view->order. Returns 0 or -ENOMEM. */
	int (*prepare)(struct sp_view *view);
	void (*show)(struct seq_buf *s, struct sp_view *view, u32 row);
	enum sp_view_kind kind;	/* what it is made from */
	enum sp_frames frames;	/* how they are named, when it is opened */
	bool keeps_first;	/* its first row is of what goes on: printed when it is opened */
	/* Before a row is shown; may be NULL. Returns 0 or an errno. */
	int (*reach)(struct sp_view *view, u32 row);
};

extern const struct sp_report sp_reports[];
extern const unsigned int sp_report_count;

void sp_report_user(struct seq_buf *s, const struct sp_view *view, u32 program, u64 address,
		    void (*print)(struct seq_buf *s, const char *name));

void sp_report_symbol(struct seq_buf *s, const struct sp_view *view,
		      unsigned long address,
		      void (*print)(struct seq_buf *s, unsigned long address));
void sp_report_time(struct seq_buf *s, const struct sp_view *view, u64 time);
void sp_report_waker(struct seq_buf *s, const struct sp_stack *stack,
		     void (*show)(struct seq_buf *s, const char *name));
const char *sp_report_unit(const struct sp_view *view);
void sp_report_stats(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/top.c */
int sp_top_prepare(struct sp_view *view);
void sp_top_show(struct seq_buf *s, struct sp_view *view, u32 row);
int sp_by_task_prepare(struct sp_view *view);
void sp_by_task_show(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/tasks.c */
int sp_tasks_prepare(struct sp_view *view);
void sp_tasks_show(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/blame.c */
bool sp_blame_is_self(const struct sp_who *waiter, const struct sp_blame_row *row);
int sp_blame_gather(struct sp_view *view);
int sp_blame_prepare(struct sp_view *view);
void sp_blame_show_greatest(struct seq_buf *s, const struct sp_view *view,
			    const struct sp_who *waiter);
void sp_blame_show(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/events.c */
int sp_events_prepare(struct sp_view *view);
int sp_events_bring(struct sp_view *view, u32 row);
void sp_events_show(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/raw.c */
int sp_raw_prepare(struct sp_view *view);
int sp_raw_reach(struct sp_view *view, u32 row);
void sp_raw_show(struct seq_buf *s, struct sp_view *view, u32 row);

/* report/stack.c */
void sp_report_stacks(struct seq_buf *s, const struct sp_view *view,
		      const struct sp_report_entry *line);
void sp_report_stacks_folded(struct seq_buf *s, const struct sp_view *view,
			     const struct sp_report_entry *line);

/* report/raw_schema.c */
void sp_raw_schema(struct seq_buf *s);

/* report/functions.c */
int sp_functions_prepare(struct sp_view *view);
void sp_functions_show(struct seq_buf *s, struct sp_view *view, u32 row);
void sp_functions_show_counts(struct seq_buf *s, const struct sp_view *view);

/* report/selfcheck.c */
void sp_selfcheck_show(struct seq_buf *s);

/* report/folded.c */
int sp_folded_prepare(struct sp_view *view);
void sp_folded_show(struct seq_buf *s, struct sp_view *view, u32 row);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_EVENTS_H
#define SP_RECORD_EVENTS_H

#include <linux/sched.h>
#include <linux/types.h>

#include "compat/compat.h"

struct trace_buffer;

enum sp_trace_record_flags {
	SP_HAPPENING_IRQS_OFF	= 1 << 0,	/* interrupts were off */
};

/* One interval. Times in the recording's unit. */
struct sp_trace_record {
	u64 at;			/* when it ended */
	u64 length;
	u64 start_time;		/* of the task; with tid, who it is */
	u64 function;		/* mode function: its entry */
	pid_t tid, tgid;
	u32 exec_id;
	u32 kernel, user, waker;	/* stacks in the recording's table */
	u32 cpu;
	u16 depth;		/* mode function: functions around it */
	u16 flags;		/* enum sp_trace_record_flags */
	char comm[TASK_COMM_LEN];
	/* Not in the trace, for readers. */
	u32 program;		/* which program */
	u32 number;		/* of those of the same time the smaller is first */
};

/* The last ones of each CPU. */
struct sp_events {
	struct trace_buffer *ring;	/* immutable; NULL: none are kept */
};

/* What a reader has of a trace: all, or a part of one that has ended. */
struct sp_events_copy {
	const struct sp_events *events;
	u32 *extent;			/* of the trace, by CPU */
	struct sp_trace_record *list;
	u32 *order;			/* of them, by time */
	u32 *spare;
	u32 room;			/* for so many */
	u32 count;			/* that are at hand */
	u32 first;			/* how many come before them */
	u32 total;			/* of the trace, when it was opened */
	u64 missing;			/* that were not in it any more */
};

#if SP_HAS_RINGS
u64 sp_events_bytes(u32 kb);
int sp_events_init(struct sp_events *events, u32 kb);
void sp_events_destroy(struct sp_events *events);
bool sp_events_add(struct sp_events *events, const struct sp_trace_record *record);
u64 sp_events_overwritten(const struct sp_events *events);
u32 *sp_events_extent(const struct sp_events *events, u64 *all, u64 *missing);
int sp_events_visit(const struct sp_events *events, const u32 *extent,
		    void (*visit)(const struct sp_trace_record *record, void *data),
		    void *data, u64 *missing);
#define SP_EVENTS_ARE_KEPT true
#else
/* A kernel without rings that can be read: trace_kb stays 0. */
static inline u64 sp_events_bytes(u32 kb)
{
	return 0;
}

static inline int sp_events_init(struct sp_events *events, u32 kb)
{
	events->ring = NULL;
	return 0;
}

static inline void sp_events_destroy(struct sp_events *events)
{
}

static inline bool sp_events_add(struct sp_events *events,
				 const struct sp_trace_record *record)
{
	return false;
}

static inline u64 sp_events_overwritten(const struct sp_events *events)
{
	return 0;
}

static inline u32 *sp_events_extent(const struct sp_events *events, u64 *all, u64 *missing)
{
	return NULL;
}

static inline int sp_events_visit(const struct sp_events *events, const u32 *extent,
				  void (*visit)(const struct sp_trace_record *record,
						void *data),
				  void *data, u64 *missing)
{
	return 0;
}

#define SP_EVENTS_ARE_KEPT false
#endif

/* record/events_copy.c */
int sp_events_copy(const struct sp_events *events, struct sp_events_copy *copy, bool over);
int sp_events_reach(struct sp_events_copy *copy, u32 number);
int sp_events_each(const struct sp_events_copy *copy,
		   void (*visit)(const struct sp_trace_record *record, void *data), void *data);
int sp_events_make_room(struct sp_events_copy *copy, u32 room);
void sp_events_sort(struct sp_events_copy *copy);
void sp_events_free(struct sp_events_copy *copy);

/* One that sp_events_reach() has brought. */
static inline struct sp_trace_record *sp_events_at(const struct sp_events_copy *copy,
						   u32 number)
{
	return &copy->list[copy->order[number - copy->first]];
}

#endif

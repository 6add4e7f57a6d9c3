/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_EVENTS_H
#define SP_EVENTS_H

#include <linux/sched.h>
#include <linux/types.h>

#include "compat/compat.h"

struct trace_buffer;

enum sp_happening_flags {
	SP_HAPPENING_IRQS_OFF	= 1 << 0,	/* interrupts were off */
};

/* One interval. Times in the recording's unit. */
struct sp_happening {
	u64 at;			/* when it ended */
	u64 length;
	u64 start_time;		/* of the task; with tid, who it is */
	u64 function;		/* mode function: its entry */
	pid_t tid, tgid;
	u32 exec_id;
	u32 kernel, user, waker;	/* stacks in the recording's table */
	u32 cpu;
	u16 depth;		/* mode function: functions around it */
	u16 flags;		/* enum sp_happening_flags */
	char comm[TASK_COMM_LEN];
	u32 image;		/* which program; not in the trace, for readers */
};

/* The last ones of each CPU. */
struct sp_events {
	struct trace_buffer *ring;	/* immutable; NULL: none are kept */
};

/* A copy that a reader has. */
struct sp_events_copy {
	struct sp_happening *list;	/* by CPU; vfree() */
	u32 *order;			/* of them, by time; vfree() */
	u32 count;
	u64 missing;			/* that are not in it, up to that moment */
};

#if SP_HAS_RINGS
u64 sp_events_bytes(u32 kb);
int sp_events_init(struct sp_events *events, u32 kb);
void sp_events_destroy(struct sp_events *events);
bool sp_events_add(struct sp_events *events, const struct sp_happening *what);
u64 sp_events_overwritten(const struct sp_events *events);
int sp_events_copy(const struct sp_events *events, struct sp_events_copy *copy);
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
				 const struct sp_happening *what)
{
	return false;
}

static inline u64 sp_events_overwritten(const struct sp_events *events)
{
	return 0;
}

static inline int sp_events_copy(const struct sp_events *events,
				 struct sp_events_copy *copy)
{
	return 0;
}

#define SP_EVENTS_ARE_KEPT false
#endif

int sp_events_sort(struct sp_events_copy *copy);

#endif

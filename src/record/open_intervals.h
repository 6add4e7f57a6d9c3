/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_OPEN_INTERVALS_H
#define SP_RECORD_OPEN_INTERVALS_H

#include <linux/sched.h>
#include <linux/types.h>

#include "task/clock.h"
#include "lib/task_clock.h"

struct sp_copy;
struct sp_recording;
struct sp_callchain;

struct sp_memory;

/* A task with an interval that no hook has handed on yet. */
struct sp_open_interval {
	struct task_struct *task;	/* reference */
	u32 slot;			/* place of its clock */
	u32 seq;			/* of the clock when it was found */
	u64 serial;
	u32 exec_id;
	unsigned int cpu;		/* as of sp_task_where() */
	bool moved;			/* it ran since */
	bool running;			/* it is on a CPU, so its stack moves */
	bool open;			/* the interval goes on */
	u16 mark;			/* of its kernel stack, in mode wall */
	u32 waker;			/* stack of whoever woke it, if known */
	u64 began, until;		/* of the interval, by the recording's clock */
	u64 since;			/* what is of before is handed on: it was seen then */
	bool seen;			/* and what is behind that has the same stacks, */
	u32 seen_kernel, seen_user;	/* of these numbers; SP_STACK_NONE unless seen */
	/* While it is visited: what was asked for, NULL if there is none, or it was seen. */
	const struct sp_callchain *kernel;
	const struct sp_callchain *user;
};

/* A task that is to be looked at, with a reference. */
struct sp_listed_task {
	struct task_struct *task;
	unsigned int times;	/* which of its times went on then, if it had no clock; bits */
};

/* All of them at one moment; owned by one reader. */
struct sp_open_intervals {
	const struct sp_memory *memory;	/* whose they are */
	struct sp_open_interval *list;
	u32 count;
	u32 max;
	u32 missed;			/* for which there was no room */
	struct sp_listed_task *tasks;	/* while intervals are looked for */
	u32 task_count;
	u32 task_max;
	bool stopping;			/* the recording is: they are claimed */
	u64 end;			/* ns; nothing later is looked at */
	/* For sp_open_intervals_visit(). */
	struct sp_copy *copy;
	struct sp_callchain *kernel;
	struct sp_callchain *user;
};

int sp_open_intervals_init(struct sp_open_intervals *intervals,
			   const struct sp_recording *recording,
			   const struct sp_memory *memory);
void sp_open_intervals_find(struct sp_open_intervals *intervals, struct sp_recording *recording);
void sp_open_intervals_visit(struct sp_open_intervals *intervals, u32 stacks,
			     void (*visit)(const struct sp_open_interval *open, void *data),
			     void *data);
void sp_open_intervals_free(struct sp_open_intervals *intervals);

#endif

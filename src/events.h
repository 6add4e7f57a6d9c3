/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_EVENTS_H
#define SP_EVENTS_H

#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* One thing that happened. */
struct sp_happening {
	u64 at;			/* ns; when it ended */
	u64 ns;			/* how long it took */
	pid_t tid, tgid;
	u32 cpu;
	u32 kernel;		/* number of a stack in the recording's table */
	bool irqs_off;
	char comm[TASK_COMM_LEN];
};

/* The last ones, as many as there is room for. */
struct sp_events {
	raw_spinlock_t lock;	/* interrupts off */
	u32 max;		/* immutable; 0: none are kept */
	u64 count;		/* that ever happened, under lock */
	struct sp_happening *list;
};

u64 sp_events_bytes(u32 max);
int sp_events_init(struct sp_events *events, u32 max);
void sp_events_destroy(struct sp_events *events);
void sp_events_add(struct sp_events *events, const struct sp_happening *what);
u64 sp_events_count(struct sp_events *events);
bool sp_events_get(struct sp_events *events, u64 number, struct sp_happening *what);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_CALLS_H
#define SP_LIB_CALLS_H

#include <linux/seqlock.h>
#include <linux/types.h>

/*
 * Instrumented functions that may be inside of each other. Where fprobes are made of the
 * function graph tracer, it has a page for each task: on arm64, that is enough for 61.
 * Beyond that it does not tell us, so that nobody could count what was missed.
 */
#define SP_CALL_DEPTH	48

/* A function that was entered and has not returned. */
struct sp_activation {
	u64 since;		/* when it was entered, in the recording's unit */
	u64 inside;		/* time in instrumented functions that it called */
	u32 id;			/* of this activation, in this task */
	u16 function;		/* which one, as the caller counts them */
	bool again;		/* it is further out in the path, too */
	/* The caller's; kept while the path to here stays what it was. */
	u32 path;
	u32 entry;
};

/*
 * The instrumented functions in which one task is, outermost first. Written by
 * the CPU that runs the task, or sees its end, interrupts off; readers take a copy
 * under the sequence count.
 */
struct sp_calls {
	u64 serial;		/* of the task clock; 0: nobody's */
	u64 epoch;		/* which recording times and caches belong to */
	u32 thread;		/* of the task in that recording */
	u32 exec_id;		/* and which program that thread is about */
	u32 opening;		/* of the hooks, since which all of it was entered */
	seqcount_t seq;
	u32 last_id;
	u32 next_free;
	u16 depth;		/* frames that are open */
	u16 known;		/* frames whose caches hold */
	struct sp_activation frame[SP_CALL_DEPTH];
};

/* Where an activation is: what its exit is told. */
struct sp_call {
	u32 id;
	u16 depth;
};

/* An activation that ended; times in the recording's unit. */
struct sp_ended_call {
	u16 depth;
	u16 dropped;		/* frames above it that never returned */
	u64 inclusive;
	u64 exclusive;
};

bool sp_calls_push(struct sp_calls *calls, u16 function, u64 now,
		   struct sp_call *call);
bool sp_calls_pop(struct sp_calls *calls, const struct sp_call *call, u64 now,
		  struct sp_ended_call *ended);
bool sp_calls_pop_top(struct sp_calls *calls, u64 now, struct sp_ended_call *ended);
void sp_calls_clear(struct sp_calls *calls);
void sp_calls_restart(struct sp_calls *calls, u64 begin);
void sp_calls_forget_entries(struct sp_calls *calls);

#endif

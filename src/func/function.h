/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_FUNC_FUNCTION_H
#define SP_FUNC_FUNCTION_H

#include <linux/kref.h>
#include <linux/types.h>

#include "lib/calls.h"
#include "lib/park.h"
#include "lib/pool.h"
#include "func/list.h"
#include "record/recording.h"
#include "task/clock.h"
#include "task/task_table.h"
#include "lib/stack_table.h"

struct sp_switch;
struct sp_probes;
struct sp_config;
struct sp_why;

/* Of one CPU; written there with one instruction, in any context. */
struct sp_function_cpu {
	unsigned long missed;	/* activations that could not be followed */
	unsigned long dropped;	/* that were entered and never left */
	unsigned long idle;	/* of idle tasks */
	unsigned long throttled;	/* of functions that are switched off */
};

/* What a function did on one CPU; written there, interrupts off. */
struct sp_function_use {
	u64 calls;
	u64 time;		/* inclusive, in the recording's unit */
};

/*
 * The functions of a session while it is enabled, and in which of them each task
 * is. Recordings of the session have a reference, as a reset replaces them.
 */
struct sp_functions {
	struct kref kref;
	struct sp_function_list *list;	/* reference */
	bool throttle;			/* immutable */
	struct sp_recording *recording;	/* that is filled; READ_ONCE in hooks */
	u64 epoch;			/* recordings so far; session's mutex */
	struct sp_function_cpu __percpu *cpu;
	struct sp_function_use *uses;	/* by CPU and function */
	unsigned long *throttled;	/* a bit for each function; atomic */
	struct sp_probes *probes;	/* NULL while nothing is armed */
	unsigned long kernel_missed;	/* once they are not filled: what they missed */
	struct sp_parked parked;
	struct list_head armed;		/* of all; with the next two, under armed_mutex */
	u64 looked;			/* ns of CLOCK_MONOTONIC: when their probes saw something */
	u64 blind_ns;			/* so far, in which they saw nothing; READ_ONCE */

	struct sp_pool pool;	/* of calls; a place tells its part */
	struct sp_callchain callchain;	/* of readers and at the end: session's mutex */
	struct sp_calls copy;	/* the same */
	u32 *of_slot;		/* calls by place of the task clock, counted from
				 * 1; each written by the CPU that has its task
				 */
	struct sp_calls *calls;	/* immutable, as of_slot */
};

/* What a reader is told: about the time since enable, but for blind_ns. */
struct sp_function_totals {
	u32 functions;
	u32 throttled;
	u64 missed, dropped, idle, throttled_calls;
	u64 blind_ns;		/* their probes saw nothing, since the recording began */
};

extern const struct sp_function_ops sp_function_ops;

struct sp_functions *sp_functions_create(struct sp_function_list *list,
					 const struct sp_config *config,
					 struct sp_why *why);
struct sp_functions *sp_functions_get(struct sp_functions *functions);
void sp_functions_put(struct sp_functions *functions);
int sp_functions_arm(struct sp_functions *functions, struct sp_why *why);
void sp_functions_disarm(struct sp_functions *functions);
void sp_functions_settle(void);
void sp_functions_keep(struct sp_functions *functions);
void sp_functions_fill(struct sp_functions *functions, struct sp_recording *recording);
void sp_functions_totals(struct sp_functions *functions,
			 struct sp_function_totals *totals);
bool sp_functions_distort(const struct sp_functions *functions, u32 number,
			  enum sp_clock_id clock_id, struct sp_function_use *use);
u32 sp_functions_open(const struct sp_functions *functions);
u32 sp_functions_visit_open(struct sp_functions *functions,
			    const struct sp_recording *recording, u64 now,
			    void (*visit)(struct sp_calls *calls,
					  const struct sp_ended_call *open,
					  void *data),
			    void *data);

/**
 * sp_calls_follow() - times and caches are those of a recording from now on
 * @recording: which one
 * @calls: being written by the caller, or a copy
 */
static inline void sp_calls_follow(const struct sp_recording *recording,
				   struct sp_calls *calls)
{
	if (likely(calls->epoch == recording->epoch))
		return;
	sp_calls_restart(calls, sp_recording_begin(recording));
	calls->epoch = recording->epoch;
	calls->thread = SP_THREAD_NONE;
}

/**
 * sp_calls_hold() - is what is open still open, for all that is known?
 * @calls: being written by the caller, or a copy
 *
 * While hooks are shut returns are missed, and while they are blind the ends of tasks.
 */
static inline bool sp_calls_hold(const struct sp_calls *calls)
{
	/* Pairs with open_hooks(): behind sp_hot_is_shut(). */
	return likely(calls->opening == READ_ONCE(sp_hot_openings));
}

/* func/call.c */
bool sp_function_enter(struct sp_functions *functions, u32 number,
		       struct sp_call *call);
void sp_function_leave(struct sp_functions *functions, const struct sp_call *call);
void sp_function_bury(struct sp_recording *recording, struct sp_switch *sw,
		      bool wanted);

/* func/account.c */
bool sp_record_call_enters(struct sp_recording *recording, struct sp_switch *sw,
			   struct sp_calls *calls);
void sp_record_call(struct sp_recording *recording, struct sp_switch *sw,
		    struct sp_calls *calls, const struct sp_ended_call *ended);
void sp_record_call_unknown(struct sp_recording *recording, bool lost);
void sp_record_cut_call(struct sp_calls *calls, const struct sp_ended_call *open, void *data);
void sp_record_path(const struct sp_recording *recording, const struct sp_calls *calls,
		    unsigned int depth, struct sp_callchain *callchain);

#endif

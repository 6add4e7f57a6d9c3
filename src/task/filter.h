/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_FILTER_H
#define SP_TASK_FILTER_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "lib/task_clock.h"

struct sp_pid_set;
struct sp_traits;

enum sp_tasks_kind {
	SP_KIND_ALL,
	SP_KIND_USER,
	SP_KIND_KERNEL,
};

/* What states may be. */
#define SP_STATES_ALL (BIT(SP_STATES) - 1)

/* What a session lets in. Written under the session's mutex, read by hooks. */
struct sp_filter {
	struct sp_pid_set __rcu *pids;
	struct sp_pid_set __rcu *tids;
	struct sp_traits __rcu *traits;
	u32 kind;		/* immutable while enabled, as the next */
	u32 states;		/* a bit per enum sp_state */
	bool inherit;		/* descendants of listed tasks, too */
	/* In the unit of the session's clock; 0: no bound; READ_ONCE */
	u64 min;
	u64 max;
};

bool sp_filter_listed(const struct sp_filter *filter, struct task_struct *task);
bool sp_filter_match(const struct sp_filter *filter, struct task_struct *task,
		     bool heir);

/**
 * sp_filter_state() - does it let in an interval before which the task left so?
 * @filter: the filter
 * @time: which of the task's times it is
 * @state: in which state it left
 */
static inline bool sp_filter_state(const struct sp_filter *filter,
				   enum sp_time time, enum sp_state state)
{
	return (time != SP_TIME_OFF_CPU && time != SP_TIME_BLOCKED) ||
	       filter->states & BIT(state);
}

#endif

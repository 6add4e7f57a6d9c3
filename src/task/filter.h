/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_FILTER_H
#define SP_TASK_FILTER_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "lib/task_clock.h"
#include "task/config.h"

struct sp_pid_set;
struct sp_traits;

/* What a session lets in. Written under the session's mutex, read by hooks. */
struct sp_filter {
	const struct sp_config *config;	/* what kinds of tasks; immutable while enabled */
	struct sp_pid_set __rcu *pids;
	struct sp_pid_set __rcu *tids;
	struct sp_traits __rcu *traits;
	/* In the unit of the session's clock; 0: no bound; READ_ONCE */
	u64 min;
	u64 max;
};

bool sp_filter_listed(const struct sp_filter *filter, struct task_struct *task);
bool sp_filter_match(const struct sp_filter *filter, struct task_struct *task,
		     bool heir);

/**
 * sp_filter_state() - is an interval wanted before which the task left so?
 * @config: of the recording
 * @time: which of the task's times it is
 * @state: in which state it left
 */
static inline bool sp_filter_state(const struct sp_config *config,
				   enum sp_time time, enum sp_state state)
{
	return (time != SP_TIME_OFF_CPU && time != SP_TIME_BLOCKED) ||
	       config->states & BIT(state);
}

#endif

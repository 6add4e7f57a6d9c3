/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_FILTER_H
#define SP_FILTER_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

struct sp_pid_set;

enum sp_tasks_kind {
	SP_KIND_ALL,
	SP_KIND_USER,
	SP_KIND_KERNEL,
};

/* What a session lets in. Written under the session's mutex, read by hooks. */
struct sp_filter {
	struct sp_pid_set __rcu *pids;
	struct sp_pid_set __rcu *tids;
	u32 kind;		/* immutable while enabled */
	u64 min_ns;		/* 0: no bound; READ_ONCE */
	u64 max_ns;
};

bool sp_filter_match(const struct sp_filter *filter, struct task_struct *task);

#endif

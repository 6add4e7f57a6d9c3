// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter: does a session want a task? Asked once per task and change of a
 * filter, not per event: the answer is kept in the task's clock.
 *
 * Sets are replaced under RCU; a hook runs with interrupts off, which is a
 * read side section.
 */
#include <linux/pid.h>
#include <linux/sched/signal.h>

#include "task/filter.h"
#include "lib/pid_set.h"
#include "lib/widen.h"
#include "task/traits.h"

static bool kind_matches(u64 kind, const struct task_struct *task)
{
	bool kthread = task->flags & PF_KTHREAD;

	return kind == SP_KIND_ALL || kthread == (kind == SP_KIND_KERNEL);
}

/* With both lists, being in either is enough; "all" is no list. */
static bool is_listed(const struct sp_pid_set *pids, const struct sp_pid_set *tids,
		      struct task_struct *task)
{
	return (!pids->all && sp_pid_set_has(pids, task_tgid(task))) ||
	       (!tids->all && sp_pid_set_has(tids, task_pid(task)));
}

/**
 * sp_filter_listed() - is a task in one of the lists?
 * @filter: the filter
 * @task: the task; it cannot go away meanwhile
 *
 * Context: any, also a hook; bisects two arrays, takes no lock.
 */
bool sp_filter_listed(const struct sp_filter *filter, struct task_struct *task)
{
	bool is;

	rcu_read_lock();
	is = is_listed(rcu_dereference(filter->pids), rcu_dereference(filter->tids),
		       task);
	rcu_read_unlock();
	return is;
}

/**
 * sp_filter_match() - does the filter let a task in?
 * @filter: the filter
 * @task: the task; it cannot go away meanwhile
 * @heir: it descends from one that is listed, and that is enough
 *
 * Context: any, also a hook; bisects two arrays, takes no lock.
 */
bool sp_filter_match(const struct sp_filter *filter, struct task_struct *task,
		     bool heir)
{
	const struct sp_pid_set *pids, *tids;
	bool match;

	rcu_read_lock();
	pids = rcu_dereference(filter->pids);
	tids = rcu_dereference(filter->tids);
	sp_window();
	match = ((pids->all && tids->all) || heir || is_listed(pids, tids, task)) &&
		kind_matches(filter->config->tasks_kind, task) &&
		sp_traits_match(rcu_dereference(filter->traits), task);
	rcu_read_unlock();
	return match;
}

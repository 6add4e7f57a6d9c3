// SPDX-License-Identifier: GPL-2.0-only
/*
 * throttle: when tasks could not run because a control group above them had used up the time
 * that it may have (cpu.max).
 *
 * What is throttled is a group's queue on one CPU, and all that is in it and below. On most
 * kernels no task of these runs then, so of a wait all is told that its groups were throttled.
 * Where there is throttle_cfs_rq_work(), a task runs on until it is about to return to its
 * program, and only then it leaves; one that waits inside the kernel can still run. So there a
 * wait is told that begins so, as far as the group was throttled from then on without a break.
 *
 * The log comes and goes with its users, under their mutex. Hooks look with interrupts off, and
 * it is freed a grace period after they cannot see it any more.
 */
#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "lib/memory.h"
#include "task/clock.h"
#include "task/percpu.h"
#include "task/throttle.h"

/* Groups inside of each other that are looked at: whoever makes them chooses how many. */
#define MAX_LEVELS	16

struct sp_throttle_log *sp_throttle_log;
/* Tasks are throttled one by one; set before the log is. */
static bool tasks_leave;

/**
 * sp_throttle_open() - begin to remember
 * @by_task: throttled tasks leave one by one, and that is told
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_throttle_open(bool by_task)
{
	struct sp_throttle_log *log = sp_alloc(sizeof(*log));

	if (!log)
		return -ENOMEM;
	sp_throttle_log_init(log);
	tasks_leave = by_task;
	/* Hooks that see it see what is in it. */
	smp_store_release(&sp_throttle_log, log);
	return 0;
}

/**
 * sp_throttle_close() - forget it
 *
 * Context: process, may sleep; nobody tells of anything any more.
 */
void sp_throttle_close(void)
{
	struct sp_throttle_log *log = sp_throttle_log;

	WRITE_ONCE(sp_throttle_log, NULL);
	synchronize_rcu();
	vfree(log);
}

/**
 * sp_throttle_note_leaving() - the task that runs leaves soon if its group is throttled
 *
 * Context: a probe in that task.
 */
void sp_throttle_note_leaving(void)
{
	struct sp_task *st;
	unsigned long flags;

	local_irq_save(flags);
	st = sp_hot_is_shut() ? NULL : sp_task_find(current);
	if (st)
		WRITE_ONCE(st->leaving, sp_time());
	local_irq_restore(flags);
}

#ifdef CONFIG_CFS_BANDWIDTH
/* While the caller has the run queue's lock, nobody moves the task to another group. */
static void find_in_groups(struct sp_throttle_log *log, const struct task_struct *task,
			   u64 from, u64 to, struct sp_throttles *throttles)
{
	const struct sched_entity *entity = &task->se;
	int level;

	for (level = 0; entity && level < MAX_LEVELS; level++, entity = entity->parent)
		sp_throttle_log_find(log, entity->cfs_rq, from, to, throttles);
}
#else
static void find_in_groups(struct sp_throttle_log *log, const struct task_struct *task,
			   u64 from, u64 to, struct sp_throttles *throttles)
{
}
#endif

/* What the wait began with. */
static void keep_first(struct sp_throttles *throttles, u64 from)
{
	const struct sp_throttle *first;

	if (!throttles->n)
		return;
	first = &throttles->list[throttles->n - 1];
	if (first->from == from)
		throttles->list[0] = *first;
	throttles->n = first->from == from;
}

/* The same as sp_throttle_of(), which calls it if there is something to look for. */
noinline const struct sp_throttles *
sp_throttle_find(struct sp_throttle_log *log, struct sp_throttles *throttles,
		 const struct task_struct *task, const struct sp_task *st,
		 const struct sp_clock *clock, u64 from, u64 to)
{
	throttles->n = 0;
	/* Real-time tasks are not in these queues. */
	if (task->prio < MAX_RT_PRIO)
		return NULL;
	if (tasks_leave && (clock->phase != SP_PHASE_RUNNABLE || from != clock->out_ts ||
			    READ_ONCE(st->leaving) < clock->in_ts))
		return NULL;
	find_in_groups(log, task, from, to, throttles);
	if (tasks_leave)
		keep_first(throttles, from);
	return throttles->n ? throttles : NULL;
}

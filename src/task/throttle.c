// SPDX-License-Identifier: GPL-2.0-only
/*
 * throttle: when tasks could not run because a control group above them had used up the time
 * that it may have (cpu.max).
 *
 * What is throttled is a group's queue on one CPU, and all that is in it and below. On most
 * kernels no task of these runs then, so of a wait all is told that its groups were throttled.
 * On newer ones (SP_TASKS_ARE_THROTTLED) a task runs on until it is about to return to its
 * program, and only then it leaves; one that waits inside the kernel can still run. So there a
 * wait is told that begins so, as far as the group was throttled from then on without a break.
 * (One that was about to leave, went on, and is preempted before it is in its program, in the
 * next time that its group is throttled, is taken for one that left.)
 *
 * The groups of a task are those in which it comes in. Of one that was moved to another group
 * while it waited, what that one was throttled before is told, too.
 *
 * The log comes and goes with its users, under their mutex. Hooks look with interrupts off, and
 * it is freed a grace period after they cannot see it any more.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "compat/compat.h"
#include "lib/memory.h"
#include "task/clock.h"
#include "task/percpu.h"
#include "task/throttle.h"

/* Groups inside of each other that are looked at: whoever makes them chooses how many. */
#define MAX_LEVELS	16

struct sp_throttle_log *sp_throttle_log;

/**
 * sp_throttle_open() - begin to remember
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_throttle_open(void)
{
	u64 bytes = sp_throttle_log_bytes(nr_cpu_ids);
	struct sp_throttle_log *log = NULL;

	/* With many CPUs it is large. */
	if (bytes >> PAGE_SHIFT < si_mem_available())
		log = sp_alloc(bytes);
	if (!log)
		return -ENOMEM;
	sp_throttle_log_init(log, nr_cpu_ids);
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
			   u64 since, struct sp_throttles *throttles)
{
	const struct sched_entity *entity = &task->se;
	int level;

	for (level = 0; entity && level < MAX_LEVELS; level++, entity = entity->parent)
		sp_throttle_log_find(log, entity->cfs_rq, since, throttles);
	/* Who makes that many, and is never throttled, has nothing cut. */
	throttles->cut |= entity && throttles->n;
}
#else
static void find_in_groups(struct sp_throttle_log *log, const struct task_struct *task,
			   u64 since, struct sp_throttles *throttles)
{
}
#endif

/* Are these queues for such tasks? Those of real time are in others. */
static bool is_fair(const struct task_struct *task)
{
#ifdef SCHED_EXT
	if (task->policy == SCHED_EXT)
		return false;
#endif
	return task->prio >= MAX_RT_PRIO;
}

/* What the wait began with. */
static void keep_first(struct sp_throttles *throttles, u64 since)
{
	const struct sp_throttle *first;

	if (!throttles->n)
		return;
	first = &throttles->list[throttles->n - 1];
	if (first->from == since)
		throttles->list[0] = *first;
	throttles->n = first->from == since;
}

static void find(struct sp_throttle_log *log, struct sp_throttles *throttles,
		 const struct sp_task *st, const struct sp_clock *clock, u64 since)
{
	if (!is_fair(st->task))
		return;
	/* It did not leave because of that. */
	if (SP_TASKS_ARE_THROTTLED &&
	    (clock->phase != SP_PHASE_RUNNABLE || !clock->in_ts ||
	     READ_ONCE(st->leaving) < clock->in_ts))
		return;
	find_in_groups(log, st->task, since, throttles);
	if (SP_TASKS_ARE_THROTTLED)
		keep_first(throttles, since);
	if (throttles->cut)
		atomic_long_inc(&log->cut);
}

/* The same as sp_throttle_of(), which calls it if there is something to look for. */
noinline const struct sp_throttles *
sp_throttle_find(struct sp_throttle_log *log, struct sp_throttles *throttles,
		 const struct sp_task *st, const struct sp_clock *clock, u64 since)
{
	/* The wait is one for all recordings. */
	if (throttles->who != st->serial || throttles->since != since) {
		throttles->who = st->serial;
		throttles->since = since;
		throttles->n = 0;
		throttles->cut = false;
		find(log, throttles, st, clock, since);
	}
	return throttles->n ? throttles : NULL;
}

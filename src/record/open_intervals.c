// SPDX-License-Identifier: GPL-2.0-only
/*
 * open_intervals: the tasks with time that no hook has handed on yet: those off the
 * CPU right now, since when, and where; in mode oncpu also those on one.
 *
 * Done by readers, in process context; the scheduler is never held up. First
 * all tasks are found, quickly, so that they belong to one moment. Then each
 * one's stacks are walked. A task may wake at any time: its clock's count grows then,
 * and a stack that was walked across such a turn is not believed.
 *
 * The walk runs in a kernel thread, because only those may borrow another
 * address space to read a sleeping task's user stack.
 */
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "task/filter.h"
#include "record/live.h"
#include "lib/memory.h"
#include "record/recording.h"
#include "record/open_intervals.h"
#include "task/task_table.h"

/* A walk is repeated so often if the task moves meanwhile. */
#define WALK_TRIES 3
/* Room for tasks that are born between counting and looking. */
#define BORN_MEANWHILE 64

/* The interval that was not handed on at the end. Returns false if there is none. */
static bool pending(const struct sp_open_intervals *sleepers, const struct sp_clock *clock,
		    enum sp_time time, struct sp_open_interval *sleeper)
{
	struct sp_clock then = *clock;
	struct sp_interval interval;

	sleeper->moved = clock->phase == SP_PHASE_ON_CPU &&
			 clock->came > sleepers->end;
	/* It came in just now, between the end and this look. */
	if (sleeper->moved) {
		/* A recording that is stopped has what its hook handed on then. */
		if (time != SP_TIME_OFF_CPU || !then.left || sleepers->stopping)
			return false;
		then.phase = SP_PHASE_RUNNABLE;
		then.came = 0;
	}
	/* It left just now: what was before is handed on when it comes in again. */
	if (then.left > sleepers->end) {
		if (time != SP_TIME_ON_CPU || !then.came || then.came >= sleepers->end)
			return false;
		then.phase = SP_PHASE_ON_CPU;
	}
	if (!sp_clock_time(&then, time, sleepers->end, &interval) ||
	    interval.end <= sleepers->begin || interval.start >= sleepers->end)
		return false;
	sleeper->running = then.phase == SP_PHASE_ON_CPU;
	sleeper->open = interval.open;
	sleeper->since = max(interval.start, sleepers->begin);
	sleeper->until = interval.end;
	return true;
}

static void consider(struct sp_open_intervals *sleepers, struct sp_recording *recording,
		     struct task_struct *task)
{
	enum sp_time time = recording->settings.mode->time;
	struct sp_open_interval *sleeper = &sleepers->list[sleepers->count], none;
	struct sp_task copy;

	/* What goes on there is not in the clocks of tasks. */
	if (time >= SP_CLOCK_TIMES)
		return;
	if (sleepers->count == sleepers->max)
		sleeper = &none;
	if (!sp_live_wants(recording, task) ||
	    !sp_task_copy(task, sleepers->source, &copy, &sleeper->slot) ||
	    !sp_filter_state(recording->filter, time, copy.clock.state) ||
	    !pending(sleepers, &copy.clock, time, sleeper))
		return;
	/* Its hook may be at the same, if it comes in just now. */
	if (sleepers->stopping && !sp_recording_claim(recording, sleeper->slot))
		return;
	if (sleeper == &none) {
		sleepers->missed++;
		return;
	}
	get_task_struct(task);
	sleeper->task = task;
	sleeper->waker = SP_STACK_NONE;
	/* While it runs again, nobody has woken it. */
	if (recording->wakers && copy.clock.phase == SP_PHASE_ASLEEP &&
	    copy.clock.woken)
		sleeper->waker = READ_ONCE(recording->wakers[sleeper->slot]);
	sleeper->seq = copy.seq.sequence;
	sleeper->serial = copy.serial;
	sleeper->exec_id = copy.exec_id;
	sleepers->count++;
}

/**
 * sp_open_intervals_init() - room for everyone, and for walking their stacks
 * @sleepers: filled; free it with sp_open_intervals_free()
 *
 * All memory that the other functions need, so that they cannot fail half-way.
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_open_intervals_init(struct sp_open_intervals *sleepers)
{
	memset(sleepers, 0, sizeof(*sleepers));
	/* Whoever is born meanwhile and has no room has hardly slept yet. */
	sleepers->max = sp_task_table_count() + BORN_MEANWHILE;
	sleepers->list = sp_alloc(sleepers->max * sizeof(*sleepers->list));
	sleepers->copy = sp_copy_alloc();
	sleepers->kernel = sp_alloc(sizeof(*sleepers->kernel));
	sleepers->user = sp_alloc(sizeof(*sleepers->user));
	if (sleepers->list && sleepers->copy && sleepers->kernel && sleepers->user)
		return 0;
	sp_open_intervals_free(sleepers);
	return -ENOMEM;
}

/**
 * sp_open_intervals_find() - whose time has not been handed on by a hook?
 * @sleepers: made by sp_open_intervals_init()
 * @recording: a live one; whom it wants, and which of their times. If it is being
 *	stopped, each of these is claimed, and its end is known.
 *
 * Context: process, may sleep, while hooks are armed.
 */
void sp_open_intervals_find(struct sp_open_intervals *sleepers, struct sp_recording *recording)
{
	struct task_struct *process, *task;

	sleepers->stopping = recording->closing;
	if (sleepers->stopping)
		sleepers->now = recording->end;
	else
		sp_now_read_all(&sleepers->now);
	sleepers->source = recording->settings.source;
	sleepers->begin = sp_recording_begin(recording);
	sleepers->end = sleepers->now.at[sleepers->source];
	rcu_read_lock();
	for_each_process_thread(process, task)
		consider(sleepers, recording, task);
	rcu_read_unlock();
}

/**
 * sp_open_intervals_free() - give memory and references back
 * @sleepers: made by sp_open_intervals_init(), or all zero
 *
 * Context: process, may sleep.
 */
void sp_open_intervals_free(struct sp_open_intervals *sleepers)
{
	u32 i;

	for (i = 0; i < sleepers->count; i++)
		put_task_struct(sleepers->list[i].task);
	vfree(sleepers->user);
	vfree(sleepers->kernel);
	sp_copy_free(sleepers->copy);
	vfree(sleepers->list);
	memset(sleepers, 0, sizeof(*sleepers));
}

/* One visit of all, on its way to a kernel thread. */
struct tour {
	struct work_struct work;
	struct sp_open_intervals *sleepers;
	u32 stacks;
	void (*visit)(const struct sp_open_interval *sleeper, void *data);
	void *data;
};

static bool stayed(const struct sp_open_interval *sleeper)
{
	struct sp_task copy;
	u32 slot;

	return sp_task_copy(sleeper->task, SP_SOURCE_MONO, &copy, &slot) &&
	       copy.serial == sleeper->serial && copy.seq.sequence == sleeper->seq &&
	       sp_phase_off_cpu(copy.clock.phase);
}

static bool walk_user(struct tour *tour, struct task_struct *task)
{
	struct pt_regs *regs = sp_copy_regs(tour->sleepers->copy);
	struct mm_struct *mm;

	if (!user_mode(regs))
		return false;
	mm = get_task_mm(task);		/* NULL for kernel threads */
	if (!mm)
		return false;
	kthread_use_mm(mm);
	sp_walk_user(tour->sleepers->user, regs);
	kthread_unuse_mm(mm);
	/* If the task has exited, the last reference tears its memory down: not here. */
	mmput_async(mm);
	return true;
}

static bool walk(struct tour *tour, struct sp_open_interval *sleeper)
{
	sleeper->kernel = NULL;
	sleeper->user = NULL;
	if (!sp_copy_take(tour->sleepers->copy, sleeper->task) || !stayed(sleeper))
		return false;
	if (tour->stacks & SP_WANT_KERNEL) {
		sp_copy_walk(tour->sleepers->copy, tour->sleepers->kernel);
		sleeper->kernel = tour->sleepers->kernel;
	}
	if (tour->stacks & SP_WANT_USER && walk_user(tour, sleeper->task))
		sleeper->user = tour->sleepers->user;
	return stayed(sleeper);
}

/* The task ran, or runs: nobody can say where it was. */
static void no_walk(struct tour *tour, struct sp_open_interval *sleeper)
{
	u16 why = sleeper->running ? SP_STACK_RUNNING : SP_STACK_MOVED;

	tour->sleepers->kernel->n = 0;
	tour->sleepers->kernel->flags = why;
	sleeper->kernel = tour->stacks & SP_WANT_KERNEL ? tour->sleepers->kernel : NULL;
	tour->sleepers->user->n = 0;
	tour->sleepers->user->flags = why | SP_STACK_USER;
	sleeper->user = tour->stacks == SP_WANT_USER ? tour->sleepers->user : NULL;
}

static void go_round(struct work_struct *work)
{
	struct tour *tour = container_of(work, struct tour, work);
	struct sp_open_interval *sleeper = tour->sleepers->list;
	struct sp_open_interval *end = sleeper + tour->sleepers->count;
	unsigned int tries;

	for (; sleeper < end; sleeper++) {
		for (tries = 0; tries < WALK_TRIES && !sleeper->moved &&
		     !sleeper->running; tries++) {
			if (walk(tour, sleeper))
				break;
			sleeper->moved = !stayed(sleeper);
		}
		if (tries == WALK_TRIES || sleeper->moved || sleeper->running)
			no_walk(tour, sleeper);
		tour->visit(sleeper, tour->data);
		cond_resched();
	}
}

/**
 * sp_open_intervals_visit() - walk everyone's stacks
 * @sleepers: filled by sp_open_intervals_find()
 * @stacks: which ones, enum sp_stack_kinds
 * @visit: called for each, in a kernel thread, one after the other
 * @data: for @visit
 *
 * Context: process, sleeps until all are visited.
 */
void sp_open_intervals_visit(struct sp_open_intervals *sleepers, u32 stacks,
			     void (*visit)(const struct sp_open_interval *sleeper, void *data),
			     void *data)
{
	struct tour tour = {
		.sleepers = sleepers, .stacks = stacks & ~SP_WANT_WAKER,
		.visit = visit, .data = data,
	};

	/* The kernel thread may be on a CPU that is kept busy. */
	if (!sleepers->count)
		return;
	INIT_WORK_ONSTACK(&tour.work, go_round);
	queue_work(system_dfl_wq, &tour.work);
	flush_work(&tour.work);
	destroy_work_on_stack(&tour.work);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * open_intervals: the tasks with time that no hook has handed on yet: those off the
 * CPU right now, since when, and where; in modes oncpu and wall also those on one.
 *
 * Done by readers, in process context; the scheduler is never held up. First
 * all tasks are listed, under RCU; then each one's clock is looked at, quickly, so that what is
 * found belongs to one moment, but others may run between two of them; then each one's stacks
 * are walked. A task may wake at any time: its clock's count grows then, and a stack that was
 * walked across such a turn is not believed.
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
#include "lib/address_space.h"
#include "lib/readers.h"
#include "lib/widen.h"
#include "record/recording.h"
#include "record/open_intervals.h"
#include "task/task_table.h"
#include "unwind/spaces.h"

/* A walk is repeated so often if the task moves meanwhile. */
#define UNWIND_TRIES 3
/* One to fifty microseconds; from its hook to its end, a switch takes one. */
#define SWITCH_SPINS 1000

/*
 * The interval that was not handed on at the end. Returns false if there is none. @whole: of
 * all of a task's time this is but a part; @handed_on: what was on a CPU, up to then
 */
static bool is_pending(const struct sp_open_intervals *intervals, const struct sp_clock *clock,
		       enum sp_time time, bool whole, u64 begin, u64 handed_on,
		       struct sp_open_interval *open)
{
	struct sp_clock then = *clock;
	struct sp_interval interval;

	open->moved = clock->phase == SP_PHASE_ON_CPU &&
			 clock->in_ts > intervals->end;
	/* It came in just now, between the end and this look. */
	if (open->moved) {
		/* A recording that is stopped has what its hook handed on then. */
		if ((time != SP_TIME_OFF_CPU && !whole) || !then.out_ts || intervals->stopping)
			return false;
		/* When it was woken is forgotten by now. */
		then.phase = then.state == SP_STATE_R ? SP_PHASE_RUNNABLE : SP_PHASE_ASLEEP;
		then.in_ts = 0;
	}
	/* It left just now: what was before is handed on when it comes in again. */
	if (then.out_ts > intervals->end) {
		if (time != SP_TIME_ON_CPU || !then.in_ts || then.in_ts >= intervals->end)
			return false;
		/* As it was at the end. */
		then.phase = SP_PHASE_ON_CPU;
		then.out_ts = 0;
	}
	if (!sp_clock_time(&then, time, intervals->end, &interval))
		return false;
	if (interval.end <= begin || interval.start >= intervals->end)
		return false;
	open->running = then.phase == SP_PHASE_ON_CPU;
	open->open = interval.open;
	open->began = max(interval.start, begin);
	open->since = open->began;
	open->until = interval.end;
	/* Of whoever goes on, a timer may have handed on more meanwhile. */
	if (time == SP_TIME_ON_CPU)
		open->since = clamp(handed_on, open->began, open->until);
	return true;
}

static bool stayed_off_cpu(const struct sp_open_interval *open)
{
	struct sp_task copy;
	u32 slot;

	/* What was read of its stack was read before. */
	smp_rmb();
	return sp_task_copy(open->task, &copy, &slot) &&
	       copy.serial == open->serial && copy.seq.sequence == open->seq &&
	       sp_phase_off_cpu(copy.clock.phase);
}

/*
 * Where a task was seen on a CPU the last time before it left: so it was until then, as
 * record_rest() has it.
 */
static void find_seen(const struct sp_open_intervals *intervals,
		      const struct sp_recording *recording, struct sp_open_interval *open)
{
	const struct sp_sampled *sampled = &recording->sampled[open->slot];
	u32 kernel, user;
	bool lost;

	if (READ_ONCE(sampled->exec_id) != open->exec_id)
		return;
	kernel = READ_ONCE(sampled->kernel);
	user = READ_ONCE(sampled->user);
	/* For one that is being stopped nobody looks at CPUs any more. */
	if (!intervals->stopping && !stayed_off_cpu(open))
		return;
	/* As in rows: one without the other is lost. */
	lost = kernel == SP_STACK_LOST || user == SP_STACK_LOST;
	open->seen_kernel = lost ? SP_STACK_LOST : kernel;
	open->seen_user = lost ? SP_STACK_LOST : user;
	open->seen = true;
}

/* There is room for it, or it is counted. */
static void add_interval(struct sp_open_intervals *intervals, struct sp_recording *recording,
			 struct task_struct *task, const struct sp_task *copy,
			 const struct sp_open_interval *found)
{
	struct sp_open_interval *open = &intervals->list[intervals->count];

	if (intervals->count == intervals->max) {
		intervals->missed++;
		return;
	}
	intervals->count++;
	*open = *found;
	open->began = sp_time_by(recording->config.clock, found->began);
	open->since = sp_time_by(recording->config.clock, found->since);
	open->until = sp_time_by(recording->config.clock, found->until);
	get_task_struct(task);
	open->task = task;
	open->waker = SP_STACK_NONE;
	/* While it runs again, nobody has woken it. */
	if (recording->wakers && !open->mark && copy->clock.phase == SP_PHASE_ASLEEP &&
	    copy->clock.woken)
		open->waker = READ_ONCE(recording->wakers[open->slot]) ?: recording->unseen_waker;
	open->seq = copy->seq.sequence;
	open->serial = copy->serial;
	open->exec_id = copy->exec_id;
	/* Something of it is handed on, and not all. */
	if (found->since > found->began && found->until > found->since && !found->running &&
	    !found->moved)
		find_seen(intervals, recording, open);
}

/* Up to when a task's time was, at least. Its entries were copied before. */
static u64 handed_on_until(const struct sp_recording *recording, const struct sp_task *copy,
			   u32 slot)
{
	/* No hook has decided about it yet: what is there is of who had the slot before. */
	if (!recording->sampled || !copy->filter_gen)
		return 0;
	/* Pairs with sp_record_sample(): what is handed on just now is not told twice. */
	smp_rmb();
	sp_window();
	return READ_ONCE(recording->sampled[slot].at);
}

/* Before it came in where that was not seen, or all of it, and nothing else is known. */
static bool is_missed(const struct sp_open_intervals *intervals,
		      const struct sp_recording *recording, const struct sp_task *copy,
		      u64 begin, u64 handed_on, struct sp_open_interval *open)
{
	u64 known_since = copy->clock.in_ts ?: copy->clock.out_ts ?: intervals->end;

	/* Its traits are others now, and no hook was there: it is wanted for what it is at only. */
	if (!test_bit(recording->bit, copy->match) && copy->filter_gen && !copy->undecided)
		return false;
	open->began = sp_live_missed_since(begin, copy, handed_on);
	open->since = open->began;
	open->until = min(known_since, intervals->end);
	open->moved = true;
	open->mark = SP_STACK_MOVED;
	return open->since < open->until;
}

/* Which of a task's times go on, if there is no clock of it that could tell. */
static unsigned int times_now(const struct task_struct *task)
{
	/* Its hook is about to tell all. */
	if (sp_task_state(task) == TASK_DEAD)
		return 0;
	switch (sp_task_phase(task)) {
	case SP_PHASE_ON_CPU:
		return BIT(SP_TIME_ON_CPU);
	case SP_PHASE_RUNNABLE:
		return BIT(SP_TIME_OFF_CPU) | BIT(SP_TIME_RUN_QUEUE);
	default:
		return BIT(SP_TIME_OFF_CPU) | BIT(SP_TIME_BLOCKED);
	}
}

static struct sp_listed_task listed(const struct sp_open_intervals *intervals,
				    struct task_struct *task)
{
	/* No hook tells of it, also if it comes in later. */
	bool untold = intervals->stopping && !sp_task_find(task);

	return (struct sp_listed_task) { task, untold ? times_now(task) : 0 };
}

static void consider_task(struct sp_open_intervals *intervals, struct sp_recording *recording,
			  const struct sp_listed_task *listed)
{
	struct task_struct *task = listed->task;
	unsigned int part, parts = sp_time_parts(recording->mode->time);
	bool claimed = false, whole = recording->mode->time == SP_TIME_WALL;
	struct sp_open_interval missed = { .cpu = task_cpu(task) };
	struct sp_task copy = { };
	u64 begin, handed_on;

	if (!sp_live_wants(recording, task))
		return;
	if (!sp_live_knows(task) || !sp_task_copy(task, &copy, &missed.slot)) {
		if (parts & listed->times && sp_time_of_mono(task->start_time) < intervals->end &&
		    (sp_task_may_have_been_refused(task) || sp_task_never_ran(task)))
			intervals->missed++;
		return;
	}
	/* No hook may have seen its end, while they were armed anew. */
	if (sp_task_state(task) == TASK_DEAD && !sp_task_on_cpu(task))
		return;
	begin = sp_live_watched_since(recording, &copy);
	handed_on = handed_on_until(recording, &copy, missed.slot);
	for (part = 0; part < SP_CLOCK_TIMES; part++) {
		struct sp_open_interval open = {
			.slot = missed.slot, .mark = sp_recording_mark(recording, part),
			.cpu = sp_task_where(part, &copy, task_cpu(task)),
		};

		if (!(parts & BIT(part)) ||
		    !sp_filter_state(&recording->config, part, copy.clock.state) ||
		    !is_pending(intervals, &copy.clock, part, whole, begin, handed_on,
				&open))
			continue;
		/* Its hook may be at the same, if it comes in just now. */
		if (intervals->stopping && !claimed &&
		    !sp_recording_claim(recording, missed.slot))
			return;
		claimed = true;
		add_interval(intervals, recording, task, &copy, &open);
	}
	/* Whoever was not seen by any hook is not claimed yet. */
	if (whole && is_missed(intervals, recording, &copy, begin, handed_on, &missed) &&
	    (claimed || !intervals->stopping || sp_recording_claim(recording, missed.slot)))
		add_interval(intervals, recording, task, &copy, &missed);
}

/**
 * sp_open_intervals_init() - room for everyone, and for walking their stacks
 * @intervals: filled; free it with sp_open_intervals_free()
 * @recording: whose
 * @memory: whose it is
 *
 * All memory that the other functions need, so that they cannot fail half-way.
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_open_intervals_init(struct sp_open_intervals *intervals,
			   const struct sp_recording *recording,
			   const struct sp_memory *memory)
{
	memset(intervals, 0, sizeof(*intervals));
	intervals->memory = memory;
	/* Whoever is born meanwhile and has no room has hardly slept yet. */
	intervals->max = sp_task_table_room();
	intervals->task_max = sp_tasks_room();
	intervals->tasks = memory->alloc(intervals->task_max * sizeof(*intervals->tasks));
	/* Each part of their time, and what was missed of it. */
	if (recording->mode->time == SP_TIME_WALL)
		intervals->max *= hweight32(sp_time_parts(SP_TIME_WALL)) + 1;
	intervals->list = memory->alloc(intervals->max * sizeof(*intervals->list));
	intervals->copy = sp_copy_alloc();
	intervals->kernel = memory->alloc(sizeof(*intervals->kernel));
	intervals->user = memory->alloc(sizeof(*intervals->user));
	if (intervals->list && intervals->tasks && intervals->copy && intervals->kernel &&
	    intervals->user)
		return 0;
	sp_open_intervals_free(intervals);
	return -ENOMEM;
}

/*
 * Whom a session wants may take a look at many ancestors, and how many tasks there are is up to
 * anybody, so all of that is for later.
 */
static void list_tasks(struct sp_open_intervals *intervals, struct sp_recording *recording)
{
	struct task_struct *process, *task;
	struct sp_listed_task one;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		one = listed(intervals, task);
		if (unlikely(intervals->task_count == intervals->task_max)) {
			consider_task(intervals, recording, &one);
			continue;
		}
		get_task_struct(task);
		intervals->tasks[intervals->task_count++] = one;
	}
	rcu_read_unlock();
}

/**
 * sp_open_intervals_find() - whose time has not been handed on by a hook?
 * @intervals: made by sp_open_intervals_init()
 * @recording: a live one; whom it wants, and which of their times. If it is being
 *	stopped, each of these is claimed, and its end is known.
 *
 * Context: process, may sleep, while hooks are armed.
 */
void sp_open_intervals_find(struct sp_open_intervals *intervals, struct sp_recording *recording)
{
	u32 i;

	intervals->stopping = recording->closing;
	intervals->end = intervals->stopping ? recording->end.ns : sp_time_now();
	/* What goes on in others is not in the clocks of tasks. */
	if (!sp_time_parts(recording->mode->time))
		return;
	list_tasks(intervals, recording);
	for (i = 0; i < intervals->task_count; i++) {
		rcu_read_lock();
		consider_task(intervals, recording, &intervals->tasks[i]);
		rcu_read_unlock();
		put_task_struct(intervals->tasks[i].task);
		sp_readers_yield();
	}
	intervals->task_count = 0;
}

/**
 * sp_open_intervals_free() - give memory and references back
 * @intervals: made by sp_open_intervals_init(), or all zero
 */
void sp_open_intervals_free(struct sp_open_intervals *intervals)
{
	u32 i;

	if (!intervals->memory)
		return;
	for (i = 0; i < intervals->count; i++)
		put_task_struct(intervals->list[i].task);
	intervals->memory->free(intervals->user);
	intervals->memory->free(intervals->kernel);
	sp_copy_free(intervals->copy);
	intervals->memory->free(intervals->tasks);
	intervals->memory->free(intervals->list);
	memset(intervals, 0, sizeof(*intervals));
}

/* One visit of all, on its way to a kernel thread. */
struct tour {
	struct work_struct work;
	struct sp_open_intervals *intervals;
	u32 stacks;
	void (*visit)(const struct sp_open_interval *open, void *data);
	void *data;
};

static bool unwind_user(struct tour *tour, struct task_struct *task)
{
	struct pt_regs *regs = sp_copy_regs(tour->intervals->copy);
	struct mm_struct *mm;
	bool begun;

	if (sp_runs_no_program(task) || !user_mode(regs))
		return false;
	mm = get_task_mm(task);
	if (!mm)
		return false;
	begun = sp_mm_has_begun(mm);
	if (begun) {
		sp_unwind_spaces_know(task, mm);
		kthread_use_mm(mm);
		sp_unwind_user(tour->intervals->user, regs);
		kthread_unuse_mm(mm);
	}
	/* If the task has exited, the last reference tears its memory down: not here. */
	mmput_async(mm);
	return begun;
}

/*
 * What a task slept with. It is on its stack before its hook tells that it came in, and, with the
 * tracepoint, for a moment after that told that it left. It has a CPU then: the scheduler says so
 * before the switch (prepare_task()), and takes it back behind it (finish_task()).
 */
static bool copy_stack(struct tour *tour, const struct sp_open_interval *open)
{
	unsigned int spins;

	for (spins = 0; sp_task_on_cpu(open->task) && spins < SWITCH_SPINS; spins++)
		cpu_relax();
	if (spins == SWITCH_SPINS)
		return false;
	/* Pairs with the release in finish_task(): what is read is what the switch left. */
	smp_rmb();
	if (!sp_copy_take(tour->intervals->copy, open->task))
		return false;
	/*
	 * Pairs with __switch_to(), where arm64 has a dsb, and x86 keeps the order of stores: if
	 * something was read that the task wrote meanwhile, it is seen to have a CPU, or its clock
	 * turned.
	 */
	smp_rmb();
	return !sp_task_on_cpu(open->task) && stayed_off_cpu(open);
}

static bool unwind_task(struct tour *tour, struct sp_open_interval *open)
{
	open->kernel = NULL;
	open->user = NULL;
	if (!copy_stack(tour, open))
		return false;
	if (tour->stacks & SP_WANT_KERNEL) {
		sp_copy_unwind(tour->intervals->copy, tour->intervals->kernel);
		open->kernel = tour->intervals->kernel;
	}
	if (tour->stacks & SP_WANT_USER && unwind_user(tour, open->task))
		open->user = tour->intervals->user;
	return stayed_off_cpu(open);
}

/* The task ran, or runs: nobody can say where it was. */
static void no_callchain(struct tour *tour, struct sp_open_interval *open)
{
	u16 why = open->running ? SP_STACK_RUNNING : SP_STACK_MOVED;

	tour->intervals->kernel->n = 0;
	tour->intervals->kernel->flags = why;
	open->kernel = tour->stacks & SP_WANT_KERNEL ? tour->intervals->kernel : NULL;
	tour->intervals->user->n = 0;
	tour->intervals->user->flags = why | SP_STACK_USER;
	open->user = tour->stacks == SP_WANT_USER ? tour->intervals->user : NULL;
}

/* What it did there. */
static void mark_kernel(struct tour *tour, struct sp_open_interval *open)
{
	struct sp_callchain *kernel = tour->intervals->kernel;

	if (!open->mark)
		return;
	if (!open->kernel) {
		kernel->n = 0;
		kernel->flags = 0;
		open->kernel = kernel;
	}
	kernel->flags |= open->mark;
}

static void find_stacks(struct tour *tour, struct sp_open_interval *open)
{
	unsigned int tries;

	for (tries = 0; tries < UNWIND_TRIES && !open->moved && !open->running; tries++) {
		if (unwind_task(tour, open))
			break;
		open->moved = !stayed_off_cpu(open);
	}
	if (tries == UNWIND_TRIES || open->moved || open->running)
		no_callchain(tour, open);
	mark_kernel(tour, open);
}

static void go_round(struct work_struct *work)
{
	struct tour *tour = container_of(work, struct tour, work);
	struct sp_open_interval *open = tour->intervals->list;
	struct sp_open_interval *end = open + tour->intervals->count;

	for (; open < end; open++) {
		if (!open->seen)
			find_stacks(tour, open);
		tour->visit(open, tour->data);
		cond_resched();
	}
}

/**
 * sp_open_intervals_visit() - walk everyone's stacks
 * @intervals: filled by sp_open_intervals_find()
 * @stacks: which ones, enum sp_stack_kinds
 * @visit: called for each, in a kernel thread, one after the other
 * @data: for @visit
 *
 * Context: process, sleeps until all are visited.
 */
void sp_open_intervals_visit(struct sp_open_intervals *intervals, u32 stacks,
			     void (*visit)(const struct sp_open_interval *open, void *data),
			     void *data)
{
	struct tour tour = {
		.intervals = intervals, .stacks = stacks & ~SP_WANT_WAKER,
		.visit = visit, .data = data,
	};

	/* The kernel thread may be on a CPU that is kept busy. */
	if (!intervals->count)
		return;
	INIT_WORK_ONSTACK(&tour.work, go_round);
	queue_work(system_dfl_wq, &tour.work);
	flush_work(&tour.work);
	destroy_work_on_stack(&tour.work);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: the tasks that a recording has seen.
 *
 * A fixed number of threads. The task's clock has a place in the shared table,
 * and an array per recording tells the thread by that place, so a hook needs no
 * search. Making and freeing a thread takes the raw spinlock of the place's part of the
 * table (lib/pool.h) with interrupts off; that happens once per task and program. Under
 * it, a place leads to the last thread that was made for it, or to none once that is freed, or
 * another task has the place, and has no thread.
 */
#include <linux/bitmap.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/memory.h"
#include "record/cgroups.h"
#include "record/threads.h"

static size_t wanted_bytes(u32 max)
{
	return BITS_TO_LONGS((size_t)max + SP_THREAD_FIRST) * sizeof(long);
}

/**
 * sp_threads_bytes() - memory that a table of threads will take
 * @max: threads
 * @slots: places of the table of task clocks
 */
u64 sp_threads_bytes(u32 max, u32 slots)
{
	return ((u64)max + SP_THREAD_FIRST) * sizeof(struct sp_thread) +
	       (u64)slots * sizeof(u32) + 3 * wanted_bytes(max) + sp_parts_bytes();
}
SP_EXPORT_FOR_KUNIT(sp_threads_bytes);

/* The pool has no special ones. */
#define POOL_OF(threads)	SP_POOL_OF((threads)->list + SP_THREAD_FIRST, next_free)

/**
 * sp_threads_init() - make an empty table of threads
 * @threads: to be filled
 * @max: threads it can hold, 1 to SP_MAX_TABLE
 * @slots: places of the table of task clocks
 *
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_threads_init(struct sp_threads *threads, u32 max, u32 slots)
{
	u32 i;

	memset(threads, 0, sizeof(*threads));
	threads->list = sp_alloc(((size_t)max + SP_THREAD_FIRST) * sizeof(*threads->list));
	threads->of_slot = sp_alloc((size_t)slots * sizeof(u32));
	threads->wanted = sp_alloc(wanted_bytes(max));
	threads->taken = sp_alloc(wanted_bytes(max));
	threads->busy = sp_alloc(wanted_bytes(max));
	if (sp_pool_init(&threads->pool, max, POOL_OF(threads)) || !threads->list ||
	    !threads->of_slot || !threads->wanted || !threads->taken || !threads->busy) {
		sp_threads_destroy(threads);
		return -ENOMEM;
	}
	for (i = 0; i < SP_THREAD_FIRST; i++)
		threads->list[i].serial = U64_MAX;
	strscpy(threads->list[SP_THREAD_EXITED].who.comm, "[exited]", TASK_COMM_LEN);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_threads_init);

/**
 * sp_threads_destroy() - give the memory back
 * @threads: no hook and no reader may use it any more
 */
void sp_threads_destroy(struct sp_threads *threads)
{
	sp_pool_destroy(&threads->pool);
	vfree(threads->list);
	vfree(threads->of_slot);
	vfree(threads->wanted);
	vfree(threads->taken);
	vfree(threads->busy);
	threads->list = NULL;
	threads->of_slot = NULL;
	threads->wanted = NULL;
	threads->taken = NULL;
	threads->busy = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_threads_destroy);

/**
 * sp_who_is_called() - the names of a task, and its control group, which may change
 * @who: filled in that; who does not live any more has no process that could be asked
 * @task: the task; the caller keeps it from going away
 *
 * Context: as sp_who_is().
 */
void sp_who_is_called(struct sp_who *who, struct task_struct *task)
{
	memcpy(who->comm, task->comm, TASK_COMM_LEN - 1);
	rcu_read_lock();
	if (pid_alive(task))
		memcpy(who->leader_comm, task->group_leader->comm, TASK_COMM_LEN - 1);
	rcu_read_unlock();
	who->cgroup = sp_cgroup_of(task);
}

/**
 * sp_who_is() - describe a task
 * @who: filled; the program stays unknown
 * @task: the task; the caller keeps it from going away
 *
 * Once a thread has been released, which it may do itself before its last
 * switch, its leader may be freed; as long as it is alive within an RCU read
 * side section, the leader is there.
 *
 * Context: any, also a hook. comm is read without its lock, as the
 * scheduler's tracepoints do: the kernel keeps it terminated.
 */
void sp_who_is(struct sp_who *who, struct task_struct *task)
{
	memset(who, 0, sizeof(*who));
	who->start_time = task->start_time;
	who->tid = task->pid;
	who->tgid = task->tgid;
	sp_who_is_called(who, task);
	rcu_read_lock();
	if (pid_alive(task))
		who->leader_start = task->group_leader->start_time;
	rcu_read_unlock();
	who->kthread = task->flags & PF_KTHREAD;
}
SP_EXPORT_FOR_KUNIT(sp_who_is);

/**
 * sp_who_task() - the task itself, if it is there
 * @who: as sp_who_is() has filled it
 *
 * It is found by its number each time: a reference would keep the namespaces of whoever has
 * exited for as long as the recording knows it, and a user may have but so many.
 *
 * Context: process, an RCU read side section.
 * Return: the task; NULL: it was reaped, or was a thread that has taken its leader's place.
 */
struct task_struct *sp_who_task(const struct sp_who *who)
{
	struct task_struct *task = pid_task(find_pid_ns(who->tid, &init_pid_ns), PIDTYPE_PID);

	return task && task->start_time == who->start_time ? task : NULL;
}
SP_EXPORT_FOR_KUNIT(sp_who_task);

static raw_spinlock_t *lock_of(struct sp_threads *threads, u32 slot)
{
	return &threads->pool.parts[slot % SP_PARTS].lock;
}

static void end_thread_locked(struct sp_threads *threads, struct sp_thread *thread)
{
	lockdep_assert_held(lock_of(threads, thread->slot));
	if (thread->over)
		return;
	atomic_inc(&threads->over_count);
	/* Pairs with mark_threads() in record/compact.c. */
	smp_store_release(&thread->over, true);
}

/* Ends what the task ran before, or who had its place before. */
static void take_place_locked(struct sp_threads *threads, u32 slot, u32 number)
{
	struct sp_thread *previous = &threads->list[threads->of_slot[slot]];
	const struct sp_thread *thread = &threads->list[number];

	lockdep_assert_held(lock_of(threads, slot));
	if (previous != &threads->list[SP_THREAD_NONE]) {
		/* What it was called is forgotten by now; its control group is as it was. */
		if (previous->serial == thread->serial)
			previous->who.cgroup = thread->who.cgroup;
		end_thread_locked(threads, previous);
	}
	WRITE_ONCE(threads->of_slot[slot], number);
}

/**
 * sp_threads_make() - a thread for a task that has none yet
 * @threads: the table
 * @slot: place of its clock
 * @serial: which task has that place now
 * @exec_id: which program it runs
 * @task: the task
 *
 * Context: a hook that switches @task; or process, at the end of a recording, where @task may
 * be reaped meanwhile.
 * Return: the thread, or NULL if the table is full.
 */
struct sp_thread *sp_threads_make(struct sp_threads *threads, u32 slot, u64 serial,
				  u32 exec_id, struct task_struct *task)
{
	u32 number = sp_pool_take(&threads->pool, slot % SP_PARTS);
	struct sp_thread *thread;
	unsigned long flags;

	if (number == SP_POOL_NONE)
		return NULL;
	sp_window();
	number += SP_THREAD_FIRST;
	thread = &threads->list[number];
	memset(thread, 0, sizeof(*thread));
	thread->slot = slot;
	thread->serial = serial;
	thread->exec_id = exec_id;
	sp_who_is(&thread->who, task);
	/* Before all that tells of it: a mark as wanted, a ledger that is opened, its place. */
	smp_wmb();
	sp_lock_irqsave(lock_of(threads, slot), flags);
	take_place_locked(threads, slot, number);
	sp_unlock_irqrestore(lock_of(threads, slot), flags);
	return thread;
}
SP_EXPORT_FOR_KUNIT(sp_threads_make);

/**
 * sp_thread_exited() - the task of a thread left the CPU for the last time
 * @threads: the table
 * @thread: its thread
 * @task: the task, whose names and control group it gets; NULL: it runs another program by now
 *
 * Context: the hook that saw it.
 */
void sp_thread_exited(struct sp_threads *threads, struct sp_thread *thread,
		      struct task_struct *task)
{
	unsigned long flags;

	if (task)
		sp_who_is_called(&thread->who, task);
	sp_lock_irqsave(lock_of(threads, thread->slot), flags);
	end_thread_locked(threads, thread);
	sp_unlock_irqrestore(lock_of(threads, thread->slot), flags);
}
SP_EXPORT_FOR_KUNIT(sp_thread_exited);

/**
 * sp_threads_leave() - whoever had a place before does not have it any more
 * @threads: the table
 * @slot: a place
 * @serial: of the task that has it now, and gets no thread
 *
 * Context: a hook that switches that task.
 */
void sp_threads_leave(struct sp_threads *threads, u32 slot, u64 serial)
{
	u32 number = READ_ONCE(threads->of_slot[slot]);
	unsigned long flags;

	sp_window();
	/* A number that is given to another one just now is not of this task. */
	if (number == SP_THREAD_NONE || READ_ONCE(threads->list[number].serial) == serial)
		return;
	sp_lock_irqsave(lock_of(threads, slot), flags);
	number = threads->of_slot[slot];
	if (number != SP_THREAD_NONE && threads->list[number].serial != serial) {
		end_thread_locked(threads, &threads->list[number]);
		/* Else each of its switches would take the lock. */
		WRITE_ONCE(threads->of_slot[slot], SP_THREAD_NONE);
	}
	sp_unlock_irqrestore(lock_of(threads, slot), flags);
}
SP_EXPORT_FOR_KUNIT(sp_threads_leave);

/**
 * sp_threads_free() - take a thread back
 * @threads: the table
 * @number: a thread whose task has exited and whose entries are gone
 */
void sp_threads_free(struct sp_threads *threads, u32 number)
{
	struct sp_thread *thread = &threads->list[number];
	u32 slot = thread->slot;
	unsigned long flags;

	sp_lock_irqsave(lock_of(threads, slot), flags);
	if (threads->of_slot[slot] == number)
		WRITE_ONCE(threads->of_slot[slot], SP_THREAD_NONE);
	thread->serial = U64_MAX;
	thread->who.program = 0;
	if (thread->over)
		atomic_dec(&threads->over_count);
	thread->over = false;
	sp_pool_put_locked(&threads->pool, slot % SP_PARTS, number - SP_THREAD_FIRST);
	sp_unlock_irqrestore(lock_of(threads, slot), flags);
}
SP_EXPORT_FOR_KUNIT(sp_threads_free);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: the tasks that a recording has seen.
 *
 * A fixed number of threads. The task's clock has a place in the shared table,
 * and an array per recording tells the thread by that place, so a hook needs no
 * search. Making and freeing a thread takes a raw spinlock with interrupts off;
 * that happens once per task and program.
 */
#include <linux/bitmap.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/memory.h"
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
	       (u64)slots * sizeof(u32) + wanted_bytes(max);
}
SP_EXPORT_FOR_KUNIT(sp_threads_bytes);

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
	raw_spin_lock_init(&threads->lock);
	threads->pool.max = max;
	threads->slots = slots;
	threads->list = sp_alloc(((size_t)max + SP_THREAD_FIRST) * sizeof(*threads->list));
	threads->of_slot = sp_alloc((size_t)slots * sizeof(u32));
	threads->wanted = sp_alloc(wanted_bytes(max));
	if (!threads->list || !threads->of_slot || !threads->wanted) {
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
 * sp_threads_destroy() - give memory and references back
 * @threads: no hook and no reader may use it any more
 */
void sp_threads_destroy(struct sp_threads *threads)
{
	u32 i;

	if (threads->list)
		for (i = 0; i < threads->pool.used; i++)
			put_pid(threads->list[SP_THREAD_FIRST + i].pid);
	vfree(threads->list);
	vfree(threads->of_slot);
	vfree(threads->wanted);
	threads->list = NULL;
	threads->of_slot = NULL;
	threads->wanted = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_threads_destroy);

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
	memcpy(who->comm, task->comm, TASK_COMM_LEN);
	who->comm[TASK_COMM_LEN - 1] = '\0';
	rcu_read_lock();
	if (pid_alive(task)) {
		who->leader_start = task->group_leader->start_time;
		memcpy(who->leader_comm, task->group_leader->comm,
		       TASK_COMM_LEN - 1);
	}
	rcu_read_unlock();
	who->kthread = task->flags & PF_KTHREAD;
}
SP_EXPORT_FOR_KUNIT(sp_who_is);

/* The pool has no special ones. */
#define POOL_OF(threads)	SP_POOL_OF((threads)->list + SP_THREAD_FIRST, next_free)

static u32 take_locked(struct sp_threads *threads)
{
	u32 i;

	lockdep_assert_held(&threads->lock);
	i = sp_pool_take(&threads->pool, POOL_OF(threads));
	return i == SP_POOL_NONE ? SP_THREAD_NONE : SP_THREAD_FIRST + i;
}

static void end_thread_locked(struct sp_threads *threads, struct sp_thread *thread)
{
	lockdep_assert_held(&threads->lock);
	if (thread->over)
		return;
	WRITE_ONCE(threads->over_count, threads->over_count + 1);
	/* Pairs with mark_threads() in record/compact.c. */
	smp_store_release(&thread->over, true);
}

/* What the task ran before, or who had its place before. */
static void end_previous_locked(struct sp_threads *threads, u32 slot)
{
	struct sp_thread *thread = &threads->list[threads->of_slot[slot]];

	/* Given back since, it may be anybody's. */
	if (thread->serial != U64_MAX && thread->slot == slot)
		end_thread_locked(threads, thread);
}

/**
 * sp_threads_make() - a thread for a task that has none yet
 * @threads: the table
 * @slot: place of its clock
 * @serial: which task has that place now
 * @exec_id: which program it runs
 * @task: the task
 *
 * Context: a hook that switches @task, or nobody else knows the recording.
 * get_pid() only counts up, so it is safe under a run queue lock.
 * Return: the thread, or NULL if the table is full.
 */
struct sp_thread *sp_threads_make(struct sp_threads *threads, u32 slot, u64 serial,
				  u32 exec_id, struct task_struct *task)
{
	struct sp_thread *thread = NULL;
	unsigned long flags;
	u32 number;

	if (sp_pool_is_empty(&threads->pool))
		return NULL;
	sp_lock_irqsave(&threads->lock, flags);
	number = take_locked(threads);
	if (number) {
		thread = &threads->list[number];
		end_previous_locked(threads, slot);
		memset(thread, 0, sizeof(*thread));
		thread->slot = slot;
		thread->serial = serial;
		thread->exec_id = exec_id;
		/* NULL once the task was reaped, which may precede its last switch. */
		thread->pid = get_pid(READ_ONCE(task->thread_pid));
		sp_who_is(&thread->who, task);
		WRITE_ONCE(threads->of_slot[slot], number);
	}
	sp_unlock_irqrestore(&threads->lock, flags);
	return thread;
}
SP_EXPORT_FOR_KUNIT(sp_threads_make);

/**
 * sp_thread_exited() - the task of a thread left the CPU for the last time
 * @threads: the table
 * @thread: its thread
 * @task: the task
 *
 * Context: the hook that saw it.
 */
void sp_thread_exited(struct sp_threads *threads, struct sp_thread *thread,
		      const struct task_struct *task)
{
	unsigned long flags;

	memcpy(thread->who.comm, task->comm, TASK_COMM_LEN - 1);
	sp_lock_irqsave(&threads->lock, flags);
	end_thread_locked(threads, thread);
	sp_unlock_irqrestore(&threads->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_thread_exited);

/**
 * sp_threads_free() - take a thread back
 * @threads: the table
 * @number: a thread whose task has exited and whose entries are gone
 *
 * Return: the reference that the thread held, for the caller to put.
 */
struct pid *sp_threads_free(struct sp_threads *threads, u32 number)
{
	struct sp_thread *thread = &threads->list[number];
	struct pid *pid = thread->pid;
	unsigned long flags;

	sp_lock_irqsave(&threads->lock, flags);
	thread->serial = U64_MAX;
	thread->pid = NULL;
	if (thread->over)
		WRITE_ONCE(threads->over_count, threads->over_count - 1);
	thread->over = false;
	sp_pool_put(&threads->pool, POOL_OF(threads), number - SP_THREAD_FIRST);
	sp_unlock_irqrestore(&threads->lock, flags);
	return pid;
}
SP_EXPORT_FOR_KUNIT(sp_threads_free);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: the tasks that a recording has seen.
 *
 * A fixed number of rows. The task's clock has a place in the shared table,
 * and an array per recording tells the row by that place, so a hook needs no
 * search. Making and freeing a row takes a raw spinlock with interrupts off;
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
 * sp_threads_bytes() - memory that a roster will take
 * @max: rows
 * @slots: places of the table of task clocks
 */
u64 sp_threads_bytes(u32 max, u32 slots)
{
	return ((u64)max + SP_THREAD_FIRST) * sizeof(struct sp_thread) +
	       (u64)slots * sizeof(u32) + wanted_bytes(max);
}
SP_EXPORT_FOR_KUNIT(sp_threads_bytes);

/**
 * sp_threads_init() - make an empty roster
 * @roster: to be filled
 * @max: rows it can hold, 1 to SP_MAX_TABLE
 * @slots: places of the table of task clocks
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_threads_init(struct sp_threads *roster, u32 max, u32 slots)
{
	u32 i;

	memset(roster, 0, sizeof(*roster));
	raw_spin_lock_init(&roster->lock);
	roster->max = max;
	roster->slots = slots;
	roster->rows = sp_alloc(((size_t)max + SP_THREAD_FIRST) * sizeof(*roster->rows));
	roster->of_slot = sp_alloc((size_t)slots * sizeof(u32));
	roster->wanted = sp_alloc(wanted_bytes(max));
	if (!roster->rows || !roster->of_slot || !roster->wanted) {
		sp_threads_destroy(roster);
		return -ENOMEM;
	}
	for (i = 0; i < SP_THREAD_FIRST; i++)
		roster->rows[i].serial = U64_MAX;
	strscpy(roster->rows[SP_THREAD_EXITED].who.comm, "[exited]", TASK_COMM_LEN);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_threads_init);

/**
 * sp_threads_destroy() - give memory and references back
 * @roster: no hook and no reader may use it any more
 *
 * Context: process, may sleep.
 */
void sp_threads_destroy(struct sp_threads *roster)
{
	u32 i;

	if (roster->rows)
		for (i = 0; i < roster->used; i++)
			put_pid(roster->rows[SP_THREAD_FIRST + i].pid);
	vfree(roster->rows);
	vfree(roster->of_slot);
	vfree(roster->wanted);
	roster->rows = NULL;
	roster->of_slot = NULL;
	roster->wanted = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_threads_destroy);

/**
 * sp_who_is() - describe a task
 * @who: filled; the image stays unknown
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

static u32 take_locked(struct sp_threads *roster)
{
	u32 number = roster->free;

	lockdep_assert_held(&roster->lock);
	if (number) {
		roster->free = roster->rows[number].next_free;
		WRITE_ONCE(roster->free_count, roster->free_count - 1);
		return number;
	}
	if (roster->used == roster->max)
		return SP_THREAD_NONE;
	number = SP_THREAD_FIRST + roster->used;
	/* Pairs with sp_threads_end(). */
	smp_store_release(&roster->used, roster->used + 1);
	return number;
}

static void end_row_locked(struct sp_threads *roster, struct sp_thread *row)
{
	lockdep_assert_held(&roster->lock);
	if (row->over)
		return;
	WRITE_ONCE(roster->over_count, roster->over_count + 1);
	/* Pairs with mark_rows() in record/compact.c. */
	smp_store_release(&row->over, true);
}

/* What the task ran before, or who had its place before. */
static void end_previous_locked(struct sp_threads *roster, u32 slot)
{
	struct sp_thread *row = &roster->rows[roster->of_slot[slot]];

	/* Folded since, it may be anybody's. */
	if (row->serial != U64_MAX && row->slot == slot)
		end_row_locked(roster, row);
}

/**
 * sp_threads_make() - a row for a task that has none yet
 * @roster: the roster
 * @slot: place of its clock
 * @serial: which task has that place now
 * @exec_id: which program it runs
 * @task: the task
 *
 * Context: a hook that switches @task, or nobody else knows the recording.
 * get_pid() only counts up, so it is safe under a run queue lock.
 * Return: the row, or NULL if the roster is full.
 */
struct sp_thread *sp_threads_make(struct sp_threads *roster, u32 slot, u64 serial,
				  u32 exec_id, struct task_struct *task)
{
	struct sp_thread *row = NULL;
	unsigned long flags;
	u32 number;

	if (READ_ONCE(roster->used) == roster->max &&
	    !READ_ONCE(roster->free_count))
		return NULL;
	sp_lock_irqsave(&roster->lock, flags);
	number = take_locked(roster);
	if (number) {
		row = &roster->rows[number];
		end_previous_locked(roster, slot);
		memset(row, 0, sizeof(*row));
		row->slot = slot;
		row->serial = serial;
		row->exec_id = exec_id;
		/* NULL once the task was reaped, which may precede its last switch. */
		row->pid = get_pid(READ_ONCE(task->thread_pid));
		sp_who_is(&row->who, task);
		WRITE_ONCE(roster->of_slot[slot], number);
	}
	sp_unlock_irqrestore(&roster->lock, flags);
	return row;
}
SP_EXPORT_FOR_KUNIT(sp_threads_make);

/**
 * sp_threads_end_row() - the task of a row left the CPU for the last time
 * @roster: the roster
 * @row: its row
 * @task: the task
 *
 * Context: the hook that saw it.
 */
void sp_threads_end_row(struct sp_threads *roster, struct sp_thread *row,
			const struct task_struct *task)
{
	unsigned long flags;

	memcpy(row->who.comm, task->comm, TASK_COMM_LEN - 1);
	sp_lock_irqsave(&roster->lock, flags);
	end_row_locked(roster, row);
	sp_unlock_irqrestore(&roster->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_threads_end_row);

/**
 * sp_threads_free() - take a row back
 * @roster: the roster
 * @number: a row whose task has exited and whose entries are gone
 *
 * Context: process.
 * Return: the reference that the row held, for the caller to put.
 */
struct pid *sp_threads_free(struct sp_threads *roster, u32 number)
{
	struct sp_thread *row = &roster->rows[number];
	struct pid *pid = row->pid;
	unsigned long flags;

	sp_lock_irqsave(&roster->lock, flags);
	row->serial = U64_MAX;
	row->pid = NULL;
	if (row->over)
		WRITE_ONCE(roster->over_count, roster->over_count - 1);
	row->over = false;
	row->next_free = roster->free;
	roster->free = number;
	WRITE_ONCE(roster->free_count, roster->free_count + 1);
	sp_unlock_irqrestore(&roster->lock, flags);
	return pid;
}
SP_EXPORT_FOR_KUNIT(sp_threads_free);

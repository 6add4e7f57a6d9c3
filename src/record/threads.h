/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_THREADS_H
#define SP_RECORD_THREADS_H

#include <linux/sched.h>
#include <linux/types.h>

#include "lib/pool.h"
#include "lib/widen.h"

/* Who a task is: (tid, start_time) tells tasks apart, the rest describes. */
struct sp_who {
	u64 start_time;		/* ns, as the kernel's task_struct has it */
	pid_t tid;		/* as the initial PID namespace sees it */
	pid_t tgid;
	char comm[TASK_COMM_LEN];
	u64 leader_start;	/* the same of the process */
	char leader_comm[TASK_COMM_LEN];
	u64 cgroup;		/* number of its control group; 0 if not known */
	u32 program;		/* which program it ran; 0 if not known (yet) */
	bool kthread;
};

/*
 * One task as one recording sees it, running one program: after exec it gets
 * another thread, because the addresses in its user stacks mean something else
 * then. Threads keep their number; 0 is none.
 */
struct sp_thread {
	/* Written by the CPU that switches the task, irqs off. */
	u32 out_user;		/* user stack taken on the way out, */
	u32 out_seq;		/* and when: the count of its clock */

	/* Set when the thread is made, before its place leads to it. */
	u64 serial;		/* of the task clock; U64_MAX in a free thread */
	u32 slot;		/* its place */
	u32 exec_id;
	bool wanted;		/* the filter let it in, so that it is not known for blame
				 * alone; set by the CPU that switches the task
				 */
	struct sp_who who;	/* names, cgroup: once more when the task exits, and when the
				 * recording ends; cgroup: also when it runs another
				 * program; program: by the recording's worker; the process's
				 * name of one that is over: also by whoever reads, under the
				 * recording's reading mutex
				 */
	bool over;		/* the task exited, or runs another program:
				 * nothing is added any more; set and cleared under
				 * the lock of its place's part; release/acquire
				 */
	u32 next_free;		/* in the pool */
};

/* Threads with special meanings, in place from the start. */
enum sp_special_thread {
	SP_THREAD_NONE,
	SP_THREAD_EXITED,		/* in place of all that were compacted */
	SP_THREAD_FIRST
};

/* What each look-up reads is apart from what births and deaths write. */
struct sp_threads {
	/* Immutable. */
	struct sp_thread *list;	/* as many as the pool has, and SP_THREAD_FIRST */
	u32 *of_slot;		/* thread by place of the task clock, which is the
				 * thread's own; written under the lock of its part
				 */
	unsigned long *wanted;	/* threads whose program a worker shall look at, and */
	unsigned long *taken;	/* those that it has taken from there, and of these */
	unsigned long *busy;	/* whose program it could not look at; the recording's looking */

	struct sp_pool pool;	/* of what is behind the special ones; a place tells its part */
	atomic_t over_count;	/* threads that are over */
} ____cacheline_aligned_in_smp;

u64 sp_threads_bytes(u32 max, u32 slots);
int sp_threads_init(struct sp_threads *threads, u32 max, u32 slots);
void sp_threads_destroy(struct sp_threads *threads);
struct sp_thread *sp_threads_make(struct sp_threads *threads, u32 slot, u64 serial,
				  u32 exec_id, struct task_struct *task);
void sp_thread_exited(struct sp_threads *threads, struct sp_thread *thread,
		      struct task_struct *task);
void sp_threads_leave(struct sp_threads *threads, u32 slot, u64 serial);
void sp_threads_free(struct sp_threads *threads, u32 number);
void sp_who_is(struct sp_who *who, struct task_struct *task);
void sp_who_is_called(struct sp_who *who, struct task_struct *task);
struct task_struct *sp_who_task(const struct sp_who *who);

static inline u32 sp_threads_number(const struct sp_threads *threads,
				    const struct sp_thread *thread)
{
	return thread - threads->list;
}

/**
 * sp_threads_find() - the thread of a task that is being switched
 * @threads: the table
 * @slot: place of the task's clock
 * @serial: which task has that place now
 * @exec_id: which program it runs
 *
 * Context: a hook, for the task that it switches; no lock.
 * Return: the thread, or NULL if it has none yet.
 */
static inline struct sp_thread *sp_threads_find(const struct sp_threads *threads,
						u32 slot, u64 serial, u32 exec_id)
{
	struct sp_thread *thread = &threads->list[READ_ONCE(threads->of_slot[slot])];

	sp_window();
	return thread->serial == serial && thread->exec_id == exec_id ? thread : NULL;
}

/**
 * sp_threads_of() - the last thread of a task, whichever program it ran then
 * @threads: the table
 * @slot: place of the task's clock
 * @serial: which task has that place now
 *
 * Context: as sp_threads_find().
 * Return: the thread, or NULL if it has none.
 */
static inline struct sp_thread *sp_threads_of(struct sp_threads *threads, u32 slot, u64 serial)
{
	struct sp_thread *thread = &threads->list[READ_ONCE(threads->of_slot[slot])];

	sp_window();
	return thread->serial == serial ? thread : NULL;
}

/* Threads in use, the special ones not counted. */
static inline u32 sp_threads_count(const struct sp_threads *threads)
{
	return sp_pool_count(&threads->pool);
}

/* Are no more than a quarter left? */
static inline bool sp_threads_crowded(const struct sp_threads *threads)
{
	return threads->pool.max - sp_threads_count(threads) <= threads->pool.max / 4;
}

/*
 * Threads below this number were made at some time, or are being made just now. What goes over
 * them believes one that is over, or whose ledger was opened, or that is marked as wanted: all
 * of that comes after it was filled, and goes before it is free.
 */
static inline u32 sp_threads_end(const struct sp_threads *threads)
{
	return SP_THREAD_FIRST + sp_pool_end(&threads->pool);
}

#endif

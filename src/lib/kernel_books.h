/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_KERNEL_BOOKS_H
#define SP_LIB_KERNEL_BOOKS_H

#include <linux/sched.h>
#include <linux/types.h>

/* What the kernel itself has counted of a task since its fork. */
struct sp_kernel_books {
	u64 ran_ns;		/* on a CPU: sum_exec_runtime, as in schedstat */
	u64 waited_ns;		/* for one: run_delay; 0 if it is not counted */
	u32 voluntary;		/* switches; the lower bits of the counts */
	u32 involuntary;
};

#ifdef CONFIG_SCHED_INFO
#define SP_HAS_RUN_DELAY 1
#else
#define SP_HAS_RUN_DELAY 0
#endif

/**
 * sp_kernel_books_read() - copy them
 * @books: filled
 * @task: exact if it is off the CPU; else its time lags by up to a tick
 *
 * Context: any, also a hook. Takes no lock: whoever needs all of one moment
 * looks whether the task was switched meanwhile.
 */
static inline void sp_kernel_books_read(struct sp_kernel_books *books,
					const struct task_struct *task)
{
	books->ran_ns = READ_ONCE(task->se.sum_exec_runtime);
	books->voluntary = READ_ONCE(task->nvcsw);
	books->involuntary = READ_ONCE(task->nivcsw);
#ifdef CONFIG_SCHED_INFO
	books->waited_ns = READ_ONCE(task->sched_info.run_delay);
#else
	books->waited_ns = 0;
#endif
}

#endif

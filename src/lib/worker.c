// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker: call a function where small allocations do not fail.
 *
 * Arming and disarming allocate memory in ftrace, which warns and loses count
 * of its probes if there is none. A worker's small allocations do not fail;
 * those of the task that writes to configfs can, if it is being killed for
 * lack of memory (tsk_is_oom_victim() in __alloc_pages_slowpath()).
 *
 * No lock: a job is its caller's, who waits for it.
 */
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "lib/worker.h"

struct job {
	struct work_struct work;
	int (*function)(void *data);
	void *data;
	int err;
};

static void worker_call(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	job->err = job->function(job->data);
}

/**
 * sp_in_worker() - call a function in a worker, and wait for it
 * @function: the function; may sleep
 * @data: its argument
 *
 * Return: what @function returned.
 */
int sp_in_worker(int (*function)(void *data), void *data)
{
	struct job job = { .function = function, .data = data };

	INIT_WORK_ONSTACK(&job.work, worker_call);
	/* Of no CPU: else it waits for whoever has this one, whom the caller may have preempted. */
	queue_work(system_dfl_wq, &job.work);
	flush_work(&job.work);
	destroy_work_on_stack(&job.work);
	return job.err;
}

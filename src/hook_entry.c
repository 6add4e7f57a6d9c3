// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_entry: what the backends that probe entries of functions share. See
 * hook_entry.h. No lock: nothing here changes after the module was loaded.
 */
#include <linux/module.h>
#include <linux/workqueue.h>

#include "hook_entry.h"

char *sp_switch_functions[SP_MAX_CANDIDATES] = {
	"finish_task_switch", "finish_task_switch.isra.0",
	"finish_task_switch.constprop.0",
};

unsigned int sp_switch_function_count = 3;
module_param_array_named(switch_kprobes, sp_switch_functions, charp,
			 &sp_switch_function_count, 0444);
MODULE_PARM_DESC(switch_kprobes, "functions to probe for context switches, best first; the first argument must be the task that left, current the one that came");

char *sp_wakeup_functions[SP_MAX_CANDIDATES] = {
	"try_to_wake_up", "try_to_wake_up.isra.0",
};

unsigned int sp_wakeup_function_count = 2;
module_param_array_named(wakeup_kprobes, sp_wakeup_functions, charp,
			 &sp_wakeup_function_count, 0444);
MODULE_PARM_DESC(wakeup_kprobes, "functions to probe for wakeups, best first; the arguments must be the task and the states to wake it from");

struct job {
	struct work_struct work;
	int (*function)(void *data);
	void *data;
	int err;
};

static void work(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	job->err = job->function(job->data);
}

/**
 * sp_in_worker() - call a function where small allocations do not fail
 * @function: the function
 * @data: its argument
 *
 * Arming and disarming allocate memory in ftrace, which warns and loses count
 * of its probes if there is none. A worker's small allocations do not fail;
 * those of the task that writes to configfs can, if it is being killed for
 * lack of memory (tsk_is_oom_victim() in __alloc_pages_slowpath()).
 *
 * Context: process, may sleep.
 * Return: what @function returned.
 */
int sp_in_worker(int (*function)(void *data), void *data)
{
	struct job job = { .function = function, .data = data };

	INIT_WORK_ONSTACK(&job.work, work);
	schedule_work(&job.work);
	flush_work(&job.work);
	destroy_work_on_stack(&job.work);
	return job.err;
}

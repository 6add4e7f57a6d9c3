// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.18: tasks of a throttled control group leave one by one. */
#include <linux/sched.h>

void *sp_try(struct task_struct *task)
{
	return &task->sched_throttle_work;
}

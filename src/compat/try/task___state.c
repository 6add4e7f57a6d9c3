// SPDX-License-Identifier: GPL-2.0-only
/* Since 5.14: the state of a task has two underscores. */
#include <linux/sched.h>

unsigned int sp_try(struct task_struct *task)
{
	return task->__state;
}

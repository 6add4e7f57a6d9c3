// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * group: whose row something is in, as the module's group_by does it. Pure function.
 */
#include "group.h"
#include "schedprof.h"

void libsp_who_of(const struct schedprof_task *task, int by, struct libsp_who *who)
{
	who->special = task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST);
	who->comm = task->comm;
	who->tid = task->tid;
	who->tgid = task->tgid;
	if (who->special == SCHEDPROF_TASK_FOLDED && !*task->comm)
		who->comm = "[exited]";
	if (who->special == SCHEDPROF_TASK_LOST && !*task->comm)
		who->comm = "[lost]";
	/* An entry that was lost or folded has no task: no numbers and no leader. */
	if (by == SCHEDPROF_BY_COMM || by == SCHEDPROF_BY_CGROUP) {
		who->tid = 0;
		who->tgid = 0;
		if (by == SCHEDPROF_BY_CGROUP && !who->special)
			who->comm = task->cgroup ? task->cgroup : "[unknown]";
	} else if (by == SCHEDPROF_BY_PROCESS && task->leader_start_ns) {
		/* A thread that outlived its process has a row of its own. */
		who->comm = task->leader_comm;
		who->tid = task->tgid;
	}
}

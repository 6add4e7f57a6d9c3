// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * group: whose row something is in, as the module's group_by does it. Pure functions.
 */
#include "abi.h"
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

LIBSP_EXPORT void schedprof_task_group(const struct schedprof_task *task, int by,
				       struct schedprof_task *group, size_t size)
{
	struct schedprof_task row = *task;
	struct libsp_who who;

	libsp_who_of(task, by, &who);
	row.tid = who.tid;
	row.tgid = who.tgid;
	row.comm = who.comm;
	if (by != SCHEDPROF_BY_THREAD) {
		row.number = 0;
		row.flags &= SCHEDPROF_TASK_KTHREAD;
		row.flags |= who.special ? who.special : SCHEDPROF_TASK_GROUP;
		row.start_ns = 0;
		row.image = 0;
		row.exec_id = 0;
		row.cgroup = NULL;
	}
	if (by == SCHEDPROF_BY_CGROUP && !who.special) {
		row.comm = "";
		row.cgroup = task->cgroup;
	}
	libsp_copy_struct(group, size, &row, sizeof(row));
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * group: whose row something is in. Pure function.
 */
#ifndef LIBSP_GROUP_H
#define LIBSP_GROUP_H

#include "schedprof.h"

/* Who has a row that several tasks may share. */
struct libsp_who {
	const char *comm;	/* its name, or the path of its control group */
	int32_t tid;		/* 0: of no single thread */
	int32_t tgid;
	uint32_t special;	/* SCHEDPROF_TASK_FOLDED or _LOST: of no task */
};

void libsp_who_of(const struct schedprof_task *task, int by, struct libsp_who *who);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * alive: does a task of a recording still run, on this machine? What was found out is
 * kept in the recording, in atomic variables.
 */
#ifndef LIBSP_ALIVE_H
#define LIBSP_ALIVE_H

#include "schedprof.h"

enum libsp_alive {
	LIBSP_ALIVE_UNKNOWN = 0,
	LIBSP_ALIVE_NO,
	LIBSP_ALIVE_YES,
};

/* The process of a task, and what files of it are believable. */
struct libsp_process {
	int pid;		/* as the initial PID namespace sees it; 0: not known */
	bool lives;		/* on this machine, and is the one that has the PID */
	bool here;		/* it ran on this machine, since it booted */
	uint64_t start_ns;	/* tells processes with the same PID apart */
	uint64_t taken_ns;	/* monotonic: when the recording was taken */
	/* Since 1970: at the latest, and when the PID became another process's. */
	int64_t began_realtime_ns;
	int64_t next_realtime_ns;
};

void libsp_process_of(const struct schedprof_recording *recording,
		      const struct schedprof_task *task, struct libsp_process *process);
bool libsp_process_now(int pid, struct libsp_process *process);
int libsp_living_pid(const struct schedprof_recording *recording,
		     const struct schedprof_task *task);

#endif

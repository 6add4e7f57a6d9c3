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

int libsp_living_pid(const struct schedprof_recording *recording,
		     const struct schedprof_task *task);

#endif

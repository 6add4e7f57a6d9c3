// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode: the table of modes. Constant, so there is nothing to lock.
 */
#include <linux/kernel.h>

#include "lib/export.h"
#include "task/mode.h"

/* Name, time, heading. */
#define MODES(M)						\
	M("offcpu", SP_TIME_OFF_CPU, "off-CPU time")		\
	M("blocked", SP_TIME_BLOCKED, "time asleep until woken")	\
	M("runqueue", SP_TIME_RUN_QUEUE, "time waiting for a CPU")	\
	M("oncpu", SP_TIME_ON_CPU, "on-CPU time")		\
	M("wall", SP_TIME_WALL, "wall time")			\
	M("nosched", SP_TIME_NOSCHED, "time in the kernel while others waited") \
	M("function", SP_TIME_FUNCTION, "time in kernel functions")

#define IN_TABLE(id, recorded, heading)				\
	{ .name = id, .time = recorded, .what = heading },
#define IN_NAMES(id, recorded, heading)	id,

const struct sp_mode sp_modes[] = { MODES(IN_TABLE) };
SP_EXPORT_FOR_KUNIT(sp_modes);
const char *const sp_mode_names[] = { MODES(IN_NAMES) NULL };
SP_EXPORT_FOR_KUNIT(sp_mode_names);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode: the table of modes. Constant, so there is nothing to lock.
 */
#include <linux/kernel.h>

#include "export.h"
#include "mode.h"

/* Name, phase, heading. */
#define MODES(M)						\
	M("offcpu", SP_PHASE_OFF_CPU, "off-CPU time")

#define IN_TABLE(id, recorded, heading)				\
	{ .name = id, .phase = recorded, .what = heading },
#define IN_NAMES(id, recorded, heading)	id,

const struct sp_mode sp_modes[] = { MODES(IN_TABLE) };
SP_EXPORT_FOR_KUNIT(sp_modes);
const char *const sp_mode_names[] = { MODES(IN_NAMES) NULL };

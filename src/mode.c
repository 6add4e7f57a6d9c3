// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode: the table of modes. Constant, so there is nothing to lock.
 */
#include <linux/kernel.h>

#include "mode.h"

const struct sp_mode sp_modes[] = {
	{
		.name = "offcpu",
		.phase = SP_PHASE_OFF_CPU,
		.what = "off-CPU time",
	},
};

const unsigned int sp_mode_count = ARRAY_SIZE(sp_modes);

// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.13: a timer is set up together with its function. */
#include <linux/hrtimer.h>

void sp_try(struct hrtimer *timer, enum hrtimer_restart (*look)(struct hrtimer *timer))
{
	hrtimer_setup(timer, look, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

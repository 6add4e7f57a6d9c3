/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions that measure with another clock than the monotonic one. One mutex. */
#ifndef SP_TASK_EXTRA_CLOCKS_H
#define SP_TASK_EXTRA_CLOCKS_H

#include "task/clock.h"

struct sp_why;

int sp_clock_id_get(enum sp_clock_id clock_id, struct sp_why *why);
void sp_clock_id_put(enum sp_clock_id clock_id);

#endif

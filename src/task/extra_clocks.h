/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions that measure with another source than the monotonic clock. One mutex. */
#ifndef SP_TASK_EXTRA_CLOCKS_H
#define SP_TASK_EXTRA_CLOCKS_H

#include "task/clock.h"

struct sp_why;

int sp_source_get(enum sp_source source, struct sp_why *why);
void sp_source_put(enum sp_source source);

#endif

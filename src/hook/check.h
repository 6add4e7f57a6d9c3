/* SPDX-License-Identifier: GPL-2.0-only */
/* A probe proves that it sees what happens; see hook/check.c, also for the locking. */
#ifndef SP_HOOK_CHECK_H
#define SP_HOOK_CHECK_H

#include "hook/backend.h"

struct task_struct;

#define SP_CHECK_SLEEPS 64
/* So long each, at most, where shorter ones are none. */
#define SP_CHECK_MAX_US 20000

struct sp_verdict {
	bool passed;
	unsigned int seen;	/* events that the probe handed over */
	unsigned int real;	/* events that happened */
};

/* What a probe hands over is compared, and not followed, while this is set. */
extern bool sp_unproved[SP_ROLES];

void sp_check_begin(enum sp_role role);
int sp_check(enum sp_role role, struct sp_verdict *verdict);
void sp_check_end(enum sp_role role);
void sp_check_switch(const struct task_struct *prev,
		     const struct task_struct *next);
void sp_check_wakeup(const struct task_struct *task);

#endif

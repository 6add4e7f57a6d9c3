/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs at each event of the scheduler; hook/switch.c says in which context. */
#ifndef SP_HOOK_SWITCH_H
#define SP_HOOK_SWITCH_H

#include "task/percpu.h"

void sp_hot_switch(struct task_struct *prev, struct task_struct *next,
		   const struct pt_regs *regs);
void sp_hot_switch_measured(struct task_struct *prev, struct task_struct *next,
			    const struct pt_regs *regs);
void sp_hot_wakeup(struct task_struct *task, unsigned int states,
		   struct pt_regs *regs, unsigned long frame);
void sp_hot_sample(const struct sp_sample *sample, struct pt_regs *regs);
void sp_hot_fork(struct task_struct *parent, struct task_struct *child);
void sp_hot_reset(void);
void sp_hot_restart(void);

#endif

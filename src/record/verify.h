/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify: built with SCHEDPROF_VERIFY, for tests only, each stack that is taken for one that
 * was seen before is walked all the same, and compared. Wherever a stack is recognised,
 * one of these is called; in a normal build they are nothing.
 *
 * Hooks only, interrupts off; no lock: what is counted, and what the walk finds, belongs to
 * this CPU.
 */
#ifndef SP_RECORD_VERIFY_H
#define SP_RECORD_VERIFY_H

#include "task/percpu.h"
#include "unwind/unwind.h"

struct seq_buf;

#ifdef SP_VERIFY_STACKS
void sp_verify_kernel(const struct sp_stack *stack, struct task_struct *task,
		      const struct sp_place *place);
void sp_verify_coming(const struct sp_stack *stack, struct task_struct *task,
		      const struct pt_regs *regs);
void sp_verify_user(const struct sp_stack *stack, const struct pt_regs *regs);
void sp_verify_waker(const struct sp_stack *stack, const struct sp_waking *waking);
void sp_verify_status(struct seq_buf *s);
#else
static inline void sp_verify_kernel(const struct sp_stack *stack, struct task_struct *task,
				    const struct sp_place *place)
{
}

static inline void sp_verify_coming(const struct sp_stack *stack, struct task_struct *task,
				    const struct pt_regs *regs)
{
}

static inline void sp_verify_user(const struct sp_stack *stack, const struct pt_regs *regs)
{
}

static inline void sp_verify_waker(const struct sp_stack *stack, const struct sp_waking *waking)
{
}
#endif

#endif

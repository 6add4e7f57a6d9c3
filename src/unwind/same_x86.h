/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a task's kernel stack still stand where it stood? Of each plain switch, so inline; the
 * rest of it is in unwind/kernel_x86.c, which says how stacks are remembered. Context and
 * locks as there.
 */
#ifndef SP_UNWIND_SAME_X86_H
#define SP_UNWIND_SAME_X86_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/switch_to.h>

#include "lib/stack_table.h"

static inline unsigned long top_of(const struct task_struct *task)
{
	return (unsigned long)task_pt_regs(task);
}

/*
 * What follows reads stacks wherever return addresses are, also between what KASAN
 * watches. All kernel code, also that of modules, lies in the last 2 GB: so half of
 * an address tells it.
 */
static __no_kasan_or_inline bool holds_frame(unsigned long address, u64 frame)
{
	return *(const u32 *)address == (u32)frame;
}

/* Is a frame where it was? The same as sp_frame_where(), by one instruction less. */
static __no_kasan_or_inline bool frame_unchanged(unsigned long sp, const u64 *frame)
{
	return likely(holds_frame(sp + ((const u16 *)frame)[3] * sizeof(long), *frame));
}

bool sp_unwind_rest_holds(const struct sp_stack *stack, const struct task_struct *task,
			  const u64 *frame, unsigned int n, unsigned long sp);
bool sp_unwind_ends_otherwise(const struct sp_stack *stack, const struct task_struct *task,
			      unsigned long sp);

static __no_kasan_or_inline bool all_holds(const struct sp_stack *stack,
					   const struct task_struct *task,
					   unsigned long sp)
{
	const u16 mostly = SP_STACK_CHECKABLE | SP_STACK_TOP;
	unsigned long top = top_of(task);
	unsigned long n = stack->n;
	const u64 *frame;

	/* A shallower stack must not be read beyond its end. */
	if (unlikely(sp + stack->span > top))
		return false;
	if (likely((stack->flags & mostly) == mostly)) {
		if (!holds_frame(top - sizeof(long), stack->frame[--n]))
			return false;
	} else if (!sp_unwind_ends_otherwise(stack, task, sp)) {
		return false;
	}
	frame = stack->frame;
	/* From here on, not before: registers are few. */
	OPTIMIZER_HIDE_VAR(frame);
	for (; n >= 4; n -= 4, frame += 4)
		if (!frame_unchanged(sp, frame) || !frame_unchanged(sp, frame + 1) ||
		    !frame_unchanged(sp, frame + 2) || !frame_unchanged(sp, frame + 3))
			return sp_unwind_rest_holds(stack, task, frame, n, sp);
	for (; n; n--, frame++)
		if (!frame_unchanged(sp, frame))
			return sp_unwind_rest_holds(stack, task, frame, n, sp);
	return true;
}

/**
 * sp_unwind_kernel_unchanged() - the same of a task that comes in
 * @stack: a stored kernel stack
 * @task: the task
 * @regs: as for sp_hot_switch()
 * @coming: there are @regs; what the compiler knows
 *
 * Return: as sp_unwind_kernel_same() at sp_place_of_coming().
 */
static __no_kasan_or_inline bool
sp_unwind_kernel_unchanged(const struct sp_stack *stack, struct task_struct *task,
			   const struct pt_regs *regs, const bool coming)
{
	struct inactive_task_frame *frame = (void *)READ_ONCE(task->thread.sp);

	unsigned long sp = (unsigned long)(frame + 1);

	/* Here everybody's depends on it. */
	if ((s64)((coming ? regs->bp : READ_ONCE_NOCHECK(frame->bp)) - sp) != stack->fp)
		return false;
	return all_holds(stack, task, sp);
}

#endif

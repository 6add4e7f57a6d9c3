/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Do a task's stacks still stand where they stood? Of each plain switch, so inline; the
 * rest of it is in unwind/kernel_x86.c and unwind/user_x86.c, which say how stacks are
 * remembered. Context and locks as there.
 */
#ifndef SP_UNWIND_SAME_X86_H
#define SP_UNWIND_SAME_X86_H

#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/segment.h>
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

/*
 * What no system call is entered by may be entered again from the kernel, as a fault within
 * a fault, and the same frames lie further down then: so its outermost frame has a place as
 * others have. Of a stack that was cut, more may follow.
 */
static inline bool sp_unwind_ends_there(const struct sp_stack *stack, unsigned long sp,
					unsigned long top)
{
	return stack->flags & (SP_STACK_TOP | SP_STACK_CUT) || sp + stack->span == top;
}

bool sp_unwind_rest_holds(const struct sp_stack *stack, const u64 *frame, const u64 *end,
			  unsigned long sp, unsigned long top);

static __no_kasan_or_inline bool all_holds(const struct sp_stack *stack,
					   const struct task_struct *task,
					   unsigned long sp)
{
	unsigned long top = top_of(task);
	const u64 *frame = stack->frame;
	unsigned int i, n = stack->n;

	if (unlikely(!(stack->flags & SP_STACK_CHECKABLE)))
		return false;
	/* A shallower stack must not be read beyond its end. */
	if (unlikely(sp + stack->span > top))
		return false;
	if (likely(stack->flags & SP_STACK_TOP)) {
		if (!holds_frame(top - sizeof(long), frame[--n]))
			return false;
	} else if (!sp_unwind_ends_there(stack, sp, top)) {
		return false;
	}
	for (i = n; i >= 4; i -= 4, frame += 4)
		if (!frame_unchanged(sp, frame) || !frame_unchanged(sp, frame + 1) ||
		    !frame_unchanged(sp, frame + 2) || !frame_unchanged(sp, frame + 3))
			return sp_unwind_rest_holds(stack, frame, frame + i, sp, top);
	for (; i; i--, frame++)
		if (!frame_unchanged(sp, frame))
			return sp_unwind_rest_holds(stack, frame, frame + i, sp, top);
	return true;
}

/**
 * sp_unwind_kernel_unchanged() - the same of a task that comes in
 * @stack: a stored kernel stack
 * @task: the task
 * @regs: as for sp_hot_switch()
 *
 * Return: as sp_unwind_kernel_same() at sp_place_of_coming().
 */
static __no_kasan_or_inline bool
sp_unwind_kernel_unchanged(const struct sp_stack *stack, struct task_struct *task,
			   const struct pt_regs *regs)
{
	struct inactive_task_frame *frame = (void *)READ_ONCE(task->thread.sp);

	unsigned long sp = (unsigned long)(frame + 1);

	/* Here everybody's depends on it. */
	if ((s64)((regs ? regs->bp : READ_ONCE_NOCHECK(frame->bp)) - sp) != stack->fp)
		return false;
	return all_holds(stack, task, sp);
}

/* How far above the stack pointer wrappers without a frame are looked for. */
#define WRAPPER_WORDS	32
/*
 * Room for the two words of a frame below the end of user space, as it is with
 * four levels of page tables: nobody gets memory above without asking for it.
 */
#define USER_END	((1UL << 47) - PAGE_SIZE - 4 * sizeof(u64))

static inline bool is_compat(const struct pt_regs *regs)
{
	return regs->cs == __USER32_CS;
}

/* Else an interrupt, or a fault, took it out of user mode. */
static inline bool in_system_call(const struct pt_regs *regs)
{
	return (long)regs->orig_ax >= 0;
}

static __always_inline bool in_user(unsigned long address)
{
	return address - PAGE_SIZE < USER_END - PAGE_SIZE;
}

/*
 * Where to load from, which was checked to be in user space. The processor may load
 * before it knows the outcome of the check, and the next load depends on this one; so
 * without the bits of kernel addresses (Spectre v1). One instruction, where a barrier
 * for each load would cost more than all the rest.
 */
static __always_inline u64 __user *user_word(unsigned long address)
{
	/* The compiler knows the check as well, and would leave the mask out. */
	OPTIMIZER_HIDE_VAR(address);
	return (u64 __user *)(address & (BIT(47) - 1));
}

/* Aligned, and so that the word behind is in user space, or in the hole above it. */
#define FRAME_MASK	(BIT(47) - sizeof(u64))

/*
 * The loop of sp_unwind_user_same() with user access switched on once, and without its
 * barrier: no address is used that is not masked. Per frame of the chain two loads; and that
 * it goes up, in user space, by whole words, is known at the end. What lies above, nobody
 * gets memory for, so the first load of a frame faults there, and the second is not tried.
 * Whatever is odd goes the slow way.
 */
static __always_inline bool frames_stand(const struct sp_stack *stack,
					 const struct pt_regs *regs)
{
	const u64 *frame = stack->frame + 1, *end = stack->frame + stack->n;
	unsigned long fp = regs->bp, low = regs->sp, odd;
	u64 word, top = stack->span;
	u64 __user *at;

	__uaccess_begin();
	/* Callers of functions without a frame come first. */
	for (; frame < end && sp_frame_where(*frame); frame++) {
		unsafe_get_user(word, user_word(regs->sp) + sp_frame_where(*frame) - 1, fault);
		if (word != sp_frame_user(*frame))
			goto fault;
	}
	/* There was none: is there one now? It would be the word at the stack pointer. */
	if (unlikely(frame == stack->frame + 1 && in_system_call(regs)))
		unsafe_get_user(top, user_word(regs->sp), fault);
	if (frame < end) {
		odd = fp - low;
		for (;;) {
			OPTIMIZER_HIDE_VAR(fp);
			low = fp + 2 * sizeof(u64);
			at = (u64 __user *)(fp & FRAME_MASK);
			unsafe_get_user(fp, at, fault);
			unsafe_get_user(word, at + 1, fault);
			if (word != *frame)
				goto fault;
			if (++frame == end)
				break;
			odd |= fp - low;
		}
		/* As the frames go up, the last one is in user space if all are. */
		if ((odd | (low - 2 * sizeof(u64))) & ~FRAME_MASK)
			goto fault;
	}
	/* The chain must end here as it did then. */
	if (fp >= low && !(fp & 7) && fp < USER_END) {
		unsafe_get_user(word, user_word(fp) + 1, fault);
		if (word)
			goto fault;
	}
	__uaccess_end();
	return likely((u32)top == stack->span) || !sp_may_be_code(top);
fault:
	__uaccess_end();
	return false;
}

/**
 * sp_unwind_user_same() - does the task's user stack still stand?
 * @stack: a stored user stack
 * @regs: the registers with which the task left user mode
 *
 * A chain that broke off in the middle, a stack that was cut, and one that was only seen
 * by walks that met what was not in memory, are walked anew each time.
 */
static __always_inline bool
sp_unwind_user_same(const struct sp_stack *stack, const struct pt_regs *regs)
{
	bool same;

	/* A program may be interrupted right behind the system call it came from. */
	if ((stack->flags & SP_STACK_KEY) != SP_STACK_USER ||
	    !(READ_ONCE(stack->seen) & (in_system_call(regs) ? SP_SEEN_CALL : SP_SEEN_OTHER)) ||
	    regs->ip != stack->frame[0] || is_compat(regs) ||
	    (s64)(regs->bp - regs->sp) != stack->fp ||
	    regs->sp - PAGE_SIZE >= USER_END - PAGE_SIZE - WRAPPER_WORDS * 8)
		return false;
	pagefault_disable();
	same = frames_stand(stack, regs);
	pagefault_enable();
	return same;
}

#endif

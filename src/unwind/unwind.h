/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_UNWIND_UNWIND_H
#define SP_UNWIND_UNWIND_H

#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "compat/compat.h"
#include "lib/stack_table.h"

/*
 * May code be there, or what belongs to it? Libraries, and programs that lie where the kernel
 * likes, are mapped in the upper three quarters of user memory. Context: the
 * memory is current's.
 */
static inline bool sp_may_be_code(u64 address)
{
	const struct mm_struct *mm = current->mm;

	return address >= SP_USER_WINDOW / 4 ||
	       (mm && address >= mm->start_code && address < mm->end_data);
}

#ifdef CONFIG_X86
#include "unwind/same_x86.h"
#endif

struct pt_regs;
struct task_struct;

/*
 * What a hook came into. The handler of a kprobe that is a breakpoint runs in an NMI,
 * which counts as a hard interrupt, too.
 */
static inline bool sp_in_hardirq(void)
{
	return hardirq_count() > (in_nmi() ? HARDIRQ_OFFSET : 0);
}

/* The same; also where softirqs are off, whose end runs them. */
static inline bool sp_in_interrupt(void)
{
	return sp_in_hardirq() || softirq_count();
}

/* Where a task stands in the kernel while it is not on a CPU. */
struct sp_place {
	unsigned long sp;	/* behind the return address below */
	unsigned long ip;	/* where it goes on */
	unsigned long fp;	/* its frame pointer register */
};

bool sp_unwind_kernel_same(const struct sp_stack *stack,
			   const struct task_struct *task,
			   const struct sp_place *place);
#ifndef CONFIG_X86
bool sp_unwind_kernel_unchanged(const struct sp_stack *stack, struct task_struct *task,
				const struct pt_regs *regs, const bool coming);
#endif
bool sp_unwind_user_same(const struct sp_stack *stack, const struct pt_regs *regs,
			 struct sp_passed *passed);
void sp_unwind_kernel(struct sp_callchain *callchain, struct task_struct *task,
		      const struct sp_place *place);
void sp_place_of_inactive(struct sp_place *place, struct task_struct *task);
void sp_place_of_returning(struct sp_place *place, const struct pt_regs *regs);

/**
 * sp_place_of_coming() - where a task stands that comes in
 * @place: filled
 * @task: the task
 * @regs: as for sp_hot_switch()
 */
static inline void sp_place_of_coming(struct sp_place *place, struct task_struct *task,
				      const struct pt_regs *regs)
{
	if (regs)
		sp_place_of_returning(place, regs);
	else
		sp_place_of_inactive(place, task);
}

bool sp_unwind_callers(struct sp_callchain *callchain, struct pt_regs *regs);
bool sp_unwind_callers_from(struct sp_callchain *callchain, unsigned long sp);
unsigned int sp_unwind_return_slots(unsigned long from, unsigned long *slot, unsigned int n);
void sp_unwind_interrupted(struct sp_callchain *callchain, struct pt_regs *regs);

/* unwind/waker.c: somebody wakes a task, and a hook sees it... */
struct sp_waking {
	struct pt_regs *regs;	/* at the entry of the function that wakes, or NULL: */
	unsigned long frame;	/* in it, in a probe with a frame there */
	unsigned long entry;	/* of that function: its stack pointer, if known */
	bool walked;		/* who it is, and where, is in this CPU's struct */
	bool called;		/* then: by a system call of its program */
};

void sp_waking_find_entry(struct sp_waking *waking);
bool sp_unwind_waker(struct sp_callchain *callchain, const struct sp_waking *waking,
		     const struct task_struct *task);
bool sp_unwind_waker_same(const struct sp_stack *stack, const struct sp_waking *waking);
void sp_unwind_waker_glue(const void *function);

bool sp_user_is_loaded(void);

/*
 * Has a task left user mode for a system call? Else for an interrupt or a fault, of which
 * its program knows nothing. @regs: with which it left
 */
static inline bool sp_user_in_call(const struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return (long)regs->orig_ax >= 0;
#elif defined(CONFIG_ARM64)
	return regs->syscallno >= 0;
#else
	return false;
#endif
}

/* A user stack without frames so far. */
static inline void sp_callchain_begin_user(struct sp_callchain *callchain)
{
	callchain->n = 0;
	callchain->flags = SP_STACK_USER;
	callchain->span = 0;
	callchain->fp = 0;
}

/* The next caller, and in which word it was found; the caller looks for room. */
static inline void sp_callchain_push(struct sp_callchain *callchain, u64 address,
				     unsigned int where)
{
	callchain->frame[callchain->n++] = sp_frame(address, where);
}

/*
 * Something is not in memory. If it is where something may be mapped, it may be there the
 * next time, as with code after a fork, and then the walk goes another way. Else
 * it was a number that looked like an address.
 */
static inline void sp_callchain_met_absent(struct sp_callchain *callchain, u64 address)
{
	if (sp_may_be_code(address))
		callchain->flags |= SP_STACK_ABSENT;
}

void sp_unwind_user(struct sp_callchain *callchain, const struct pt_regs *regs);

#ifdef CONFIG_X86_64
/* Times that words of a user stack were asked in vain in this hook. */
DECLARE_PER_CPU(unsigned int, sp_unwind_vain);

/**
 * sp_unwind_asks_again() - the next hook may ask as often
 *
 * Context: a hook that has asked for all that it asks, or is about to; it cannot be preempted. The
 * plain way of switches does not say so: whatever it asked in vain leads to the long one.
 */
static inline void sp_unwind_asks_again(void)
{
	__this_cpu_write(sp_unwind_vain, 0);
}
#else
static inline void sp_unwind_asks_again(void)
{
}
#endif

/* What unwind/copy.c asks of the architecture. */
unsigned long sp_unwind_stack_pointer(const struct task_struct *task);
void sp_unwind_stand_in(struct task_struct *stand_in,
			const struct task_struct *task, unsigned long sp,
			unsigned long delta);

/* unwind/copy.c: a sleeping task's stack, walked by a reader on a copy. */
struct sp_copy;
struct sp_copy *sp_copy_alloc(void);
void sp_copy_free(struct sp_copy *copy);
bool sp_copy_take(struct sp_copy *copy, struct task_struct *task);
void sp_copy_unwind(struct sp_copy *copy, struct sp_callchain *callchain);
struct pt_regs *sp_copy_regs(const struct sp_copy *copy);

#endif

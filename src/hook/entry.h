/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * entry: scheduler events seen at the entries of functions, whoever calls.
 *
 * finish_task_switch() is entered once per context switch on every kernel,
 * with interrupts off, on the stack of the task that comes in: its argument
 * is the task that left, current the one that came. The compiler may have
 * given it a suffix. Functions that older profilers probed (activate_task,
 * __schedule, ...) are inlined or not one to one with switches.
 */
#ifndef SP_HOOK_ENTRY_H
#define SP_HOOK_ENTRY_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "hook/backend.h"
#include "hook/check.h"
#include "hook/switch.h"
#include "lib/longest.h"
#include "record/plain.h"

extern char *sp_switch_functions[SP_MAX_CANDIDATES];
extern unsigned int sp_switch_function_count;
extern char *sp_wakeup_functions[SP_MAX_CANDIDATES];
extern unsigned int sp_wakeup_function_count;

/* For struct sp_backend. */
#define SP_ENTRY_CANDIDATES {						\
	[SP_ROLE_SWITCH] = { sp_switch_functions, &sp_switch_function_count }, \
	[SP_ROLE_WAKEUP] = { sp_wakeup_functions, &sp_wakeup_function_count }, \
}

/**
 * sp_entry_switch() - the function that ends a context switch is entered
 * @regs: there; the first argument, the stack and the frame pointer count
 *
 * Context: a hook, interrupts off.
 */
static __always_inline void sp_entry_switch(const struct pt_regs *regs)
{
	struct task_struct *prev =
		(void *)regs_get_kernel_argument((struct pt_regs *)regs, 0);
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);
	u64 began = SP_LONGEST ? sp_time() : 0;

	if (unlikely(sp_cpu_is_measured(cpu)))
		sp_hot_switch_measured(prev, current, regs);
	else if (unlikely(!sp_plain_switch(cpu, prev, current, regs, true)))
		sp_hot_switch(prev, current, regs);
	if (SP_LONGEST)
		sp_longest_note(switch_ns, sp_time_between(began, sp_time()));
}

/**
 * sp_entry_wakeup() - the function that wakes is entered
 * @regs: there; as above, two arguments, and where it is
 *
 * Context: a hook in the waker's context; it cannot be preempted.
 */
static __always_inline void sp_entry_wakeup(struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);

	/* Pairs with sp_check_end(). */
	if (unlikely(smp_load_acquire(&sp_unproved[SP_ROLE_WAKEUP])))
		sp_check_wakeup(task);
	else
		sp_hot_wakeup(task, regs_get_kernel_argument(regs, 1), regs, 0);
}

#endif

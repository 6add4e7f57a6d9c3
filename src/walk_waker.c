// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk_waker: who wakes a task, and where it was called from.
 *
 * Begins with the caller of the kernel's function that wakes, in both backends:
 * a kprobe has the registers at its entry; a tracepoint is called from inside
 * of it, perhaps through the function that calls all users of the tracepoint.
 *
 * No lock: the glue is set while no hook of the role is armed.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "compat/compat.h"
#include "walk.h"

/* The function that calls all users of a tracepoint. */
static unsigned long glue, glue_end;

/**
 * sp_walk_waker_glue() - what lies between a waker and a tracepoint's probe
 * @function: its first instruction
 *
 * Context: process, no hook of the role is armed.
 */
void sp_walk_waker_glue(const void *function)
{
	char text[KSYM_SYMBOL_LEN];
	const char *slash;
	unsigned long size = 0;

	/* name+0x0/0xSIZE */
	snprintf(text, sizeof(text), "%pS", function);
	slash = strrchr(text, '/');
	if (slash && kstrtoul(slash + 1, 0, &size))
		size = 0;
	glue = (unsigned long)function;
	glue_end = glue + size;
}

static bool is_ours(unsigned long address)
{
	return within_module(address, THIS_MODULE) ||
	       (address > glue && address <= glue_end);
}

/* Leave out all of the probe, and the function that wakes. */
static void drop_probe(struct sp_walk *walk)
{
	unsigned int first = 0;

	while (first < walk->n && is_ours(sp_frame_kernel(walk->frame[first])))
		first++;
	first = min_t(unsigned int, first + 1, walk->n);
	walk->n -= first;
	memmove(walk->frame, walk->frame + first, walk->n * sizeof(u64));
}

/**
 * sp_walk_waker() - who is waking a task now
 * @walk: filled, innermost frame first
 * @regs: at the entry of the function that wakes; NULL: a tracepoint in it
 *
 * Context: a hook in the waker's context, interrupts off.
 */
void sp_walk_waker(struct sp_walk *walk, struct pt_regs *regs)
{
	sp_walk_callers(walk, regs);
	if (!regs)
		drop_probe(walk);
	walk->flags |= SP_STACK_WAKER;
	memset(walk->waker, 0, sizeof(walk->waker));
	if (in_hardirq()) {
		walk->flags |= SP_STACK_IRQ;
	} else if (in_serving_softirq()) {
		walk->flags |= SP_STACK_SOFTIRQ;
	} else {
		/* May be written meanwhile: the last byte stays 0. */
		memcpy(walk->waker, current->comm, sizeof(walk->waker) - 1);
		memset(walk->waker + strlen(walk->waker), 0,
		       sizeof(walk->waker) - strlen(walk->waker));
	}
}

/**
 * sp_walk_waker_same() - is it who woke a task the last time, from there?
 * @stack: of that waker
 * @regs: as for sp_walk_waker()
 *
 * Context: a hook in the waker's context, interrupts off.
 * Return: true if a walk would find @stack again; false if that is not known.
 */
bool sp_walk_waker_same(const struct sp_stack *stack, struct pt_regs *regs)
{
	struct sp_place place = { };

	if (!regs || in_interrupt())
		return false;
	place.sp = kernel_stack_pointer(regs);
	/*
	 * An interrupt that ends may wake ksoftirqd from its own stack, whose end
	 * is not known here; only the task's own may be read up to its end.
	 */
	if (!object_is_on_stack((void *)place.sp))
		return false;
	place.ip = instruction_pointer(regs);
	return sp_walk_kernel_same(stack, current, &place) &&
	       !strncmp(stack->waker, current->comm, TASK_COMM_LEN);
}

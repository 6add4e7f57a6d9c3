// SPDX-License-Identifier: GPL-2.0-only
/*
 * waker: who wakes a task, and where it was called from.
 *
 * Begins with the caller of the kernel's function that wakes, in both backends:
 * a kprobe has the registers at its entry; a tracepoint is called from inside
 * of it, perhaps through the function that calls all users of the tracepoint.
 * How far above the probe that entry lies is the same each time, as long as the
 * return addresses between them are: so it is remembered, and made-up registers
 * of the entry spare the walk through all that.
 *
 * No lock: the glue is set while no hook of the role is armed; what is remembered
 * belongs to a CPU.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "compat/compat.h"
#include "unwind/unwind.h"

/* The function that calls all users of a tracepoint. */
static unsigned long glue, glue_end;

/**
 * sp_unwind_waker_glue() - what lies between a waker and a tracepoint's probe
 * @function: its first instruction
 *
 * Context: process, no hook of the role is armed.
 */
void sp_unwind_waker_glue(const void *function)
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

/* The probe, perhaps the glue, the function that wakes. */
#define MAX_INNER	4

/* From the frame of the probe to the entry of the function that wakes. */
struct way {
	unsigned int n;		/* return addresses in between; 0: not known */
	unsigned int entry;	/* bytes above the frame: where that one returns to */
	struct {
		unsigned int at;	/* bytes above the frame */
		unsigned long address;
	} inner[MAX_INNER - 1];
};

static DEFINE_PER_CPU(struct way, way_here);

static bool is_ours(unsigned long address)
{
	return within_module(address, THIS_MODULE) ||
	       (address > glue && address <= glue_end);
}

static unsigned long word_at(unsigned long address)
{
	/* Return addresses lie between what KASAN watches. */
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

static void find_way(struct way *way, unsigned long frame)
{
	unsigned long slot[MAX_INNER];
	unsigned int i, n = sp_unwind_return_slots(frame, slot, MAX_INNER);

	way->n = 0;
	for (i = 0; i + 1 < n; i++) {
		way->inner[i].at = slot[i] - frame;
		way->inner[i].address = word_at(slot[i]);
		if (is_ours(way->inner[i].address))
			continue;
		way->entry = slot[i + 1] - frame;
		way->n = i + 1;
		return;
	}
}

static bool same_way(const struct way *way, unsigned long frame)
{
	unsigned int i;

	for (i = 0; i < way->n; i++)
		if (word_at(frame + way->inner[i].at) != way->inner[i].address)
			return false;
	return way->n;
}

/**
 * sp_waking_find_entry() - look for the entry of the function that wakes
 * @waking: with a probe's frame; its entry is set, if it can be found
 *
 * Context: the probe, interrupts off.
 */
void sp_waking_find_entry(struct sp_waking *waking)
{
	struct way *way = this_cpu_ptr(&way_here);

	if (sp_in_interrupt() || !object_is_on_stack((void *)waking->frame))
		return;
	if (unlikely(!same_way(way, waking->frame)))
		find_way(way, waking->frame);
	if (way->n)
		waking->entry = waking->frame + way->entry;
}

/* Leave out all of the probe, and the function that wakes. */
static void drop_probe(struct sp_callchain *callchain)
{
	unsigned int first = 0;

	while (first < callchain->n && is_ours(sp_frame_kernel(callchain->frame[first])))
		first++;
	first = min_t(unsigned int, first + 1, callchain->n);
	callchain->n -= first;
	memmove(callchain->frame, callchain->frame + first, callchain->n * sizeof(u64));
}

/* Returns what sp_unwind_callers() does. */
static bool walk(struct sp_callchain *callchain, const struct sp_waking *waking)
{
	bool calls;

	if (waking->regs)
		return sp_unwind_callers(callchain, waking->regs);
	if (waking->entry && sp_unwind_callers_from(callchain, waking->entry))
		return true;
	calls = sp_unwind_callers(callchain, NULL);
	drop_probe(callchain);
	return calls;
}

static void name_current(char *comm)
{
	/* May be written meanwhile: the last byte stays 0. */
	memcpy(comm, current->comm, TASK_COMM_LEN - 1);
	memset(comm + strlen(comm), 0, TASK_COMM_LEN - strlen(comm));
}

/**
 * sp_unwind_waker() - who is waking a task now
 * @callchain: filled, innermost frame first
 * @waking: where
 * @task: the task
 *
 * Context: a hook in the waker's context, interrupts off.
 * Return: true if a system call of its program does: not an interrupt, nor the end of one,
 * which wakes ksoftirqd when nothing tells any more that it is one. On x86 its registers
 * were met then. Elsewhere walks do not tell, and no program is believed to wake a thread of
 * the kernel.
 */
bool sp_unwind_waker(struct sp_callchain *callchain, const struct sp_waking *waking,
		     const struct task_struct *task)
{
	bool calls = walk(callchain, waking);

	callchain->flags |= SP_STACK_WAKER;
	memset(&callchain->waker, 0, sizeof(callchain->waker));
	if (sp_in_hardirq()) {
		callchain->flags |= SP_STACK_IRQ;
		return false;
	}
	if (in_serving_softirq()) {
		callchain->flags |= SP_STACK_SOFTIRQ;
		return false;
	}
	name_current(callchain->waker.comm);
	return calls && sp_user_in_call(task_pt_regs(current)) &&
	       (IS_ENABLED(CONFIG_X86) || !(task->flags & PF_KTHREAD));
}

/**
 * sp_unwind_waker_same() - is it who woke a task the last time, from there?
 * @stack: of that waker
 * @waking: where
 *
 * Context: a hook in the waker's context, interrupts off.
 * Return: true if a walk would find @stack again; false if that is not known.
 */
bool sp_unwind_waker_same(const struct sp_stack *stack, const struct sp_waking *waking)
{
	const char *comm = sp_stack_waker(stack)->comm;
	struct sp_place place = { .sp = waking->entry };

	if (waking->regs) {
		place.sp = kernel_stack_pointer(waking->regs);
		place.ip = instruction_pointer(waking->regs);
	}
	if (!place.sp || sp_in_interrupt())
		return false;
	/*
	 * An interrupt that ends may wake ksoftirqd from its own stack, whose end
	 * is not known here; only the task's own may be read up to its end.
	 */
	if (!object_is_on_stack((void *)place.sp))
		return false;
	if (!sp_unwind_kernel_same(stack, current, &place))
		return false;
	/* Most names end in zeros, and two words are compared faster than a text. */
	return !memcmp(comm, current->comm, TASK_COMM_LEN) ||
	       !strncmp(comm, current->comm, TASK_COMM_LEN);
}

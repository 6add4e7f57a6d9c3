// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk_kernel_x86: the kernel stack of a task that is not running, or that
 * comes in just now.
 *
 * Two ways to the same frames. The kernel's unwinder is exact and slow. Most
 * tasks block where they blocked before, so the frames of the last time are
 * remembered with the places where their return addresses were found: if all
 * are still there, the stack is the same and no unwinder is needed (measured:
 * about 10 instructions a frame instead of 430).
 *
 * Places are relative to the stack pointer at the switch, because
 * randomize_kstack_offset moves the stack at every system call; except the
 * outermost return address of a system call, which lies right below pt_regs.
 * __schedule() uses a frame pointer, so that is compared too. Stacks that hold
 * registers of an interrupt or exception are never remembered.
 *
 * The frame of __schedule() itself is left out: every task stands there, and
 * where exactly depends on who looks. So all backends and readers give the
 * same stack, which begins with the caller.
 *
 * Context: hooks, interrupts off; the task cannot leave its stack meanwhile.
 * Reads nothing but that stack. No lock.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/switch_to.h>
#include <asm/unwind.h>

#include "walk.h"

/* Sizes beyond this are no plausible frames of a 16 KB stack. */
#define MAX_SPAN (THREAD_SIZE - 1)

static unsigned long top_of(const struct task_struct *task)
{
	return (unsigned long)task_pt_regs(task);
}

static __always_inline unsigned long word_at(unsigned long address)
{
	/* Slots of return addresses lie between what KASAN watches. */
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

/**
 * sp_walk_kernel_same() - does the task stand where it stood?
 * @stack: a stored kernel stack
 * @task: the task; its stack is not in use by another CPU
 * @place: where it stands now
 *
 * Context: a hook.
 * Return: true if a walk would give the frames of @stack again.
 */
bool sp_walk_kernel_same(const struct sp_stack *stack,
			 const struct task_struct *task,
			 const struct sp_place *place)
{
	unsigned long top = top_of(task);
	unsigned int i, n = stack->n;

	if (!(stack->flags & SP_STACK_CHECKABLE) ||
	    (s64)(place->fp - place->sp) != stack->fp)
		return false;
	/* A shallower stack must not be read beyond its end. */
	if (place->sp + stack->span > top)
		return false;
	if (stack->flags & SP_STACK_TOP)
		n--;
	for (i = 0; i < n; i++) {
		unsigned long at = place->sp +
				   sp_frame_where(stack->frame[i]) * sizeof(long);

		if ((word_at(at) ^ stack->frame[i]) & SP_FRAME_MASK)
			return false;
	}
	return n == stack->n ||
	       !((word_at(top - sizeof(long)) ^ stack->frame[n]) & SP_FRAME_MASK);
}

static void unwind_all(struct sp_walk *walk, struct task_struct *task,
		       struct unwind_state *state, const struct sp_place *place,
		       unsigned long top)
{
	bool checkable = true;

	for (; !unwind_done(state); unwind_next_frame(state)) {
		unsigned long address = unwind_get_return_address(state);
		unsigned long at = state->sp - sizeof(long);
		unsigned int where = 0;

		if (!address)
			break;
		if (walk->n == SP_MAX_DEPTH) {
			walk->flags |= SP_STACK_CUT;
			break;
		}
		/* Interrupts and exceptions leave registers, not calls. */
		if (state->regs || at < place->sp ||
		    at + sizeof(long) > top || at - place->sp > MAX_SPAN ||
		    walk->flags & SP_STACK_TOP || word_at(at) != address)
			checkable = false;
		if (at + sizeof(long) == top) {
			walk->flags |= SP_STACK_TOP;
		} else if (checkable) {
			where = (at - place->sp) / sizeof(long);
			walk->span = at - place->sp + sizeof(long);
		}
		walk->frame[walk->n++] = sp_frame(address, where);
	}
	/* A task before its first run stands in ret_from_fork alone. */
	if (!walk->n)
		walk->frame[walk->n++] = sp_frame(place->ip, 0);
	else if (checkable)
		walk->flags |= SP_STACK_CHECKABLE;
	if (!checkable)
		walk->flags &= ~SP_STACK_TOP;
}

/**
 * sp_walk_kernel() - the kernel stack of a task
 * @walk: filled, innermost frame first; never empty
 * @task: the task; its stack is not in use by another CPU
 * @place: where it stands
 *
 * The unwinder is started from made-up registers at @place, so not one frame
 * of the probe is ever seen.
 *
 * Context: a hook. The unwinder (arch/x86/kernel/unwind_orc.c) takes no lock,
 * reads only memory that it checked to belong to the task's stack, and is
 * called by perf and by lockdep from the same context.
 */
void sp_walk_kernel(struct sp_walk *walk, struct task_struct *task,
		    const struct sp_place *place)
{
	struct unwind_state state;
	struct pt_regs regs = {
		.sp = place->sp,
		.ip = place->ip,
		.bp = place->fp,
		.cs = __KERNEL_CS,
	};

	walk->n = 0;
	walk->flags = 0;
	walk->span = 0;
	walk->fp = place->fp - place->sp;
	/* With registers it starts at the caller. */
	unwind_start(&state, task, &regs, NULL);
	unwind_all(walk, task, &state, place, top_of(task));
}

/**
 * sp_place_of_inactive() - where a task stands that is not on a CPU
 * @place: filled
 * @task: the task
 *
 * Context: a hook that holds the task's run queue lock.
 */
void sp_place_of_inactive(struct sp_place *place, struct task_struct *task)
{
	struct inactive_task_frame *frame = (void *)READ_ONCE(task->thread.sp);

	place->sp = (unsigned long)(frame + 1);
	place->ip = READ_ONCE_NOCHECK(frame->ret_addr);
	place->fp = READ_ONCE_NOCHECK(frame->bp);
}

/**
 * sp_place_of_returning() - where current stands that just came in
 * @place: filled
 * @regs: at the entry of the function that __schedule() calls last
 *
 * A new task calls it from schedule_tail() instead; its place is the frame
 * that fork made, whose return address schedule_tail() was called from.
 *
 * Context: a hook at that entry; interrupts off.
 */
void sp_place_of_returning(struct sp_place *place, const struct pt_regs *regs)
{
	sp_place_of_inactive(place, current);
	/* What was below the return address may be overwritten by now. */
	place->fp = regs->bp;
}

/*
 * A reader cannot pin the stack of a sleeping task: it may wake, run and be
 * gone at any moment. So the stack is copied with accesses that may fault
 * harmlessly, the caller then proves with the task's clock that it did not
 * move, and the unwinder runs on the copy, through a stand-in task.
 */
struct sp_copy {
	struct task_struct *stand_in;
	void *stack;		/* THREAD_SIZE, aligned like a kernel stack */
	struct sp_place place;	/* within the copy */
};

/**
 * sp_copy_alloc() - room for one stack at a time
 *
 * Context: process, may sleep.
 * Return: the room, or NULL.
 */
struct sp_copy *sp_copy_alloc(void)
{
	struct sp_copy *copy = kzalloc(sizeof(*copy), GFP_KERNEL);

	if (!copy)
		return NULL;
	copy->stand_in = kvzalloc(sizeof(*copy->stand_in), GFP_KERNEL);
	copy->stack = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO,
					       THREAD_SIZE_ORDER);
	if (!copy->stand_in || !copy->stack) {
		sp_copy_free(copy);
		return NULL;
	}
	return copy;
}

/**
 * sp_copy_free() - give the room back
 * @copy: may be NULL
 */
void sp_copy_free(struct sp_copy *copy)
{
	if (!copy)
		return;
	kvfree(copy->stand_in);
	free_pages((unsigned long)copy->stack, THREAD_SIZE_ORDER);
	kfree(copy);
}

/* Words that point into the old stack shall point into the copy. */
static void relocate(unsigned long *from, unsigned long *end,
		     unsigned long old, unsigned long delta)
{
	for (; from < end; from++)
		if (*from - old < THREAD_SIZE)
			*from += delta;
}

/**
 * sp_copy_take() - copy a sleeping task's stack
 * @copy: the room
 * @task: the task; its task_struct stays, its stack may not
 *
 * The result means something only if the task did not run meanwhile: compare
 * sp_task.turns before and after.
 *
 * Context: process.
 * Return: false if there is no stack to be read any more.
 */
bool sp_copy_take(struct sp_copy *copy, struct task_struct *task)
{
	unsigned long old = (unsigned long)READ_ONCE(task->stack);
	unsigned long sp = READ_ONCE(task->thread.sp);
	unsigned long delta = (unsigned long)copy->stack - old;

	if (!old || sp < old || sp > old + THREAD_SIZE - sizeof(struct pt_regs))
		return false;
	if (copy_from_kernel_nofault((void *)(sp + delta), (void *)sp,
				     old + THREAD_SIZE - sp))
		return false;
	relocate((void *)(sp + delta), copy->stack + THREAD_SIZE, old, delta);
	copy->stand_in->stack = copy->stack;
	copy->stand_in->flags = READ_ONCE(task->flags);
	copy->stand_in->thread.sp = sp + delta;
	sp_place_of_inactive(&copy->place, copy->stand_in);
	return true;
}

/**
 * sp_copy_walk() - walk the stack that was copied
 * @copy: filled by sp_copy_take()
 * @walk: filled
 *
 * Context: process.
 */
void sp_copy_walk(struct sp_copy *copy, struct sp_walk *walk)
{
	sp_walk_kernel(walk, copy->stand_in, &copy->place);
}

/**
 * sp_copy_regs() - the registers with which the task entered the kernel
 * @copy: filled by sp_copy_take()
 */
struct pt_regs *sp_copy_regs(const struct sp_copy *copy)
{
	return task_pt_regs(copy->stand_in);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy: the stack of a sleeping task, for readers.
 *
 * A reader cannot pin the stack of a sleeping task: it may wake, run and be
 * gone at any moment. So the stack is copied with accesses that may fault
 * harmlessly, the caller then proves with the task's clock that it did not
 * move, and that it has no CPU, as it is on its stack a moment before its hook
 * tells; and the walk runs on the copy, through a stand-in task.
 *
 * Process context only; each copy has one owner.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "unwind/unwind.h"

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
	/*
	 * Where somebody instrumented a return, the unwinder asks the kernel for the
	 * address, which warns of tasks that run. It is not found: the walk ends.
	 */
	sp_task_set_state(copy->stand_in, TASK_UNINTERRUPTIBLE);
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	/* Nor did that tracer note any of its returns: before 6.11, 0 was the first. */
	copy->stand_in->curr_ret_stack = -1;
#endif
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
static void relocate_frames(unsigned long *from, unsigned long *end,
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
 * the sequence count of sp_task before and after, and see that it has no CPU.
 *
 * Context: process.
 * Return: false if there is no stack to be read any more.
 */
bool sp_copy_take(struct sp_copy *copy, struct task_struct *task)
{
	unsigned long old = (unsigned long)READ_ONCE(task->stack);
	unsigned long sp = sp_unwind_stack_pointer(task);
	unsigned long delta = (unsigned long)copy->stack - old;

	if (!old || sp < old || sp > old + THREAD_SIZE - sizeof(struct pt_regs))
		return false;
	if (copy_from_kernel_nofault((void *)(sp + delta), (void *)sp,
				     old + THREAD_SIZE - sp))
		return false;
	relocate_frames((void *)(sp + delta), copy->stack + THREAD_SIZE, old, delta);
	copy->stand_in->stack = copy->stack;
	copy->stand_in->flags = READ_ONCE(task->flags);
	sp_unwind_stand_in(copy->stand_in, task, sp + delta, delta);
	sp_place_of_inactive(&copy->place, copy->stand_in);
	return true;
}

/**
 * sp_copy_unwind() - walk the stack that was copied
 * @copy: filled by sp_copy_take()
 * @callchain: filled
 *
 * Context: process.
 */
void sp_copy_unwind(struct sp_copy *copy, struct sp_callchain *callchain)
{
	sp_unwind_kernel(callchain, copy->stand_in, &copy->place);
}

/**
 * sp_copy_regs() - the registers with which the task entered the kernel
 * @copy: filled by sp_copy_take()
 */
struct pt_regs *sp_copy_regs(const struct sp_copy *copy)
{
	return task_pt_regs(copy->stand_in);
}

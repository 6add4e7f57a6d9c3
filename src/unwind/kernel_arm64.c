// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_arm64: the kernel stack of a task that is not running, or that
 * comes in just now.
 *
 * The kernel is built with frame pointers: each frame begins with a record of
 * the caller's frame pointer and the return address, and the last record is
 * the one in the pt_regs of user space. Where an exception came into the kernel, and
 * the task was preempted at its end, other pt_regs lie in between, and the frames of
 * what was interrupted follow. Following them costs two loads a frame, so there is no
 * shortcut to be had: to see whether a stack is unchanged it is unwound and
 * compared on the way, which is exact wherever it lies.
 *
 * The frame of __schedule() itself is left out: every task stands there, and
 * where exactly depends on who looks. So all backends and readers give the
 * same stack, which begins with the caller.
 *
 * Context: hooks, interrupts off; the task cannot leave its stack meanwhile.
 * Reads nothing but that stack. No lock.
 */
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "compat/frame_arm64.h"
#include "unwind/unwind.h"

/* Frame records of one stack, innermost first. */
struct records {
	unsigned long at;	/* the next one */
	unsigned long low;	/* it does not lie below */
	unsigned long last;	/* the one in pt_regs, which calls nobody */
};

static void records_start(struct records *records, const struct task_struct *task,
			  unsigned long fp)
{
	records->at = fp;
	records->low = (unsigned long)task_stack_page(task);
	records->last = (unsigned long)&task_pt_regs(task)->stackframe;
}

static __always_inline unsigned long word_at(unsigned long address)
{
	/* Records lie between what KASAN watches. */
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

/* Behind an empty record; 0 if it is not one of an exception. */
static unsigned long next_interrupted(struct records *records, unsigned long at)
{
	unsigned long regs = sp_frame_regs(at);

	if (!SP_FRAMES_TELL_TYPE || regs < records->low ||
	    word_at(at + SP_FRAME_TYPE_OFFSET) != SP_FRAME_OF_REGS)
		return 0;
	records->low = at + 2 * sizeof(long);
	records->at = word_at(regs + offsetof(struct pt_regs, regs[29]));
	return word_at(regs + offsetof(struct pt_regs, pc));
}

/* The return address of the next frame; 0 behind the outermost. */
static __always_inline unsigned long next_return(struct records *records)
{
	unsigned long at = records->at, ret;

	if (at < records->low || at >= records->last || at & 7)
		return 0;
	ret = word_at(at + sizeof(long));
	if (!ret)
		return next_interrupted(records, at);
	records->low = at + 2 * sizeof(long);
	records->at = word_at(at);
	return ret;
}

/**
 * sp_unwind_kernel_same() - does the task stand where it stood?
 * @stack: a stored kernel stack
 * @task: the task; its stack is not in use by another CPU
 * @place: where it stands now
 *
 * Signatures in the upper bits of return addresses (pointer authentication)
 * are not part of a frame and are not compared.
 *
 * Return: true if unwinding would give the frames of @stack again.
 */
bool sp_unwind_kernel_same(const struct sp_stack *stack,
			   const struct task_struct *task,
			   const struct sp_place *place)
{
	struct records records;
	unsigned int i;

	if (!(stack->flags & SP_STACK_CHECKABLE))
		return false;
	records_start(&records, task, place->fp);
	for (i = 0; i < stack->n; i++)
		if ((next_return(&records) ^ stack->frame[i]) & SP_FRAME_MASK)
			return false;
	return stack->flags & SP_STACK_CUT || !next_return(&records);
}

/**
 * sp_unwind_kernel_unchanged() - the same of a task that comes in
 * @stack: a stored kernel stack
 * @task: the task
 * @regs: as for sp_hot_switch()
 * @coming: there are @regs
 *
 * Return: as sp_unwind_kernel_same() at sp_place_of_coming().
 */
bool sp_unwind_kernel_unchanged(const struct sp_stack *stack, struct task_struct *task,
				const struct pt_regs *regs, const bool coming)
{
	struct sp_place place;

	sp_place_of_coming(&place, task, regs);
	return sp_unwind_kernel_same(stack, task, &place);
}

/**
 * sp_unwind_kernel() - the kernel stack of a task
 * @callchain: filled, innermost frame first; never empty
 * @task: the task; its stack is not in use by another CPU
 * @place: where it stands
 */
void sp_unwind_kernel(struct sp_callchain *callchain, struct task_struct *task,
		      const struct sp_place *place)
{
	struct records records;
	unsigned long ret;

	callchain->n = 0;
	callchain->flags = SP_STACK_CHECKABLE;
	callchain->span = 0;
	callchain->fp = 0;
	records_start(&records, task, place->fp);
	while ((ret = next_return(&records))) {
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			return;
		}
		callchain->frame[callchain->n++] = sp_frame(ret, 0);
	}
	if (callchain->n)
		return;
	/* A task before its first run stands in ret_from_fork alone. */
	callchain->flags = 0;
	callchain->frame[callchain->n++] = sp_frame(place->ip, 0);
}

static bool read_stack(void *to, unsigned long from, size_t bytes)
{
	return !copy_from_kernel_nofault(to, (void *)from, bytes);
}

/* What was interrupted where there is an empty record, as if it were in it. */
static bool get_interrupted(unsigned long record[2], unsigned long at, unsigned long low)
{
	unsigned long regs = sp_frame_regs(at), type;

	return SP_FRAMES_TELL_TYPE && regs >= low &&
	       read_stack(&type, at + SP_FRAME_TYPE_OFFSET, sizeof(type)) &&
	       type == SP_FRAME_OF_REGS &&
	       read_stack(&record[0], regs + offsetof(struct pt_regs, regs[29]), sizeof(long)) &&
	       read_stack(&record[1], regs + offsetof(struct pt_regs, pc), sizeof(long));
}

static bool get_record(unsigned long record[2], unsigned long at, unsigned long low)
{
	return read_stack(record, at, 2 * sizeof(long)) &&
	       (record[1] || get_interrupted(record, at, low));
}

/* Frame records of the stack that is in use, from the one at @at. */
static void follow_frames(struct sp_callchain *callchain, unsigned long at, unsigned long low)
{
	unsigned long end = low + THREAD_SIZE, record[2];

	while (at >= low && at < end && !(at & 7) && get_record(record, at, low)) {
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			return;
		}
		callchain->frame[callchain->n++] = sp_frame(record[1], 0);
		low = at + sizeof(record);
		at = record[0];
	}
}

/**
 * sp_unwind_callers() - the kernel stack of current, as it is in use now
 * @callchain: filled
 * @regs: at the entry of a function: the stack begins with its caller; NULL:
 *	it begins somewhere in here
 *
 * It ends where an interrupt changed the stack: what was interrupted called
 * nothing. Which stack is in use is not asked: records lie above each other in
 * one, reads cannot fault, and no stack is larger than THREAD_SIZE.
 *
 * Context: a hook in any context, also in interrupts.
 * Return: true; whether registers of an interrupt lie between is not known.
 */
bool sp_unwind_callers(struct sp_callchain *callchain, struct pt_regs *regs)
{
	unsigned long at = regs ? regs->regs[29] :
				  (unsigned long)__builtin_frame_address(0);

	callchain->n = 0;
	callchain->flags = 0;
	callchain->span = 0;
	callchain->fp = 0;
	if (regs)
		callchain->frame[callchain->n++] = sp_frame(regs->regs[30], 0);
	follow_frames(callchain, at, regs ? regs->sp : at);
	return true;
}

/**
 * sp_unwind_callers_from() - not without a frame pointer
 * @callchain: not filled
 * @sp: of no use
 *
 * Return: false
 */
bool sp_unwind_callers_from(struct sp_callchain *callchain, unsigned long sp)
{
	return false;
}

/**
 * sp_unwind_return_slots() - where the stack in use has return addresses
 * @from: leave out what lies below
 * @slot: nothing is filled: frame records are followed as fast as addresses
 * @n: at most so many
 *
 * Return: 0
 */
unsigned int sp_unwind_return_slots(unsigned long from, unsigned long *slot, unsigned int n)
{
	return 0;
}

/**
 * sp_unwind_interrupted() - the kernel stack that an interrupt came into
 * @callchain: n, flags and frames are filled
 * @regs: of the kernel, where it was interrupted
 *
 * A function that had no frame yet hides its caller.
 *
 * Context: the interrupt.
 */
void sp_unwind_interrupted(struct sp_callchain *callchain, struct pt_regs *regs)
{
	callchain->flags = 0;
	/* Where it goes on; frames are return addresses, which lie behind. */
	callchain->frame[0] = sp_frame(regs->pc + 4, 0);
	callchain->n = 1;
	follow_frames(callchain, regs->regs[29], regs->sp);
}

/**
 * sp_place_of_inactive() - where a task stands that is not on a CPU
 * @place: filled
 * @task: the task
 *
 * It stands in __switch_to(), which __schedule() called; a new task in
 * ret_from_fork, with no record but the last.
 *
 * Context: a hook that holds the task's run queue lock.
 */
void sp_place_of_inactive(struct sp_place *place, struct task_struct *task)
{
	struct records records;

	records_start(&records, task, READ_ONCE(task->thread.cpu_context.fp));
	place->ip = READ_ONCE(task->thread.cpu_context.pc);
	place->sp = READ_ONCE(task->thread.cpu_context.sp);
	place->fp = next_return(&records) ? records.at : 0;
}

/**
 * sp_place_of_returning() - where current stands that just came in
 * @place: filled
 * @regs: at the entry of the function that __schedule() calls last; a new task
 *	calls it from schedule_tail()
 *
 * Context: a hook at that entry; interrupts off.
 */
void sp_place_of_returning(struct sp_place *place, const struct pt_regs *regs)
{
	place->ip = regs->regs[30];
	place->sp = regs->sp;
	place->fp = regs->regs[29];
}

/**
 * sp_unwind_stack_pointer() - how deep a task's stack is
 * @task: a task that is not on a CPU, or was not a moment ago
 */
unsigned long sp_unwind_stack_pointer(const struct task_struct *task)
{
	return READ_ONCE(task->thread.cpu_context.sp);
}

/**
 * sp_unwind_stand_in() - let a copy of a stack look like a task
 * @stand_in: a task_struct with the stack and the flags of its original
 * @task: the original
 * @sp: the stack pointer in the copy
 * @delta: how far the copy lies above the original
 */
void sp_unwind_stand_in(struct task_struct *stand_in,
			const struct task_struct *task, unsigned long sp,
			unsigned long delta)
{
	stand_in->thread.cpu_context.sp = sp;
	stand_in->thread.cpu_context.fp =
		READ_ONCE(task->thread.cpu_context.fp) + delta;
	stand_in->thread.cpu_context.pc = READ_ONCE(task->thread.cpu_context.pc);
}

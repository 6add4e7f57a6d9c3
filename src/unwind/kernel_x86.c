// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_x86: the kernel stack of a task that is not running, or that
 * comes in just now.
 *
 * Two ways to the same frames. The kernel's unwinder is exact and slow. Most
 * tasks block where they blocked before, so the frames of the last time are
 * remembered with the places where their return addresses were found: if all
 * are still there, the stack is the same and no unwinder is needed (measured:
 * about 6 instructions a frame instead of 430).
 *
 * Places are relative to the stack pointer at the switch, because
 * randomize_kstack_offset moves the stack at every system call; except the
 * outermost return address of a system call, which lies right below pt_regs. And
 * a function that aligns its frame puts its callers one word further up or not,
 * as that offset has it, so a neighbour may hold what is looked for: then the rest
 * lies as much further (measured: half of all readv()). Below an exception or interrupt out
 * of user mode nothing moves, so all the stack has to lie where it lay.
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
#include <asm/text-patching.h>
#include <asm/unwind.h>

#include "compat/compat.h"
#include "unwind/unwind.h"

/* Sizes beyond this are no plausible frames of a 16 KB stack. */
#define MAX_SPAN (THREAD_SIZE - 1)

/*
 * What no system call is entered by may be entered again from the kernel, as a fault within
 * a fault, and the same frames lie further down then: so its outermost frame has a place as
 * others have. Of a stack that was cut, more may follow.
 */
static bool ends_there(const struct sp_stack *stack, unsigned long sp, unsigned long top)
{
	return stack->flags & (SP_STACK_TOP | SP_STACK_CUT) || sp + stack->span == top;
}

/* Of one whose outermost frame is not under pt_regs: may its places be believed? */
noinline bool sp_unwind_ends_otherwise(const struct sp_stack *stack,
				       const struct task_struct *task, unsigned long sp)
{
	return stack->flags & SP_STACK_CHECKABLE && ends_there(stack, sp, top_of(task));
}

/* The rest: @n from @frame on, perhaps a word further up or down than where the last ones lay. */
noinline __no_sanitize_address
bool sp_unwind_rest_holds(const struct sp_stack *stack, const struct task_struct *task,
			  const u64 *frame, unsigned int n, unsigned long sp)
{
	unsigned long top = top_of(task);

	for (; n; n--, frame++) {
		unsigned long at = sp + sp_frame_where(*frame) * sizeof(long);

		if (holds_frame(at, *frame))
			continue;
		/* Never so far that the rest lies beyond the end. */
		if (sp + sizeof(long) + stack->span <= top &&
		    holds_frame(at + sizeof(long), *frame))
			sp += sizeof(long);
		else if (holds_frame(at - sizeof(long), *frame))
			sp -= sizeof(long);
		else
			return false;
	}
	return ends_there(stack, sp, top);
}

/**
 * sp_unwind_kernel_same() - does the task stand where it stood?
 * @stack: a stored kernel stack
 * @task: the task; its stack is not in use by another CPU
 * @place: where it stands now
 *
 * Return: true if unwinding would give the frames of @stack again.
 */
bool sp_unwind_kernel_same(const struct sp_stack *stack,
			   const struct task_struct *task,
			   const struct sp_place *place)
{
	if ((s64)(place->fp - place->sp) != stack->fp && stack->fp != SP_STACK_ANY_FP)
		return false;
	return all_holds(stack, task, place->sp);
}

/* A call over an int3: the next instructions replace where it returns to, and return. */
static const u8 detour[] = { CALL_INSN_OPCODE, 1, 0, 0, 0, INT3_INSN_OPCODE };

static bool is_detour(unsigned long address)
{
	u8 code[sizeof(detour)];

	return !copy_from_kernel_nofault(code, (const void *)address, sizeof(code)) &&
	       !memcmp(code, detour, sizeof(code));
}

/*
 * return_to_handler() ends with a detour. Of the stack pointer before and in it, the
 * unwinder's data is wrong; it would not get further and, of current, print that, perhaps
 * under the run queue's lock. An interrupt may come in there. (Others refill the return
 * stack buffer that way: a walk that ends there is short, but right.) What was the
 * kernel's code once may not be mapped any more, as start_kernel() is not.
 */
static bool leads_nowhere(unsigned long address)
{
	return is_detour(address) || is_detour(address + 1 - sizeof(detour));
}

/*
 * 0 at the end, also where the unwinder must not go on; else it is code of the kernel.
 * @interrupted: the last frame was one that an interrupt or exception came into
 */
static unsigned long return_address(struct unwind_state *state, bool *interrupted)
{
	unsigned long address = unwind_get_return_address(state);
	bool ask = *interrupted || state->regs;

	*interrupted = state->regs;
	if (unlikely(ask && address && leads_nowhere(address)))
		return 0;
	return address;
}

/*
 * Is the outermost frame that of a system call, or of a kernel thread? Of those there is
 * one on a stack, right below pt_regs; those of exceptions and interrupts may come again.
 */
static bool begins_once(const struct task_struct *task)
{
	return (long)READ_ONCE_NOCHECK(task_pt_regs(task)->orig_ax) >= 0;
}

static void unwind_all(struct sp_callchain *callchain, struct task_struct *task,
		       struct unwind_state *state, const struct sp_place *place,
		       unsigned long top)
{
	bool checkable = true, interrupted = false;

	for (; !unwind_done(state); unwind_next_frame(state)) {
		unsigned long address = return_address(state, &interrupted);
		unsigned long at = state->sp - sizeof(long);
		unsigned int where = 0;

		if (!address)
			break;
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			break;
		}
		/* Interrupts and exceptions leave registers, not calls. */
		if (state->regs || at < place->sp ||
		    at + sizeof(long) > top || at - place->sp > MAX_SPAN ||
		    callchain->flags & SP_STACK_TOP ||
		    READ_ONCE_NOCHECK(*(unsigned long *)at) != address)
			checkable = false;
		if (at + sizeof(long) == top && begins_once(task)) {
			callchain->flags |= SP_STACK_TOP;
		} else if (checkable) {
			where = (at - place->sp) / sizeof(long);
			callchain->span = at - place->sp + sizeof(long);
		}
		callchain->frame[callchain->n++] = sp_frame(address, where);
	}
	/* A task before its first run stands in ret_from_fork alone. */
	if (!callchain->n)
		callchain->frame[callchain->n++] = sp_frame(place->ip, 0);
	else if (checkable)
		callchain->flags |= SP_STACK_CHECKABLE;
	if (!checkable)
		callchain->flags &= ~SP_STACK_TOP;
}

/**
 * sp_unwind_kernel() - the kernel stack of a task
 * @callchain: filled, innermost frame first; never empty
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
void sp_unwind_kernel(struct sp_callchain *callchain, struct task_struct *task,
		      const struct sp_place *place)
{
	struct unwind_state state;
	struct pt_regs regs = {
		.sp = place->sp,
		.ip = place->ip,
		.bp = place->fp,
		.cs = __KERNEL_CS,
	};

	callchain->n = 0;
	callchain->flags = 0;
	callchain->span = 0;
	callchain->fp = place->fp - place->sp;
	/* With registers it starts at the caller. */
	unwind_start(&state, task, &regs, NULL);
	/*
	 * The address of a return that somebody instrumented is kept by the kernel,
	 * which warns if it is asked for a task that is about to run: that would print
	 * under the run queue's lock. Asked for this one instead, it knows of none,
	 * and the walk ends there. Of the stack, the unwinder has the bounds already.
	 */
	if (unlikely(task != current && sp_task_has_rethooks(task)))
		state.task = current;
	unwind_all(callchain, task, &state, place, top_of(task));
}

/* Returns true if it got to the end, and met no registers of an interrupt or a fault. */
static bool unwind_current(struct sp_callchain *callchain, struct pt_regs *regs,
			   bool to_interrupt)
{
	bool interrupted = regs, calls = true;
	struct unwind_state state;

	if (regs && leads_nowhere(regs->ip))
		return false;
	unwind_start(&state, current, regs, NULL);
	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = return_address(&state, &interrupted);

		/* Those of user mode are the system call's, at the end. */
		calls &= !state.regs || user_mode(state.regs);
		if (!address || (state.regs && to_interrupt))
			break;
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			break;
		}
		callchain->frame[callchain->n++] = sp_frame(address, 0);
	}
	/* Registers of user mode are those of the system call, at the end. */
	return calls && !unwind_error(&state) && !(callchain->flags & SP_STACK_CUT);
}

/* Did a walk of what current calls, from @sp, get to the end of the stack, over calls alone? */
static bool reaches_top(const struct sp_callchain *callchain, unsigned long sp)
{
	return callchain->flags & SP_STACK_CHECKABLE &&
	       (callchain->flags & SP_STACK_TOP || sp + callchain->span == top_of(current));
}

/**
 * sp_unwind_callers_from() - the same as below, if its frame pointer does not matter
 * @callchain: filled
 * @sp: the stack pointer at the entry of a function, on the task's own stack
 *
 * Next time that register will hold something else, because callers do with it what
 * they like. If nothing on the way up needs it, then it is no part of where current
 * stands.
 *
 * Context: a hook in a task; as sp_unwind_kernel().
 * Return: false if @callchain is of no use.
 */
bool sp_unwind_callers_from(struct sp_callchain *callchain, unsigned long sp)
{
	/* Any function's entry: there the unwinder finds the caller at @sp. */
	const struct sp_place place = {
		.sp = sp, .ip = (unsigned long)sp_unwind_callers_from,
	};

	sp_unwind_kernel(callchain, current, &place);
	if (!reaches_top(callchain, sp))
		return false;
	callchain->fp = SP_STACK_ANY_FP;
	return true;
}

/**
 * sp_unwind_callers() - the kernel stack of current, as it is in use now
 * @callchain: filled
 * @regs: at the entry of a function: the stack begins with its caller; NULL:
 *	it begins somewhere in here
 *
 * It ends where an interrupt came in: what was interrupted called nothing.
 *
 * Context: a hook in any context, also in interrupts; as sp_unwind_kernel().
 * Return: true if all of it are calls, up to the end of the stack: no registers of an
 * interrupt or a fault lie between.
 */
bool sp_unwind_callers(struct sp_callchain *callchain, struct pt_regs *regs)
{
	struct sp_place place = { };
	bool calls;

	callchain->n = 0;
	callchain->flags = 0;
	callchain->span = 0;
	callchain->fp = 0;
	/* An interrupt that ends is none any more, but still on its own stack. */
	if (!regs || sp_in_interrupt() || !object_is_on_stack((void *)regs->sp))
		return unwind_current(callchain, regs, sp_in_interrupt()) && !sp_in_interrupt();
	if (sp_unwind_callers_from(callchain, regs->sp))
		return true;
	place.sp = regs->sp;
	place.ip = regs->ip;
	place.fp = regs->bp;
	sp_unwind_kernel(callchain, current, &place);
	calls = reaches_top(callchain, regs->sp);
	callchain->flags &= ~(SP_STACK_CHECKABLE | SP_STACK_TOP);
	return calls;
}

/**
 * sp_unwind_return_slots() - where the stack in use has return addresses
 * @from: leave out what lies below
 * @slot: filled with the addresses of words that hold one, innermost first
 * @n: at most so many
 *
 * Context: a hook in a task; as sp_unwind_kernel().
 * Return: how many there are.
 */
unsigned int sp_unwind_return_slots(unsigned long from, unsigned long *slot, unsigned int n)
{
	struct unwind_state state;
	unsigned int found = 0;

	unwind_start(&state, current, NULL, NULL);
	for (; found < n && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long at = state.sp - sizeof(long);

		if (!unwind_get_return_address(&state) || state.regs)
			break;
		if (at >= from)
			slot[found++] = at;
	}
	return found;
}

/**
 * sp_unwind_interrupted() - the kernel stack that an interrupt came into
 * @callchain: n, flags and frames are filled
 * @regs: of the kernel, where it was interrupted
 *
 * Context: the interrupt; as sp_unwind_kernel().
 */
void sp_unwind_interrupted(struct sp_callchain *callchain, struct pt_regs *regs)
{
	callchain->flags = 0;
	/* Where it goes on; frames are return addresses, which lie behind. */
	callchain->frame[0] = sp_frame(regs->ip + 1, 0);
	callchain->n = 1;
	unwind_current(callchain, regs, false);
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

/**
 * sp_unwind_stack_pointer() - how deep a task's stack is
 * @task: a task that is not on a CPU, or was not a moment ago
 */
unsigned long sp_unwind_stack_pointer(const struct task_struct *task)
{
	return READ_ONCE(task->thread.sp);
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
	stand_in->thread.sp = sp;
}

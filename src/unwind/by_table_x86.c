// SPDX-License-Identifier: GPL-2.0-only
/*
 * by_table_x86: the user stack of a program without frame pointers, by unwind tables.
 *
 * From an instruction, its file's table tells where the caller's stack pointer was, and with
 * it the return address, which is the next instruction. Of generated code, the table of its
 * process does, as far as the process told. Code without a table (generated, Go)
 * may have frame pointers: they are followed as far as each leads up the stack, to a
 * return address behind a call. Frames so found are marked, and the stack is not complete.
 *
 * A stack is remembered by the places of its return addresses: as each of them says where
 * the next one is, it is the same stack as long as they are all where they were. Where a
 * rule starts from the frame pointer, that must be what it was, too: relative to the stack
 * pointer, in the register or where a callee saved it. And so must the word which said that
 * there is no caller. Such words are the stack's links.
 *
 * Tables may lie. A walk reads only user memory, without ever faulting, goes up the stack
 * with each frame, and ends after SP_MAX_DEPTH.
 *
 * Context as in unwind/user_x86.c. Tables and spaces are read by RCU.
 */
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "lib/widen.h"
#include "unwind/spaces.h"
#include "unwind/unwind.h"
#include "unwind/user_x86.h"

/* The kernel's frame of a signal, from the stack pointer that its return has on. */
#define SIGNAL_FP	(40 + 10 * sizeof(u64))
#define SIGNAL_SP	(40 + 15 * sizeof(u64))
#define SIGNAL_IP	(40 + 16 * sizeof(u64))

/* Frames that are compared before it is asked if one differs. */
#define FRAMES_AT_ONCE	8

/* How far a frame pointer may lead up, where no table says it. */
#define GUESS_BYTES	(8UL << 20)

struct walk {
	struct sp_callchain *callchain;
	const struct sp_unwind_space *space;
	const struct sp_unwind_range *range;	/* the last one; callers are often in it, too */
	unsigned long base;	/* the innermost stack pointer */
	unsigned long ip, sp, fp;
	unsigned int fp_where;	/* the word that it was loaded from; 0: the register */
	bool fp_noted;		/* it is the stack's fp, or a link */
	bool call;		/* ip is a return address: the call is before it */
	bool guessed;		/* some frame was found by a frame pointer */
	bool turned;		/* to a stack that lies below, by a signal */
};

/* Words above the innermost stack pointer, from 1 on; 0: too far to be remembered. */
static unsigned int where_of(const struct walk *walk, unsigned long address)
{
	unsigned long word = (address - walk->base) / sizeof(u64) + 1;

	return address >= walk->base && word < BIT(64 - SP_FRAME_BITS) ? word : 0;
}

/* The stack cannot be remembered. */
static void forget_places(struct walk *walk)
{
	walk->callchain->flags &= ~SP_STACK_PLACED;
}

/* What a link is, beside its place: relative to the stack pointer, or with this not. */
#define AS_IT_IS	BIT(47)

static void add_link(struct walk *walk, u64 what, unsigned int where)
{
	struct sp_callchain *callchain = walk->callchain;

	if (where && callchain->span < SP_MAX_DEPTH)
		callchain->link[callchain->span++] = sp_frame(what, where);
	else
		forget_places(walk);
}

/* This word said that there is no caller. */
static void note_end(struct walk *walk, unsigned long word, unsigned long at)
{
	if (word < AS_IT_IS)
		add_link(walk, word | AS_IT_IS, where_of(walk, at));
	else
		forget_places(walk);
}

/* What follows depends on the frame pointer. */
static void note_fp(struct walk *walk)
{
	struct sp_callchain *callchain = walk->callchain;

	if (walk->fp_noted)
		return;
	walk->fp_noted = true;
	if (!walk->fp_where)
		callchain->fp = walk->fp - walk->base;
	else if (walk->fp - walk->base < AS_IT_IS)
		add_link(walk, walk->fp - walk->base, walk->fp_where);
	else
		forget_places(walk);
}

static noinline const struct sp_unwind_range *other_range(struct walk *walk, unsigned long ip)
{
	walk->range = sp_unwind_range_at(walk->space, ip);
	return walk->range;
}

static __always_inline const struct sp_unwind_range *range_of(struct walk *walk,
							      unsigned long ip)
{
	const struct sp_unwind_range *range = walk->range;

	return likely(range && ip >= range->start && ip < range->end) ? range :
									other_range(walk, ip);
}

/* The rule for the instruction; NULL: there is none. Is there no table? That is noted. */
static __always_inline const struct sp_unwind_row *rule_of(struct walk *walk, bool *no_table)
{
	unsigned long ip = walk->ip - walk->call;
	const struct sp_unwind_range *range = range_of(walk, ip);
	const struct sp_unwind_table *table;
	u64 offset;

	*no_table = true;
	if (!range)
		return NULL;
	table = rcu_dereference(range->file->table);
	if (!table) {
		if (!READ_ONCE(range->file->met))
			WRITE_ONCE(range->file->met, true);
		return NULL;
	}
	*no_table = false;
	sp_window();
	offset = ip - range->start + range->offset;
	return offset <= U32_MAX ? sp_unwind_row_of(table, offset) : NULL;
}

static __always_inline bool get(struct walk *walk, unsigned long *to, unsigned long from)
{
	if (likely(sp_user_word(to, from)))
		return true;
	/* It may be there the next time. */
	walk->callchain->flags |= SP_STACK_ABSENT;
	return false;
}

/* A caller is found: is there room for it? */
static __always_inline bool push(struct walk *walk, u64 ip, unsigned int where)
{
	struct sp_callchain *callchain = walk->callchain;

	if (!where)
		forget_places(walk);
	if (callchain->n == SP_MAX_DEPTH) {
		callchain->flags |= SP_STACK_CUT;
		return false;
	}
	callchain->frame[callchain->n++] = sp_frame(ip, where);
	return true;
}

/* All registers that the program had when the signal came. */
static enum sp_stack_end step_signal(struct walk *walk)
{
	unsigned long at = walk->sp, ip, sp, fp;

	if (!get(walk, &ip, at + SIGNAL_IP) || !get(walk, &sp, at + SIGNAL_SP) ||
	    !get(walk, &fp, at + SIGNAL_FP))
		return SP_STACK_END_MEMORY;
	/* A handler may have a stack of its own, which may be anywhere; but only one. */
	forget_places(walk);
	if (!sp_user_address(ip) || (sp <= at && walk->turned))
		return SP_STACK_END_RULE;
	walk->turned |= sp <= at;
	walk->ip = ip;
	walk->sp = sp;
	walk->fp = fp;
	walk->fp_where = 0;
	walk->fp_noted = true;
	walk->call = false;
	return push(walk, ip, 0) ? SP_STACK_END_NOT : SP_STACK_END_CUT;
}

/*
 * The caller's stack pointer is known, and where its frame pointer is; 0: it is the same.
 * @mark: on the frame
 */
static __always_inline enum sp_stack_end step_to(struct walk *walk, unsigned long sp,
						 unsigned long fp_at, u64 mark)
{
	unsigned long ip, fp = walk->fp;

	/* Of the word that is read, so that this is asked once. */
	if (sp <= walk->sp || sp & 7 || !sp_user_address(sp - sizeof(u64)))
		return SP_STACK_END_RULE;
	if (!get(walk, &ip, sp - sizeof(u64)) || (fp_at && !get(walk, &fp, fp_at)))
		return SP_STACK_END_MEMORY;
	if (!sp_user_address(ip)) {
		note_end(walk, ip, sp - sizeof(u64));
		/* Nobody returns to 0: threads begin so. */
		return ip ? SP_STACK_END_RULE : SP_STACK_END_COMPLETE;
	}
	if (fp_at) {
		walk->fp = fp;
		walk->fp_where = where_of(walk, fp_at);
		walk->fp_noted = false;
		if (!walk->fp_where)
			forget_places(walk);
	}
	walk->ip = ip;
	walk->sp = sp;
	walk->call = true;
	return push(walk, ip | mark, where_of(walk, sp - sizeof(u64))) ? SP_STACK_END_NOT :
									  SP_STACK_END_CUT;
}

/* There is no table: is there a frame? */
static __always_inline enum sp_stack_end step_by_frame(struct walk *walk)
{
	unsigned long fp = walk->fp, ip;

	note_fp(walk);
	if (fp < walk->sp || fp - walk->sp > GUESS_BYTES || fp & 7 || !sp_user_address(fp) ||
	    !get(walk, &ip, fp + sizeof(u64)))
		return SP_STACK_END_TABLE;
	if (!sp_user_is_return(&walk->callchain->flags, ip)) {
		note_end(walk, ip, fp + sizeof(u64));
		return SP_STACK_END_TABLE;
	}
	walk->guessed = true;
	return step_to(walk, fp + 2 * sizeof(u64), fp, SP_FRAME_GUESSED);
}

/*
 * Its program generated the code, and has not told of it; or not yet, so whoever makes
 * tables is told. The row is of the range that was looked up last.
 */
static noinline enum sp_stack_end step_untold(struct walk *walk)
{
	struct sp_unwind_file *file = walk->range->file;

	if (!READ_ONCE(file->met))
		WRITE_ONCE(file->met, true);
	return step_by_frame(walk);
}

static enum sp_stack_end step_by_row(struct walk *walk, const struct sp_unwind_row *row)
{
	unsigned int saved = sp_unwind_saved(row);
	unsigned long sp = walk->sp;

	switch (sp_unwind_kind(row)) {
	case SP_UNWIND_OUTERMOST:
		return SP_STACK_END_COMPLETE;
	case SP_UNWIND_SIGNAL:
		return step_signal(walk);
	case SP_UNWIND_PLT:
		sp += (walk->ip & 15) >= saved ? sizeof(u64) : 0;
		return step_to(walk, sp + row->cfa * sizeof(u64), 0, 0);
	case SP_UNWIND_FP:
		note_fp(walk);
		sp = walk->fp;
		fallthrough;
	case SP_UNWIND_SP:
		sp += row->cfa * sizeof(u64);
		return step_to(walk, sp, saved ? sp - saved * sizeof(u64) : 0, 0);
	case SP_UNWIND_NONE:
	case SP_UNWIND_UNTOLD:
		break;
	}
	return sp_unwind_kind(row) == SP_UNWIND_UNTOLD ? step_untold(walk) :
							 SP_STACK_END_RULE;
}

static enum sp_stack_end walk_up(struct walk *walk)
{
	const struct sp_unwind_row *row;
	enum sp_stack_end end;
	bool no_table;

	do {
		row = rule_of(walk, &no_table);
		if (no_table)
			end = step_by_frame(walk);
		else
			end = row ? step_by_row(walk, row) : SP_STACK_END_RULE;
	} while (end == SP_STACK_END_NOT);
	return end;
}

/*
 * What is known of the program. If it is not known, or not for sure as it is now, the worker is
 * asked to look; what a worker itself walks is another one's, which it has looked at.
 * @old: did it map code since? @sure: set to false where the worker is to look.
 */
static const struct sp_unwind_space *know(bool *old, bool *sure)
{
	const struct sp_unwind_space *space = sp_unwind_space_of(current->mm);

	*old = space && sp_unwind_space_is_old(space);
	if (!space || *old ||
	    time_after(jiffies, READ_ONCE(space->looked) + SP_UNWIND_OLD_JIFFIES)) {
		*sure = false;
		if (!(current->flags & PF_KTHREAD))
			sp_unwind_spaces_want();
	}
	return space;
}

/* Is there a table for code where a walk had none? @call: it is a return address. */
static bool has_table(struct walk *walk, unsigned long ip, bool call)
{
	const struct sp_unwind_row *row;
	bool no_table;

	walk->ip = ip;
	walk->call = call;
	row = rule_of(walk, &no_table);
	return !no_table && !(row && sp_unwind_kind(row) == SP_UNWIND_UNTOLD);
}

/**
 * sp_unwind_has_table() - would a walk from there go by tables?
 * @regs: the registers with which the task left user mode
 * @sure: set to false where the answer may be another one when the worker has looked
 *
 * Context: as sp_unwind_user().
 */
noinline bool sp_unwind_has_table(const struct pt_regs *regs, bool *sure)
{
	struct walk walk = { };
	bool old, has;

	if (!current->mm) {
		*sure = false;
		return false;
	}
	rcu_read_lock();
	walk.space = know(&old, sure);
	has = walk.space && has_table(&walk, regs->ip, sp_user_behind_call(regs));
	rcu_read_unlock();
	return has;
}

/*
 * Might a walk go another way now: has code a table where a frame was guessed, or where the
 * stack ended? What was asked last, and changed nothing, is remembered by the task:
 * see sp_unwind_question().
 */
static noinline bool might_be_more(const struct sp_stack *stack, const struct pt_regs *regs,
				   struct sp_passed *passed)
{
	u32 these = sp_unwind_question((unsigned long)stack);
	bool call = sp_user_behind_call(regs), asked = false, more = false, sure = true, old;
	unsigned int i, n = stack->n + (sp_stack_end(stack->flags) == SP_STACK_END_TABLE);
	struct walk walk = { };

	if (these == passed->words || !current->mm)
		return false;
	rcu_read_lock();
	for (i = 1; i < n && !more; i++) {
		if (i < stack->n && !(stack->frame[i] & SP_FRAME_GUESSED))
			continue;
		/* Once for all, as this has its price. */
		if (!asked)
			walk.space = know(&old, &sure);
		asked = true;
		more = walk.space &&
		       has_table(&walk, sp_frame_user(stack->frame[i - 1]), call || i > 1);
	}
	rcu_read_unlock();
	if (sure && !more)
		WRITE_ONCE(passed->words, these);
	return more;
}

/**
 * sp_unwind_by_tables() - the user stack, by tables
 * @callchain: filled, innermost frame first
 * @regs: the registers with which the task left user mode, of 64-bit code
 *
 * Context: as sp_unwind_user(), page faults disabled.
 * Return: true; or false, and @callchain as it was: there is no table for where it begins.
 */
noinline bool sp_unwind_by_tables(struct sp_callchain *callchain, const struct pt_regs *regs)
{
	struct walk walk = {
		.callchain = callchain,
		.base = regs->sp,
		.ip = regs->ip, .sp = regs->sp, .fp = regs->bp,
		/* It goes on behind the system call, which may be where another function is. */
		.call = sp_user_behind_call(regs),
	};
	bool no_table = true, old, sure = true;
	enum sp_stack_end end;

	if (!current->mm || regs->sp & 7 || !sp_user_address(regs->sp))
		return false;
	rcu_read_lock();
	walk.space = know(&old, &sure);
	if (walk.space)
		rule_of(&walk, &no_table);
	if (no_table) {
		rcu_read_unlock();
		return false;
	}
	sp_callchain_begin_user(callchain);
	callchain->flags |= SP_STACK_PLACED;
	/* What was mapped since may lie where something else lay: not to be recognised. */
	if (old)
		callchain->flags |= SP_STACK_ABSENT;
	callchain->fp = SP_STACK_ANY_FP;
	sp_callchain_push(callchain, regs->ip, 0);
	end = walk_up(&walk);
	rcu_read_unlock();
	if (end == SP_STACK_END_COMPLETE && walk.guessed)
		end = SP_STACK_END_GUESSED;
	if (end == SP_STACK_END_CUT)
		end = SP_STACK_END_NOT;
	callchain->flags |= sp_stack_ended(end);
	return true;
}

/**
 * sp_unwind_placed_same() - does a stack that was found by tables still stand?
 * @stack: that
 * @regs: the registers with which the task left user mode, of 64-bit code
 * @passed: as for sp_unwind_user_same()
 *
 * What lies above the outermost frame that is kept does not matter: of a stack that was cut,
 * the inner part is all that is told.
 *
 * Context: as sp_unwind_user(), page faults disabled.
 */
noinline bool sp_unwind_placed_same(const struct sp_stack *stack, const struct pt_regs *regs,
				    struct sp_passed *passed)
{
	const u64 *frame = stack->frame + 1, *end = stack->frame + stack->n;
	const u64 *last = end + stack->span - 1, *some;
	unsigned long sp = regs->sp;
	unsigned int highest = 0;
	enum sp_stack_end wanting;
	u64 word, odd = 0;
	u64 __user *at;

	if (stack->fp != SP_STACK_ANY_FP && (s64)(regs->bp - sp) != stack->fp)
		return false;
	/* The outermost frame is the highest, or the last link; all are in user space. */
	if (stack->n > 1)
		highest = sp_frame_where(end[-1]);
	if (stack->span)
		highest = max(highest, sp_frame_where(*last));
	if (sp & 7 || !sp_user_address(sp) || !sp_user_address(sp + highest * sizeof(u64)))
		return false;
	at = sp_user_pointer(sp);
	__uaccess_begin();
	/* What is another stack is so in its first frames, mostly. */
	while (frame < end) {
		for (some = min(frame + FRAMES_AT_ONCE, end); frame < some; frame++) {
			unsafe_get_user(word, at + sp_frame_where(*frame) - 1, fault);
			odd |= word ^ sp_frame_user(*frame);
		}
		if (odd)
			goto fault;
	}
	for (; frame <= last; frame++) {
		unsafe_get_user(word, at + sp_frame_where(*frame) - 1, fault);
		word += *frame & AS_IT_IS ? AS_IT_IS : -sp;
		odd |= word ^ (*frame & SP_FRAME_MASK);
	}
	__uaccess_end();
	if (odd)
		return false;
	wanting = sp_stack_end(stack->flags);
	return likely(wanting == SP_STACK_END_COMPLETE) || !might_be_more(stack, regs, passed);
fault:
	__uaccess_end();
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_arm64: the user stack of the task whose address space is loaded,
 * by frame records and without ever faulting.
 *
 * A system call wrapper without a frame has its return address in the link
 * register only, so the chain of records alone loses its caller. The register
 * is taken for that if the code says so: it follows a call instruction, and
 * that call leads to the function that made the system call.
 *
 * Context: hooks (interrupts off, page faults disabled: what is not mapped
 * ends the walk) and a worker that has the address space in use. The hooks run
 * where the loaded page tables are those of current; those of functions ask.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "unwind/unwind.h"

/* No function is longer than this, for all we know. */
#define FUNCTION_BYTES	65536
/* Frame pointer and link register of 32-bit code, as GCC uses them. */
#define COMPAT_FP	11

struct record {
	u64 fp;
	u64 ret;
};

static bool in_user(u64 address)
{
	return address >= PAGE_SIZE && !(address & ~SP_FRAME_MASK);
}

/* @callchain: of a walk; NULL: there is none */
static bool get_bytes(struct sp_callchain *callchain, void *to, u64 from, size_t bytes)
{
	if (!in_user(from))
		return false;
	if (!copy_from_user_nofault(to, (void __user *)(unsigned long)from, bytes))
		return true;
	if (callchain)
		sp_callchain_met_absent(callchain, from);
	return false;
}

/* Signed by pointer authentication: the upper bits are no address. */
static u64 unsigned_of(u64 ret)
{
	return ret & SP_FRAME_MASK;
}

static bool is_bl(u32 code)
{
	return (code & 0xfc000000) == 0x94000000;
}

/* With and without pointer authentication. */
static bool is_blr(u32 code)
{
	return (code & 0xfefff000) == 0xd63f0000;
}

static u64 bl_target(u64 at, u32 code)
{
	s64 words = (s32)(code << 6) >> 6;

	return at + words * 4;
}

static bool within_function(u64 function, u64 address)
{
	return address - function < FUNCTION_BYTES;
}

/* The linker's stub: adrp x16, page; ldr x17, [x16, #offset]; add; br x17. */
static u64 stub_target(struct sp_callchain *callchain, u64 at)
{
	u32 code[2], first;
	s64 pages;
	u64 target;

	if (!get_bytes(callchain, &first, at, sizeof(first)))
		return 0;
	if (first == 0xd503245f)	/* bti c */
		at += 4;
	if (!get_bytes(callchain, code, at, sizeof(code)) ||
	    (code[0] & 0x9f00001f) != 0x90000010 ||
	    (code[1] & 0xffc003ff) != 0xf9400211)
		return 0;
	pages = (s64)((code[0] >> 5 & 0x7ffff) << 2 | (code[0] >> 29 & 3));
	pages = (s64)((u64)pages << 43) >> 43;
	at = (at & ~0xfffULL) + pages * 4096 + (code[1] >> 10 & 0xfff) * 8;
	return get_bytes(callchain, &target, at, sizeof(target)) ? target : 0;
}

static bool call_leads_to(struct sp_callchain *callchain, u64 ret, u64 inner)
{
	u64 target;
	u32 code;

	if (ret & 3 || !get_bytes(callchain, &code, ret - 4, sizeof(code)) || !is_bl(code))
		return false;
	target = bl_target(ret - 4, code);
	return within_function(target, inner) ||
	       within_function(stub_target(callchain, target), inner);
}

/* Is there a call before, or is it a signal's return? */
static bool looks_like_return(struct sp_callchain *callchain, u64 ret)
{
	u32 code, here[2];

	if (!in_user(ret) || ret & 3)
		return false;
	/* The task made the call, so the code is in memory, or just was. */
	if (!get_bytes(callchain, &code, ret - 4, sizeof(code)))
		return false;
	if (is_bl(code) || is_blr(code))
		return true;
	/* mov x8, #__NR_rt_sigreturn; svc #0 */
	return get_bytes(callchain, here, ret, sizeof(here)) && here[0] == 0xd2801168 &&
	       here[1] == 0xd4000001;
}

/* As above. */
static bool get_record(struct sp_callchain *callchain, struct record *record, u64 at, u64 low,
		       bool compat)
{
	u32 words[2];

	if (at < low)
		return false;
	if (!compat)
		return !(at & 7) && get_bytes(callchain, record, at, sizeof(*record));
	/* GCC's: fp points at the saved link register, the fp lies below. */
	if (at & 3 || !get_bytes(callchain, words, at - 4, sizeof(words)))
		return false;
	record->fp = words[0];
	record->ret = words[1];
	return true;
}

static void walk_records(struct sp_callchain *callchain, const struct pt_regs *regs,
			 bool compat)
{
	u64 at = compat ? regs->regs[COMPAT_FP] : regs->regs[29];
	u64 low = compat ? regs->compat_sp : regs->sp;
	unsigned int before = callchain->n;
	struct record record;

	/* A register that is 0 says that there is no caller. */
	while (at) {
		if (!get_record(callchain, &record, at, low, compat))
			goto broken;
		if (!record.ret)
			return;
		record.ret = unsigned_of(record.ret);
		if (!compat && !looks_like_return(callchain, record.ret))
			goto broken;
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			return;
		}
		sp_callchain_push(callchain, record.ret, 0);
		low = at + (compat ? 4 : sizeof(record));
		at = record.fp;
	}
	return;
broken:
	/* Outermost callers in the C library have none; that is no news. */
	if (callchain->n == before)
		callchain->flags |= SP_STACK_NO_FP;
}

/**
 * sp_unwind_user() - the user stack
 * @callchain: filled, innermost frame first
 * @regs: the registers with which the task left user mode
 */
void sp_unwind_user(struct sp_callchain *callchain, const struct pt_regs *regs)
{
	bool compat = compat_user_mode(regs);
	u64 link = unsigned_of(regs->regs[30]);

	sp_callchain_begin_user(callchain);
	if (compat)
		callchain->flags |= SP_STACK_COMPAT;
	sp_callchain_push(callchain, regs->pc, 0);
	callchain->fp = link;
	pagefault_disable();
	/* 1: found in the register, not in a record. */
	if (!compat && call_leads_to(callchain, link, regs->pc))
		sp_callchain_push(callchain, link, 1);
	walk_records(callchain, regs, compat);
	pagefault_enable();
}

/**
 * sp_unwind_user_same() - does the task's user stack still stand?
 * @stack: a stored user stack
 * @regs: the registers with which the task left user mode
 * @passed: of no use here, where no words are passed over and there are no tables
 *
 * A chain that broke off in the middle, and a stack that was only seen by walks that met what
 * was not in memory, are walked anew each time.
 */
bool sp_unwind_user_same(const struct sp_stack *stack, const struct pt_regs *regs,
			 struct sp_passed *passed)
{
	u64 at = regs->regs[29], low = regs->sp;
	struct record record;
	bool same = false;
	unsigned int i = 1;

	if ((stack->flags & SP_STACK_KEY & ~SP_STACK_CUT) != SP_STACK_USER ||
	    !READ_ONCE(stack->seen) || compat_user_mode(regs) ||
	    regs->pc != sp_frame_user(stack->frame[0]))
		return false;
	if (i < stack->n && sp_frame_where(stack->frame[i])) {
		if (unsigned_of(regs->regs[30]) != sp_frame_user(stack->frame[i]))
			return false;
		i++;
	} else if (unsigned_of(regs->regs[30]) != (u64)stack->fp &&
		   sp_may_be_code(unsigned_of(regs->regs[30]))) {
		/* There was no caller without a frame then. */
		return false;
	}
	pagefault_disable();
	for (; i < stack->n; i++) {
		if (!get_record(NULL, &record, at, low, false) ||
		    unsigned_of(record.ret) != sp_frame_user(stack->frame[i]))
			goto out;
		low = at + sizeof(record);
		at = record.fp;
	}
	/* The chain must end here as it did then; or go on, where that was cut. */
	same = !at || !get_record(NULL, &record, at, low, false) || !record.ret;
	if (stack->flags & SP_STACK_CUT)
		same = !same && looks_like_return(NULL, unsigned_of(record.ret));
out:
	pagefault_enable();
	return same;
}

/**
 * sp_user_is_loaded() - is the memory of current's program the one that is loaded?
 *
 * Functions that the scheduler calls between the switch of address spaces and the switch of
 * tasks run as the one task with the memory of the other; so does whatever interrupts them.
 *
 * Context: any, not preemptible.
 * Return: false also of a task without memory of its own.
 */
bool sp_user_is_loaded(void)
{
	const struct mm_struct *mm = current->mm;

	/* Where software keeps it away, each access loads what the thread has. */
	if (!mm || system_uses_ttbr0_pan())
		return mm;
	/* Above that is an address space's number, and bit 0 says whether it is a common table. */
	return !((read_sysreg(ttbr0_el1) ^ phys_to_ttbr(virt_to_phys(mm->pgd))) &
		 GENMASK_ULL(47, 1));
}

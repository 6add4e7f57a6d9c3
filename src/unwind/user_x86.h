/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How user memory is read, and what may be code, for walks by frame pointers and by tables.
 * Context as in unwind/user_x86.c.
 */
#ifndef SP_UNWIND_USER_X86_H
#define SP_UNWIND_USER_X86_H

#include <linux/mm.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct pt_regs;
struct sp_callchain;
struct sp_passed;
struct sp_stack;

/*
 * Room for the two words of a frame below the end of user space, as it is with
 * four levels of page tables: nobody gets memory above without asking for it.
 */
#define SP_USER_END	((1UL << 47) - PAGE_SIZE - 4 * sizeof(u64))

static __always_inline bool sp_user_address(unsigned long address)
{
	return address - PAGE_SIZE < SP_USER_END - PAGE_SIZE;
}

/*
 * Where to load from, which was checked to be in user space. The processor may load
 * before it knows the outcome of the check, and the next load depends on this one; so
 * without the bits of kernel addresses (Spectre v1). One instruction, where a barrier
 * for each load would cost more than all the rest.
 */
static __always_inline u64 __user *sp_user_pointer(unsigned long address)
{
	/* The compiler knows the check as well, and would leave the mask out. */
	OPTIMIZER_HIDE_VAR(address);
	return (u64 __user *)(address & (BIT(47) - 1));
}

/**
 * sp_user_word() - a word of user memory
 * @to: filled
 * @from: its address, which may be any
 *
 * Context: page faults disabled.
 * Return: is it in memory?
 */
static __always_inline bool sp_user_word(unsigned long *to, unsigned long from)
{
	u64 __user *at = sp_user_pointer(from);

	if (unlikely(!sp_user_address(from)))
		return false;
	__uaccess_begin();
	unsafe_get_user(*to, at, fault);
	__uaccess_end();
	return true;
fault:
	__uaccess_end();
	return false;
}

bool sp_user_is_return(u16 *flags, unsigned long ret);

bool sp_unwind_has_table(const struct pt_regs *regs, bool *sure);
bool sp_unwind_by_tables(struct sp_callchain *callchain, const struct pt_regs *regs);
bool sp_unwind_placed_same(const struct sp_stack *stack, const struct pt_regs *regs,
			   struct sp_passed *passed);

/*
 * Does a task go on behind the instruction of its system call, which left its address in cx?
 * Not so who is to begin with a signal's handler, and nobody where FRED delivers system calls:
 * there the rule of the instruction behind it is taken.
 */
static inline bool sp_user_behind_call(const struct pt_regs *regs)
{
	return sp_user_in_call(regs) && regs->cx == regs->ip;
}

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_x86: the user stack of the task whose address space is loaded,
 * by frame pointers and without ever faulting.
 *
 * The C library's system call wrappers have no frame, so the chain of frame
 * pointers alone loses their caller, the most interesting frame of all. Its
 * return address lies between the stack pointer and the frame pointer. A word
 * there is taken for it only if the code says so: it follows a call
 * instruction, and that call, directly or through the procedure linkage
 * table, leads to the function that the frame inside it is in.
 *
 * Context: hooks (interrupts off, page faults disabled: what is not mapped
 * ends the walk) and a worker that has the address space in use. The hooks run
 * where the loaded page tables are those of current: before the switch of
 * address spaces for the task that leaves, behind it for the one that comes. Those of functions
 * may be anywhere, and ask: sp_user_is_loaded().
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <asm/segment.h>

#include "unwind/unwind.h"
#include "unwind/spaces.h"
#include "unwind/tables.h"
#include "unwind/user_x86.h"

/* How far above the stack pointer wrappers without a frame are looked for. */
#define WRAPPER_WORDS	32
/* So many of them are asked that lead to no memory, and in vain of so many stacks in a hook. */
#define MAX_ABSENT	4
#define MAX_VAIN	2

DEFINE_PER_CPU(unsigned int, sp_unwind_vain);
static inline bool is_compat(const struct pt_regs *regs)
{
	return regs->cs == __USER32_CS;
}

/* Aligned, and so that the word behind is in user space, or in the hole above it. */
#define FRAME_MASK	(BIT(47) - sizeof(u64))

/* No function is longer than this, for all we know. */
#define FUNCTION_BYTES	65536

/* So many words, none of them above the end of user space. */
static bool get_words(u16 *flags, u64 *to, unsigned long from,
		      unsigned int n)
{
	u64 __user *at = sp_user_pointer(from);
	unsigned int i;

	if (!sp_user_address(from) ||
	    !user_access_begin((void __user *)PAGE_SIZE, SP_USER_END - PAGE_SIZE))
		return false;
	for (i = 0; i < n; i++)
		unsafe_get_user(to[i], at + i, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	if (sp_may_be_code(from))
		*flags |= SP_STACK_ABSENT;
	return false;
}

/* Eight bytes of code. */
static bool get_code(u16 *flags, u8 *code, unsigned long from)
{
	u64 word;

	if (!get_words(flags, &word, from, 1))
		return false;
	memcpy(code, &word, sizeof(word));
	return true;
}

static bool get_word(u16 *flags, unsigned long *to, unsigned long from,
		     bool compat)
{
	u64 word;

	*to = 0;
	/* That of a 32-bit program lies in one of these. */
	if (!get_words(flags, &word, compat ? from & ~7UL : from, 1))
		return false;
	*to = compat ? (u32)(word >> (from & 4) * 8) : word;
	return true;
}

/* An address in a table of them, to which code leads: if it is not in memory, it may be later. */
static bool get_slot(u16 *flags, unsigned long *target, unsigned long at)
{
	if (get_word(flags, target, at, false))
		return true;
	if (sp_user_address(at))
		*flags |= SP_STACK_ABSENT;
	return false;
}

/* A jump through a table of addresses, as the linker's stubs are. */
static unsigned long stub_target(u16 *flags, unsigned long at)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	unsigned long target;
	u8 code[11];
	s32 offset;
	u8 *p = code;

	if (!get_code(flags, code, at) || !get_code(flags, code + 3, at + 3)) {
		*flags |= SP_STACK_ABSENT;
		return 0;
	}
	if (!memcmp(p, endbr64, sizeof(endbr64)))
		p += sizeof(endbr64);
	if (*p == 0xf2)			/* bnd */
		p++;
	if (p[0] != 0xff || p[1] != 0x25)
		return 0;
	memcpy(&offset, p + 2, sizeof(offset));
	at += p - code + 6;
	return get_slot(flags, &target, at + offset) ? target : 0;
}

static bool within_function(unsigned long function, unsigned long address)
{
	return address - function < FUNCTION_BYTES;
}

/*
 * Does the call before this return address lead to the code at inner? What does not look like an
 * address of code is not asked: most of that leads to no memory, which takes long, and is no caller
 * of a wrapper, as those are of the program or its libraries.
 */
static bool call_leads_to(u16 *flags, unsigned long ret,
			  unsigned long inner)
{
	unsigned long target;
	u8 code[8];
	s32 offset;

	if (!sp_user_address(ret) || !sp_may_be_code(ret) ||
	    !get_code(flags, code, ret - sizeof(code)))
		return false;
	memcpy(&offset, code + 4, sizeof(offset));
	if (code[3] == 0xe8) {
		/* Stubs lie close to the code of small programs, but lead elsewhere. */
		target = stub_target(flags, ret + offset) ?: ret + offset;
		return within_function(target, inner);
	}
	if (code[2] == 0xff && code[3] == 0x15)	/* call *offset(%rip) */
		return get_slot(flags, &target, ret + offset) &&
		       within_function(target, inner);
	return false;
}

/* Seven bytes of code: do they end in a call? */
static __always_inline bool is_call(const u8 *code)
{
	if (likely(code[2] == 0xe8))
		return true;
	/* call *r/m: opcode ff, second nibble of the next byte is /2. */
	return (code[5] == 0xff && (code[6] & 0x38) == 0x10) ||
	       (code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
	       (code[3] == 0xff && (code[4] & 0x38) == 0x10) ||
	       (code[1] == 0xff && (code[2] & 0x38) == 0x10) ||
	       (code[0] == 0xff && (code[1] & 0x38) == 0x10);
}

/**
 * sp_user_is_return() - is there any call instruction before, or is it the return of a signal?
 * @flags: of the walk: gets SP_STACK_ABSENT if that is not in memory
 * @ret: where the return would go, perhaps
 */
bool sp_user_is_return(u16 *flags, unsigned long ret)
{
	static const u8 sigreturn[] = {
		0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05
	};
	u8 code[8], here[sizeof(sigreturn)];

	if (!sp_user_address(ret))
		return false;
	/* The task made the call, so the code is in memory, or just was. */
	if (!get_code(flags, code, ret - sizeof(code)))
		return false;
	if (is_call(code + 1))
		return true;
	return get_code(flags, here, ret) && get_code(flags, here + 1, ret + 1) &&
	       !memcmp(here, sigreturn, sizeof(here));
}

/*
 * Words from the stack pointer up to the frame that the register points to; from a walk
 * that is compared: fp is relative to the stack pointer.
 */
static __always_inline unsigned int words_below_frame(s64 fp)
{
	u64 words = (u64)fp / sizeof(u64);

	return words < WRAPPER_WORDS ? words : WRAPPER_WORDS;
}

/*
 * The words that were asked whether they lead to a caller, the last one first: if they are the
 * same, they lead where they led. For each of them its bits all count, and its place.
 */
static __always_inline u64 ask_word(u64 asked, u64 word)
{
	return rol64(asked, 7) + word;
}

static __always_inline u32 asked_in_short(u64 asked)
{
	return asked ^ asked >> 32;
}

/*
 * Callers of functions without a frame, inside out; 64-bit code only. A program can have all of
 * the words lead to where no memory is, and each takes as long as some hundred instructions: so
 * no more of these are asked, and the walk has not seen all.
 */
static void unwind_wrappers(struct sp_callchain *callchain, const struct pt_regs *regs,
			    unsigned int n)
{
	/* They are looked at where no frame comes to lie before they all were. */
	u64 *words = callchain->frame + SP_MAX_DEPTH - WRAPPER_WORDS;
	unsigned int i, absent = 0;
	unsigned long inner = regs->ip;
	u64 asked = 0;
	u16 flags;

	BUILD_BUG_ON(1 + 2 * WRAPPER_WORDS > SP_MAX_DEPTH);

	while (n && !get_words(&callchain->flags, words, regs->sp, n))
		n /= 2;		/* the stack may end before */
	for (i = n; i; i--)
		asked = ask_word(asked, words[i - 1]);
	for (i = 0; i < n; i++) {
		flags = 0;
		if (absent < MAX_ABSENT && call_leads_to(&flags, words[i], inner)) {
			inner = words[i];
			sp_callchain_push(callchain, inner, i + 1);
		}
		absent += !!(flags & SP_STACK_ABSENT);
		callchain->flags |= flags;
	}
	/* With one that is not in memory not all were asked what they lead to: ask again. */
	callchain->span = asked_in_short(asked) ^
			  (callchain->flags & SP_STACK_ABSENT ? U32_MAX : 0);
}

/* The rest of a chain of frames. */
struct chain {
	unsigned long fp;	/* the next frame */
	unsigned long low;	/* which cannot lie below */
};

/*
 * Goes up plain frames of 64-bit code with user access switched on once: three loads
 * each. Where anything is odd, or not in memory, it leaves the rest of the chain.
 */
static void unwind_plain_frames(struct sp_callchain *callchain, struct chain *chain)
{
	/* No index: a check of it would be a call with user access switched on. */
	u64 *frame = callchain->frame + callchain->n, *end = callchain->frame + SP_MAX_DEPTH;
	u64 next, ret, code;
	u64 __user *at;

	if (!user_access_begin((void __user *)PAGE_SIZE, SP_USER_END - PAGE_SIZE))
		return;
	while (frame < end && chain->fp >= chain->low &&
	       !(chain->fp & 7) && sp_user_address(chain->fp)) {
		at = sp_user_pointer(chain->fp);
		unsafe_get_user(next, at, out);
		unsafe_get_user(ret, at + 1, out);
		if (!sp_user_address(ret - sizeof(code)))
			break;
		unsafe_get_user(code, sp_user_pointer(ret - sizeof(code)), out);
		if (!is_call((u8 *)&code + 1))
			break;
		*frame++ = sp_frame(ret, 0);
		chain->low = chain->fp + 2 * sizeof(u64);
		chain->fp = next;
	}
out:
	user_access_end();
	callchain->n = frame - callchain->frame;
}

/* False if the register holds something else than the address of a frame. */
static bool unwind_frames(struct sp_callchain *callchain, const struct pt_regs *regs,
			  bool compat)
{
	unsigned int size = compat ? sizeof(u32) : sizeof(u64);
	struct chain chain = { regs->bp, regs->sp };
	unsigned int before = callchain->n;
	unsigned long ret, next;

	/* A register that is 0 says that there is no caller. */
	if (!chain.fp)
		return true;
	if (!compat)
		unwind_plain_frames(callchain, &chain);
	/* Outermost callers in the C library have none; that is no news. */
	while (chain.fp >= chain.low && !(chain.fp & (size - 1)) &&
	       get_word(&callchain->flags, &next, chain.fp, compat) &&
	       get_word(&callchain->flags, &ret, chain.fp + size, compat) &&
	       sp_user_is_return(&callchain->flags, ret)) {
		if (callchain->n == SP_MAX_DEPTH) {
			callchain->flags |= SP_STACK_CUT;
			break;
		}
		sp_callchain_push(callchain, ret, 0);
		chain.low = chain.fp + 2 * size;
		chain.fp = next;
	}
	return callchain->n > before;
}

/* By frame pointers, and what may be told without. */
static void unwind_by_frames(struct sp_callchain *callchain, const struct pt_regs *regs)
{
	bool compat = is_compat(regs);
	/* Elsewhere than in system calls, the code is the program's own. */
	bool wrapped = !compat && sp_user_in_call(regs);

	sp_callchain_begin_user(callchain);
	/* Which words are looked at for callers without a frame. */
	callchain->fp = regs->bp - regs->sp;
	if (compat)
		callchain->flags |= SP_STACK_COMPAT;
	sp_callchain_push(callchain, regs->ip, 0);
	/* What lies above the frame pointer belongs to callers with frames... */
	if (wrapped)
		unwind_wrappers(callchain, regs, words_below_frame(callchain->fp));
	if (!unwind_frames(callchain, regs, compat)) {
		callchain->flags |= SP_STACK_NO_FP;
		/* ... unless it is a register like any other. */
		callchain->n = 1;
		if (wrapped)
			unwind_wrappers(callchain, regs, WRAPPER_WORDS);
	}
}

/**
 * sp_unwind_user() - the user stack
 * @callchain: filled, innermost frame first
 * @regs: the registers with which the task left user mode
 */
void sp_unwind_user(struct sp_callchain *callchain, const struct pt_regs *regs)
{
	bool by_tables = READ_ONCE(sp_unwind_tables) && !is_compat(regs);

	pagefault_disable();
	if (!by_tables || !sp_unwind_by_tables(callchain, regs)) {
		unwind_by_frames(callchain, regs);
		if (by_tables && !(callchain->flags & SP_STACK_CUT))
			callchain->flags |= sp_stack_ended(SP_STACK_END_TABLE);
	}
	pagefault_enable();
	if (sp_user_in_call(regs))
		callchain->flags |= SP_STACK_CHECKABLE;
}

/*
 * Callers of functions without a frame lie where they lay. A word beside them that is another
 * one now may lead to the same function, as what another call left behind does: then
 * the walk takes that.
 */
static noinline bool finds_wrappers_there(const struct sp_stack *stack,
					  const struct pt_regs *regs)
{
	unsigned int i, words = words_below_frame(stack->fp);
	const u64 *frame = stack->frame, *end = frame + stack->n;
	u16 flags = 0;
	u64 word;

	for (i = 0; i < words; i++) {
		if (frame + 1 < end && sp_frame_where(frame[1]) == i + 1)
			frame++;
		else if (!get_words(&flags, &word, regs->sp + i * sizeof(word), 1) ||
			 call_leads_to(&flags, word, sp_frame_user(*frame)) ||
			 flags & SP_STACK_ABSENT)
			return false;
	}
	return true;
}

/*
 * Threads that stand on the same stack have words of their own, which mostly stay what
 * they are: those that were found to lead nowhere last are remembered.
 */
static noinline bool leads_nowhere(const struct sp_stack *stack, const struct pt_regs *regs,
				   u32 asked, struct sp_passed *passed)
{
	u32 these = hash_64(asked ^ (unsigned long)stack, 32);

	if (these == passed->words)
		return true;
	/* A program can make that true of all stacks around the one it stands on. */
	if (__this_cpu_read(sp_unwind_vain) >= MAX_VAIN)
		return false;
	if (!finds_wrappers_there(stack, regs)) {
		__this_cpu_inc(sp_unwind_vain);
		return false;
	}
	WRITE_ONCE(passed->words, these);
	return true;
}

/* The chain has another word that may be a caller: would a walk take it for one? */
static noinline bool would_go_on(unsigned long ret)
{
	u16 flags = 0;

	return sp_user_is_return(&flags, ret);
}

/* Is there a table for the code now, by which a walk would go? What had none last is remembered. */
static noinline bool has_table_now(const struct pt_regs *regs, struct sp_passed *passed)
{
	u32 question = sp_unwind_question(regs->ip - sp_user_behind_call(regs));
	bool sure = true;

	if (question == passed->tableless)
		return false;
	if (sp_unwind_has_table(regs, &sure))
		return true;
	if (sure)
		WRITE_ONCE(passed->tableless, question);
	return false;
}

/* Would a walk go by frame pointers now, and say of its end what is said of @stack? */
static noinline bool walked_by_frames_now(const struct sp_stack *stack,
					  const struct pt_regs *regs, struct sp_passed *passed)
{
	bool by_tables = READ_ONCE(sp_unwind_tables);
	u16 ended = stack->flags & SP_STACK_CUT ?:
		    sp_stack_ended(by_tables ? SP_STACK_END_TABLE : SP_STACK_END_NOT);

	return (stack->flags & SP_STACK_KEY) == (SP_STACK_USER | ended) &&
	       !(by_tables && has_table_now(regs, passed));
}

/*
 * One frame of the loop below: is @next above the one @before, by whole words of user space? If
 * not, odd and down tell. Then @next is masked, and @before becomes the one that is next now.
 */
#define STEP_UP(next, before, frame)						\
	do {									\
		odd |= (next);							\
		down |= (next) - 2 * sizeof(u64) - (before);			\
		(next) &= FRAME_MASK;						\
		at = (u64 __user *)(next);					\
		unsafe_get_user(before, at, fault);				\
		unsafe_get_user(word, at + 1, fault);				\
		if (word != (frame))						\
			goto fault;						\
	} while (0)

/*
 * The loops of sp_unwind_user_same() with user access switched on once, and without its
 * barrier: no address is used that is not masked. Per frame of the chain two loads; and that
 * it goes up, in user space, by whole words, is known at the end. What lies above, nobody
 * gets memory for, so the first load of a frame faults there, and the second is not tried.
 * Whatever is odd goes the slow way.
 */
static __always_inline bool frames_stand(const struct sp_stack *stack,
					 const struct pt_regs *regs, struct sp_passed *passed)
{
	const u64 *frame = stack->frame + 1, *end = stack->frame + stack->n;
	unsigned long fp = regs->bp, other = regs->sp - 2 * sizeof(u64);
	unsigned long next, low, odd = 0, down = 0;
	u64 word, asked = 0;
	u64 __user *at;
	unsigned int where;
	unsigned long i;

	__uaccess_begin();
	/* Callers of functions without a frame come first. */
	for (; frame < end && (where = sp_frame_where(*frame)); frame++) {
		unsafe_get_user(word, sp_user_pointer(regs->sp) + where - 1, fault);
		if (word != sp_frame_user(*frame))
			goto fault;
	}
	if (sp_user_in_call(regs)) {
		at = sp_user_pointer(regs->sp);
		i = words_below_frame(stack->fp);
		/* Also where the processor guessed wrong which is less. */
		OPTIMIZER_HIDE_VAR(i);
		i &= 2 * WRAPPER_WORDS - 1;
		for (; i; i--) {
			/* One number leads there and counts, whatever the compiler would have. */
			OPTIMIZER_HIDE_VAR(i);
			unsafe_get_user(word, at + i - 1, fault);
			asked = ask_word(asked, word);
		}
	}
	/* Two frames a round: the one before and the next change places. */
	for (; frame < end - 1; frame += 2) {
		STEP_UP(fp, other, frame[0]);
		STEP_UP(other, fp, frame[1]);
	}
	if (frame < end) {
		STEP_UP(fp, other, frame[0]);
		next = other;
		low = fp + 2 * sizeof(u64);
	} else {
		next = fp;
		low = other + 2 * sizeof(u64);
	}
	if ((odd | down) & ~FRAME_MASK)
		goto fault;
	/* The chain must end here as it did then; or go on, where that was cut. */
	word = 0;
	if (next >= low && !(next & 7) && next < SP_USER_END)
		unsafe_get_user(word, sp_user_pointer(next) + 1, fault);
	if (!word != !(stack->flags & SP_STACK_CUT))
		goto fault;
	__uaccess_end();
	if (unlikely(word) && !would_go_on(word))
		return false;
	return likely(!sp_user_in_call(regs) || asked_in_short(asked) == stack->span) ||
	       leads_nowhere(stack, regs, asked_in_short(asked), passed);
fault:
	__uaccess_end();
	return false;
}

/**
 * sp_unwind_user_same() - does the task's user stack still stand?
 * @stack: a stored user stack
 * @regs: the registers with which the task left user mode
 * @passed: what the task remembers
 *
 * A chain that broke off in the middle, and a stack that was only seen by walks that met what
 * was not in memory, are walked anew each time.
 */
noinline bool sp_unwind_user_same(const struct sp_stack *stack, const struct pt_regs *regs,
				  struct sp_passed *passed)
{
	bool same;

	/* A program may be interrupted right behind the system call it came from. */
	if (regs->ip != stack->frame[0] || is_compat(regs) ||
	    !(READ_ONCE(stack->seen) & (sp_user_in_call(regs) ? SP_SEEN_CALL : SP_SEEN_OTHER)))
		return false;
	if (stack->flags & SP_STACK_PLACED) {
		pagefault_disable();
		same = sp_unwind_placed_same(stack, regs, passed);
		pagefault_enable();
		return same;
	}
	if ((s64)(regs->bp - regs->sp) != stack->fp ||
	    regs->sp - PAGE_SIZE >= SP_USER_END - PAGE_SIZE - WRAPPER_WORDS * 8)
		return false;
	/* Mostly there are no tables, and all of the stack was kept. */
	if (unlikely(READ_ONCE(sp_unwind_tables) ||
		     (stack->flags & SP_STACK_KEY) != SP_STACK_USER) &&
	    !walked_by_frames_now(stack, regs, passed))
		return false;
	pagefault_disable();
	same = frames_stand(stack, regs, passed);
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

	/*
	 * As the kernel itself asks before it copies from user memory in an NMI. A register is
	 * read, or, on Xen, this CPU's copy of it.
	 */
	return mm && mm->pgd == __va(read_cr3_pa());
}

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_STACK_TABLE_H
#define SP_LIB_STACK_TABLE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "lib/limits.h"
#include "lib/pool.h"

/*
 * A frame is one word: the return address in the low 48 bits, and in the high
 * 16 where the walk found it, in units of a word, so that the next event can
 * look whether it is still there. Code never lies outside 48 bits: kernel
 * addresses are sign-extended, user code is below 2^47 on x86-64, 2^48 on arm64.
 */
#define SP_FRAME_BITS	48
#define SP_FRAME_MASK	((1ULL << SP_FRAME_BITS) - 1)

static inline u64 sp_frame(unsigned long address, unsigned int where)
{
	return (address & SP_FRAME_MASK) | (u64)where << SP_FRAME_BITS;
}

static inline unsigned int sp_frame_where(u64 frame)
{
	return frame >> SP_FRAME_BITS;
}

static inline unsigned long sp_frame_kernel(u64 frame)
{
	return (unsigned long)((s64)(frame << 16) >> 16);
}

/*
 * In a user frame: it was found by a frame pointer, where no table said where it is. Where there
 * are no tables, that bit is one of the address.
 */
#ifdef CONFIG_X86_64
#define SP_FRAME_GUESSED	BIT_ULL(47)
#else
#define SP_FRAME_GUESSED	0ULL
#endif

static inline unsigned long sp_frame_user(u64 frame)
{
	return frame & SP_FRAME_MASK & ~SP_FRAME_GUESSED;
}

enum sp_stack_flags {
	SP_STACK_USER		= 1 << 0,	/* else a kernel stack */
	SP_STACK_CUT		= 1 << 1,	/* deeper than what was kept */
	SP_STACK_NO_FP		= 1 << 2,	/* user: no frame pointers */
	SP_STACK_COMPAT		= 1 << 3,	/* user: a 32-bit task */
	SP_STACK_MOVED		= 1 << 4,	/* the task ran while it was looked at */
	SP_STACK_UNSEEN		= 1 << 5,	/* user: the task left unobserved */
	SP_STACK_RUNNING	= 1 << 6,	/* the task is on a CPU */
	SP_STACK_EXITED		= 1 << 7,	/* the task ended there */
	SP_STACK_WAKER		= 1 << 8,	/* of whoever woke the task */
	SP_STACK_IRQ		= 1 << 9,	/* waker: a hard interrupt */
	SP_STACK_SOFTIRQ	= 1 << 10,	/* waker: a softirq */
	/* The same in a kernel stack, in mode wall, where the task was there... */
	SP_STACK_ON_CPU		= SP_STACK_IRQ,	/* ... on a CPU, */
	SP_STACK_QUEUED		= SP_STACK_SOFTIRQ,	/* ... or waited for one; */
	/* both: interrupts had its time there; and in a waker: who ran while the task waited. */
	SP_STACK_INTERRUPTS	= SP_STACK_ON_CPU | SP_STACK_QUEUED,
	SP_STACK_CULPRIT	= SP_STACK_RUNNING,
	SP_STACK_IRQS_OFF	= 1 << 11,	/* interrupts were off until there */
	SP_STACK_CALLS		= 1 << 12,	/* entries of instrumented functions */
	/* The flags above tell stacks apart; these only describe the walk. */
	SP_STACK_ABSENT		= 1 << 13,	/* user: it met what was not in memory */
	SP_STACK_CHECKABLE	= 1 << 14,	/* sp_frame_where() is valid; of a user: the
						 * walk was in a system call
						 */
	SP_STACK_TOP		= 1 << 15,	/* outermost frame is under pt_regs, wherever
						 * the others are
						 */
	SP_STACK_KEY		= (1 << 13) - 1,
	/* In a user stack, which none of these is of, three of the bits tell its end... */
	SP_STACK_END		= SP_STACK_IRQ | SP_STACK_SOFTIRQ | SP_STACK_IRQS_OFF,
	/* ... and one that it was found by tables: sp_frame_where() is valid, and links follow. */
	SP_STACK_PLACED		= SP_STACK_TOP,
};

/* Why a user stack ends where it does. */
enum sp_stack_end {
	SP_STACK_END_NOT,		/* not said: no table was asked, or there was no room */
	SP_STACK_END_COMPLETE,		/* nobody called the outermost function */
	SP_STACK_END_TABLE,		/* there is no table for the outermost frame */
	SP_STACK_END_RULE,		/* there is one, but no rule in it that leads up */
	SP_STACK_END_MEMORY,		/* the caller's address was not in memory */
	SP_STACK_END_GUESSED,		/* complete, but some frames are SP_FRAME_GUESSED */
	SP_STACK_ENDS,
	SP_STACK_END_CUT = SP_STACK_ENDS,	/* of a walk; of a stack SP_STACK_CUT says it */
};

/* As flags. */
static inline u16 sp_stack_ended(enum sp_stack_end end)
{
	return end * SP_STACK_IRQ;
}

/* Of the flags of a user stack. */
static inline enum sp_stack_end sp_stack_end(u16 flags)
{
	return (flags & SP_STACK_END) / SP_STACK_IRQ;
}

/* What is known of a walk whose outermost frames are left out. */
static inline u16 sp_stack_cut_short(u16 flags)
{
	return (flags | SP_STACK_CUT) &
	       ~(flags & SP_STACK_USER ? SP_STACK_END : SP_STACK_TOP);
}

/* Frames, and links behind them, of a walk or a stack. */
static inline u32 sp_stack_links(u16 flags, u32 span)
{
	return (flags & (SP_STACK_USER | SP_STACK_PLACED)) ==
	       (SP_STACK_USER | SP_STACK_PLACED) ? span : 0;
}

/*
 * Which walks found all of a user stack, where the stored one has it, since the tables that
 * they went by are what they are: those in system calls, and others?
 */
enum sp_stack_seen {
	SP_SEEN_CALL		= 1 << 0,
	SP_SEEN_OTHER		= 1 << 1,
};

/* Number of a stack in its table; 0 is no stack. */
#define SP_STACK_NONE	0
#define SP_STACK_LOST	U32_MAX

/* Nothing on the way up depends on the frame pointer. */
#define SP_STACK_ANY_FP	S64_MIN

/*
 * Who woke a task: in which program, and where in that. Where user stacks are not wanted, and
 * of what has none, there is nothing but a name.
 */
struct sp_waker {
	char comm[TASK_COMM_LEN];
	u64 start_time;		/* ns, mono: of its process */
	pid_t tgid;		/* as the initial PID namespace sees it */
	u32 exec_id;
	u32 user;		/* stack in the same table; SP_STACK_NONE: there is none */
	u32 reserved;		/* 0: all bytes are compared */
};

/* Of it, what is not all 0 anyway. */
static inline size_t sp_waker_bytes(const struct sp_waker *waker)
{
	return waker->user == SP_STACK_NONE ? TASK_COMM_LEN : sizeof(*waker);
}

/* What a walk found, innermost frame first. Per CPU or on the heap. */
struct sp_callchain {
	u16 n;
	u16 flags;
	u32 span;		/* bytes above the stack pointer that hold it; of a user:
				 * of the words that the walk passed over, or how many links
				 */
	s64 fp;			/* frame pointer, relative to the stack pointer,
				 * or SP_STACK_ANY_FP
				 */
	struct sp_waker waker;	/* with SP_STACK_WAKER */
	u64 frame[SP_MAX_DEPTH];
	/*
	 * With SP_STACK_PLACED: words beside return addresses that the walk depends on, and
	 * where they lie, as in frames.
	 */
	u64 link[SP_MAX_DEPTH];
};

/*
 * A stored stack: immutable once published. With SP_STACK_WAKER, who that is follows its frames,
 * with SP_STACK_PLACED its links.
 */
struct sp_stack {
	struct hlist_node node;	/* RCU; insertion under the lock of its part */
	u32 hash;
	u32 number;		/* in its table, from 1 on */
	u8 n;
	u8 seen;		/* enum sp_stack_seen; READ_ONCE */
	u16 flags;
	u32 span;
	s64 fp;
	u64 frame[];
};

/*
 * What a task remembers of what was asked last of a user stack whose frames stand, where the
 * answer changed nothing; 0: there is none.
 */
struct sp_passed {
	u32 words;		/* that lead to no caller, or guessed frames without a table */
	u32 tableless;		/* where it began: an instruction that no table has */
};

/* A table has room for as many stacks as it may hold, of so many frames each. */
#define SP_STACK_MEAN_DEPTH	24

/*
 * Stacks lie one behind the other, as long as they are, in units of a word. What each
 * look-up reads is apart from what insertions write.
 */
struct sp_stack_table {
	/* Immutable. */
	u32 max;
	u32 stack_depth;
	u32 mask;
	u32 seed;
	u32 words;		/* of the arena */
	struct hlist_head *heads;
	u32 *at;		/* by number, less 1: in which word of the arena */
	u64 *arena;
	struct sp_part *parts;	/* for their locks: insertion; a chain tells its part */

	/* In one word, because there is room for both or none. Only grows. */
	atomic64_t room ____cacheline_aligned_in_smp;	/* stacks, above them words: given out */
	atomic_t cut;		/* stacks with SP_STACK_CUT */
	atomic_t ended[SP_STACK_ENDS];	/* user stacks, by enum sp_stack_end */
} ____cacheline_aligned_in_smp;

/* Stacks that have a number. Each can be asked for by those that were told of it, and no other. */
static inline u32 sp_stack_table_count(const struct sp_stack_table *table)
{
	return atomic64_read(&table->room);
}

/* Words of the arena that they lie in. */
static inline u32 sp_stack_table_words(const struct sp_stack_table *table)
{
	return (u64)atomic64_read(&table->room) >> 32;
}

/* Is there room for as much again as there is, both stacks and words? */
static inline bool sp_stack_table_half_empty(const struct sp_stack_table *table)
{
	u64 given = atomic64_read(&table->room);

	return (u32)given < table->max / 2 && given >> 32 < table->words / 2;
}

u64 sp_stack_table_bytes(u32 max, u32 stack_depth);
int sp_stack_table_init(struct sp_stack_table *table, u32 max, u32 stack_depth);
void sp_stack_table_destroy(struct sp_stack_table *table);
u32 sp_stack_table_put(struct sp_stack_table *table, const struct sp_callchain *callchain);
u32 sp_stack_table_find(const struct sp_stack_table *table,
			const struct sp_callchain *callchain);
void sp_stack_table_walk_anew(struct sp_stack_table *table, u64 from, u64 last);

/**
 * sp_stack_table_number() - the number of a stack
 * @table: the table
 * @stack: any stack
 *
 * Return: its number, or SP_STACK_NONE if the table does not hold it.
 */
static inline u32 sp_stack_table_number(const struct sp_stack_table *table,
					const struct sp_stack *stack)
{
	const u64 *at = (const void *)stack;

	return at >= table->arena && at < table->arena + table->words ? stack->number :
									SP_STACK_NONE;
}

/**
 * sp_stack_table_get() - a stored stack by its number
 * @table: the table
 * @id: a number that sp_stack_table_put() returned, neither NONE nor LOST
 */
static inline const struct sp_stack *
sp_stack_table_get(const struct sp_stack_table *table, u32 id)
{
	return (const void *)(table->arena + table->at[id - 1]);
}

/* The stack of a number that may be none; NULL: there is no such stack. */
static inline const struct sp_stack *
sp_stack_table_known(const struct sp_stack_table *table, u32 id)
{
	return id == SP_STACK_NONE || id == SP_STACK_LOST ? NULL :
	       sp_stack_table_get(table, id);
}

/* Who woke: of a stack with SP_STACK_WAKER. */
static inline const struct sp_waker *sp_stack_waker(const struct sp_stack *stack)
{
	return (const void *)(stack->frame + stack->n);
}

/* Words of a stack. */
static inline u32 sp_stack_words(u32 n, u16 flags, u32 span)
{
	BUILD_BUG_ON(sizeof(struct sp_stack) % sizeof(u64));
	BUILD_BUG_ON(sizeof(struct sp_waker) % sizeof(u64));
	return sizeof(struct sp_stack) / sizeof(u64) + n + sp_stack_links(flags, span) +
	       (flags & SP_STACK_WAKER ? sizeof(struct sp_waker) / sizeof(u64) : 0);
}

#endif

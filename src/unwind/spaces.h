/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where programs have mapped their code, for walks by tables.
 */
#ifndef SP_UNWIND_SPACES_H
#define SP_UNWIND_SPACES_H

#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "unwind/tables.h"

struct seq_buf;
struct task_struct;

/* Code of a file, or code that the program generated and what is between that. */
struct sp_unwind_range {
	u64 start;
	u64 end;
	u64 offset;		/* of start, in the file; or in 4 GB of addresses */
	struct sp_unwind_file *file;	/* reference */
};

/* The code of one address space, as it was when the worker looked. */
struct sp_unwind_space {
	struct hlist_node node;	/* RCU; under the mutex */
	struct sp_unwind_space *gone;	/* next one, of those that are off their chains */
	struct mm_struct *mm;	/* reference to the structure, so nobody else gets it */
	/* Set anew when nothing else has changed: under the mutex, READ_ONCE. */
	unsigned long looked;	/* jiffies */
	/* Pages of code: changes when some is mapped, unless that is writable, too. */
	unsigned long exec_vm;
	/* Immutable. */
	u64 bytes;		/* that it takes, of all room */
	u32 *hash;		/* sp_file_id_hash() of each range's file; 0: it has none */
	u32 ranges;
	struct sp_unwind_range range[];	/* by address; one more, which is empty */
};

/* So long it is believed that what its program has mapped is what was seen, and a second or two. */
#define SP_UNWIND_OLD_JIFFIES	(10 * HZ)

/* Bumped when some space, or what tables there are, is another than it was. READ_ONCE. */
extern u32 sp_unwind_spaces_gen;

/* Walks on this CPU do not ask the worker: sp_unwind_spaces_ask() will. Interrupts are off. */
DECLARE_PER_CPU(bool, sp_unwind_spaces_hold);

const struct sp_unwind_space *sp_unwind_space_of(struct mm_struct *mm);
bool sp_unwind_space_is_old(const struct sp_unwind_space *space);
void sp_unwind_spaces_want(void);
void sp_unwind_spaces_ask(void);
void sp_unwind_spaces_begin(void);
void sp_unwind_spaces_end(void);
void sp_unwind_spaces_tables_changed(void);
void sp_unwind_spaces_know(struct task_struct *task, struct mm_struct *mm);
void sp_unwind_spaces_status(struct seq_buf *s);
int sp_unwind_spaces_init(void);
void sp_unwind_spaces_exit(void);

/**
 * sp_unwind_question() - what is asked of what is known of the running program
 * @what: it is about
 *
 * A task remembers it where the answer was that there is no table, and the program was known
 * for sure as it is now. It is another one when the answer may be: when the program mapped
 * code or is another one, or what is known of any changed, or what tables there are; and
 * after a second or two, so that the worker is asked to look when that is due.
 *
 * Context: hooks.
 * Return: a number, never 0.
 */
static inline u32 sp_unwind_question(u64 what)
{
	const struct mm_struct *mm = current->mm;
	u64 program = mm ? (unsigned long)mm + ((u64)READ_ONCE(mm->exec_vm) << 40) : 0;
	unsigned long now = jiffies;
	u64 when = (u64)READ_ONCE(sp_unwind_spaces_gen) << 32 | (u32)(now >> order_base_2(HZ));

	/* Each product keeps apart what was apart; words that were only combined might be equal. */
	program = program * GOLDEN_RATIO_64 ^ when;
	return hash_64(rol64(program * GOLDEN_RATIO_64, 32) ^ what, 32) ?: 1;
}

/**
 * sp_unwind_range_at() - the range of an address
 * @space: the space
 * @address: of code
 *
 * Context: hooks, in an RCU read side section; at most 11 steps. Beyond the last range,
 * where a processor may look that guesses the end of the search, is an empty one.
 * Return: the range, or NULL: there is no file.
 */
static inline const struct sp_unwind_range *
sp_unwind_range_at(const struct sp_unwind_space *space, u64 address)
{
	u32 low = 0, high = space->ranges, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (space->range[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < space->ranges && space->range[low].start <= address ? &space->range[low] :
									   NULL;
}

#endif

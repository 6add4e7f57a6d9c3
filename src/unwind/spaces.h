/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where programs have mapped their code, for walks by tables.
 */
#ifndef SP_UNWIND_SPACES_H
#define SP_UNWIND_SPACES_H

#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "unwind/tables.h"

struct seq_buf;

/* Code of a file. Code without one is in no range. */
struct sp_unwind_range {
	u64 start;
	u64 end;
	u64 offset;		/* of start, in the file */
	struct sp_unwind_file *file;	/* reference */
};

/* The code of one address space, as it was when the worker looked. Immutable. */
struct sp_unwind_space {
	struct hlist_node node;	/* RCU; under the mutex */
	struct sp_unwind_space *gone;	/* next one, of those that are off their chains */
	struct mm_struct *mm;	/* reference to the structure, so nobody else gets it */
	/* What changes when something is mapped. */
	int map_count;
	unsigned long exec_vm;
	u32 room;		/* ranges that memory was taken for */
	u32 ranges;
	struct sp_unwind_range range[];	/* by address */
};

const struct sp_unwind_space *sp_unwind_space_of(struct mm_struct *mm);
void sp_unwind_spaces_want(pid_t tgid);
void sp_unwind_spaces_want_all(void);
void sp_unwind_spaces_table_came(void);
int sp_unwind_spaces_look(pid_t tgid);
void sp_unwind_spaces_forget(void);
void sp_unwind_spaces_status(struct seq_buf *s);
int sp_unwind_spaces_init(void);
void sp_unwind_spaces_exit(void);

/**
 * sp_unwind_range_at() - the range of an address
 * @space: the space
 * @address: of code
 *
 * Context: hooks, in an RCU read side section; at most 11 steps.
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

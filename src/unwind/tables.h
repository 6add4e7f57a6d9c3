/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind tables, by the build-id of their files or by the process that generated the code,
 * and which of these are known without one. unwind/table_format.h says what is in a table.
 */
#ifndef SP_UNWIND_TABLES_H
#define SP_UNWIND_TABLES_H

#include <linux/list.h>
#include <linux/nospec.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "lib/print.h"
#include "unwind/table_format.h"

struct mm_struct;
struct sp_why;
struct task_struct;

/* The rest of an mm_struct that is kept although its program is gone. */
#define SP_UNWIND_MM_BYTES	8192

/*
 * A table, immutable once published. Rows of the same 2^shift bytes are a bucket, which has
 * four of them on average, so that few steps are left to search.
 */
struct sp_unwind_table {
	u32 bytes;		/* that it takes, of all tables' room */
	u32 rows;
	u32 shift;
	u32 buckets;
	u32 *bucket;		/* rows before each of them; and one more, for the end */
	struct sp_unwind_row *row;
	bool generated;		/* it is of generated code */
	bool of_root;		/* nobody else can have made the file; under the mutex */
	struct sp_unwind_table *gone;	/* next one, of those that are to be freed */
};

/*
 * A file that some program has mapped, or that there is a table of; or 4 GB of addresses
 * where a program has generated code. Hooks reach it from the spaces (unwind/spaces.h),
 * which are gone a grace period before it.
 */
struct sp_unwind_file {
	struct sp_unwind_table __rcu *table;	/* NULL: none; written under the mutex */
	bool met;		/* a walk came here without a table; set by hooks */
	/*
	 * NULL: a file. Else whose code it is: with a table, a reference to the structure;
	 * without one, its space has that. Immutable.
	 */
	struct mm_struct *mm;
	/* Under the mutex. */
	struct sp_unwind_process process;	/* of mm; the window is immutable */
	bool kept;		/* without users, to be told that it was met */
	u32 users;		/* mappings of programs that are known */
	struct list_head link;
	u32 build_id_bytes;	/* 0: a vdso without a table */
	u8 build_id[SP_UNWIND_BUILD_ID_MAX];
	char *path;		/* of the first mapping; NULL: there was none */
};

/* Tables that there are: while there are none, hooks do not ask. READ_ONCE. */
extern u32 sp_unwind_tables;
/* Bumped when one is replaced or removed: what it led to is not to be believed. READ_ONCE. */
extern u32 sp_unwind_tables_gone;

int sp_unwind_table_add(const void *blob, size_t bytes, struct sp_why *why);
int sp_unwind_table_remove(const char *name, struct sp_why *why);
void sp_unwind_process_of(struct task_struct *task, struct sp_unwind_process *process);
bool sp_unwind_tables_reap(void);
void sp_unwind_tables_init(void);
void sp_unwind_tables_exit(void);

struct sp_unwind_file *sp_unwind_file_get(const u8 *build_id, u32 build_id_bytes,
					  const char *path);
struct sp_unwind_file *sp_unwind_generated_get(struct mm_struct *mm,
					       const struct sp_unwind_process *process);
void sp_unwind_file_put(struct sp_unwind_file *file);
void sp_unwind_files_forget(void);
u64 sp_unwind_room(void);
bool sp_unwind_room_take(u64 bytes);
void sp_unwind_room_give(u64 bytes);

void sp_unwind_tables_show(struct seq_buf *s);
void sp_unwind_missing_show(struct seq_buf *s, const char *before, char between, bool moves);
void sp_unwind_tables_status(struct seq_buf *s);

/**
 * sp_unwind_row_of() - the rule for an instruction
 * @table: of its file
 * @offset: of the instruction in it. A program may be anywhere, so what it says is no index
 *	before it was bounded, also where the processor only guesses (Spectre v1)
 *
 * Context: hooks, in an RCU read side section; at most 22 steps.
 * Return: its row, or NULL: it is before the first one.
 */
static inline const struct sp_unwind_row *sp_unwind_row_of(const struct sp_unwind_table *table,
							   u32 offset)
{
	u32 bucket = min_t(u64, (u64)offset >> table->shift, table->buckets - 1);
	u32 low, high, middle;

	bucket = array_index_nospec(bucket, table->buckets);
	low = table->bucket[bucket];
	high = table->bucket[bucket + 1];
	while (low < high) {
		middle = (low + high) / 2;
		if (table->row[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &table->row[low - 1] : NULL;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time of all tasks went, at one moment. Under the recording's reading mutex. */
#ifndef SP_RECORD_LEDGER_SNAPSHOT_H
#define SP_RECORD_LEDGER_SNAPSHOT_H

#include "lib/readers.h"
#include "record/recording.h"

/* What a task waited for a CPU, of which somebody has that share. */
struct sp_blame_row {
	u32 task;			/* of the waiter in the list */
	u64 who;			/* enum sp_culprit, or a serial; then */
	struct sp_who culprit;		/* is filled, or all 0 if nobody knows it */
	u64 total;
	u64 count;			/* shares */
	u64 longest;
};

/*
 * Where the time of every task went; owned by whoever took it, vfree(). Rows of a task are
 * what its books say that it waited.
 */
struct sp_ledger_snapshot {
	size_t bytes;				/* of all of it */
	u32 count;
	struct sp_foreign_rest rest;		/* of what no hook has handed on yet */
	u32 rows;
	struct sp_blame_row *blame;	/* in the same memory, behind the list */
	struct sp_task_ledger {
		struct sp_who who;
		u64 serial;			/* of the task's clock */
		struct sp_ledger ledger;
		struct sp_kernel_books now;	/* unless it has ended */
		bool off_cpu;			/* and now is exact */
		bool lives;			/* and now is filled */
		u32 number;			/* where it was before it was sorted */
	} list[];
};

struct sp_memory;

/**
 * sp_blame_rows_trim() - make rows that were read at several moments no more than a wait
 * @rows: of one task
 * @count: so many
 * @waited: what its books say; gets what was cut off the last rows
 *
 * Return: what the rows lack.
 */
static inline u64 sp_blame_rows_trim(struct sp_blame_row *rows, u32 count, u64 *waited)
{
	u64 sum = 0, lack, cut, part;
	u32 i;

	for (i = 0; i < count; i++) {
		sum += rows[i].total;
		sp_readers_yield();
	}
	lack = *waited - min(sum, *waited);
	cut = sum - min(sum, *waited);
	*waited = cut;
	while (cut && i--) {
		part = min(rows[i].total, cut);
		rows[i].total -= part;
		rows[i].longest = min(rows[i].longest, rows[i].total);
		cut -= part;
		sp_readers_yield();
	}
	return lack;
}

u32 sp_blame_rows_merge(struct sp_blame_row *rows, u32 first, u32 count);
struct sp_ledger_snapshot *sp_ledger_snapshot_take(struct sp_recording *recording,
						   const struct sp_memory *memory);

#endif

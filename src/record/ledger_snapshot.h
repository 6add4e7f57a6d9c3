/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time of all tasks went, at one moment. Under the recording's reading mutex. */
#ifndef SP_RECORD_LEDGER_SNAPSHOT_H
#define SP_RECORD_LEDGER_SNAPSHOT_H

#include "record/recording.h"

/* Where the time of every task went; owned by whoever took it, vfree(). */
struct sp_ledger_snapshot {
	u32 count;
	struct sp_foreign_rest rest;		/* of what no hook has handed on yet */
	struct sp_task_ledger {
		struct sp_who who;
		u64 serial;			/* of the task's clock */
		struct sp_ledger ledger;
		struct sp_kernel_books now;	/* unless it has ended */
		bool off_cpu;			/* and now is exact */
		bool lives;			/* and now is filled */
	} list[];
};

struct sp_memory;

struct sp_ledger_snapshot *sp_ledger_snapshot_take(struct sp_recording *recording,
						   const struct sp_memory *memory);

#endif

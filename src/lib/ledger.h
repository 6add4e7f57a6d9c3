/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_LEDGER_H
#define SP_LIB_LEDGER_H

#include <linux/cache.h>
#include <linux/types.h>

#include "lib/irq_time.h"
#include "lib/kernel_books.h"

struct sp_clock;

/* Every nanosecond of a task is in exactly one of these. */
enum sp_account {
	SP_ACCOUNT_ON_CPU,
	SP_ACCOUNT_RUN_QUEUE,
	SP_ACCOUNT_SLEEP,
	SP_ACCOUNT_DISK,
	SP_ACCOUNTS
};

/*
 * The books of one task in one recording. Written by the CPU that switches the
 * task, while its clock is being written; so no two share a line.
 */
struct sp_ledger {
	u64 since;			/* ns; when the books were opened, 0: never */
	u64 until;			/* ns; and last written */
	u64 ns[SP_ACCOUNTS];
	u64 foreign[SP_FOREIGNS];	/* of the time on a CPU, not its own */
	u64 voluntary;			/* times it left the CPU */
	u64 involuntary;
	u64 wakeups;
	u64 migrations;			/* came in on another CPU than before */
	/* For report/selfcheck.c: less what was in these books at the same moment. */
	struct sp_kernel_books base;
	struct sp_kernel_books end;	/* what the kernel said in the end */
	u64 apart;			/* ns; of since to until, in no task's time */
	bool based;
	bool over;			/* the task has ended */
} ____cacheline_aligned;

/* For how long all tasks in these books were observed together. */
static inline u64 sp_ledger_observed(const struct sp_ledger *ledger)
{
	return ledger->until - ledger->since - ledger->apart;
}

/* What a task ran itself. Never below 0, as each part of it is not. */
static inline u64 sp_ledger_own(const struct sp_ledger *ledger)
{
	return ledger->ns[SP_ACCOUNT_ON_CPU] - ledger->foreign[SP_FOREIGN_IRQ] -
	       ledger->foreign[SP_FOREIGN_SOFTIRQ] - ledger->foreign[SP_FOREIGN_STOLEN];
}

void sp_ledger_add(struct sp_ledger *ledger, const struct sp_clock *clock,
		   u64 woken, u64 now, u64 begin);
u64 sp_ledger_add_foreign(struct sp_ledger *ledger, const u64 *foreign, u64 on);
void sp_ledger_base(struct sp_ledger *ledger, const struct sp_kernel_books *kernel);
void sp_ledger_close(struct sp_ledger *ledger);
void sp_ledger_merge(struct sp_ledger *to, const struct sp_ledger *from);
void sp_ledger_merge_other(struct sp_ledger *to, const struct sp_ledger *from);

#endif

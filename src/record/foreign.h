/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of the tasks' time on CPUs was not their own, in one recording. Written in hooks,
 * interrupts off; see record/foreign.c.
 */
#ifndef SP_RECORD_FOREIGN_H
#define SP_RECORD_FOREIGN_H

#include "lib/irq_time.h"
#include "lib/task_clock.h"

struct sp_foreign_rest;
struct sp_ledger;
struct sp_recording;

void sp_foreign_book(const struct sp_recording *recording, struct sp_ledger *ledger,
		     const struct sp_clock *clock, u32 cpu, const u64 *foreign, u64 on,
		     u64 begin, struct sp_foreign_rest *rest);

#endif

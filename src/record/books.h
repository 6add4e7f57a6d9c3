/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a task did goes to its books, what of that was not its own, and whom it waited for. In
 * hooks, interrupts off, as its clock is written.
 */
#ifndef SP_RECORD_BOOKS_H
#define SP_RECORD_BOOKS_H

#include "record/blame.h"
#include "record/foreign.h"
#include "record/interval.h"

/**
 * sp_record_books() - what a task did goes to its books, and its wait to who ran meanwhile
 * @recording: a live recording with books
 * @number: of the task's thread
 * @st: its clock; it says where and what it was last on a CPU, too
 * @clock: the same as it was before the event
 * @woken: ns; as for sp_record_account_time(), as all
 * @now: of the event
 * @migrated: it came in on another CPU than before
 * @begin: ns; see sp_live_begin()
 *
 * Context: a hook, once for each event.
 */
static __always_inline void sp_record_books(struct sp_recording *recording, u32 number,
					    const struct sp_task *st,
					    const struct sp_clock *clock, u64 woken, u64 now,
					    bool migrated, u64 begin)
{
	struct sp_ledger *ledger = &recording->ledger[number];
	u64 on = ledger->ns[SP_ACCOUNT_ON_CPU], waited = ledger->ns[SP_ACCOUNT_RUN_QUEUE];
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);
	struct sp_run_walk walk;

	sp_record_account_time(recording, ledger, clock, woken, now, migrated, begin);
	if (unlikely(recording->config.interrupts && st->has_foreign))
		sp_foreign_book(recording, ledger, clock, st->cpu, st->foreign,
				ledger->ns[SP_ACCOUNT_ON_CPU] - on, begin,
				&this_cpu_ptr(recording->cpu)->rest);
	waited = ledger->ns[SP_ACCOUNT_RUN_QUEUE] - waited;
	if (likely(!recording->blamed) || !waited)
		return;
	walk = sp_blame_walk(&cpu->ring, true, st, clock, woken, now, begin);
	sp_blame_throttled(&walk, &cpu->throttles, st, clock, woken);
	if (unlikely(recording->config.interrupts))
		sp_blame_split(&walk, st, sp_run_ring_foreign(&cpu->ring));
	sp_blame_wait(recording, number, &walk, waited);
}

#endif

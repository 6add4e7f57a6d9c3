// SPDX-License-Identifier: GPL-2.0-only
/*
 * foreign: what of the tasks' time on CPUs was that of interrupts, softirqs and other guests
 * of the hypervisor, in one recording.
 *
 * Each CPU knows how much that was since its last switch (lib/irq_time.h), hands it to the
 * task that leaves (hook/switch.c), and it is booked with the time on the CPU it lies in. So
 * what all tasks have in their books, and what came while CPUs idled, is all that there was.
 */
#include <linux/minmax.h>

#include "lib/export.h"
#include "lib/ledger.h"
#include "record/foreign.h"
#include "record/recording.h"
#include "task/percpu.h"

/* Was that time on a CPU over at some moment? */
static bool was_over(const struct sp_clock *clock, u64 then)
{
	return sp_phase_off_cpu(clock->phase) && clock->out_ts <= then;
}

/* The part of the CPU began when the task was there already: what came before is not its. */
static void cut_at_begin(const struct sp_recording_cpu *part, u64 *foreign)
{
	unsigned int i;

	for (i = 0; i < SP_FOREIGNS; i++)
		foreign[i] -= min(foreign[i], part->foreign_base.open[i]);
}

/**
 * sp_foreign_book() - a time on a CPU goes to the books: so does what of it was not the task's
 * @recording: a live recording with interrupts
 * @ledger: of the task
 * @clock: the task's
 * @cpu: where that was
 * @foreign: ns; SP_FOREIGNS of them, of all that time
 * @on: what of it was booked as time on a CPU, in the unit of the recording's clock
 * @begin: ns; see sp_live_begin()
 * @rest: what is not booked is added
 *
 * Of a time that the books have in part, nobody knows when in it the interrupts came: they
 * stay the task's own. But where the recording began, each CPU noted what it had.
 */
void sp_foreign_book(const struct sp_recording *recording, struct sp_ledger *ledger,
		     const struct sp_clock *clock, u32 cpu, const u64 *foreign, u64 on,
		     u64 begin, struct sp_foreign_rest *rest)
{
	const struct sp_recording_cpu *part = per_cpu_ptr(recording->cpu, cpu);
	/* 0: it has not begun yet, and ordered by the switch of the task if it has. */
	u64 since = READ_ONCE(part->since), booked[SP_FOREIGNS];
	bool cut = begin > recording->begin.ns && clock->in_ts < begin;
	unsigned int i;

	/* Of a time before that one: what came in it is not among what came on that CPU. */
	if (!since || was_over(clock, max(begin, since)))
		return;
	memcpy(booked, foreign, sizeof(booked));
	if (unlikely(clock->in_ts < since))
		cut_at_begin(part, booked);
	/* Nothing is known of it where an event was missed, either. */
	if (unlikely(!on || cut)) {
		for (i = 0; i < SP_FOREIGNS; i++)
			rest->unsplit_ns += booked[i];
		return;
	}
	for (i = 0; i < SP_FOREIGNS; i++)
		booked[i] = sp_clock_id_of_ns(recording->config.clock, booked[i]);
	rest->excess += sp_ledger_add_foreign(ledger, booked, on);
}
SP_EXPORT_FOR_KUNIT(sp_foreign_book);

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

#include "lib/ledger.h"
#include "record/foreign.h"
#include "record/recording.h"
#include "task/percpu.h"

/* The part of the CPU began when the task was there already: what came before is not its. */
static void cut_at_begin(const struct sp_recording_cpu *part, const struct sp_clock *clock,
			 u64 *foreign)
{
	bool over = sp_phase_off_cpu(clock->phase) && clock->out_ts < part->since;
	unsigned int i;

	for (i = 0; i < SP_FOREIGNS; i++)
		foreign[i] -= over ? foreign[i] : min(foreign[i], part->foreign_base.open[i]);
}

/**
 * sp_foreign_book() - a time on a CPU goes to the books: so does what of it was not the task's
 * @recording: a live recording with interrupts
 * @ledger: of the task
 * @clock: the task's
 * @cpu: where that was
 * @foreign: ns; SP_FOREIGNS of them
 * @on: what was booked as time on a CPU, in the unit of the recording's clock
 *
 * Return: what there was beyond @on, in the same unit. Only where clocks of CPUs differ, or the
 * hypervisor told of it too late.
 */
u64 sp_foreign_book(const struct sp_recording *recording, struct sp_ledger *ledger,
		    const struct sp_clock *clock, u32 cpu, const u64 *foreign, u64 on)
{
	const struct sp_recording_cpu *part = per_cpu_ptr(recording->cpu, cpu);
	u64 booked[SP_FOREIGNS];
	unsigned int i;

	if (!on)
		return 0;
	memcpy(booked, foreign, sizeof(booked));
	if (unlikely(clock->in_ts < part->since))
		cut_at_begin(part, clock, booked);
	for (i = 0; i < SP_FOREIGNS; i++)
		booked[i] = sp_clock_id_of_ns(recording->config.clock, booked[i]);
	return sp_ledger_add_foreign(ledger, booked, on);
}

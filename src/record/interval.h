/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decisions about the length of one interval, and where lengths are added up. In hooks,
 * interrupts off, on the recording's part of this CPU; or at the end of a recording.
 */
#ifndef SP_RECORD_INTERVAL_H
#define SP_RECORD_INTERVAL_H

#include "record/recording.h"
#include "task/task_table.h"

/**
 * sp_record_lost() - time of a task that found no room among the threads
 * @cpu: the recording's part of this CPU
 * @length: of it, in the unit of the clock
 * @at: when it ended
 */
static inline void sp_record_lost(struct sp_recording_cpu *cpu, u64 length, u64 at)
{
	sp_sum_add(&cpu->lost, length, at, raw_smp_processor_id());
}

/**
 * sp_record_length() - an interval of a length that is recorded
 * @recording: the recording
 * @cpu: its part of this CPU
 * @length: in the unit of the clock
 */
static inline void sp_record_length(const struct sp_recording *recording,
				    struct sp_recording_cpu *cpu, u64 length)
{
	sp_histogram_add(&cpu->histogram,
			 sp_clock_id_row_unit(recording->config.clock, length));
}

/**
 * sp_record_account_time() - add to the ledger of a task that comes in, or ends
 * @recording: a live recording with a ledger
 * @ledger: of the task
 * @clock: its clock as it was before the event
 * @woken: ns; when it was woken since it left, 0 if it was not
 * @now: of the event
 * @migrated: it came in on another CPU than before
 *
 * Context: a hook, once for each event.
 */
static inline void sp_record_account_time(const struct sp_recording *recording,
					  struct sp_ledger *ledger,
					  const struct sp_clock *clock, u64 woken,
					  const struct sp_now *now, bool migrated)
{
	enum sp_clock_id clock_id = recording->config.clock;

	sp_ledger_add(ledger, clock, woken, now->at[clock_id], recording->begin.at[clock_id]);
	ledger->migrations += migrated;
}

/**
 * sp_record_waker_id() - the stack of whoever woke a task last
 * @recording: a live recording that wants to know
 * @st: the task's clock
 *
 * Return: its number, or SP_STACK_NONE if the recording has seen no waker.
 */
static inline u32 sp_record_waker_id(const struct sp_recording *recording,
				     const struct sp_task *st)
{
	return READ_ONCE(recording->wakers[sp_task_slot(st)]);
}

/* Most sessions have no longest length; if this is false, ask sp_record_misfit(). */
static __always_inline bool sp_record_may_fit(const struct sp_recording *recording, u64 length)
{
	return length >= READ_ONCE(recording->filter->min) && !READ_ONCE(recording->filter->max);
}

/**
 * sp_record_misfit() - is a length one that is not recorded?
 * @recording: the recording
 * @cpu: its part of this CPU
 * @length: in the unit of the clock
 *
 * Return: the counter for it, or NULL if it is recorded.
 */
static inline u64 *sp_record_misfit(const struct sp_recording *recording,
				    struct sp_recording_cpu *cpu, u64 length)
{
	u64 max = READ_ONCE(recording->filter->max);

	if (length < READ_ONCE(recording->filter->min))
		return &cpu->fates.below_min;
	return max && length > max ? &cpu->fates.above_max : NULL;
}

#endif

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

/* The part of an interval that a recording watched, by its own clock. */
static __always_inline struct sp_interval sp_interval_by(const struct sp_recording *recording,
							 const struct sp_interval *interval,
							 u64 begin)
{
	u64 start = max(interval->start, begin);

	return (struct sp_interval) {
		.start = sp_time_by(recording->config.clock, start),
		.end = sp_time_by(recording->config.clock, max(start, interval->end)),
	};
}

/* What a task's clock says, by a session's clock. */
static inline struct sp_clock sp_clock_by(enum sp_clock_id clock_id, const struct sp_clock *clock)
{
	struct sp_clock own = *clock;

	own.in_ts = clock->in_ts ? sp_time_by(clock_id, clock->in_ts) : 0;
	own.out_ts = clock->out_ts ? sp_time_by(clock_id, clock->out_ts) : 0;
	own.woken = clock->woken ? sp_time_by(clock_id, clock->woken) : 0;
	return own;
}

/**
 * sp_record_account_time() - add to the ledger of a task that comes in, or ends
 * @recording: a live recording with a ledger
 * @ledger: of the task
 * @clock: its clock as it was before the event
 * @woken: ns; when it was woken since it left, 0 if it was not
 * @now: of the event
 * @migrated: it came in on another CPU than before
 * @begin: ns; see sp_live_begin()
 *
 * Context: a hook, once for each event.
 */
static inline void sp_record_account_time(const struct sp_recording *recording,
					  struct sp_ledger *ledger,
					  const struct sp_clock *clock, u64 woken,
					  u64 now, bool migrated, u64 begin)
{
	struct sp_clock own;

	if (unlikely(recording->config.clock != SP_CLOCK_MONO)) {
		own = sp_clock_by(recording->config.clock, clock);
		clock = &own;
		woken = woken ? sp_time_by(recording->config.clock, woken) : 0;
		now = sp_time_by(recording->config.clock, now);
	}
	sp_ledger_add(ledger, clock, woken, now, sp_time_by(recording->config.clock, begin));
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

/*
 * Is it recorded? Else it is counted in sp_record_misfit(). The bounds may change at any time,
 * so this is asked once for an interval.
 */
static __always_inline bool sp_record_fits(const struct sp_recording *recording, u64 length)
{
	return length - READ_ONCE(recording->min) <= READ_ONCE(recording->range);
}

/* Does it record all lengths? */
static __always_inline bool sp_record_is_unbounded(const struct sp_recording *recording)
{
	return !READ_ONCE(recording->min) && READ_ONCE(recording->range) == U64_MAX;
}

/* Where a length is counted that is not recorded. Never NULL. */
static inline u64 *sp_record_misfit(const struct sp_recording *recording,
				    struct sp_recording_cpu *cpu, u64 length)
{
	return length < READ_ONCE(recording->too_short) ? &cpu->fates.below_min :
							  &cpu->fates.above_max;
}

/* Both: NULL, if it is recorded. */
static inline u64 *sp_record_fate(const struct sp_recording *recording,
				  struct sp_recording_cpu *cpu, u64 length)
{
	return sp_record_fits(recording, length) ? NULL :
						   sp_record_misfit(recording, cpu, length);
}

#endif

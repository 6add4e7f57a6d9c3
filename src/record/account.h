/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that record share: decisions about one interval, and who it is
 * of. In hooks, but for what says something else; see record/account.c.
 */
#ifndef SP_RECORD_ACCOUNT_H
#define SP_RECORD_ACCOUNT_H

#include "record/recording.h"
#include "task/task_table.h"

struct sp_open_interval;

void sp_deliver(struct sp_switch *sw, unsigned int times);
void sp_record_leave(struct sp_recording *recording, struct sp_switch *sw);
void sp_record_waker(struct sp_recording *recording, const struct sp_task *st,
		     const struct sp_callchain *callchain);
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *st, const struct sp_waking *waking);
void sp_record_inside(struct sp_recording *recording, struct sp_switch *sw,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off);
void sp_record_nosched_span(struct sp_recording *recording, struct sp_switch *sw,
			    const struct sp_nosched_span_end *ended);
void sp_record_exit(struct sp_recording *recording, struct sp_task *st,
		    struct task_struct *task);
void sp_record_no_slot(struct sp_recording *recording);
void sp_record_filtered(struct sp_recording *recording);

/* In process context: */
bool sp_record_fits(const struct sp_recording *recording, u64 length);
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *open);

void sp_record_cut_nosched_span(struct sp_recording *recording);

/* For those that record: */
struct sp_thread *sp_record_new_thread(struct sp_recording *recording,
				       const struct sp_switch *sw);
void sp_record_ask_for_mappings(struct sp_recording *recording, const struct sp_thread *thread);
void sp_record_keep_sole(struct sp_task *st, struct sp_recording *recording);
void sp_record_keep_several(struct sp_task *st);
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_thread *thread,
			 struct sp_switch *sw);

/**
 * sp_record_thread() - the thread of a task that is switched, added if it is new
 * @recording: a live recording
 * @sw: of a task
 *
 * Return: the thread, or NULL if there is no room.
 */
static __always_inline struct sp_thread *sp_record_thread(struct sp_recording *recording,
							  const struct sp_switch *sw)
{
	const struct sp_task *st = sw->st;
	struct sp_thread *thread = sp_threads_find(&recording->threads, sp_task_slot(st),
						   st->serial, st->exec_id);

	return likely(thread) ? thread : sp_record_new_thread(recording, sw);
}

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

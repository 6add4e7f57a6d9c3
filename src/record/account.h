/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that record share: decisions about one interval, and who it is
 * of. Hooks only; see record/account.c.
 */
#ifndef SP_RECORD_ACCOUNT_H
#define SP_RECORD_ACCOUNT_H

#include "record/recording.h"
#include "task/task_table.h"

struct sp_open_interval;

void sp_deliver(struct sp_switch *event, unsigned int times);
void sp_record_leave(struct sp_recording *recording, struct sp_switch *event);
void sp_record_waker(struct sp_recording *recording, const struct sp_task *slot,
		     const struct sp_walk *walk);
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *slot, const struct sp_waking *waking);
void sp_record_inside(struct sp_recording *recording, struct sp_switch *event,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off);
void sp_record_stretch(struct sp_recording *recording, struct sp_switch *event,
		       const struct sp_nosched_span_end *stretched);
void sp_record_exit(struct sp_recording *recording, struct sp_task *slot,
		    struct task_struct *task);
void sp_record_no_slot(struct sp_recording *recording);
void sp_record_filtered(struct sp_recording *recording);

/* In process context: */
bool sp_record_fits(const struct sp_recording *recording, u64 ns);
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *sleeper);

void sp_record_cut_stretch(struct sp_recording *recording);

/* For those that record: */
struct sp_thread *sp_record_new_row(struct sp_recording *recording,
				    const struct sp_switch *event);
void sp_record_want(struct sp_recording *recording, const struct sp_thread *row);
void sp_record_keep_sole(struct sp_task *slot, struct sp_recording *recording);
void sp_record_keep_several(struct sp_task *slot);
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_thread *row,
			 struct sp_switch *event);

/**
 * sp_record_row() - the row of an event's task, made if there is none
 * @recording: a live recording
 * @event: of a task
 *
 * Context: a hook.
 * Return: the row, or NULL if there is no room.
 */
static __always_inline struct sp_thread *sp_record_row(struct sp_recording *recording,
						       const struct sp_switch *event)
{
	const struct sp_task *slot = event->slot;
	struct sp_thread *row = sp_threads_find(&recording->roster, sp_task_slot(slot),
						slot->serial, slot->exec_id);

	return likely(row) ? row : sp_record_new_row(recording, event);
}

/**
 * sp_record_lost() - time that has no row to be in
 * @cpu: the recording's part of this CPU
 * @ns: how much
 * @at: when it ended
 *
 * Context: a hook.
 */
static inline void sp_record_lost(struct sp_recording_cpu *cpu, u64 ns, u64 at)
{
	sp_sum_add(&cpu->lost, ns, at, raw_smp_processor_id());
}

/**
 * sp_record_length() - an interval of a length that is recorded
 * @recording: the recording
 * @cpu: its part of this CPU
 * @ns: the length
 *
 * Context: a hook.
 */
static inline void sp_record_length(const struct sp_recording *recording,
				    struct sp_recording_cpu *cpu, u64 ns)
{
	sp_histogram_add(&cpu->histogram,
			 sp_source_row_unit(recording->settings.source, ns));
}

/**
 * sp_record_books() - keep the books of a task that comes in, or ends
 * @recording: a live recording with a ledger
 * @ledger: the task's books
 * @clock: its clock as it was before the event
 * @woken: ns; when it was woken since it left, 0 if it was not
 * @now: of the event
 * @migrated: it came in on another CPU than before
 *
 * Context: a hook, once for each event.
 */
static inline void sp_record_books(const struct sp_recording *recording,
				   struct sp_ledger *ledger,
				   const struct sp_clock *clock, u64 woken,
				   const struct sp_now *now, bool migrated)
{
	enum sp_source source = recording->settings.source;

	sp_ledger_add(ledger, clock, woken, now->at[source], recording->begin.at[source]);
	ledger->migrations += migrated;
}

/**
 * sp_record_waker_id() - the stack of whoever woke a task last
 * @recording: a live recording that wants to know
 * @slot: the task's clock
 *
 * Context: a hook.
 * Return: its number, or SP_STACK_NONE if the recording has seen no waker.
 */
static inline u32 sp_record_waker_id(const struct sp_recording *recording,
				     const struct sp_task *slot)
{
	return READ_ONCE(recording->wakers[sp_task_slot(slot)]);
}

/* Most sessions have no longest length; if this is false, ask sp_record_misfit(). */
static __always_inline bool sp_record_may_fit(const struct sp_recording *recording, u64 ns)
{
	return ns >= READ_ONCE(recording->filter->min) && !READ_ONCE(recording->filter->max);
}

/**
 * sp_record_misfit() - is a length one that is not recorded?
 * @recording: the recording
 * @cpu: its part of this CPU
 * @ns: the length
 *
 * Context: any, also a hook.
 * Return: the counter for it, or NULL if it is recorded.
 */
static inline u64 *sp_record_misfit(const struct sp_recording *recording,
				    struct sp_recording_cpu *cpu, u64 ns)
{
	u64 max = READ_ONCE(recording->filter->max);

	if (ns < READ_ONCE(recording->filter->min))
		return &cpu->fates.below_min;
	return max && ns > max ? &cpu->fates.above_max : NULL;
}

#endif

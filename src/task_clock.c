// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_clock: the state machine that turns scheduler events into intervals.
 *
 * It knows neither tasks nor sessions nor a time source: whoever sees an
 * event hands in the time. No lock: the switches of one task are ordered by
 * the scheduler itself, because a task leaves one CPU before it enters another.
 *
 * Intervals are cut out of three stamps, so they share their ends: all times of
 * a task together are the time from its first event to its last. A wakeup can
 * be stamped before the task has left: the waker was faster than the hook. Then
 * it slept for no time.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "export.h"
#include "task_clock.h"

/**
 * sp_clock_start() - begin to observe a task
 * @clock: the clock to set
 * @phase: what the task does now
 * @since: ns; when that began
 *
 * Context: any, also a hook.
 */
void sp_clock_start(struct sp_clock *clock, enum sp_phase phase, u64 since)
{
	clock->phase = phase;
	clock->state = phase == SP_PHASE_ASLEEP ? SP_STATE_S : SP_STATE_R;
	clock->came = phase == SP_PHASE_ON_CPU ? since : 0;
	clock->left = sp_phase_off_cpu(phase) ? since : 0;
	clock->leaving = SP_LEFT_UNSEEN;
	WRITE_ONCE(clock->woken, 0);
	WRITE_ONCE(clock->tried, 0);
}
SP_EXPORT_FOR_KUNIT(sp_clock_start);

/**
 * sp_clock_start_as() - know what another clock knows
 * @clock: the clock to set; wakeups that it was told of stay
 * @other: the other one, with its stamps changed to the clock's own time
 *
 * Context: any, also a hook.
 */
void sp_clock_start_as(struct sp_clock *clock, const struct sp_clock *other)
{
	u64 woken = READ_ONCE(clock->woken) ?: other->woken;
	u64 tried = READ_ONCE(clock->tried) ?: other->tried;

	*clock = *other;
	WRITE_ONCE(clock->woken, woken);
	WRITE_ONCE(clock->tried, tried);
}
SP_EXPORT_FOR_KUNIT(sp_clock_start_as);

/**
 * sp_clock_leave() - the task leaves the CPU
 * @clock: the task's clock
 * @state: in which it leaves
 * @now: ns; if it lies before the last event, it is taken for that
 *
 * If the task was off the CPU already, an event was missed: no interval is
 * made up for what was before.
 *
 * Context: any, also a hook.
 * Return: true if the time went back.
 */
bool sp_clock_leave(struct sp_clock *clock, enum sp_state state, u64 now)
{
	if (clock->phase != SP_PHASE_ON_CPU)
		clock->came = 0;
	clock->left = max(now, clock->came);
	clock->phase = sp_phase_of(state);
	clock->state = state;
	return now < clock->left;
}
SP_EXPORT_FOR_KUNIT(sp_clock_leave);

/**
 * sp_clock_settle() - the task is about to come in: who woke it?
 * @clock: a copy of its clock
 *
 * Nobody comes in from sleep without having been woken. If no waker was sure of
 * it, the last one that tried did it.
 *
 * Context: any, also a hook.
 */
void sp_clock_settle(struct sp_clock *clock)
{
	if (clock->phase == SP_PHASE_ASLEEP && !clock->woken)
		clock->woken = clock->tried;
}
SP_EXPORT_FOR_KUNIT(sp_clock_settle);

/**
 * sp_clock_come() - the task comes in
 * @clock: the task's clock
 * @now: ns; as above
 *
 * Context: any, also a hook.
 * Return: true if the time went back.
 */
bool sp_clock_come(struct sp_clock *clock, u64 now)
{
	if (!sp_phase_off_cpu(clock->phase))
		clock->left = 0;
	clock->came = max(now, clock->left);
	clock->phase = SP_PHASE_ON_CPU;
	WRITE_ONCE(clock->woken, 0);
	WRITE_ONCE(clock->tried, 0);
	return now < clock->came;
}
SP_EXPORT_FOR_KUNIT(sp_clock_come);

/**
 * sp_clock_time() - the last interval of one of a task's times
 * @clock: the task's clock
 * @time: which one
 * @now: ns; when the task comes in, or when somebody looks
 * @interval: filled
 *
 * While a task is off the CPU, the time on the CPU before is its last one.
 *
 * Context: any, also a hook.
 * Return: true if @interval holds an interval.
 */
bool sp_clock_time(const struct sp_clock *clock, enum sp_time time, u64 now,
		   struct sp_interval *interval)
{
	bool off = sp_phase_off_cpu(clock->phase);
	bool asleep = clock->phase == SP_PHASE_ASLEEP;
	u64 woken = READ_ONCE(clock->woken);
	u64 left = clock->left;

	now = max3(now, left, clock->came);
	if (woken)
		woken = clamp(woken, left, now);
	switch (time) {
	case SP_TIME_ON_CPU:
		*interval = (struct sp_interval) {
			clock->came, off ? left : now, !off,
		};
		return clock->came;
	case SP_TIME_OFF_CPU:
		*interval = (struct sp_interval) { left, now, true };
		return off;
	case SP_TIME_BLOCKED:
		*interval = (struct sp_interval) { left, woken ?: now, !woken };
		return asleep;
	default:
		*interval = (struct sp_interval) {
			asleep ? woken : left, now, true,
		};
		return off && (!asleep || woken);
	}
}
SP_EXPORT_FOR_KUNIT(sp_clock_time);

/**
 * sp_interval_clip() - the length of the part that someone watched
 * @interval: an interval
 * @begin: ns; when the watching began
 *
 * Context: any, also a hook.
 * Return: ns, 0 if the interval was over before.
 */
u64 sp_interval_clip(const struct sp_interval *interval, u64 begin)
{
	u64 start = max(interval->start, begin);

	return interval->end > start ? interval->end - start : 0;
}
SP_EXPORT_FOR_KUNIT(sp_interval_clip);

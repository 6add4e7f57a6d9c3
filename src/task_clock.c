// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_clock: the state machine that turns scheduler events into intervals.
 *
 * It knows neither tasks nor sessions nor a time source: whoever sees an
 * event hands in the time. No lock: the events of one task are ordered by the
 * scheduler itself, because a task leaves one CPU before it enters another.
 */
#include <linux/kernel.h>
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
	clock->since = since;
	clock->before = since;
}
SP_EXPORT_FOR_KUNIT(sp_clock_start);

/**
 * sp_clock_turn() - the task enters a phase
 * @clock: the task's clock
 * @to: the phase it enters
 * @now: ns
 * @done: filled with the interval that ends here, if one does
 *
 * A phase that is entered twice in a row means that the event between the two
 * was missed: how long each part took is not known, so no interval is made
 * up, and the clock starts anew.
 *
 * Context: any, also a hook.
 * Return: true if @done holds an interval.
 */
bool sp_clock_turn(struct sp_clock *clock, enum sp_phase to, u64 now,
		   struct sp_interval *done)
{
	bool ends = clock->phase != SP_PHASE_UNKNOWN && clock->phase != to;

	if (ends) {
		done->phase = clock->phase;
		done->start = clock->since;
		done->stepped = now < clock->since;
		done->end = max(now, clock->since);
	}
	clock->before = ends ? clock->since : now;
	clock->phase = to;
	clock->since = now;
	return ends;
}
SP_EXPORT_FOR_KUNIT(sp_clock_turn);

/**
 * sp_interval_clip() - the length of the part that someone watched
 * @interval: a finished interval
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

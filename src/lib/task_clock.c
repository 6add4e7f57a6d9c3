// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_clock: the state machine that turns scheduler events into intervals; what hooks
 * ask of it at each event is in the header.
 *
 * It knows neither tasks nor sessions nor a clock: whoever sees an
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

#include "lib/export.h"
#include "lib/task_clock.h"

/**
 * sp_clock_start() - begin to observe a task
 * @clock: the clock to set
 * @phase: what the task does now
 * @since: ns; when that began
 */
void sp_clock_start(struct sp_clock *clock, enum sp_phase phase, u64 since)
{
	clock->phase = phase;
	clock->state = phase == SP_PHASE_ASLEEP ? SP_STATE_S : SP_STATE_R;
	clock->in_ts = phase == SP_PHASE_ON_CPU ? since : 0;
	clock->out_ts = sp_phase_off_cpu(phase) ? since : 0;
	clock->leaving = SP_LEFT_UNSEEN;
	WRITE_ONCE(clock->woken, 0);
	WRITE_ONCE(clock->tried, 0);
}
SP_EXPORT_FOR_KUNIT(sp_clock_start);

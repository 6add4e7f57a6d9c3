/* SPDX-License-Identifier: GPL-2.0-only */
/* When tasks could not run because their groups had used their time up. */
#ifndef SP_TASK_THROTTLE_H
#define SP_TASK_THROTTLE_H

#include "lib/throttle.h"
#include "task/task_table.h"

extern struct sp_throttle_log *sp_throttle_log;

int sp_throttle_open(void);
void sp_throttle_close(void);
void sp_throttle_note_leaving(void);
const struct sp_throttles *sp_throttle_find(struct sp_throttle_log *log,
					    struct sp_throttles *throttles,
					    const struct sp_task *st,
					    const struct sp_clock *clock, u64 since);

/**
 * sp_throttle_of() - when could a task not run, since it began to wait for a CPU?
 * @throttles: of this CPU; filled, and remembered for the other recordings of the switch
 * @st: the clock of the task, which came in here
 * @clock: what is in it, as it was before
 * @since: ns; when it began to wait
 *
 * Context: a hook that switches the task in, with the lock of its run queue held.
 * Return: @throttles, or NULL if it could run all along, for all that is known.
 */
static __always_inline const struct sp_throttles *
sp_throttle_of(struct sp_throttles *throttles, const struct sp_task *st,
	       const struct sp_clock *clock, u64 since)
{
	/* Pairs with sp_throttle_open(). */
	struct sp_throttle_log *log = smp_load_acquire(&sp_throttle_log);

	if (likely(!log || !READ_ONCE(log->used)))
		return NULL;
	return sp_throttle_find(log, throttles, st, clock, since);
}

#endif

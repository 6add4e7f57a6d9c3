/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_CLOCK_H
#define SP_TASK_CLOCK_H

#include <linux/types.h>

/* What a task does, as far as its clock knows. */
enum sp_phase {
	SP_PHASE_UNKNOWN,
	SP_PHASE_ON_CPU,
	SP_PHASE_OFF_CPU,
	SP_PHASES
};

/* Serialised by the scheduler: a task is switched by one CPU at a time. */
struct sp_clock {
	u64 since;		/* ns; when the phase began */
	u64 before;		/* ns; when the phase before that began */
	enum sp_phase phase;
};

struct sp_interval {
	u64 start;		/* ns */
	u64 end;		/* ns; never before start */
	enum sp_phase phase;	/* what was going on between the two */
	bool stepped;		/* the time source went back: cut to length 0 */
};

void sp_clock_start(struct sp_clock *clock, enum sp_phase phase, u64 since);
bool sp_clock_turn(struct sp_clock *clock, enum sp_phase to, u64 now,
		   struct sp_interval *done);
u64 sp_interval_clip(const struct sp_interval *interval, u64 begin);

#endif

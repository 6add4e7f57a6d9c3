/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_CLOCK_H
#define SP_TASK_CLOCK_H

#include <linux/types.h>

/* What a task does, as far as its clock knows. */
enum sp_phase {
	SP_PHASE_UNKNOWN,
	SP_PHASE_ON_CPU,
	SP_PHASE_RUNNABLE,	/* off the CPU, and wants one */
	SP_PHASE_ASLEEP,	/* until it is woken */
};

/* The times that can be profiled; OFF_CPU is the sum of the two below it. */
enum sp_time {
	SP_TIME_ON_CPU,		/* came in until left */
	SP_TIME_OFF_CPU,	/* left until came in */
	SP_TIME_BLOCKED,	/* left asleep until woken */
	SP_TIME_RUN_QUEUE,	/* woken, or left runnable, until came in */
	SP_CLOCK_TIMES,		/* those above come from a task's clock */
	SP_TIME_STRETCH = SP_CLOCK_TIMES,	/* in the kernel without a switch */
	SP_TIME_FUNCTION,	/* entry until exit of a function */
	SP_TIMES
};

/* In which state it left, as ps has them; R: runnable, it was preempted. */
enum sp_state {
	SP_STATE_S,
	SP_STATE_D,
	SP_STATE_I,
	SP_STATE_T,		/* stopped, traced or parked */
	SP_STATE_R,
	SP_STATES
};

enum sp_leaving {
	SP_LEFT_UNSEEN,
	SP_LEFT_VOLUNTARILY,
	SP_LEFT_INVOLUNTARILY,
};

/*
 * Serialised by the scheduler, because a task is switched by one CPU at a
 * time; but wakers may stamp at any time.
 */
struct sp_clock {
	u64 came;		/* ns; when it came in last, 0 if not known */
	u64 left;		/* ns; when it left last, 0 if not known */
	u64 woken;		/* ns; since it came in, 0 if not; READ_ONCE */
	u64 tried;		/* the same, of one that perhaps did not wake it */
	enum sp_phase phase;
	enum sp_state state;	/* in which it left last */
	enum sp_leaving leaving;	/* how it left last */
};

struct sp_interval {
	u64 start;		/* ns */
	u64 end;		/* ns; never before start */
	bool open;		/* it goes on: end is when it was looked at */
};

void sp_clock_start(struct sp_clock *clock, enum sp_phase phase, u64 since);
bool sp_clock_leave(struct sp_clock *clock, enum sp_state state, u64 now);
bool sp_clock_come(struct sp_clock *clock, u64 now);
bool sp_clock_time(const struct sp_clock *clock, enum sp_time time, u64 now,
		   struct sp_interval *interval);
void sp_clock_settle(struct sp_clock *clock);
void sp_clock_start_as(struct sp_clock *clock, const struct sp_clock *other);
u64 sp_interval_clip(const struct sp_interval *interval, u64 begin);

static inline bool sp_phase_off_cpu(enum sp_phase phase)
{
	return phase >= SP_PHASE_RUNNABLE;
}

static inline enum sp_phase sp_phase_of(enum sp_state state)
{
	return state == SP_STATE_R ? SP_PHASE_RUNNABLE : SP_PHASE_ASLEEP;
}

/**
 * sp_clock_wake() - somebody wakes the task
 * @clock: the task's clock
 * @now: ns
 *
 * The last one counts: a waker that is late, because another one was faster,
 * may stamp a task that sleeps again; then it is woken again, too.
 *
 * Context: any, also a hook, on any CPU.
 */
static inline void sp_clock_wake(struct sp_clock *clock, u64 now)
{
	WRITE_ONCE(clock->woken, now);
}

/**
 * sp_clock_try_to_wake() - somebody may wake the task
 * @clock: the task's clock
 * @now: ns
 *
 * The task did not sleep when the waker looked, but it may since, and then it
 * is woken after all.
 *
 * Context: any, also a hook, on any CPU.
 */
static inline void sp_clock_try_to_wake(struct sp_clock *clock, u64 now)
{
	WRITE_ONCE(clock->tried, now);
}

#endif

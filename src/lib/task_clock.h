/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_TASK_CLOCK_H
#define SP_LIB_TASK_CLOCK_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* What a task does, as far as its clock knows. */
enum sp_phase {
	SP_PHASE_UNKNOWN,
	SP_PHASE_ON_CPU,
	SP_PHASE_RUNNABLE,	/* off the CPU, and wants one */
	SP_PHASE_ASLEEP,	/* until it is woken */
	SP_PHASE_IDLE,		/* nothing: of a CPU's idle task, wherever that is */
};

/* The times that can be profiled; OFF_CPU is the sum of the two below it. */
enum sp_time {
	SP_TIME_ON_CPU,		/* came in until left */
	SP_TIME_OFF_CPU,	/* left until came in */
	SP_TIME_BLOCKED,	/* left asleep until woken */
	SP_TIME_RUN_QUEUE,	/* woken, or left runnable, until came in */
	SP_CLOCK_TIMES,		/* those above come from a task's clock */
	SP_TIME_NOSCHED = SP_CLOCK_TIMES,	/* in the kernel without a switch */
	SP_TIME_FUNCTION,	/* entry until exit of a function */
	SP_TIME_WALL,		/* ON_CPU, BLOCKED and RUN_QUEUE, which are all of a task's time */
	SP_TIMES
};

/* The times from a task's clock of which a time is made up, by bit; 0: it is of none. */
static __always_inline unsigned int sp_time_parts(enum sp_time time)
{
	if (time == SP_TIME_WALL)
		return BIT(SP_TIME_ON_CPU) | BIT(SP_TIME_BLOCKED) | BIT(SP_TIME_RUN_QUEUE);
	return time < SP_CLOCK_TIMES ? BIT(time) : 0;
}

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
	u64 in_ts;		/* ns; when it came in last, 0 if not known */
	u64 out_ts;		/* ns; when it left last, 0 if not known */
	u64 woken;		/* ns; since it came in, 0 if not; READ_ONCE */
	u64 tried;		/* the same, of one that perhaps did not wake it */
	union {
		u32 how;	/* all three: SP_HOW() */
		struct {
			u8 phase;	/* enum sp_phase */
			u8 state;	/* enum sp_state, in which it left last */
			u8 leaving;	/* enum sp_leaving, how it left last */
		};
	};
};

/* A task that has just left. Both architectures are little-endian. */
#define SP_HOW(state, leaving)	(sp_phase_of(state) | (state) << 8 | (leaving) << 16)

struct sp_interval {
	u64 start;		/* ns */
	u64 end;		/* ns; never before start */
	bool open;		/* it goes on: end is when it was looked at */
};

void sp_clock_start(struct sp_clock *clock, enum sp_phase phase, u64 since);

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
 */
static inline void sp_clock_try_to_wake(struct sp_clock *clock, u64 now)
{
	WRITE_ONCE(clock->tried, now);
}

/**
 * sp_clock_leave() - the task leaves the CPU
 * @clock: the task's clock
 * @state: in which it leaves
 * @now: ns; if it lies before the last event, it is taken for that
 *
 * If the task was off the CPU already, an event was missed: no interval is
 * made up for what was before.
 *
 * Return: true if the time went back.
 */
static __always_inline bool sp_clock_leave(struct sp_clock *clock,
					   enum sp_state state, u64 now)
{
	bool back;

	if (unlikely(clock->phase != SP_PHASE_ON_CPU))
		clock->in_ts = 0;
	back = now < clock->in_ts;
	clock->out_ts = unlikely(back) ? clock->in_ts : now;
	clock->phase = sp_phase_of(state);
	clock->state = state;
	return back;
}

/**
 * sp_clock_woken() - the task is about to come in: when was it woken?
 * @clock: its clock
 *
 * Nobody comes in from sleep without having been woken. If no waker was sure of
 * it, the last one that tried did it. A waker that is late may still stamp: ask
 * once, so that all agree.
 *
 * Return: ns, or 0 if nobody knows or it did not sleep.
 */
static __always_inline u64 sp_clock_woken(const struct sp_clock *clock)
{
	u64 woken = READ_ONCE(clock->woken);

	return woken || clock->phase != SP_PHASE_ASLEEP ? woken :
							  READ_ONCE(clock->tried);
}

/**
 * sp_clock_woken_yet() - when was a task woken that has not come in since?
 * @clock: its clock; in SP_PHASE_ASLEEP
 * @awake: its state says that somebody woke it
 * @gone: it has left its CPU for good
 *
 * Who was woken when it was about to sleep, and went on, has a stamp of that, and sleeps
 * for another reason since. A task that somebody wakes while it leaves has such a stamp, too,
 * but not the state of a sleeper for long.
 *
 * Return: ns, or 0 if it sleeps, or nobody knows.
 */
static inline u64 sp_clock_woken_yet(const struct sp_clock *clock, bool awake, bool gone)
{
	u64 woken;

	if (awake)
		return sp_clock_woken(clock);
	woken = READ_ONCE(clock->woken);
	return gone && woken <= clock->out_ts ? 0 : woken;
}

/**
 * sp_clock_come_back() - the task comes in, which was off the CPU
 * @clock: the task's clock
 * @now: ns; not before it left
 */
static __always_inline void sp_clock_come_back(struct sp_clock *clock, u64 now)
{
	clock->in_ts = now;
	clock->phase = SP_PHASE_ON_CPU;
	WRITE_ONCE(clock->woken, 0);
	WRITE_ONCE(clock->tried, 0);
}

/**
 * sp_clock_come() - the task comes in
 * @clock: the task's clock
 * @now: ns; as above
 *
 * Return: true if the time went back.
 */
static __always_inline bool sp_clock_come(struct sp_clock *clock, u64 now)
{
	bool back;

	if (!sp_phase_off_cpu(clock->phase))
		clock->out_ts = 0;
	back = now < clock->out_ts;
	sp_clock_come_back(clock, back ? clock->out_ts : now);
	return back;
}

/**
 * sp_clock_times() - which of a task's times end when it comes in?
 * @clock: its clock
 * @woken: ns; when it was woken, 0 if it was not
 *
 * The one on the CPU has ended before.
 *
 * Return: bits of enum sp_time.
 */
static __always_inline unsigned int sp_clock_times(const struct sp_clock *clock, u64 woken)
{
	unsigned int times = clock->in_ts ? BIT(SP_TIME_ON_CPU) : 0;

	switch (clock->phase) {
	case SP_PHASE_ASLEEP:
		times |= BIT(SP_TIME_OFF_CPU) | BIT(SP_TIME_BLOCKED);
		return woken ? times | BIT(SP_TIME_RUN_QUEUE) : times;
	case SP_PHASE_RUNNABLE:
		return times | BIT(SP_TIME_OFF_CPU) | BIT(SP_TIME_RUN_QUEUE);
	default:
		return times;
	}
}

/**
 * sp_clock_bounds() - when did the last interval of one of a task's times begin and end?
 * @clock: the task's clock, of which it is known that there is such an interval
 * @woken: ns; when it was woken since it left, 0 if it was not
 * @time: which one
 * @now: ns; when the task comes in, or when somebody looks
 * @start: filled
 * @end: filled; @now if it is not over
 *
 * While a task is off the CPU, the time on the CPU before is its last one.
 */
static __always_inline void sp_clock_bounds(const struct sp_clock *clock, u64 woken,
					    enum sp_time time, u64 now,
					    u64 *start, u64 *end)
{
	u64 left = clock->out_ts;

	now = max(now, left);
	/* What most want to know does not depend on when it was woken. */
	if (likely(time == SP_TIME_OFF_CPU)) {
		*start = left;
		*end = now;
		return;
	}
	woken = woken ? clamp(woken, left, now) : now;
	switch (time) {
	case SP_TIME_ON_CPU:
		*start = clock->in_ts;
		*end = sp_phase_off_cpu(clock->phase) ? left : max(now, clock->in_ts);
		break;
	case SP_TIME_BLOCKED:
		*start = left;
		*end = woken;
		break;
	default:
		*start = clock->phase == SP_PHASE_ASLEEP ? woken : left;
		*end = now;
	}
}

/**
 * sp_clock_time() - the last interval of one of a task's times
 * @clock: the task's clock
 * @time: which one
 * @now: ns; when the task comes in, or when somebody looks
 * @interval: filled
 *
 * Return: true if @interval holds an interval.
 */
static inline bool sp_clock_time(const struct sp_clock *clock, enum sp_time time,
				 u64 now, struct sp_interval *interval)
{
	bool off = sp_phase_off_cpu(clock->phase);
	bool asleep = clock->phase == SP_PHASE_ASLEEP;
	u64 woken = READ_ONCE(clock->woken);

	sp_clock_bounds(clock, woken, time, now, &interval->start, &interval->end);
	switch (time) {
	case SP_TIME_ON_CPU:
		interval->open = !off;
		return clock->in_ts;
	case SP_TIME_BLOCKED:
		interval->open = !woken;
		return asleep;
	case SP_TIME_OFF_CPU:
		interval->open = true;
		return off;
	default:
		interval->open = true;
		return off && (!asleep || woken);
	}
}

#endif

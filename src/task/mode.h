/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_MODE_H
#define SP_TASK_MODE_H

#include "lib/task_clock.h"

/*
 * Which time a session profiles. A mode is data, not code: the hot path
 * compares, it does not call through pointers. Adding one of a time that exists is a row
 * in task/mode.c; CONTRIBUTING.md says what a new time takes.
 */
struct sp_mode {
	const char *name;
	enum sp_time time;	/* its intervals are recorded */
	const char *what;	/* heading for people: "off-CPU time" */
};

/* Where one time ends and the other begins is when the task was woken. */
static inline bool sp_mode_needs_wakeups(const struct sp_mode *mode)
{
	return mode->time == SP_TIME_BLOCKED || mode->time == SP_TIME_RUN_QUEUE ||
	       mode->time == SP_TIME_WALL;
}

/* Its intervals may be those of a task that waits for something to happen. */
static inline bool sp_mode_sleeps(const struct sp_mode *mode)
{
	return mode->time == SP_TIME_OFF_CPU || mode->time == SP_TIME_BLOCKED ||
	       mode->time == SP_TIME_WALL;
}

/* CPUs are looked at by a timer, for who keeps them in the kernel. */
static inline bool sp_mode_samples(const struct sp_mode *mode)
{
	return mode->time == SP_TIME_NOSCHED;
}

/* The same, for where tasks are: time on a CPU is that of the stacks that were seen there. */
static inline bool sp_mode_samples_stacks(const struct sp_mode *mode)
{
	return mode->time == SP_TIME_WALL || mode->time == SP_TIME_ON_CPU;
}

/* Functions are instrumented. */
static inline bool sp_mode_profiles_functions(const struct sp_mode *mode)
{
	return mode->time == SP_TIME_FUNCTION;
}

extern const struct sp_mode sp_modes[];
/* Their names, for the control plane; NULL-terminated. */
extern const char *const sp_mode_names[];

#endif

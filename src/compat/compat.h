/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows that kernels differ. The rest is written for the
 * newest kernel; what an older one lacks is made up for here. Features are
 * asked of the kernel's headers, not guessed from a version.
 */
#ifndef SP_COMPAT_H
#define SP_COMPAT_H

/* The callback of sched_switch got the state that prev leaves with. */
#define SP_SWITCH_PROBE_ARGS						\
	void *data, bool preempt, struct task_struct *prev,		\
	struct task_struct *next, unsigned int prev_state

#endif

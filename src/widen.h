/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_WIDEN_H
#define SP_WIDEN_H

/*
 * Between two looks at something that others change without a lock, a processor may
 * be anywhere for any time; but tests would have to wait for long until it is. Built
 * with SCHEDPROF_WIDEN=1, as tests/parallel does and no package, sp_window() is a
 * cpu_relax() there, once in eight times. On hardware, that is a short while; an emulator
 * that runs its processors in turns lets the next one run, so that each window is a place
 * where everything may happen. Not each time: the others must get further than to their
 * own next window. Else it is nothing. No lock.
 */
#include <linux/hash.h>
#include <linux/processor.h>
#include <linux/timex.h>

/* Context: any, also a hook. */
static __always_inline void sp_window(void)
{
#ifdef SP_WIDEN
	if (!hash_32((u32)get_cycles(), 3))
		cpu_relax();
#endif
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_WIDEN_H
#define SP_WIDEN_H

/*
 * Between two looks at something that others change without a lock, a processor may
 * be anywhere for any time; but tests would have to wait for long until it is. Built
 * with SCHEDPROF_WIDEN=1, as tests/parallel does and no package, sp_window() spins
 * there, once in eight times: in half of all cases for a few turns, and each time twice
 * as long in half as many, so that others get to do now a little and now all of what
 * they can do meanwhile. Else it is nothing.
 */
#include <linux/compiler.h>

#ifdef SP_WIDEN
#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/processor.h>
#include <linux/timex.h>

/* Context: any. Bounded: 16384 spins, once in 16384 times. */
static inline void sp_window(void)
{
	u32 random = hash_32((u32)get_cycles(), 16);
	u32 spins = random & 7 ? 0 : 8 << __ffs(random >> 3 | BIT(11));

	while (spins--)
		cpu_relax();
}
#else
static __always_inline void sp_window(void)
{
}
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_WIDEN_H
#define SP_WIDEN_H

/*
 * Between two looks at something that others change without a lock, a processor may
 * be anywhere for any time; but tests would have to wait for long until it is. Built
 * with SCHEDPROF_WIDEN=1, as tests/parallel does and no package, sp_window() spins
 * there: mostly not or shortly, now and then for a while, so that others do all of
 * what they can do meanwhile. Else it is nothing.
 */
#include <linux/compiler.h>

#ifdef SP_WIDEN
#include <linux/hash.h>
#include <linux/processor.h>
#include <linux/timex.h>

/* Context: any. Bounded: 512 spins, once in 64 times. */
static inline void sp_window(void)
{
	u32 random = hash_32((u32)get_cycles(), 16);
	u32 spins = random & 63 ? random >> 6 & 3 : random >> 7;

	while (spins--)
		cpu_relax();
}
#else
static __always_inline void sp_window(void)
{
}
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_WIDEN_H
#define SP_LIB_WIDEN_H

/*
 * Between two looks at something that others change without a lock, a processor may
 * be anywhere for any time; but tests would have to wait for long until it is. Built
 * with SCHEDPROF_WIDEN, as tests/parallel does and no package, sp_window() is some
 * cpu_relax() there: mostly few, but each time as many is half as likely. So there are
 * windows as long as whatever others have to do in one of them, of all lengths in a race
 * that takes several, and yet most of the time is left. An emulator leaves what the
 * processor runs at each cpu_relax() and goes back to it, which takes a microsecond.
 *
 * SCHEDPROF_WIDEN=all widens each window; SCHEDPROF_WIDEN=task/task_table,hook/switch those of
 * these objects, and more, for a race whose sides are known. Else it is nothing.
 * No lock.
 */
#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/processor.h>
#include <linux/timex.h>

static __always_inline void sp_window(void)
{
#ifdef SP_WIDEN
	u32 random = hash_32((u32)get_cycles(), 32);
	u32 times = SP_WIDEN << __ffs(random >> 16 | 1 << 9);

	while (times--)
		cpu_relax();
#endif
}

#endif

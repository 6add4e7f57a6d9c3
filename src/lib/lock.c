// SPDX-License-Identifier: GPL-2.0-only
/*
 * lock: which CPUs are at a lock of ours, see lib/lock.h. Written by the CPU itself with
 * interrupts off.
 */
#include <linux/export.h>

#include "lib/lock.h"
#include "lib/longest.h"

DEFINE_PER_CPU(unsigned int, sp_locks_held);
#ifdef SCHEDPROF_KUNIT
EXPORT_PER_CPU_SYMBOL_GPL(sp_locks_held);
#endif
#ifdef SP_COUNT_CONTENTION
DEFINE_PER_CPU(struct sp_contention, sp_contention);
#endif
#ifdef SP_COUNT_LONGEST
DEFINE_PER_CPU(struct sp_longest, sp_longest);
#endif

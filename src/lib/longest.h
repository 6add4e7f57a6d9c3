/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * longest: how long hooks of switches and wakeups took at most, and how many records were
 * looked at in a chain at most. Built with SCHEDPROF_LONGEST, for tests/torture only; else nothing.
 * Each CPU has its own, and writes it with interrupts off.
 */
#ifndef SP_LIB_LONGEST_H
#define SP_LIB_LONGEST_H

#ifdef SP_COUNT_LONGEST
#include <linux/percpu.h>

#define SP_LONGEST	1

struct sp_longest {
	unsigned long switch_ns;	/* in the hook, of a kprobe or ftrace; */
	unsigned long wakeup_ns;	/* in that of wakeups, of whichever */
	unsigned long stacks;		/* in a chain of a table: stacks, */
	unsigned long entries;
	unsigned long tasks;		/* clocks of tasks */
};

DECLARE_PER_CPU(struct sp_longest, sp_longest);

#define sp_longest_note(what, value)						\
do {										\
	unsigned long sp_value = (value);					\
										\
	if (unlikely(raw_cpu_read(sp_longest.what) < sp_value))			\
		raw_cpu_write(sp_longest.what, sp_value);			\
} while (0)
#else
#define SP_LONGEST	0
#define sp_longest_note(what, value)	((void)(value))
#endif

#endif

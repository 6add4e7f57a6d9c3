// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol: functions of the kernel by name. Modules cannot ask kallsyms; but who registers a kprobe
 * is told where it is. No lock.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>

#include "lib/symbol.h"

static unsigned long find(const char *name, u32 *flags)
{
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (register_kprobe(&probe))
		return 0;
	*flags = probe.flags;
	unregister_kprobe(&probe);
	return (unsigned long)probe.addr;
}

/**
 * sp_symbol_find() - where a probe on a name would be
 * @name: as in /proc/kallsyms
 *
 * Context: process, may sleep.
 * Return: its address; 0: there is no such function, or no probe can be there.
 */
unsigned long sp_symbol_find(const char *name)
{
	u32 flags;

	return find(name, &flags);
}

/**
 * sp_symbol_behind_ftrace() - where a probe sees the same, and is not part of ftrace
 * @name: as above
 *
 * So it can be removed while ftrace is off, and sees what happens then. Behind the call to
 * ftrace at the entry of a function, registers and stack are as they were.
 *
 * Context: process, may sleep.
 * Return: the address; 0: no such function, or one on its entry is not part of ftrace.
 */
unsigned long sp_symbol_behind_ftrace(const char *name)
{
#ifdef CONFIG_KPROBES_ON_FTRACE
	u32 flags = 0;
	unsigned long at = find(name, &flags);

	if (at && flags & KPROBE_FLAG_FTRACE)
		return at + MCOUNT_INSN_SIZE;
#endif
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol: functions of the kernel by name. Modules cannot ask kallsyms; but who registers a kprobe
 * is told where it is. No lock.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>

#include "lib/symbol.h"

static unsigned long find(const char *name, bool beyond_ftrace)
{
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long at;

	if (register_kprobe(&probe))
		return 0;
	at = (unsigned long)probe.addr;
#ifdef CONFIG_KPROBES_ON_FTRACE
	if (beyond_ftrace && probe.flags & KPROBE_FLAG_FTRACE)
		at += MCOUNT_INSN_SIZE;
#endif
	unregister_kprobe(&probe);
	return at;
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
	return find(name, false);
}

/**
 * sp_symbol_beyond_ftrace() - where a probe sees the same, and is not part of ftrace
 * @name: as above
 *
 * So it can be removed while ftrace is off, and sees what happens then. Behind the call to
 * ftrace at the entry of a function, registers and stack are as they were.
 *
 * Context: process, may sleep.
 * Return: the address, or 0, as above.
 */
unsigned long sp_symbol_beyond_ftrace(const char *name)
{
	return find(name, true);
}

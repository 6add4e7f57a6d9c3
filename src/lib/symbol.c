// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol: functions of the kernel by name. Modules cannot ask kallsyms; but who registers a kprobe
 * is told where it is. No lock.
 */
#include <linux/kprobes.h>

#include "lib/symbol.h"

/**
 * sp_symbol_find() - where a probe on a name would be
 * @name: as in /proc/kallsyms
 *
 * Context: process, may sleep.
 * Return: its address; 0: there is no such function, or no probe can be there.
 */
unsigned long sp_symbol_find(const char *name)
{
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long at;

	if (register_kprobe(&probe))
		return 0;
	at = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return at;
}

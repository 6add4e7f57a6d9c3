// SPDX-License-Identifier: GPL-2.0-only
/* Since 6.12: what is in them has a name of its own. */
#include <linux/ftrace.h>

struct pt_regs *sp_try(struct ftrace_regs *regs)
{
	return &arch_ftrace_regs(regs)->regs;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Since 5.11: functions that ftrace calls get arguments only, unless they ask. */
#include <linux/ftrace.h>

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error not configured
#endif

static void on_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
		    struct ftrace_regs *regs)
{
}

void sp_try(struct ftrace_ops *ops, ftrace_func_t function)
{
	ops->func = on_call;
}

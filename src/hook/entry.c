// SPDX-License-Identifier: GPL-2.0-only
/*
 * entry: what the backends that probe entries of functions share. See
 * hook/entry.h. No lock: nothing here changes after the module was loaded.
 */
#include <linux/module.h>

#include "hook/entry.h"

char *sp_switch_functions[SP_MAX_CANDIDATES] = {
	"finish_task_switch", "finish_task_switch.isra.0",
	"finish_task_switch.constprop.0",
};

unsigned int sp_switch_function_count = 3;
module_param_array_named(switch_kprobes, sp_switch_functions, charp,
			 &sp_switch_function_count, 0444);
MODULE_PARM_DESC(switch_kprobes, "functions to probe for context switches, best first; the first argument must be the task that left, current the one that came");

char *sp_wakeup_functions[SP_MAX_CANDIDATES] = {
	"try_to_wake_up", "try_to_wake_up.isra.0",
};

unsigned int sp_wakeup_function_count = 2;
module_param_array_named(wakeup_kprobes, sp_wakeup_functions, charp,
			 &sp_wakeup_function_count, 0444);
MODULE_PARM_DESC(wakeup_kprobes, "functions to probe for wakeups, best first; the arguments must be the task and the states to wake it from");

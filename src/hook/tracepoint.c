// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracepoint: scheduler events through the kernel's own tracepoints.
 *
 * sched_switch fires before the switch: current is the task that leaves, the
 * one that comes lies still on its stack, and the run queue lock is held.
 * sched_waking fires in the waker's context, before the state changes.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "compat/compat.h"
#include "hook/backend.h"
#include "hook/check.h"
#include "hook/switch.h"
#include "lib/tracepoint.h"
#include "record/plain.h"

static void on_switch(SP_SWITCH_PROBE_ARGS)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (unlikely(sp_cpu_is_measured(cpu)))
		sp_hot_switch_measured(prev, next, NULL);
	else if (unlikely(!sp_plain_switch(cpu, prev, next, NULL, false)))
		sp_hot_switch(prev, next, NULL);
}

static void on_wakeup(void *data, struct task_struct *task)
{
	/* Pairs with sp_check_end(). */
	if (unlikely(smp_load_acquire(&sp_unproved[SP_ROLE_WAKEUP])))
		sp_check_wakeup(task);
	else
		/* It will be woken, from whatever state it is in. */
		sp_hot_wakeup(task, ~0U, NULL, (unsigned long)__builtin_frame_address(0));
}

static void *const handlers[SP_ROLES] = {
	[SP_ROLE_SWITCH] = on_switch,
	[SP_ROLE_WAKEUP] = on_wakeup,
};

/* Changed under the hook mutex only. */
static struct tracepoint *armed[SP_ROLES];

static int tracepoint_hook_arm(enum sp_role role, const char *symbol)
{
	struct tracepoint *found = sp_tracepoint_find(symbol);
	int err;

	if (!found)
		return -ENOENT;
	if (role == SP_ROLE_WAKEUP)
		sp_unwind_waker_glue(found->iterator);
	err = tracepoint_probe_register(found, handlers[role], NULL);
	if (!err)
		armed[role] = found;
	return err;
}

static void tracepoint_hook_disarm(enum sp_role role)
{
	tracepoint_probe_unregister(armed[role], handlers[role], NULL);
	armed[role] = NULL;
	/* Waits until no handler runs. */
	tracepoint_synchronize_unregister();
}

static void enter_or_leave(void)
{
}

/* Nobody can switch tracepoints off for others. */
static const char *tracepoint_hook_silenced(enum sp_role role)
{
	return NULL;
}

static void tracepoint_hook_describe(enum sp_role role, struct sp_probe *probe)
{
	probe->how = "tracepoint";
}

static char *switch_symbols[SP_MAX_CANDIDATES] = { "sched_switch" };
static unsigned int switch_count = 1;
module_param_array_named(switch_tracepoints, switch_symbols, charp, &switch_count, 0444);
MODULE_PARM_DESC(switch_tracepoints, "tracepoints for context switches, with the arguments of sched_switch");

static char *wakeup_symbols[SP_MAX_CANDIDATES] = { "sched_waking" };
static unsigned int wakeup_count = 1;
module_param_array_named(wakeup_tracepoints, wakeup_symbols, charp, &wakeup_count, 0444);
MODULE_PARM_DESC(wakeup_tracepoints, "tracepoints for wakeups, with the arguments of sched_waking");

const struct sp_backend sp_tracepoint_backend = {
	.name = "tracepoint",
	.enter = enter_or_leave,
	.leave = enter_or_leave,
	.silenced = tracepoint_hook_silenced,
	.candidates = {
		[SP_ROLE_SWITCH] = { switch_symbols, &switch_count },
		[SP_ROLE_WAKEUP] = { wakeup_symbols, &wakeup_count },
	},
	.arm = tracepoint_hook_arm,
	.disarm = tracepoint_hook_disarm,
	.describe = tracepoint_hook_describe,
};

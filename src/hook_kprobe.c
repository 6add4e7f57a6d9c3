// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_kprobe: scheduler events through kprobes.
 *
 * finish_task_switch() is entered once per context switch on every kernel,
 * with interrupts off, on the stack of the task that comes in: its argument
 * is the task that left, current the one that came. The compiler may have
 * given it a suffix. Functions that older profilers probed (activate_task,
 * __schedule, ...) are inlined or not one to one with switches.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>

#include "hook.h"
#include "hot.h"

static int on_switch(struct kprobe *probe, struct pt_regs *regs)
{
	struct sp_place place;

	sp_place_of_returning(&place, regs);
	sp_hot_switch((void *)regs_get_kernel_argument(regs, 0), current,
		      &place, SP_REACH_NEXT);
	return 0;
}
NOKPROBE_SYMBOL(on_switch);

static int on_wakeup(struct kprobe *probe, struct pt_regs *regs)
{
	sp_hot_wakeup((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}
NOKPROBE_SYMBOL(on_wakeup);

/* Changed under the hook mutex only. */
static struct kprobe probes[SP_ROLES];

static int arm(enum sp_role role, const char *symbol)
{
	static const kprobe_pre_handler_t handlers[SP_ROLES] = {
		[SP_ROLE_SWITCH] = on_switch,
		[SP_ROLE_WAKEUP] = on_wakeup,
	};

	/* A kprobe that was registered before carries an address and flags. */
	probes[role] = (struct kprobe) {
		.symbol_name = symbol,
		.pre_handler = handlers[role],
	};
	return register_kprobe(&probes[role]);
}

static void disarm(enum sp_role role)
{
	/* Waits until no handler runs (synchronize_rcu() inside). */
	unregister_kprobe(&probes[role]);
}

static void describe(enum sp_role role, struct sp_probe *probe)
{
	const struct kprobe *kp = &probes[role];

	if (kp->flags & KPROBE_FLAG_FTRACE)
		probe->how = "ftrace";
	else if (kp->flags & KPROBE_FLAG_OPTIMIZED)
		probe->how = "optimized";
	else
		probe->how = "int3";
	probe->misses = kp->nmissed;
}

static const char *const switch_symbols[] = {
	"finish_task_switch", "finish_task_switch.isra.0",
	"finish_task_switch.constprop.0", NULL
};

static const char *const wakeup_symbols[] = {
	"try_to_wake_up", "try_to_wake_up.isra.0", NULL
};

const struct sp_backend sp_kprobe_backend = {
	.name = "kprobe",
	.candidates = {
		[SP_ROLE_SWITCH] = switch_symbols,
		[SP_ROLE_WAKEUP] = wakeup_symbols,
	},
	.arm = arm,
	.disarm = disarm,
	.describe = describe,
};

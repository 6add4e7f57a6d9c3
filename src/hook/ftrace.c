// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace: scheduler events through ftrace, without a kprobe in between.
 *
 * The same functions as in hook/kprobe.c, called by ftrace itself: where a kprobe
 * there costs 156 instructions, this costs 34 (6.1). Built on x86-64, where ftrace
 * hands over the frame pointer as well. While it is armed, ftrace cannot be
 * switched off, as with a live patch (FTRACE_OPS_FL_PERMANENT); where it is off
 * already, arming fails.
 *
 * ftrace calls a function of a module that asked for no protection (no
 * FTRACE_OPS_FL_RECURSION) from wherever it was entered, so nothing here may lead
 * there again: a hook neither switches nor wakes. If somebody else observes the same
 * function, ftrace calls all of them and guards them together, once for each of task,
 * softirq, interrupt and NMI; then too, no event of ours can be inside of another.
 *
 * The hook mutex protects all. A handler only reads what was there before it was
 * armed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include "compat/compat.h"
#include "hook/backend.h"
#include "lib/canary.h"
#include "hook/entry.h"
#include "lib/worker.h"

/* The kernel could not remove it, so it is called for ever. */
static bool stuck[SP_ROLES];

static void notrace on_switch(unsigned long ip, unsigned long parent,
			      struct ftrace_ops *ops, SP_FTRACE_REGS *fregs)
{
	if (likely(!READ_ONCE(stuck[SP_ROLE_SWITCH])))
		sp_entry_switch(sp_ftrace_pt_regs(fregs));
}

/* It may be entered with everything on; whoever disarms waits for those that are off. */
static void notrace on_wakeup(unsigned long ip, unsigned long parent,
			      struct ftrace_ops *ops, SP_FTRACE_REGS *fregs)
{
	preempt_disable_notrace();
	if (likely(!READ_ONCE(stuck[SP_ROLE_WAKEUP])))
		sp_entry_wakeup(sp_ftrace_pt_regs(fregs));
	preempt_enable_notrace();
}

#define OPS(function) {							\
	.func = (function),						\
	.flags = FTRACE_OPS_FL_PERMANENT | SP_FTRACE_FLAGS,		\
}

static struct ftrace_ops ops[SP_ROLES] = {
	[SP_ROLE_SWITCH] = OPS(on_switch),
	[SP_ROLE_WAKEUP] = OPS(on_wakeup),
};

struct change {
	struct ftrace_ops *ops;
	const char *symbol;
};

/* Gives the memory of the list back. */
static void forget_symbol(struct ftrace_ops *ops)
{
	ftrace_set_filter(ops, NULL, 0, 1);
}

static int do_arm(void *data)
{
	struct change *change = data;
	unsigned char name[KSYM_NAME_LEN];
	int err;

	strscpy(name, change->symbol, sizeof(name));
	err = ftrace_set_filter(change->ops, name, strlen(name), 1);
	/* It knows no such function, or cannot see its entry. */
	if (err == -EINVAL)
		return -ENOENT;
	if (!err)
		err = register_ftrace_function(change->ops);
	if (err)
		forget_symbol(change->ops);
	return err;
}

static int do_disarm(void *data)
{
	struct change *change = data;
	int err = unregister_ftrace_function(change->ops);

	if (!err)
		forget_symbol(change->ops);
	return err;
}

static int ftrace_hook_arm(enum sp_role role, const char *symbol)
{
	struct change change = { &ops[role], symbol };

	return stuck[role] ? -EBUSY : sp_in_worker(do_arm, &change);
}

static void ftrace_hook_disarm(enum sp_role role)
{
	struct change change = { &ops[role] };

	/* Waits until no handler runs (FTRACE_OPS_FL_DYNAMIC in ftrace_shutdown()). */
	if (!sp_in_worker(do_disarm, &change))
		return;
	__module_get(THIS_MODULE);
	WRITE_ONCE(stuck[role], true);
	synchronize_rcu();
	pr_err("the kernel could not remove the ftrace hook of the role %d; the module stays loaded and uses another hook\n",
	       role);
}

static void enter_or_leave(void)
{
}

static const char *ftrace_hook_silenced(enum sp_role role)
{
	return sp_canary_ftrace_is_off() ? "ftrace_is_off" : NULL;
}

static void ftrace_hook_describe(enum sp_role role, struct sp_probe *probe)
{
	probe->how = "ftrace";
}

const struct sp_backend sp_ftrace_backend = {
	.name = "ftrace",
	.enter = enter_or_leave,
	.leave = enter_or_leave,
	.silenced = ftrace_hook_silenced,
	.candidates = SP_ENTRY_CANDIDATES,
	.arm = ftrace_hook_arm,
	.disarm = ftrace_hook_disarm,
	.describe = ftrace_hook_describe,
};

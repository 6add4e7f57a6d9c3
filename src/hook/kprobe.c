// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe: scheduler events through kprobes at the entries of functions,
 * see hook/entry.h.
 *
 * One mutex, taken after the hook mutex; a handler only reads what was there
 * before it was armed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "compat/compat.h"
#include "hook/backend.h"
#include "lib/canary.h"
#include "hook/entry.h"
#include "lib/park.h"
#include "lib/worker.h"

static int on_switch(struct kprobe *probe, struct pt_regs *regs)
{
	sp_entry_switch(regs);
	return 0;
}
NOKPROBE_SYMBOL(on_switch);

static int on_wakeup(struct kprobe *probe, struct pt_regs *regs)
{
	sp_entry_wakeup(regs);
	return 0;
}
NOKPROBE_SYMBOL(on_wakeup);

static int on_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(on_nothing);

static DEFINE_MUTEX(mutex);	/* protects probes and their states */
static struct kprobe probes[SP_ROLES];
static enum state {
	FREE,
	ARMED,
	PARKED,			/* removed once ftrace is on again */
	STUCK,			/* the kernel could not remove it */
} states[SP_ROLES];
static struct sp_parked parked[SP_ROLES];

/*
 * Reads of user memory that is not there. Only kernels up to 5.13 tell of them,
 * and those write the probe's count of misses, which all CPUs share, as well.
 */
static atomic_long_t faults[SP_ROLES];

static int on_fault(struct kprobe *probe, struct pt_regs *regs, int trap)
{
	atomic_long_inc(&faults[probe - probes]);
	return 0;
}
NOKPROBE_SYMBOL(on_fault);

static int do_register(void *probe)
{
	return register_kprobe(probe);
}

static int do_unregister(void *data)
{
	struct kprobe *probe = data;

	unregister_kprobe(probe);
	/* How a failure shows, since no kernel returns it. */
	return probe->addr ? 0 : -EBUSY;
}

/* It may fire still, and does nothing. */
static void make_mute(enum sp_role role, enum state state)
{
	lockdep_assert_held(&mutex);
	states[role] = state;
	WRITE_ONCE(probes[role].pre_handler, on_nothing);
	synchronize_rcu();
}

static void remove_probe(enum sp_role role)
{
	lockdep_assert_held(&mutex);
	/* Waits until no handler runs (synchronize_rcu() inside). */
	if (!sp_in_worker(do_unregister, &probes[role])) {
		states[role] = FREE;
		return;
	}
	make_mute(role, STUCK);
	__module_get(THIS_MODULE);
	pr_err("the kernel could not remove the kprobe on %s; the module stays loaded and uses another hook\n",
	       probes[role].symbol_name);
}

/* See lib/park.c for why. Without ftrace in it, a kprobe just goes. */
static bool may_go(enum sp_role role)
{
	return !(probes[role].flags & KPROBE_FLAG_FTRACE) ||
	       sp_canary_ask() != SP_SILENCE_FTRACE;
}

static void remove_parked(struct sp_parked *probe)
{
	mutex_lock(&mutex);
	remove_probe(probe - parked);
	mutex_unlock(&mutex);
}

static const char *kprobe_hook_silenced(void)
{
	switch (sp_canary_ask()) {
	case SP_SILENCE_KPROBES:
		return "kprobes_are_off";
	case SP_SILENCE_FTRACE:
		return "ftrace_is_off";
	default:
		return NULL;
	}
}

static int kprobe_hook_arm(enum sp_role role, const char *symbol)
{
	static const kprobe_pre_handler_t handlers[SP_ROLES] = {
		[SP_ROLE_SWITCH] = on_switch,
		[SP_ROLE_WAKEUP] = on_wakeup,
	};
	int err = -EBUSY;

	/* Perhaps the last one is still there. */
	sp_unpark();
	mutex_lock(&mutex);
	if (states[role] == FREE) {
		/* One that was registered before carries an address and flags. */
		probes[role] = (struct kprobe) {
			.symbol_name = symbol,
			.pre_handler = handlers[role],
		};
		atomic_long_set(&faults[role], 0);
		sp_kprobe_on_fault(&probes[role], on_fault);
		err = sp_in_worker(do_register, &probes[role]);
		if (!err)
			states[role] = ARMED;
	}
	mutex_unlock(&mutex);
	return err;
}

static void kprobe_hook_disarm(enum sp_role role)
{
	bool now;

	mutex_lock(&mutex);
	now = may_go(role);
	if (now)
		remove_probe(role);
	else
		make_mute(role, PARKED);
	mutex_unlock(&mutex);
	if (now)
		return;
	parked[role].remove = remove_parked;
	sp_park(&parked[role], "kprobe", probes[role].symbol_name);
}

static void kprobe_hook_leave(void)
{
	sp_park_exit();
	sp_canary_exit();
}

static void kprobe_hook_describe(enum sp_role role, struct sp_probe *probe)
{
	const struct kprobe *kp = &probes[role];
	unsigned long nmissed, not_missed;

	if (kp->flags & KPROBE_FLAG_FTRACE)
		probe->how = "ftrace";
	else if (kp->flags & KPROBE_FLAG_OPTIMIZED)
		probe->how = "optimized";
	else
		probe->how = "int3";
	/* Neither order is exact; this one rather hides a miss for a moment. */
	nmissed = READ_ONCE(kp->nmissed);
	not_missed = atomic_long_read(&faults[role]);
	probe->misses = nmissed - min(nmissed, not_missed);
}

const struct sp_backend sp_kprobe_backend = {
	.name = "kprobe",
	.enter = sp_canary_init,
	.leave = kprobe_hook_leave,
	.silenced = kprobe_hook_silenced,
	.candidates = SP_ENTRY_CANDIDATES,
	.arm = kprobe_hook_arm,
	.disarm = kprobe_hook_disarm,
	.describe = kprobe_hook_describe,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe: scheduler events through kprobes on functions, see hook/entry.h.
 *
 * A kprobe on an entry that calls ftrace goes through ftrace (156 instructions on 6.1).
 * One right behind that call finds the same registers and the same stack, and some
 * seconds later the kernel has turned it into a jump (98). So that is where the probe is.
 * Where there is no jump after ten seconds, one on the entry takes over.
 *
 * Until it is a jump, the probe is a breakpoint, whose handler counts as an NMI on x86: so
 * hooks must stand that. It cannot come at any time, as an NMI does, but only where the
 * probe is, so what other contexts keep out of their own way is not interrupted.
 *
 * One mutex, taken after the hook mutex; a handler only reads what was there
 * before it was armed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/stop_machine.h>

#include "compat/compat.h"
#include "hook/backend.h"
#include "lib/canary.h"
#include "hook/entry.h"
#include "lib/park.h"
#include "lib/symbol.h"
#include "lib/worker.h"

/* The optimizer waits for all tasks to leave what was preempted (kernel/kprobes.c). */
#define JUMP_WITHIN	(10 * HZ)

static int on_switch(struct kprobe *probe, struct pt_regs *regs)
{
	sp_entry_switch(regs);
	return 0;
}
NOKPROBE_SYMBOL(on_switch);

/* All handlers see the address behind the probe's first byte, also where nothing was run. */
static int on_wakeup(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);

	instruction_pointer_set(regs, (unsigned long)probe->addr);
	sp_entry_wakeup(regs);
	instruction_pointer_set(regs, ip);
	return 0;
}
NOKPROBE_SYMBOL(on_wakeup);

static int on_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(on_nothing);

static const kprobe_pre_handler_t handlers[SP_ROLES] = {
	[SP_ROLE_SWITCH] = on_switch,
	[SP_ROLE_WAKEUP] = on_wakeup,
};

static DEFINE_MUTEX(mutex);	/* protects probes and their states */
static struct probe {
	struct kprobe entry;
	struct kprobe behind;	/* ftrace's call at the entry */
	struct kprobe *armed;	/* which of them handles events */
	const char *symbol;
	enum {
		FREE,
		ARMED,
		PARKED,		/* removed once ftrace is on again */
		STUCK,		/* the kernel could not remove it */
	} state;
	bool no_jump;		/* the kernel did not make one, so do not try again */
	unsigned long taken_over;	/* misses of the one that the entry took over from */
	unsigned long wait_from;	/* jiffies; it was a jump then, or was just armed */
	struct sp_parked parked;
	/*
	 * Reads of user memory that is not there. Only kernels up to 5.13 tell of them,
	 * and those write the probe's count of misses, which all CPUs share, as well.
	 */
	atomic_long_t faults;
} probes[SP_ROLES];

static int on_fault(struct kprobe *kp, struct pt_regs *regs, int trap)
{
	struct probe *probe = probes;

	while (kp != &probe->entry && kp != &probe->behind)
		probe++;
	atomic_long_inc(&probe->faults);
	return 0;
}
NOKPROBE_SYMBOL(on_fault);

static bool is_jump(const struct kprobe *kp)
{
	/* Of x86; elsewhere the kernel makes no such jumps. */
	return IS_ENABLED(CONFIG_OPTPROBES) && READ_ONCE(*(u8 *)kp->addr) == 0xe9;
}

/* One that was registered before carries an address and flags. */
static int register_one(struct kprobe *kp, const struct kprobe *as)
{
	*kp = *as;
	sp_kprobe_on_fault(kp, on_fault);
	return register_kprobe(kp);
}

/* Where a probe can become a jump that one on the entry cannot; NULL: nowhere. */
static void *behind_call(const struct probe *probe)
{
	if (!IS_ENABLED(CONFIG_OPTPROBES) || probe->no_jump)
		return NULL;
	return (void *)sp_symbol_behind_ftrace(probe->symbol);
}

static int do_register(void *data)
{
	struct probe *probe = data;
	kprobe_pre_handler_t handler = handlers[probe - probes];
	const struct kprobe entry = { .symbol_name = probe->symbol, .pre_handler = handler };
	const struct kprobe behind = {
		.addr = behind_call(probe),
		.pre_handler = handler,
	};

	/* That of another time, which has been counted. */
	probe->taken_over = 0;
	if (behind.addr) {
		probe->wait_from = jiffies;
		probe->armed = &probe->behind;
		if (!register_one(&probe->behind, &behind))
			return 0;
		probe->no_jump = true;
	}
	probe->armed = &probe->entry;
	return register_one(&probe->entry, &entry);
}

static int do_unregister(void *data)
{
	struct kprobe *kp = data;

	unregister_kprobe(kp);
	/* How a failure shows, since no kernel returns it. */
	return kp->addr ? 0 : -EBUSY;
}

/* It may fire still, and does nothing. */
static void make_mute(struct probe *probe)
{
	lockdep_assert_held(&mutex);
	WRITE_ONCE(probe->armed->pre_handler, on_nothing);
	synchronize_rcu();
}

static void stay_for_ever(const struct probe *probe, const char *what)
{
	__module_get(THIS_MODULE);
	pr_err("the kernel could not remove the kprobe on %s; the module stays loaded%s\n",
	       probe->symbol, what);
}

static void remove_probe(struct probe *probe)
{
	lockdep_assert_held(&mutex);
	/* Waits until no handler runs (synchronize_rcu() inside). */
	if (!sp_in_worker(do_unregister, probe->armed)) {
		probe->state = FREE;
		return;
	}
	probe->state = STUCK;
	make_mute(probe);
	stay_for_ever(probe, " and uses another hook");
}

/* See lib/park.c for why. Without ftrace in it, a kprobe just goes. */
static bool may_go(const struct probe *probe)
{
	return !(probe->armed->flags & KPROBE_FLAG_FTRACE) ||
	       sp_canary_ask() != SP_SILENCE_FTRACE;
}

static void remove_parked(struct sp_parked *parked)
{
	mutex_lock(&mutex);
	remove_probe(container_of(parked, struct probe, parked));
	mutex_unlock(&mutex);
}

/* Where the probe is behind ftrace's call, it does not matter whether ftrace is on. */
static const char *kprobe_hook_silenced(enum sp_role role)
{
	bool ftraced = !IS_ENABLED(CONFIG_OPTPROBES) || probes[role].no_jump;

	switch (sp_canary_ask()) {
	case SP_SILENCE_KPROBES:
		return "kprobes_are_off";
	case SP_SILENCE_FTRACE:
		return ftraced ? "ftrace_is_off" : NULL;
	default:
		return NULL;
	}
}

static int kprobe_hook_arm(enum sp_role role, const char *symbol)
{
	struct probe *probe = &probes[role];
	int err = -EBUSY;

	/* Perhaps the last one is still there. */
	sp_unpark();
	mutex_lock(&mutex);
	if (probe->state == FREE) {
		probe->symbol = symbol;
		atomic_long_set(&probe->faults, 0);
		err = sp_in_worker(do_register, probe);
		if (!err)
			probe->state = ARMED;
	}
	mutex_unlock(&mutex);
	return err;
}

static void kprobe_hook_disarm(enum sp_role role)
{
	struct probe *probe = &probes[role];
	bool now;

	mutex_lock(&mutex);
	now = may_go(probe);
	if (now) {
		remove_probe(probe);
	} else {
		probe->state = PARKED;
		make_mute(probe);
	}
	mutex_unlock(&mutex);
	if (now)
		return;
	probe->parked.remove = remove_parked;
	sp_park(&probe->parked, "kprobe", probe->symbol);
}

static int do_register_entry(void *data)
{
	struct probe *probe = data;
	const struct kprobe mute = { .symbol_name = probe->symbol, .pre_handler = on_nothing };

	return register_one(&probe->entry, &mute);
}

/*
 * Interrupts are off everywhere. So they are from the entry of the function that ends a
 * switch to the probe behind ftrace's call: no switch is seen twice, or not at all. A
 * waker may be stopped between the two: then nobody knows when it woke the task.
 */
static int entry_takes_over(void *data)
{
	struct probe *probe = data;

	WRITE_ONCE(probe->entry.pre_handler, handlers[probe - probes]);
	WRITE_ONCE(probe->behind.pre_handler, on_nothing);
	return 0;
}

/* Has it been a breakpoint for so long that it will hardly become a jump? */
static bool waits_in_vain(struct probe *probe)
{
	lockdep_assert_held(&mutex);
	if (probe->state != ARMED || probe->armed != &probe->behind)
		return false;
	if (is_jump(&probe->behind))
		probe->wait_from = jiffies;
	/* Without ftrace, a breakpoint is better than an entry that nobody sees. */
	return time_after(jiffies, probe->wait_from + JUMP_WITHIN) &&
	       sp_canary_ask() != SP_SILENCE_FTRACE;
}

static void kprobe_hook_settle(enum sp_role role)
{
	struct probe *probe = &probes[role];

	mutex_lock(&mutex);
	if (!waits_in_vain(probe))
		goto out;
	probe->wait_from = jiffies;
	if (sp_in_worker(do_register_entry, probe))
		goto out;
	stop_machine(entry_takes_over, probe, NULL);
	probe->armed = &probe->entry;
	probe->taken_over = READ_ONCE(probe->behind.nmissed);
	probe->no_jump = true;
	pr_info("the kernel makes no jump of the kprobe behind the entry of %s (see debug.kprobes-optimization); the one on the entry, which costs more, took over\n",
		probe->symbol);
	if (sp_in_worker(do_unregister, &probe->behind))
		stay_for_ever(probe, "");
out:
	mutex_unlock(&mutex);
}

static void kprobe_hook_leave(void)
{
	sp_park_exit();
	sp_canary_exit();
}

static void kprobe_hook_describe(enum sp_role role, struct sp_probe *probe)
{
	struct probe *own = &probes[role];
	unsigned long nmissed;

	if (own->armed->flags & KPROBE_FLAG_FTRACE)
		probe->how = "ftrace";
	else
		probe->how = is_jump(own->armed) ? "jump" : "int3";
	probe->remark = own->no_jump ? " jump=not_made" : "";
	nmissed = READ_ONCE(own->armed->nmissed) + own->taken_over;
	probe->misses = sp_kprobe_misses(nmissed, atomic_long_read(&own->faults));
}

const struct sp_backend sp_kprobe_backend = {
	.name = "kprobe",
	.enter = sp_canary_init,
	.leave = kprobe_hook_leave,
	.silenced = kprobe_hook_silenced,
	.candidates = SP_ENTRY_CANDIDATES,
	.arm = kprobe_hook_arm,
	.disarm = kprobe_hook_disarm,
	.settle = kprobe_hook_settle,
	.describe = kprobe_hook_describe,
};

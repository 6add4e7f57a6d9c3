// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_kprobe: scheduler events through kprobes.
 *
 * finish_task_switch() is entered once per context switch on every kernel,
 * with interrupts off, on the stack of the task that comes in: its argument
 * is the task that left, current the one that came. The compiler may have
 * given it a suffix. Functions that older profilers probed (activate_task,
 * __schedule, ...) are inlined or not one to one with switches.
 *
 * One mutex, taken after the hook mutex; a handler only reads what was there
 * before it was armed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "hook.h"
#include "hook_canary.h"
#include "hot.h"

static int on_switch(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *prev = (void *)regs_get_kernel_argument(regs, 0);
	struct sp_place place;

	/* Pairs with sp_check_end(). */
	if (unlikely(smp_load_acquire(&sp_unproved[SP_ROLE_SWITCH]))) {
		sp_check_switch(prev, current);
		return 0;
	}
	sp_place_of_returning(&place, regs);
	sp_hot_switch(prev, current, &place, SP_REACH_NEXT);
	return 0;
}
NOKPROBE_SYMBOL(on_switch);

static int on_wakeup(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);

	/* Pairs with sp_check_end(). */
	if (unlikely(smp_load_acquire(&sp_unproved[SP_ROLE_WAKEUP])))
		sp_check_wakeup(task);
	else
		sp_hot_wakeup(task, regs_get_kernel_argument(regs, 1), regs);
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

struct job {
	struct work_struct work;
	struct kprobe *probe;
	int err;
};

static void do_register(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	job->err = register_kprobe(job->probe);
}

static void do_unregister(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	unregister_kprobe(job->probe);
	/* How a failure shows, since no kernel returns it. */
	job->err = job->probe->addr ? 0 : -EBUSY;
}

/*
 * Arming and disarming allocate memory in ftrace, which warns and loses count
 * of its probes if there is none. A worker's small allocations do not fail;
 * those of the task that writes to configfs can, if it is being killed for
 * lack of memory (tsk_is_oom_victim() in __alloc_pages_slowpath()).
 */
static int in_worker(work_func_t function, struct kprobe *probe)
{
	struct job job = { .probe = probe };

	INIT_WORK_ONSTACK(&job.work, function);
	schedule_work(&job.work);
	flush_work(&job.work);
	destroy_work_on_stack(&job.work);
	return job.err;
}

/* It may fire, and must not go away. */
static void keep(enum sp_role role, enum state state)
{
	lockdep_assert_held(&mutex);
	if (states[role] == ARMED)
		__module_get(THIS_MODULE);
	states[role] = state;
	WRITE_ONCE(probes[role].pre_handler, on_nothing);
	synchronize_rcu();
}

static void unhook(enum sp_role role)
{
	lockdep_assert_held(&mutex);
	/* Waits until no handler runs (synchronize_rcu() inside). */
	if (in_worker(do_unregister, &probes[role])) {
		keep(role, STUCK);
		pr_err("the kernel could not remove the kprobe on %s; the module stays loaded and uses another hook\n",
		       probes[role].symbol_name);
		return;
	}
	if (states[role] == PARKED)
		module_put(THIS_MODULE);
	states[role] = FREE;
}

/* See hook_canary.c for why. Without ftrace in it, a kprobe just goes. */
static bool may_go(enum sp_role role)
{
	return !(probes[role].flags & KPROBE_FLAG_FTRACE) ||
	       sp_canary_ask() != SP_SILENCE_FTRACE;
}

static void do_unpark(struct work_struct *work);
static DECLARE_DELAYED_WORK(unpark, do_unpark);

static void try_unpark(void)
{
	enum sp_role role;

	lockdep_assert_held(&mutex);
	for (role = 0; role < SP_ROLES; role++) {
		if (states[role] == PARKED && may_go(role))
			unhook(role);
		if (states[role] == PARKED)
			schedule_delayed_work(&unpark, HZ);
	}
}

static void do_unpark(struct work_struct *work)
{
	mutex_lock(&mutex);
	try_unpark();
	mutex_unlock(&mutex);
}

static const char *silenced(void)
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

static int arm(enum sp_role role, const char *symbol)
{
	static const kprobe_pre_handler_t handlers[SP_ROLES] = {
		[SP_ROLE_SWITCH] = on_switch,
		[SP_ROLE_WAKEUP] = on_wakeup,
	};
	int err = -EBUSY;

	mutex_lock(&mutex);
	try_unpark();
	if (states[role] == FREE) {
		/* One that was registered before carries an address and flags. */
		probes[role] = (struct kprobe) {
			.symbol_name = symbol,
			.pre_handler = handlers[role],
		};
		atomic_long_set(&faults[role], 0);
		sp_kprobe_on_fault(&probes[role], on_fault);
		err = in_worker(do_register, &probes[role]);
		if (!err)
			states[role] = ARMED;
	}
	mutex_unlock(&mutex);
	return err;
}

static void disarm(enum sp_role role)
{
	mutex_lock(&mutex);
	if (may_go(role)) {
		unhook(role);
	} else {
		keep(role, PARKED);
		schedule_delayed_work(&unpark, HZ);
		pr_warn("ftrace is off, so the kprobe on %s cannot be removed yet; the module stays loaded until sysctl kernel.ftrace_enabled=1\n",
			probes[role].symbol_name);
	}
	mutex_unlock(&mutex);
}

/* What do_unpark() does after module_put() must be over. */
static void leave(void)
{
	cancel_delayed_work_sync(&unpark);
	sp_canary_exit();
}

static void describe(enum sp_role role, struct sp_probe *probe)
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

static char *switch_symbols[SP_MAX_CANDIDATES] = {
	"finish_task_switch", "finish_task_switch.isra.0",
	"finish_task_switch.constprop.0",
};

static unsigned int switch_count = 3;
module_param_array_named(switch_kprobes, switch_symbols, charp, &switch_count, 0444);
MODULE_PARM_DESC(switch_kprobes, "functions to probe for context switches, best first; the first argument must be the task that left, current the one that came");

static char *wakeup_symbols[SP_MAX_CANDIDATES] = {
	"try_to_wake_up", "try_to_wake_up.isra.0",
};

static unsigned int wakeup_count = 2;
module_param_array_named(wakeup_kprobes, wakeup_symbols, charp, &wakeup_count, 0444);
MODULE_PARM_DESC(wakeup_kprobes, "functions to probe for wakeups, best first; the arguments must be the task and the states to wake it from");

const struct sp_backend sp_kprobe_backend = {
	.name = "kprobe",
	.enter = sp_canary_init,
	.leave = leave,
	.silenced = silenced,
	.candidates = {
		[SP_ROLE_SWITCH] = { switch_symbols, &switch_count },
		[SP_ROLE_WAKEUP] = { wakeup_symbols, &wakeup_count },
	},
	.arm = arm,
	.disarm = disarm,
	.describe = describe,
};

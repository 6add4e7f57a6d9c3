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
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/workqueue.h>

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

static int on_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(on_nothing);

/* Changed under the hook mutex only. */
static struct kprobe probes[SP_ROLES];
static bool stuck[SP_ROLES];	/* could not be disarmed */

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

static int arm(enum sp_role role, const char *symbol)
{
	static const kprobe_pre_handler_t handlers[SP_ROLES] = {
		[SP_ROLE_SWITCH] = on_switch,
		[SP_ROLE_WAKEUP] = on_wakeup,
	};

	if (stuck[role])
		return -EBUSY;
	/* A kprobe that was registered before carries an address and flags. */
	probes[role] = (struct kprobe) {
		.symbol_name = symbol,
		.pre_handler = handlers[role],
	};
	return in_worker(do_register, &probes[role]);
}

static void disarm(enum sp_role role)
{
	/* Waits until no handler runs (synchronize_rcu() inside). */
	if (!in_worker(do_unregister, &probes[role]))
		return;
	/* Still in the kernel's lists: it may fire, and must not go away. */
	stuck[role] = true;
	__module_get(THIS_MODULE);
	WRITE_ONCE(probes[role].pre_handler, on_nothing);
	synchronize_rcu();
	pr_err("the kernel could not remove the kprobe on %s; the module stays loaded and uses another hook\n",
	       probes[role].symbol_name);
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

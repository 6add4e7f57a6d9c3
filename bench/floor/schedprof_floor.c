// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedprof_floor: hooks that do nothing, for the benchmark: below what they
 * cost nobody can get.
 *
 * insmod schedprof_floor.ko what=WHAT, one of kprobe, entry (a kprobe on the function's
 * entry, through ftrace) and tracepoint (on switches),
 * with wakeups the same on wakeups too; ftrace (on switches); kretprobe (on a
 * function that the load calls once for each switch); or timer (each 100 us, on the CPU of insmod)
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "compat/compat.h"

static char *what = "kprobe";
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "kprobe, entry or tracepoint, and wakeups; ftrace; kretprobe; or timer");

static int on_kprobe(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe on_switch, on_wakeup;

static int on_kretprobe(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}

static struct kretprobe on_call = {
	.kp.symbol_name = "pipe_write",
	.entry_handler = on_kretprobe,
	.handler = on_kretprobe,
	.data_size = 32,
};

static void notrace on_ftrace(unsigned long ip, unsigned long parent,
			      struct ftrace_ops *ops, SP_FTRACE_REGS *regs)
{
}

static struct ftrace_ops on_entry = { .func = on_ftrace };

static void on_tracepoint(void)
{
}

static struct {
	const char *name;
	struct tracepoint *found;
} tracepoints[] = { { "sched_switch" }, { "sched_waking" } };

static void compare(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tracepoints); i++)
		if (!strcmp(tracepoint->name, tracepoints[i].name))
			tracepoints[i].found = tracepoint;
}

static const char *const names[] = {
	"finish_task_switch.isra.0", "finish_task_switch",
};

static int hook_ftrace(void)
{
	unsigned int i;
	int err = -ENOENT;

	for (i = 0; i < ARRAY_SIZE(names) && err; i++) {
		unsigned char name[KSYM_NAME_LEN];

		strscpy(name, names[i], sizeof(name));
		err = ftrace_set_filter(&on_entry, name, strlen(name), 1);
	}
	return err ?: register_ftrace_function(&on_entry);
}

/* Right behind the call of ftrace, where the kernel turns it into a jump; or on the entry. */
static int hook_kprobe(struct kprobe *probe, const char *name)
{
	*probe = (struct kprobe) { .symbol_name = name, .pre_handler = on_kprobe };
	if (!strstr(what, "entry")) {
		void *addr;
		int err;

		probe->flags = KPROBE_FLAG_DISABLED;
		err = register_kprobe(probe);
		if (err)
			return err;
		addr = probe->addr;
		if (probe->flags & KPROBE_FLAG_FTRACE)
			addr += MCOUNT_INSN_SIZE;
		unregister_kprobe(probe);
		*probe = (struct kprobe) { .addr = addr, .pre_handler = on_kprobe };
	}
	return register_kprobe(probe);
}

static int hook_kprobes(bool wakeups)
{
	unsigned int i;
	int err = -ENOENT;

	for (i = 0; i < ARRAY_SIZE(names) && err; i++)
		err = hook_kprobe(&on_switch, names[i]);
	return err ?: wakeups ? hook_kprobe(&on_wakeup, "try_to_wake_up") : 0;
}

static int hook_tracepoints(bool wakeups)
{
	int err;

	for_each_kernel_tracepoint(compare, NULL);
	err = tracepoint_probe_register(tracepoints[0].found, on_tracepoint, NULL);
	if (!err && wakeups)
		err = tracepoint_probe_register(tracepoints[1].found, on_tracepoint, NULL);
	return err;
}

static struct hrtimer timer;

static enum hrtimer_restart on_timer(struct hrtimer *expired)
{
	hrtimer_forward_now(expired, ns_to_ktime(100 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static int start_timer(void)
{
	sp_hrtimer_setup(&timer, on_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, ns_to_ktime(100 * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int __init floor_init(void)
{
	bool wakeups = strstr(what, "wakeups");

	if (strstr(what, "timer"))
		return start_timer();
	if (strstr(what, "kretprobe"))
		return register_kretprobe(&on_call);
	if (strstr(what, "ftrace"))
		return hook_ftrace();
	return strstr(what, "tracepoint") ? hook_tracepoints(wakeups) :
					    hook_kprobes(wakeups);
}
module_init(floor_init);

static void __exit floor_exit(void)
{
	bool wakeups = strstr(what, "wakeups");

	if (strstr(what, "timer")) {
		hrtimer_cancel(&timer);
		return;
	}
	if (strstr(what, "kretprobe")) {
		unregister_kretprobe(&on_call);
		return;
	}
	if (strstr(what, "ftrace")) {
		unregister_ftrace_function(&on_entry);
		ftrace_set_filter(&on_entry, NULL, 0, 1);
		return;
	}
	if (strstr(what, "tracepoint")) {
		tracepoint_probe_unregister(tracepoints[0].found, on_tracepoint, NULL);
		if (wakeups)
			tracepoint_probe_unregister(tracepoints[1].found, on_tracepoint, NULL);
		tracepoint_synchronize_unregister();
		return;
	}
	unregister_kprobe(&on_switch);
	if (wakeups)
		unregister_kprobe(&on_wakeup);
}
module_exit(floor_exit);

MODULE_DESCRIPTION("Hooks that do nothing, for the benchmark of schedprof");
MODULE_LICENSE("GPL");

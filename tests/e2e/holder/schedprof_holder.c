// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedprof_holder: a module for tests only. It keeps a CPU in the kernel for a
 * known time, in a function whose name tells how:
 *
 * echo WAY MICROSECONDS >/sys/kernel/debug/schedprof_holder
 *
 * Ways: preempt (preemption off, interrupts on), irqs (interrupts off), softirq
 * (in a tasklet of the same CPU), syscall (nothing is off, and no point where it
 * could be preempted voluntarily). A read tells how long the last one took, in
 * nanoseconds, by the monotonic clock. "release 0", written on another CPU, ends it.
 *
 * Others call functions that take so long each, beside what they call: nest (outer
 * calls middle, which calls inner twice), recurse (a function that calls itself,
 * five deep), deep (the same, a hundred deep) and tail (one that ends by jumping
 * to inner). "miss N" calls so many times a function with a kprobe whose handler wakes
 * somebody: probes on wakeups miss that, and the kernel counts it. awake is a task that is
 * woken when it is about to sleep, goes on, and sleeps for so long later; maps is one that
 * has its own mmap_lock, for changes, while it sleeps again and again, until it is released
 * too; "maps_of PID" has that of another one, for as long. From "late N" on, until "late 0",
 * timers of tasks that check hooks take N microseconds to start. And unstable
 * takes the kernel's trust in the TSC away, for good.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

static struct dentry *file;
static u64 took;
static u64 wanted_ns;
static bool released;

/*
 * Most of it is spent here: what reads a clock is called through a thunk, behind which the
 * kernel's unwinder finds nobody, and the one look at a stack may come just then.
 */
static void hold_a_moment(void)
{
	unsigned int i;

	for (i = 0; i < 1000; i++)
		barrier();
}

static noinline void hold_for(u64 ns)
{
	u64 begin = ktime_get_ns();

	while (!READ_ONCE(released) && ktime_get_ns() - begin < ns)
		hold_a_moment();
	WRITE_ONCE(took, ktime_get_ns() - begin);
	/* Not a tail call: the callers are to be seen. */
	barrier();
}

static noinline void hold_with_preemption_off(u64 ns)
{
	preempt_disable();
	hold_for(ns);
	preempt_enable();
}

static noinline void hold_with_interrupts_off(u64 ns)
{
	unsigned long flags;

	local_irq_save(flags);
	hold_for(ns);
	local_irq_restore(flags);
}

static noinline void hold_in_syscall(u64 ns)
{
	hold_for(ns);
	barrier();
}

/* Of functions with the same code, compilers make one with several names. */
static unsigned long inner_calls;

static noinline void known_inner(u64 ns)
{
	hold_for(ns);
	inner_calls++;
}

static noinline void known_middle(u64 ns)
{
	hold_for(ns);
	known_inner(ns);
	known_inner(ns);
	barrier();
}

static noinline void known_outer(u64 ns)
{
	hold_for(ns);
	known_middle(ns);
	barrier();
}

static noinline void known_recursion(u64 ns, unsigned int depth)
{
	hold_for(ns);
	if (depth > 1)
		known_recursion(ns, depth - 1);
	barrier();
}

static noinline void known_tail(u64 ns)
{
	hold_for(ns);
	/* With nothing behind it, compilers make this a jump. */
	known_inner(ns);
}

static noinline bool call_known(const char *way, u64 ns)
{
	u64 begin = ktime_get_ns();

	if (!strcmp(way, "nest"))
		known_outer(ns);
	else if (!strcmp(way, "recurse"))
		known_recursion(ns, 5);
	else if (!strcmp(way, "deep"))
		known_recursion(ns, 100);
	else if (!strcmp(way, "tail"))
		known_tail(ns);
	else
		return false;
	WRITE_ONCE(took, ktime_get_ns() - begin);
	return true;
}

/* Whoever runs is not woken: it is not asleep, and no lock is taken to see that. */
static int wake_in_handler(struct kprobe *probe, struct pt_regs *regs)
{
	wake_up_process(current);
	return 0;
}
NOKPROBE_SYMBOL(wake_in_handler);

/* Not by ftrace, which does not call a handler within another one, and does not count. */
static noinline notrace void known_wakeup(void)
{
	barrier();
}

static int miss_wakeups(unsigned long n)
{
	struct kprobe probe = {
		.addr = (kprobe_opcode_t *)known_wakeup,
		.pre_handler = wake_in_handler,
	};
	int err = register_kprobe(&probe);

	if (err)
		return err;
	while (n--)
		known_wakeup();
	unregister_kprobe(&probe);
	return 0;
}

/* As whoever waits for something that comes just then, and waits for the next. */
static void sleep_after_wakeup(unsigned long us)
{
	set_current_state(TASK_INTERRUPTIBLE);
	wake_up_process(current);
	schedule_timeout_interruptible(usecs_to_jiffies(us));
}

/* As whoever maps a file of a slow server. */
static noinline void sleep_with_mappings(struct mm_struct *mm, unsigned long us)
{
	unsigned long end = jiffies + usecs_to_jiffies(us);

	WRITE_ONCE(released, false);
	mmap_write_lock(mm);
	while (!READ_ONCE(released) && time_before(jiffies, end))
		schedule_timeout_uninterruptible(HZ / 10);
	mmap_write_unlock(mm);
}

/* As if one of its threads did. */
static int sleep_with_mappings_of(pid_t nr)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_TGID);
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (mm) {
		sleep_with_mappings(mm, 600 * USEC_PER_SEC);
		mmput(mm);
	}
	if (task)
		put_task_struct(task);
	put_pid(pid);
	return mm ? 0 : -ESRCH;
}

/* As on a host that has no time for its guests: a short sleep is over before it began. */
static unsigned long late_us;

static int timer_has_started(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!strcmp(current->comm, "schedprof_check"))
		udelay(late_us);
	return 0;
}
NOKPROBE_SYMBOL(timer_has_started);

static struct kretprobe timer_start = {
	.kp.symbol_name = "hrtimer_start_range_ns",
	.handler = timer_has_started,
	.maxactive = 64,
};

static int start_timers_late(unsigned long us)
{
	int err = 0;

	if (late_us)
		unregister_kretprobe(&timer_start);
	/* As it was before, or else it cannot be registered again. */
	timer_start.kp.addr = NULL;
	late_us = us;
	if (us)
		err = register_kretprobe(&timer_start);
	if (err)
		late_us = 0;
	return err;
}

/* Who wants it, until it was done. */
static struct task_struct *wanted_by;

/* If ksoftirqd got hold of it, whoever wants it tries again. */
static void hold_in_softirq(struct tasklet_struct *tasklet)
{
	if (READ_ONCE(wanted_by) != current)
		return;
	hold_for(READ_ONCE(wanted_ns));
	WRITE_ONCE(wanted_by, NULL);
}

static DECLARE_TASKLET(tasklet, hold_in_softirq);

static ssize_t holder_write(struct file *f, const char __user *from, size_t count,
			    loff_t *at)
{
	char text[64] = "", way[16];
	unsigned long us;

	if (count >= sizeof(text) || copy_from_user(text, from, count) ||
	    sscanf(text, "%15s %lu", way, &us) != 2)
		return -EINVAL;
#ifdef CONFIG_X86
	if (!strcmp(way, "unstable")) {
		mark_tsc_unstable("a test wants it");
		return count;
	}
#endif
	if (!strcmp(way, "miss"))
		return miss_wakeups(us) ?: count;
	if (!strcmp(way, "late"))
		return start_timers_late(us) ?: count;
	if (!strcmp(way, "awake")) {
		sleep_after_wakeup(us);
		return count;
	}
	if (!strcmp(way, "maps")) {
		sleep_with_mappings(current->mm, us);
		return count;
	}
	if (!strcmp(way, "maps_of"))
		return sleep_with_mappings_of(us) ?: count;
	if (!strcmp(way, "release")) {
		WRITE_ONCE(released, true);
		return count;
	}
	WRITE_ONCE(released, false);
	WRITE_ONCE(wanted_ns, us * 1000ULL);
	if (!strcmp(way, "preempt")) {
		hold_with_preemption_off(wanted_ns);
	} else if (!strcmp(way, "irqs")) {
		hold_with_interrupts_off(wanted_ns);
	} else if (!strcmp(way, "syscall")) {
		hold_in_syscall(wanted_ns);
	} else if (!strcmp(way, "softirq")) {
		WRITE_ONCE(wanted_by, current);
		while (READ_ONCE(wanted_by)) {
			/* It runs when bottom halves are on again, here. */
			local_bh_disable();
			tasklet_schedule(&tasklet);
			local_bh_enable();
			tasklet_unlock_wait(&tasklet);
			if (READ_ONCE(wanted_by))
				usleep_range(1000, 2000);
		}
	} else if (!call_known(way, wanted_ns)) {
		return -EINVAL;
	}
	return count;
}

static ssize_t holder_read(struct file *f, char __user *to, size_t count, loff_t *at)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%llu\n", READ_ONCE(took));

	return simple_read_from_buffer(to, count, at, text, n);
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = holder_read,
	.write = holder_write,
};

static int __init holder_init(void)
{
	file = debugfs_create_file("schedprof_holder", 0600, NULL, NULL, &operations);
	return PTR_ERR_OR_ZERO(file);
}
module_init(holder_init);

static void __exit holder_exit(void)
{
	debugfs_remove(file);
	start_timers_late(0);
	tasklet_kill(&tasklet);
}
module_exit(holder_exit);

MODULE_DESCRIPTION("Keeps a CPU in the kernel, for tests of schedprof");
MODULE_LICENSE("GPL");

// SPDX-License-Identifier: GPL-2.0-only
/*
 * throttling: when control groups have used up the time that they may have, for sessions with
 * blame.
 *
 * No tracepoint tells that, so these are kprobes. throttle_cfs_rq() is called when a group has
 * used its time up, and throttles it unless there is more; unthrottle_cfs_rq() lets it go, and
 * is called for a group that is throttled only. The first argument of both is the group's queue
 * on one CPU, and the lock of that CPU's run queue is held. The one proves the other: a time
 * counts when both of its ends were seen. Newer kernels have throttle_cfs_rq_work(), in which a
 * task of such a group looks if it has to leave.
 *
 * Where there is no such function, or no probe can be there, nothing is told of that time, and
 * hooks_status says so. When hooks went blind, probes may have, too, and hooks that are none
 * go on seeing while kprobes are off: what began before is not told.
 *
 * One mutex, for users.
 */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/seq_buf.h>

#include "compat/compat.h"
#include "hook/throttling.h"
#include "lib/canary.h"
#include "lib/symbol.h"
#include "lib/why.h"
#include "lib/widen.h"
#include "task/clock.h"
#include "task/throttle.h"

#define THROTTLE	"throttle_cfs_rq"
#define UNTHROTTLE	"unthrottle_cfs_rq"
#define LEAVING		"throttle_cfs_rq_work"
/* When it is asked again what the kernel lacks. */
#define AGAIN_JIFFIES	(10 * HZ)

static DEFINE_MUTEX(mutex);
static unsigned int users;
static bool armed;		/* while there are users */
static atomic_long_t blind;	/* times that probes may have seen nothing */

static int on_throttle(struct kprobe *probe, struct pt_regs *regs)
{
	/* Pairs with sp_throttle_open(). */
	struct sp_throttle_log *log = smp_load_acquire(&sp_throttle_log);

	sp_window();
	if (likely(log))
		sp_throttle_log_begin(log, (void *)regs_get_kernel_argument(regs, 0), sp_time(),
				      READ_ONCE(probe->nmissed) + atomic_long_read(&blind));
	return 0;
}
NOKPROBE_SYMBOL(on_throttle);

static struct kprobe throttle = { .pre_handler = on_throttle };

static int on_unthrottle(struct kprobe *probe, struct pt_regs *regs)
{
	/* Pairs with sp_throttle_open(). */
	struct sp_throttle_log *log = smp_load_acquire(&sp_throttle_log);

	sp_window();
	if (likely(log))
		sp_throttle_log_end(log, (void *)regs_get_kernel_argument(regs, 0), sp_time(),
				    READ_ONCE(throttle.nmissed) + atomic_long_read(&blind));
	return 0;
}
NOKPROBE_SYMBOL(on_unthrottle);

static struct kprobe unthrottle = { .pre_handler = on_unthrottle };

static int on_leaving(struct kprobe *probe, struct pt_regs *regs)
{
	sp_throttle_note_leaving();
	return 0;
}
NOKPROBE_SYMBOL(on_leaving);

static struct kprobe leaving = { .pre_handler = on_leaving };

/* A probe that was there before cannot be registered as it is. */
static int arm(struct kprobe *probe, const char *symbol)
{
	probe->addr = (void *)(sp_symbol_behind_ftrace(symbol) ?: sp_symbol_find(symbol));
	probe->symbol_name = NULL;
	probe->flags = 0;
	return probe->addr ? register_kprobe(probe) : -ENOENT;
}

/* The log is there. */
static int arm_all(void)
{
	int err;

	if (SP_TASKS_ARE_THROTTLED) {
		err = arm(&leaving, LEAVING);
		if (err)
			return err;
	}
	err = arm(&unthrottle, UNTHROTTLE);
	if (err)
		goto err_leaving;
	/* The last one: a time begins with it. */
	err = arm(&throttle, THROTTLE);
	if (err)
		goto err_unthrottle;
	return 0;

err_unthrottle:
	unregister_kprobe(&unthrottle);
err_leaving:
	if (SP_TASKS_ARE_THROTTLED)
		unregister_kprobe(&leaving);
	return err;
}

static void disarm_all(void)
{
	unregister_kprobe(&throttle);
	unregister_kprobe(&unthrottle);
	if (SP_TASKS_ARE_THROTTLED)
		unregister_kprobe(&leaving);
}

/*
 * What cannot be probed on this kernel; NULL: nothing. To ask takes a grace period for each symbol,
 * and anybody may want to know it. So it is asked once; what was missing may have been memory, so
 * that is asked again, but not at once.
 */
static const char *missing_symbol_locked(void)
{
	static const char *const symbols[] = { THROTTLE, UNTHROTTLE, LEAVING };
	unsigned int i, n = SP_TASKS_ARE_THROTTLED ? 3 : 2;
	static const char *missing;
	static unsigned long again;	/* jiffies; 0: it was not asked yet */

	lockdep_assert_held(&mutex);
	if (again && (!missing || time_before(jiffies, again)))
		return missing;
	missing = NULL;
	for (i = 0; i < n && !missing; i++)
		if (!sp_symbol_find(symbols[i]))
			missing = symbols[i];
	again = (jiffies + AGAIN_JIFFIES) ?: 1;
	return missing;
}

/**
 * sp_throttling_get() - a session needs to know when groups are throttled
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, also where this kernel does not tell; or -ENOMEM.
 */
int sp_throttling_get(struct sp_why *why)
{
	int err = 0;

	mutex_lock(&mutex);
	if (!users && !missing_symbol_locked()) {
		err = sp_throttle_open();
		armed = !err && !arm_all();
		if (!err && !armed)
			sp_throttle_close();
	}
	if (!err)
		users++;
	mutex_unlock(&mutex);
	if (err)
		sp_refuse(why, err, "there is not enough memory to remember when groups were throttled; set blame to 0");
	return err;
}

/**
 * sp_throttling_put() - a session needs it no longer
 *
 * Context: process, may sleep; on return no probe of the last user runs.
 */
void sp_throttling_put(void)
{
	mutex_lock(&mutex);
	if (!--users && armed) {
		disarm_all();
		sp_throttle_close();
		armed = false;
	}
	mutex_unlock(&mutex);
}

/**
 * sp_throttling_blind() - probes may have seen nothing for a while
 */
void sp_throttling_blind(void)
{
	atomic_long_inc(&blind);
}

/**
 * sp_throttling_settle() - now and then: do probes still see something?
 *
 * Kprobes that were off for less time than is between two calls go unnoticed.
 *
 * Context: the watching thread, which waits for nobody: who has the mutex may be many.
 */
void sp_throttling_settle(void)
{
	if (!mutex_trylock(&mutex))
		return;
	if (armed && sp_canary_ask() == SP_SILENCE_KPROBES)
		sp_throttling_blind();
	mutex_unlock(&mutex);
}

/**
 * sp_throttling_status() - can it be told, and what was
 * @s: where to
 */
void sp_throttling_status(struct seq_buf *s)
{
	const char *missing;

	mutex_lock(&mutex);
	missing = armed ? NULL : missing_symbol_locked();
	if (missing)
		seq_buf_printf(s, "feature=throttled missing=%s\n", missing);
	else if (!armed)
		/* With users, the kernel refused a probe all the same. */
		seq_buf_printf(s, "feature=throttled symbol=%s armed=%s\n", THROTTLE,
			       users ? "failed" : "no");
	else
		seq_buf_printf(s, "feature=throttled symbol=%s armed=yes seen=%ld cut=%ld forgotten=%ld unsure=%ld missed=%lu\n",
			       THROTTLE, atomic_long_read(&sp_throttle_log->throttles),
			       atomic_long_read(&sp_throttle_log->cut),
			       atomic_long_read(&sp_throttle_log->forgotten),
			       atomic_long_read(&sp_throttle_log->unsure),
			       throttle.nmissed + unthrottle.nmissed + leaving.nmissed);
	mutex_unlock(&mutex);
}

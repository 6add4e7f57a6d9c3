// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch: does the armed probe on switches still see what happens?
 *
 * It can be silenced without a word, and the one on wakeups with it: kprobes and ftrace
 * have switches that root may throw at any time. So while hooks are armed, a thread of our own
 * sleeps for a while, and compares how often it was switched with how often
 * the hooks saw that. If they did not, they are chosen and armed anew, and the
 * time in between is counted as blind. It also lets slots of dead tasks be used again,
 * and probes and the clock settle; and asks after the probes on functions.
 *
 * Started and stopped under the hook mutex, for which the thread never waits. What its last look
 * found is under a lock of its own.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "compat/compat.h"
#include "func/function.h"
#include "hook/throttling.h"
#include "hook/watch.h"
#include "task/clock.h"
#include "task/percpu.h"
#include "task/task_table.h"
#include "unwind/spaces.h"

/* A blind stretch that is as long is always found. */
#define PERIOD msecs_to_jiffies(250)
/*
 * The kernel compares the TSC each half second: when it is found to be wrong, what was measured
 * for so long before the last look is in doubt, too.
 */
#define DOUBT_NS NSEC_PER_SEC

static struct task_struct *watcher;
static const struct sp_watch_ops *watch_ops;	/* while there is a watcher */
/*
 * ns; or blind, and told. A switch counts when its task leaves, so a look proves what hooks saw
 * when the nap before it began, and nothing of the nap. Written by the watcher; READ_ONCE.
 */
static u64 seen_until;

struct reading {
	u64 ns;
	unsigned long real;
	u64 hits;		/* of the whole machine */
	bool has_clock;
	unsigned int seen;	/* of this thread */
};

/* What the last look found, from which on nothing was told as blind. For who asks beside it. */
static struct reading last_look;
static DEFINE_SPINLOCK(last_lock);

static void keep_look(const struct reading *look)
{
	spin_lock(&last_lock);
	last_look = *look;
	spin_unlock(&last_lock);
}

static unsigned long switches_of(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

/* Not preemptible: a switch on the way would make the figures differ. */
static struct reading read_counts(void)
{
	struct reading reading = { };
	struct sp_task copy;
	u32 slot;

	preempt_disable();
	reading.ns = sp_time();
	reading.real = switches_of(current);
	reading.hits = watch_ops->hits();
	reading.has_clock = sp_task_copy(current, &copy, &slot);
	if (reading.has_clock)
		reading.seen = copy.switches;
	preempt_enable();
	return reading;
}

static bool went_blind(const struct reading *from, const struct reading *to)
{
	unsigned long real = to->real - from->real;

	/* Where the table is full, the machine's switches have to do. */
	if (from->has_clock && to->has_clock)
		return to->seen - from->seen != (unsigned int)real;
	return to->hits - from->hits < real;
}

static void watch_nap(long jiffies)
{
	/* Before the question, so that kthread_stop() is not slept through. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_timeout(jiffies);
	__set_current_state(TASK_RUNNING);
}

/* Since when the time is in doubt: not from before the hooks were armed, at @armed. */
static u64 in_doubt_since(u64 last, u64 armed)
{
	return sp_time_between(armed, last) > DOUBT_NS ? last - DOUBT_NS : armed;
}

static int watch_thread(void *data)
{
	struct reading last, now;
	bool doubted = false, blind = false;
	u64 since, told, armed;

	/* The first sleep makes the thread's clock known. */
	watch_nap(1);
	last = read_counts();
	keep_look(&last);
	armed = READ_ONCE(sp_armed_at);
	while (!kthread_should_stop()) {
		watch_nap(PERIOD);
		sp_task_table_recycle();
		watch_ops->settle();
		sp_functions_settle();
		sp_throttling_settle();
		sp_unwind_spaces_ask();
		/* Said once; it stays true until something was done about it. */
		if (!sp_clock_settle())
			doubted = true;
		now = read_counts();
		if (went_blind(&last, &now))
			blind = true;
		/* Where the time was wrong meanwhile, no clock is to be believed either. */
		if (doubted || blind) {
			since = blind ? seen_until : last.ns;
			if (doubted)
				since = in_doubt_since(since, armed);
			told = watch_ops->rearm(since, blind);
			/* Who holds the mutex may be stopping us; else the next round does it. */
			if (!told)
				continue;
			doubted = false;
			blind = false;
			WRITE_ONCE(seen_until, told);
			armed = told;
			watch_nap(1);
			now = read_counts();
		} else if (now.real != last.real) {
			WRITE_ONCE(seen_until, last.ns);
		}
		last = now;
		keep_look(&last);
	}
	return 0;
}

/* What shall be a switch may be none where timers take longer, so each nap is twice the last. */
#define NAPS	10
#define FIRST_NAP_US 50

static void short_nap(unsigned int nap)
{
	usleep_range(FIRST_NAP_US << nap, FIRST_NAP_US << (nap + 1));
}

/*
 * Counts of the thread, if it is off its CPU: its hook was before that, so both are of the same
 * moment where they stand still.
 */
static bool read_at_rest(struct reading *reading)
{
	struct sp_task copy;
	u32 slot;

	*reading = (struct reading) { .real = switches_of(watcher) };
	/* Pairs with finish_task() in kernel/sched: the hook was before that. */
	smp_rmb();
	if (sp_task_on_cpu(watcher))
		return false;
	/* As above. */
	smp_rmb();
	reading->hits = watch_ops->hits();
	reading->has_clock = sp_task_copy(watcher, &copy, &slot);
	if (reading->has_clock)
		reading->seen = copy.switches;
	/* Whoever leaves is counted first, and then by the hook. */
	smp_rmb();
	return reading->real == switches_of(watcher);
}

/*
 * Has the thread left its CPU since the last look, and the hooks have not seen that? Also where
 * they see again by now. A look before they were armed says nothing of these.
 */
static bool napped_blind(void)
{
	struct reading then, now;
	unsigned int nap;

	for (nap = 0; nap < NAPS; nap++) {
		spin_lock(&last_lock);
		then = last_look;
		spin_unlock(&last_lock);
		if (then.ns < READ_ONCE(sp_armed_at))
			return false;
		if (read_at_rest(&now))
			return went_blind(&then, &now);
		/* It looks, which takes a moment, and keeps no look that found something. */
		short_nap(nap);
	}
	return false;
}

/**
 * sp_watch_blind_since() - do hooks see nothing, and the thread has not found that yet?
 *
 * @silenced: that is known
 *
 * Asks by switches of the thread and of whoever calls it, where it is not.
 *
 * Context: process, under the hook mutex, while there is a watcher; sleeps for a moment.
 * Return: since when perhaps, ns; 0: they see.
 */
u64 sp_watch_blind_since(bool silenced)
{
	struct reading before = read_counts(), now = before;
	unsigned int nap;
	bool blind;

	for (nap = 0; !silenced && now.real == before.real && nap < NAPS; nap++) {
		short_nap(nap);
		now = read_counts();
	}
	blind = silenced || went_blind(&before, &now) || napped_blind();
	return blind ? READ_ONCE(seen_until) : 0;
}

/**
 * sp_watch_start() - hooks were armed
 * @ops: what to ask, and to do if they are blind
 *
 * Return: 0 or -ENOMEM.
 */
int sp_watch_start(const struct sp_watch_ops *ops)
{
	struct task_struct *thread;

	watch_ops = ops;
	seen_until = sp_time_now();
	thread = kthread_run(watch_thread, NULL, "schedprof_watch");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	watcher = thread;
	return 0;
}

/**
 * sp_watch_stop() - hooks are about to be disarmed
 */
void sp_watch_stop(void)
{
	kthread_stop(watcher);
}

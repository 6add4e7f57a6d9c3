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
 * Started and stopped under the hook mutex, for which the thread never waits.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched.h>

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

/* Not preemptible: a switch on the way would make the figures differ. */
static struct reading read_counts(void)
{
	struct reading reading = { };
	struct sp_task copy;
	u32 slot;

	preempt_disable();
	reading.ns = sp_time();
	reading.real = current->nvcsw + current->nivcsw;
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
	}
	return 0;
}

/* What shall be a switch may be none where timers take longer, so each nap is twice the last. */
#define NAPS	10
#define FIRST_NAP_US 50

/**
 * sp_watch_blind_since() - do hooks see nothing, and the thread has not found that yet?
 *
 * @silenced: that is known
 *
 * Asks by switches of whoever calls it, where it is not.
 *
 * Context: process, under the hook mutex, while there is a watcher; sleeps for a moment.
 * Return: since when perhaps, ns; 0: they see.
 */
u64 sp_watch_blind_since(bool silenced)
{
	struct reading before = read_counts(), now = before;
	unsigned int naps;

	for (naps = 0; !silenced && now.real == before.real && naps < NAPS; naps++) {
		usleep_range(FIRST_NAP_US << naps, FIRST_NAP_US << (naps + 1));
		now = read_counts();
	}
	return silenced || went_blind(&before, &now) ? READ_ONCE(seen_until) : 0;
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

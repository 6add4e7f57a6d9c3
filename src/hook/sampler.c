// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampler: a timer on each CPU that looks at what it interrupted, for sessions
 * of modes nosched, oncpu and wall.
 *
 * All such sessions share one timer per CPU, with the shortest of their periods.
 * It is a timer of hard interrupts on PREEMPT_RT too, because only in a hard interrupt
 * the interrupted registers are those of the task. On an idle CPU it ends, and the next
 * switch there is not plain: the hook asks for it again when a task comes in, through an
 * irq_work, which starts the timer once the hook has let go of the run queue. CPUs that come
 * and go are the hotplug machinery's business.
 *
 * One mutex for users; what a CPU has is its own, with interrupts off.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>

#include "compat/compat.h"
#include "hook/sampler.h"
#include "lib/limits.h"
#include "lib/why.h"
#include "task/clock.h"
#include "task/percpu.h"

/* Sessions differ in their periods; so many of them. */
#define MAX_PERIODS SP_MAX_ENABLED

struct sampler {
	struct hrtimer timer;
	struct irq_work wanted;		/* a task came in where none was */
	bool online;			/* between the CPU's coming and going */
	bool runs;			/* the timer is armed, or in its callback */
	struct rnd_state random;	/* the kernel's own waits for a lock on PREEMPT_RT */
};

static DEFINE_PER_CPU(struct sampler, samplers);

bool sp_sampling __read_mostly;
bool sp_sampling_spans __read_mostly;

static DEFINE_MUTEX(mutex);		/* protects all below */
static u64 periods[MAX_PERIODS];	/* one for each user */
static unsigned int users;
static unsigned int span_users;		/* of these */
static enum cpuhp_state hotplug;
static u64 period_ns;			/* the shortest; READ_ONCE in timers */
static sp_look_fn *look_fn;		/* set before the first timer starts */

static enum hrtimer_restart look_around(struct hrtimer *timer)
{
	struct sampler *sampler = container_of(timer, struct sampler, timer);
	struct pt_regs *regs = get_irq_regs();
	/* Of the kernel's clock, which is another one. */
	u64 late = sp_time_between(ktime_to_ns(hrtimer_get_expires(timer)),
				   ktime_get_mono_fast_ns());
	u64 now = sp_time();
	struct sp_sample sample = {
		.now = now,
		.due = now - late,
		.period = READ_ONCE(period_ns),
		.crowded = !single_task_running(),
	};

	/* Idle: nobody waits for it, and nobody is to be kept from sleeping. */
	if (!current->pid || !READ_ONCE(sp_sampling)) {
		sampler->runs = false;
		/* Of this CPU, and no hook is inside. */
		this_cpu_ptr(sp_cpu)->idle.plain = 0;
		return HRTIMER_NORESTART;
	}
	if (likely(regs)) {
		sample.kernel = !user_mode(regs);
		look_fn(&sample, regs);
	}
	hrtimer_forward_now(timer, ns_to_ktime(sample.period));
	return HRTIMER_RESTART;
}

/*
 * On its CPU, interrupts off. The first look is at any time within a period: else what a task
 * does first after each sleep would never be seen.
 */
static void start_timer(struct sampler *sampler)
{
	u64 first = mul_u64_u32_shr(READ_ONCE(period_ns), prandom_u32_state(&sampler->random), 32);

	hrtimer_start(&sampler->timer, ns_to_ktime(first), HRTIMER_MODE_REL_PINNED_HARD);
}

/* The same. */
static void run_sampler(struct sampler *sampler)
{
	if (sampler->runs || !sampler->online)
		return;
	sampler->runs = true;
	start_timer(sampler);
}

static void start_wanted(struct irq_work *work)
{
	run_sampler(container_of(work, struct sampler, wanted));
}

/**
 * sp_sampler_wake() - a task came in on this CPU
 *
 * Context: a hook; run queue lock held. irq_work_queue() sends this CPU an
 * interrupt, which is taken once the hook is over.
 */
void sp_sampler_wake(void)
{
	struct sampler *sampler = this_cpu_ptr(&samplers);

	if (!sampler->runs && sampler->online)
		irq_work_queue(&sampler->wanted);
}

/* On its CPU, interrupts off. Its switches were not seen since. */
static void forget_span(void *unused)
{
	memset(&this_cpu_ptr(sp_cpu)->span, 0, sizeof(struct sp_nosched_span));
}

/* In process context, while it does not run. */
static void prepare_sampler(unsigned int cpu)
{
	struct sampler *sampler = per_cpu_ptr(&samplers, cpu);

	sp_hrtimer_setup(&sampler->timer, look_around, CLOCK_MONOTONIC,
			 HRTIMER_MODE_REL_PINNED_HARD);
	sp_irq_work_init_hard(&sampler->wanted, start_wanted);
	prandom_seed_state(&sampler->random, get_random_long());
}

/* On its CPU, interrupts off. */
static void start_sampler(void *unused)
{
	struct sampler *sampler = this_cpu_ptr(&samplers);

	/* What was seen long ago is no span that goes on. */
	forget_span(NULL);
	sampler->online = true;
	sampler->runs = false;
	run_sampler(sampler);
}

/* The same: what was armed for a longer period is armed anew. No callback of it runs here. */
static void hurry_sampler(void *unused)
{
	struct sampler *sampler = this_cpu_ptr(&samplers);

	if (sampler->runs && sampler->online)
		start_timer(sampler);
}

/* The same. */
static void stop_sampler(void *unused)
{
	this_cpu_ptr(&samplers)->online = false;
}

/* In process context; its CPU has stopped it, or is offline. */
static void cancel_sampler(unsigned int cpu)
{
	struct sampler *sampler = per_cpu_ptr(&samplers, cpu);

	irq_work_sync(&sampler->wanted);
	hrtimer_cancel(&sampler->timer);
}

/* On the CPU itself, in a thread, as comes_online(). */
static int goes_offline(unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	stop_sampler(NULL);
	local_irq_restore(flags);
	cancel_sampler(cpu);
	return 0;
}

static int comes_online(unsigned int cpu)
{
	unsigned long flags;

	/* Or it was online already, because it once stopped half-way down or up. */
	goes_offline(cpu);
	local_irq_save(flags);
	start_sampler(NULL);
	local_irq_restore(flags);
	return 0;
}

static void set_period_locked(void)
{
	u64 shortest = U64_MAX;
	unsigned int i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < users; i++)
		shortest = min(shortest, periods[i]);
	WRITE_ONCE(period_ns, shortest);
}

/*
 * The hotplug machinery would have a thread of each CPU start the timer there, and wait for it
 * behind whatever keeps the CPU to itself. Interrupts do that at once.
 */
static int start_all(void)
{
	unsigned int cpu;
	int state;

	WRITE_ONCE(sp_sampling, true);
	/* Each CPU goes the long way once, which looks at that. */
	sp_plain_bump();
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		prepare_sampler(cpu);
	state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN, "schedprof:online",
						     comes_online, goes_offline);
	if (state >= 0) {
		hotplug = state;
		on_each_cpu(start_sampler, NULL, 1);
	} else {
		WRITE_ONCE(sp_sampling, false);
	}
	cpus_read_unlock();
	return min(state, 0);
}

static void stop_all(void)
{
	unsigned int cpu;

	WRITE_ONCE(sp_sampling, false);
	/* A hook that still asks for a timer is over. */
	synchronize_rcu();
	cpus_read_lock();
	cpuhp_remove_state_nocalls_cpuslocked(hotplug);
	on_each_cpu(stop_sampler, NULL, 1);
	for_each_possible_cpu(cpu) {
		/* One that was stopped half-way up may have gone again unseen. */
		if (!cpu_online(cpu))
			per_cpu_ptr(&samplers, cpu)->online = false;
		cancel_sampler(cpu);
	}
	cpus_read_unlock();
}

static void count_spans_locked(int more)
{
	lockdep_assert_held(&mutex);
	span_users += more;
	if (sp_sampling_spans == !!span_users)
		return;
	if (span_users)
		on_each_cpu(forget_span, NULL, 1);
	WRITE_ONCE(sp_sampling_spans, span_users);
	/* Each switch takes the long way from now on, or not any more. */
	sp_plain_bump();
}

/**
 * sp_sampler_get() - a session wants CPUs to be sampled
 * @period: ns; so often at least
 * @spans: and each switch to be looked at
 * @look: called with what was seen; interrupts off
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or what the kernel says.
 */
int sp_sampler_get(u64 period, bool spans, sp_look_fn *look, struct sp_why *why)
{
	int err = 0;
	u64 before;

	mutex_lock(&mutex);
	before = period_ns;
	if (users == MAX_PERIODS)
		err = -ENOSPC;
	if (!err) {
		/* They all have the same, and timers read it. */
		if (!users)
			look_fn = look;
		periods[users++] = period;
		set_period_locked();
		if (users == 1)
			err = start_all();
		else if (period < before)
			on_each_cpu(hurry_sampler, NULL, 1);
		if (err)
			users--;
		else
			count_spans_locked(spans);
	}
	mutex_unlock(&mutex);
	if (err)
		sp_refuse(why, err, "the timers on the CPUs cannot be started (error %d); disable another session of mode oncpu, wall or nosched, or try again",
			  -err);
	return err;
}

/**
 * sp_sampler_put() - a session does not want it any more
 * @period: as for sp_sampler_get()
 * @spans: the same
 *
 * Context: process, may sleep. After the last one no timer runs any more.
 */
void sp_sampler_put(u64 period, bool spans)
{
	unsigned int i;

	mutex_lock(&mutex);
	count_spans_locked(-(int)spans);
	for (i = 0; periods[i] != period; i++)
		;
	periods[i] = periods[--users];
	if (users)
		set_period_locked();
	else
		stop_all();
	mutex_unlock(&mutex);
}

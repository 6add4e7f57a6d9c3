// SPDX-License-Identifier: GPL-2.0-only
/*
 * hot: what every backend calls when the scheduler did something.
 *
 * Runs with interrupts off and a run queue lock held, on every context switch
 * of the machine. One time stamp per switch, so that nobody is charged for
 * our own work; at most one look-up per switch, because the task that leaves is the
 * one that came in last on this CPU, and the one that comes is often the one that
 * left last, with nothing but the idle task or a partner in between. Everything
 * written here belongs to this CPU or to a task that it is switching.
 */
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "compat/compat.h"
#include "function.h"
#include "hook.h"
#include "hot.h"
#include "live.h"
#include "recording.h"
#include "sampler.h"
#include "task_table.h"

/* Every so many entries the hook measures itself. */
#define OVERHEAD_SAMPLE 1024

DEFINE_PER_CPU(struct sp_cpu, sp_cpu);

static u64 armed_at;	/* ns; set before the hooks are armed */

/* Counts are increased as in raw_write_seqcount_begin(): by one instruction. */
static __always_inline void enter(struct sp_cpu *cpu)
{
	cpu->sequence++;
	/* Pairs with sp_cpu_read(). */
	smp_wmb();
}

static __always_inline void leave(struct sp_cpu *cpu, u64 now)
{
	if (unlikely(cpu->sequence % (2 * OVERHEAD_SAMPLE) == 1))
		cpu->counts.overhead_ns += (ktime_get_mono_fast_ns() - now) *
					   OVERHEAD_SAMPLE;
	/* As in enter(). */
	smp_wmb();
	cpu->sequence++;
}

/* A task that nobody has seen was born since the hooks were armed, or runs. */
static struct sp_task *clock_of(struct task_struct *task, enum sp_phase phase)
{
	struct sp_task *slot = sp_task_find(task);

	if (likely(slot))
		return slot;
	slot = sp_task_add(task, phase, max(armed_at, task->start_time));
	/* It is leaving: its switch is counted already, as one of its own will. */
	if (slot && phase == SP_PHASE_ON_CPU && sp_task_state(task))
		slot->nvcsw--;
	return slot;
}

/*
 * Why does it leave? Voluntary switches also count those in which a signal
 * kept the task from sleeping: then its state is running. So it is if a waker
 * was faster than this hook: then there is its stamp. (6.12 leaves sleeping
 * tasks in the run queue for a while, so on_rq would not tell.)
 */
static __always_inline enum sp_state state_after(struct sp_task *slot, struct task_struct *prev)
{
	unsigned int state = sp_task_state(prev);
	bool voluntary = slot->nvcsw != (u32)prev->nvcsw;

	slot->nvcsw = (u32)prev->nvcsw;
	slot->clock.leaving = voluntary ? SP_LEFT_VOLUNTARILY : SP_LEFT_INVOLUNTARILY;
	if (!voluntary)
		return SP_STATE_R;
	if (!state && (READ_ONCE(slot->clock.woken) || READ_ONCE(slot->clock.tried)))
		return SP_STATE_S;
	return sp_state_of(state);
}

/* What the clocks of other sources are told when their task leaves... */
static noinline void others_leave(struct sp_task *slot, enum sp_state state,
				  const struct sp_now *now, unsigned int sources)
{
	enum sp_source source;

	for_each_extra_source(source, sources)
		sp_clock_leave(sp_task_clock(slot, source), state, now->at[source]);
}

/* ...and comes in. */
static noinline void others_come(struct sp_task *slot, const struct sp_now *now,
				 unsigned int sources)
{
	enum sp_source source;

	for_each_extra_source(source, sources)
		sp_clock_come(sp_task_clock(slot, source), now->at[source]);
}

/* Before: they may know less than the monotonic one. */
static noinline void catch_up(struct sp_task *slot, const struct sp_now *now,
			      unsigned int sources)
{
	enum sp_source source;

	for_each_extra_source(source, sources)
		sp_task_catch_up(slot, source, now);
}

/* Around every change of a clock; pairs with sp_task_copy(). */
static __always_inline void turn_begin(struct sp_task *slot)
{
	slot->turns++;
	/* Odd before anything changes. */
	smp_wmb();
}

static __always_inline void turn_end(struct sp_task *slot)
{
	/* Even after all has changed. */
	smp_wmb();
	slot->turns++;
}

/*
 * Which times end now, or ended since the task came in: bits of enum sp_time.
 * They are counted.
 */
static __always_inline unsigned int times_of(struct sp_cpu *cpu,
					     const struct sp_clock *clock, u64 woken)
{
	u64 *intervals = cpu->counts.intervals;
	unsigned int times = 0;

	if (likely(clock->came)) {
		times = BIT(SP_TIME_ON_CPU);
		intervals[SP_TIME_ON_CPU]++;
	}
	if (!sp_phase_off_cpu(clock->phase))
		return times;
	times |= BIT(SP_TIME_OFF_CPU);
	intervals[SP_TIME_OFF_CPU]++;
	if (clock->phase == SP_PHASE_ASLEEP) {
		times |= BIT(SP_TIME_BLOCKED);
		intervals[SP_TIME_BLOCKED]++;
		if (!woken)
			return times;
	}
	intervals[SP_TIME_RUN_QUEUE]++;
	return times | BIT(SP_TIME_RUN_QUEUE);
}

static noinline void copy_others(struct sp_event *event)
{
	enum sp_source source;

	for_each_extra_source(source, event->sources) {
		struct sp_clock *before = &event->cpu->before[source];

		*before = *sp_task_clock(event->slot, source);
		before->woken = sp_clock_woken(before);
	}
}

/* The rest of it holds for the switch, or for good. */
static __always_inline void begin_event(struct sp_event *event, struct sp_task *slot,
					struct task_struct *task)
{
	event->slot = slot;
	event->task = task;
}

/*
 * What has ended goes to all that want it, told from a copy of the clocks as they
 * were before this event.
 */
static noinline void deliver(struct sp_event *event, unsigned int times, u64 woken)
{
	struct sp_clock *before = event->cpu->before;

	sp_event_forget_stacks(event);
	before[SP_SOURCE_MONO] = event->slot->clock;
	before[SP_SOURCE_MONO].woken = woken;
	if (unlikely(event->sources))
		copy_others(event);
	sp_deliver(event, times);
}

/* Another program: nothing that was known of its user addresses holds. */
static __always_inline void notice_exec(struct sp_task *slot,
					const struct task_struct *task)
{
	if (likely(slot->exec_id == (u32)task->self_exec_id))
		return;
	WRITE_ONCE(slot->exec_id, (u32)task->self_exec_id);
	slot->announced = false;
	slot->sole = NULL;
}

/* Also those that do not want the task any more may have calls of it. */
static void bury_calls(struct sp_event *event)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->functions)
			sp_function_bury(recording, event,
					 test_bit(bit, event->slot->match));
	}
}

/* The books of a task are closed; it never comes in again. */
static noinline void dies(struct sp_event *event)
{
	struct sp_wanting wanting = sp_wanting(event->slot);
	u64 woken = sp_clock_woken(&event->slot->clock);
	struct sp_recording *recording;

	event->exited = true;
	deliver(event, times_of(event->cpu, &event->slot->clock, woken), woken);
	bury_calls(event);
	while ((recording = sp_next_wanting(&wanting)))
		sp_record_exit(recording, event->slot, event->task);
	/* In this turn: nobody may see a clock whose time is booked. */
	sp_task_remove(event->slot);
}

/* Recordings that want to know of those that leave. */
static noinline void announce(struct sp_event *event)
{
	struct sp_wanting wanting = sp_wanting(event->slot);
	struct sp_recording *recording;

	while ((recording = sp_next_wanting(&wanting)))
		sp_record_leave(recording, event);
	event->slot->announced = true;
}

/* Returns the clock of @prev, if it has one that stays. */
static __always_inline struct sp_task *goes(struct sp_cpu *cpu,
					    struct task_struct *prev,
					    unsigned int sources)
{
	const struct sp_now *now = &cpu->now;
	struct sp_event *event = &cpu->event;
	struct sp_task *slot = cpu->running;
	enum sp_state state;
	bool dead, told;

	if (unlikely(!slot || slot->task != prev))
		slot = clock_of(prev, SP_PHASE_ON_CPU);
	if (unlikely(!slot))
		return NULL;	/* counted when it comes in */
	turn_begin(slot);
	if (unlikely(sources))
		catch_up(slot, now, sources);
	state = state_after(slot, prev);
	slot->switches++;
	notice_exec(slot, prev);
	if (unlikely(sp_live_stale(slot, prev)))
		sp_live_decide(slot, prev);
	/* Set by do_task_dead(); nobody can wake it, so the value is final. */
	dead = unlikely(sp_task_state(prev) == TASK_DEAD);
	/* User stacks are taken on the way out where they are in reach only then. */
	told = !slot->announced ||
	       (sp_event_leaving(event) && sp_live_takes_user_stacks());
	if (unlikely(dead || told)) {
		begin_event(event, slot, prev);
		if (told) {
			sp_event_forget_stacks(event);
			announce(event);
		}
		if (dead) {
			dies(event);
			event->exited = false;
			return NULL;
		}
	}
	if (unlikely(sp_clock_leave(&slot->clock, state, now->at[SP_SOURCE_MONO])))
		cpu->counts.clock_steps++;
	if (unlikely(sources))
		others_leave(slot, state, now, sources);
	turn_end(slot);
	return slot;
}

static noinline void no_slot(struct sp_cpu *cpu, struct task_struct *task)
{
	unsigned int bit, time, last = sp_live_end();

	cpu->counts.no_slot++;
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		cpu->counts.intervals[time]++;
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->settings.mode->time < SP_CLOCK_TIMES &&
		    sp_live_wants(recording, task))
			sp_record_no_slot(recording);
	}
}

static __always_inline struct sp_task *comes(struct sp_cpu *cpu,
					     struct task_struct *next,
					     unsigned int sources)
{
	unsigned int times, here = smp_processor_id();
	const struct sp_now *now = &cpu->now;
	struct sp_event *event = &cpu->event;
	struct sp_task *slot = cpu->left;
	u64 woken;

	if (!slot || !sp_task_is(slot, next))
		slot = clock_of(next, SP_PHASE_RUNNABLE);
	if (unlikely(!slot)) {
		no_slot(cpu, next);
		return NULL;
	}
	turn_begin(slot);
	if (unlikely(sources))
		catch_up(slot, now, sources);
	event->migrated = slot->cpu != here;
	slot->cpu = here;
	if (unlikely(sp_live_stale(slot, next)))
		sp_live_decide(slot, next);
	if (likely(sp_phase_off_cpu(slot->clock.phase))) {
		woken = sp_clock_woken(&slot->clock);
		times = times_of(cpu, &slot->clock, woken);
		if (slot->wanted) {
			begin_event(event, slot, next);
			if (!slot->sole || !sp_record_again(event, times, woken))
				deliver(event, times, woken);
		}
	}
	if (unlikely(sp_clock_come(&slot->clock, now->at[SP_SOURCE_MONO])))
		cpu->counts.clock_steps++;
	if (unlikely(sources))
		others_come(slot, now, sources);
	turn_end(slot);
	return slot;
}

/*
 * The stack of a stretch is taken once for each recording, when it has lasted so
 * long that the next look may be too late. One that is over already was a gap,
 * and this is what is seen first after it.
 */
static void look_inside(struct sp_event *event, const struct sp_sample *sample,
			struct pt_regs *regs, const struct sp_stretched *ended)
{
	u64 since = ended ? ended->since : event->cpu->stretch.since;
	bool irqs_off = ended ? ended->irqs_off :
				sp_stretch_irqs_off(&event->cpu->stretch, sample->now);
	struct sp_recording *recording;
	struct sp_wanting wanting = sp_wanting(event->slot);

	if (ended && !ended->irqs_off)
		return;
	while ((recording = sp_next_wanting(&wanting)))
		if (sp_mode_samples(recording->settings.mode))
			sp_record_inside(recording, event, since,
					 sample->now + sample->period - since,
					 sample->kernel ? regs : NULL, irqs_off);
}

/* A stretch in the kernel on this CPU is over; @event is of its task. */
static void stretch_ends(struct sp_event *event, const struct sp_stretched *ended)
{
	struct sp_recording *recording;
	struct sp_wanting wanting = sp_wanting(event->slot);

	event->cpu->counts.intervals[SP_TIME_STRETCH]++;
	while ((recording = sp_next_wanting(&wanting)))
		if (sp_mode_samples(recording->settings.mode))
			sp_record_stretch(recording, event, ended);
}

/* The one who leaves has no stretch any more, and the next one none yet. */
static noinline void stretch_switch(struct sp_cpu *cpu, struct task_struct *prev,
				    struct task_struct *next,
				    const struct sp_now *now)
{
	struct sp_event event = { .cpu = cpu, .task = prev, .now = now };
	struct sp_stretched ended;

	if (sp_stretch_switch(&cpu->stretch, now->at[SP_SOURCE_MONO], &ended)) {
		event.slot = sp_task_find(prev);
		if (event.slot)
			stretch_ends(&event, &ended);
	}
	if (next->pid)
		sp_sampler_wake();
}

/**
 * sp_hot_sample() - a timer looked at what it interrupted
 * @sample: what it found
 * @regs: of what it interrupted
 *
 * Context: a hard interrupt while a task runs, which is not the idle one.
 */
void sp_hot_sample(const struct sp_sample *sample, struct pt_regs *regs)
{
	struct sp_cpu *cpu = this_cpu_ptr(&sp_cpu);
	struct sp_now now;
	struct sp_event event = { .cpu = cpu, .task = current, .now = &now };
	struct sp_stretched ended;
	bool over;

	enter(cpu);
	/* Pairs with sp_source_get(). */
	sp_now_read(&now, smp_load_acquire(&sp_sources));
	cpu->counts.samples++;
	event.slot = cpu->running;
	if (unlikely(!event.slot || event.slot->task != current))
		event.slot = sp_task_find(current);
	if (likely(event.slot)) {
		notice_exec(event.slot, current);
		if (unlikely(sp_live_stale(event.slot, current)))
			sp_live_decide(event.slot, current);
	}
	over = sp_stretch_sample(&cpu->stretch, sample, &ended);
	if (event.slot && (over || cpu->stretch.since))
		look_inside(&event, sample, regs, over ? &ended : NULL);
	if (event.slot && over)
		stretch_ends(&event, &ended);
	leave(cpu, now.at[SP_SOURCE_MONO]);
}

/*
 * A task that nobody has seen: it comes in for the first time, and functions are
 * called before the hook sees it; or it ran when the hooks were armed.
 */
static noinline struct sp_task *clock_of_current(void)
{
	struct task_struct *task = current;
	struct sp_task *slot = sp_task_find(task);
	bool fresh = !task->nvcsw && !task->nivcsw;

	/* Buried already, on its way to the next task. */
	if (slot || sp_task_state(task) == TASK_DEAD)
		return slot;
	return sp_task_add(task, fresh ? SP_PHASE_RUNNABLE : SP_PHASE_ON_CPU,
			   max(armed_at, task->start_time));
}

/**
 * sp_hot_current() - the clock of the task that runs here
 * @cpu: this CPU's
 *
 * The filters are asked about the task, if they were not yet.
 *
 * Context: interrupts off, between sp_hot_call_begin() and sp_hot_call_end().
 * Return: the clock, or NULL if there is none.
 */
struct sp_task *sp_hot_current(struct sp_cpu *cpu)
{
	struct sp_task *slot = cpu->running;

	if (unlikely(!slot || slot->task != current))
		slot = clock_of_current();
	if (unlikely(!slot))
		return NULL;
	notice_exec(slot, current);
	if (unlikely(sp_live_stale(slot, current)))
		sp_live_decide(slot, current);
	return slot;
}

static __always_inline void on_switch(struct task_struct *prev, struct task_struct *next,
				      const struct pt_regs *regs, unsigned int sources)
{
	struct sp_cpu *cpu = this_cpu_ptr(&sp_cpu);
	struct sp_task *left = cpu->left;

	sp_now_read(&cpu->now, sources);
	enter(cpu);
	cpu->counts.switches++;
	cpu->event.regs = regs;
	cpu->event.sources = sources;
	/* While the task that leaves is still known. */
	if (unlikely(READ_ONCE(sp_sampling)))
		stretch_switch(cpu, prev, next, &cpu->now);
	/* PID 0 is one idle task per CPU: left out. */
	if (prev->pid)
		left = goes(cpu, prev, sources);
	cpu->running = next->pid ? comes(cpu, next, sources) : NULL;
	cpu->left = left;
	leave(cpu, cpu->now.at[SP_SOURCE_MONO]);
}

static noinline void on_switch_with_sources(struct task_struct *prev,
					    struct task_struct *next,
					    const struct pt_regs *regs,
					    unsigned int sources)
{
	on_switch(prev, next, regs, sources);
}

/**
 * sp_hot_switch() - one task left this CPU, another came in
 * @prev: who left
 * @next: who came
 * @regs: at the entry of the function that @next calls last while it comes, when its
 *	user memory is loaded; NULL: @prev is about to leave, and its is loaded
 *
 * Context: a hook; interrupts off, run queue lock held.
 */
void sp_hot_switch(struct task_struct *prev, struct task_struct *next,
		   const struct pt_regs *regs)
{
	/* Pairs with sp_source_get(): what a source needs is there. */
	unsigned int sources = smp_load_acquire(&sp_sources);

	/* Twice the same code, which has nothing to ask for where there is but one. */
	if (likely(!sources))
		on_switch(prev, next, regs, 0);
	else
		on_switch_with_sources(prev, next, regs, sources);
}

/**
 * sp_hot_fork() - a task was born
 * @child: the task, which has not run yet
 *
 * Context: the parent's, before anybody can reap the child.
 */
void sp_hot_fork(struct task_struct *child)
{
	struct sp_task *slot;
	unsigned long flags;

	local_irq_save(flags);
	slot = clock_of(child, SP_PHASE_RUNNABLE);
	if (slot)
		sp_live_inherit(slot, child);
	local_irq_restore(flags);
}

/**
 * sp_hot_mean_ns() - how long a switch hook takes on this machine
 *
 * Context: any.
 */
u64 sp_hot_mean_ns(void)
{
	u64 ns = 0, entries = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		ns += READ_ONCE(per_cpu_ptr(&sp_cpu, cpu)->counts.overhead_ns);
		/* The first of each lot was measured. */
		entries += roundup(sp_cpu_entries(cpu), OVERHEAD_SAMPLE);
	}
	return entries ? div64_u64(ns, entries) : 0;
}

/**
 * sp_hot_blind() - the hooks missed what happened
 * @ns: for so long
 *
 * Context: process.
 */
void sp_hot_blind(u64 ns)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_ptr(&sp_cpu)->counts.blind_ns += ns;
	local_irq_restore(flags);
}

/**
 * sp_hot_reset() - forget what the hooks knew
 *
 * Context: process, no hook of the role is armed and trusted.
 */
void sp_hot_reset(void)
{
	int cpu;

	armed_at = ktime_get_mono_fast_ns();
	for_each_possible_cpu(cpu) {
		struct sp_cpu *c = per_cpu_ptr(&sp_cpu, cpu);

		c->running = NULL;
		c->left = NULL;
		c->event = (struct sp_event) {
			.cpu = c, .now = &c->now, .before = c->before,
		};
	}
}

/**
 * sp_cpu_read() - what a CPU counted, all of one moment
 * @cpu: a possible CPU
 * @copy: called to take the copy; may be called several times
 * @data: for @copy
 *
 * The hooks never wait for a reader. A reader tries again while one runs, and
 * after many tries takes what it gets: then a hook has been busy all the time.
 *
 * Context: process.
 */
void sp_cpu_read(int cpu, void (*copy)(int cpu, void *data), void *data)
{
	const struct sp_cpu *c = per_cpu_ptr(&sp_cpu, cpu);
	unsigned int tries;

	for (tries = 0; tries < 100000; tries++) {
		unsigned long sequence = READ_ONCE(c->sequence);
		unsigned long calls = READ_ONCE(c->calls);

		/* Both pair with enter() and leave(), and sp_hot_call_begin(). */
		smp_rmb();
		copy(cpu, data);
		/* As above. */
		smp_rmb();
		if (!((sequence | calls) & 1) && sequence == READ_ONCE(c->sequence) &&
		    calls == READ_ONCE(c->calls))
			return;
		cpu_relax();
	}
}

/* Entries into and exits from the switch hook, on one CPU, since loading. */
unsigned long sp_cpu_entries(int cpu)
{
	const struct sp_cpu *c = per_cpu_ptr(&sp_cpu, cpu);

	return (READ_ONCE(c->sequence) + 1) / 2 - READ_ONCE(c->counts.samples);
}

unsigned long sp_cpu_exits(int cpu)
{
	const struct sp_cpu *c = per_cpu_ptr(&sp_cpu, cpu);

	return READ_ONCE(c->sequence) / 2 - READ_ONCE(c->counts.samples);
}

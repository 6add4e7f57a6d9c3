// SPDX-License-Identifier: GPL-2.0-only
/*
 * switch: what every backend calls when the scheduler did something.
 *
 * sp_hot_switch() runs with interrupts off and a run queue lock held, on every context
 * switch of the machine; the other functions say where they run. One time stamp per
 * switch, so that nobody is charged for our own work, and none if nobody wants either
 * task; mostly one look-up or none, because the task that leaves is the one that came
 * in last on this CPU, and the one that comes is often the one that left last, with
 * nothing but the idle task or a partner in between. What is written belongs to this CPU
 * or to a task that it is switching, unless a task, a stack or an entry is new.
 */
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "compat/compat.h"
#include "func/function.h"
#include "hook/switch.h"
#include "record/live.h"
#include "record/account.h"
#include "record/recognise.h"
#include "record/recording.h"
#include "hook/sampler.h"
#include "task/task_table.h"
#include "lib/widen.h"

/* Counts are increased as in raw_write_seqcount_begin(): by one instruction. */
static __always_inline void cpu_write_begin(struct sp_cpu *cpu)
{
	cpu->sequence++;
	/* Pairs with sp_cpu_read(). */
	smp_wmb();
}

static __always_inline void cpu_write_end(struct sp_cpu *cpu)
{
	/* As in cpu_write_begin(). */
	smp_wmb();
	cpu->sequence++;
}

/* Is it this entry's turn to be measured? */
static __always_inline bool is_measured(const struct sp_cpu *cpu)
{
	return cpu->sequence % (2 * SP_OVERHEAD_SAMPLE) == 0;
}

static void add_cost(struct sp_cpu *cpu, u64 began)
{
	cpu->counts.overhead_ns += sp_time_between(began, ktime_get_mono_fast_ns()) *
				   SP_OVERHEAD_SAMPLE;
}

/* A task that nobody has seen was born since the hooks were armed, or runs. */
static struct sp_task *find_or_add_task(struct task_struct *task, enum sp_phase phase)
{
	struct sp_task *st = sp_task_find(task);

	if (likely(st))
		return st;
	st = sp_task_add(task, phase, max(sp_armed_at, task->start_time));
	/* It is leaving: its switch is counted already, as one of its own will. */
	if (st && phase == SP_PHASE_ON_CPU && sp_task_state(task))
		st->nvcsw--;
	return st;
}

/*
 * Why does it leave? Voluntary switches also count those in which a signal
 * kept the task from sleeping: then its state is running. So it is if a waker
 * was faster than this hook: then there is its stamp. (6.12 leaves sleeping
 * tasks in the run queue for a while, so on_rq would not tell.)
 */
static __always_inline enum sp_state state_after(struct sp_task *st,
						 const struct task_struct *prev,
						 unsigned int state)
{
	bool voluntary = st->nvcsw != (u32)prev->nvcsw;

	st->nvcsw = (u32)prev->nvcsw;
	st->clock.leaving = voluntary ? SP_LEFT_VOLUNTARILY : SP_LEFT_INVOLUNTARILY;
	if (!voluntary)
		return SP_STATE_R;
	if (!state && (READ_ONCE(st->clock.woken) || READ_ONCE(st->clock.tried)))
		return SP_STATE_S;
	return sp_state_of(state);
}

/* The frequent case, an interruptible sleep. If it is another one: false, nothing done. */
static __always_inline bool task_sleeps(struct sp_task *st, const struct task_struct *prev,
					unsigned int state)
{
	u32 nvcsw = (u32)prev->nvcsw;

	if (unlikely((state & ~TASK_FREEZABLE) != TASK_INTERRUPTIBLE || st->nvcsw == nvcsw))
		return false;
	st->nvcsw = nvcsw;
	st->clock.leaving = SP_LEFT_VOLUNTARILY;
	return true;
}

/* The task leaves: its clocks of the other ids are told, too. */
static noinline void others_leave(struct sp_task *st, enum sp_state state,
				  const struct sp_now *now, unsigned int clocks)
{
	enum sp_clock_id clock_id;

	for_each_extra_clock(clock_id, clocks)
		sp_clock_leave(sp_task_clock(st, clock_id), state, now->at[clock_id]);
}

/* The same when it comes in. */
static noinline void others_come(struct sp_task *st, const struct sp_now *now,
				 unsigned int clocks)
{
	enum sp_clock_id clock_id;

	for_each_extra_clock(clock_id, clocks)
		sp_clock_come(sp_task_clock(st, clock_id), now->at[clock_id]);
}

/* Before either: clocks of other ids may know less than the monotonic one. */
static noinline void catch_up(struct sp_task *st, const struct sp_now *now,
			      unsigned int clocks)
{
	enum sp_clock_id clock_id;

	for_each_extra_clock(clock_id, clocks)
		sp_task_catch_up(st, clock_id, now);
}

/*
 * The task comes in, which was off the CPU: how many intervals are over follows from
 * that. Returns when it was woken, ns; 0: it was not.
 */
static __always_inline u64 count_return(struct sp_returns *returns,
					const struct sp_clock *clock, enum sp_phase phase)
{
	u64 woken = sp_clock_woken(clock);

	if (unlikely(!clock->in_ts))
		returns->newcomers++;
	if (phase != SP_PHASE_ASLEEP) {
		returns->runnables++;
		return woken;
	}
	returns->sleepers++;
	if (woken)
		returns->woken_sleepers++;
	return woken;
}

/*
 * Times of a task have ended that some recording wants; those that do not want it
 * count them as filtered.
 */
static noinline void filter_times(const struct sp_task *st, unsigned int times)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && !test_bit(bit, st->match) &&
		    times & BIT(recording->mode->time))
			sp_record_filtered(recording);
	}
}

static noinline void copy_others(struct sp_switch *sw)
{
	enum sp_clock_id clock_id;

	for_each_extra_clock(clock_id, sw->clocks) {
		struct sp_clock *before = &sw->cpu->before[clock_id];

		*before = *sp_task_clock(sw->st, clock_id);
		before->woken = sp_clock_woken(before);
	}
}

/* The members of the event that differ from one switch to the next. */
static __always_inline void begin_event(struct sp_switch *sw, struct sp_task *st,
					struct task_struct *task,
					const struct pt_regs *regs, unsigned int clocks)
{
	sw->st = st;
	sw->task = task;
	sw->regs = regs;
	sw->clocks = clocks;
}

/*
 * What has ended goes to all that want it, told from a copy of the clocks as they
 * were before this event.
 */
static noinline void deliver_times(struct sp_switch *sw, unsigned int times, u64 woken)
{
	struct sp_clock *before = sw->cpu->before;

	sp_switch_forget_stacks(sw);
	before[SP_CLOCK_MONO] = sw->st->clock;
	before[SP_CLOCK_MONO].woken = woken;
	if (unlikely(sw->clocks))
		copy_others(sw);
	sp_deliver(sw, times);
}

/* Also those that do not want the task any more may have calls of it. */
static void bury_calls(struct sp_switch *sw)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->functions)
			sp_function_bury(recording, sw,
					 test_bit(bit, sw->st->match));
	}
}

/* The books of a task are closed; it never comes in again. */
static void task_exit(struct sp_switch *sw)
{
	struct sp_wanting wanting = sp_wanting(sw->st);
	u64 woken = sp_clock_woken(&sw->st->clock);
	unsigned int times = sp_clock_times(&sw->st->clock, woken);
	struct sp_recording *recording;
	enum sp_time time;

	for (time = 0; time < SP_CLOCK_TIMES; time++) {
		sw->cpu->counts.intervals[time] += !!(times & BIT(time));
		if (!sw->st->wanted)
			sw->cpu->counts.filtered[time] += !!(times & BIT(time));
	}
	if (sw->st->wanted && sw->st->unwanted)
		filter_times(sw->st, times);
	sw->exited = true;
	deliver_times(sw, times, woken);
	bury_calls(sw);
	while ((recording = sp_next_wanting(&wanting)))
		sp_record_exit(recording, sw->st, sw->task);
	/* Before the count is even again: readers may not see time that was handed on. */
	sp_task_remove(sw->st);
	raw_write_seqcount_end(&sw->st->seq);
	sw->exited = false;
}

/* Recordings that want to know of those that leave. */
static noinline void announce_task(struct sp_switch *sw)
{
	struct sp_wanting wanting = sp_wanting(sw->st);
	struct sp_recording *recording;

	sp_switch_forget_stacks(sw);
	while ((recording = sp_next_wanting(&wanting)))
		sp_record_leave(recording, sw);
	sw->st->announced = true;
}

/*
 * It does not just sleep. TASK_DEAD is set by do_task_dead(); nobody can wake it, so
 * that value is final. Returns its clock, if that stays.
 */
static noinline struct sp_task *switch_out_otherwise(struct sp_cpu *cpu, struct sp_task *st,
						     struct task_struct *prev,
						     const struct pt_regs *regs,
						     unsigned int state, unsigned int clocks)
{
	enum sp_state left_as = state_after(st, prev, state);

	if (unlikely(state == TASK_DEAD)) {
		begin_event(&cpu->sw, st, prev, regs, clocks);
		task_exit(&cpu->sw);
		return NULL;
	}
	if (unlikely(sp_clock_leave(&st->clock, left_as, cpu->now.at[SP_CLOCK_MONO])))
		cpu->counts.clock_steps++;
	if (unlikely(clocks))
		others_leave(st, left_as, &cpu->now, clocks);
	raw_write_seqcount_end(&st->seq);
	return st;
}

/* Returns the clock of @prev, if it stays. */
static __always_inline struct sp_task *switch_out(struct sp_cpu *cpu, struct sp_task *st,
						  struct task_struct *prev,
						  const struct pt_regs *regs,
						  unsigned int clocks)
{
	unsigned int state = sp_task_state(prev);

	raw_write_seqcount_begin(&st->seq);
	st->switches++;
	sp_task_follow_exec(st, prev);
	if (unlikely(sp_live_stale(st, prev)))
		sp_live_decide(st, prev);
	if (unlikely(clocks))
		catch_up(st, &cpu->now, clocks);
	/* User stacks are taken on the way out where they are in reach only then. */
	if (unlikely(!st->announced) ||
	    (!regs && sp_live_takes_user_stacks() && !sp_record_leave_again(st, prev))) {
		begin_event(&cpu->sw, st, prev, regs, clocks);
		announce_task(&cpu->sw);
	}
	if (unlikely(!task_sleeps(st, prev, state)))
		return switch_out_otherwise(cpu, st, prev, regs, state, clocks);
	if (unlikely(sp_clock_leave(&st->clock, SP_STATE_S, cpu->now.at[SP_CLOCK_MONO])))
		cpu->counts.clock_steps++;
	if (unlikely(clocks))
		others_leave(st, SP_STATE_S, &cpu->now, clocks);
	raw_write_seqcount_end(&st->seq);
	return st;
}

/*
 * An interval of a task without a clock. Nothing is remembered of the task, so this is
 * asked each time. Its ancestors, which anybody can make more of, are not: it may be an
 * heir.
 */
static void may_have_lost(struct sp_recording *recording, struct task_struct *task)
{
	if (sp_filter_match(recording->filter, task, recording->config.inherit))
		sp_record_no_slot(recording);
	else
		sp_record_filtered(recording);
}

static noinline void no_slot(struct sp_cpu *cpu, struct task_struct *task)
{
	unsigned int bit, time, last = sp_live_end();

	cpu->counts.no_slot++;
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		cpu->counts.intervals[time]++;
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (!recording || recording->mode->time >= SP_CLOCK_TIMES)
			continue;
		may_have_lost(recording, task);
	}
}

/* What sp_record_again(), which is tried first, did not do. */
static noinline void deliver_return(struct sp_cpu *cpu, struct sp_task *st,
				    struct task_struct *next, const struct pt_regs *regs,
				    unsigned int clocks)
{
	struct sp_switch *sw = &cpu->sw;
	unsigned int here = smp_processor_id();

	begin_event(sw, st, next, regs, clocks);
	sw->migrated = st->cpu != here;
	st->cpu = here;
	deliver_times(sw, sp_clock_times(&st->clock, cpu->woken), cpu->woken);
}

/* The task of @st comes in; what was before is handed on. */
static __always_inline void switch_in(struct sp_cpu *cpu, struct sp_task *st,
				      struct task_struct *next, const struct pt_regs *regs,
				      unsigned int clocks)
{
	struct sp_clock *clock = &st->clock;
	u64 *now = &cpu->now.at[SP_CLOCK_MONO];
	enum sp_phase phase;

	raw_write_seqcount_begin(&st->seq);
	if (unlikely(sp_live_stale(st, next)))
		sp_live_decide(st, next);
	if (unlikely(clocks))
		catch_up(st, &cpu->now, clocks);
	phase = clock->phase;
	if (likely(sp_phase_off_cpu(phase))) {
		if (unlikely(*now < clock->out_ts)) {
			cpu->counts.clock_steps++;
			*now = clock->out_ts;
		}
		cpu->woken = count_return(st->wanted ? &cpu->counts.wanted :
							 &cpu->counts.unwanted,
					  clock, phase);
		if (unlikely(st->unwanted && st->wanted))
			filter_times(st, sp_clock_times(clock, cpu->woken));
		if (st->first ? !sp_record_again(cpu, st, next, regs) : st->wanted)
			deliver_return(cpu, st, next, regs, clocks);
		sp_clock_come_back(clock, *now);
	} else {
		sp_clock_come(clock, *now);
	}
	st->cpu = smp_processor_id();
	if (unlikely(clocks))
		others_come(st, &cpu->now, clocks);
	raw_write_seqcount_end(&st->seq);
}

/*
 * The stack of a span without a switch is taken once for each recording, when it has lasted so
 * long that the next look may be too late. One that is over already was a gap,
 * and this is what is seen first after it.
 */
static void look_inside(struct sp_switch *sw, const struct sp_sample *sample,
			struct pt_regs *regs, const struct sp_nosched_span_end *ended)
{
	u64 since = ended ? ended->since : sw->cpu->span.since;
	bool irqs_off = ended ? ended->irqs_off :
				sp_nosched_span_irqs_off(&sw->cpu->span, sample->now);
	struct sp_recording *recording;
	struct sp_wanting wanting = sp_wanting(sw->st);

	if (ended && !ended->irqs_off)
		return;
	while ((recording = sp_next_wanting(&wanting)))
		if (sp_mode_samples(recording->mode))
			sp_record_inside(recording, sw, since,
					 sample->now + sample->period - since,
					 sample->kernel ? regs : NULL, irqs_off);
}

/* A span without a switch on this CPU is over; @sw is of its task. */
static void nosched_span_ends(struct sp_switch *sw, const struct sp_nosched_span_end *ended)
{
	unsigned int bit, last = sp_live_end();

	sw->cpu->counts.intervals[SP_TIME_NOSCHED]++;
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (!recording || !sp_mode_samples(recording->mode))
			continue;
		if (unlikely(!sw->st))
			may_have_lost(recording, sw->task);
		else if (test_bit(bit, sw->st->match))
			sp_record_nosched_span(recording, sw, ended);
		else
			sp_record_filtered(recording);
	}
}

/* The task that leaves has no span any more, and the next one none yet. */
static noinline void nosched_span_switch(struct sp_cpu *cpu, struct task_struct *prev,
					 struct task_struct *next,
					 const struct sp_now *now)
{
	struct sp_switch sw = { .cpu = cpu, .task = prev, .now = now };
	struct sp_nosched_span_end ended;

	if (sp_nosched_span_switch(&cpu->span, now->at[SP_CLOCK_MONO], &ended)) {
		sw.st = sp_task_find(prev);
		if (sw.st && sp_live_stale(sw.st, prev))
			sp_live_decide(sw.st, prev);
		nosched_span_ends(&sw, &ended);
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
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);
	struct sp_now now;
	struct sp_switch sw = { .cpu = cpu, .task = current, .now = &now };
	struct sp_nosched_span_end ended;
	bool over, measured = is_measured(cpu);

	if (unlikely(sp_hot_is_shut()))
		return;
	cpu_write_begin(cpu);
	/* Pairs with sp_clock_id_get(). */
	sp_now_read(&now, smp_load_acquire(&sp_clocks));
	cpu->counts.samples++;
	sw.st = cpu->running;
	if (unlikely(!sw.st || sw.st->task != current))
		sw.st = sp_task_find(current);
	if (likely(sw.st)) {
		sp_task_follow_exec(sw.st, current);
		if (unlikely(sp_live_stale(sw.st, current)))
			sp_live_decide(sw.st, current);
	}
	over = sp_nosched_span_sample(&cpu->span, sample, &ended);
	if (sw.st && (over || cpu->span.since))
		look_inside(&sw, sample, regs, over ? &ended : NULL);
	if (over)
		nosched_span_ends(&sw, &ended);
	if (unlikely(measured))
		add_cost(cpu, now.at[SP_CLOCK_MONO]);
	cpu_write_end(cpu);
}

/* Both tasks have clocks, and no session asks for samples or for other clock ids. */
static noinline void on_plain_switch(struct sp_cpu *cpu, struct task_struct *prev,
				     struct task_struct *next, const struct pt_regs *regs,
				     struct sp_task *leaves, struct sp_task *enters)
{
	sp_now_read(&cpu->now, 0);
	cpu->left = switch_out(cpu, leaves, prev, regs, 0);
	cpu->running = enters;
	switch_in(cpu, enters, next, regs, 0);
	cpu_write_end(cpu);
}

/* The same with samples, other clock ids, and tasks without a clock. */
static noinline void on_any_switch(struct sp_cpu *cpu, struct task_struct *prev,
				   struct task_struct *next, const struct pt_regs *regs,
				   struct sp_task *leaves, struct sp_task *enters)
{
	/* Pairs with sp_clock_id_get(): what a clock needs is there. */
	unsigned int clocks = smp_load_acquire(&sp_clocks);

	sp_now_read(&cpu->now, clocks);
	/* While the task that leaves is still known. */
	if (unlikely(READ_ONCE(sp_sampling)))
		nosched_span_switch(cpu, prev, next, &cpu->now);
	if (leaves)
		cpu->left = switch_out(cpu, leaves, prev, regs, clocks);
	else if (prev->pid)
		cpu->left = NULL;	/* counted when it comes in */
	cpu->running = enters;
	if (enters)
		switch_in(cpu, enters, next, regs, clocks);
	else if (next->pid)
		no_slot(cpu, next);
	cpu_write_end(cpu);
}

/* Nobody needs to know what time it is: the clock is told how its task left... */
static __always_inline void untracked_out(struct sp_task *st, struct task_struct *prev)
{
	unsigned int state = sp_task_state(prev);

	raw_write_seqcount_begin(&st->seq);
	st->switches++;
	if (likely(task_sleeps(st, prev, state)))
		sp_clock_rest_leave(&st->clock, SP_STATE_S);
	else
		sp_clock_rest_leave(&st->clock, state_after(st, prev, state));
	raw_write_seqcount_end(&st->seq);
}

/* ...and where it came in. */
static __always_inline void untracked_in(struct sp_cpu *cpu, struct sp_task *st)
{
	raw_write_seqcount_begin(&st->seq);
	st->cpu = smp_processor_id();
	if (likely(sp_phase_off_cpu(st->clock.phase)))
		count_return(&cpu->counts.unwanted, &st->clock, st->clock.phase);
	sp_clock_rest_come(&st->clock);
	raw_write_seqcount_end(&st->seq);
}

/* Are samples taken, or other clocks than one in use? Then all have more to do. */
static __always_inline bool more_is_asked(void)
{
	/* One instruction each: nothing is torn, and whoever comes too late is late. */
	return data_race(sp_clocks) || data_race(sp_sampling);
}

/* What is not the same two tasks again. */
static noinline void switch_others(struct sp_cpu *cpu, struct task_struct *prev,
				   struct task_struct *next, const struct pt_regs *regs)
{
	struct sp_task *leaves = cpu->running, *enters = cpu->left;

	/* PID 0 is one idle task per CPU: it has no clock. */
	if (!leaves || leaves->task != prev)
		leaves = prev->pid ? find_or_add_task(prev, SP_PHASE_ON_CPU) : NULL;
	if (!enters || !sp_task_is(enters, next))
		enters = next->pid ? find_or_add_task(next, SP_PHASE_RUNNABLE) : NULL;
	if (unlikely(more_is_asked()) || (leaves ? !sp_live_rests(leaves) : prev->pid) ||
	    (enters ? !sp_live_rests(enters) : next->pid) || sp_task_state(prev) == TASK_DEAD)
		return on_any_switch(cpu, prev, next, regs, leaves, enters);
	if (leaves) {
		untracked_out(leaves, prev);
		cpu->left = leaves;
	}
	if (enters)
		untracked_in(cpu, enters);
	cpu->running = enters;
	cpu_write_end(cpu);
}

static __always_inline void switch_tasks(struct sp_cpu *cpu, struct task_struct *prev,
					 struct task_struct *next,
					 const struct pt_regs *regs)
{
	struct sp_task *leaves = cpu->running, *enters = cpu->left;

	cpu_write_begin(cpu);
	cpu->counts.switches++;
	if (unlikely(!leaves || leaves->task != prev || !enters ||
		     !sp_task_is(enters, next) || more_is_asked()))
		return switch_others(cpu, prev, next, regs);
	/* A dead task's clock must go. */
	if (!sp_live_rests(leaves) || !sp_live_rests(enters) ||
	    unlikely(sp_task_state(prev) == TASK_DEAD))
		return on_plain_switch(cpu, prev, next, regs, leaves, enters);
	untracked_out(leaves, prev);
	untracked_in(cpu, enters);
	cpu->left = leaves;
	cpu->running = enters;
	cpu_write_end(cpu);
}

static noinline void switch_measured(struct sp_cpu *cpu, struct task_struct *prev,
				     struct task_struct *next, const struct pt_regs *regs)
{
	u64 began = ktime_get_mono_fast_ns();

	switch_tasks(cpu, prev, next, regs);
	add_cost(cpu, began);
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
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (unlikely(is_measured(cpu)))
		switch_measured(cpu, prev, next, regs);
	else
		switch_tasks(cpu, prev, next, regs);
}

/**
 * sp_hot_fork() - a task was born
 * @parent: who made it
 * @child: the task, which has not run yet
 *
 * Context: that of @parent, before anybody can reap the child.
 */
void sp_hot_fork(struct task_struct *parent, struct task_struct *child)
{
	struct sp_task *st;
	unsigned long flags;

	local_irq_save(flags);
	if (likely(!sp_hot_is_shut())) {
		st = find_or_add_task(child, SP_PHASE_RUNNABLE);
		if (st)
			sp_live_inherit(st, parent);
	}
	local_irq_restore(flags);
}

/*
 * The switch hook is not armed then, or only proves itself. All others may be at work:
 * they ask with interrupts off, so after a grace period none is inside that did not see
 * the hooks shut.
 */
static void shut_hooks(void)
{
	WRITE_ONCE(sp_hot_shut, true);
	synchronize_rcu();
}

static void open_hooks(void)
{
	/* Whoever sees the hooks open sees what was made: sp_hot_is_shut(). */
	smp_store_release(&sp_hot_shut, false);
}

static void reset_cpus(void)
{
	int cpu;

	sp_armed_at = ktime_get_mono_fast_ns();
	for_each_possible_cpu(cpu) {
		struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);

		c->running = NULL;
		sp_window();
		c->left = NULL;
		c->sw = (struct sp_switch) {
			.cpu = c, .now = &c->now, .before = c->before,
		};
	}
}

/**
 * sp_hot_reset() - forget what each CPU's hooks knew
 *
 * Context: process, sleeps for a grace period; the switch hook is not armed, or not
 * trusted yet.
 */
void sp_hot_reset(void)
{
	shut_hooks();
	reset_cpus();
	open_hooks();
}

/**
 * sp_hot_restart() - forget that, and what every task did
 *
 * Context: process, as sp_hot_reset().
 */
void sp_hot_restart(void)
{
	shut_hooks();
	sp_task_table_restart();
	reset_cpus();
	open_hooks();
}

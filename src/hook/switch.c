// SPDX-License-Identifier: GPL-2.0-only
/*
 * switch: what every backend calls when the scheduler did something.
 *
 * sp_hot_switch() runs with interrupts off and a run queue lock held, on every context
 * switch of the machine; the other functions say where they run. One time stamp per
 * switch: the work behind it is charged to the task that comes in. Mostly one look-up or none,
 * because the task that leaves is the one that came in last on this CPU, and the one that comes
 * is often the one that left last, with nothing but the idle task or a partner in between. What
 * is written belongs to this CPU or to a task that it is switching, unless a task, a stack
 * or an entry is new.
 */
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include "compat/compat.h"
#include "func/function.h"
#include "hook/check.h"
#include "hook/switch.h"
#include "record/live.h"
#include "record/account.h"
#include "record/plain.h"
#include "record/recording.h"
#include "hook/sampler.h"
#include "task/task_table.h"
#include "lib/widen.h"
#include "unwind/unwind.h"

static void add_cost(u64 *sum, u64 began)
{
	*sum += sp_time_between(began, sp_time()) * SP_OVERHEAD_SAMPLE;
}

/*
 * A task that nobody has seen was born since the hooks were armed, or runs, or they were armed
 * just now: see start_clocks().
 */
static struct sp_task *find_or_add_task(struct task_struct *task, enum sp_phase phase)
{
	struct sp_task *st = sp_task_find(task);

	if (likely(st))
		return st;
	return sp_task_add(task, phase, SP_SINCE_BIRTH);
}

/* The members of the event that differ from one switch to the next. */
static void begin_event(struct sp_switch *sw, struct sp_task *st, struct task_struct *task,
			const struct pt_regs *regs)
{
	sw->st = st;
	sw->task = task;
	sw->regs = regs;
	sw->now = sw->cpu->now;
	sw->migrated = false;
}

/*
 * What has ended goes to all that want it, told from a copy of the clock as it
 * was before this event.
 */
static noinline void deliver_times(struct sp_switch *sw, unsigned int times, u64 woken)
{
	sp_switch_forget_stacks(sw);
	sp_learnt_begin(&sw->cpu->learnt, true);
	sw->before = sw->st->clock;
	sw->before.woken = woken;
	sp_deliver(sw, times);
}

/*
 * Also those that do not want the task any more may have calls of it, and a thread, which is
 * over; those with blame know it, wanted or not.
 */
static void bury(struct sp_switch *sw)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->functions)
			sp_function_bury(recording, sw,
					 test_bit(bit, sw->st->match));
		if (recording && !test_bit(bit, sw->st->match))
			sp_record_exit(recording, sw->st, sw->task);
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
		sp_plain_filter(sw->st, times);
	sw->exited = true;
	deliver_times(sw, times, woken);
	bury(sw);
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
	sw->st->out_user = NULL;
	sw->st->out_seq = sw->st->seq.sequence;
	while ((recording = sp_next_wanting(&wanting)))
		sp_record_leave(recording, sw);
	sw->st->announced = true;
}

/* Whoever waits for the task that comes or leaves does so for somebody without a name. */
static void count_lost_blame(void)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->blamed)
			this_cpu_ptr(recording->cpu)->lost_blame++;
	}
}

/*
 * For recordings with blame; @sw is of a task that leaves or comes. Returns false if one of them
 * has no room for it: rows could not tell whose they are, in none of them, as they have one ring.
 */
static noinline bool make_known(struct sp_switch *sw)
{
	unsigned int bit, last = sp_live_end();
	bool known = true;

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->blamed &&
		    !sp_record_know(recording, sw, test_bit(bit, sw->st->match)))
			known = false;
	}
	if (unlikely(!known))
		count_lost_blame();
	return known;
}

/* Returns the clock of @prev, if it stays; else sp_nobody. */
static struct sp_task *switch_out(struct sp_cpu *cpu, struct sp_task *st,
				  struct task_struct *prev, const struct pt_regs *regs)
{
	u32 how = sp_plain_leaves_how(st, prev);

	raw_write_seqcount_begin(&st->seq);
	st->switches++;
	sp_task_follow_exec(st, prev);
	if (unlikely(sp_live_stale(st, prev)))
		sp_live_decide(st, prev);
	begin_event(&cpu->sw, st, prev, regs);
	/* It may have come in before anybody wanted to know. */
	if (unlikely(cpu->plain_gen & SP_PLAIN_BLAMES) && !make_known(&cpu->sw)) {
		sp_run_ring_lose(&cpu->ring, st->serial);
		st->plain = 0;
	}
	/* User stacks are taken on the way out where they are in reach only then. */
	if (!st->announced || (!regs && sp_live_takes_user_stacks()))
		announce_task(&cpu->sw);
	/* The only one that is left, since the idle task has no clock here. */
	if (unlikely(!how)) {
		task_exit(&cpu->sw);
		return &sp_nobody;
	}
	st->nvcsw = (u32)prev->nvcsw;
	st->clock.leaving = how >> 16;
	if (unlikely(sp_clock_leave(&st->clock, how >> 8 & 0xff, cpu->now)))
		cpu->counts.clock_steps++;
	/* An event was missed: it counts as a newcomer when it comes in. */
	if (unlikely(!st->clock.in_ts))
		st->plain = 0;
	raw_write_seqcount_end(&st->seq);
	return st;
}

/*
 * Intervals of a task without a clock. Nothing is remembered of the task, so this is
 * asked each time. Its ancestors, which anybody can make more of, are not: it may be an
 * heir.
 */
static void may_have_lost(struct sp_recording *recording, struct task_struct *task,
			  unsigned int intervals)
{
	bool wanted;

	if (!intervals && !recording->ledger)
		return;
	wanted = sp_filter_match(recording->filter, task, recording->config.inherit);
	if (!intervals && wanted)
		sp_record_no_books(recording);
	else if (wanted)
		sp_record_no_slot(recording, intervals);
	else
		sp_record_filtered(recording, intervals);
}

static noinline void no_slot(struct sp_cpu *cpu, struct task_struct *task)
{
	unsigned int bit, time, last = sp_live_end();

	for (time = 0; time < SP_CLOCK_TIMES; time++)
		cpu->counts.intervals[time]++;
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording)
			may_have_lost(recording, task,
				      hweight32(sp_time_parts(recording->mode->time)));
	}
}

/* The task of @st comes in; what was before is handed on, and the next switch may be plain. */
static void switch_in(struct sp_cpu *cpu, struct sp_task *st, struct task_struct *next,
		      const struct pt_regs *regs)
{
	unsigned int here = smp_processor_id();
	struct sp_clock *clock = &st->clock;
	struct sp_switch *sw = &cpu->sw;
	struct sp_returns *returns;
	bool known = true;
	u64 woken;

	raw_write_seqcount_begin(&st->seq);
	if (unlikely(sp_live_stale(st, next)))
		sp_live_decide(st, next);
	if (unlikely(cpu->plain_gen & SP_PLAIN_BLAMES)) {
		begin_event(sw, st, next, regs);
		known = make_known(sw);
		/* Before its own wait is split, which ends with that. */
		sp_run_ring_push(&cpu->ring, known ? st->serial : SP_CULPRIT_LOST, cpu->now,
				 sp_cpu_foreign(cpu, cpu->now));
		sp_run_ring_name(&cpu->ring, next->comm);
	}
	sp_learnt_begin(&cpu->learnt, false);
	if (likely(sp_phase_off_cpu(clock->phase))) {
		if (unlikely(cpu->now < clock->out_ts)) {
			cpu->counts.clock_steps++;
			cpu->now = clock->out_ts;
		}
		woken = sp_clock_woken(clock);
		returns = st->wanted ? &cpu->counts.wanted : &cpu->counts.unwanted;
		if (unlikely(!clock->in_ts))
			returns->newcomers++;
		sp_count_return(returns, clock, woken);
		cpu->learnt.whole = true;
		if (unlikely(st->unwanted && st->wanted))
			sp_plain_filter(st, sp_clock_times(clock, woken));
		if (st->wanted) {
			begin_event(sw, st, next, regs);
			/* A newborn's first CPU may be another one than its parent's. */
			sw->migrated = st->cpu != here &&
				       sp_task_phase_before(next) != SP_PHASE_RUNNABLE;
			deliver_times(sw, sp_clock_times(clock, woken), woken);
		}
		sp_clock_come_back(clock, cpu->now);
	} else {
		/* How often it left before no hook may have seen. */
		st->nvcsw = (u32)next->nvcsw;
		sp_clock_come(clock, cpu->now);
	}
	st->cpu = here;
	st->has_fresh = false;
	sp_plain_learn(cpu, st);
	/* A program that was not announced. */
	if (st->wanted && !st->announced && sp_live_takes_user_stacks())
		st->plain = 0;
	/* Or that is to be tried again. */
	if (unlikely(READ_ONCE(sp_sampling_spans) || !known))
		st->plain = 0;
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

/* Where the task is, for those that want to know how long it was there. */
static void look_at_stacks(struct sp_switch *sw, const struct sp_sample *sample,
			   struct pt_regs *regs)
{
	struct sp_wanting wanting = sp_wanting(sw->st);
	struct sp_recording *recording;

	sp_unwind_asks_again();
	while ((recording = sp_next_wanting(&wanting)))
		if (recording->sampled)
			sp_record_sample(recording, sw, sample->kernel ? regs : NULL);
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
			may_have_lost(recording, sw->task, 1);
		else if (test_bit(bit, sw->st->match))
			sp_record_nosched_span(recording, sw, ended);
		else
			sp_record_filtered(recording, 1);
	}
}

/* The task that leaves has no span any more, and the next one none yet. */
static noinline void nosched_span_switch(struct sp_cpu *cpu, struct task_struct *prev,
					 struct task_struct *next,
					 u64 now)
{
	struct sp_switch sw = { .cpu = cpu, .task = prev, .now = now };
	struct sp_nosched_span_end ended;

	if (READ_ONCE(sp_sampling_spans) && sp_nosched_span_switch(&cpu->span, now, &ended)) {
		sw.st = sp_task_find(prev);
		if (sw.st)
			sp_live_refresh(sw.st, prev);
		nosched_span_ends(&sw, &ended);
	}
	if (next->pid)
		sp_sampler_wake();
}

/*
 * The hooks were blind: without a switch that they saw, somebody else runs than at the look
 * before, or the same one left meanwhile.
 */
static bool missed_a_switch(struct sp_cpu *cpu)
{
	const struct sp_last_look look = {
		.entries = cpu->sequence / 2 - cpu->counts.samples,
		.task = current,
		.switches = current->nvcsw + current->nivcsw,
	};
	bool missed = cpu->look.task && cpu->look.entries == look.entries &&
		      (cpu->look.task != look.task || cpu->look.switches != look.switches);

	cpu->look = look;
	return missed;
}

/* Nobody knows since when current does what it does: its clock starts with what it does next. */
static void lose_track(struct sp_task *st)
{
	if (!st || st->clock.phase == SP_PHASE_UNKNOWN)
		return;
	raw_write_seqcount_begin(&st->seq);
	sp_clock_start(&st->clock, SP_PHASE_UNKNOWN, 0);
	/* Interrupts were on, so it is not about to leave. */
	st->nvcsw = (u32)current->nvcsw;
	/* Nor when the softirq ended that it left its CPU in. */
	st->inside = 0;
	sp_task_forget_place(st);
	raw_write_seqcount_end(&st->seq);
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
	u64 now = sp_time();
	struct sp_switch sw = { .cpu = cpu, .task = current, .now = now };
	struct sp_nosched_span_end ended;
	bool over = false, measured = sp_cpu_is_measured(cpu), missed;

	if (unlikely(sp_hot_is_shut()))
		return;
	missed = missed_a_switch(cpu);
	sp_cpu_write_begin(cpu);
	cpu->counts.samples++;
	if (unlikely(missed)) {
		lose_track(sp_task_find(current));
		cpu->span = (struct sp_nosched_span) { };
		goto out;
	}
	sw.st = cpu->running;
	/* While hooks are blind, another one may have come, at the same address. */
	if (unlikely(!sw.st || !sp_task_is(sw.st, current)))
		sw.st = sp_task_find(current);
	if (likely(sw.st)) {
		sp_task_follow_exec(sw.st, current);
		sp_live_refresh(sw.st, current);
		look_at_stacks(&sw, sample, regs);
	}
	if (READ_ONCE(sp_sampling_spans))
		over = sp_nosched_span_sample(&cpu->span, sample, &ended);
	if (sw.st && (over || cpu->span.since))
		look_inside(&sw, sample, regs, over ? &ended : NULL);
	if (over)
		nosched_span_ends(&sw, &ended);
out:
	if (unlikely(measured))
		add_cost(&cpu->counts.look_ns, now);
	sp_cpu_write_end(cpu);
}

/*
 * While a recording has interrupts: what of its time was not its own goes to the task that
 * leaves. On PREEMPT_RT it may leave inside of a softirq, which goes on when the task is back;
 * what it left before the probes were armed this time was not seen to begin.
 */
static noinline void take_foreign(struct sp_cpu *cpu, struct sp_task *leaves,
				  const struct task_struct *prev)
{
	u64 foreign[SP_FOREIGNS];
	unsigned int i, span = SP_SPAN_TASK;

	if (unlikely(cpu->irq_time.depth))
		span = sp_irq_time_suspend(&cpu->irq_time, prev, cpu->now);
	if (likely(leaves)) {
		sp_cpu_take_foreign(cpu, leaves);
		leaves->inside = span == SP_SPAN_TASK ? 0 : sp_irq_armings + span;
		return;
	}
	sp_irq_time_take(&cpu->irq_time, sp_cpu_stolen(), foreign);
	for (i = 0; i < SP_FOREIGNS; i++)
		cpu->foreign_lost[i] += foreign[i];
}

static noinline void go_on_inside(struct sp_cpu *cpu, struct sp_task *enters,
				  const struct task_struct *next)
{
	u32 span = enters->inside - sp_irq_armings;

	/* Where nobody has interrupts now, nobody sees the end either. */
	if (span < SP_SPAN_TASK && cpu->plain_gen & SP_PLAIN_INTERRUPTS)
		sp_irq_time_enter(&cpu->irq_time, span, next, cpu->now);
	enters->inside = 0;
}

/*
 * What this CPU remembers begins when recordings have blame, or the hooks see again. Who leaves
 * then came in before, and its clock may know when. For how long it idled nobody knows, nor
 * what interrupts came until now.
 */
static noinline void begin_ring(struct sp_cpu *cpu, const struct sp_task *leaves,
				const struct task_struct *prev)
{
	sp_run_ring_clear(&cpu->ring);
	cpu->ring_since = READ_ONCE(sp_lives.blamed_since);
	if (leaves && leaves->clock.phase == SP_PHASE_ON_CPU && leaves->clock.in_ts) {
		sp_run_ring_push(&cpu->ring, leaves->serial, leaves->clock.in_ts,
				 sp_cpu_foreign(cpu, cpu->now));
		sp_run_ring_name(&cpu->ring, prev->comm);
	}
}

/* One without a clock, or the idle task. */
static noinline void push_stranger(struct sp_cpu *cpu, const struct task_struct *next)
{
	sp_run_ring_push(&cpu->ring, next->pid ? SP_CULPRIT_LOST : SP_CULPRIT_IDLE, cpu->now,
			 sp_cpu_foreign(cpu, cpu->now));
	if (next->pid)
		count_lost_blame();
}

/* Where nothing is taken for granted; sets what the plain way compares, which has begun. */
static noinline void long_switch(struct sp_cpu *cpu, struct task_struct *prev,
				 struct task_struct *next, const struct pt_regs *regs)
{
	struct sp_task *leaves = cpu->running, *enters = cpu->left;

	/* Before all that it stands for. Pairs with sp_plain_bump(). */
	cpu->plain_gen = smp_load_acquire(&sp_plain_gen);
	cpu->counts.switches++;
	if (leaves->task != prev || leaves == &cpu->idle)
		leaves = prev->pid ? find_or_add_task(prev, SP_PHASE_ON_CPU) : NULL;
	if (!sp_task_is(enters, next) || enters == &cpu->idle)
		enters = next->pid ? find_or_add_task(next, sp_task_phase_before(next)) : NULL;
	cpu->now = sp_time();
	if (unlikely(cpu->plain_gen & SP_PLAIN_BLAMES &&
		     cpu->ring_since != READ_ONCE(sp_lives.blamed_since)))
		begin_ring(cpu, leaves, prev);
	/* While the task that leaves is still known. */
	if (unlikely(READ_ONCE(sp_sampling)))
		nosched_span_switch(cpu, prev, next, cpu->now);
	if (!prev->pid || !next->pid) {
		/* PID 0 is one idle task per CPU, which nobody wants. */
		cpu->idle.task = prev->pid ? next : prev;
		cpu->idle.start_time = cpu->idle.task->start_time;
		cpu->idle.exec_id = (u32)cpu->idle.task->self_exec_id;
		cpu->idle.clock.phase = SP_PHASE_IDLE;
		cpu->idle.plain = READ_ONCE(sp_sampling_spans) ? 0 : cpu->plain_gen;
	}
	if (unlikely(cpu->plain_gen & SP_PLAIN_INTERRUPTS))
		take_foreign(cpu, prev->pid ? leaves : &cpu->idle, prev);
	if (leaves)
		cpu->left = switch_out(cpu, leaves, prev, regs);
	else
		cpu->left = prev->pid ? &sp_nobody : &cpu->idle;
	if (enters)
		switch_in(cpu, enters, next, regs);
	else if (unlikely(cpu->plain_gen & SP_PLAIN_BLAMES))
		push_stranger(cpu, next);
	if (!enters && next->pid)
		no_slot(cpu, next);
	if (enters)
		cpu->running = enters;
	else
		cpu->running = next->pid ? &sp_nobody : &cpu->idle;
	if (unlikely(cpu->running->inside))
		go_on_inside(cpu, cpu->running, next);
	sp_cpu_write_end(cpu);
}

/**
 * sp_hot_switch() - one task left this CPU, another came in, and that is not plain
 * @prev: who left
 * @next: who came
 * @regs: at the entry of the function that @next calls last while it comes, when its
 *	user memory is loaded; NULL: @prev is about to leave, and its is loaded
 *
 * Context: a hook; interrupts off, run queue lock held; behind sp_plain_switch().
 */
noinline void sp_hot_switch(struct task_struct *prev, struct task_struct *next,
			    const struct pt_regs *regs)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	/* Pairs with sp_check_end(). */
	if (unlikely(smp_load_acquire(&sp_unproved[SP_ROLE_SWITCH]))) {
		sp_check_switch(prev, next);
		return;
	}
	/* The plain way has begun, if it found anything to compare. */
	if (!(cpu->sequence & 1))
		sp_cpu_write_begin(cpu);
	long_switch(cpu, prev, next, regs);
	sp_unwind_asks_again();
}

/**
 * sp_hot_switch_measured() - the same, plain or not, and it is this one's turn to be measured
 * @prev: as for sp_hot_switch(), as all
 * @next: who came
 * @regs: where it is
 */
noinline void sp_hot_switch_measured(struct task_struct *prev, struct task_struct *next,
				     const struct pt_regs *regs)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);
	bool proved = !READ_ONCE(sp_unproved[SP_ROLE_SWITCH]);
	u64 began = sp_time();

	if (!sp_plain_switch(cpu, prev, next, regs, regs))
		sp_hot_switch(prev, next, regs);
	if (proved)
		add_cost(&cpu->counts.overhead_ns, began);
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
		st = find_or_add_task(child, sp_task_table_is_trusted() ? SP_PHASE_RUNNABLE :
				      SP_PHASE_UNKNOWN);
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
	/* Hooks that saw them open before are done. */
	WRITE_ONCE(sp_hot_openings, sp_hot_openings + 1);
	/* Whoever sees the hooks open sees what was made: sp_hot_is_shut(). */
	smp_store_release(&sp_hot_shut, false);
}

static void reset_cpus(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);

		/* A hook that proves itself reads both; they are so since before it. */
		if (c->running != &sp_nobody)
			c->running = &sp_nobody;
		sp_window();
		if (c->left != &sp_nobody)
			c->left = &sp_nobody;
		c->idle = (struct sp_task) { };
		c->span = (struct sp_nosched_span) { };
		c->look = (struct sp_last_look) { };
		c->ring_since = 0;
		c->sw = (struct sp_switch) {
			.cpu = c,
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

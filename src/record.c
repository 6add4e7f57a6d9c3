// SPDX-License-Identifier: GPL-2.0-only
/*
 * record: what one recording does with one interval. Runs inside hooks, with
 * interrupts off and a run queue lock held: nothing here allocates, waits,
 * wakes or prints, and nothing that is shared between CPUs is written unless
 * a task, a stack or a key is new. Only sp_record_cut() runs elsewhere, on a
 * recording that hooks no longer see.
 */
#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/sched/task_stack.h>

#include "places.h"
#include "recording.h"
#include "sleepers.h"
#include "task_table.h"

/*
 * Tell the worker that a row needs a look. irq_work_queue() sends this CPU an
 * interrupt, which is taken once the hook is over; it wakes nothing here.
 */
static void want(struct sp_recording *recording, const struct sp_row *row)
{
	set_bit(sp_roster_number(&recording->roster, row),
		recording->roster.wanted);
	irq_work_queue(&recording->kick);
}

static noinline struct sp_row *new_row(struct sp_recording *recording,
				       const struct sp_event *event)
{
	const struct sp_task *slot = event->slot;
	struct sp_row *row = sp_roster_make(&recording->roster, sp_task_slot(slot),
					    slot->serial, slot->exec_id, event->task);

	if (row && recording->settings.stacks & SP_WANT_USER && !row->who.kthread)
		want(recording, row);
	else if (sp_recording_wants_fold(recording))
		irq_work_queue(&recording->kick);
	return row;
}

static __always_inline struct sp_row *row_of(struct sp_recording *recording,
					     const struct sp_event *event)
{
	const struct sp_task *slot = event->slot;
	struct sp_row *row = sp_roster_find(&recording->roster, sp_task_slot(slot),
					    slot->serial, slot->exec_id);

	return likely(row) ? row : new_row(recording, event);
}

static u32 no_stack(struct sp_recording *recording, struct sp_walk *walk, u16 why)
{
	walk->n = 0;
	walk->waker[0] = '\0';
	walk->flags = why;
	walk->span = 0;
	walk->fp = 0;
	return sp_stack_table_put(&recording->stacks, walk);
}

static noinline u32 new_kernel_stack(struct sp_recording *recording,
				     struct sp_row *row, struct sp_event *event)
{
	u32 *gen = &event->slot->kernel_gen;

	if (event->kernel.exited)
		return no_stack(recording, &event->cpu->kernel, SP_STACK_EXITED);
	/* Proved by another recording, it is no other stack. */
	next_gen(&event->kernel, gen, &row->kernel);
	if (!event->kernel.walked) {
		sp_walk_kernel(&event->cpu->kernel, event->task, event->place);
		event->kernel.walked = true;
	}
	return remember(&row->kernel, sp_stack_table_put(&recording->stacks,
							 &event->cpu->kernel));
}

static __always_inline u32 kernel_stack(struct sp_recording *recording,
					struct sp_row *row, struct sp_event *event)
{
	u32 id = SP_STACK_NONE;

	if (likely(!event->kernel.exited))
		id = known_stack(recording, event, &row->kernel, &event->kernel,
				 &event->slot->kernel_gen, NULL);
	return id ?: new_kernel_stack(recording, row, event);
}

static noinline u32 new_user_stack(struct sp_recording *recording,
				   struct sp_row *row, struct sp_event *event,
				   const struct pt_regs *regs)
{
	u32 *gen = &event->slot->user_gen;

	next_gen(&event->user, gen, &row->user);
	if (!event->user.walked) {
		sp_walk_user(&event->cpu->user, regs);
		event->user.walked = true;
	}
	return remember(&row->user, sp_stack_table_put(&recording->stacks,
						       &event->cpu->user));
}

/* The task is current and its user memory is loaded. */
static __always_inline u32 walk_user(struct sp_recording *recording,
				     struct sp_row *row, struct sp_event *event)
{
	struct pt_regs *regs = task_pt_regs(event->task);
	u32 id;

	if (event->task->flags & PF_KTHREAD || !event->task->mm ||
	    !user_mode(regs) || !instruction_pointer(regs))
		return SP_STACK_NONE;
	id = known_stack(recording, event, &row->user, &event->user,
			 &event->slot->user_gen, regs);
	return id ?: new_user_stack(recording, row, event, regs);
}

/*
 * User memory is not reachable now: the stack was taken on the way out, unless
 * the task left before the recording wanted it.
 */
static u32 user_stack_left_with(struct sp_recording *recording,
				const struct sp_row *row, struct sp_event *event)
{
	/* It was odd then, and is again: no other switch was between. */
	if (row->out_turn + 2 == event->slot->turns)
		return row->out_user;
	if (row->who.kthread)
		return SP_STACK_NONE;
	return no_stack(recording, &event->cpu->user,
			SP_STACK_USER | SP_STACK_UNSEEN);
}

static __always_inline u32 user_stack(struct sp_recording *recording,
				      struct sp_row *row, struct sp_event *event)
{
	if (unlikely(event->kernel.exited))
		return SP_STACK_NONE;
	if (event->reach == SP_REACH_PREV)
		return user_stack_left_with(recording, row, event);
	return walk_user(recording, row, event);
}

/* Whoever woke it did so before the recording began, or nobody did. */
static u32 waker_of(struct sp_recording *recording, struct sp_event *event)
{
	u32 id = READ_ONCE(recording->wakers[sp_task_slot(event->slot)]);

	return id ?: no_stack(recording, &event->cpu->waker,
			      SP_STACK_WAKER | SP_STACK_UNSEEN);
}

static noinline void add_lost(struct sp_recording_cpu *cpu, u64 ns, u64 at)
{
	sp_sum_add(&cpu->lost, ns, at, raw_smp_processor_id());
}

/* The last entry of a row is never one of lost stacks. */
static noinline u64 *charge_other(struct sp_recording *recording,
				  struct sp_recording_cpu *cpu, struct sp_row *row,
				  struct sp_key key, u64 ns, u64 at)
{
	bool lost = key.kernel == SP_STACK_LOST || key.user == SP_STACK_LOST ||
		    key.waker == SP_STACK_LOST;
	struct sp_entry *entry;

	key.row = sp_roster_number(&recording->roster, row);
	if (lost) {
		key.kernel = SP_STACK_LOST;
		key.user = SP_STACK_LOST;
		key.waker = SP_STACK_NONE;
	}
	entry = sp_tally_put(&recording->tally, &key);
	row->last = lost ? NULL : entry;
	/* Code that was mapped since the program started may be in it. */
	if (entry && !entry->sum.count && still_stored(key.user))
		want(recording, row);
	if (entry)
		sp_tally_add(entry, ns, at, raw_smp_processor_id());
	else
		add_lost(cpu, ns, at);
	if (lost)
		return &cpu->fates.lost_stacks;
	return entry ? &cpu->fates.recorded : &cpu->fates.lost_entries;
}

/* Returns the counter that tells what became of the interval. */
static __always_inline u64 *charge(struct sp_recording *recording,
				   struct sp_recording_cpu *cpu, struct sp_row *row,
				   const struct sp_key *key, u64 ns, u64 at)
{
	struct sp_entry *entry = row->last;

	if (unlikely(!entry || entry->key.kernel != key->kernel ||
		     entry->key.user != key->user ||
		     entry->key.waker != key->waker))
		return charge_other(recording, cpu, row, *key, ns, at);
	sp_tally_add(entry, ns, at, raw_smp_processor_id());
	return &cpu->fates.recorded;
}

static __always_inline u64 *put(struct sp_recording *recording,
				struct sp_recording_cpu *cpu,
				struct sp_event *event, u64 ns, u64 at)
{
	u32 kinds = recording->settings.stacks;
	struct sp_row *row = row_of(recording, event);
	struct sp_key key = { };

	if (unlikely(!row)) {
		add_lost(cpu, ns, at);
		return &cpu->fates.lost_tasks;
	}
	if (kinds & SP_WANT_KERNEL)
		key.kernel = kernel_stack(recording, row, event);
	if (kinds & SP_WANT_USER)
		key.user = user_stack(recording, row, event);
	if (kinds & SP_WANT_WAKER && event->woken)
		key.waker = waker_of(recording, event);
	return charge(recording, cpu, row, &key, ns, at);
}

static void count_length(const struct sp_recording *recording,
			 struct sp_recording_cpu *cpu, u64 ns)
{
	sp_histogram_add(&cpu->histogram,
			 sp_source_row_unit(recording->settings.source, ns));
}

/* NULL if the length is one that is recorded. */
static u64 *misfit(const struct sp_recording *recording,
		   struct sp_recording_cpu *cpu, u64 ns)
{
	u64 max = READ_ONCE(recording->filter->max);

	if (ns < READ_ONCE(recording->filter->min))
		return &cpu->fates.below_min;
	return max && ns > max ? &cpu->fates.above_max : NULL;
}

/**
 * sp_record() - an interval ended
 * @recording: a live recording whose filter lets the task in
 * @event: in which it is handed on
 * @start: of the time that the recording is about, by its source
 * @end: when it ended
 *
 * Context: a hook.
 */
void sp_record(struct sp_recording *recording, struct sp_event *event,
	       u64 start, u64 end)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u64 begin = sp_recording_begin(recording);
	u64 *fate, length;

	/* One that was over before is none of this recording's. */
	if (unlikely(!cpu->live || end <= begin))
		return;
	length = end - max(start, begin);
	fate = misfit(recording, cpu, length);
	if (likely(!fate)) {
		count_length(recording, cpu, length);
		fate = put(recording, cpu, event, length, end);
	}
	++*fate;
}

/**
 * sp_record_inside() - the stack inside a stretch in the kernel
 * @recording: a live recording of such a mode whose filter lets the task in
 * @event: of the current task
 * @since: ns; when the stretch began
 * @ns: how long it will have lasted at the next sample
 * @regs: of the kernel where it was interrupted; NULL: user mode was
 * @irqs_off: the sample was late
 *
 * It is taken once, as soon as the stretch may be recorded.
 *
 * Context: a timer's interrupt while the task runs.
 */
void sp_record_inside(struct sp_recording *recording, struct sp_event *event,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u32 kinds = recording->settings.stacks;
	struct sp_walk *walk = &event->cpu->waker;
	struct sp_row *row;

	/* After exec the row is another, and the old one may be folded. */
	if (!cpu->live || (cpu->inside_since == since &&
			   cpu->inside_exec == event->slot->exec_id) ||
	    sp_source_of_ns(recording->settings.source, ns) <
	    READ_ONCE(recording->filter->min))
		return;
	row = row_of(recording, event);
	if (!row)
		return;
	cpu->inside_since = since;
	cpu->inside_exec = event->slot->exec_id;
	cpu->inside_row = sp_roster_number(&recording->roster, row);
	cpu->inside_kernel = SP_STACK_NONE;
	cpu->inside_user = SP_STACK_NONE;
	if (kinds & SP_WANT_KERNEL) {
		walk->n = 0;
		walk->flags = 0;
		if (regs)
			sp_walk_interrupted(walk, regs);
		walk->flags |= irqs_off ? SP_STACK_IRQS_OFF : 0;
		cpu->inside_kernel = sp_stack_table_put(&recording->stacks, walk);
	}
	if (kinds & SP_WANT_USER)
		cpu->inside_user = walk_user(recording, row, event);
}

static void keep_event(struct sp_recording *recording, const struct sp_row *row,
		       const struct sp_key *key, const struct sp_stretched *stretched)
{
	struct sp_happening what = {
		.at = stretched->until,
		.ns = stretched->until - stretched->since,
		.tid = row->who.tid, .tgid = row->who.tgid,
		.cpu = raw_smp_processor_id(), .kernel = key->kernel,
		.irqs_off = stretched->irqs_off,
	};

	memcpy(what.comm, row->who.comm, sizeof(what.comm));
	sp_events_add(&recording->events, &what);
}

/**
 * sp_record_stretch() - a stretch in the kernel is over
 * @recording: a live recording of such a mode whose filter lets the task in
 * @event: of the task
 * @stretched: when it began and ended
 *
 * Context: a hook or a timer's interrupt on the CPU where it was.
 */
void sp_record_stretch(struct sp_recording *recording, struct sp_event *event,
		       const struct sp_stretched *stretched)
{
	enum sp_source source = recording->settings.source;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_interval interval = { stretched->since, stretched->until };
	u64 begin = recording->begin.at[SP_SOURCE_MONO];
	struct sp_key key = { };
	struct sp_row *row;
	u64 *fate, length;

	if (!cpu->live || interval.end <= begin)
		return;
	length = sp_source_of_ns(source, sp_interval_clip(&interval, begin));
	/* Short ones, too: they are what long ones are compared with. */
	count_length(recording, cpu, length);
	fate = misfit(recording, cpu, length);
	if (fate)
		goto out;
	row = row_of(recording, event);
	if (!row) {
		add_lost(cpu, length, event->now->at[source]);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (cpu->inside_since == stretched->since) {
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
	} else if (recording->settings.stacks & SP_WANT_KERNEL) {
		key.kernel = no_stack(recording, &event->cpu->waker, SP_STACK_UNSEEN);
	}
	keep_event(recording, row, &key, stretched);
	fate = charge(recording, cpu, row, &key, length, event->now->at[source]);
out:
	++*fate;
}

/**
 * sp_record_cut_stretch() - keep a stretch that goes on at the end
 * @recording: not live on this CPU any more
 *
 * Context: on the CPU, interrupts off.
 */
void sp_record_cut_stretch(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_stretch *stretch = &this_cpu_ptr(&sp_cpu)->stretch;
	enum sp_source source = recording->settings.source;
	struct sp_stretched cut;
	struct sp_key key = { };
	struct sp_row *row;
	struct sp_now now;
	u64 length, *fate;

	if (!sp_mode_samples(recording->settings.mode) || !stretch->since ||
	    cpu->inside_since != stretch->since)
		return;
	sp_now_read_all(&now);
	cut = (struct sp_stretched) {
		.since = max(stretch->since, recording->begin.at[SP_SOURCE_MONO]),
		.until = now.at[SP_SOURCE_MONO],
		.irqs_off = sp_stretch_irqs_off(stretch, now.at[SP_SOURCE_MONO]),
	};
	cpu->kept.intervals[SP_TIME_STRETCH]++;
	length = sp_source_of_ns(source, cut.until - cut.since);
	count_length(recording, cpu, length);
	fate = misfit(recording, cpu, length);
	if (!fate) {
		row = &recording->roster.rows[cpu->inside_row];
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
		keep_event(recording, row, &key, &cut);
		fate = charge(recording, cpu, row, &key, length, now.at[source]);
	}
	++*fate;
}

/**
 * sp_record_fits() - is an interval of this length recorded?
 * @recording: a live recording
 * @ns: the length
 *
 * Context: any.
 */
bool sp_record_fits(const struct sp_recording *recording, u64 ns)
{
	return !misfit(recording, per_cpu_ptr(recording->cpu, 0), ns);
}

/**
 * sp_record_cut() - keep an interval that no hook handed on before the end
 * @recording: not live any more, so nobody else writes to it
 * @sleeper: the interval and its task
 *
 * Context: process.
 */
void sp_record_cut(struct sp_recording *recording, const struct sp_sleeper *sleeper)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);
	struct sp_roster *roster = &recording->roster;
	u64 ns = sleeper->until - sleeper->since;
	struct sp_key key = { };
	struct sp_row *row;
	u64 *fate;

	cpu->kept.intervals[recording->settings.mode->time]++;
	fate = misfit(recording, cpu, ns);
	if (fate)
		goto out;
	count_length(recording, cpu, ns);
	row = sp_roster_find(roster, sleeper->slot, sleeper->serial,
			     sleeper->exec_id);
	if (!row)
		row = sp_roster_make(roster, sleeper->slot, sleeper->serial,
				     sleeper->exec_id, sleeper->task);
	if (!row) {
		add_lost(cpu, ns, sleeper->until);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (sleeper->kernel)
		key.kernel = sp_stack_table_put(&recording->stacks, sleeper->kernel);
	if (sleeper->user)
		key.user = sp_stack_table_put(&recording->stacks, sleeper->user);
	key.waker = sleeper->waker;
	fate = charge(recording, cpu, row, &key, ns, sleeper->until);
out:
	++*fate;
}

/**
 * sp_record_ledger() - keep the books of a task that comes in, or ends
 * @recording: a live recording with a ledger whose filter lets the task in
 * @event: the event
 *
 * Context: a hook, while the turns of the task's clock are odd.
 */
void sp_record_ledger(struct sp_recording *recording, struct sp_event *event)
{
	enum sp_source source = recording->settings.source;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_kernel_books kernel;
	struct sp_ledger *ledger;
	struct sp_row *row;
	u64 waited;

	if (unlikely(!cpu->live))
		return;
	row = row_of(recording, event);
	if (!row) {
		cpu->unbooked++;
		return;
	}
	ledger = &recording->ledger[sp_roster_number(&recording->roster, row)];
	waited = ledger->ns[SP_ACCOUNT_RUN_QUEUE];
	sp_kernel_books_read(&kernel, event->task);
	sp_ledger_add(ledger, &event->before[source], event->now->at[source],
		      sp_recording_begin(recording));
	ledger->migrations += event->migrated;
	ledger->voluntary += event->kernel.exited;
	if (unlikely(!ledger->based)) {
		/* The tracepoint fires before the kernel counts this wait. */
		if (event->reach == SP_REACH_PREV)
			kernel.waited_ns += ledger->ns[SP_ACCOUNT_RUN_QUEUE] - waited;
		sp_ledger_base(ledger, &kernel);
	}
	if (unlikely(event->kernel.exited)) {
		ledger->end = kernel;
		ledger->over = true;
	}
}

/**
 * sp_record_leave() - a task leaves the CPU
 * @recording: a live recording whose filter lets the task in
 * @event: without an interval
 *
 * A program that was not announced yet gets its row now, so that the worker
 * can look at its mappings while it is off the CPU. Where user memory is out
 * of reach on the way in, the user stack is taken here.
 *
 * Context: a hook.
 */
void sp_record_leave(struct sp_recording *recording, struct sp_event *event)
{
	struct sp_row *row;

	if (!(recording->settings.stacks & SP_WANT_USER) ||
	    unlikely(!this_cpu_ptr(recording->cpu)->live))
		return;
	row = row_of(recording, event);
	if (row && event->reach == SP_REACH_PREV &&
	    !sp_mode_samples(recording->settings.mode)) {
		row->out_user = walk_user(recording, row, event);
		row->out_turn = event->slot->turns;
	}
}

/**
 * sp_record_waker_again() - is it the waker that is known already?
 * @recording: a live recording that wants to know
 * @slot: the task's clock
 * @regs: for sp_walk_waker_same()
 *
 * Context: as sp_record_waker().
 */
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *slot, struct pt_regs *regs)
{
	u32 id = READ_ONCE(recording->wakers[sp_task_slot(slot)]);

	return still_stored(id) &&
	       sp_walk_waker_same(sp_stack_table_get(&recording->stacks, id), regs);
}

/**
 * sp_record_waker() - somebody wakes a task
 * @recording: a live recording that wants to know
 * @slot: the task's clock
 * @walk: who, and where
 *
 * Context: a hook in the waker's context, interrupts off. The last one counts,
 * as for the stamp of the wakeup.
 */
void sp_record_waker(struct sp_recording *recording, const struct sp_task *slot,
		     const struct sp_walk *walk)
{
	u32 id = sp_stack_table_put(&recording->stacks, walk);

	WRITE_ONCE(recording->wakers[sp_task_slot(slot)], id);
}

/**
 * sp_record_exit() - a task left the CPU for the last time
 * @recording: a live recording whose filter lets the task in
 * @slot: its clock
 * @task: the task
 *
 * Context: a hook.
 */
void sp_record_exit(struct sp_recording *recording, struct sp_task *slot,
		    struct task_struct *task)
{
	struct sp_row *row = sp_roster_find(&recording->roster,
					    sp_task_slot(slot), slot->serial,
					    slot->exec_id);

	if (!row)
		return;
	sp_roster_end_row(&recording->roster, row, task);
	if (sp_recording_wants_fold(recording))
		irq_work_queue(&recording->kick);
}

/**
 * sp_record_no_slot() - an interval of unknown length ended, because the
 * table of task clocks is full
 * @recording: a live recording whose filter lets the task in
 *
 * Context: a hook.
 */
void sp_record_no_slot(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->fates.lost_tasks++;
}

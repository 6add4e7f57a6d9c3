// SPDX-License-Identifier: GPL-2.0-only
/*
 * account: what one recording does with one interval. Runs inside hooks, with
 * interrupts off and a run queue lock held: nothing here allocates, waits,
 * wakes or prints, and nothing that is shared between CPUs is written unless
 * a task, a stack or a key is new. Only sp_record_cut() runs elsewhere, on a
 * recording that hooks no longer see.
 */
#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/sched/task_stack.h>

#include "record/live.h"
#include "record/stack_cache.h"
#include "record/account.h"
#include "record/open_intervals.h"
#include "task/task_table.h"
#include "record/trace_record.h"
#include "record/compact.h"
#include "record/recording.h"

/*
 * Ask the worker to look, unless it was asked and has not begun. irq_work_queue()
 * sends this CPU an interrupt, which is taken once the hook is over; it wakes
 * nothing here. But what it wakes then may be an instrumented function, which
 * would ask again, and again.
 */
static void kick(struct sp_recording *recording)
{
	if (READ_ONCE(recording->kicked))
		return;
	WRITE_ONCE(recording->kicked, true);
	irq_work_queue(&recording->kick);
}

/**
 * sp_record_want() - tell the worker that a row needs a look
 * @recording: a live recording
 * @row: one of its rows
 *
 * Context: a hook.
 */
void sp_record_want(struct sp_recording *recording, const struct sp_thread *row)
{
	set_bit(sp_threads_number(&recording->roster, row),
		recording->roster.wanted);
	/* Either it is seen here that the worker has begun, or it sees the bit. */
	smp_mb__after_atomic();
	kick(recording);
}

/**
 * sp_record_new_row() - make the row of an event's task, which has none yet
 * @recording: a live recording
 * @event: of a task
 *
 * Context: a hook.
 * Return: the row, or NULL if there is no room.
 */
struct sp_thread *sp_record_new_row(struct sp_recording *recording,
				    const struct sp_switch *event)
{
	const struct sp_task *slot = event->slot;
	struct sp_thread *row = sp_threads_make(&recording->roster, sp_task_slot(slot),
						slot->serial, slot->exec_id, event->task);

	if (row && recording->settings.stacks & SP_WANT_USER && !row->who.kthread)
		sp_record_want(recording, row);
	else if (sp_compact_wanted(recording))
		kick(recording);
	return row;
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
				     struct sp_thread *row, struct sp_switch *event)
{
	u32 *gen = &event->slot->kernel_gen;

	if (event->exited)
		return no_stack(recording, &event->cpu->kernel, SP_STACK_EXITED);
	/* Proved by another recording, it is no other stack. */
	next_gen(&event->kernel, gen, &row->kernel);
	if (!event->kernel.walked) {
		sp_walk_kernel(&event->cpu->kernel, event->task, &event->place);
		event->kernel.walked = true;
	}
	return remember(&row->kernel, sp_stack_table_put(&recording->stacks,
							 &event->cpu->kernel));
}

static __always_inline u32 kernel_stack(struct sp_recording *recording,
					struct sp_thread *row, struct sp_switch *event)
{
	u32 id = SP_STACK_NONE;

	if (likely(!event->exited))
		id = known_stack(recording, event, &row->kernel, &event->kernel,
				 &event->slot->kernel_gen, false);
	return id ?: new_kernel_stack(recording, row, event);
}

static noinline u32 new_user_stack(struct sp_recording *recording,
				   struct sp_thread *row, struct sp_switch *event)
{
	struct pt_regs *regs = task_pt_regs(event->task);
	u32 *gen = &event->slot->user_gen;

	if (event->task->flags & PF_KTHREAD || !event->task->mm ||
	    !user_mode(regs) || !instruction_pointer(regs))
		return SP_STACK_NONE;
	next_gen(&event->user, gen, &row->user);
	if (!event->user.walked) {
		sp_walk_user(&event->cpu->user, regs);
		event->user.walked = true;
	}
	return remember(&row->user, sp_stack_table_put(&recording->stacks,
						       &event->cpu->user));
}

static __always_inline u32 loaded_user_stack(struct sp_recording *recording,
					     struct sp_thread *row, struct sp_switch *event)
{
	u32 id = SP_STACK_NONE;

	/* While it exits, what is loaded is not its memory any more. */
	if (likely(event->task->mm))
		id = known_stack(recording, event, &row->user, &event->user,
				 &event->slot->user_gen, true);
	return id ?: new_user_stack(recording, row, event);
}

/**
 * sp_record_user_stack() - where a task is in its program
 * @recording: a live recording
 * @row: of the task
 * @event: of the task, which is current, and whose user memory is loaded
 *
 * Context: a hook.
 * Return: the stack's number, or SP_STACK_NONE or SP_STACK_LOST.
 */
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_thread *row,
			 struct sp_switch *event)
{
	return loaded_user_stack(recording, row, event);
}

/*
 * User memory is not reachable now: the stack was taken on the way out, unless
 * the task left before the recording wanted it.
 */
static u32 user_stack_left_with(struct sp_recording *recording,
				const struct sp_thread *row, struct sp_switch *event)
{
	/* It was odd then, and is again: no other switch was between. */
	if (row->out_seq + 2 == event->slot->seq.sequence)
		return row->out_user;
	if (row->who.kthread)
		return SP_STACK_NONE;
	return no_stack(recording, &event->cpu->user,
			SP_STACK_USER | SP_STACK_UNSEEN);
}

static __always_inline u32 user_stack(struct sp_recording *recording,
				      struct sp_thread *row, struct sp_switch *event)
{
	if (unlikely(event->exited))
		return SP_STACK_NONE;
	if (sp_switch_leaving(event))
		return user_stack_left_with(recording, row, event);
	return loaded_user_stack(recording, row, event);
}

/* Whoever woke it did so before the recording began, or nobody did. */
static u32 waker_of(struct sp_recording *recording, struct sp_switch *event)
{
	u32 id = sp_record_waker_id(recording, event->slot);

	return id ?: no_stack(recording, &event->cpu->waker,
			      SP_STACK_WAKER | SP_STACK_UNSEEN);
}

static bool same_key(const struct sp_entry *entry, const struct sp_key *key)
{
	return entry->key.kernel == key->kernel && entry->key.user == key->user &&
	       entry->key.waker == key->waker;
}

/* The entry of a key, if it is a recent one, which is the last one then. */
static struct sp_entry *recall(struct sp_recent *recent, const struct sp_key *key)
{
	unsigned int i;

	for (i = 0; i < recent->n; i++) {
		if (same_key(recent->entry[i], key)) {
			sp_recent_move(recent, i);
			return recent->entry[i];
		}
	}
	return NULL;
}

static void note(struct sp_recent *recent, struct sp_entry *entry)
{
	unsigned int to = recent->n < SP_PLACES ? recent->n++ :
						  (recent->at + 1) % SP_PLACES;

	recent->entry[to] = entry;
	recent->next[to] = to;
	recent->shared &= ~BIT(to);
	sp_recent_move(recent, to);
}

/* Those of lost stacks are not among the recent ones. */
static noinline u64 *charge_other(struct sp_recording *recording,
				  struct sp_recording_cpu *cpu, struct sp_thread *row,
				  struct sp_key key, const struct sp_ending *ending)
{
	bool lost = key.kernel == SP_STACK_LOST || key.user == SP_STACK_LOST ||
		    key.waker == SP_STACK_LOST;
	struct sp_entry *entry;

	key.row = sp_threads_number(&recording->roster, row);
	if (lost) {
		key.kernel = SP_STACK_LOST;
		key.user = SP_STACK_LOST;
		key.waker = SP_STACK_NONE;
	}
	entry = sp_tally_put(&recording->tally, &key);
	if (entry && !lost)
		note(&row->recent, entry);
	/* Code that was mapped since the program started may be in it. */
	if (entry && !entry->sum.count && still_stored(key.user))
		sp_record_want(recording, row);
	if (entry)
		sp_tally_add(entry, ending->length, ending->at, ending->cpu);
	else
		sp_record_lost(cpu, ending->length, ending->at);
	if (unlikely(recording->events.ring))
		sp_record_event(recording, cpu, row, &key, ending);
	if (lost)
		return &cpu->fates.lost_stacks;
	return entry ? &cpu->fates.recorded : &cpu->fates.lost_entries;
}

/* Returns the counter that tells what became of the interval. */
static noinline u64 *charge(struct sp_recording *recording,
			    struct sp_recording_cpu *cpu, struct sp_thread *row,
			    const struct sp_key *key, const struct sp_ending *ending)
{
	struct sp_entry *entry = NULL;

	if (likely(!sp_recent_strange(&row->recent)))
		entry = recall(&row->recent, key);
	if (!entry)
		return charge_other(recording, cpu, row, *key, ending);
	sp_tally_add(entry, ending->length, ending->at, ending->cpu);
	if (unlikely(recording->events.ring))
		sp_record_event(recording, cpu, row, key, ending);
	return &cpu->fates.recorded;
}

static noinline u64 *charge_event(struct sp_recording *recording,
				  struct sp_recording_cpu *cpu,
				  const struct sp_switch *event, struct sp_thread *row,
				  const struct sp_key *key, u64 length, u64 at)
{
	const struct sp_ending ending = {
		.length = length, .at = at, .cpu = event->slot->cpu,
		.task = event->task,
	};

	return charge(recording, cpu, row, key, &ending);
}

static __always_inline u64 *put(struct sp_recording *recording,
				struct sp_recording_cpu *cpu,
				struct sp_switch *event, u64 length, u64 at)
{
	u32 kinds = recording->settings.stacks;
	struct sp_thread *row = sp_record_row(recording, event);
	struct sp_key key = { };
	struct sp_entry *entry;

	if (unlikely(!row)) {
		sp_record_lost(cpu, length, at);
		return &cpu->fates.lost_tasks;
	}
	if (kinds & SP_WANT_KERNEL)
		key.kernel = kernel_stack(recording, row, event);
	if (kinds & SP_WANT_USER)
		key.user = user_stack(recording, row, event);
	if (kinds & SP_WANT_WAKER && event->woken)
		key.waker = waker_of(recording, event);
	if (likely(row->recent.n && !recording->events.ring)) {
		entry = row->recent.entry[row->recent.at];
		if (likely(same_key(entry, &key))) {
			sp_tally_add(entry, length, at, event->slot->cpu);
			return &cpu->fates.recorded;
		}
	}
	return charge_event(recording, cpu, event, row, &key, length, at);
}

/*
 * Between the end of this CPU's part and that of the recording: one interval of each
 * task is still to be kept, until the end. Whoever is the first hands it on: this hook,
 * or sp_open_intervals_find(). Its count is not in that of the CPU's part, which is over.
 */
static noinline bool closes(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			    const struct sp_switch *event, struct sp_interval *interval,
			    enum sp_time time)
{
	u64 end;

	if (!cpu->closing)
		return false;
	/*
	 * The clock's count is odd before the end is looked at. Pairs with publish_end():
	 * either the end is seen here, or the clock is seen to turn there.
	 */
	smp_mb();
	end = READ_ONCE(recording->end.at[recording->settings.source]);
	/* Not yet known: then this is before it. */
	if (end) {
		if (interval->start >= end ||
		    !sp_recording_claim(recording, sp_task_slot(event->slot)))
			return false;
		interval->end = min(interval->end, end);
	}
	cpu->kept.intervals[time]++;
	return true;
}

/* One of the task's times has ended. */
static __always_inline void record(struct sp_recording *recording,
				   struct sp_switch *event, enum sp_time time)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	enum sp_source source = recording->settings.source;
	const struct sp_clock *before = &event->before[source];
	u64 now = event->now->at[source], begin = recording->begin.at[source];
	struct sp_interval interval = { before->left, now };
	u64 *fate = NULL, length;

	/* What most want to know ends now. Others may have ended before. */
	if (unlikely(time != SP_TIME_OFF_CPU || source != SP_SOURCE_MONO ||
		     now < before->left) &&
	    /* Each clock is told of every event, so there always is one. */
	    unlikely(!sp_clock_time(before, time, now, &interval)))
		interval = (struct sp_interval) { now, now, false };
	if (unlikely(!cpu->live) && !closes(recording, cpu, event, &interval, time))
		return;
	/* One that was over before is none of this recording's. */
	if (unlikely(interval.end <= begin)) {
		cpu->fates.filtered++;
		return;
	}
	length = interval.end - max(interval.start, begin);
	if (unlikely(!sp_record_may_fit(recording, length)))
		fate = sp_record_misfit(recording, cpu, length);
	if (likely(!fate)) {
		sp_record_length(recording, cpu, length);
		fate = put(recording, cpu, event, length, interval.end);
	}
	++*fate;
}

/* Keep the books of a task that comes in, or ends. */
static noinline void record_ledger(struct sp_recording *recording,
				   struct sp_switch *event)
{
	enum sp_source source = recording->settings.source;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_kernel_books kernel;
	struct sp_ledger *ledger;
	struct sp_thread *row;

	if (unlikely(!cpu->live))
		return;
	row = sp_record_row(recording, event);
	if (!row) {
		cpu->unbooked++;
		return;
	}
	ledger = &recording->ledger[sp_threads_number(&recording->roster, row)];
	sp_record_books(recording, ledger, &event->before[source],
			event->before[source].woken, event->now, event->migrated);
	ledger->voluntary += event->exited;
	if (likely(ledger->based && !event->exited))
		return;
	sp_kernel_books_read(&kernel, event->task);
	if (!ledger->based) {
		/* The tracepoint fires before the kernel counts this wait. */
		if (sp_switch_leaving(event))
			kernel.waited_ns += ledger->ns[SP_ACCOUNT_RUN_QUEUE];
		sp_ledger_base(ledger, &kernel);
	}
	if (unlikely(event->exited)) {
		ledger->end = kernel;
		ledger->over = true;
	}
}

/**
 * sp_deliver() - hand what has ended to every recording that wants the task
 * @event: of a task that comes in, or that left for the last time
 * @times: which of its times have ended, bits of enum sp_time
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_deliver(struct sp_switch *event, unsigned int times)
{
	struct sp_wanting wanting = sp_wanting(event->slot);
	enum sp_state state = event->before[SP_SOURCE_MONO].state;
	struct sp_recording *recording, *last = NULL;
	unsigned int several = 0;
	enum sp_time time;

	event->woken = sp_switch_woken(times);
	if (likely(!event->exited))
		sp_place_of_coming(&event->place, event->task, event->regs);
	while ((recording = sp_next_wanting(&wanting))) {
		if (unlikely(recording->ledger))
			record_ledger(recording, event);
		time = recording->settings.mode->time;
		if (likely(times & BIT(time))) {
			if (likely(sp_filter_state(recording->filter, time, state)))
				record(recording, event, time);
			else
				sp_record_filtered(recording);
		}
		last = recording;
		several++;
	}
	if (several == 1)
		sp_record_keep_sole(event->slot, last);
	else if (!event->slot->mixed && !event->exited)
		sp_record_keep_several(event->slot);
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
void sp_record_inside(struct sp_recording *recording, struct sp_switch *event,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u32 kinds = recording->settings.stacks;
	struct sp_walk *walk = &event->cpu->waker;
	struct sp_thread *row;

	/* After exec the row is another, and the old one may be folded. */
	if (!cpu->live || (cpu->inside_since == since &&
			   cpu->inside_exec == event->slot->exec_id) ||
	    sp_source_of_ns(recording->settings.source, ns) <
	    READ_ONCE(recording->filter->min))
		return;
	row = sp_record_row(recording, event);
	if (!row)
		return;
	cpu->inside_since = since;
	cpu->inside_exec = event->slot->exec_id;
	cpu->inside_row = sp_threads_number(&recording->roster, row);
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
		cpu->inside_user = sp_record_user_stack(recording, row, event);
}

/**
 * sp_record_stretch() - a stretch in the kernel is over
 * @recording: a live recording of such a mode whose filter lets the task in
 * @event: of the task
 * @stretched: when it began and ended
 *
 * Context: a hook or a timer's interrupt on the CPU where it was.
 */
void sp_record_stretch(struct sp_recording *recording, struct sp_switch *event,
		       const struct sp_nosched_span_end *stretched)
{
	enum sp_source source = recording->settings.source;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_interval interval = { stretched->since, stretched->until };
	struct sp_ending ending = {
		.at = event->now->at[source], .cpu = raw_smp_processor_id(),
		.irqs_off = stretched->irqs_off, .task = event->task,
	};
	u64 begin = recording->begin.at[SP_SOURCE_MONO];
	struct sp_key key = { };
	struct sp_thread *row;
	u64 *fate, length;

	if (!cpu->live)
		return;
	if (interval.end <= begin) {
		cpu->fates.filtered++;
		return;
	}
	length = sp_source_of_ns(source, sp_interval_clip(&interval, begin));
	ending.length = length;
	/* Short ones, too: they are what long ones are compared with. */
	sp_record_length(recording, cpu, length);
	fate = sp_record_misfit(recording, cpu, length);
	if (fate)
		goto out;
	row = sp_record_row(recording, event);
	if (!row) {
		sp_record_lost(cpu, length, event->now->at[source]);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (cpu->inside_since == stretched->since) {
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
	} else if (recording->settings.stacks & SP_WANT_KERNEL) {
		key.kernel = no_stack(recording, &event->cpu->waker, SP_STACK_UNSEEN);
	}
	fate = charge(recording, cpu, row, &key, &ending);
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
	const struct sp_nosched_span *stretch = &this_cpu_ptr(sp_cpu)->stretch;
	enum sp_source source = recording->settings.source;
	struct sp_ending ending = { };
	struct sp_key key = { };
	struct sp_thread *row;
	struct sp_interval interval;
	struct sp_now now;
	u64 length, *fate;

	if (!sp_mode_samples(recording->settings.mode) || !stretch->since ||
	    cpu->inside_since != stretch->since)
		return;
	sp_now_read_all(&now);
	ending.irqs_off = sp_nosched_span_irqs_off(stretch, now.at[SP_SOURCE_MONO]);
	ending.cpu = raw_smp_processor_id();
	ending.at = now.at[source];
	cpu->kept.intervals[SP_TIME_STRETCH]++;
	interval = (struct sp_interval) { stretch->since, now.at[SP_SOURCE_MONO] };
	length = sp_source_of_ns(source, sp_interval_clip(&interval,
							  recording->begin.at[SP_SOURCE_MONO]));
	ending.length = length;
	sp_record_length(recording, cpu, length);
	fate = sp_record_misfit(recording, cpu, length);
	if (!fate) {
		row = &recording->roster.rows[cpu->inside_row];
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
		fate = charge(recording, cpu, row, &key, &ending);
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
	return !sp_record_misfit(recording, per_cpu_ptr(recording->cpu, 0), ns);
}

/**
 * sp_record_cut() - keep an interval that no hook handed on before the end
 * @recording: not live any more, so nobody else writes to it
 * @sleeper: the interval and its task
 *
 * Context: process.
 */
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *sleeper)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);
	struct sp_threads *roster = &recording->roster;
	u64 ns = sleeper->until - sleeper->since;
	const struct sp_ending ending = {
		.length = ns, .at = sleeper->until, .task = sleeper->task,
		.cpu = task_cpu(sleeper->task),
	};
	struct sp_key key = { };
	struct sp_thread *row;
	u64 *fate;

	cpu->kept.intervals[recording->settings.mode->time]++;
	fate = sp_record_misfit(recording, cpu, ns);
	if (fate)
		goto out;
	sp_record_length(recording, cpu, ns);
	row = sp_threads_find(roster, sleeper->slot, sleeper->serial,
			      sleeper->exec_id);
	if (!row)
		row = sp_threads_make(roster, sleeper->slot, sleeper->serial,
				      sleeper->exec_id, sleeper->task);
	if (!row) {
		sp_record_lost(cpu, ns, sleeper->until);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (sleeper->kernel)
		key.kernel = sp_stack_table_put(&recording->stacks, sleeper->kernel);
	if (sleeper->user)
		key.user = sp_stack_table_put(&recording->stacks, sleeper->user);
	key.waker = sleeper->waker;
	fate = charge(recording, cpu, row, &key, &ending);
out:
	++*fate;
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
void sp_record_leave(struct sp_recording *recording, struct sp_switch *event)
{
	struct sp_thread *row;

	if (!(recording->settings.stacks & SP_WANT_USER) ||
	    unlikely(!this_cpu_ptr(recording->cpu)->live))
		return;
	row = sp_record_row(recording, event);
	if (row && sp_switch_leaving(event) &&
	    recording->settings.mode->time < SP_CLOCK_TIMES) {
		row->out_user = sp_record_user_stack(recording, row, event);
		row->out_seq = event->slot->seq.sequence;
	}
}

/**
 * sp_record_waker_again() - is it the waker that is known already?
 * @recording: a live recording that wants to know
 * @slot: the task's clock
 * @waking: for sp_walk_waker_same()
 *
 * Context: as sp_record_waker().
 */
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *slot, const struct sp_waking *waking)
{
	u32 id = sp_record_waker_id(recording, slot);

	return still_stored(id) &&
	       sp_walk_waker_same(sp_stack_table_get(&recording->stacks, id), waking);
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
	struct sp_thread *row = sp_threads_find(&recording->roster,
						sp_task_slot(slot), slot->serial,
						slot->exec_id);

	if (!row)
		return;
	sp_threads_end_row(&recording->roster, row, task);
	if (sp_compact_wanted(recording))
		kick(recording);
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

/**
 * sp_record_filtered() - an interval that the filter does not let in
 * @recording: a live recording
 *
 * Context: a hook.
 */
void sp_record_filtered(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->fates.filtered++;
}

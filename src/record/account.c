// SPDX-License-Identifier: GPL-2.0-only
/*
 * account: what one recording does with one interval. Runs inside hooks, with
 * interrupts off, mostly with a run queue lock held: nothing here allocates, waits,
 * wakes or prints. Nothing that is shared between CPUs is written unless a task, a
 * stack or a key is new; then a raw spinlock is taken. What runs elsewhere (in the
 * waker, in a timer's interrupt, at the end of a recording) says so.
 */
#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/sched/task_stack.h>

#include "record/live.h"
#include "record/stack_cache.h"
#include "record/account.h"
#include "record/recognise.h"
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
static void queue_kick(struct sp_recording *recording)
{
	if (READ_ONCE(recording->kicked))
		return;
	WRITE_ONCE(recording->kicked, true);
	irq_work_queue(&recording->kick);
}

/**
 * sp_record_ask_for_mappings() - tell the worker to look at the mappings of a thread
 * @recording: a live recording
 * @thread: one of its threads
 */
void sp_record_ask_for_mappings(struct sp_recording *recording, const struct sp_thread *thread)
{
	set_bit(sp_threads_number(&recording->threads, thread),
		recording->threads.wanted);
	/* Either it is seen here that the worker has begun, or it sees the bit. */
	smp_mb__after_atomic();
	queue_kick(recording);
}

/**
 * sp_record_new_thread() - add the task of a switch to the threads
 * @recording: a live recording
 * @sw: of a task
 *
 * Return: the thread, or NULL if there is no room.
 */
struct sp_thread *sp_record_new_thread(struct sp_recording *recording,
				       const struct sp_switch *sw)
{
	const struct sp_task *st = sw->st;
	struct sp_thread *thread = sp_threads_make(&recording->threads, sp_task_slot(st),
						   st->serial, st->exec_id, sw->task);

	if (thread && recording->config.stack & SP_WANT_USER && !thread->who.kthread)
		sp_record_ask_for_mappings(recording, thread);
	else if (sp_compact_wanted(recording))
		queue_kick(recording);
	return thread;
}

static u32 no_stack(struct sp_recording *recording, struct sp_callchain *callchain, u16 why)
{
	callchain->n = 0;
	callchain->waker[0] = '\0';
	callchain->flags = why;
	callchain->span = 0;
	callchain->fp = 0;
	return sp_stack_table_put(&recording->stacks, callchain);
}

static noinline u32 new_kernel_stack(struct sp_recording *recording,
				     struct sp_thread *thread, struct sp_switch *sw)
{
	u32 *gen = &sw->st->kernel_gen;

	if (sw->exited)
		return no_stack(recording, &sw->cpu->kernel, SP_STACK_EXITED);
	/* Proved by another recording, it is no other stack. */
	next_gen(&sw->kernel, gen, &thread->kernel);
	if (!sw->kernel.unwound) {
		sp_unwind_kernel(&sw->cpu->kernel, sw->task, &sw->place);
		sw->kernel.unwound = true;
	}
	return remember(&thread->kernel, sp_stack_table_put(&recording->stacks,
							    &sw->cpu->kernel));
}

static __always_inline u32 kernel_stack(struct sp_recording *recording,
					struct sp_thread *thread, struct sp_switch *sw)
{
	u32 id = SP_STACK_NONE;

	if (likely(!sw->exited))
		id = known_stack(recording, sw, &thread->kernel, &sw->kernel,
				 &sw->st->kernel_gen, false);
	return id ?: new_kernel_stack(recording, thread, sw);
}

static noinline u32 new_user_stack(struct sp_recording *recording,
				   struct sp_thread *thread, struct sp_switch *sw)
{
	struct pt_regs *regs = task_pt_regs(sw->task);
	u32 *gen = &sw->st->user_gen;

	if (sw->task->flags & PF_KTHREAD || !sw->task->mm ||
	    !user_mode(regs) || !instruction_pointer(regs))
		return SP_STACK_NONE;
	next_gen(&sw->user, gen, &thread->user);
	if (!sw->user.unwound) {
		sp_unwind_user(&sw->cpu->user, regs);
		sw->user.unwound = true;
	}
	return remember(&thread->user, sp_stack_table_put(&recording->stacks,
							  &sw->cpu->user));
}

static __always_inline u32 loaded_user_stack(struct sp_recording *recording,
					     struct sp_thread *thread, struct sp_switch *sw)
{
	u32 id = SP_STACK_NONE;

	/* While it exits, what is loaded is not its memory any more. */
	if (likely(sw->task->mm))
		id = known_stack(recording, sw, &thread->user, &sw->user,
				 &sw->st->user_gen, true);
	return id ?: new_user_stack(recording, thread, sw);
}

/**
 * sp_record_user_stack() - where a task is in its program
 * @recording: a live recording
 * @thread: of the task
 * @sw: of the task, which is current, and whose user memory is loaded
 *
 * Return: the stack's number, or SP_STACK_NONE or SP_STACK_LOST.
 */
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_thread *thread,
			 struct sp_switch *sw)
{
	return loaded_user_stack(recording, thread, sw);
}

/*
 * User memory is not reachable now: the stack was taken on the way out, unless
 * the task left before the recording wanted it.
 */
static u32 user_stack_left_with(struct sp_recording *recording,
				const struct sp_thread *thread, struct sp_switch *sw)
{
	/* It was odd then, and is again: no other switch was between. */
	if (thread->out_seq + 2 == sw->st->seq.sequence)
		return thread->out_user;
	if (thread->who.kthread)
		return SP_STACK_NONE;
	return no_stack(recording, &sw->cpu->user,
			SP_STACK_USER | SP_STACK_UNSEEN);
}

static __always_inline u32 user_stack(struct sp_recording *recording,
				      struct sp_thread *thread, struct sp_switch *sw)
{
	if (unlikely(sw->exited))
		return SP_STACK_NONE;
	if (sp_switch_leaving(sw))
		return user_stack_left_with(recording, thread, sw);
	return loaded_user_stack(recording, thread, sw);
}

/* Whoever woke it did so before the recording began, or nobody did. */
static u32 waker_of(struct sp_recording *recording, struct sp_switch *sw)
{
	u32 id = sp_record_waker_id(recording, sw->st);

	return id ?: no_stack(recording, &sw->cpu->waker,
			      SP_STACK_WAKER | SP_STACK_UNSEEN);
}

static bool same_stacks(const struct sp_entry *entry, const struct sp_key *key)
{
	return entry->key.kernel == key->kernel && entry->key.user == key->user &&
	       entry->key.waker == key->waker;
}

/* The entry of a key, if it is a recent one, which is the last one then. */
static struct sp_entry *recall_entry(struct sp_recent *recent, const struct sp_key *key)
{
	unsigned int i;

	for (i = 0; i < recent->n; i++) {
		if (same_stacks(recent->entry[i], key)) {
			sp_recent_move(recent, i);
			return recent->entry[i];
		}
	}
	return NULL;
}

static void note_entry(struct sp_recent *recent, struct sp_entry *entry)
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
				  struct sp_recording_cpu *cpu, struct sp_thread *thread,
				  struct sp_key key, const struct sp_ending *ending)
{
	bool lost = key.kernel == SP_STACK_LOST || key.user == SP_STACK_LOST ||
		    key.waker == SP_STACK_LOST;
	struct sp_entry *entry;

	key.thread = sp_threads_number(&recording->threads, thread);
	if (lost) {
		key.kernel = SP_STACK_LOST;
		key.user = SP_STACK_LOST;
		key.waker = SP_STACK_NONE;
	}
	entry = sp_tally_put(&recording->tally, &key);
	if (entry && !lost)
		note_entry(&thread->recent, entry);
	/* Code that was mapped since the program started may be in it. */
	if (entry && !entry->sum.count && is_stack_id(key.user))
		sp_record_ask_for_mappings(recording, thread);
	if (entry)
		sp_tally_add(entry, ending->length, ending->at, ending->cpu);
	else
		sp_record_lost(cpu, ending->length, ending->at);
	if (unlikely(recording->events.ring))
		sp_record_event(recording, cpu, thread, &key, ending);
	if (lost)
		return &cpu->fates.lost_stacks;
	return entry ? &cpu->fates.recorded : &cpu->fates.lost_entries;
}

/* Returns the counter that tells what became of the interval. */
static noinline u64 *charge_entry(struct sp_recording *recording,
				  struct sp_recording_cpu *cpu, struct sp_thread *thread,
				  const struct sp_key *key, const struct sp_ending *ending)
{
	struct sp_entry *entry = NULL;

	if (likely(!sp_recent_misses(&thread->recent)))
		entry = recall_entry(&thread->recent, key);
	if (!entry)
		return charge_other(recording, cpu, thread, *key, ending);
	sp_tally_add(entry, ending->length, ending->at, ending->cpu);
	if (unlikely(recording->events.ring))
		sp_record_event(recording, cpu, thread, key, ending);
	return &cpu->fates.recorded;
}

static noinline u64 *charge_event(struct sp_recording *recording,
				  struct sp_recording_cpu *cpu,
				  const struct sp_switch *sw, struct sp_thread *thread,
				  const struct sp_key *key, u64 length, u64 at)
{
	const struct sp_ending ending = {
		.length = length, .at = at, .cpu = sw->st->cpu,
		.task = sw->task,
	};

	return charge_entry(recording, cpu, thread, key, &ending);
}

static __always_inline u64 *put_interval(struct sp_recording *recording,
					 struct sp_recording_cpu *cpu,
					 struct sp_switch *sw, u64 length, u64 at)
{
	u32 kinds = recording->config.stack;
	struct sp_thread *thread = sp_record_thread(recording, sw);
	struct sp_key key = { };
	struct sp_entry *entry;

	if (unlikely(!thread)) {
		sp_record_lost(cpu, length, at);
		return &cpu->fates.lost_tasks;
	}
	if (kinds & SP_WANT_KERNEL)
		key.kernel = kernel_stack(recording, thread, sw);
	if (kinds & SP_WANT_USER)
		key.user = user_stack(recording, thread, sw);
	if (kinds & SP_WANT_WAKER && sw->woken)
		key.waker = waker_of(recording, sw);
	if (likely(thread->recent.n && !recording->events.ring)) {
		entry = thread->recent.entry[thread->recent.at];
		if (likely(same_stacks(entry, &key))) {
			sp_tally_add(entry, length, at, sw->st->cpu);
			return &cpu->fates.recorded;
		}
	}
	return charge_event(recording, cpu, sw, thread, &key, length, at);
}

/*
 * Between the end of this CPU's part and that of the recording: one interval of each
 * task is still to be kept, until the end. Whoever is the first hands it on: this hook,
 * or sp_open_intervals_find(). Its count is not in that of the CPU's part, which is over.
 */
static noinline bool closes_open_interval(struct sp_recording *recording,
					  struct sp_recording_cpu *cpu,
					  const struct sp_switch *sw,
					  struct sp_interval *interval, enum sp_time time)
{
	u64 end;

	if (!cpu->closing)
		return false;
	/*
	 * The clock's count is odd before the end is looked at. Pairs with publish_end():
	 * either the end is seen here, or the clock is seen to turn there.
	 */
	smp_mb();
	end = READ_ONCE(recording->end.at[recording->config.clock]);
	/* Not yet known: then this is before it. */
	if (end) {
		if (interval->start >= end ||
		    !sp_recording_claim(recording, sp_task_slot(sw->st)))
			return false;
		interval->end = min(interval->end, end);
	}
	cpu->kept.intervals[time]++;
	return true;
}

/* One of the task's times has ended. */
static __always_inline void record_interval(struct sp_recording *recording,
					    struct sp_switch *sw, enum sp_time time)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	enum sp_clock_id clock_id = recording->config.clock;
	const struct sp_clock *before = &sw->before[clock_id];
	u64 now = sw->now->at[clock_id], begin = recording->begin.at[clock_id];
	struct sp_interval interval = { before->out_ts, now };
	u64 *fate = NULL, length;

	/* What most want to know ends now. Others may have ended before. */
	if (unlikely(time != SP_TIME_OFF_CPU || clock_id != SP_CLOCK_MONO ||
		     now < before->out_ts) &&
	    /* Each clock is told of every event, so there always is one. */
	    unlikely(!sp_clock_time(before, time, now, &interval)))
		interval = (struct sp_interval) { now, now, false };
	if (unlikely(!cpu->live) && !closes_open_interval(recording, cpu, sw, &interval, time))
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
		fate = put_interval(recording, cpu, sw, length, interval.end);
	}
	++*fate;
}

/* Account the time of a task that comes in, or ends. */
static noinline void record_ledger(struct sp_recording *recording,
				   struct sp_switch *sw)
{
	enum sp_clock_id clock_id = recording->config.clock;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_kernel_books kernel;
	struct sp_ledger *ledger;
	struct sp_thread *thread;

	if (unlikely(!cpu->live))
		return;
	thread = sp_record_thread(recording, sw);
	if (!thread) {
		cpu->unbooked++;
		return;
	}
	ledger = &recording->ledger[sp_threads_number(&recording->threads, thread)];
	sp_record_account_time(recording, ledger, &sw->before[clock_id],
			       sw->before[clock_id].woken, sw->now, sw->migrated);
	ledger->voluntary += sw->exited;
	if (likely(ledger->based && !sw->exited))
		return;
	sp_kernel_books_read(&kernel, sw->task);
	if (!ledger->based) {
		/* The tracepoint fires before the kernel counts this wait. */
		if (sp_switch_leaving(sw))
			kernel.waited_ns += ledger->ns[SP_ACCOUNT_RUN_QUEUE];
		sp_ledger_base(ledger, &kernel);
	}
	if (unlikely(sw->exited)) {
		ledger->end = kernel;
		ledger->over = true;
	}
}

/**
 * sp_deliver() - hand what has ended to every recording that wants the task
 * @sw: of a task that comes in, or that left for the last time
 * @times: which of its times have ended, bits of enum sp_time
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_deliver(struct sp_switch *sw, unsigned int times)
{
	struct sp_wanting wanting = sp_wanting(sw->st);
	enum sp_state state = sw->before[SP_CLOCK_MONO].state;
	struct sp_recording *recording, *last = NULL;
	unsigned int several = 0;
	enum sp_time time;

	sw->woken = sp_switch_woken(times);
	if (likely(!sw->exited))
		sp_place_of_coming(&sw->place, sw->task, sw->regs);
	while ((recording = sp_next_wanting(&wanting))) {
		if (unlikely(recording->ledger))
			record_ledger(recording, sw);
		time = recording->mode->time;
		if (likely(times & BIT(time))) {
			if (likely(sp_filter_state(&recording->config, time, state)))
				record_interval(recording, sw, time);
			else
				sp_record_filtered(recording);
		}
		last = recording;
		several++;
	}
	if (several == 1)
		sp_record_keep_sole(sw->st, last);
	else if (!sw->st->mixed && !sw->exited)
		sp_record_keep_several(sw->st);
}

/**
 * sp_record_inside() - the stack inside a time without a switch
 * @recording: a live recording of such a mode whose filter lets the task in
 * @sw: of the current task
 * @since: ns; when it began
 * @ns: how long it will have lasted at the next sample
 * @regs: of the kernel where it was interrupted; NULL: user mode was
 * @irqs_off: the sample was late
 *
 * It is taken once, as soon as that time may be recorded.
 *
 * Context: a timer's interrupt while the task runs.
 */
void sp_record_inside(struct sp_recording *recording, struct sp_switch *sw,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u32 kinds = recording->config.stack;
	struct sp_callchain *callchain = &sw->cpu->waker;
	struct sp_thread *thread;

	/* After exec it is another thread, and the old one may be compacted. */
	if (!cpu->live || (cpu->inside_since == since &&
			   cpu->inside_exec == sw->st->exec_id) ||
	    sp_clock_id_of_ns(recording->config.clock, ns) <
	    READ_ONCE(recording->filter->min))
		return;
	thread = sp_record_thread(recording, sw);
	if (!thread)
		return;
	cpu->inside_since = since;
	cpu->inside_exec = sw->st->exec_id;
	cpu->inside_thread = sp_threads_number(&recording->threads, thread);
	cpu->inside_kernel = SP_STACK_NONE;
	cpu->inside_user = SP_STACK_NONE;
	if (kinds & SP_WANT_KERNEL) {
		callchain->n = 0;
		callchain->flags = 0;
		if (regs)
			sp_unwind_interrupted(callchain, regs);
		callchain->flags |= irqs_off ? SP_STACK_IRQS_OFF : 0;
		cpu->inside_kernel = sp_stack_table_put(&recording->stacks, callchain);
	}
	if (kinds & SP_WANT_USER)
		cpu->inside_user = sp_record_user_stack(recording, thread, sw);
}

/**
 * sp_record_nosched_span() - a time without a switch is over
 * @recording: a live recording of such a mode whose filter lets the task in
 * @sw: of the task
 * @ended: when it began and ended
 *
 * Context: a hook or a timer's interrupt on the CPU where it was.
 */
void sp_record_nosched_span(struct sp_recording *recording, struct sp_switch *sw,
			    const struct sp_nosched_span_end *ended)
{
	enum sp_clock_id clock_id = recording->config.clock;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_interval interval = { ended->since, ended->until };
	struct sp_ending ending = {
		.at = sw->now->at[clock_id], .cpu = raw_smp_processor_id(),
		.irqs_off = ended->irqs_off, .task = sw->task,
	};
	u64 begin = recording->begin.at[SP_CLOCK_MONO];
	struct sp_key key = { };
	struct sp_thread *thread;
	u64 *fate, length;

	if (!cpu->live)
		return;
	if (interval.end <= begin) {
		cpu->fates.filtered++;
		return;
	}
	length = sp_clock_id_of_ns(clock_id, sp_interval_clip(&interval, begin));
	ending.length = length;
	/* Short ones, too: they are what long ones are compared with. */
	sp_record_length(recording, cpu, length);
	fate = sp_record_misfit(recording, cpu, length);
	if (fate)
		goto out;
	thread = sp_record_thread(recording, sw);
	if (!thread) {
		sp_record_lost(cpu, length, sw->now->at[clock_id]);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (cpu->inside_since == ended->since) {
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
	} else if (recording->config.stack & SP_WANT_KERNEL) {
		key.kernel = no_stack(recording, &sw->cpu->waker, SP_STACK_UNSEEN);
	}
	fate = charge_entry(recording, cpu, thread, &key, &ending);
out:
	++*fate;
}

/**
 * sp_record_cut_nosched_span() - keep a time without a switch that goes on at the end
 * @recording: not live on this CPU any more
 *
 * Context: on the CPU, interrupts off.
 */
void sp_record_cut_nosched_span(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_nosched_span *span = &this_cpu_ptr(sp_cpu)->span;
	enum sp_clock_id clock_id = recording->config.clock;
	struct sp_ending ending = { };
	struct sp_key key = { };
	struct sp_thread *thread;
	struct sp_interval interval;
	struct sp_now now;
	u64 length, *fate;

	if (!sp_mode_samples(recording->mode) || !span->since ||
	    cpu->inside_since != span->since)
		return;
	sp_now_read_all(&now);
	ending.irqs_off = sp_nosched_span_irqs_off(span, now.at[SP_CLOCK_MONO]);
	ending.cpu = raw_smp_processor_id();
	ending.at = now.at[clock_id];
	cpu->kept.intervals[SP_TIME_NOSCHED]++;
	interval = (struct sp_interval) { span->since, now.at[SP_CLOCK_MONO] };
	length = sp_clock_id_of_ns(clock_id, sp_interval_clip(&interval,
							      recording->begin.at[SP_CLOCK_MONO]));
	ending.length = length;
	sp_record_length(recording, cpu, length);
	fate = sp_record_misfit(recording, cpu, length);
	if (!fate) {
		thread = &recording->threads.list[cpu->inside_thread];
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
		fate = charge_entry(recording, cpu, thread, &key, &ending);
	}
	++*fate;
}

/**
 * sp_record_fits() - is an interval of this length recorded?
 * @recording: a live recording
 * @length: in the unit of the clock
 */
bool sp_record_fits(const struct sp_recording *recording, u64 length)
{
	return !sp_record_misfit(recording, per_cpu_ptr(recording->cpu, 0), length);
}

/**
 * sp_record_cut() - keep an interval that no hook handed on before the end
 * @recording: not live any more, so nobody else writes to it
 * @open: the interval and its task
 *
 * Context: process.
 */
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *open)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);
	struct sp_threads *threads = &recording->threads;
	u64 ns = open->until - open->since;
	const struct sp_ending ending = {
		.length = ns, .at = open->until, .task = open->task,
		.cpu = task_cpu(open->task),
	};
	struct sp_key key = { };
	struct sp_thread *thread;
	u64 *fate;

	cpu->kept.intervals[recording->mode->time]++;
	fate = sp_record_misfit(recording, cpu, ns);
	if (fate)
		goto out;
	sp_record_length(recording, cpu, ns);
	thread = sp_threads_find(threads, open->slot, open->serial,
				 open->exec_id);
	if (!thread)
		thread = sp_threads_make(threads, open->slot, open->serial,
					 open->exec_id, open->task);
	if (!thread) {
		sp_record_lost(cpu, ns, open->until);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (open->kernel)
		key.kernel = sp_stack_table_put(&recording->stacks, open->kernel);
	if (open->user)
		key.user = sp_stack_table_put(&recording->stacks, open->user);
	key.waker = open->waker;
	fate = charge_entry(recording, cpu, thread, &key, &ending);
out:
	++*fate;
}

/**
 * sp_record_leave() - a task leaves the CPU
 * @recording: a live recording whose filter lets the task in
 * @sw: without an interval
 *
 * A program that was not announced yet is added to the threads now, so that the worker
 * can look at its mappings while it is off the CPU. Where user memory is out
 * of reach on the way in, the user stack is taken here.
 */
void sp_record_leave(struct sp_recording *recording, struct sp_switch *sw)
{
	struct sp_thread *thread;

	if (!(recording->config.stack & SP_WANT_USER) ||
	    unlikely(!this_cpu_ptr(recording->cpu)->live))
		return;
	thread = sp_record_thread(recording, sw);
	if (thread && sp_switch_leaving(sw) &&
	    recording->mode->time < SP_CLOCK_TIMES) {
		thread->out_user = sp_record_user_stack(recording, thread, sw);
		thread->out_seq = sw->st->seq.sequence;
	}
}

/**
 * sp_record_waker_again() - is it the waker that is known already?
 * @recording: a live recording that wants to know
 * @st: the task's clock
 * @waking: for sp_unwind_waker_same()
 *
 * Context: as sp_record_waker().
 */
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *st, const struct sp_waking *waking)
{
	u32 id = sp_record_waker_id(recording, st);

	return is_stack_id(id) &&
	       sp_unwind_waker_same(sp_stack_table_get(&recording->stacks, id), waking);
}

/**
 * sp_record_waker() - somebody wakes a task
 * @recording: a live recording that wants to know
 * @st: the task's clock
 * @callchain: who, and where
 *
 * Context: a hook in the waker's context, interrupts off. The last one counts,
 * as for the stamp of the wakeup.
 */
void sp_record_waker(struct sp_recording *recording, const struct sp_task *st,
		     const struct sp_callchain *callchain)
{
	u32 id = sp_stack_table_put(&recording->stacks, callchain);

	WRITE_ONCE(recording->wakers[sp_task_slot(st)], id);
}

/**
 * sp_record_exit() - a task left the CPU for the last time
 * @recording: a live recording whose filter lets the task in
 * @st: its clock
 * @task: the task
 */
void sp_record_exit(struct sp_recording *recording, struct sp_task *st,
		    struct task_struct *task)
{
	struct sp_thread *thread = sp_threads_find(&recording->threads,
						   sp_task_slot(st), st->serial,
						   st->exec_id);

	if (!thread)
		return;
	sp_thread_exited(&recording->threads, thread, task);
	if (sp_compact_wanted(recording))
		queue_kick(recording);
}

/**
 * sp_record_no_slot() - an interval of unknown length ended, because the
 * table of task clocks is full
 * @recording: a live recording whose filter lets the task in
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
 */
void sp_record_filtered(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->fates.filtered++;
}

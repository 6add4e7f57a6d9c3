// SPDX-License-Identifier: GPL-2.0-only
/*
 * account: what one recording does with one activation of a function.
 *
 * The path of instrumented functions is the kernel stack of its entry, whose
 * total is exclusive time, so that shares add up; what is inclusive is kept
 * beside it. A path and an entry that are those of the last time at this place
 * are remembered there; if the program stands where it did then, nothing is
 * looked up.
 *
 * Runs in hooks with interrupts off, as record/account.c; only sp_record_cut_call() runs
 * elsewhere, on a recording that hooks no longer see.
 */
#include <linux/ktime.h>
#include <linux/sched/task_stack.h>

#include "func/function.h"
#include "record/account.h"
#include "task/task_table.h"
#include "record/trace_record.h"
#include "record/recording.h"
#include "record/verify.h"
#include "unwind/unwind.h"

/* So many calls from one look at what they cost to the next; a prime. */
#define COST_SAMPLE	1021

/**
 * sp_record_path() - the way to an open function
 * @recording: which tells how much of it is kept
 * @calls: of a task
 * @depth: of the function
 * @callchain: filled, innermost first
 */
void sp_record_path(const struct sp_recording *recording, const struct sp_calls *calls,
		    unsigned int depth, struct sp_callchain *callchain)
{
	const struct sp_function *list = recording->functions->list->function;
	unsigned int last = recording->config.stack & SP_WANT_KERNEL ? 0 : depth;

	callchain->n = 0;
	callchain->flags = SP_STACK_CALLS;
	callchain->span = 0;
	callchain->fp = 0;
	memset(&callchain->waker, 0, sizeof(callchain->waker));
	for (depth++; depth-- > last; )
		callchain->frame[callchain->n++] =
			sp_frame(list[calls->frame[depth].function].address, 0);
}

static u32 path_of(struct sp_recording *recording, struct sp_calls *calls,
		   unsigned int depth, struct sp_callchain *callchain)
{
	struct sp_activation *activation = &calls->frame[depth];

	if (unlikely(!activation->path)) {
		sp_record_path(recording, calls, depth, callchain);
		activation->path = sp_stack_table_put(&recording->stacks, callchain);
	}
	return activation->path;
}

static struct sp_entry *entry_of(struct sp_tally *tally, struct sp_activation *activation,
				 const struct sp_key *key)
{
	struct sp_entry *entry;

	if (likely(activation->entry)) {
		entry = &tally->entries[activation->entry - 1];
		if (likely(entry->key.kernel == key->kernel &&
			   entry->key.user == key->user))
			return entry;
	}
	entry = sp_tally_put(tally, key);
	activation->entry = entry ? entry - tally->entries + 1 : 0;
	return entry;
}

static void add_activation(struct sp_tally *tally, struct sp_entry *entry,
			   const struct sp_activation *activation,
			   const struct sp_ended_call *ended, u64 at)
{
	struct sp_inclusive *inclusive = &tally->inclusive[sp_tally_number(tally, entry)];

	raw_write_seqcount_begin(&entry->seq);
	sp_entry_add(entry, ended->exclusive, at, raw_smp_processor_id());
	/* In a recursion, the time of the outer one has that of the inner in it. */
	if (!activation->again)
		inclusive->total += ended->inclusive;
	inclusive->longest = max(inclusive->longest, ended->inclusive);
	raw_write_seqcount_end(&entry->seq);
}

/* In the event trace. */
static noinline void tell_trace(struct sp_recording *recording, struct sp_recording_cpu *cpu,
				const struct sp_thread *thread,
				const struct sp_activation *activation,
				const struct sp_key *key,
				const struct sp_ended_call *ended,
				u64 at)
{
	const struct sp_ending ending = {
		.length = ended->inclusive,
		.at = at,
		.cpu = raw_smp_processor_id(),
		.depth = ended->depth,
		.function = recording->functions->list->function[activation->function].address,
	};

	sp_record_event(recording, cpu, thread, key, &ending);
}

/* Returns the counter that tells what became of it. */
static u64 *charge_call(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			struct sp_thread *thread, struct sp_activation *activation,
			struct sp_key *key,
			const struct sp_ended_call *ended, u64 at)
{
	bool lost = key->kernel == SP_STACK_LOST || key->user == SP_STACK_LOST;
	struct sp_entry *entry;

	if (unlikely(lost)) {
		key->kernel = SP_STACK_LOST;
		key->user = SP_STACK_LOST;
	}
	entry = entry_of(&recording->tally, activation, key);
	if (likely(entry)) {
		/* Code that was mapped since the program started may be in it. */
		if (unlikely(!entry->count && key->user && !lost))
			sp_record_ask_for_mappings(recording, thread);
		add_activation(&recording->tally, entry, activation, ended, at);
	} else {
		sp_record_lost(cpu, ended->exclusive, at);
	}
	if (unlikely(recording->events.ring))
		tell_trace(recording, cpu, thread, activation, key, ended, at);
	if (lost)
		return &cpu->fates.lost_stacks;
	return entry ? &cpu->fates.recorded : &cpu->fates.lost_entries;
}

/* Entries that are remembered are those of one thread. */
static void set_thread(struct sp_calls *calls, u32 thread, u32 exec_id)
{
	if (likely(calls->thread == thread && calls->exec_id == exec_id))
		return;
	sp_calls_forget_entries(calls);
	calls->thread = thread;
	calls->exec_id = exec_id;
}

/*
 * The total of the last call at this place, if the task is where it was in its program:
 * so it is for most calls. Else NULL; also if that is not sure, as for kernel threads.
 */
static __always_inline struct sp_entry *same_entry(const struct sp_recording *recording,
						   const struct sp_switch *sw,
						   const struct sp_calls *calls,
						   const struct sp_activation *activation)
{
	const struct pt_regs *regs = task_pt_regs(sw->task);
	const struct sp_stack *stack;
	struct sp_entry *entry;
	u32 user;

	/* Of the thread that the task has: see set_thread(). */
	if (unlikely(!activation->entry || calls->exec_id != sw->st->exec_id ||
		     sw->exited))
		return NULL;
	entry = &recording->tally.entries[activation->entry - 1];
	if (unlikely(entry->key.kernel == SP_STACK_LOST))
		return NULL;
	if (!(recording->config.stack & SP_WANT_USER))
		return entry;
	user = entry->key.user;
	if (unlikely(user == SP_STACK_NONE || !sw->task->mm))
		return NULL;
	stack = sp_stack_table_get(&recording->stacks, user);
	if (unlikely(!sp_user_is_loaded() ||
		     !sp_unwind_user_same(stack, regs, &sw->st->passed)))
		return NULL;
	sp_verify_user(stack, regs);
	return entry;
}

static noinline u64 *put_other(struct sp_recording *recording,
			       struct sp_recording_cpu *cpu, struct sp_switch *sw,
			       struct sp_calls *calls,
			       const struct sp_ended_call *ended)
{
	u64 at = sp_time_by(recording->config.clock, sw->now);
	struct sp_thread *thread;
	struct sp_key key = { };

	sp_switch_forget_stacks(sw);
	sp_unwind_asks_again();
	thread = sp_record_thread(recording, sw);
	if (unlikely(!thread)) {
		sp_record_lost(cpu, ended->exclusive, at);
		return &cpu->fates.lost_tasks;
	}
	key.thread = sp_threads_number(&recording->threads, thread);
	set_thread(calls, key.thread, sw->st->exec_id);
	key.kernel = path_of(recording, calls, ended->depth, &sw->cpu->kernel);
	if (recording->config.stack & SP_WANT_USER && likely(!sw->exited) &&
	    likely(sp_user_is_loaded()))
		key.user = sp_record_user_stack(recording, sw);
	return charge_call(recording, cpu, thread, &calls->frame[ended->depth], &key, ended, at);
}

static __always_inline u64 *put_call(struct sp_recording *recording,
				     struct sp_recording_cpu *cpu, struct sp_switch *sw,
				     struct sp_calls *calls,
				     const struct sp_ended_call *ended)
{
	struct sp_activation *activation = &calls->frame[ended->depth];
	u64 at = sp_time_by(recording->config.clock, sw->now);
	struct sp_entry *entry = same_entry(recording, sw, calls, activation);

	if (unlikely(!entry))
		return put_other(recording, cpu, sw, calls, ended);
	add_activation(&recording->tally, entry, activation, ended, at);
	if (unlikely(recording->events.ring))
		tell_trace(recording, cpu, &recording->threads.list[calls->thread], activation,
			   &entry->key, ended, at);
	return &cpu->fates.recorded;
}

/* What our own work costs, as that of the exit tells, which is half of it. */
static void sample_cost(struct sp_recording_cpu *cpu, u64 begin)
{
	if (likely(cpu->call_sample)) {
		cpu->call_sample--;
		return;
	}
	cpu->call_sample = COST_SAMPLE - 1;
	cpu->call_ns += sp_time_between(begin, sp_time()) * 2 * COST_SAMPLE;
}

/**
 * sp_record_call() - a function returned
 * @recording: a live recording of functions whose filter lets the task in
 * @sw: of the task
 * @calls: of the task
 * @ended: its activation, as sp_calls_pop() told
 *
 * Context: a hook, or what runs when a function is left; interrupts off.
 */
void sp_record_call(struct sp_recording *recording, struct sp_switch *sw,
		    struct sp_calls *calls, const struct sp_ended_call *ended)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u64 *fate = sp_record_fate(recording, cpu, ended->inclusive);

	cpu->calls++;
	if (!fate) {
		sp_record_length(recording, cpu, ended->inclusive);
		fate = put_call(recording, cpu, sw, calls, ended);
	}
	++*fate;
	sample_cost(cpu, sw->now);
}

/**
 * sp_record_call_enters() - the first function that a task enters
 * @recording: a live recording of functions whose filter lets the task in
 * @sw: of the task
 * @calls: of the task; gets its thread
 *
 * Context: as sp_record_call().
 * Return: false if there is no room for the task.
 */
bool sp_record_call_enters(struct sp_recording *recording, struct sp_switch *sw,
			   struct sp_calls *calls)
{
	const struct sp_thread *thread = sp_record_thread(recording, sw);

	if (!thread)
		return false;
	set_thread(calls, sp_threads_number(&recording->threads, thread),
		   sw->st->exec_id);
	return true;
}

/**
 * sp_record_call_unknown() - an activation that is not followed
 * @recording: a live recording of functions
 * @lost: there was no room for its task; else nobody wants that
 *
 * Context: as sp_record_call().
 */
void sp_record_call_unknown(struct sp_recording *recording, bool lost)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	cpu->calls++;
	cpu->fates.lost_tasks += lost;
	cpu->fates.filtered += !lost;
}

/**
 * sp_record_cut_call() - keep an activation that is open at the end
 * @calls: of its task, a copy
 * @open: the activation
 * @data: the recording, not live any more, so nobody else writes to it
 *
 * Context: process; the caller holds the session's mutex.
 */
void sp_record_cut_call(struct sp_calls *calls, const struct sp_ended_call *open, void *data)
{
	struct sp_recording *recording = data;
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);
	struct sp_thread *thread = &recording->threads.list[calls->thread];
	u64 at = sp_recording_end(recording);
	u64 *fate = sp_record_fate(recording, cpu, open->inclusive);
	struct sp_key key = { .thread = calls->thread };

	cpu->calls++;
	if (fate)
		goto out;
	sp_record_length(recording, cpu, open->inclusive);
	/* It runs another program now, in which it did not leave a function. */
	if (!calls->thread || thread->serial != calls->serial ||
	    thread->exec_id != calls->exec_id) {
		sp_record_lost(cpu, open->exclusive, at);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	key.kernel = path_of(recording, calls, open->depth,
			     &recording->functions->callchain);
	fate = charge_call(recording, cpu, thread, &calls->frame[open->depth], &key, open, at);
out:
	++*fate;
}

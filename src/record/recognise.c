// SPDX-License-Identifier: GPL-2.0-only
/*
 * recognise: what of the short way, see record/recognise.h, few switches need.
 */
#include "record/live.h"
#include "record/stack_cache.h"
#include "record/recognise.h"
#include "record/recording.h"

/*
 * May sp_record_again() do what is done for the task now? What ends at other events
 * than switches is not its business, and then only the ledger is to be kept.
 */
static bool is_plain(const struct sp_recording *recording)
{
	if (recording->config.clock != SP_CLOCK_MONO || READ_ONCE(recording->closing))
		return false;
	return recording->mode->time >= SP_CLOCK_TIMES ||
	       (!recording->events.ring &&
		recording->config.states == SP_STATES_ALL);
}

static struct sp_thread *thread_of(const struct sp_recording *recording,
				   const struct sp_task *st)
{
	return sp_threads_find(&recording->threads, sp_task_slot(st), st->serial,
			       st->exec_id);
}

static void keep_thread(struct sp_task *st, const struct sp_recording *recording,
			struct sp_thread *thread)
{
	/* None yet, if all was too short so far. */
	if (thread && !thread->recent.n && !recording->extras)
		thread = NULL;
	if (thread && sp_recent_misses(&thread->recent) &&
	    thread->recent.misses++ % SP_LOOK_EVERY)
		thread = NULL;
	st->first_thread = thread;
}

/**
 * sp_record_keep_sole() - remember that one recording only wants a task
 * @st: the task's clock
 * @recording: the one, to which something was just handed
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_record_keep_sole(struct sp_task *st, struct sp_recording *recording)
{
	struct sp_thread *thread = thread_of(recording, st);

	st->first = is_plain(recording) ? recording : NULL;
	st->several = false;
	st->extras = recording->extras;
	keep_thread(st, recording, thread);
}

/* What one keeps of a stack is all that the other keeps of it. */
static bool covers_stacks(const struct sp_config *one, const struct sp_config *other)
{
	return !(other->stack & ~one->stack) && other->stack_depth <= one->stack_depth;
}

/* The one whose stacks tell those of all others; NULL: one needs more than totals. */
static struct sp_recording *first_of(const struct sp_task *st)
{
	struct sp_wanting wanting = sp_wanting(st);
	struct sp_recording *recording, *first = NULL;

	while ((recording = sp_next_wanting(&wanting))) {
		if (!is_plain(recording) || recording->extras ||
		    recording->mode->time >= SP_CLOCK_TIMES)
			return NULL;
		if (!first || !covers_stacks(&first->config, &recording->config))
			first = recording;
	}
	wanting = sp_wanting(st);
	while ((recording = sp_next_wanting(&wanting)))
		if (!covers_stacks(&first->config, &recording->config))
			return NULL;
	return first;
}

/* Is a stack the other one, as far as that is kept? */
static bool same_frames(const struct sp_stack *kept, const struct sp_stack *all)
{
	u64 odd = 0;
	unsigned int i;

	if (!kept || !all)
		return kept == all;
	/* One that keeps less is cut there; else both are cut, or none is. */
	if ((kept->flags ^ (kept->n < all->n ? all->flags | SP_STACK_CUT : all->flags)) &
	    SP_STACK_KEY || kept->n > all->n)
		return false;
	for (i = 0; i < kept->n; i++)
		odd |= kept->frame[i] ^ all->frame[i];
	return !(odd & SP_FRAME_MASK);
}

/*
 * Do an entry of one recording and an entry of the first one, which keeps more, have the
 * same stacks, as far as the former keeps them?
 */
static bool same_place(const struct sp_recording *one, const struct sp_entry *entry,
		       const struct sp_recording *first, const struct sp_entry *of_first)
{
	return (!(one->config.stack & SP_WANT_KERNEL) ||
		same_frames(sp_stack_table_known(&one->stacks, entry->key.kernel),
			    sp_stack_table_known(&first->stacks, of_first->key.kernel))) &&
	       (!(one->config.stack & SP_WANT_USER) ||
		same_frames(sp_stack_table_known(&one->stacks, entry->key.user),
			    sp_stack_table_known(&first->stacks, of_first->key.user)));
}

/* Is the last total of each for the same place as the first one's? */
static bool all_at_place(const struct sp_task *st, const struct sp_recent *recent)
{
	const struct sp_entry *of_first = recent->entry[recent->at];
	struct sp_wanting wanting = sp_wanting(st);
	struct sp_recording *recording;

	while ((recording = sp_next_wanting(&wanting))) {
		struct sp_thread *thread = thread_of(recording, st);
		const struct sp_entry *entry;

		if (recording == st->first)
			continue;
		if (!thread || !thread->recent.n)
			return false;
		entry = thread->recent.entry[thread->recent.at];
		if (!same_place(recording, entry, st->first, of_first))
			return false;
		thread->with[recent->at] = entry - recording->tally.entries;
	}
	return true;
}

/*
 * Learn which entries of the other recordings go with this entry of the first one; that
 * holds as long as the task runs this program. A recording whose tables are full never has
 * such an entry, so it is asked for seldom; at an odd interval, because many tasks have two
 * stacks in turn.
 */
static void learn_next(const struct sp_task *st, struct sp_recent *recent)
{
	if (recent->learn_misses > SP_PLACES && recent->learn_misses++ % (SP_LOOK_EVERY - 1))
		return;
	if (all_at_place(st, recent)) {
		recent->shared |= BIT(recent->at);
		recent->learn_misses = 0;
	} else {
		recent->learn_misses++;
	}
}

/**
 * sp_record_keep_several() - remember that several recordings want a task
 * @st: the task's clock; something was just handed to them
 *
 * Context: as sp_record_keep_sole().
 */
void sp_record_keep_several(struct sp_task *st)
{
	struct sp_recording *first = st->first ?: first_of(st);
	struct sp_thread *thread;

	st->mixed = !first;
	if (!first)
		return;
	thread = thread_of(first, st);
	/* What it shared with others before says nothing now. */
	if (!st->first && thread)
		thread->recent.shared = 0;
	st->first = first;
	st->several = true;
	st->extras = true;
	keep_thread(st, first, thread);
	if (thread && thread->recent.n && !(thread->recent.shared & BIT(thread->recent.at)))
		learn_next(st, &thread->recent);
}

/**
 * sp_record_elsewhere() - where does a task stand that is not where it was expected?
 * @recording: the first one that wants the task
 * @thread: of the task
 * @here: as for sp_record_again(), and what follows
 * @st: its clock
 * @task: the task
 * @regs: as for sp_hot_switch()
 *
 * Context: as sp_deliver().
 * Return: the total of its stacks, if it is a recent one; else NULL.
 */
noinline struct sp_entry *sp_record_elsewhere(struct sp_recording *recording,
					      struct sp_thread *thread,
					      const struct sp_cpu *here,
					      const struct sp_task *st,
					      struct task_struct *task,
					      const struct pt_regs *regs)
{
	struct sp_recent *recent = &thread->recent;
	unsigned int i;

	for (i = 0; i < recent->n; i++) {
		if (i == recent->next[recent->at] ||
		    !sp_stack_proved(recording, thread, here, st, task, regs,
				     recent->entry[i], true))
			continue;
		sp_recent_move(recent, i);
		recent->misses = 0;
		return recent->entry[i];
	}
	recent->misses++;
	return NULL;
}

/* The books of the task, if they were opened; else the long way does that. */
static struct sp_ledger *ledgers_of(const struct sp_recording *recording,
				    const struct sp_thread *thread)
{
	struct sp_ledger *ledger;

	if (!thread)
		return NULL;
	ledger = &recording->ledger[sp_threads_number(&recording->threads, thread)];
	return ledger->based ? ledger : NULL;
}

/*
 * Where the task stands is asked once for all, and before anything is done. What the
 * others have had follows from the first one's total.
 */
static bool again_for_several(struct sp_cpu *here, struct sp_task *st,
			      struct task_struct *task, const struct pt_regs *regs)
{
	struct sp_wanting wanting = sp_wanting(st);
	struct sp_recording *recording, *first = st->first;
	struct sp_thread *thread = st->first_thread;
	struct sp_entry *entry;
	u64 length, end;
	unsigned int at;

	if (unlikely(!thread))
		return false;
	entry = sp_total_of(first, here, st, task, regs, false);
	at = thread->recent.at;
	if (unlikely(!entry || !(thread->recent.shared & BIT(at))))
		return false;
	while ((recording = sp_next_wanting(&wanting))) {
		struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

		if (unlikely(!cpu->live) ||
		    !sp_length_again(recording, cpu, here, st, &length, &end))
			continue;
		if (recording == first) {
			sp_total_add(cpu, entry, length, end);
			continue;
		}
		/* It was there when this was learnt, and stays until the task ends. */
		thread = thread_of(recording, st);
		if (likely(thread)) {
			sp_total_add(cpu, &recording->tally.entries[thread->with[at]], length,
				     end);
		} else {
			sp_record_lost(cpu, length, end);
			cpu->fates.lost_tasks++;
		}
	}
	return true;
}

/**
 * sp_record_again_with_extras() - the same with a ledger, or wakers, or for several
 * @here: as for sp_record_again(), as all
 * @st: the clock of a task
 * @task: the task
 * @regs: where it is
 *
 * Context: as sp_record_again().
 * Return: the same.
 */
bool sp_record_again_with_extras(struct sp_cpu *here, struct sp_task *st,
				 struct task_struct *task, const struct pt_regs *regs)
{
	struct sp_recording *recording = st->first;
	struct sp_ledger *ledger = NULL;

	if (st->several)
		return again_for_several(here, st, task, regs);
	if (recording->ledger) {
		ledger = ledgers_of(recording, st->first_thread);
		if (unlikely(!ledger))
			return false;
	}
	if (unlikely(!sp_add_again(recording, this_cpu_ptr(recording->cpu), here, st, task,
				   regs, true)))
		return false;
	if (ledger)
		sp_record_account_time(recording, ledger, &st->clock, here->woken, &here->now,
				       st->cpu != smp_processor_id());
	return true;
}

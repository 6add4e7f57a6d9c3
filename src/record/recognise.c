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
 * than switches is not its business, and then there is nothing to do but the books.
 */
static bool plain(const struct sp_recording *recording)
{
	if (recording->settings.source != SP_SOURCE_MONO || READ_ONCE(recording->closing))
		return false;
	return recording->settings.mode->time >= SP_CLOCK_TIMES ||
	       (!recording->events.ring &&
		recording->filter->states == SP_STATES_ALL);
}

static struct sp_thread *row_of(const struct sp_recording *recording,
				const struct sp_task *slot)
{
	return sp_threads_find(&recording->roster, sp_task_slot(slot), slot->serial,
			       slot->exec_id);
}

static void keep_row(struct sp_task *slot, const struct sp_recording *recording,
		     struct sp_thread *row)
{
	/* None yet, if all was too short so far. */
	if (row && !row->recent.n && !recording->extras)
		row = NULL;
	if (row && sp_recent_strange(&row->recent) &&
	    row->recent.strange++ % SP_LOOK_EVERY)
		row = NULL;
	slot->first_row = row;
}

/**
 * sp_record_keep_sole() - remember that one recording only wants a task
 * @slot: the task's clock
 * @recording: the one, to which something was just handed
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_record_keep_sole(struct sp_task *slot, struct sp_recording *recording)
{
	struct sp_thread *row = row_of(recording, slot);

	slot->first = plain(recording) ? recording : NULL;
	slot->several = false;
	slot->extras = recording->extras;
	keep_row(slot, recording, row);
}

/* What one keeps of a stack is all that the other keeps of it. */
static bool covers(const struct sp_settings *one, const struct sp_settings *other)
{
	return !(other->stacks & ~one->stacks) && other->depth <= one->depth;
}

/* The one whose stacks tell those of all others; NULL: one needs more than totals. */
static struct sp_recording *first_of(const struct sp_task *slot)
{
	struct sp_wanting wanting = sp_wanting(slot);
	struct sp_recording *recording, *first = NULL;

	while ((recording = sp_next_wanting(&wanting))) {
		if (!plain(recording) || recording->extras ||
		    recording->settings.mode->time >= SP_CLOCK_TIMES)
			return NULL;
		if (!first || !covers(&first->settings, &recording->settings))
			first = recording;
	}
	wanting = sp_wanting(slot);
	while ((recording = sp_next_wanting(&wanting)))
		if (!covers(&first->settings, &recording->settings))
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

/* Is an entry of one for where an entry of the first one, which covers it, is for? */
static bool same_place(const struct sp_recording *one, const struct sp_entry *entry,
		       const struct sp_recording *first, const struct sp_entry *of_first)
{
	return (!(one->settings.stacks & SP_WANT_KERNEL) ||
		same_frames(sp_stack_table_known(&one->stacks, entry->key.kernel),
			    sp_stack_table_known(&first->stacks, of_first->key.kernel))) &&
	       (!(one->settings.stacks & SP_WANT_USER) ||
		same_frames(sp_stack_table_known(&one->stacks, entry->key.user),
			    sp_stack_table_known(&first->stacks, of_first->key.user)));
}

/* Is the last total of each for the same place as the first one's? */
static bool all_at_place(const struct sp_task *slot, const struct sp_recent *recent)
{
	const struct sp_entry *of_first = recent->entry[recent->at];
	struct sp_wanting wanting = sp_wanting(slot);
	struct sp_recording *recording;

	while ((recording = sp_next_wanting(&wanting))) {
		struct sp_thread *row = row_of(recording, slot);
		const struct sp_entry *entry;

		if (recording == slot->first)
			continue;
		if (!row || !row->recent.n)
			return false;
		entry = row->recent.entry[row->recent.at];
		if (!same_place(recording, entry, slot->first, of_first))
			return false;
		row->with[recent->at] = entry - recording->tally.entries;
	}
	return true;
}

/*
 * If so, they belong together as long as the task runs this program. One that is full
 * never has such a total, so it is not asked for each time; an odd number of times,
 * because many tasks are in two places in turn.
 */
static void learn(const struct sp_task *slot, struct sp_recent *recent)
{
	if (recent->vain > SP_PLACES && recent->vain++ % (SP_LOOK_EVERY - 1))
		return;
	if (all_at_place(slot, recent)) {
		recent->shared |= BIT(recent->at);
		recent->vain = 0;
	} else {
		recent->vain++;
	}
}

/**
 * sp_record_keep_several() - remember that several recordings want a task
 * @slot: the task's clock; something was just handed to them
 *
 * Context: as sp_record_keep_sole().
 */
void sp_record_keep_several(struct sp_task *slot)
{
	struct sp_recording *first = slot->first ?: first_of(slot);
	struct sp_thread *row;

	slot->mixed = !first;
	if (!first)
		return;
	row = row_of(first, slot);
	/* What it shared with others before says nothing now. */
	if (!slot->first && row)
		row->recent.shared = 0;
	slot->first = first;
	slot->several = true;
	slot->extras = true;
	keep_row(slot, first, row);
	if (row && row->recent.n && !(row->recent.shared & BIT(row->recent.at)))
		learn(slot, &row->recent);
}

/**
 * sp_record_elsewhere() - where does a task stand that is not where it was expected?
 * @recording: the first one that wants the task
 * @row: of the task
 * @here: as for sp_record_again(), and what follows
 * @slot: its clock
 * @task: the task
 * @regs: as for sp_hot_switch()
 *
 * Context: as sp_deliver().
 * Return: the total of its stacks, if it is a recent one; else NULL.
 */
noinline struct sp_entry *sp_record_elsewhere(struct sp_recording *recording,
					      struct sp_thread *row,
					      const struct sp_cpu *here,
					      const struct sp_task *slot,
					      struct task_struct *task,
					      const struct pt_regs *regs)
{
	struct sp_recent *recent = &row->recent;
	unsigned int i;

	for (i = 0; i < recent->n; i++) {
		if (i == recent->next[recent->at] ||
		    !sp_stands_so(recording, row, here, slot, task, regs,
				  recent->entry[i], true))
			continue;
		sp_recent_move(recent, i);
		recent->strange = 0;
		return recent->entry[i];
	}
	recent->strange++;
	return NULL;
}

/* The books of the task, if they were opened; else the long way does that. */
static struct sp_ledger *books_of(const struct sp_recording *recording,
				  const struct sp_thread *row)
{
	struct sp_ledger *ledger;

	if (!row)
		return NULL;
	ledger = &recording->ledger[sp_threads_number(&recording->roster, row)];
	return ledger->based ? ledger : NULL;
}

/*
 * Where the task stands is asked once for all, and before anything is done. What the
 * others have had follows from the first one's total.
 */
static bool again_for_several(struct sp_cpu *here, struct sp_task *slot,
			      struct task_struct *task, const struct pt_regs *regs)
{
	struct sp_wanting wanting = sp_wanting(slot);
	struct sp_recording *recording, *first = slot->first;
	struct sp_thread *row = slot->first_row;
	struct sp_entry *stands;
	u64 length, end;
	unsigned int at;

	if (unlikely(!row))
		return false;
	stands = sp_total_of(first, here, slot, task, regs, false);
	at = row->recent.at;
	if (unlikely(!stands || !(row->recent.shared & BIT(at))))
		return false;
	while ((recording = sp_next_wanting(&wanting))) {
		struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

		if (unlikely(!cpu->live) ||
		    !sp_length_again(recording, cpu, here, slot, &length, &end))
			continue;
		if (recording == first) {
			sp_total_add(cpu, stands, length, end);
			continue;
		}
		/* It was there when this was learnt, and stays until the task ends. */
		row = row_of(recording, slot);
		if (likely(row)) {
			sp_total_add(cpu, &recording->tally.entries[row->with[at]], length,
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
 * @slot: the clock of a task
 * @task: the task
 * @regs: where it is
 *
 * Context: as sp_record_again().
 * Return: the same.
 */
bool sp_record_again_with_extras(struct sp_cpu *here, struct sp_task *slot,
				 struct task_struct *task, const struct pt_regs *regs)
{
	struct sp_recording *recording = slot->first;
	struct sp_ledger *ledger = NULL;

	if (slot->several)
		return again_for_several(here, slot, task, regs);
	if (recording->ledger) {
		ledger = books_of(recording, slot->first_row);
		if (unlikely(!ledger))
			return false;
	}
	if (unlikely(!sp_add_again(recording, this_cpu_ptr(recording->cpu), here, slot, task,
				   regs, true)))
		return false;
	if (ledger)
		sp_record_books(recording, ledger, &slot->clock, here->woken, &here->now,
				slot->cpu != smp_processor_id());
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * record_again: what of the short way, see record_again.h, few switches need.
 */
#include "places.h"
#include "record_again.h"

/*
 * May sp_record_again() do what is done for the task now? What ends at other events
 * than switches is not its business, and then there is nothing to do but the books.
 */
static bool plain(const struct sp_recording *recording)
{
	if (recording->settings.source != SP_SOURCE_MONO)
		return false;
	return recording->settings.mode->time >= SP_CLOCK_TIMES ||
	       (!recording->events.ring &&
		recording->filter->states == SP_STATES_ALL);
}

/**
 * sp_record_keep_sole() - remember that one recording only wants a task
 * @slot: the task's clock
 * @recording: the one, to which something was just handed
 *
 * Context: a hook, while the turns of the task's clock are odd.
 */
void sp_record_keep_sole(struct sp_task *slot, struct sp_recording *recording)
{
	struct sp_row *row = sp_roster_find(&recording->roster, sp_task_slot(slot),
					    slot->serial, slot->exec_id);

	slot->sole = plain(recording) ? recording : NULL;
	/* None yet, if all was too short so far. */
	if (row && !row->recent.n && !recording->extras)
		row = NULL;
	if (row && sp_recent_strange(&row->recent) &&
	    row->recent.strange++ % SP_LOOK_EVERY)
		row = NULL;
	slot->sole_row = row;
}

/**
 * sp_record_elsewhere() - where does a task stand that is not where it was expected?
 * @recording: its sole one
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
					      struct sp_row *row,
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
				  const struct sp_row *row)
{
	struct sp_ledger *ledger;

	if (!row)
		return NULL;
	ledger = &recording->ledger[sp_roster_number(&recording->roster, row)];
	return ledger->based ? ledger : NULL;
}

/**
 * sp_record_again_with_extras() - the same with a ledger, or wakers
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
	struct sp_recording *recording = slot->sole;
	struct sp_ledger *ledger = NULL;

	if (recording->ledger) {
		ledger = books_of(recording, slot->sole_row);
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * record_again: the short way through record.c, if all is as it was.
 *
 * Most switches on most machines are of a task that one session wants, and that
 * waits where it waited some time before. Then the sessions, the row, the stacks and
 * the total need not be looked up: the first two are remembered with the task
 * (sp_task.sole), totals with the row (sp_row.recent), and stacks are compared where
 * they stand. Whatever is not so goes the long way, through sp_deliver(), which keeps
 * what is remembered true. `bench/profile` shows where the instructions go.
 *
 * What the task remembers holds for the generation of filters and for the program
 * that it was remembered in: sp_live_decide() and notice_exec() forget it, and the
 * hook asks both before. A recording that was taken out starts a new generation, and
 * hooks that have not seen that are waited for (sp_live_del()). A row stays its
 * task's, and its totals stay in the table, until the task ends or runs another
 * program.
 *
 * Hooks only, interrupts off and a run queue lock held; no lock of our own: all that
 * is written belongs to this CPU or to the task that it is switching.
 */
#include <linux/sched/task_stack.h>

#include "places.h"
#include "record.h"
#include "task_table.h"

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
	slot->sole = plain(recording) ? recording : NULL;
	/* None yet, if all was too short so far. */
	slot->sole_row = sp_roster_find(&recording->roster, sp_task_slot(slot),
					slot->serial, slot->exec_id);
}

static __always_inline bool same_kernel_stack(struct sp_recording *recording,
					      struct sp_event *event, u32 id)
{
	return id == SP_STACK_NONE ||
	       sp_walk_kernel_stands(sp_stack_table_get(&recording->stacks, id),
				     event->task, event->regs);
}

/* Whoever has none, and should, may have one by now. */
static __always_inline bool same_user_stack(struct sp_recording *recording,
					    const struct sp_row *row,
					    struct sp_event *event, u32 id)
{
	if (id == SP_STACK_NONE)
		return !(recording->settings.stacks & SP_WANT_USER) || row->who.kthread;
	if (sp_event_leaving(event))
		return row->out_turn + 2 == event->slot->turns && row->out_user == id;
	return event->task->mm &&
	       sp_walk_user_same(sp_stack_table_get(&recording->stacks, id),
				 task_pt_regs(event->task));
}

/* Who woke it is not asked if nobody did. */
static __always_inline bool same_waker(const struct sp_recording *recording,
				       const struct sp_event *event, u32 id)
{
	if (likely(!(recording->settings.stacks & SP_WANT_WAKER)))
		return true;
	if (!event->woken)
		return id == SP_STACK_NONE;
	/* A stack of none was not seen: the long way has one for that, too. */
	return id != SP_STACK_NONE && id == sp_record_waker_id(recording, event->slot);
}

static __always_inline bool stands_so(struct sp_recording *recording,
				      const struct sp_row *row, struct sp_event *event,
				      const struct sp_entry *entry)
{
	return same_waker(recording, event, entry->key.waker) &&
	       same_user_stack(recording, row, event, entry->key.user) &&
	       same_kernel_stack(recording, event, entry->key.kernel);
}

/* It is not what was expected. */
static noinline struct sp_entry *stands_elsewhere(struct sp_recording *recording,
						  struct sp_row *row,
						  struct sp_event *event)
{
	struct sp_recent *recent = &row->recent;
	unsigned int i;

	/* Whoever always stands somewhere else is not looked for each time. */
	if (recent->strange > SP_PLACES && recent->strange++ % SP_LOOK_EVERY)
		return NULL;
	for (i = 0; i < recent->n; i++) {
		if (i == recent->next[recent->at] ||
		    !stands_so(recording, row, event, recent->entry[i]))
			continue;
		sp_recent_move(recent, i);
		recent->strange = 0;
		return recent->entry[i];
	}
	recent->strange++;
	return NULL;
}

/*
 * The total of the stacks with which the task stands now, if it is a recent one: most
 * often the one that came behind the last one the last time, which may be itself.
 */
static __always_inline struct sp_entry *total_of(struct sp_recording *recording,
						 struct sp_row *row,
						 struct sp_event *event)
{
	struct sp_recent *recent;
	struct sp_entry *entry;

	if (unlikely(!row || !row->recent.n))
		return NULL;
	recent = &row->recent;
	entry = recent->entry[recent->next[recent->at]];
	if (unlikely(!stands_so(recording, row, event, entry)))
		return stands_elsewhere(recording, row, event);
	recent->at = recent->next[recent->at];
	return entry;
}

/* Returns false if nothing was done. */
static __always_inline bool add_again(struct sp_recording *recording,
				      struct sp_recording_cpu *cpu,
				      struct sp_event *event, unsigned int times,
				      u64 woken)
{
	struct sp_task *slot = event->slot;
	enum sp_time time = recording->settings.mode->time;
	u64 begin = recording->begin.at[SP_SOURCE_MONO];
	struct sp_entry *entry;
	u64 *fate, start, end;

	if (!(times & BIT(time)))
		return true;
	sp_clock_bounds(&slot->clock, woken, time, event->now->at[SP_SOURCE_MONO],
			&start, &end);
	if (unlikely(end <= begin))
		return true;
	start = max(start, begin);
	fate = sp_record_misfit(recording, cpu, end - start);
	if (likely(!fate)) {
		entry = total_of(recording, slot->sole_row, event);
		if (unlikely(!entry))
			return false;
		sp_histogram_add(&cpu->histogram,
				 sp_source_row_unit(SP_SOURCE_MONO, end - start));
		sp_tally_add(entry, end - start, end, slot->cpu);
		fate = &cpu->fates.recorded;
	}
	++*fate;
	return true;
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
 * sp_record_again() - what sp_deliver() does, if all is as it was some time before
 * @event: of a task that comes in, whose sole recording is known
 * @times: which of its times have ended, bits of enum sp_time
 * @woken: ns; when it was woken, 0 if it was not
 *
 * Context: as sp_deliver().
 * Return: false if nothing was done, because something is not as it was.
 */
bool sp_record_again(struct sp_event *event, unsigned int times, u64 woken)
{
	struct sp_task *slot = event->slot;
	struct sp_recording *recording = slot->sole;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_ledger *ledger = NULL;

	if (unlikely(!cpu->live))
		return true;
	if (unlikely(recording->ledger)) {
		ledger = books_of(recording, slot->sole_row);
		if (!ledger)
			return false;
	}
	event->woken = sp_event_woken(times);
	if (unlikely(!add_again(recording, cpu, event, times, woken)))
		return false;
	if (ledger)
		sp_record_books(recording, ledger, event, &slot->clock, woken);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recognise: the short way through record/account.c, if all is as it was.
 *
 * Most switches on most machines are of a task that one session wants, and that
 * waits where it waited some time before. Then the sessions, the row, the stacks and
 * the total need not be looked up: the first two are remembered with the task
 * (sp_task.first), totals with the row (sp_thread.recent), and stacks are compared where
 * they stand. If several sessions want the task, they are compared for the first one,
 * which keeps all frames that the others keep; their totals follow from its total
 * (sp_thread.with). Whatever is not so goes the long way, through sp_deliver(), which keeps
 * what is remembered true. It is inline in hook/switch.c, because each instruction here is one
 * of most switches; `bench/profile` shows where they go.
 *
 * What the task remembers holds for the generation of filters and for the program
 * that it was remembered in: sp_live_decide() and sp_task_notice_exec() forget it, and
 * the hook asks both before. A recording that was taken out starts a new generation,
 * and hooks that have not seen that are waited for (sp_live_del()). A row stays its
 * task's, and its totals stay in the table, until the task ends or runs another
 * program.
 *
 * Hooks only, interrupts off and a run queue lock held; no lock of our own: all that
 * is written belongs to this CPU or to the task that it is switching.
 */
#ifndef SP_RECORD_RECOGNISE_H
#define SP_RECORD_RECOGNISE_H

#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>

#include "record/account.h"
#include "task/task_table.h"
#include "unwind/unwind.h"
#include "record/recording.h"

struct sp_entry *sp_record_elsewhere(struct sp_recording *recording, struct sp_thread *row,
				     const struct sp_cpu *here, const struct sp_task *slot,
				     struct task_struct *task,
				     const struct pt_regs *regs);
bool sp_record_again_with_extras(struct sp_cpu *here, struct sp_task *slot,
				 struct task_struct *task, const struct pt_regs *regs);

static __always_inline bool sp_same_kernel_stack(struct sp_recording *recording,
						 struct task_struct *task,
						 const struct pt_regs *regs, u32 id)
{
	return id == SP_STACK_NONE ||
	       sp_walk_kernel_unchanged(sp_stack_table_get(&recording->stacks, id), task,
					regs);
}

/* Whoever has none, and should, may have one by now. */
static __always_inline bool sp_same_user_stack(struct sp_recording *recording,
					       const struct sp_thread *row,
					       const struct sp_task *slot,
					       struct task_struct *task,
					       const struct pt_regs *regs, u32 id)
{
	if (id == SP_STACK_NONE)
		return !(recording->settings.stacks & SP_WANT_USER) || row->who.kthread;
	/* If its user memory is not loaded, the stack was taken on the way out. */
	if (!regs)
		return row->out_seq + 2 == slot->seq.sequence && row->out_user == id;
	return task->mm && sp_walk_user_same(sp_stack_table_get(&recording->stacks, id),
					     task_pt_regs(task));
}

/* Who woke it is not asked if nobody did. */
static __always_inline bool sp_same_waker(const struct sp_recording *recording,
					  const struct sp_cpu *here,
					  const struct sp_task *slot, u32 id)
{
	if (!(recording->settings.stacks & SP_WANT_WAKER))
		return true;
	/* Only who slept was woken. */
	if (!here->woken || slot->clock.phase != SP_PHASE_ASLEEP)
		return id == SP_STACK_NONE;
	/* A stack of none was not seen: the long way has one for that, too. */
	return id != SP_STACK_NONE && id == sp_record_waker_id(recording, slot);
}

static __always_inline bool sp_stands_so(struct sp_recording *recording,
					 const struct sp_thread *row,
					 const struct sp_cpu *here,
					 const struct sp_task *slot,
					 struct task_struct *task,
					 const struct pt_regs *regs,
					 const struct sp_entry *entry, bool extras)
{
	return (!extras || sp_same_waker(recording, here, slot, entry->key.waker)) &&
	       sp_same_user_stack(recording, row, slot, task, regs, entry->key.user) &&
	       sp_same_kernel_stack(recording, task, regs, entry->key.kernel);
}

/*
 * The total of the stacks with which the task stands now, if it is a recent one: most
 * often the one that came behind the last one the last time, which may be itself.
 */
static __always_inline struct sp_entry *sp_total_of(struct sp_recording *recording,
						    const struct sp_cpu *here,
						    const struct sp_task *slot,
						    struct task_struct *task,
						    const struct pt_regs *regs, bool extras)
{
	struct sp_thread *row = slot->first_row;
	struct sp_entry *entry;

	/* Without extras, there is a total if there is a row. */
	if (unlikely(!row || (extras && !row->recent.n)))
		return NULL;
	entry = row->recent.entry[row->recent.next[row->recent.at]];
	if (unlikely(!sp_stands_so(recording, row, here, slot, task, regs, entry, extras)))
		return sp_record_elsewhere(recording, row, here, slot, task, regs);
	row->recent.at = row->recent.next[row->recent.at];
	return entry;
}

/*
 * How long was what has ended now, and when did it end? False: nothing is added, and
 * the books know why.
 */
static __always_inline bool sp_length_again(struct sp_recording *recording,
					    struct sp_recording_cpu *cpu,
					    const struct sp_cpu *here,
					    const struct sp_task *slot, u64 *length,
					    u64 *at)
{
	u64 begin = recording->begin.at[SP_SOURCE_MONO];
	enum sp_time time = recording->settings.mode->time;
	u64 start = slot->clock.left, end = here->now.at[SP_SOURCE_MONO];

	/* What most want to know has ended in any case, and now. */
	if (time != SP_TIME_OFF_CPU) {
		if (!(sp_clock_times(&slot->clock, here->woken) & BIT(time)))
			return false;
		sp_clock_bounds(&slot->clock, here->woken, time, end, &start, &end);
	}
	if (unlikely(start < begin)) {
		if (end <= begin) {
			cpu->fates.filtered++;
			return false;
		}
		start = begin;
	}
	*length = end - start;
	*at = end;
	if (unlikely(!sp_record_may_fit(recording, *length))) {
		u64 *fate = sp_record_misfit(recording, cpu, *length);

		if (fate) {
			++*fate;
			return false;
		}
	}
	return true;
}

static __always_inline void sp_total_add(struct sp_recording_cpu *cpu,
					 struct sp_entry *entry, u64 length, u64 at)
{
	sp_histogram_add(&cpu->histogram, sp_source_row_unit(SP_SOURCE_MONO, length));
	sp_tally_add(entry, length, at, raw_smp_processor_id());
	cpu->fates.recorded++;
}

/* Returns false if nothing was done. */
static __always_inline bool sp_add_again(struct sp_recording *recording,
					 struct sp_recording_cpu *cpu,
					 const struct sp_cpu *here, struct sp_task *slot,
					 struct task_struct *task,
					 const struct pt_regs *regs, bool extras)
{
	struct sp_entry *entry;
	u64 length, at;

	if (!sp_length_again(recording, cpu, here, slot, &length, &at))
		return true;
	entry = sp_total_of(recording, here, slot, task, regs, extras);
	if (unlikely(!entry))
		return false;
	sp_total_add(cpu, entry, length, at);
	return true;
}

/**
 * sp_record_again() - what sp_deliver() does, if all is as it was some time before
 * @here: this CPU's; it knows what time it is, not before the task left, and when it
 *	was woken
 * @slot: the clock of a task that comes in; the first recording is known
 * @task: the task
 * @regs: as for sp_hot_switch()
 *
 * Context: as sp_deliver().
 * Return: false if nothing was done, because something is not as it was.
 */
static __always_inline bool sp_record_again(struct sp_cpu *here, struct sp_task *slot,
					    struct task_struct *task,
					    const struct pt_regs *regs)
{
	struct sp_recording *recording = slot->first;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (unlikely(!cpu->live))
		return !slot->several;
	/* Twice the same code: most tasks have no extras to be looked after. */
	if (unlikely(slot->extras))
		return sp_record_again_with_extras(here, slot, task, regs);
	return sp_add_again(recording, cpu, here, slot, task, regs, false);
}

/**
 * sp_record_leave_again() - what sp_record_leave() does, if all is as it was
 * @slot: the clock of a task that leaves, whose user memory is loaded
 * @task: the task
 *
 * Context: as sp_record_leave().
 * Return: false if nothing was done, because something is not as it was.
 */
static __always_inline bool sp_record_leave_again(const struct sp_task *slot,
						  struct task_struct *task)
{
	const struct sp_recording *recording = slot->first;
	struct sp_thread *row = slot->first_row;

	/* Each of several has its own stacks for what comes in the long way. */
	if (!recording || !row || slot->several || !task->mm || row->out_user == SP_STACK_NONE ||
	    row->out_user == SP_STACK_LOST || !this_cpu_ptr(recording->cpu)->live ||
	    !sp_walk_user_same(sp_stack_table_get(&recording->stacks, row->out_user),
			       task_pt_regs(task)))
		return false;
	row->out_seq = slot->seq.sequence;
	return true;
}

#endif

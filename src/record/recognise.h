/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recognise: the fast path of an interval, for a task whose stack is one of its last ones.
 *
 * Most switches on most machines are of a task that one session wants, and that
 * waits where it waited some time before. Then nothing is looked up: recording and thread
 * are remembered with the task (sp_task.first), entries with the thread
 * (sp_thread.recent), and the stack in memory is compared with the stored one. If several
 * sessions want the task, the stack is compared for the first of them,
 * which keeps all frames that the others keep; their entries follow from its entry
 * (sp_thread.with). All other switches take the slow path, sp_deliver(), which also keeps
 * what is remembered here true. The fast path is inline in hook/switch.c, because each of its
 * instructions is one of most switches; `bench/profile` shows where they go.
 *
 * What the task remembers holds for the generation of filters and for the program
 * that it was remembered in: sp_live_decide() and sp_task_notice_exec() forget it, and
 * the hook asks both before. A recording that was taken out starts a new generation,
 * and hooks that have not seen that are waited for (sp_live_del()). A thread stays its
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

#include "record/interval.h"
#include "task/task_table.h"
#include "unwind/unwind.h"
#include "record/recording.h"

void sp_record_keep_sole(struct sp_task *st, struct sp_recording *recording);
void sp_record_keep_several(struct sp_task *st);

struct sp_entry *sp_record_elsewhere(struct sp_recording *recording, struct sp_thread *thread,
				     const struct sp_cpu *here, const struct sp_task *st,
				     struct task_struct *task,
				     const struct pt_regs *regs);
bool sp_record_again_with_extras(struct sp_cpu *here, struct sp_task *st,
				 struct task_struct *task, const struct pt_regs *regs);

static __always_inline bool sp_same_kernel_stack(struct sp_recording *recording,
						 struct task_struct *task,
						 const struct pt_regs *regs, u32 id)
{
	return id == SP_STACK_NONE ||
	       sp_unwind_kernel_unchanged(sp_stack_table_get(&recording->stacks, id), task,
					  regs);
}

/* Whoever has none, and should, may have one by now. */
static __always_inline bool sp_same_user_stack(struct sp_recording *recording,
					       const struct sp_thread *thread,
					       const struct sp_task *st,
					       struct task_struct *task,
					       const struct pt_regs *regs, u32 id)
{
	if (id == SP_STACK_NONE)
		return !(recording->config.stack & SP_WANT_USER) || thread->who.kthread;
	/* If its user memory is not loaded, the stack was taken on the way out. */
	if (!regs)
		return thread->out_seq + 2 == st->seq.sequence && thread->out_user == id;
	return task->mm && sp_unwind_user_same(sp_stack_table_get(&recording->stacks, id),
					       task_pt_regs(task));
}

/* Who woke it is not asked if nobody did. */
static __always_inline bool sp_same_waker(const struct sp_recording *recording,
					  const struct sp_cpu *here,
					  const struct sp_task *st, u32 id)
{
	if (!(recording->config.stack & SP_WANT_WAKER))
		return true;
	/* Only who slept was woken. */
	if (!here->woken || st->clock.phase != SP_PHASE_ASLEEP)
		return id == SP_STACK_NONE;
	/* A stack of none was not seen: the long way has one for that, too. */
	return id != SP_STACK_NONE && id == sp_record_waker_id(recording, st);
}

static __always_inline bool sp_stack_proved(struct sp_recording *recording,
					    const struct sp_thread *thread,
					    const struct sp_cpu *here,
					    const struct sp_task *st,
					    struct task_struct *task,
					    const struct pt_regs *regs,
					    const struct sp_entry *entry, bool extras)
{
	return (!extras || sp_same_waker(recording, here, st, entry->key.waker)) &&
	       sp_same_user_stack(recording, thread, st, task, regs, entry->key.user) &&
	       sp_same_kernel_stack(recording, task, regs, entry->key.kernel);
}

/*
 * The total of the stacks with which the task stands now, if it is a recent one: most
 * often the one that came behind the last one the last time, which may be itself.
 */
static __always_inline struct sp_entry *sp_total_of(struct sp_recording *recording,
						    const struct sp_cpu *here,
						    const struct sp_task *st,
						    struct task_struct *task,
						    const struct pt_regs *regs, bool extras)
{
	struct sp_thread *thread = st->first_thread;
	struct sp_entry *entry;

	/* Without extras, there is a total if there is a thread. */
	if (unlikely(!thread || (extras && !thread->recent.n)))
		return NULL;
	entry = thread->recent.entry[thread->recent.next[thread->recent.at]];
	if (unlikely(!sp_stack_proved(recording, thread, here, st, task, regs, entry, extras)))
		return sp_record_elsewhere(recording, thread, here, st, task, regs);
	thread->recent.at = thread->recent.next[thread->recent.at];
	return entry;
}

/*
 * How long was what has ended now, and when did it end? False: nothing is added, and
 * the books know why.
 */
static __always_inline bool sp_length_again(struct sp_recording *recording,
					    struct sp_recording_cpu *cpu,
					    const struct sp_cpu *here,
					    const struct sp_task *st, u64 *length,
					    u64 *at)
{
	u64 begin = recording->begin.at[SP_CLOCK_MONO];
	enum sp_time time = recording->mode->time;
	u64 start = st->clock.out_ts, end = here->now.at[SP_CLOCK_MONO];

	/* What most want to know has ended in any case, and now. */
	if (time != SP_TIME_OFF_CPU) {
		if (!(sp_clock_times(&st->clock, here->woken) & BIT(time)))
			return false;
		sp_clock_bounds(&st->clock, here->woken, time, end, &start, &end);
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
	sp_histogram_add(&cpu->histogram, sp_clock_id_row_unit(SP_CLOCK_MONO, length));
	sp_tally_add(entry, length, at, raw_smp_processor_id());
	cpu->fates.recorded++;
}

/* Returns false if nothing was done. */
static __always_inline bool sp_add_again(struct sp_recording *recording,
					 struct sp_recording_cpu *cpu,
					 const struct sp_cpu *here, struct sp_task *st,
					 struct task_struct *task,
					 const struct pt_regs *regs, bool extras)
{
	struct sp_entry *entry;
	u64 length, at;

	if (!sp_length_again(recording, cpu, here, st, &length, &at))
		return true;
	entry = sp_total_of(recording, here, st, task, regs, extras);
	if (unlikely(!entry))
		return false;
	sp_total_add(cpu, entry, length, at);
	return true;
}

/**
 * sp_record_again() - what sp_deliver() does, if all is as it was some time before
 * @here: this CPU's; it knows what time it is, not before the task left, and when it
 *	was woken
 * @st: the clock of a task that comes in; the first recording is known
 * @task: the task
 * @regs: as for sp_hot_switch()
 *
 * Context: as sp_deliver().
 * Return: false if nothing was done, because something is not as it was.
 */
static __always_inline bool sp_record_again(struct sp_cpu *here, struct sp_task *st,
					    struct task_struct *task,
					    const struct pt_regs *regs)
{
	struct sp_recording *recording = st->first;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (unlikely(!cpu->live))
		return !st->several;
	/* Twice the same code: most tasks have no extras to be looked after. */
	if (unlikely(st->extras))
		return sp_record_again_with_extras(here, st, task, regs);
	return sp_add_again(recording, cpu, here, st, task, regs, false);
}

/**
 * sp_record_leave_again() - what sp_record_leave() does, if all is as it was
 * @st: the clock of a task that leaves, whose user memory is loaded
 * @task: the task
 *
 * Context: as sp_record_leave().
 * Return: false if nothing was done, because something is not as it was.
 */
static __always_inline bool sp_record_leave_again(const struct sp_task *st,
						  struct task_struct *task)
{
	const struct sp_recording *recording = st->first;
	struct sp_thread *thread = st->first_thread;

	/* Each of several has its own stacks for what comes in the long way. */
	if (!recording || !thread || st->several || !task->mm ||
	    thread->out_user == SP_STACK_NONE || thread->out_user == SP_STACK_LOST ||
	    !this_cpu_ptr(recording->cpu)->live ||
	    !sp_unwind_user_same(sp_stack_table_get(&recording->stacks, thread->out_user),
				 task_pt_regs(task)))
		return false;
	thread->out_seq = st->seq.sequence;
	return true;
}

#endif

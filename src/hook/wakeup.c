// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeup: what every backend calls when somebody wakes a task.
 *
 * Runs in the waker's context, whatever it is, so interrupts are switched off here.
 * The clock of the task that is woken belongs to the CPU that switches it, which may
 * be doing so: only the stamps that are meant for wakers are written.
 */
#include <linux/sched.h>

#include "compat/compat.h"
#include "hook/switch.h"
#include "lib/longest.h"
#include "record/live.h"
#include "record/account.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "lib/widen.h"
#include "unwind/spaces.h"
#include "unwind/unwind.h"

static __always_inline void wake_clock(struct sp_clock *clock, bool sleeps, u64 now)
{
	if (sleeps)
		sp_clock_wake(clock, now);
	else
		sp_clock_try_to_wake(clock, now);
}

/*
 * Who was preempted waits since then, and who was woken, since that: what was noted when it was
 * moved meanwhile stays.
 */
static bool may_begin_wait(const struct sp_clock *clock, bool sleeps)
{
	return READ_ONCE(clock->phase) != SP_PHASE_RUNNABLE &&
	       (sleeps || !READ_ONCE(clock->woken));
}

/* The task's clock keeps the answers of the last time filters were asked. */
static noinline void note_waker(struct sp_task *st, const struct task_struct *task,
				struct pt_regs *regs, unsigned long frame)
{
	struct sp_waking waking = { .regs = regs, .frame = frame };
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);
	bool outdated = sp_live_outdated(st);
	unsigned int bit, last = sp_live_end();

	if (!regs)
		sp_waking_find_entry(&waking);
	/* An interrupt in a probe that is about to end would wake what the probe misses. */
	__this_cpu_write(sp_unwind_spaces_hold, true);
	sp_unwind_asks_again();
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (!recording || !(recording->config.stack & SP_WANT_WAKER) ||
		    !(outdated || test_bit(bit, st->match)) ||
		    sp_record_waker_again(recording, st, cpu, &waking))
			continue;
		if (!waking.walked) {
			waking.called = sp_unwind_waker(&cpu->waker, &waking, task);
			cpu->waker_user.n = 0;
		}
		waking.walked = true;
		sp_record_waker(recording, st, cpu, waking.called);
	}
	__this_cpu_write(sp_unwind_spaces_hold, false);
}

/**
 * sp_hot_wakeup() - somebody wakes a task, or tries to
 * @task: the task
 * @states: it is woken if it is in one of these
 * @regs: at the entry of the function that wakes; NULL: in a tracepoint's probe
 * @frame: the frame address of that
 *
 * A task that does not sleep yet may do so before the waker looks again, under
 * the task's lock; and then it is woken.
 *
 * Its clock may be removed meanwhile, but not given away: interrupts are off.
 *
 * Context: a hook in the waker's context; interrupts may be on.
 */
void sp_hot_wakeup(struct task_struct *task, unsigned int states,
		   struct pt_regs *regs, unsigned long frame)
{
	struct sp_task *st;
	unsigned long flags;
	bool sleeps;
	u64 now;

	local_irq_save(flags);
	/*
	 * First: a task that goes on after the look, and then sleeps for another reason, is not
	 * woken by a stamp from before that sleep.
	 */
	now = sp_time();
	sleeps = sp_task_state(task) & states;
	this_cpu_ptr(sp_cpu)->counts.wakeups += sleeps;
	if (unlikely(sp_hot_is_shut()))
		goto out;
	st = sp_task_find(task);
	if (unlikely(!st))
		goto out;
	sp_window();
	/* A guess does not replace what is sure. */
	if (sp_live_follows_wakers() && (sleeps || !READ_ONCE(st->clock.woken)))
		note_waker(st, task, regs, frame);
	/* Who copies a clock that was woken finds its waker; the other one is in sp_task_copy(). */
	smp_wmb();
	wake_clock(&st->clock, sleeps, now);
	if (sp_cpu_notes_waits() && may_begin_wait(&st->clock, sleeps))
		sp_cpu_note_wait(st, task_cpu(task), now);
out:
	if (SP_LONGEST)
		sp_longest_note(wakeup_ns, sp_time_between(now, sp_time()));
	local_irq_restore(flags);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq_time: which part of a CPU's time is that of interrupts and softirqs.
 *
 * Spans nest: a hard interrupt comes in a softirq, which came in a task. Each moment belongs
 * to the innermost one. It knows neither tasks nor a clock. No lock: a CPU's own.
 */
#include <linux/string.h>

#include "lib/export.h"
#include "lib/irq_time.h"

/**
 * sp_irq_time_begin() - nothing was seen of a CPU yet
 * @time: of the CPU; nobody looks at it
 * @stolen: ns; what the kernel's own counter says
 */
void sp_irq_time_begin(struct sp_irq_time *time, u64 stolen)
{
	memset(time, 0, sizeof(*time));
	time->stolen = stolen;
}
SP_EXPORT_FOR_KUNIT(sp_irq_time_begin);

/**
 * sp_irq_time_forget_open() - what is open cannot be: an end was missed, or a switch
 * @time: of this CPU
 * @now: ns
 *
 * Nobody knows when it ended. Of the time since the last event, the task is believed to have
 * run it.
 */
void sp_irq_time_forget_open(struct sp_irq_time *time, u64 now)
{
	sp_irq_time_spend(time, SP_SPAN_TASK, now);
	time->unmatched += time->depth;
	time->depth = 0;
	/* Without what seemed to go on. */
	WRITE_ONCE(time->foreign, (time->total[SP_SPAN_IRQ] + time->total[SP_SPAN_SOFTIRQ]) << 1);
}
SP_EXPORT_FOR_KUNIT(sp_irq_time_forget_open);

/**
 * sp_irq_time_suspend() - the task leaves the CPU inside of what is open
 * @time: of this CPU
 * @leaves: the task, as for sp_irq_time_enter()
 * @now: ns
 *
 * Only its softirq can be: on PREEMPT_RT. What else is open has an end that was missed. It is not
 * the next task's. Another task's softirq is open where no switch was looked at since it began.
 *
 * Return: enum sp_span of the softirq, for sp_irq_time_enter() when the task is back;
 * SP_SPAN_TASK: there was none.
 */
unsigned int sp_irq_time_suspend(struct sp_irq_time *time, const void *leaves, u64 now)
{
	enum sp_span span = sp_irq_time_inside(time);
	bool softirq = time->depth == 1 && span != SP_SPAN_IRQ;

	if (softirq && time->owner != leaves) {
		sp_irq_time_forget_open(time, now);
		return SP_SPAN_TASK;
	}
	sp_irq_time_spend(time, span, now);
	if (!softirq)
		time->unmatched += time->depth;
	time->depth = 0;
	sp_irq_time_publish(time, span, SP_SPAN_TASK);
	return softirq ? span : SP_SPAN_TASK;
}
SP_EXPORT_FOR_KUNIT(sp_irq_time_suspend);

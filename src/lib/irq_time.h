/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_IRQ_TIME_H
#define SP_LIB_IRQ_TIME_H

#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>
#include "lib/widen.h"

/* What a task is on a CPU for, and does not run itself. */
enum sp_foreign {
	SP_FOREIGN_IRQ,		/* hard interrupts */
	SP_FOREIGN_SOFTIRQ,	/* but for those that have a thread to run them */
	SP_FOREIGN_STOLEN,	/* the hypervisor ran somebody else */
	SP_FOREIGNS
};

/* What runs on a CPU; the first two as in enum sp_foreign. */
enum sp_span {
	SP_SPAN_IRQ = SP_FOREIGN_IRQ,
	SP_SPAN_SOFTIRQ = SP_FOREIGN_SOFTIRQ,
	SP_SPAN_SOFTIRQ_THREAD,	/* a softirq by a thread that is there for that */
	SP_SPAN_TASK,
	SP_SPANS
};

/* Spans that may be open inside of each other. */
#define SP_SPAN_DEPTH	8U

/*
 * The spans of one CPU. Written there alone, with interrupts off; others read single
 * words. All 0 is a CPU that runs a task.
 */
struct sp_irq_time {
	u64 last;			/* ns; of the last event */
	u32 depth;			/* spans that are open */
	u8 open[SP_SPAN_DEPTH];		/* enum sp_span of each */
	const void *owner;		/* whose the outermost one is, if it is a softirq */
	/* Without the last one that is open, and not of tasks: */
	u64 ns[SP_SPANS];		/* since the last switch */
	u64 total[SP_SPANS];		/* of all time */
	u64 foreign;			/* both in one word: see sp_irq_time_publish() */
	u64 stolen;			/* what the kernel said at the last switch */
	u64 too_deep;			/* spans that were counted as part of another one */
	u64 unmatched;			/* ends without a beginning, and beginnings without end */
	u64 steps;			/* times the clock went back */
};

/* In sp_irq_time.foreign: one of them is the innermost, and goes on. */
#define SP_FOREIGN_OPEN	1U

void sp_irq_time_begin(struct sp_irq_time *time, u64 stolen);
void sp_irq_time_forget_open(struct sp_irq_time *time, u64 now);
unsigned int sp_irq_time_suspend(struct sp_irq_time *time, const void *leaves, u64 now);

static __always_inline enum sp_span sp_irq_time_inside(const struct sp_irq_time *time)
{
	u32 depth = time->depth;

	if (!depth)
		return SP_SPAN_TASK;
	return time->open[likely(depth <= SP_SPAN_DEPTH) ? depth - 1 : SP_SPAN_DEPTH - 1];
}

/* The time since the last event is that of the innermost span. */
static __always_inline void sp_irq_time_spend(struct sp_irq_time *time, enum sp_span span, u64 now)
{
	u64 ns = now - time->last;

	/* Time that a clock tells twice is counted once. */
	if (unlikely((s64)ns < 0)) {
		time->steps++;
		return;
	}
	time->last = now;
	if (span == SP_SPAN_TASK)
		return;
	time->total[span] += ns;
	/* Who sees it among the others sees it in all. Pairs with sp_foreign_read(). */
	smp_wmb();
	time->ns[span] += ns;
}

static __always_inline bool sp_irq_time_is_foreign(enum sp_span span)
{
	return span == SP_SPAN_IRQ || span == SP_SPAN_SOFTIRQ;
}

/*
 * What interrupts and softirqs had of all time is a word for others to read at once: twice
 * that, or twice what the time is to be added to, and SP_FOREIGN_OPEN, while one goes on. The
 * time until now was spent on @was, and @is goes on.
 */
static __always_inline void sp_irq_time_publish(struct sp_irq_time *time, enum sp_span was,
						enum sp_span is)
{
	u64 begins = SP_FOREIGN_OPEN - (time->last << 1);

	/* From one of them to another, what is told goes on. */
	if (sp_irq_time_is_foreign(was) == sp_irq_time_is_foreign(is))
		return;
	WRITE_ONCE(time->foreign, sp_irq_time_is_foreign(is) ? time->foreign + begins :
							       time->foreign - begins);
}

/**
 * sp_irq_time_foreign() - what interrupts and softirqs have had of a CPU's time
 * @time: of any CPU
 * @now: ns; if it is earlier than the last event, this is not more than there was at that
 *
 * Return: ns, less than S64_MAX. Differences are what matters.
 */
static __always_inline u64 sp_irq_time_foreign(const struct sp_irq_time *time, u64 now)
{
	u64 word, ns;

	sp_window();
	word = READ_ONCE(time->foreign);
	ns = word >> 1;
	return (word & SP_FOREIGN_OPEN ? ns + now : ns) & S64_MAX;
}

/* Softirqs of one task are not nested, and none begins inside of the handler of an interrupt. */
static __always_inline bool sp_irq_time_fits(const struct sp_irq_time *time, enum sp_span span,
					     const void *runs)
{
	return span == SP_SPAN_IRQ && (time->open[0] == SP_SPAN_IRQ || time->owner == runs);
}

/**
 * sp_irq_time_enter() - a span begins inside of what is open
 * @time: of this CPU
 * @span: what it is
 * @runs: who runs on the CPU, whatever tells that from others
 * @now: ns
 */
static __always_inline void sp_irq_time_enter(struct sp_irq_time *time, enum sp_span span,
					      const void *runs, u64 now)
{
	enum sp_span inside = SP_SPAN_TASK;

	if (unlikely(time->depth)) {
		if (unlikely(!sp_irq_time_fits(time, span, runs)))
			sp_irq_time_forget_open(time, now);
		inside = sp_irq_time_inside(time);
	}
	sp_irq_time_spend(time, inside, now);
	if (span != SP_SPAN_IRQ)
		time->owner = runs;
	if (unlikely(time->depth >= SP_SPAN_DEPTH)) {
		time->too_deep++;
	} else {
		time->open[time->depth] = span;
		sp_irq_time_publish(time, inside, span);
	}
	time->depth++;
}

/**
 * sp_irq_time_leave() - the innermost span ends
 * @time: of this CPU
 * @irq: it is a hard interrupt, else a softirq
 * @now: ns
 *
 * One that began before anybody looked is no span, and neither is one of another kind.
 */
static __always_inline void sp_irq_time_leave(struct sp_irq_time *time, bool irq, u64 now)
{
	enum sp_span span = sp_irq_time_inside(time);
	bool is_irq = span == SP_SPAN_IRQ;

	if (unlikely(span == SP_SPAN_TASK || (time->depth <= SP_SPAN_DEPTH && irq != is_irq))) {
		time->unmatched++;
		return;
	}
	sp_irq_time_spend(time, span, now);
	time->depth--;
	sp_irq_time_publish(time, span, sp_irq_time_inside(time));
}

/**
 * sp_irq_time_came() - was anything not the task's own since the last switch?
 * @time: of this CPU
 * @stolen: ns; what the kernel's own counter says
 */
static __always_inline bool sp_irq_time_came(const struct sp_irq_time *time, u64 stolen)
{
	return time->ns[SP_SPAN_IRQ] | time->ns[SP_SPAN_SOFTIRQ] | (stolen - time->stolen);
}

/**
 * sp_irq_time_take() - a task leaves the CPU: what of its time was not its own
 * @time: of this CPU; of a span that is open, what is to come is not told
 * @stolen: ns; what the kernel's own counter says
 * @foreign: filled, SP_FOREIGNS of them
 */
static __always_inline void sp_irq_time_take(struct sp_irq_time *time, u64 stolen, u64 *foreign)
{
	foreign[SP_FOREIGN_IRQ] = time->ns[SP_SPAN_IRQ];
	foreign[SP_FOREIGN_SOFTIRQ] = time->ns[SP_SPAN_SOFTIRQ];
	foreign[SP_FOREIGN_STOLEN] = stolen - time->stolen;
	time->ns[SP_SPAN_IRQ] = 0;
	time->ns[SP_SPAN_SOFTIRQ] = 0;
	time->stolen = stolen;
}

#endif

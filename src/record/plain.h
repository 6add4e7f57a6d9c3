/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plain: the switch that most switches are. Both tasks are known and decided, nothing
 * has changed since, and the one that comes in stands where it was expected. All that is
 * compared first; then nothing can fail any more, and all is written. If anything is
 * otherwise, nothing was written, and the long way (hook/switch.c) does all there is and
 * sets what is compared here.
 *
 * One number stands for everything that a configuration can change: a task whose number
 * is sp_plain_gen was last seen by the long way, all recordings that want it are live on
 * all CPUs, and the entries that its place leads to are of this generation. An entry
 * knows the stacks that its task stands on then, what follows, and the entries of other
 * recordings for the same stacks.
 *
 * Hooks only, interrupts off and a run queue lock held; no lock of our own: all that is
 * written belongs to this CPU or to the two tasks.
 */
#ifndef SP_RECORD_PLAIN_H
#define SP_RECORD_PLAIN_H

#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>

#include "compat/compat.h"
#include "lib/widen.h"
#include "record/interval.h"
#include "record/live.h"
#include "record/recording.h"
#include "record/verify.h"
#include "task/percpu.h"
#include "task/task_table.h"
#include "unwind/unwind.h"

u32 sp_plain_how(const struct sp_task *st, const struct task_struct *task, unsigned int state);
struct sp_entry *sp_plain_elsewhere(struct sp_task *st, const struct pt_regs *regs, bool asked);
bool sp_plain_looks_other(const struct sp_task *st, struct task_struct *task);
bool sp_plain_misfits(u64 misfits, const struct sp_clock *clock, u64 woken, u64 now);
bool sp_plain_rare_fits(const struct sp_entry *to, const struct sp_task *st, u64 woken, u64 now);
void sp_plain_book_rare(struct sp_task *st, struct task_struct *task, struct sp_entry *to,
			u64 woken, u64 now);
void sp_plain_count_misfits(const struct sp_task *st, u64 misfits, u64 woken, u64 now);
void sp_plain_filter(const struct sp_task *st, unsigned int times);
void sp_plain_move(struct sp_task *st, struct sp_entry *to);
void sp_plain_learn(struct sp_cpu *cpu, struct sp_task *st);

/* Counts are increased as in raw_write_seqcount_begin(): by one instruction. */
static __always_inline void sp_cpu_write_begin(struct sp_cpu *cpu)
{
	cpu->sequence++;
	/* Pairs with sp_cpu_read(). */
	smp_wmb();
}

static __always_inline void sp_cpu_write_end(struct sp_cpu *cpu)
{
	/* As in sp_cpu_write_begin(). */
	smp_wmb();
	cpu->sequence++;
}

/* Is it this entry's turn to be measured? */
static __always_inline bool sp_cpu_is_measured(const struct sp_cpu *cpu)
{
	return cpu->sequence % (2 * SP_OVERHEAD_SAMPLE) == 0;
}

/*
 * How does the task leave? The frequent case is an interruptible sleep. 0: the long way
 * has to know.
 */
static __always_inline u32 sp_plain_leaves_how(const struct sp_task *st,
					       const struct task_struct *task)
{
	unsigned int state = sp_task_state(task);

	if (likely((state & ~TASK_FREEZABLE) == TASK_INTERRUPTIBLE &&
		   st->nvcsw != (u32)task->nvcsw))
		return SP_HOW(SP_STATE_S, SP_LEFT_VOLUNTARILY);
	return sp_plain_how(st, task, state);
}

/* On these stacks? Not @coming: its user stack was taken on the way out. */
static __always_inline bool sp_plain_stands(const struct sp_entry *to, struct sp_task *st,
					    struct task_struct *task,
					    const struct pt_regs *regs, const bool coming)
{
	const struct sp_stack *kernel = to->follow.kernel, *user;

	if (kernel && unlikely(!sp_unwind_kernel_unchanged(kernel, task, regs, coming)))
		return false;
	user = to->follow.user;
	if (user && coming &&
	    unlikely(!task->mm ||
		     !sp_unwind_user_same(user, task_pt_regs(task), &st->passed)))
		return false;
	if (user && !coming &&
	    (st->out_user != user || st->out_seq + 1 != st->seq.sequence))
		return false;
	sp_verify_coming(kernel, task, regs);
	if (user && coming)
		sp_verify_user(user, task_pt_regs(task));
	return true;
}

/* The task comes in: how many intervals are over follows from that. */
static __always_inline void sp_count_return(struct sp_returns *returns,
					    const struct sp_clock *clock, u64 woken)
{
	if (clock->phase != SP_PHASE_ASLEEP) {
		returns->runnables++;
		return;
	}
	returns->sleepers++;
	if (woken)
		returns->woken_sleepers++;
}

/* The task comes in from where it stood, and one recording wants to know for how long. */
static __always_inline void sp_plain_book(struct sp_entry *to, u64 length, u64 now)
{
	struct sp_recording_cpu *part = this_cpu_ptr(to->follow.recording->cpu);

	sp_histogram_add(&part->histogram, sp_clock_id_row_unit(SP_CLOCK_MONO, length));
	sp_tally_add(to, length, now, raw_smp_processor_id());
	part->fates.recorded++;
}

/* Or that was too short for it, or too long. */
static __always_inline void sp_plain_book_misfit(const struct sp_entry *to, u64 length)
{
	struct sp_recording *recording = to->follow.recording;

	++*sp_record_misfit(recording, this_cpu_ptr(recording->cpu), length);
}

/* A task comes in, for those who wait for it to leave. */
static __always_inline void sp_plain_push(struct sp_cpu *cpu, const struct sp_task *in,
					  const struct task_struct *next, u64 now)
{
	sp_run_ring_push(&cpu->ring, in->serial, now, sp_cpu_foreign(cpu, now));
	BUILD_BUG_ON(TASK_COMM_LEN != SP_RUN_COMM);
	sp_run_ring_name(&cpu->ring, next->comm);
}

/**
 * sp_plain_switch() - one task left this CPU, another came in; if that is plain
 * @cpu: this one's
 * @prev: who left
 * @next: who came
 * @regs: as for sp_hot_switch()
 * @coming: there are @regs; what the compiler knows
 *
 * While it compares, functions that are instrumented may be called: of what reads user
 * memory, or a clock. They find this CPU inside of a hook and touch nothing.
 *
 * Return: false if it is not, and nothing was done, but perhaps sp_cpu_write_begin().
 */
static __always_inline bool sp_plain_switch(struct sp_cpu *cpu, struct task_struct *prev,
					    struct task_struct *next,
					    const struct pt_regs *regs, const bool coming)
{
	struct sp_task *out = cpu->running, *in = cpu->left;
	const struct sp_stack *out_user = NULL;
	const u32 gen = READ_ONCE(sp_plain_gen);
	/* Where the task stands that comes in; and again, if not just its length is booked. */
	struct sp_entry *to = NULL, *odd = NULL;
	u64 now, woken, length;
	u32 how = 0;

	/* Of an unproved probe nothing is believed: then no task that came in is known. */
	if (unlikely(out->plain != gen))
		return false;
	sp_window();
	sp_cpu_write_begin(cpu);
	if (unlikely(out->task != prev || sp_task_other_program(out, prev)))
		return false;
	if (!sp_task_is(in, next)) {
		in = next->pid ? sp_task_find(next) : &cpu->idle;
		if (unlikely(!in))
			return false;
	}
	if (unlikely(in->plain != gen))
		return false;
	/* The idle task of a CPU is wanted by nobody. */
	if (likely(out->clock.phase == SP_PHASE_ON_CPU)) {
		how = sp_plain_leaves_how(out, prev);
		if (unlikely(!how))
			return false;
	} else if (unlikely(out->clock.phase != SP_PHASE_IDLE)) {
		return false;
	}
	if (unlikely(!sp_phase_off_cpu(in->clock.phase)))
		return false;
	now = sp_time();
	if (unlikely(now < out->clock.in_ts || now < in->clock.out_ts))
		return false;
	/* User stacks are taken on the way out where they are in reach only then. */
	if (!coming) {
		out_user = out->place ? out->place->follow.next->follow.user : out->out_user;
		if (out_user && unlikely(!prev->mm ||
					 !sp_unwind_user_same(out_user, task_pt_regs(prev),
							      &out->passed)))
			return false;
		if (out_user)
			sp_verify_user(out_user, task_pt_regs(prev));
	}
	woken = READ_ONCE(in->clock.woken);
	if (!woken && READ_ONCE(in->clock.tried))
		woken = sp_clock_woken(&in->clock);
	length = now - in->clock.out_ts;
	if (in->place) {
		to = in->place->follow.next;
		/* One recording wants it, whichever entry it will be. */
		if (likely(sp_record_fits(to->follow.recording, length))) {
			if (unlikely(!sp_plain_stands(to, in, next, regs, coming))) {
				to = sp_plain_elsewhere(in, coming ? regs : NULL, true);
				if (!to)
					return false;
			}
			if (unlikely(to->rare))
				odd = to;
		} else {
			/* Of what is too short, or too long, nobody asks where it stands. */
			if (to->rare)
				to = sp_plain_elsewhere(in, coming ? regs : NULL, false);
			if (!to)
				return false;
			odd = to;
		}
		if (unlikely(odd) && odd->rare & SP_RARE_ASKS &&
		    !sp_plain_rare_fits(odd, in, woken, now))
			return false;
	} else if (unlikely(in->misfits &&
			    !sp_plain_misfits(in->misfits, &in->clock, woken, now))) {
		return false;
	}
	if (unlikely(gen & SP_PLAIN_MORE)) {
		if (gen & SP_PLAIN_ASKS &&
		    (sp_plain_looks_other(out, prev) || sp_plain_looks_other(in, in->task)))
			return false;
		/* One of them is inside of a softirq: see take_foreign(). */
		if (gen & SP_PLAIN_INTERRUPTS && unlikely(cpu->irq_time.depth | in->inside))
			return false;
		if (gen & SP_PLAIN_INTERRUPTS)
			sp_cpu_take_foreign(cpu, out);
		/* Before its own wait is split, which ends with that. */
		if (gen & SP_PLAIN_BLAMES)
			sp_plain_push(cpu, in, in->task, now);
	}
	/* Nothing can fail any more. */
	cpu->counts.switches++;
	if (likely(how)) {
		raw_write_seqcount_begin(&out->seq);
		out->switches++;
		out->nvcsw = (u32)prev->nvcsw;
		out->clock.out_ts = now;
		out->clock.how = how;
		if (!coming) {
			out->out_user = out_user;
			out->out_seq = out->seq.sequence;
		}
		raw_write_seqcount_end(&out->seq);
	}
	if (in->clock.phase != SP_PHASE_IDLE) {
		raw_write_seqcount_begin(&in->seq);
		if (likely(to)) {
			sp_count_return(&cpu->counts.wanted, &in->clock, woken);
			if (likely(!odd))
				sp_plain_book(to, length, now);
			else if (odd->rare)
				sp_plain_book_rare(in, in->task, odd, woken, now);
			else
				sp_plain_book_misfit(odd, length);
			if (likely(in->place->follow.next == to))
				in->place = to;
			else
				sp_plain_move(in, to);
		} else {
			sp_count_return(in->wanted ? &cpu->counts.wanted : &cpu->counts.unwanted,
					&in->clock, woken);
			if (unlikely(in->wanted && in->unwanted))
				sp_plain_filter(in, sp_clock_times(&in->clock, woken));
			if (unlikely(in->misfits))
				sp_plain_count_misfits(in, in->misfits, woken, now);
		}
		sp_clock_come_back(&in->clock, now);
		in->cpu = raw_smp_processor_id();
		raw_write_seqcount_end(&in->seq);
	}
	cpu->left = out;
	cpu->running = in;
	sp_cpu_write_end(cpu);
	return true;
}

#endif

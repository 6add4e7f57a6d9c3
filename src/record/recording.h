/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_RECORDING_H
#define SP_RECORD_RECORDING_H

#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "record/cgroups.h"
#include "record/events.h"
#include "task/config.h"
#include "task/filter.h"
#include "lib/histogram.h"
#include "task/percpu.h"
#include "record/mappings.h"
#include "lib/ledger.h"
#include "task/mode.h"
#include "record/threads.h"
#include "task/clock.h"
#include "lib/stack_table.h"
#include "lib/tally.h"
#include "lib/widen.h"

struct sp_blamed;
struct sp_ledger_snapshot;
struct sp_functions;
struct sp_recording;

/* What a recording asks of the functions that it is about; of func/function.c. */
struct sp_function_ops {
	u64 (*bytes)(const struct sp_functions *functions, const struct sp_config *config);
	struct sp_functions *(*get)(struct sp_functions *functions);
	void (*put)(struct sp_functions *functions);
	/* At the end: keep the activations that are open. */
	void (*cut)(struct sp_recording *recording);
};

/*
 * What became of the intervals of the mode that tasks finished: each is in exactly
 * one of these. Those of tasks that no recording wants are counted by the CPU, for all
 * recordings at once (struct sp_counts).
 */
struct sp_fates {
	u64 filtered;		/* another task, or another state; over before begin */
	u64 below_min;
	u64 above_max;
	u64 lost_tasks;
	u64 lost_stacks;
	u64 lost_entries;
	u64 recorded;
};

/* What came into the tasks' times on a CPU, and is not in the books as interrupts. */
struct sp_foreign_rest {
	u64 excess;		/* more than that time was long; in the unit of the clock */
	u64 unsplit_ns;		/* the books have the time in part, or not at all */
};

/* Of one CPU: written by it alone with interrupts off, under its sequence. */
struct sp_recording_cpu {
	bool live;
	bool closing;		/* not live any more: what is handed on is claimed */
	struct sp_counts base;	/* the CPU's counts when this part began */
	struct sp_counts kept;	/* once it is over: counts since then */
	/* While the recording has interrupts: */
	u64 since;		/* ns; when this part began; READ_ONCE; */
	struct sp_foreign_sums foreign_base;	/* and what the CPU had then; */
	struct sp_foreign_sums foreign;	/* once it is over: since then */
	struct sp_foreign_rest rest;
	struct sp_fates fates;
	u64 unbooked;		/* switches of tasks that are no threads here: no ledger */
	u64 refused_events;	/* that the trace did not take */
	u64 lost_blame;		/* shares of waits without room, and switches of whom to blame */
	u64 pieces;		/* of intervals, beyond the one of each that has its fate, and */
	u64 lost_pieces;	/* of what was missed; of these, without room for stacks or rows */
	u64 cut_wakers;		/* wakeups here of which the waker's program had no room */
	u64 calls;		/* of functions, that ended or were not wanted */
	u64 call_ns;		/* spent on them by us, extrapolated from samples */
	u32 call_sample;	/* calls until the next sample */
	struct sp_histogram histogram;
	struct sp_sum lost;	/* time of tasks that found no room among threads */
	/* Stacks that were taken inside the time without a switch that began then, if any. */
	u64 inside_since;
	u64 inside_begin;	/* ns; since when the recording watches the task */
	u32 inside_exec;	/* which program the task ran */
	u32 inside_thread;
	u32 inside_kernel;
	u32 inside_user;
};

/*
 * Up to when the time of a task on a CPU was added where it was seen there: since it came in,
 * if that is later. Also when it was let in while it was on one, and, in mode wall, up to when
 * all of its time was added. Written by the CPU that it is on, with interrupts off; no two share
 * a line.
 */
struct sp_sampled {
	u64 at;			/* ns; READ_ONCE */
	u32 kernel, user;	/* where it was then: numbers of stacks, READ_ONCE, */
	u32 exec_id;		/* and which program it ran; READ_ONCE */
	u64 foreign;		/* what interrupts had since it came in; in the unit of the clock */
} ____cacheline_aligned;

/*
 * All that is recorded from one start to the next. Readers hold a reference
 * and may outlive the session. What hooks read at each switch comes first, and nothing that
 * is written while it is live shares its cache lines.
 */
struct sp_recording {
	/* Of hooks. */
	struct sp_recording_cpu __percpu *cpu;
	u64 min, range;		/* of lengths, as the filter has them; READ_ONCE */
	u64 too_short;		/* below that; what else is not recorded is too long; READ_ONCE */
	const struct sp_mode *mode;	/* what it was made with */
	int bit;		/* in sp_task.match; -1 while not live */
	bool more;		/* a switch takes more than adding what it was off the CPU, */
	bool asks;		/* and the waker, or the books, may not be as expected */
	bool settled;		/* live on all CPUs, and not being stopped; READ_ONCE */
	bool closing;		/* it is being stopped, and what is open is kept; READ_ONCE */
	struct sp_ledger *ledger;	/* by thread; NULL unless wanted */
	u32 *wakers;		/* stacks, by task clock; NULL unless wanted */
	struct sp_sampled *sampled;	/* the same; of modes that sample stacks */
	struct sp_blamed *blamed;	/* by thread; the same; record/blame.h */
	u32 unseen_waker;	/* stack of whoever woke a task before this saw it, or nobody */
	/* Stacks of wakers whose program the worker shall look at; NULL unless wanted. */
	unsigned long *new_wakers;
	unsigned long *taken_wakers;	/* what was taken from there, and */
	unsigned long *busy_wakers;	/* what of that could not be looked at; looking */
	struct sp_functions *functions;	/* reference; NULL unless wanted */
	const struct sp_filter *filter;	/* the session's; while live only */
	u32 filter_gen;		/* since when it is as it is, or hooks see it; READ_ONCE */
	struct sp_moment begin;	/* immutable while live */
	struct sp_config config;	/* what it was made with */
	u64 *also;		/* for struct sp_also; given out, never taken back */
	u32 also_words;
	struct sp_stack_table stacks;
	struct sp_tally tally;
	struct sp_tally blame;	/* rows by thread and culprit, if there are blamed */
	struct sp_threads threads;
	struct sp_events events;	/* the trace, if it has one */

	/* What is written seldom, or by readers and the worker. */
	struct sp_moment end ____cacheline_aligned_in_smp;
				/* all 0 until it is being stopped; of readers */
	struct sp_cgroups cgroups;	/* of threads; asked when a row is new */
	struct kref kref;
	atomic_t also_used;
	struct irq_work kick;	/* from a hook: there is work */
	bool kicked;		/* and the worker has not begun; READ_ONCE */
	u64 taken_at;		/* ns, mono: when looks were taken last; looking */
	u64 eager_until;	/* the same: until when somebody waits for them; looking */
	unsigned long busy_until;	/* jiffies: till then, what was busy is; of the worker */
	struct delayed_work work;	/* mappings and compacting, process context */
	char name[64];		/* of the session, cut if it is longer */
	u64 begin_at;		/* begin.ns, by its own clock */
	struct sp_moment told;	/* for readers' moments, see sp_recording_tell(); under reading */
	u64 bytes;		/* memory held */
	/* While it is closing: tasks whose last interval was handed on, by clock; atomic. */
	unsigned long *claimed;
	atomic64_t last;	/* see sp_recording_closes() */
	const struct sp_function_ops *function_ops;
	u64 epoch;		/* of functions: counts the session's recordings */
	struct sp_ledger_snapshot *ledgers;	/* once it has ended; under reading */
	bool dropped;		/* ended, without what was open then; under reading; READ_ONCE */
	struct sp_mappings mappings;
	struct mutex reading;	/* a reader's view against compacting and the end */
	struct mutex looking;	/* at mappings of a thread, against giving it back */
	atomic_t views;		/* with numbers of programs; counted up under reading */
	struct sp_sum unplaced;	/* compacted, but no entry was free; under reading */
	u64 unplaced_blame;	/* pieces of waits that no row was free for then, and waits of
				 * which a reader's rows did not close; under reading
				 */
	u32 kept;		/* threads that are over, and were not compacted; READ_ONCE */
	unsigned long compacted;	/* jiffies; the last time; READ_ONCE */
	unsigned long rests_until;	/* jiffies: not once more before; READ_ONCE */
};

/*
 * Readers tell moments by the kernel's clocks, as far as these are known to have gone
 * another way than ours. What one of them told the next one tells, too, as long as it is right
 * to the microsecond. Context: under its reading mutex.
 */
static inline const struct sp_moment *sp_recording_tell(struct sp_recording *recording,
							const struct sp_moment *now)
{
	if (!recording->told.ns)
		recording->told = recording->begin;
	if (recording->end.ns)
		now = &recording->end;
	if (!sp_moment_agrees(now, &recording->begin, &recording->told))
		recording->told = *now;
	return &recording->told;
}

/* It begins now. */
static inline void sp_recording_begins(struct sp_recording *recording)
{
	sp_moment_read(&recording->begin);
	recording->begin_at = sp_time_by(recording->config.clock, recording->begin.ns);
}

/* When it began, by its own clock. */
static inline u64 sp_recording_begin(const struct sp_recording *recording)
{
	return recording->begin_at;
}

/* When it ended, by its own clock; 0 until it is being stopped. */
static inline u64 sp_recording_end(const struct sp_recording *recording)
{
	u64 ns = READ_ONCE(recording->end.ns);

	return ns ? sp_time_by(recording->config.clock, ns) : 0;
}

/* Has it ended? Under its reading mutex, or when it does not matter. */
static inline bool sp_recording_over(const struct sp_recording *recording)
{
	return READ_ONCE(recording->end.ns);
}

/* What tells the parts of a task's time apart, in kernel stacks of a recording of all of it. */
static inline u16 sp_recording_mark(const struct sp_recording *recording, enum sp_time part)
{
	if (recording->mode->time != SP_TIME_WALL || part == SP_TIME_BLOCKED)
		return 0;
	return part == SP_TIME_ON_CPU ? SP_STACK_ON_CPU : SP_STACK_QUEUED;
}

/* Another reference. Context: any; the caller has one, or keeps it from going away. */
static inline struct sp_recording *sp_recording_get(struct sp_recording *recording)
{
	kref_get(&recording->kref);
	return recording;
}

/**
 * sp_recording_claim() - hand on the last interval of a task, if nobody has
 * @recording: one that is being stopped
 * @slot: place of the task's clock
 *
 * Context: any, also a hook.
 * Return: false if it was handed on.
 */
static inline bool sp_recording_claim(struct sp_recording *recording, u32 slot)
{
	return !test_and_set_bit(slot, recording->claimed);
}

/* In sp_recording.last: it is the end; */
#define SP_LAST_IS_END	1
/* what is open then is being looked for. */
#define SP_LAST_IS_OVER	2
#define SP_LAST_SHIFT	2

/**
 * sp_recording_closes() - until when does a hook hand on what its task did?
 * @recording: one that is being stopped
 * @now: ns; what the hook's clock said
 * @until: filled; ns: @now, or the end, if that is before, or nothing else is to be told
 *
 * Until when hooks have handed on, as far as they have told, is one word, and so is the end. So
 * there is no moment in which a hook hands on what is behind an end that it does not see, for
 * however long a CPU stops there. Once all clocks should be behind the end, and hooks that read
 * theirs before are over, a hook whose clock is not is taken to be at the end, and hands on
 * only what nobody else does. All CPUs write that word, but only from when the first of them
 * stops until the end is there.
 *
 * Context: a hook.
 * Return: is it the last time of that task, which has to be claimed?
 */
static inline bool sp_recording_closes(struct sp_recording *recording, u64 now, u64 *until)
{
	s64 last;

	/* Since the hook looked at its clock. */
	sp_window();
	last = atomic64_read(&recording->last);
	*until = now;
	while (!(last & SP_LAST_IS_END)) {
		if ((u64)last >> SP_LAST_SHIFT >= now ||
		    atomic64_try_cmpxchg(&recording->last, &last, (s64)(now << SP_LAST_SHIFT)))
			return false;
	}
	*until = (u64)last >> SP_LAST_SHIFT;
	if (*until < now || last & SP_LAST_IS_OVER)
		return true;
	*until = now;
	return false;
}

/**
 * sp_recording_end_now() - the end is there, and nothing is handed on behind it
 * @recording: one that is being stopped
 * @now: ns
 *
 * Return: ns; when it is: @now, or until when hooks have handed on.
 */
static inline u64 sp_recording_end_now(struct sp_recording *recording, u64 now)
{
	u64 until;

	sp_recording_closes(recording, now, &until);
	/* From now on it stays what it is. */
	return (u64)atomic64_fetch_or(SP_LAST_IS_END, &recording->last) >> SP_LAST_SHIFT;
}

/* For how long it was or is live. */
static inline u64 sp_recording_ns(const struct sp_recording *recording)
{
	return sp_time_between(recording->begin.ns, recording->end.ns ?: sp_time_now());
}

/* Is no more than a quarter left of what it makes room in? */
static inline bool sp_recording_is_crowded(const struct sp_recording *recording)
{
	return sp_threads_crowded(&recording->threads) ||
	       (recording->blamed && sp_tally_crowded(&recording->blame));
}

/* Is nothing left of it? Who comes now is lost. */
static inline bool sp_recording_is_full(const struct sp_recording *recording)
{
	return sp_threads_count(&recording->threads) == recording->threads.pool.max ||
	       (recording->blamed &&
		sp_pool_count(&recording->blame.pool) == recording->blame.pool.max);
}

/**
 * sp_recording_wants_room() - is it time to compact it?
 * @recording: a recording
 *
 * Context: any, also a hook.
 */
static inline bool sp_recording_wants_room(const struct sp_recording *recording)
{
	u32 over = atomic_read(&recording->threads.over_count);
	unsigned long wait;

	if (!over || !sp_recording_is_crowded(recording) || sp_recording_over(recording) ||
	    time_before(jiffies, READ_ONCE(recording->rests_until)))
		return false;
	/*
	 * Asking without effect would never end: the worker's own switches ask, too. Who was
	 * kept may be let go some time. And all threads are gone over for those that are over, so
	 * where most are alive, a few wait for a while.
	 */
	wait = sp_recording_is_full(recording) ? HZ / 8 : HZ;
	return over > READ_ONCE(recording->kept) + sp_threads_count(&recording->threads) / 64 ||
	       time_is_before_jiffies(READ_ONCE(recording->compacted) + wait);
}

/*
 * Ask the worker to look, unless it was asked and has not begun. irq_work_queue()
 * sends this CPU an interrupt, which is taken once the hook is over; it wakes
 * nothing here. But what it wakes then may be an instrumented function, which
 * would ask again, and again. A CPU that goes offline looks for such work before its last
 * switch, and takes no interrupts any more: whoever asks next, elsewhere, asks for this, too.
 */
static inline void sp_recording_kick(struct sp_recording *recording)
{
	if (READ_ONCE(recording->kicked) || unlikely(!cpu_active(raw_smp_processor_id())))
		return;
	WRITE_ONCE(recording->kicked, true);
	irq_work_queue(&recording->kick);
}

#endif

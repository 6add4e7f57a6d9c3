// SPDX-License-Identifier: GPL-2.0-only
/*
 * compact: make room for new tasks in a recording that ran full of dead ones.
 *
 * What exited tasks spent is added up per kernel stack under the thread [exited];
 * their own places and entries become free. Runs in the recording's worker, and in readers
 * that are about to open a view, never beside a view (the reading mutex). Hooks that walk a chain
 * over an entry while it is taken out go on correctly, and nobody uses the
 * entry again before a grace period. Programs that nobody is left of are given back, too,
 * unless a view may name one.
 */
#include <linux/jiffies.h>

#include "lib/export.h"
#include "lib/memory.h"
#include "record/blame.h"
#include "record/recording.h"
#include "lib/widen.h"
#include "record/compact.h"

/*
 * For each that was looked at, which takes a tenth of that at most. Those who live may keep a
 * recording crowded, and others come and go all the time: that is up to other users.
 */
#define REST_NS 2000

/* What it needs, by thread, entry, row of blame and program. */
struct marks {
	unsigned long *threads_over, *entries, *rows, *programs;
	struct sp_blame_gone *gone;
};

static u32 mark_threads(struct sp_threads *threads, unsigned long *threads_over)
{
	u32 number, count = 0, end = sp_threads_end(threads);

	for (number = SP_THREAD_FIRST; number < end; number++) {
		cond_resched();
		/* Pairs with end_thread_locked() in record/threads.c. */
		if (!smp_load_acquire(&threads->list[number].over))
			continue;
		set_bit(number, threads_over);
		count++;
	}
	return count;
}

static void merge_figures(struct sp_tally *tally, u32 kernel, const struct sp_sum *sum,
			  struct sp_sum *unplaced)
{
	struct sp_key key = {
		.thread = SP_THREAD_EXITED, .kernel = kernel,
		.user = kernel == SP_STACK_LOST ? SP_STACK_LOST : 0,
	};
	struct sp_entry *to = sp_tally_put(tally, &key);

	if (to)
		sp_tally_merge(tally, to, sum);
	else
		sp_sum_merge(unplaced, sum);
}

static void merge_entries(struct sp_tally *tally, const unsigned long *threads_over,
			  unsigned long *entries, struct sp_sum *unplaced)
{
	u32 i, used = sp_pool_end(&tally->pool);

	for (i = 0; i < used; i++) {
		struct sp_entry *entry = &tally->entries[i];
		struct sp_key key;
		struct sp_sum sum;

		cond_resched();
		/*
		 * A hook may just now give the entry to a task that lives: figures
		 * and key are believed only as one.
		 */
		if (!sp_tally_read(tally, entry, &key, &sum) || key.thread == SP_THREAD_EXITED ||
		    !test_bit(key.thread, threads_over))
			continue;
		sp_window();
		merge_figures(tally, key.kernel, &sum, unplaced);
		sp_tally_remove(tally, entry);
		set_bit(i, entries);
	}
}

static void recycle_all(struct sp_tally *tally, const unsigned long *entries)
{
	u32 number;

	for_each_set_bit(number, entries, tally->pool.max) {
		sp_tally_recycle(tally, &tally->entries[number]);
		cond_resched();
	}
}

static void recycle_threads(struct sp_recording *recording, const unsigned long *threads_over)
{
	u32 number;

	/*
	 * Nobody looks at the mappings of a thread that is given back. One wait for all:
	 * whoever looks may take long, at programs of other users.
	 */
	mutex_lock(&recording->looking);
	for_each_set_bit(number, threads_over, recording->threads.pool.max + SP_THREAD_FIRST) {
		cond_resched();
		clear_bit(number, recording->threads.wanted);
		__clear_bit(number, recording->threads.taken);
		__clear_bit(number, recording->threads.busy);
		if (recording->ledger) {
			sp_ledger_merge_other(&recording->ledger[SP_THREAD_EXITED],
					      &recording->ledger[number]);
			memset(&recording->ledger[number], 0,
			       sizeof(*recording->ledger));
		}
		sp_threads_free(&recording->threads, number);
	}
	mutex_unlock(&recording->looking);
}

/* Stacks of wakers stay, and name their programs. Nothing in the table is ever freed. */
static void need_wakers(struct sp_recording *recording, unsigned long *needed)
{
	const struct sp_stack_table *stacks = &recording->stacks;
	const struct sp_waker *waker;
	const struct sp_stack *stack;
	u32 chain;

	for (chain = 0; chain <= stacks->mask; chain++) {
		hlist_for_each_entry_rcu(stack, &stacks->heads[chain], node, true) {
			if (!(stack->flags & SP_STACK_WAKER))
				continue;
			waker = sp_stack_waker(stack);
			if (waker->user != SP_STACK_NONE)
				__set_bit(sp_mappings_find(&recording->mappings, waker->tgid,
							   waker->exec_id, waker->start_time),
					  needed);
		}
		cond_resched();
	}
}

/* Of those that are there. Whoever has no number yet may be about to be looked at. */
static void need_threads(struct sp_recording *recording, unsigned long *needed)
{
	struct sp_threads *threads = &recording->threads;
	u32 number, program, end = sp_threads_end(threads);
	const struct sp_thread *thread;
	u64 serial;

	lockdep_assert_held(&recording->looking);
	for (number = SP_THREAD_FIRST; number < end; number++) {
		thread = &threads->list[number];
		serial = READ_ONCE(thread->serial);
		/* One that is free, or is being made, has asked for nothing. */
		if (!serial || serial == U64_MAX)
			continue;
		program = READ_ONCE(thread->who.program);
		if (!program)
			program = sp_mappings_find(&recording->mappings, thread->who.tgid,
						   thread->exec_id, thread->who.start_time);
		__set_bit(program, needed);
		cond_resched();
	}
}

/*
 * Events name their programs as long as they are there, so a recording with a trace keeps all.
 * Under the reading mutex no view begins.
 */
static void forget_programs_locked(struct sp_recording *recording, unsigned long *needed)
{
	lockdep_assert_held(&recording->reading);
	if (!needed || recording->events.ring || atomic_read(&recording->views))
		return;
	/* Whoever looks gives numbers. */
	mutex_lock(&recording->looking);
	need_threads(recording, needed);
	if (recording->new_wakers)
		need_wakers(recording, needed);
	sp_mappings_forget(&recording->mappings, needed);
	mutex_unlock(&recording->looking);
}

static unsigned long *bits_for(const struct sp_tally *tally)
{
	return sp_alloc(BITS_TO_LONGS(tally->pool.max) * sizeof(long));
}

/* Without memory there is no more room: what finds none is counted. */
static bool take_marks(const struct sp_recording *recording, struct marks *marks)
{
	u32 max_threads = recording->threads.pool.max + SP_THREAD_FIRST;

	marks->threads_over = sp_alloc(BITS_TO_LONGS(max_threads) * sizeof(long));
	marks->entries = bits_for(&recording->tally);
	/* Without memory for these, they are kept once more. */
	marks->programs = sp_alloc(BITS_TO_LONGS(recording->mappings.max_programs + 1UL) *
				   sizeof(long));
	if (recording->blamed) {
		marks->rows = bits_for(&recording->blame);
		marks->gone = sp_alloc(struct_size(marks->gone, who, max_threads));
	}
	return marks->threads_over && marks->entries &&
	       (!recording->blamed || (marks->rows && marks->gone));
}

/*
 * Jiffies. For one that is not crowded any more that makes no difference: it is not asked for
 * before as many have come. Where many are over by now, it is those that keep it crowded.
 */
static unsigned long rest_after(const struct sp_recording *recording, u32 kept)
{
	u32 over = atomic_read(&recording->threads.over_count);
	u64 looked_at = sp_threads_end(&recording->threads) +
			sp_pool_end(&recording->tally.pool);

	if (!sp_recording_is_crowded(recording) ||
	    over > kept + sp_threads_count(&recording->threads) / 4)
		return 0;
	if (recording->blamed)
		looked_at += sp_pool_end(&recording->blame.pool);
	if (recording->new_wakers)
		looked_at += recording->stacks.mask + 1 +
			     sp_stack_table_count(&recording->stacks);
	return nsecs_to_jiffies(looked_at * REST_NS);
}

static void compact_locked(struct sp_recording *recording, const struct marks *marks)
{
	struct sp_sum unplaced = { };
	u32 kept = 0;

	lockdep_assert_held(&recording->reading);
	/* Nobody comes for whom there should be room, and whoever reads it again finds the same. */
	if (sp_recording_over(recording) ||
	    !mark_threads(&recording->threads, marks->threads_over))
		return;
	if (recording->blamed) {
		sp_blame_find_gone(recording, marks->threads_over, marks->gone);
		synchronize_rcu();
		/* Before anything of those is merged that are to stay. */
		kept = sp_blame_keep(recording, marks->threads_over, marks->gone);
		sp_blame_compact(recording, marks->threads_over, marks->gone, marks->rows);
	}
	merge_entries(&recording->tally, marks->threads_over, marks->entries, &unplaced);
	synchronize_rcu();
	recycle_all(&recording->tally, marks->entries);
	if (recording->blamed)
		recycle_all(&recording->blame, marks->rows);
	recycle_threads(recording, marks->threads_over);
	forget_programs_locked(recording, marks->programs);
	WRITE_ONCE(recording->kept, kept);
	WRITE_ONCE(recording->compacted, jiffies);
	WRITE_ONCE(recording->rests_until, jiffies + rest_after(recording, kept));
	sp_sum_merge(&recording->unplaced, &unplaced);
}

/**
 * sp_compact() - give the places of exited tasks back
 * @recording: a recording
 *
 * Context: the recording's worker, or a reader; sleeps.
 */
void sp_compact(struct sp_recording *recording)
{
	struct marks marks = { };

	if (take_marks(recording, &marks)) {
		mutex_lock(&recording->reading);
		compact_locked(recording, &marks);
		mutex_unlock(&recording->reading);
	} else {
		/* Its own switches would ask again at once, for as long as memory is short. */
		WRITE_ONCE(recording->kept, atomic_read(&recording->threads.over_count));
		WRITE_ONCE(recording->compacted, jiffies);
	}
	vfree(marks.threads_over);
	vfree(marks.entries);
	vfree(marks.rows);
	vfree(marks.programs);
	vfree(marks.gone);
}
SP_EXPORT_FOR_KUNIT(sp_compact);

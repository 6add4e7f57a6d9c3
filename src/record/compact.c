// SPDX-License-Identifier: GPL-2.0-only
/*
 * compact: make room for new tasks in a recording that ran full of dead ones.
 *
 * What exited tasks spent is added up per kernel stack in the row [exited];
 * their own rows and entries become free. Runs in the recording's worker,
 * never beside a reader's view (the reading mutex). Hooks that walk a chain
 * over an entry while it is taken out go on correctly, and nobody uses the
 * entry again before a grace period.
 */
#include <linux/pid.h>

#include "lib/memory.h"
#include "record/recording.h"
#include "lib/widen.h"
#include "record/compact.h"

/**
 * sp_compact_wanted() - is it time to fold?
 * @recording: a recording
 *
 * Context: any, also a hook.
 */
bool sp_compact_wanted(const struct sp_recording *recording)
{
	const struct sp_threads *roster = &recording->roster;
	u32 room = roster->max - sp_threads_count(roster);

	/* Asking in vain would never end: the worker's own switches ask, too. */
	return READ_ONCE(roster->over_count) && room <= roster->max / 4;
}

/* Some of these: rows that are over, or entries that were removed. */
static bool marked(const unsigned long *marks, u32 number)
{
	return test_bit(number, marks);
}

static u32 mark_rows(struct sp_threads *roster, unsigned long *rows)
{
	u32 number, count = 0, end = sp_threads_end(roster);

	for (number = SP_THREAD_FIRST; number < end; number++) {
		cond_resched();
		/* Pairs with end_row_locked() in record/threads.c. */
		if (!smp_load_acquire(&roster->rows[number].over))
			continue;
		set_bit(number, rows);
		count++;
	}
	return count;
}

static void fold_figures(struct sp_tally *tally, u32 kernel, const struct sp_sum *sum,
			 struct sp_sum *unplaced)
{
	struct sp_key key = {
		.row = SP_THREAD_EXITED, .kernel = kernel,
		.user = kernel == SP_STACK_LOST ? SP_STACK_LOST : 0,
	};
	struct sp_entry *to = sp_tally_put(tally, &key);

	if (to)
		sp_tally_merge(to, sum);
	else
		sp_sum_merge(unplaced, sum);
}

static void fold_entries(struct sp_tally *tally, const unsigned long *rows,
			 unsigned long *entries, struct sp_sum *unplaced)
{
	u32 i, used = READ_ONCE(tally->used);

	for (i = 0; i < used; i++) {
		struct sp_entry *entry = &tally->entries[i];
		struct sp_key key;
		struct sp_sum sum;

		cond_resched();
		/*
		 * A hook may just now give the entry to a task that lives: figures
		 * and key are believed only as one.
		 */
		if (!sp_tally_read(entry, &key, &sum) || key.row == SP_THREAD_EXITED ||
		    !marked(rows, key.row))
			continue;
		sp_window();
		fold_figures(tally, key.kernel, &sum, unplaced);
		sp_tally_remove(tally, entry);
		set_bit(i, entries);
	}
}

static void recycle(struct sp_recording *recording, const unsigned long *rows,
		    const unsigned long *entries)
{
	u32 number;

	for_each_set_bit(number, entries, recording->tally.max) {
		sp_tally_recycle(&recording->tally,
				 &recording->tally.entries[number]);
		cond_resched();
	}
	for_each_set_bit(number, rows, recording->roster.max + SP_THREAD_FIRST) {
		cond_resched();
		clear_bit(number, recording->roster.wanted);
		if (recording->ledger) {
			sp_ledger_merge_other(&recording->ledger[SP_THREAD_EXITED],
					      &recording->ledger[number]);
			memset(&recording->ledger[number], 0,
			       sizeof(*recording->ledger));
		}
		put_pid(sp_threads_free(&recording->roster, number));
	}
}

/**
 * sp_compact() - fold the rows of exited tasks
 * @recording: a recording
 *
 * Context: the recording's worker; sleeps.
 */
void sp_compact(struct sp_recording *recording)
{
	u32 max_rows = recording->roster.max + SP_THREAD_FIRST;
	unsigned long *rows, *entries;
	struct sp_sum unplaced = { };

	rows = sp_alloc(BITS_TO_LONGS(max_rows) * sizeof(long));
	entries = sp_alloc(BITS_TO_LONGS(recording->tally.max) * sizeof(long));
	/* Without memory nothing is folded: rows that are needed are counted. */
	if (!rows || !entries)
		goto out;
	mutex_lock(&recording->reading);
	if (mark_rows(&recording->roster, rows)) {
		fold_entries(&recording->tally, rows, entries, &unplaced);
		synchronize_rcu();
		recycle(recording, rows, entries);
		sp_sum_merge(&recording->unplaced, &unplaced);
	}
	mutex_unlock(&recording->reading);
out:
	vfree(rows);
	vfree(entries);
}

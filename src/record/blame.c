// SPDX-License-Identifier: GPL-2.0-only
/*
 * blame: rows of who ran while a task waited for a CPU.
 *
 * A culprit is a serial of the table of task clocks, which stays its own when it is gone and
 * another task has its place. Who that was is known by the thread with that serial: while a
 * recording has blame, each task that is switched becomes a thread of it, wanted or not.
 *
 * Rows of a waiter are linked, so that a reader finds them beside the waiter's books. Only the
 * CPU that switches the waiter puts one in front. Compacting takes rows out whose culprits are
 * gone, but never the first one of a waiter that lives: so the two write different words.
 * Whose row has to stay keeps its thread, too, until a later round.
 */
#include <linux/bsearch.h>
#include <linux/cpu.h>
#include <linux/sort.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/memory.h"
#include "lib/readers.h"
#include "lib/widen.h"
#include "record/blame.h"

static u64 blamed_bytes(const struct sp_config *config)
{
	return (config->max_tasks + SP_THREAD_FIRST) * sizeof(struct sp_blamed);
}

/**
 * sp_blame_bytes() - memory that it will take
 * @config: of a recording
 */
u64 sp_blame_bytes(const struct sp_config *config)
{
	if (!config->blame)
		return 0;
	return blamed_bytes(config) + sp_tally_bytes(config->max_entries, false);
}

/**
 * sp_blame_init() - room for as many rows as there are entries, if they are asked for
 * @recording: being made
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM; sp_blame_destroy() in both cases.
 */
int sp_blame_init(struct sp_recording *recording)
{
	if (!recording->config.blame)
		return 0;
	recording->blamed = sp_alloc(blamed_bytes(&recording->config));
	return recording->blamed ? sp_tally_init(&recording->blame, recording->config.max_entries,
						 false) : -ENOMEM;
}
SP_EXPORT_FOR_KUNIT(sp_blame_init);

/* Nobody uses it any more. */
void sp_blame_destroy(struct sp_recording *recording)
{
	if (recording->blamed)
		sp_tally_destroy(&recording->blame);
	vfree(recording->blamed);
}
SP_EXPORT_FOR_KUNIT(sp_blame_destroy);

static struct sp_key key_of(u32 number, u64 who)
{
	return (struct sp_key) { .thread = number, .kernel = (u32)who, .user = who >> 32 };
}

/* NULL: there is no room. */
static noinline struct sp_entry *find_row(struct sp_recording *recording, u32 number, u64 who)
{
	struct sp_blamed *blamed = &recording->blamed[number];
	struct sp_key key = key_of(number, who);
	struct sp_entry *row = sp_tally_put(&recording->blame, &key);

	if (!row)
		return NULL;
	/* It is new. */
	if (!row->count) {
		row->other = blamed->rows;
		/* Readers that see it see what follows. */
		smp_store_release(&blamed->rows, row);
	}
	/* The one before may be another thread's by now: then this is a wrong guess there. */
	if (blamed->last)
		WRITE_ONCE(blamed->last->follow.next, row);
	return row;
}

/*
 * Is that the row? One that was merged, and perhaps is another thread's now, has another key:
 * nobody is blamed any more who was, and threads are given away after their rows. The key of one
 * that is being filled just now may be a part of each.
 */
static __always_inline bool is_row(const struct sp_entry *row, u32 number, u64 who)
{
	unsigned int sequence;

	if (!row)
		return false;
	sequence = READ_ONCE(row->seq.sequence);
	/* Both pair with sp_tally_put(), which fills the key under the row's sequence count. */
	smp_rmb();
	if (row->key.thread != number || row->key.kernel != (u32)who ||
	    row->key.user != who >> 32)
		return false;
	sp_window();
	/* As above. */
	smp_rmb();
	return !(sequence & 1) && READ_ONCE(row->seq.sequence) == sequence;
}

/**
 * sp_blame_wait() - a task comes in that waited
 * @recording: a live recording with blame
 * @number: of the task's thread
 * @walk: from sp_blame_walk()
 * @length: what its books have as the wait, not 0
 *
 * Context: a hook on the CPU that switches the task.
 */
void sp_blame_wait(struct sp_recording *recording, u32 number, struct sp_run_walk *walk,
		   u64 length)
{
	struct sp_blamed *blamed = &recording->blamed[number];
	unsigned int here = raw_smp_processor_id();
	struct sp_share share;
	struct sp_entry *row;
	u64 left = length;

	while (sp_blame_next(recording, walk, &left, &share, &length)) {
		row = blamed->last ? READ_ONCE(blamed->last->follow.next) : NULL;
		if (unlikely(!is_row(row, number, share.who)))
			row = find_row(recording, number, share.who);
		if (unlikely(!row)) {
			sp_sum_add(&blamed->lost, length, share.to, here);
			this_cpu_ptr(recording->cpu)->lost_blame++;
			/* Rows of those that are gone can make room. */
			if (sp_recording_wants_room(recording))
				sp_recording_kick(recording);
			continue;
		}
		sp_tally_add(row, length, share.to, here);
		blamed->last = row;
	}
}
SP_EXPORT_FOR_KUNIT(sp_blame_wait);

/* Has the task ended? Else another program's thread is in its place. */
static bool has_ended(const struct sp_threads *threads, u32 number)
{
	const struct sp_thread *thread = &threads->list[number];
	u32 now = READ_ONCE(threads->of_slot[thread->slot]);

	return now == number || threads->list[now].serial != thread->serial;
}

/* The lowest bit is set of those that are kept; they stay in order. */
#define KEPT	1ULL

static int by_serial(const void *a, const void *b)
{
	sp_readers_yield();
	return cmp_int(*(const u64 *)a >> 1, *(const u64 *)b >> 1);
}

static u64 *find_gone(const struct sp_blame_gone *gone, u64 who)
{
	who <<= 1;
	return bsearch(&who, gone->who, gone->count, sizeof(who), by_serial);
}

static void keep(const struct sp_blame_gone *gone, u64 who)
{
	u64 *found = find_gone(gone, who);

	if (found)
		*found |= KEPT;
}

static bool is_kept(const struct sp_blame_gone *gone, u64 who)
{
	const u64 *found = find_gone(gone, who);

	return found && *found & KEPT;
}

/* Several threads may be of one task that is gone. */
static void sort_gone(struct sp_blame_gone *gone)
{
	u32 i, n = 0;

	sort(gone->who, gone->count, sizeof(u64), by_serial, NULL);
	for (i = 0; i < gone->count; i++)
		if (!n || gone->who[n - 1] != gone->who[i])
			gone->who[n++] = gone->who[i];
	gone->count = n;
}

/* They may be blamed once more. A CPU that is off has nothing to tell when it is back. */
static void keep_those_in_rings(const struct sp_blame_gone *gone)
{
	struct sp_run_ring *ring;
	int cpu;
	u32 i;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		ring = &per_cpu_ptr(sp_cpu, cpu)->ring;
		if (!cpu_online(cpu))
			sp_run_ring_clear(ring);
		for (i = 0; i < SP_RUNS; i++)
			keep(gone, READ_ONCE(ring->run[i].who));
	}
	cpus_read_unlock();
}

/**
 * sp_blame_find_gone() - who will never be blamed again
 * @recording: a recording with blame; the caller holds its reading mutex
 * @over: by thread; those that are over
 * @gone: room for as many; filled. Those that have ended; of these, who is in a ring is kept
 *
 * A ring gets nobody in who has ended. Whoever looked into one before it lost them is done
 * after a grace period.
 *
 * Context: process, may sleep.
 */
void sp_blame_find_gone(struct sp_recording *recording, const unsigned long *over,
			struct sp_blame_gone *gone)
{
	const struct sp_threads *threads = &recording->threads;
	u32 number, max = threads->pool.max + SP_THREAD_FIRST;

	gone->count = 0;
	for_each_set_bit(number, over, max) {
		cond_resched();
		if (has_ended(threads, number))
			gone->who[gone->count++] = threads->list[number].serial << 1;
	}
	sort_gone(gone);
	keep_those_in_rings(gone);
}

/* May a hook put a row in front? */
static bool may_wait(const struct sp_recording *recording, u32 number)
{
	if (number < SP_THREAD_FIRST)
		return false;
	/* Pairs with end_thread_locked() in record/threads.c. */
	return !smp_load_acquire(&recording->threads.list[number].over);
}

static void keep_first_rows(const struct sp_recording *recording, const struct sp_blame_gone *gone)
{
	u32 number, end = sp_threads_end(&recording->threads);
	const struct sp_entry *first;

	for (number = SP_THREAD_FIRST; number < end; number++) {
		cond_resched();
		if (!may_wait(recording, number))
			continue;
		/* Pairs with find_row(). */
		first = smp_load_acquire(&recording->blamed[number].rows);
		if (first)
			keep(gone, sp_blame_who(&first->key));
	}
}

/**
 * sp_blame_keep() - whose rows cannot all be merged now keeps its thread
 * @recording: a recording with blame; the caller holds its reading mutex
 * @over: by thread; those that are over. Less those that are kept
 * @gone: what sp_blame_find_gone() found of these, a grace period ago. Less the same
 *
 * Else nobody would know any more whose a row is, and it would never be merged.
 *
 * Context: process, may sleep.
 * Return: threads that are kept.
 */
u32 sp_blame_keep(const struct sp_recording *recording, unsigned long *over,
		  struct sp_blame_gone *gone)
{
	u32 number, max = recording->threads.pool.max + SP_THREAD_FIRST, i, n = 0, kept = 0;

	keep_first_rows(recording, gone);
	for_each_set_bit(number, over, max) {
		cond_resched();
		if (!is_kept(gone, recording->threads.list[number].serial))
			continue;
		clear_bit(number, over);
		kept++;
	}
	for (i = 0; i < gone->count; i++)
		if (!(gone->who[i] & KEPT))
			gone->who[n++] = gone->who[i];
	gone->count = n;
	return kept;
}

/* A task that is gone waited for one that lives. NULL: there is no room. */
static struct sp_entry *exited_row(struct sp_recording *recording, u64 who)
{
	struct sp_blamed *exited = &recording->blamed[SP_THREAD_EXITED];
	struct sp_key key = key_of(SP_THREAD_EXITED, who);
	struct sp_entry *row = sp_tally_put(&recording->blame, &key);

	/* It is new, and no hook has that thread. */
	if (row && !row->count) {
		row->other = exited->rows;
		exited->rows = row;
	}
	return row;
}

static void remove_row(struct sp_recording *recording, struct sp_entry *row,
		       unsigned long *removed)
{
	sp_tally_remove(&recording->blame, row);
	set_bit(sp_tally_number(&recording->blame, row), removed);
}

/* One row of a waiter that is gone. */
static void merge_row(struct sp_recording *recording, u64 who, const struct sp_sum *sum,
		      const struct sp_blame_gone *gone)
{
	struct sp_blamed *exited = &recording->blamed[SP_THREAD_EXITED];
	struct sp_entry *to;

	if (find_gone(gone, who)) {
		sp_sum_merge(&exited->exited, sum);
		return;
	}
	to = exited_row(recording, who);
	if (to) {
		sp_tally_merge(&recording->blame, to, sum);
		return;
	}
	sp_sum_merge(&exited->lost, sum);
	recording->unplaced_blame += sum->count;
}

/* All of a waiter that is gone go to [exited]. */
static void merge_waiter(struct sp_recording *recording, u32 number,
			 const struct sp_blame_gone *gone, unsigned long *removed)
{
	struct sp_blamed *blamed = &recording->blamed[number];
	struct sp_blamed *exited = &recording->blamed[SP_THREAD_EXITED];
	struct sp_entry *row, *next;
	struct sp_key key;
	struct sp_sum sum;

	for (row = blamed->rows; row; row = next) {
		cond_resched();
		next = row->other;
		if (sp_tally_read(&recording->blame, row, &key, &sum))
			merge_row(recording, sp_blame_who(&key), &sum, gone);
		remove_row(recording, row, removed);
	}
	sp_sum_merge(&exited->exited, &blamed->exited);
	sp_sum_merge(&exited->lost, &blamed->lost);
	memset(blamed, 0, sizeof(*blamed));
}

/* Of one that stays those whose culprits are gone, but for what a hook may put one before. */
static void merge_culprits(struct sp_recording *recording, u32 number,
			   const struct sp_blame_gone *gone, unsigned long *removed)
{
	struct sp_blamed *blamed = &recording->blamed[number];
	bool waits = may_wait(recording, number);
	/* Pairs with find_row(). */
	struct sp_entry *row = smp_load_acquire(&blamed->rows), **link = &blamed->rows;
	struct sp_key key;
	struct sp_sum sum;

	if (row && waits) {
		link = &row->other;
		row = *link;
	}
	for (; row; row = *link) {
		cond_resched();
		if (!sp_tally_read(&recording->blame, row, &key, &sum) ||
		    !find_gone(gone, sp_blame_who(&key))) {
			link = &row->other;
			continue;
		}
		sp_sum_merge(&blamed->exited, &sum);
		*link = row->other;
		remove_row(recording, row, removed);
	}
}

/**
 * sp_blame_compact() - merge rows of tasks that are gone
 * @recording: a recording with blame; the caller holds its reading mutex
 * @over: by thread; those that are over, and will be given back
 * @gone: what sp_blame_keep() left
 * @removed: by row; set for those to be recycled after a grace period
 *
 * Context: process, may sleep.
 */
void sp_blame_compact(struct sp_recording *recording, const unsigned long *over,
		      const struct sp_blame_gone *gone, unsigned long *removed)
{
	u32 number, end = sp_threads_end(&recording->threads);

	for (number = SP_THREAD_EXITED; number < end; number++) {
		cond_resched();
		if (test_bit(number, over))
			merge_waiter(recording, number, gone, removed);
		else
			merge_culprits(recording, number, gone, removed);
	}
}

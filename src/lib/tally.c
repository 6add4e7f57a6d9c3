// SPDX-License-Identifier: GPL-2.0-only
/*
 * tally: totals per (thread, stacks), in a jhash table of fixed size.
 *
 * Look-up takes no lock: chains are RCU lists. Insertion and removal take the
 * raw spinlock of the chain's part of the table (lib/pool.h) with interrupts off; they
 * happen once per distinct key. The
 * figures of an entry have one writer at a time and are read under a sequence
 * count that the writer never waits for.
 *
 * Who goes over all entries meets such as were handed out, and are not filled yet, or not
 * for good: these have a count of 0, from before they were in the table to their first interval,
 * and an odd sequence count while their key is written. sp_tally_read() says that there is nothing.
 *
 * An entry that was removed may still be seen by a hook that is walking its
 * chain: it goes back to the pool with sp_tally_recycle() only after a
 * grace period.
 */
#include <linux/delay.h>
#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/rculist.h>

#include "lib/export.h"
#include "lib/limits.h"
#include "lib/lock.h"
#include "lib/longest.h"
#include "lib/memory.h"
#include "lib/tally.h"
#include "lib/widen.h"

/* A copy is retried so often: longer than a hook takes that gets on. */
#define READ_TRIES 1000
/* And after each of so many naps, about a second, for a hook whose CPU is stopped. */
#define READ_NAPS	5000
#define READ_NAP_MIN_US	100
#define READ_NAP_MAX_US	300

static size_t heads_bytes(u32 max)
{
	return roundup_pow_of_two(max) * sizeof(struct hlist_head);
}

/**
 * sp_tally_bytes() - memory that a table will take
 * @max: entries, 1 to SP_MAX_TABLE
 * @functions: their keys are of functions
 */
u64 sp_tally_bytes(u32 max, bool functions)
{
	return (u64)max * (sizeof(struct sp_entry) +
			   (functions ? sizeof(struct sp_inclusive) : 0)) +
	       heads_bytes(max) + sp_parts_bytes();
}
SP_EXPORT_FOR_KUNIT(sp_tally_bytes);

/**
 * sp_tally_init() - make an empty table
 * @tally: to be filled
 * @max: entries it can hold, 1 to SP_MAX_TABLE
 * @functions: their keys are of functions
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_tally_init(struct sp_tally *tally, u32 max, bool functions)
{
	memset(tally, 0, sizeof(*tally));
	tally->mask = roundup_pow_of_two(max) - 1;
	get_random_bytes(&tally->seed, sizeof(tally->seed));
	tally->heads = sp_alloc(heads_bytes(max));
	tally->entries = sp_alloc((size_t)max * sizeof(*tally->entries));
	if (functions)
		tally->inclusive = sp_alloc((size_t)max * sizeof(*tally->inclusive));
	if (sp_pool_init(&tally->pool, max, SP_POOL_OF(tally->entries, next_free)) ||
	    !tally->heads || !tally->entries || (functions && !tally->inclusive)) {
		sp_tally_destroy(tally);
		return -ENOMEM;
	}
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_tally_init);

/**
 * sp_tally_destroy() - give the memory back
 * @tally: no hook and no reader may use it any more
 *
 * Context: process, may sleep.
 */
void sp_tally_destroy(struct sp_tally *tally)
{
	sp_pool_destroy(&tally->pool);
	vfree(tally->heads);
	vfree(tally->entries);
	vfree(tally->inclusive);
	tally->heads = NULL;
	tally->entries = NULL;
	tally->inclusive = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_tally_destroy);

/* Which chain the key is in. */
static u32 chain_of(const struct sp_tally *tally, const struct sp_key *key)
{
	return jhash2((const u32 *)key, sizeof(*key) / sizeof(u32), tally->seed) & tally->mask;
}

static bool same_key(const struct sp_key *a, const struct sp_key *b)
{
	return a->thread == b->thread && a->kernel == b->kernel && a->user == b->user &&
	       a->waker == b->waker;
}

/* NULL and crowded: the chain is as long as anyone may walk. */
static struct sp_entry *find_entry(const struct sp_tally *tally, u32 chain,
				   const struct sp_key *key, bool *crowded)
{
	struct sp_entry *entry;
	unsigned int steps = 0;

	*crowded = false;
	hlist_for_each_entry_rcu(entry, &tally->heads[chain], node, true) {
		sp_longest_note(entries, steps + 1);
		if (same_key(&entry->key, key))
			return entry;
		sp_window();
		if (++steps == SP_MAX_CHAIN) {
			*crowded = true;
			break;
		}
	}
	return NULL;
}

/**
 * sp_tally_find() - look a key up
 * @tally: the table
 * @key: the key
 *
 * Context: any, also a hook; inside an RCU read side section or with
 * interrupts off. An entry that is removed meanwhile may still be returned.
 * Return: the entry or NULL.
 */
struct sp_entry *sp_tally_find(const struct sp_tally *tally,
			       const struct sp_key *key)
{
	bool crowded;

	return find_entry(tally, chain_of(tally, key), key, &crowded);
}
SP_EXPORT_FOR_KUNIT(sp_tally_find);

static struct sp_sum figures_of(const struct sp_tally *tally, const struct sp_entry *entry)
{
	struct sp_sum sum = {
		.total = entry->total, .count = entry->count, .max = entry->max,
		.max_at = entry->max_at, .max_cpu = entry->max_cpu,
	};

	if (tally->inclusive) {
		const struct sp_inclusive *of = &tally->inclusive[sp_tally_number(tally, entry)];

		sum.inclusive = of->total;
		sum.longest = of->longest;
	}
	return sum;
}

/* Under its count. */
static void set_figures(struct sp_tally *tally, struct sp_entry *entry, const struct sp_sum *sum)
{
	entry->total = sum->total;
	entry->count = sum->count;
	entry->max = sum->max;
	entry->max_at = sum->max_at;
	entry->max_cpu = sum->max_cpu;
	if (tally->inclusive)
		tally->inclusive[sp_tally_number(tally, entry)] = (struct sp_inclusive) {
			.total = sum->inclusive, .longest = sum->longest,
		};
}

static void fill_entry(struct sp_tally *tally, struct sp_entry *entry, const struct sp_key *key)
{
	raw_write_seqcount_begin(&entry->seq);
	entry->key = *key;
	set_figures(tally, entry, &(struct sp_sum) { });
	entry->follow = (struct sp_follow) { };
	entry->other = NULL;
	entry->learnt = 0;
	entry->rare = 0;
	raw_write_seqcount_end(&entry->seq);
}

/**
 * sp_tally_put() - find a key's entry, or make it
 * @tally: the table
 * @key: the key
 *
 * Two CPUs may want room for the same key, and one gives it back. Hooks do not: a key
 * names a task, which one CPU switches at a time.
 *
 * Context: any, also a hook: a raw spinlock is taken only for a new key that has room,
 * and nothing is called under it that could wake or wait.
 * Return: the entry, or NULL if the table or the key's chain is full.
 */
struct sp_entry *sp_tally_put(struct sp_tally *tally, const struct sp_key *key)
{
	u32 chain = chain_of(tally, key), at = chain % SP_PARTS, i;
	struct sp_part *part = &tally->pool.parts[at];
	unsigned long flags;
	bool crowded;
	struct sp_entry *entry = find_entry(tally, chain, key, &crowded);

	if (entry || crowded)
		return entry;
	i = sp_pool_take(&tally->pool, at);
	if (i == SP_POOL_NONE)
		return NULL;
	sp_window();
	sp_lock_irqsave(&part->lock, flags);
	entry = find_entry(tally, chain, key, &crowded);
	if (entry || crowded) {
		sp_pool_put_locked(&tally->pool, at, i);
	} else {
		entry = &tally->entries[i];
		fill_entry(tally, entry, key);
		hlist_add_head_rcu(&entry->node, &tally->heads[chain]);
	}
	sp_unlock_irqrestore(&part->lock, flags);
	return entry;
}
SP_EXPORT_FOR_KUNIT(sp_tally_put);

/* It keeps its key until it is handed out again. */
static u32 part_of(const struct sp_tally *tally, const struct sp_entry *entry)
{
	return chain_of(tally, &entry->key) % SP_PARTS;
}

/**
 * sp_tally_remove() - take an entry out of the table
 * @tally: the table
 * @entry: an entry that nobody writes any more
 *
 * The caller recycles it after a grace period.
 *
 * Context: process.
 */
void sp_tally_remove(struct sp_tally *tally, struct sp_entry *entry)
{
	struct sp_part *part = &tally->pool.parts[part_of(tally, entry)];
	unsigned long flags;

	sp_lock_irqsave(&part->lock, flags);
	hlist_del_init_rcu(&entry->node);
	raw_write_seqcount_begin(&entry->seq);
	set_figures(tally, entry, &(struct sp_sum) { });
	raw_write_seqcount_end(&entry->seq);
	sp_unlock_irqrestore(&part->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_tally_remove);

/**
 * sp_tally_recycle() - make a removed entry available again
 * @tally: the table
 * @entry: removed at least one grace period ago
 *
 * Context: process.
 */
void sp_tally_recycle(struct sp_tally *tally, struct sp_entry *entry)
{
	sp_pool_put(&tally->pool, part_of(tally, entry), sp_tally_number(tally, entry));
}
SP_EXPORT_FOR_KUNIT(sp_tally_recycle);

/**
 * sp_tally_count() - entries in use
 * @tally: the table
 */
u32 sp_tally_count(const struct sp_tally *tally)
{
	return sp_pool_count(&tally->pool);
}
SP_EXPORT_FOR_KUNIT(sp_tally_count);

/* Returns 1, 0 if there is nothing in it, or -EBUSY if whoever writes it does not get on. */
static int try_read(const struct sp_tally *tally, const struct sp_entry *entry,
		    struct sp_key *key, struct sp_sum *sum)
{
	unsigned long told = SP_NO_REPEAT;
	unsigned int tries;

	for (tries = 0; tries < READ_TRIES; tries++) {
		unsigned int seq = raw_read_seqcount(&entry->seq);

		*key = entry->key;
		sp_window();
		*sum = figures_of(tally, entry);
		if (!read_seqcount_retry(&entry->seq, seq) && !(seq & 1))
			return !!sum->count;
		sp_count_repeat(seq, &told);
		cpu_relax();
	}
	return -EBUSY;
}

/**
 * sp_tally_read() - a consistent copy of an entry
 * @tally: the table
 * @entry: any entry below the end of the pool
 * @key: filled with its key
 * @sum: filled with its figures
 *
 * Context: process. Pairs with sp_tally_add().
 * Return: false if there is nothing in it, or whoever writes it does not get on.
 */
bool sp_tally_read(const struct sp_tally *tally, const struct sp_entry *entry,
		   struct sp_key *key, struct sp_sum *sum)
{
	return try_read(tally, entry, key, sum) > 0;
}
SP_EXPORT_FOR_KUNIT(sp_tally_read);

/**
 * sp_tally_await() - the same, also if a hypervisor has stopped the CPU that writes it
 * @tally: the table
 * @entry: any entry below the end of the pool
 * @key: filled with its key
 * @sum: filled with its figures
 *
 * Context: process, may sleep.
 * Return: 1; 0: there is nothing in it; -EBUSY: it was stopped for about a second.
 */
int sp_tally_await(const struct sp_tally *tally, const struct sp_entry *entry,
		   struct sp_key *key, struct sp_sum *sum)
{
	unsigned int naps = READ_NAPS;
	int found;

	while ((found = try_read(tally, entry, key, sum)) < 0 && naps--)
		usleep_range(READ_NAP_MIN_US, READ_NAP_MAX_US);
	return found;
}
SP_EXPORT_FOR_KUNIT(sp_tally_await);

/**
 * sp_sum_add() - one more interval
 * @sum: the figures; the caller is their only writer
 * @length: its length
 * @at: when it ended
 * @cpu: where
 */
void sp_sum_add(struct sp_sum *sum, u64 length, u64 at, u32 cpu)
{
	const struct sp_sum one = {
		.total = length, .count = 1, .max = length, .max_at = at, .max_cpu = cpu,
	};

	sp_sum_merge(sum, &one);
}
SP_EXPORT_FOR_KUNIT(sp_sum_add);

/**
 * sp_sum_merge() - add the figures of one key to another's
 * @to: gains them
 * @from: read only
 */
void sp_sum_merge(struct sp_sum *to, const struct sp_sum *from)
{
	if (from->count && (from->max > to->max || !to->count)) {
		to->max = from->max;
		to->max_at = from->max_at;
		to->max_cpu = from->max_cpu;
	}
	to->total += from->total;
	to->count += from->count;
	to->inclusive += from->inclusive;
	to->longest = max(to->longest, from->longest);
}
SP_EXPORT_FOR_KUNIT(sp_sum_merge);

/**
 * sp_tally_merge() - add the figures of one key to an entry
 * @tally: the table
 * @entry: the caller is its only writer
 * @from: read only
 *
 * Context: process. Pairs with sp_tally_read().
 */
void sp_tally_merge(struct sp_tally *tally, struct sp_entry *entry, const struct sp_sum *from)
{
	struct sp_sum sum = figures_of(tally, entry);

	sp_sum_merge(&sum, from);
	raw_write_seqcount_begin(&entry->seq);
	set_figures(tally, entry, &sum);
	raw_write_seqcount_end(&entry->seq);
}
SP_EXPORT_FOR_KUNIT(sp_tally_merge);

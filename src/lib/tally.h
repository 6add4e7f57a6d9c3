/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_TALLY_H
#define SP_LIB_TALLY_H

#include <linux/seqlock.h>
#include <linux/types.h>

#include "lib/pool.h"

/* What shares one total: a thread of the recording, and the stacks. */
struct sp_key {
	u32 thread;
	u32 kernel;		/* numbers in the stack table */
	u32 user;
	u32 waker;
};

/* What else there is to do where a task stands, than follow tells. */
enum sp_rare {
	SP_RARE_BOOKS	= 1 << 0,	/* more is booked than a length in one recording */
	SP_RARE_ASKS	= 1 << 1,	/* and before that, it is asked if that fits */
};

struct sp_also;
struct sp_entry;
struct sp_recording;
struct sp_stack;

/*
 * What the next switch of a task needs that stood here; of record/plain.c, written by the
 * CPU that switches the task. Holds for a generation of plain switches, sp_plain_gen.
 */
struct sp_follow {
	struct sp_entry *next;		/* where the task stood after it the last time */
	const struct sp_stack *kernel;	/* what stands then, of whoever keeps most of it; */
	const struct sp_stack *user;	/* NULL: nobody asks, or it has none */
	struct sp_recording *recording;	/* whose entry it is */
};

/* The figures of one key, in the unit of the recording's clock. */
struct sp_sum {
	u64 total;
	u64 count;
	u64 max;
	u64 max_at;		/* when the longest interval ended */
	u32 max_cpu;		/* and on which CPU */
	/* Of functions; what is above is exclusive then. */
	u64 inclusive;		/* of activations that are in no other of it */
	u64 longest;		/* inclusive */
};

/* Of a key, those that only functions have. */
struct sp_inclusive {
	u64 total;
	u64 longest;
};

/*
 * One writer at a time: the key names a task, and a task is switched by one
 * CPU at a time. Readers take a consistent copy with sp_tally_read().
 */
struct sp_entry {
	/* What a switch needs whose task stands here once more: one cache line. */
	seqcount_t seq;			/* of key and figures */
	union {
		u32 next_free;		/* in the pool */
		u32 rare;		/* while in use: what follow does not tell, enum sp_rare */
	};
	struct sp_follow follow;
	/* As in struct sp_sum. */
	u64 total;
	u64 count;
	u64 max;
	/* What few need: another one. */
	u64 max_at;
	u32 max_cpu;
	u32 learnt;			/* its task's count when follow was learnt */
	struct sp_key key;		/* immutable while in the table */
	/* As struct sp_follow. */
	struct sp_entry *other;		/* where the task stood after it before that */
	struct sp_also *also;		/* what else there is to do; stays, for the next key */
	struct hlist_node node;		/* RCU; changed under the lock of its part */
} ____cacheline_aligned;

/* What each look-up reads is apart from what insertions write. */
struct sp_tally {
	/* Immutable. */
	u32 mask;
	u32 seed;
	struct hlist_head *heads;
	struct sp_entry *entries;
	struct sp_inclusive *inclusive;	/* by entry; NULL but of functions */

	struct sp_pool pool;	/* of entries; a chain tells its part */
} ____cacheline_aligned_in_smp;

u64 sp_tally_bytes(u32 max, bool functions);
int sp_tally_init(struct sp_tally *tally, u32 max, bool functions);
void sp_tally_destroy(struct sp_tally *tally);
struct sp_entry *sp_tally_put(struct sp_tally *tally, const struct sp_key *key);
struct sp_entry *sp_tally_find(const struct sp_tally *tally,
			       const struct sp_key *key);
void sp_tally_remove(struct sp_tally *tally, struct sp_entry *entry);
void sp_tally_recycle(struct sp_tally *tally, struct sp_entry *entry);
u32 sp_tally_count(const struct sp_tally *tally);
bool sp_tally_read(const struct sp_tally *tally, const struct sp_entry *entry,
		   struct sp_key *key, struct sp_sum *sum);
int sp_tally_await(const struct sp_tally *tally, const struct sp_entry *entry,
		   struct sp_key *key, struct sp_sum *sum);
void sp_tally_merge(struct sp_tally *tally, struct sp_entry *entry, const struct sp_sum *from);
void sp_sum_add(struct sp_sum *sum, u64 length, u64 at, u32 cpu);
void sp_sum_merge(struct sp_sum *to, const struct sp_sum *from);

/* Are no more than a quarter of the entries left? */
static inline bool sp_tally_crowded(const struct sp_tally *tally)
{
	return tally->pool.max - sp_pool_count(&tally->pool) <= tally->pool.max / 4;
}

/* Which of them is it? */
static inline u32 sp_tally_number(const struct sp_tally *tally, const struct sp_entry *entry)
{
	return entry - tally->entries;
}

/* The figures of sp_tally_add(), under the entry's count. */
static inline void sp_entry_add(struct sp_entry *entry, u64 length, u64 at, u32 cpu)
{
	entry->total += length;
	entry->count++;
	/* Of equal ones the first counts. One comparison is enough for most, no count. */
	if (unlikely(length >= entry->max) &&
	    (length > entry->max || READ_ONCE(entry->count) == 1)) {
		entry->max = length;
		entry->max_at = at;
		entry->max_cpu = cpu;
	}
}

/**
 * sp_tally_add() - one more interval of a key
 * @entry: its entry; the caller is its only writer
 * @length: its length
 * @at: when it ended
 * @cpu: where
 *
 * Context: any, also a hook. Pairs with sp_tally_read().
 */
static inline void sp_tally_add(struct sp_entry *entry, u64 length, u64 at, u32 cpu)
{
	raw_write_seqcount_begin(&entry->seq);
	sp_entry_add(entry, length, at, cpu);
	raw_write_seqcount_end(&entry->seq);
}

#endif

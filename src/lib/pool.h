/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool: which items of an array of fixed length are handed out, to several CPUs at once.
 *
 * A table has parts, each with a lock of its own: of some of its chains, or of what is found
 * by some of its places. An item that is given back is free in a part, linked through a u32
 * of its own. Whoever takes one looks there, then for one that nobody has had yet, then
 * in the parts whose bit says that they have some, once in each: an item that is free is found,
 * unless others take and give back meanwhile, and there are never more than the array has.
 * Nothing is kept per CPU, so nothing is lost with one that goes offline. Where none is left,
 * no lock is taken.
 *
 * Never are two of these locks held at once. What all CPUs write is how many items were ever
 * handed out, as long as that grows, how many are free again, and the bits, when a part has its
 * last free item taken, or gets the first one.
 *
 * Whether somebody may still stand on an item that is given back is for the caller to
 * know; sp_pool_retire_locked() and sp_pool_recycle() are for those who do not.
 */
#ifndef SP_LIB_POOL_H
#define SP_LIB_POOL_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/stddef.h>
#include <linux/types.h>

/* No item is left. */
#define SP_POOL_NONE U32_MAX

/* A bit for each is in one word. */
#define SP_PARTS	64U

struct sp_part {
	raw_spinlock_t lock;	/* of all here, and of the table's chains; hooks, irqs off */
	/* Counted from 1; 0: none. */
	u32 free;		/* the first item that can be given away; READ_ONCE */
	u32 retired;		/* the first one that somebody may stand on */
} ____cacheline_aligned_in_smp;

struct sp_pool {
	/* Immutable. */
	u32 max;		/* items */
	u32 bytes;		/* of an item */
	u32 link;		/* where in it the next one is linked */
	void *items;
	struct sp_part *parts;

	atomic_t used ____cacheline_aligned_in_smp;	/* ever handed out: all below */
	atomic_t free_count;	/* of them, free; changed under the lock of their part */
	unsigned long has_free;	/* parts by bit, each under its lock; READ_ONCE */
} ____cacheline_aligned_in_smp;

/* The items, and which member links them while they are free. */
#define SP_POOL_OF(items, link)						\
	(items), sizeof(*(items)), offsetof(typeof(*(items)), link)

struct sp_part *sp_parts_alloc(void);
u64 sp_parts_bytes(void);
int sp_pool_init(struct sp_pool *pool, u32 max, void *items, size_t bytes, size_t link);
void sp_pool_destroy(struct sp_pool *pool);
u32 sp_pool_take(struct sp_pool *pool, u32 at);
void sp_pool_put(struct sp_pool *pool, u32 at, u32 i);
void sp_pool_put_locked(struct sp_pool *pool, u32 at, u32 i);
void sp_pool_retire_locked(struct sp_pool *pool, u32 at, u32 i);
void sp_pool_recycle(struct sp_pool *pool);

/* How many are handed out? */
static inline u32 sp_pool_count(const struct sp_pool *pool)
{
	u32 free_count = atomic_read(&pool->free_count);

	/* In this order: of those that were used then, no more are free. */
	smp_rmb();
	return atomic_read(&pool->used) - free_count;
}

/*
 * All that were ever handed out are below, and what was in them before is seen. Not what
 * those write who have got one just now: it must be harmless to look at, half filled or not yet.
 */
static inline u32 sp_pool_end(const struct sp_pool *pool)
{
	/* Pairs with sp_pool_take(). */
	return atomic_read_acquire(&pool->used);
}

#endif

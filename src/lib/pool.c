// SPDX-License-Identifier: GPL-2.0-only
/*
 * pool: hands out the items of a table. The concept and its locks are in pool.h.
 */
#include <linux/bitops.h>
#include <linux/rcupdate.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/memory.h"
#include "lib/pool.h"
#include "lib/widen.h"

/* Memory of sp_parts_alloc(). */
u64 sp_parts_bytes(void)
{
	return SP_PARTS * sizeof(struct sp_part);
}
SP_EXPORT_FOR_KUNIT(sp_parts_bytes);

/**
 * sp_parts_alloc() - the parts of a table
 *
 * Context: process, may sleep. Free with vfree().
 * Return: SP_PARTS of them with nothing in them, or NULL.
 */
struct sp_part *sp_parts_alloc(void)
{
	struct sp_part *parts = sp_alloc(sp_parts_bytes());
	u32 at;

	for (at = 0; parts && at < SP_PARTS; at++)
		raw_spin_lock_init(&parts[at].lock);
	return parts;
}

/**
 * sp_pool_init() - nobody has any of the items
 * @pool: to be filled
 * @max: how many there are, 1 to SP_MAX_TABLE
 * @items: this and the next two are SP_POOL_OF()
 * @bytes: of an item
 * @link: offset in it
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_pool_init(struct sp_pool *pool, u32 max, void *items, size_t bytes, size_t link)
{
	memset(pool, 0, sizeof(*pool));
	pool->max = max;
	pool->bytes = bytes;
	pool->link = link;
	pool->items = items;
	pool->parts = sp_parts_alloc();
	return pool->parts ? 0 : -ENOMEM;
}
SP_EXPORT_FOR_KUNIT(sp_pool_init);

/**
 * sp_pool_destroy() - no item was ever handed out
 * @pool: nobody takes or gives back any more; its items are the caller's to free
 */
void sp_pool_destroy(struct sp_pool *pool)
{
	vfree(pool->parts);
	pool->parts = NULL;
	atomic_set(&pool->used, 0);
}
SP_EXPORT_FOR_KUNIT(sp_pool_destroy);

static u32 *link_of(const struct sp_pool *pool, u32 i)
{
	return pool->items + (size_t)i * pool->bytes + pool->link;
}

/* Counted from 1; 0: none is free there. */
static u32 take_free(struct sp_pool *pool, u32 at)
{
	struct sp_part *part = &pool->parts[at];
	unsigned long flags;
	u32 first;

	sp_lock_irqsave(&part->lock, flags);
	first = part->free;
	if (first) {
		WRITE_ONCE(part->free, *link_of(pool, first - 1));
		if (!part->free)
			clear_bit(at, &pool->has_free);
		atomic_dec(&pool->free_count);
	}
	sp_unlock_irqrestore(&part->lock, flags);
	return first;
}

/**
 * sp_pool_take() - an item that nobody has
 * @pool: the pool
 * @at: the part for which it is; beyond it, the next ones are asked first, so that several do
 *	not meet
 *
 * Context: any, also a hook; no lock of a part is held.
 * Return: its index, or SP_POOL_NONE.
 */
u32 sp_pool_take(struct sp_pool *pool, u32 at)
{
	u32 first = READ_ONCE(pool->parts[at].free) ? take_free(pool, at) : 0, i;
	unsigned long others;

	if (first)
		return first - 1;
	/* Pairs with sp_pool_end(). */
	i = atomic_fetch_add_unless(&pool->used, 1, pool->max);
	if (i != pool->max)
		return i;
	others = ror64(READ_ONCE(pool->has_free), at);
	for_each_set_bit(i, &others, SP_PARTS) {
		sp_window();
		first = take_free(pool, (at + i) % SP_PARTS);
		if (first)
			return first - 1;
	}
	return SP_POOL_NONE;
}
SP_EXPORT_FOR_KUNIT(sp_pool_take);

static void put_list_locked(struct sp_pool *pool, u32 at, u32 first, u32 last, u32 count)
{
	struct sp_part *part = &pool->parts[at];

	lockdep_assert_held(&part->lock);
	if (!part->free)
		set_bit(at, &pool->has_free);
	*link_of(pool, last) = part->free;
	WRITE_ONCE(part->free, first + 1);
	atomic_add(count, &pool->free_count);
}

/**
 * sp_pool_put_locked() - give an item back, on which nobody stands
 * @pool: the pool
 * @at: the part whose lock the caller holds
 * @i: the item
 */
void sp_pool_put_locked(struct sp_pool *pool, u32 at, u32 i)
{
	put_list_locked(pool, at, i, i, 1);
}

/* The same, and no lock of a part is held. */
void sp_pool_put(struct sp_pool *pool, u32 at, u32 i)
{
	unsigned long flags;

	sp_lock_irqsave(&pool->parts[at].lock, flags);
	sp_pool_put_locked(pool, at, i);
	sp_unlock_irqrestore(&pool->parts[at].lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_pool_put);

/**
 * sp_pool_retire_locked() - give an item back, on which somebody may stand
 * @pool: the pool
 * @at: the part whose lock the caller holds
 * @i: the item; sp_pool_recycle() lets it be used again
 */
void sp_pool_retire_locked(struct sp_pool *pool, u32 at, u32 i)
{
	struct sp_part *part = &pool->parts[at];

	lockdep_assert_held(&part->lock);
	*link_of(pool, i) = part->retired;
	part->retired = i + 1;
}
SP_EXPORT_FOR_KUNIT(sp_pool_retire_locked);

/**
 * sp_pool_recycle() - let retired items be used again
 * @pool: the pool; one caller at a time
 *
 * Context: process, sleeps for a grace period.
 */
void sp_pool_recycle(struct sp_pool *pool)
{
	u32 first[SP_PARTS], last, next, at, count;
	unsigned long flags;
	bool any = false;

	for (at = 0; at < SP_PARTS; at++) {
		sp_lock_irqsave(&pool->parts[at].lock, flags);
		first[at] = pool->parts[at].retired;
		pool->parts[at].retired = 0;
		sp_unlock_irqrestore(&pool->parts[at].lock, flags);
		any = any || first[at];
	}
	if (!any)
		return;
	/* Hooks run with interrupts off, others in read side sections. */
	synchronize_rcu();
	for (at = 0; at < SP_PARTS; at++) {
		if (!first[at])
			continue;
		last = first[at];
		for (count = 1; (next = *link_of(pool, last - 1)); count++)
			last = next;
		sp_lock_irqsave(&pool->parts[at].lock, flags);
		put_list_locked(pool, at, first[at] - 1, last - 1, count);
		sp_unlock_irqrestore(&pool->parts[at].lock, flags);
	}
}
SP_EXPORT_FOR_KUNIT(sp_pool_recycle);

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool: which items of an array of fixed length are handed out. Those that were given
 * back come first, linked through a u32 of their own, then those that were never used.
 *
 * The caller's lock protects it; counts are read without. Whether somebody may still
 * stand on an item that is given back is for the caller to know.
 */
#ifndef SP_LIB_POOL_H
#define SP_LIB_POOL_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <asm/barrier.h>

/* No item is left. */
#define SP_POOL_NONE U32_MAX

struct sp_pool {
	u32 max;		/* items; immutable */
	u32 used;		/* items that were ever handed out: all below */
	u32 free_count;		/* of them, given back */
	u32 free;		/* the first of those, counted from 1; 0: none */
};

/* The items, and which member links them while they are free. */
#define SP_POOL_OF(items, link)						\
	(items), sizeof(*(items)), offsetof(typeof(*(items)), link)

static __always_inline u32 *sp_pool_link(void *items, size_t bytes, size_t link, u32 i)
{
	return items + i * bytes + link;
}

/**
 * sp_pool_take() - an item that nobody has
 * @pool: under the caller's lock
 * @items: this and the next two are SP_POOL_OF()
 * @bytes: of an item
 * @link: offset in it
 *
 * Return: its index, or SP_POOL_NONE.
 */
static __always_inline u32 sp_pool_take(struct sp_pool *pool, void *items, size_t bytes,
					size_t link)
{
	u32 i = pool->free;

	if (i) {
		i--;
		WRITE_ONCE(pool->free, *sp_pool_link(items, bytes, link, i));
		WRITE_ONCE(pool->free_count, pool->free_count - 1);
		return i;
	}
	i = pool->used;
	if (i == pool->max)
		return SP_POOL_NONE;
	/* Pairs with sp_pool_end(). */
	smp_store_release(&pool->used, i + 1);
	return i;
}

/**
 * sp_pool_put_list() - give linked items back
 * @pool: under the caller's lock
 * @items: this and the next two are SP_POOL_OF()
 * @bytes: of an item
 * @link: offset in it
 * @first: the first of them
 * @last: the last one, whose link is set here
 * @count: how many there are
 */
static __always_inline void sp_pool_put_list(struct sp_pool *pool, void *items, size_t bytes,
					     size_t link, u32 first, u32 last, u32 count)
{
	*sp_pool_link(items, bytes, link, last) = pool->free;
	WRITE_ONCE(pool->free, first + 1);
	WRITE_ONCE(pool->free_count, pool->free_count + count);
}

/* Give one item back; as above. */
static __always_inline void sp_pool_put(struct sp_pool *pool, void *items, size_t bytes,
					size_t link, u32 i)
{
	sp_pool_put_list(pool, items, bytes, link, i, i, 1);
}

/* Is nothing left? Asked without the lock, so that a full table is not a crowded lock. */
static inline bool sp_pool_is_empty(const struct sp_pool *pool)
{
	return READ_ONCE(pool->used) == pool->max && !READ_ONCE(pool->free);
}

/* How many are handed out? */
static inline u32 sp_pool_count(const struct sp_pool *pool)
{
	u32 free_count = READ_ONCE(pool->free_count);

	/* In this order: of those that were used then, no more are free. */
	smp_rmb();
	return READ_ONCE(pool->used) - free_count;
}

/* All that were ever handed out are below, and what was in them before is seen. */
static inline u32 sp_pool_end(const struct sp_pool *pool)
{
	/* Pairs with sp_pool_take(). */
	return smp_load_acquire(&pool->used);
}

#endif

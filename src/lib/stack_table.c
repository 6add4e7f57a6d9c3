// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_table: every distinct stack once, in a jhash table and an arena of fixed size.
 *
 * Look-up takes no lock: chains are RCU lists that only ever grow at the head
 * and stacks never change after hlist_add_head_rcu() published them (its
 * barrier pairs with the dependency in hlist_for_each_entry_rcu()), but for one byte.
 * Insertion takes the raw spinlock of the chain's part of the table with interrupts off; it
 * happens once per distinct stack, not per event. That there is no room is seen before a
 * lock is tried.
 *
 * Room is given out under that lock, when the chain has been looked through, so that none is
 * given for a stack that is there: all of it is used. It is one word that all CPUs share and
 * only grows. Nobody goes over all numbers, so nobody meets one whose stack is still being
 * written: who knows a number has it from the chain, where it comes last, or from whoever has.
 */
#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/rculist.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/longest.h"
#include "lib/memory.h"
#include "lib/stack_table.h"
#include "lib/widen.h"

/* The frames of a walk that fit, and whether that cuts it. */
struct digest {
	u32 hash;
	u8 n;
	u8 seen;
	u16 flags;
	u32 span;
};

/* Of an address, those that are not in its lower word. */
static u32 upper_bits(u64 frame)
{
	return (frame & SP_FRAME_MASK) >> 32;
}

/*
 * Behind the arena there is one word more: a stack without a frame may be the last one, and who
 * compares looks at its first frame before he knows how many it has.
 */
#define SPARE_WORDS	1

/* Of the arena; the deepest stack always has room in it. */
static u32 arena_words(u32 max, u32 stack_depth)
{
	u32 mean = sp_stack_words(min_t(u32, stack_depth, SP_STACK_MEAN_DEPTH), 0, 0) +
		   TASK_COMM_LEN / sizeof(u64);

	u32 deepest = sp_stack_words(stack_depth, SP_STACK_USER | SP_STACK_PLACED, stack_depth) +
		      sizeof(struct sp_waker) / sizeof(u64);

	return max(max * mean, deepest);
}

static size_t heads_bytes(u32 max)
{
	return roundup_pow_of_two(max) * sizeof(struct hlist_head);
}

/**
 * sp_stack_table_bytes() - memory that a table will take
 * @max: stacks, 1 to SP_MAX_TABLE
 * @stack_depth: frames of a stack, 1 to SP_MAX_DEPTH
 */
u64 sp_stack_table_bytes(u32 max, u32 stack_depth)
{
	return ((u64)arena_words(max, stack_depth) + SPARE_WORDS) * sizeof(u64) +
	       max * sizeof(u32) + heads_bytes(max) + sp_parts_bytes();
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_bytes);

/**
 * sp_stack_table_init() - make an empty table
 * @table: to be filled
 * @max: stacks it can hold, 1 to SP_MAX_TABLE
 * @stack_depth: frames kept of a stack, 1 to SP_MAX_DEPTH
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing held.
 */
int sp_stack_table_init(struct sp_stack_table *table, u32 max, u32 stack_depth)
{
	memset(table, 0, sizeof(*table));
	table->max = max;
	table->stack_depth = stack_depth;
	table->words = arena_words(max, stack_depth);
	table->mask = roundup_pow_of_two(max) - 1;
	get_random_bytes(&table->seed, sizeof(table->seed));
	table->heads = sp_alloc(heads_bytes(max));
	table->at = sp_alloc(max * sizeof(u32));
	table->arena = sp_alloc(((size_t)table->words + SPARE_WORDS) * sizeof(u64));
	table->parts = sp_parts_alloc();
	if (!table->heads || !table->at || !table->arena || !table->parts) {
		sp_stack_table_destroy(table);
		return -ENOMEM;
	}
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_init);

/**
 * sp_stack_table_destroy() - give the memory back
 * @table: no hook and no reader may use it any more
 *
 * Context: process, may sleep.
 */
void sp_stack_table_destroy(struct sp_stack_table *table)
{
	vfree(table->heads);
	vfree(table->at);
	vfree(table->arena);
	vfree(table->parts);
	table->heads = NULL;
	table->at = NULL;
	table->arena = NULL;
	table->parts = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_destroy);

/*
 * jhash() of the addresses, as if they were packed: two of them, of 48 bits each, are
 * one round of three words. Programs choose their own addresses, so it must not be
 * linear: with a polynomial they make stacks of one hash without knowing its factor.
 */
static u32 hash_frames(const u64 *frame, unsigned int n, u32 seed)
{
	u32 a = JHASH_INITVAL + n * 6 + seed, b = a, c = a;

	BUILD_BUG_ON(SP_FRAME_BITS > 48);

	for (; n > 2; n -= 2, frame += 2) {
		a += (u32)frame[0];
		b += (u32)frame[1];
		c += upper_bits(frame[0]) | upper_bits(frame[1]) << 16;
		__jhash_mix(a, b, c);
	}
	if (n) {
		a += (u32)frame[0];
		b += n > 1 ? (u32)frame[1] : 0;
		c += upper_bits(frame[0]) | (n > 1 ? upper_bits(frame[1]) << 16 : 0);
		__jhash_final(a, b, c);
	}
	return c;
}

/* A walk that met what is not in memory may not have seen all. */
static u8 seen_by(u16 flags)
{
	if (flags & SP_STACK_ABSENT)
		return 0;
	return flags & SP_STACK_CHECKABLE ? SP_SEEN_CALL : SP_SEEN_OTHER;
}

/* Of a walk that is cut, those that its inner frames depend on. */
static u32 links_of(const struct sp_callchain *callchain, unsigned int n)
{
	unsigned int last = n > 1 ? sp_frame_where(callchain->frame[n - 1]) : 0;
	u32 i;

	/* They come with the frames, which go up. */
	for (i = 0; i < callchain->span; i++)
		if (sp_frame_where(callchain->link[i]) > last)
			break;
	return i;
}

static struct digest key_of(const struct sp_stack_table *table,
			    const struct sp_callchain *callchain)
{
	struct digest key;

	key.n = min_t(u32, callchain->n, table->stack_depth);
	key.flags = callchain->flags & ~SP_STACK_ABSENT;
	key.seen = seen_by(callchain->flags);
	key.span = callchain->span;
	if (key.n < callchain->n) {
		key.flags = sp_stack_cut_short(key.flags);
		if (sp_stack_links(key.flags, key.span))
			key.span = links_of(callchain, key.n);
	}
	key.hash = table->seed ^ (key.flags & SP_STACK_KEY);
	if (callchain->flags & SP_STACK_WAKER)
		key.hash = jhash(&callchain->waker, sp_waker_bytes(&callchain->waker), key.hash);
	key.hash = hash_frames(callchain->frame, key.n, key.hash);
	return key;
}

static bool same_stack(const struct sp_stack *stack, const struct digest *key,
		       const struct sp_callchain *callchain)
{
	unsigned int i;
	u64 odd = 0;

	if (stack->hash != key->hash || stack->n != key->n ||
	    (stack->flags ^ key->flags) & SP_STACK_KEY)
		return false;
	/* They most likely are: no need to stop early. */
	for (i = 0; i < key->n; i++)
		odd |= stack->frame[i] ^ callchain->frame[i];
	if (odd & SP_FRAME_MASK)
		return false;
	return !(key->flags & SP_STACK_WAKER) ||
	       !memcmp(sp_stack_waker(stack), &callchain->waker, sizeof(callchain->waker));
}

/*
 * Would a walk compare the same words? What tells stacks apart is not where they lie, but a
 * stack is recognised by that, and tables that led there may have been others.
 */
static bool same_places(const struct sp_stack *stack, const struct digest *key,
			const struct sp_callchain *callchain)
{
	u32 links = sp_stack_links(key->flags, key->span);

	if ((stack->flags ^ key->flags) & SP_STACK_PLACED)
		return false;
	if (!(key->flags & SP_STACK_PLACED))
		return true;
	return stack->span == key->span && stack->fp == callchain->fp &&
	       !memcmp(stack->frame, callchain->frame, key->n * sizeof(u64)) &&
	       !memcmp(stack->frame + key->n, callchain->link, links * sizeof(u64));
}

static u32 chain_of(const struct sp_stack_table *table, const struct digest *key)
{
	return key->hash & table->mask;
}

static struct sp_part *part_of(const struct sp_stack_table *table, const struct digest *key)
{
	return &table->parts[chain_of(table, key) % SP_PARTS];
}

/*
 * NONE: not there. LOST: the chain is longer than anyone may walk. @walked: just now, by a hook;
 * others may have walked by tables that have been replaced since.
 */
static __always_inline u32 find_stack(const struct sp_stack_table *table,
				      const struct digest *key,
				      const struct sp_callchain *callchain, bool walked)
{
	struct sp_stack *stack;
	unsigned int steps = 0;

	hlist_for_each_entry_rcu(stack, &table->heads[chain_of(table, key)], node, true) {
		sp_longest_note(stacks, steps + 1);
		if (same_stack(stack, key, callchain)) {
			u8 seen = READ_ONCE(stack->seen);

			sp_window();
			/* Of two at a time the next walk sees what is missing. */
			if (walked && unlikely(key->seen & ~seen) &&
			    same_places(stack, key, callchain))
				WRITE_ONCE(stack->seen, seen | key->seen);
			return stack->number;
		}
		sp_window();
		if (++steps == SP_MAX_CHAIN)
			return SP_STACK_LOST;
	}
	return SP_STACK_NONE;
}

/* With so much given out, are there a number and so many words? */
static bool has_room(const struct sp_stack_table *table, u64 given, u32 words)
{
	return (u32)given != table->max && table->words - (given >> 32) >= words;
}

/* Set to what was given out before. Whoever has to try again, another CPU got some. */
static bool take_room(struct sp_stack_table *table, u32 words, s64 *given)
{
	*given = atomic64_read(&table->room);
	do {
		if (!has_room(table, *given, words))
			return false;
	} while (!atomic64_try_cmpxchg(&table->room, given, *given + ((u64)words << 32) + 1));
	return true;
}

static u32 insert_locked(struct sp_stack_table *table, const struct digest *key,
			 const struct sp_callchain *callchain)
{
	u32 number, word, links = sp_stack_links(key->flags, key->span);
	struct sp_stack *stack;
	s64 given;

	lockdep_assert_held(&part_of(table, key)->lock);
	if (!take_room(table, sp_stack_words(key->n, key->flags, key->span), &given))
		return SP_STACK_LOST;
	number = (u32)given;
	word = (u64)given >> 32;
	stack = (void *)(table->arena + word);
	stack->hash = key->hash;
	stack->number = number + 1;
	stack->n = key->n;
	stack->seen = key->seen;
	stack->flags = key->flags;
	stack->span = key->span;
	stack->fp = callchain->fp;
	memcpy(stack->frame, callchain->frame, key->n * sizeof(u64));
	memcpy(stack->frame + key->n, callchain->link, links * sizeof(u64));
	if (key->flags & SP_STACK_WAKER)
		memcpy(stack->frame + key->n, &callchain->waker, sizeof(callchain->waker));
	table->at[number] = word;
	hlist_add_head_rcu(&stack->node, &table->heads[chain_of(table, key)]);
	if (key->flags & SP_STACK_CUT)
		atomic_inc(&table->cut);
	if (key->flags & SP_STACK_USER && sp_stack_end(key->flags) < SP_STACK_ENDS)
		atomic_inc(&table->ended[sp_stack_end(key->flags)]);
	return stack->number;
}

/**
 * sp_stack_table_find() - look a walk up
 * @table: the table
 * @callchain: innermost frame first
 *
 * Nothing is changed: a stack is recognised only where a hook has found it.
 *
 * Context: any; no lock.
 * Return: the stack's number or SP_STACK_NONE.
 */
u32 sp_stack_table_find(const struct sp_stack_table *table,
			const struct sp_callchain *callchain)
{
	struct digest key = key_of(table, callchain);
	u32 id = find_stack(table, &key, callchain, false);

	return id == SP_STACK_LOST ? SP_STACK_NONE : id;
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_find);

/**
 * sp_stack_table_put() - find a walk, or store it
 * @table: the table
 * @callchain: innermost frame first; more than the table's depth is cut, and the
 *	stored stack says so
 *
 * Context: any, also a hook: a raw spinlock is taken only for a stack that
 * is new, and nothing is called under it that could wake or wait.
 * Return: the stack's number, or SP_STACK_LOST if there is no room.
 */
u32 sp_stack_table_put(struct sp_stack_table *table, const struct sp_callchain *callchain)
{
	struct digest key = key_of(table, callchain);
	struct sp_part *part = part_of(table, &key);
	u32 id = find_stack(table, &key, callchain, true);
	unsigned long flags;

	if (id != SP_STACK_NONE)
		return id;
	if (!has_room(table, atomic64_read(&table->room),
		      sp_stack_words(key.n, key.flags, key.span)))
		return SP_STACK_LOST;
	sp_lock_irqsave(&part->lock, flags);
	/* Another CPU may have been faster. */
	id = find_stack(table, &key, callchain, true);
	if (id == SP_STACK_NONE)
		id = insert_locked(table, &key, callchain);
	sp_unlock_irqrestore(&part->lock, flags);
	return id;
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_put);

/* Has it a frame there? */
static bool leads_through(const struct sp_stack *stack, u64 from, u64 last)
{
	unsigned int i;

	for (i = 0; i < stack->n; i++)
		if (sp_frame_user(stack->frame[i]) >= from &&
		    sp_frame_user(stack->frame[i]) <= last)
			return true;
	return false;
}

/**
 * sp_stack_table_walk_anew() - let no stack that was found by tables be recognised any more
 * @table: the table
 * @from: lowest address of the code that other tables tell of now
 * @last: its highest address, or that behind it, to which its last call returns
 *
 * Until a walk finds it again: other tables may lead elsewhere from there. For hooks that walk
 * meanwhile, the caller has waited until they go by the new ones.
 *
 * Context: process, may sleep.
 */
void sp_stack_table_walk_anew(struct sp_stack_table *table, u64 from, u64 last)
{
	const u16 placed = SP_STACK_USER | SP_STACK_PLACED;
	struct sp_stack *stack;
	u32 chain;

	for (chain = 0; chain <= table->mask; chain++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(stack, &table->heads[chain], node)
			if ((stack->flags & placed) == placed &&
			    leads_through(stack, from, last))
				WRITE_ONCE(stack->seen, 0);
		rcu_read_unlock();
		cond_resched();
	}
}
SP_EXPORT_FOR_KUNIT(sp_stack_table_walk_anew);

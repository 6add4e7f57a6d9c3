// SPDX-License-Identifier: GPL-2.0-only
/*
 * rank: the n greatest values of a stream, in order.
 *
 * An rb-tree that never holds more than n nodes: the smallest one is replaced
 * when something greater comes. Used by readers only; each has its own, so
 * there is no lock, and nothing is sorted in a hook.
 */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/rank.h"
#include "lib/readers.h"

static struct sp_rank_node *to_node(const struct rb_node *rb)
{
	return rb_entry_safe(rb, struct sp_rank_node, rb);
}

/* Equal values keep the order in which they were offered. */
static bool ranks_before(const struct sp_rank_node *a, const struct sp_rank_node *b)
{
	return a->value != b->value ? a->value < b->value : a->item > b->item;
}

static bool less(struct rb_node *a, const struct rb_node *b)
{
	return ranks_before(to_node(a), to_node(b));
}

/**
 * sp_rank_init() - make an empty ranking
 * @rank: to be filled
 * @max: how many to keep; 0 keeps none
 *
 * Return: 0 or -ENOMEM.
 */
int sp_rank_init(struct sp_rank *rank, u32 max)
{
	rank->root = RB_ROOT_CACHED;
	rank->used = 0;
	rank->max = max;
	rank->nodes = NULL;
	if (!max)
		return 0;
	rank->nodes = sp_readers_alloc(max * sizeof(*rank->nodes));
	return rank->nodes ? 0 : -ENOMEM;
}
SP_EXPORT_FOR_KUNIT(sp_rank_init);

/**
 * sp_rank_destroy() - give the memory back
 * @rank: the ranking
 */
void sp_rank_destroy(struct sp_rank *rank)
{
	sp_readers_free(rank->nodes);
	rank->nodes = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_rank_destroy);

/**
 * sp_rank_offer() - consider a value
 * @rank: the ranking
 * @value: what is ranked by
 * @item: what the caller knows it by; of two equal values the smaller item
 *	ranks first
 *
 * Context: any; O(log n).
 */
void sp_rank_offer(struct sp_rank *rank, u64 value, u32 item)
{
	struct sp_rank_node offered = { .value = value, .item = item };
	struct sp_rank_node *node;

	if (rank->used < rank->max) {
		node = &rank->nodes[rank->used++];
	} else {
		node = to_node(rb_first_cached(&rank->root));
		if (!node || !ranks_before(node, &offered))
			return;
		rb_erase_cached(&node->rb, &rank->root);
	}
	node->value = value;
	node->item = item;
	rb_add_cached(&node->rb, &rank->root, less);
}
SP_EXPORT_FOR_KUNIT(sp_rank_offer);

/**
 * sp_rank_best() - the greatest of what was offered
 * @rank: the ranking
 *
 * Return: a node, or NULL if there is none.
 */
const struct sp_rank_node *sp_rank_best(const struct sp_rank *rank)
{
	return to_node(rb_last(&rank->root.rb_root));
}
SP_EXPORT_FOR_KUNIT(sp_rank_best);

/**
 * sp_rank_next() - the next smaller one
 * @node: a node of a ranking that was not changed since
 *
 * Return: a node, or NULL behind the last.
 */
const struct sp_rank_node *sp_rank_next(const struct sp_rank_node *node)
{
	return to_node(rb_prev(&node->rb));
}
SP_EXPORT_FOR_KUNIT(sp_rank_next);

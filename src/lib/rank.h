/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_RANK_H
#define SP_LIB_RANK_H

#include <linux/rbtree.h>
#include <linux/types.h>

struct sp_rank_node {
	struct rb_node rb;
	u64 value;
	u32 item;
};

/* The best n of a stream; owned by one reader, so no lock. */
struct sp_rank {
	struct rb_root_cached root;	/* leftmost is the worst that is kept */
	struct sp_rank_node *nodes;
	u32 used;
	u32 max;
};

int sp_rank_init(struct sp_rank *rank, u32 max);
void sp_rank_destroy(struct sp_rank *rank);
void sp_rank_offer(struct sp_rank *rank, u64 value, u32 item);
const struct sp_rank_node *sp_rank_best(const struct sp_rank *rank);
const struct sp_rank_node *sp_rank_next(const struct sp_rank_node *node);

#endif

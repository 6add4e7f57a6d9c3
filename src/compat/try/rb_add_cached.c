// SPDX-License-Identifier: GPL-2.0-only
/* Since 5.11: insertion into an rb-tree by a comparison function. */
#include <linux/rbtree.h>

struct rb_node *sp_try(struct rb_node *node, struct rb_root_cached *tree,
		       bool (*less)(struct rb_node *, const struct rb_node *))
{
	return rb_add_cached(node, tree, less);
}

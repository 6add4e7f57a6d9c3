/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What both suites of the tally use.
 */
#ifndef SP_TEST_TALLY_H
#define SP_TEST_TALLY_H

#include <linux/rcupdate.h>

#include "lib/tally.h"

/* Keys that differ in one part only, each part in its turn. */
static inline struct sp_key make_key(u32 i)
{
	struct sp_key key = { .thread = 5, .kernel = 5, .user = 5 };
	u32 *part[] = { &key.thread, &key.kernel, &key.user };

	*part[i % 3] = 6 + i;
	return key;
}

static inline bool same(const struct sp_key *a, const struct sp_key *b)
{
	return a->thread == b->thread && a->kernel == b->kernel && a->user == b->user;
}

static inline struct sp_entry *find(struct sp_tally *tally,
				    const struct sp_key *key)
{
	struct sp_entry *entry;

	rcu_read_lock();
	entry = sp_tally_find(tally, key);
	rcu_read_unlock();
	return entry;
}

static inline struct sp_entry *put(struct sp_tally *tally,
				   const struct sp_key *key)
{
	struct sp_entry *entry;

	rcu_read_lock();
	entry = sp_tally_put(tally, key);
	rcu_read_unlock();
	return entry;
}

#endif

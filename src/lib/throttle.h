/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_THROTTLE_H
#define SP_LIB_THROTTLE_H

#include <linux/cache.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* Times that are remembered of a group on a CPU, and told of one wait. */
#define SP_THROTTLES	16U

/* ns; both ends were seen. */
struct sp_throttle {
	u64 from, to;
};

/* Since a wait began: apart from each other, the newest first. */
struct sp_throttles {
	u64 who, since;		/* whose wait, which began then; ns */
	u32 n;
	bool cut;		/* there were more than there is room for */
	struct sp_throttle list[SP_THROTTLES];
};

#define SP_THROTTLE_WAYS	4U

/* A group on one CPU. Written under the lock of its bucket. */
struct sp_throttled_group {
	seqcount_t seq;		/* the first one: it stays when another group takes the place */
	u32 newest;		/* in list, as a ring; those that were never filled are 0 */
	const void *group;	/* NULL: none */
	u64 called;		/* ns; when it was about to be throttled; 0: not since the newest */
	u64 touched;		/* ns */
	unsigned long missed;	/* what nobody had seen by then */
	bool goes_on;		/* let go without a call, it was the newest one that went on */
	struct sp_throttle list[SP_THROTTLES];
};

struct sp_throttle_bucket {
	raw_spinlock_t lock;
	struct sp_throttled_group way[SP_THROTTLE_WAYS];
};

struct sp_throttle_log {
	u32 used;		/* 0: nothing was ever throttled; READ_ONCE */
	u32 bits;		/* there are so many buckets: 1 << bits */
	/* What hooks write, apart from what they all read. */
	atomic_long_t throttles ____cacheline_aligned_in_smp;	/* that were seen whole */
	atomic_long_t forgotten;	/* groups that had to make room */
	atomic_long_t cut;	/* waits of which not all is told */
	atomic_long_t unsure;	/* ends of which nobody is sure when that began */
	struct sp_throttle_bucket bucket[] ____cacheline_aligned_in_smp;
};

size_t sp_throttle_log_bytes(unsigned int cpus);
void sp_throttles_add(struct sp_throttles *throttles, u64 from, u64 to);
void sp_throttle_log_init(struct sp_throttle_log *log, unsigned int cpus);
void sp_throttle_log_begin(struct sp_throttle_log *log, const void *group, u64 now,
			   unsigned long missed);
void sp_throttle_log_end(struct sp_throttle_log *log, const void *group, u64 now,
			 unsigned long missed);
void sp_throttle_log_find(struct sp_throttle_log *log, const void *group, u64 from,
			  struct sp_throttles *throttles);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * throttle: when groups of tasks were throttled on a CPU, of late.
 *
 * That a group is about to be throttled is seen first, and may come to nothing: then the same
 * is seen again before it is let go. So only a time whose end was seen counts, and it began
 * when that was seen last. A group that is let go and still has no time to run stays as it is,
 * and is let go once more: the time goes on until then. Where a beginning may have been missed
 * since, nothing is told.
 *
 * The log is a hash table of fixed size. A full bucket forgets the group that was seen there the
 * longest ago. What it knows of a group is written and asked for under the lock of the group's
 * run queue, so these do not meet; but for one that makes room for another. That is what the
 * locks of the buckets and the sequence counts are for.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/throttle.h"
#include "lib/widen.h"

/**
 * sp_throttles_add() - a time more
 * @throttles: which
 * @from: ns
 * @to: ns
 *
 * Times that touch become one. Of too many the oldest go.
 */
void sp_throttles_add(struct sp_throttles *throttles, u64 from, u64 to)
{
	struct sp_throttle *list = throttles->list;
	u32 first = 0, last;

	if (from >= to)
		return;
	/* Those behind it stay where they are; those that it touches are a part of it. */
	while (first < throttles->n && list[first].from > to)
		first++;
	for (last = first; last < throttles->n && list[last].to >= from; last++) {
		from = min(from, list[last].from);
		to = max(to, list[last].to);
	}
	if (last == first) {
		throttles->cut |= throttles->n == SP_THROTTLES;
		if (first == SP_THROTTLES)
			return;
		throttles->n = min(throttles->n + 1, SP_THROTTLES);
		memmove(&list[first + 1], &list[first],
			(throttles->n - first - 1) * sizeof(*list));
	} else {
		memmove(&list[first + 1], &list[last], (throttles->n - last) * sizeof(*list));
		throttles->n -= last - first - 1;
	}
	list[first] = (struct sp_throttle) { from, to };
}
SP_EXPORT_FOR_KUNIT(sp_throttles_add);

/* 64 groups for each CPU. */
static u32 bits_for(unsigned int cpus)
{
	return order_base_2(64 * cpus / SP_THROTTLE_WAYS);
}

/**
 * sp_throttle_log_bytes() - memory of a log
 * @cpus: of the machine
 */
size_t sp_throttle_log_bytes(unsigned int cpus)
{
	return sizeof(struct sp_throttle_log) +
	       (sizeof(struct sp_throttle_bucket) << bits_for(cpus));
}
SP_EXPORT_FOR_KUNIT(sp_throttle_log_bytes);

/**
 * sp_throttle_log_init() - nothing was throttled yet
 * @log: zeroed; of sp_throttle_log_bytes()
 * @cpus: the same
 */
void sp_throttle_log_init(struct sp_throttle_log *log, unsigned int cpus)
{
	u32 i, way;

	log->bits = bits_for(cpus);
	for (i = 0; i < 1U << log->bits; i++) {
		raw_spin_lock_init(&log->bucket[i].lock);
		for (way = 0; way < SP_THROTTLE_WAYS; way++)
			seqcount_init(&log->bucket[i].way[way].seq);
	}
}
SP_EXPORT_FOR_KUNIT(sp_throttle_log_init);

static struct sp_throttle_bucket *bucket_of(struct sp_throttle_log *log, const void *group)
{
	return &log->bucket[hash_ptr(group, log->bits)];
}

static struct sp_throttled_group *find(struct sp_throttle_bucket *bucket, const void *group)
{
	u32 way;

	for (way = 0; way < SP_THROTTLE_WAYS; way++)
		if (READ_ONCE(bucket->way[way].group) == group)
			return &bucket->way[way];
	return NULL;
}

/* The bucket's lock is held. */
static struct sp_throttled_group *make_room(struct sp_throttle_log *log,
					    struct sp_throttle_bucket *bucket, const void *group)
{
	struct sp_throttled_group *oldest = &bucket->way[0];
	u32 way;

	for (way = 1; way < SP_THROTTLE_WAYS; way++)
		if (bucket->way[way].touched < oldest->touched)
			oldest = &bucket->way[way];
	if (oldest->group)
		atomic_long_inc(&log->forgotten);
	raw_write_seqcount_begin(&oldest->seq);
	memset((void *)oldest + offsetof(typeof(*oldest), newest), 0,
	       sizeof(*oldest) - offsetof(typeof(*oldest), newest));
	WRITE_ONCE(oldest->group, group);
	raw_write_seqcount_end(&oldest->seq);
	WRITE_ONCE(log->used, 1);
	return oldest;
}

/**
 * sp_throttle_log_begin() - a group is about to be throttled
 * @log: the log
 * @group: of a CPU
 * @now: ns
 * @missed: how often so far nobody may have seen that a group was about to be throttled
 *
 * Context: a hook, the lock of that CPU's run queue held.
 */
void sp_throttle_log_begin(struct sp_throttle_log *log, const void *group, u64 now,
			   unsigned long missed)
{
	struct sp_throttle_bucket *bucket = bucket_of(log, group);
	struct sp_throttled_group *found;
	unsigned long flags;

	sp_lock_irqsave(&bucket->lock, flags);
	found = find(bucket, group) ?: make_room(log, bucket, group);
	found->called = now;
	found->missed = missed;
	found->touched = now;
	sp_unlock_irqrestore(&bucket->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_throttle_log_begin);

/**
 * sp_throttle_log_end() - a group is let go
 * @log: the log
 * @group: as above
 * @now: ns
 * @missed: as above
 *
 * Context: as above.
 */
void sp_throttle_log_end(struct sp_throttle_log *log, const void *group, u64 now,
			 unsigned long missed)
{
	struct sp_throttle_bucket *bucket = bucket_of(log, group);
	struct sp_throttled_group *found;
	unsigned long flags;

	sp_lock_irqsave(&bucket->lock, flags);
	found = find(bucket, group);
	if (!found)
		goto out;
	raw_write_seqcount_begin(&found->seq);
	if (found->missed != missed) {
		/* It may be another one, and nobody knows when that began. */
		found->goes_on = false;
		atomic_long_inc(&log->unsure);
	} else if (found->called) {
		found->newest = (found->newest + 1) % SP_THROTTLES;
		found->list[found->newest].from = found->called;
		found->goes_on = true;
		atomic_long_inc(&log->throttles);
	}
	if (found->goes_on)
		found->list[found->newest].to = now;
	found->called = 0;
	found->missed = missed;
	found->touched = now;
	raw_write_seqcount_end(&found->seq);
out:
	sp_unlock_irqrestore(&bucket->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_throttle_log_end);

/**
 * sp_throttle_log_find() - when was a group throttled?
 * @log: the log
 * @group: as above
 * @from: ns
 * @throttles: gets what is known of the time since then
 *
 * Context: as above. If that group makes room just now, nothing is told any more.
 */
void sp_throttle_log_find(struct sp_throttle_log *log, const void *group, u64 from,
			  struct sp_throttles *throttles)
{
	struct sp_throttled_group *found = find(bucket_of(log, group), group);
	unsigned int sequence;
	u32 i;

	if (!found)
		return;
	sequence = raw_seqcount_begin(&found->seq);
	sp_window();
	if (found->list[found->newest].to > from) {
		for (i = 0; i < SP_THROTTLES; i++)
			sp_throttles_add(throttles, max(found->list[i].from, from),
					 found->list[i].to);
		/* Behind the newest one comes the oldest. */
		throttles->cut |= found->list[(found->newest + 1) % SP_THROTTLES].from > from;
	}
	/* It was another one's, or became that: perhaps in the midst of it. */
	if (read_seqcount_retry(&found->seq, sequence) || READ_ONCE(found->group) != group) {
		throttles->n = 0;
		throttles->cut = true;
	}
}
SP_EXPORT_FOR_KUNIT(sp_throttle_log_find);

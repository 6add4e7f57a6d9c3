// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_ring: who ran on a CPU lately, and to whom a wait for that CPU is put down.
 *
 * A segment ends where the next one begins, so there is nothing between two. A moment of a
 * wait belongs to the newest segment that began by then. That is so whatever clocks do: a
 * segment that seems to begin after its successor gets nothing, and the parts of a wait are
 * the wait, to the nanosecond. While a task was throttled nobody else is to blame.
 *
 * It knows neither tasks nor a clock. No lock: a ring belongs to its CPU; readers copy it.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "lib/export.h"
#include "lib/run_ring.h"

/* As they are told, where it is no task. */
const char *const sp_culprit_names[SP_CULPRITS] = {
	[SP_CULPRIT_IDLE] = "[idle]",
	[SP_CULPRIT_INTERRUPTS] = "[interrupts]",
	[SP_CULPRIT_OTHER_CPU] = "[other cpu]",
	[SP_CULPRIT_THROTTLED] = "[throttled]",
	[SP_CULPRIT_EARLIER] = "[earlier]",
	[SP_CULPRIT_EXITED] = "[exited]",
	[SP_CULPRIT_LOST] = "[lost]",
};

/**
 * sp_run_ring_clear() - nothing is known of what ran
 * @ring: the ring
 */
void sp_run_ring_clear(struct sp_run_ring *ring)
{
	unsigned int i;

	ring->newest = 0;
	/* They begin after all that is asked for. */
	for (i = 0; i < SP_RUNS; i++)
		ring->run[i] = (struct sp_run) { .who = SP_CULPRIT_EARLIER, .since = U64_MAX };
}
SP_EXPORT_FOR_KUNIT(sp_run_ring_clear);

/* The last part that is left, if the task was throttled then. */
static bool next_throttled(struct sp_run_walk *walk, struct sp_share *share)
{
	const struct sp_throttle *throttle;

	for (; walk->throttle < walk->throttles->n; walk->throttle++) {
		throttle = &walk->throttles->list[walk->throttle];
		if (throttle->to < walk->to)
			return false;
		if (throttle->from >= walk->to)
			continue;
		*share = (struct sp_share) {
			.who = SP_CULPRIT_THROTTLED, .to = walk->to,
			.from = max(throttle->from, walk->moved),
		};
		walk->to = share->from;
		walk->cut = true;
		return share->from < share->to;
	}
	return false;
}

/* ns; behind that it was not throttled. 0: nor before */
static u64 throttled_until(const struct sp_run_walk *walk)
{
	if (likely(!walk->throttles) || walk->throttle == walk->throttles->n)
		return 0;
	return walk->throttles->list[walk->throttle].to;
}

/* What no segment covers: before the oldest one, and before the task came to this CPU. */
static bool next_uncovered(struct sp_run_walk *walk, struct sp_share *share)
{
	share->to = walk->to;
	share->foreign = 0;
	share->comm = NULL;
	if (walk->to > walk->moved) {
		share->who = SP_CULPRIT_EARLIER;
		share->from = max(walk->moved, throttled_until(walk));
	} else {
		share->who = SP_CULPRIT_OTHER_CPU;
		share->from = walk->from;
	}
	walk->to = share->from;
	return share->from < share->to;
}

/*
 * What they had from the one moment to the other. Where tellers were armed anew in between,
 * or a stamp is of another wait, it may seem less than nothing, or more than there was time.
 */
static u64 split(struct sp_run_walk *walk, const struct sp_run *run, u64 length)
{
	u64 begin = run->since < walk->moved ? walk->foreign_moved : run->foreign;
	u64 end = walk->foreign_to;

	walk->foreign_to = begin;
	/* Some of it came while the task was throttled. */
	if (unlikely(walk->cut)) {
		walk->cut = false;
		return 0;
	}
	return end > begin ? min(end - begin, length) : 0;
}

/**
 * sp_run_walk_next() - the next part of a wait, the last one comes first
 * @walk: from sp_run_walk()
 * @share: filled; never empty
 *
 * At most SP_RUNS + 2 of them, and two more for each time that it was throttled. Of a segment
 * with such a time in it, what interrupts had is not told apart.
 *
 * Return: false if there is none any more.
 */
bool sp_run_walk_next(struct sp_run_walk *walk, struct sp_share *share)
{
	while (walk->to > walk->moved) {
		const struct sp_run *run;
		u64 since, until;

		if (unlikely(walk->throttles) && next_throttled(walk, share))
			return true;
		if (!walk->left)
			break;
		run = &walk->ring->run[walk->at % SP_RUNS];
		since = max(run->since, walk->moved);
		until = throttled_until(walk);
		if (unlikely(since >= walk->to)) {
			walk->at--;
			walk->left--;
			continue;
		}
		share->who = run->who;
		share->comm = run->comm;
		share->from = max(since, until);
		share->to = walk->to;
		share->foreign = 0;
		walk->to = share->from;
		/* A part of the segment is left then. */
		if (unlikely(since < until))
			return true;
		walk->at--;
		walk->left--;
		if (unlikely(walk->splits))
			share->foreign = split(walk, run, share->to - share->from);
		return true;
	}
	return next_uncovered(walk, share);
}
SP_EXPORT_FOR_KUNIT(sp_run_walk_next);

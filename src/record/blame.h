/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who ran while a task waited for a CPU: what the books have as that wait, split by the ring
 * of the CPU (lib/run_ring.h). Rows are entries of a tally, by thread and culprit.
 *
 * In hooks: written by the CPU that switches the waiter, with interrupts off. Readers and
 * sp_blame_compact() hold the recording's reading mutex.
 */
#ifndef SP_RECORD_BLAME_H
#define SP_RECORD_BLAME_H

#include "lib/run_ring.h"
#include "record/interval.h"
#include "record/recording.h"
#include "task/percpu.h"
#include "task/throttle.h"

/* Of one thread of a recording. */
struct sp_blamed {
	/* The newest first, linked by their other. */
	struct sp_entry *rows;
	struct sp_entry *last;	/* where its last share was added; what follows is a guess */
	struct sp_sum lost;	/* shares without room */
	struct sp_sum exited;	/* of rows whose culprits are gone; under reading */
};

/* Serials of tasks that are gone, in order, shifted by a bit that says: not to be merged yet. */
struct sp_blame_gone {
	u32 count;
	u64 who[];
};

u64 sp_blame_bytes(const struct sp_config *config);
int sp_blame_init(struct sp_recording *recording);
void sp_blame_destroy(struct sp_recording *recording);
void sp_blame_wait(struct sp_recording *recording, u32 number, struct sp_run_walk *walk,
		   u64 length);
void sp_blame_find_gone(struct sp_recording *recording, const unsigned long *over,
			struct sp_blame_gone *gone);
u32 sp_blame_keep(const struct sp_recording *recording, unsigned long *over,
		  struct sp_blame_gone *gone);
void sp_blame_compact(struct sp_recording *recording, const unsigned long *over,
		      const struct sp_blame_gone *gone, unsigned long *removed);

/* The key of a row names no stacks: the culprit is in their place. */
static inline u64 sp_blame_who(const struct sp_key *key)
{
	return (u64)key->user << 32 | key->kernel;
}

/**
 * sp_blame_walk() - begin to split the wait that ends now
 * @ring: of the CPU that the task waited for
 * @came: it has come in there
 * @st: the task's clock, or a copy
 * @clock: what is in it, as it was before the task came in
 * @woken: ns; when it was woken
 * @now: ns
 * @begin: ns; what was before is not the recording's
 */
static __always_inline struct sp_run_walk
sp_blame_walk(const struct sp_run_ring *ring, bool came, const struct sp_task *st,
	      const struct sp_clock *clock, u64 woken, u64 now, u64 begin)
{
	u64 from = clock->out_ts;

	now = max(now, from);
	if (clock->phase == SP_PHASE_ASLEEP)
		from = woken ? clamp(woken, from, now) : now;
	return sp_run_walk(ring, came, clamp(begin, from, now), READ_ONCE(st->moved), now);
}

/**
 * sp_blame_throttled() - when the task could not run is nobody else's
 * @walk: from sp_blame_walk(), for a task that came in
 * @throttles: of this CPU
 * @st: the task's clock
 * @clock: what is in it, as it was before the task came in
 * @woken: ns; when it was woken
 */
static __always_inline void sp_blame_throttled(struct sp_run_walk *walk,
					       struct sp_throttles *throttles,
					       const struct sp_task *st,
					       const struct sp_clock *clock, u64 woken)
{
	u64 since = clock->out_ts;

	if (clock->phase == SP_PHASE_ASLEEP)
		since = max(since, woken);
	walk->throttles = sp_throttle_of(throttles, st, clock, since);
}

/**
 * sp_blame_split() - what interrupts had of the wait is theirs
 * @walk: from sp_blame_walk()
 * @st: the same task's
 * @foreign: ns; what they had taken of the CPU's time when the wait ended
 *
 * Where a wait began at a switch there, the ring has what they had taken by then; else who woke
 * the task, or moved it, looked.
 */
static __always_inline void sp_blame_split(struct sp_run_walk *walk, const struct sp_task *st,
					   u64 foreign)
{
	bool noted = READ_ONCE(st->waits_since) == walk->moved;

	/* Pairs with sp_cpu_note_wait(). */
	smp_rmb();
	sp_run_walk_split(walk, noted ? READ_ONCE(st->waits_foreign) : SP_RUN_UNKNOWN, foreign);
}

/* Less what interrupts had of it, which is told at the end. */
static __always_inline u64 sp_blame_length(const struct sp_recording *recording,
					   struct sp_run_walk *walk,
					   const struct sp_share *share, u64 left)
{
	const enum sp_clock_id clock_id = recording->config.clock;
	u64 length = share->to - share->from, foreign = share->foreign;

	if (unlikely(clock_id != SP_CLOCK_MONO)) {
		length = sp_time_by(clock_id, share->to) - sp_time_by(clock_id, share->from);
		foreign = sp_clock_id_of_ns(clock_id, foreign);
	}
	length = min(length, left);
	foreign = min(foreign, length);
	walk->foreign += foreign;
	return length - foreign;
}

/**
 * sp_blame_next() - the next share of a wait, by the recording's clock
 * @recording: the recording
 * @walk: as sp_run_walk_next()
 * @left: what the books have as that wait, less the shares before
 * @share: filled; from and to in ns
 * @length: filled; in the unit of the recording's clock, not 0
 *
 * What the clock tells may be more than is booked, if the time went back. It is less then.
 *
 * Return: false if there is none any more.
 */
static __always_inline bool sp_blame_next(const struct sp_recording *recording,
					  struct sp_run_walk *walk, u64 *left,
					  struct sp_share *share, u64 *length)
{
	/* All that is left but what the parts so far have of interrupts. */
	while (*left > walk->foreign && sp_run_walk_next(walk, share)) {
		*length = sp_blame_length(recording, walk, share, *left - walk->foreign);
		*left -= *length;
		if (likely(*length))
			return true;
	}
	if (!*left)
		return false;
	share->who = SP_CULPRIT_EARLIER;
	*length = *left - walk->foreign;
	if (!*length) {
		share->who = SP_CULPRIT_INTERRUPTS;
		swap(*length, walk->foreign);
	}
	share->from = walk->to;
	share->to = walk->to;
	*left -= *length;
	return true;
}

#endif

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
 * sp_blame_next() - the next share of a wait, by the recording's clock
 * @recording: the recording
 * @walk: as sp_run_walk_next()
 * @left: what the books have as that wait, less the shares before; 0 at the end
 * @share: filled; from and to in ns
 * @length: filled; in the unit of the recording's clock
 *
 * What the clock tells may be more than is booked, if the time went back. It is less then.
 *
 * Return: false if there is none any more.
 */
static __always_inline bool sp_blame_next(const struct sp_recording *recording,
					  struct sp_run_walk *walk, u64 *left,
					  struct sp_share *share, u64 *length)
{
	const enum sp_clock_id clock_id = recording->config.clock;

	if (!*left)
		return false;
	if (likely(sp_run_walk_next(walk, share))) {
		*length = share->to - share->from;
		if (unlikely(clock_id != SP_CLOCK_MONO))
			*length = sp_time_by(clock_id, share->to) -
				  sp_time_by(clock_id, share->from);
		*length = min(*length, *left);
	} else {
		share->who = SP_CULPRIT_EARLIER;
		share->from = walk->to;
		share->to = walk->to;
		*length = *left;
	}
	*left -= *length;
	return true;
}

#endif

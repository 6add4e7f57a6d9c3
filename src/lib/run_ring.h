/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_RUN_RING_H
#define SP_LIB_RUN_RING_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

#include "lib/throttle.h"

/* Segments that a CPU remembers. A power of two. */
#define SP_RUNS	64U
/* Names are so long, with a 0 at the end: as the kernel's. */
#define SP_RUN_COMM	16

/*
 * Who ran, or what else a wait is put down to. What is not below is the serial of a
 * task's clock, which no other task ever has (task/task_table.c).
 */
enum sp_culprit {
	SP_CULPRIT_IDLE,	/* the CPU idled */
	SP_CULPRIT_INTERRUPTS,
	SP_CULPRIT_OTHER_CPU,	/* it waited elsewhere, before it was moved here */
	SP_CULPRIT_THROTTLED,
	SP_CULPRIT_EARLIER,	/* before the oldest segment that is remembered */
	SP_CULPRIT_EXITED,	/* tasks that are gone, and were merged */
	SP_CULPRIT_LOST,	/* tasks without room for who they are, or for the row */
	SP_CULPRITS
};

extern const char *const sp_culprit_names[SP_CULPRITS];

/* Until the next one begins, or now. */
struct sp_run {
	u64 who;		/* enum sp_culprit, or a serial */
	u64 since;		/* ns */
	u64 foreign;		/* ns; what interrupts had taken of the CPU's time by then */
	char comm[SP_RUN_COMM];	/* of a task, as it was then; after sp_run_ring_name() */
};

/* Of one CPU: written there alone, with interrupts off. */
struct sp_run_ring {
	u32 newest;
	struct sp_run run[SP_RUNS];
};

/* A part of a wait. */
struct sp_share {
	u64 who;
	u64 from, to;		/* ns */
	u64 foreign;		/* ns; of it, of interrupts, as far as that is known */
	const char *comm;	/* in the ring, if @who is a serial */
};

/* How far a wait has been split, from its end backwards. */
struct sp_run_walk {
	const struct sp_run_ring *ring;
	u32 at;			/* the segment that is next */
	u32 left;		/* so many are */
	u64 from;		/* the wait began, */
	u64 moved;		/* came to this CPU, */
	u64 to;			/* and what is left of it ends */
	/* When it could not run whoever else did; NULL: nothing is known of that. */
	const struct sp_throttles *throttles;
	u32 throttle;		/* the one that is next */
	bool cut;		/* the segment has a part in which the task was throttled */
	/* What interrupts had taken of the CPU's time by then: */
	bool splits;		/* it is asked for, */
	u64 foreign_moved;	/* at @moved; SP_RUN_UNKNOWN, */
	u64 foreign_to;		/* and at @to */
	u64 foreign;		/* of all parts so far; the walker does not touch it */
};

/* In sp_run_walk.foreign_moved: more than there can be. */
#define SP_RUN_UNKNOWN	U64_MAX

void sp_run_ring_clear(struct sp_run_ring *ring);
bool sp_run_walk_next(struct sp_run_walk *walk, struct sp_share *share);

/**
 * sp_run_ring_push() - somebody else runs from now on
 * @ring: of this CPU
 * @who: who
 * @now: ns
 * @foreign: ns; what interrupts had of the CPU's time by then, if anybody asks
 *
 * Each time it comes in, a segment begins: whoever was not seen to leave ends there.
 */
static __always_inline void sp_run_ring_push(struct sp_run_ring *ring, u64 who, u64 now,
					     u64 foreign)
{
	struct sp_run *run;

	ring->newest = (ring->newest + 1) % SP_RUNS;
	run = &ring->run[ring->newest];
	WRITE_ONCE(run->who, who);
	run->since = now;
	run->foreign = foreign;
}

/* Its name. @comm: SP_RUN_COMM bytes */
static __always_inline void sp_run_ring_name(struct sp_run_ring *ring, const char *comm)
{
	memcpy(ring->run[ring->newest].comm, comm, SP_RUN_COMM);
}

/* ns; what interrupts had taken of the CPU's time when who runs now came in. */
static inline u64 sp_run_ring_foreign(const struct sp_run_ring *ring)
{
	return ring->run[ring->newest].foreign;
}

/* Who runs here now, if it is @who, will not be known: nobody was told of it yet. */
static inline void sp_run_ring_lose(struct sp_run_ring *ring, u64 who)
{
	struct sp_run *run = &ring->run[ring->newest];

	if (run->who == who)
		WRITE_ONCE(run->who, SP_CULPRIT_LOST);
}

/**
 * sp_run_walk() - begin to split a wait
 * @ring: of the CPU for which the task waited in the end; it is not written meanwhile
 * @came: the task has come in, and is the newest there; else it waits still
 * @from: ns; when the wait began
 * @moved: ns; when the task was moved to that CPU last, or anything before @from
 * @to: ns; when the wait ended, not before @from
 */
static __always_inline struct sp_run_walk sp_run_walk(const struct sp_run_ring *ring, bool came,
						      u64 from, u64 moved, u64 to)
{
	return (struct sp_run_walk) {
		.ring = ring, .at = ring->newest - came, .left = SP_RUNS - came,
		.from = from, .moved = clamp(moved, from, to), .to = to,
	};
}

/**
 * sp_run_walk_split() - tell apart what interrupts had of each part
 * @walk: which has just begun
 * @moved: ns; what they had taken of the CPU's time when the task began to wait for that CPU.
 *	SP_RUN_UNKNOWN: then nothing is told apart of the segment in which it did
 * @to: ns; the same, when the wait ended
 */
static __always_inline void sp_run_walk_split(struct sp_run_walk *walk, u64 moved, u64 to)
{
	walk->splits = true;
	walk->foreign_moved = moved;
	walk->foreign_to = to;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_LIVE_H
#define SP_RECORD_LIVE_H

#include <linux/bitops.h>
#include <linux/bitmap.h>
#include <linux/rcupdate.h>

#include "lib/limits.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "lib/widen.h"

struct sp_cpu;

/* The recordings that hooks see; record/live.c, which alone changes it, says how. */
struct sp_lives {
	struct sp_recording __rcu *recording[SP_MAX_ENABLED];
	unsigned int end;	/* bits below may be in use */
	u32 generation;		/* of filters, even; 0: a task was never decided */
	unsigned int traits;	/* filters that ask for traits */
	unsigned int wakers;	/* recordings that want to know wakers */
	unsigned int user_stacks;	/* recordings that take user stacks */
	u64 changed;		/* ns; when what the generation is about began to change */
	u64 changing;		/* ns; since when a filter changes; 0: none does */
	unsigned int blames;	/* recordings with blame */
	u64 blamed_since;	/* ns; when the first of these became one */
};

extern struct sp_lives sp_lives;

int sp_live_add(struct sp_recording *recording);
void sp_live_del(struct sp_recording *recording);
void sp_live_change_begin(void);
void sp_live_change_end(struct sp_recording *recording);
void sp_live_walk_anew(u64 from, u64 last);
void sp_live_take_bounds(struct sp_recording *recording);
u64 sp_live_watched_since(const struct sp_recording *recording, const struct sp_task *copy);
void sp_live_inherit(struct sp_task *st, struct task_struct *parent);
void sp_live_forget_waker(struct task_struct *task);
void sp_live_decide(struct sp_task *st, struct task_struct *task);
void sp_live_refresh(struct sp_task *st, struct task_struct *task);
struct sp_recording *sp_live_get(unsigned int bit);
struct sp_task *sp_live_current(struct sp_cpu *cpu);
bool sp_live_knows(struct task_struct *task);
bool sp_live_wants(const struct sp_recording *recording, struct task_struct *task);

/* Bits at and above are not in use. */
static inline unsigned int sp_live_end(void)
{
	return READ_ONCE(sp_lives.end);
}

static inline struct sp_recording *sp_live(unsigned int bit)
{
	return rcu_dereference_sched(sp_lives.recording[bit]);
}

/* Does any recording want to know who wakes? */
static inline bool sp_live_follows_wakers(void)
{
	return READ_ONCE(sp_lives.wakers);
}

/* Does any recording take user stacks? */
static inline bool sp_live_takes_user_stacks(void)
{
	return READ_ONCE(sp_lives.user_stacks);
}

/* Have filters changed since they were asked? */
static inline bool sp_live_outdated(const struct sp_task *st)
{
	/* Pairs with next_generation_locked(). */
	u32 generation = smp_load_acquire(&sp_lives.generation);

	return (READ_ONCE(st->filter_gen) & ~SP_LIVE_ASKED) != generation;
}

/**
 * sp_live_stale() - must sp_live_decide() be called first?
 * @st: the clock of a task
 * @task: the task
 *
 * Filters changed; or some of them ask for traits, and the task's have.
 *
 * Context: a hook on the CPU of @task.
 */
static __always_inline bool sp_live_stale(const struct sp_task *st, struct task_struct *task)
{
	/* Pairs with next_generation_locked(). */
	u32 generation = smp_load_acquire(&sp_lives.generation);

	/* One comparison for all, as long as no filter asks for traits. */
	return unlikely(READ_ONCE(st->filter_gen) != generation) &&
	       (sp_live_outdated(st) || sp_look_changed(&st->look, task));
}

/**
 * sp_live_begin() - from when on does a recording watch a task?
 * @recording: a live one that wants the task
 * @st: the task's clock, or a copy of it
 *
 * Return: ns; when it began, or when its filter let the task in that was away then.
 */
static __always_inline u64 sp_live_begin(const struct sp_recording *recording,
					 const struct sp_task *st)
{
	u64 begin = recording->begin.ns;

	if (unlikely(st->has_fresh) && test_bit(recording->bit, st->fresh))
		return max(begin, st->wanted_since);
	return begin;
}

/**
 * sp_live_missed_since() - from when on is it not known what a task did, until it came in?
 * @begin: ns; when its recording began to watch it
 * @st: its clock, or a copy of it
 * @at: ns; up to when its time was handed on
 *
 * Return: ns; if the task came in before that, nothing was missed.
 */
static inline u64 sp_live_missed_since(u64 begin, const struct sp_task *st, u64 at)
{
	return max3(begin, at, st->born);
}

/* The recordings that want a task, one after the other. */
struct sp_wanting {
	const unsigned long *match;
	unsigned int word;
	unsigned int words;
	unsigned long bits;	/* of the word, those that are to come */
};

static __always_inline struct sp_wanting sp_wanting(const struct sp_task *st)
{
	return (struct sp_wanting) {
		.match = st->match,
		.words = BITS_TO_LONGS(sp_live_end()),
		.bits = st->match[0],
	};
}

/* NULL: there is none any more. */
static __always_inline struct sp_recording *sp_next_wanting(struct sp_wanting *wanting)
{
	struct sp_recording *recording;
	unsigned int bit;

	for (;;) {
		while (!wanting->bits) {
			if (++wanting->word >= wanting->words)
				return NULL;
			wanting->bits = wanting->match[wanting->word];
		}
		bit = wanting->word * BITS_PER_LONG + __ffs(wanting->bits);
		wanting->bits &= wanting->bits - 1;
		recording = sp_live(bit);
		sp_window();
		/* It may just have been taken out. */
		if (likely(recording))
			return recording;
	}
}

#endif

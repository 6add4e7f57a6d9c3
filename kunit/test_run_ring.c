// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the ring of run segments: the parts of a wait are the wait, and each moment of it
 * is put down to who a naive model says, whatever the clocks do.
 *
 * Run: make kunit
 */
#include <linux/slab.h>

#include "lib/run_ring.h"
#include "suites.h"

#define SEQUENCES	1000000
/* Nanoseconds of the longest random wait. */
#define LONGEST		40
#define HOG	1000
#define OTHER	1001
#define ME	1002

/* All that was ever pushed lately, and not in a ring. */
#define HISTORY	(2 * SP_RUNS)

struct model {
	u32 count;
	struct sp_run run[HISTORY];
};

/* Where interrupts do not matter. */
static void push(struct sp_run_ring *ring, u64 who, u64 since)
{
	sp_run_ring_push(ring, who, since, 0);
}

static void push_both(struct sp_run_ring *ring, struct model *model, u64 who, u64 since,
		      u64 foreign)
{
	sp_run_ring_push(ring, who, since, foreign);
	if (model->count == HISTORY) {
		memmove(model->run, model->run + SP_RUNS, SP_RUNS * sizeof(model->run[0]));
		model->count = SP_RUNS;
	}
	model->run[model->count++] = (struct sp_run) { who, since, foreign };
}

/* Who has that moment? One at a time, over all that was pushed. */
static u64 owner_of(const struct model *model, bool came, u64 moved, u64 at)
{
	u32 i, end = model->count - came, first = 0;

	if (at < moved)
		return SP_CULPRIT_OTHER_CPU;
	if (model->count > SP_RUNS)
		first = model->count - SP_RUNS;
	for (i = end; i > first; i--)
		if (model->run[i - 1].since <= at)
			return model->run[i - 1].who;
	return SP_CULPRIT_EARLIER;
}

static void expect_share(struct kunit *test, struct sp_run_walk *walk, u64 who, u64 from, u64 to)
{
	struct sp_share share;

	KUNIT_ASSERT_TRUE(test, sp_run_walk_next(walk, &share));
	KUNIT_EXPECT_EQ(test, share.who, who);
	KUNIT_EXPECT_EQ(test, share.from, from);
	KUNIT_EXPECT_EQ(test, share.to, to);
	KUNIT_EXPECT_EQ(test, share.foreign, 0);
}

/* The same, of which interrupts had a part. */
static void expect_split(struct kunit *test, struct sp_run_walk *walk, u64 who, u64 length,
			 u64 foreign)
{
	struct sp_share share;

	KUNIT_ASSERT_TRUE(test, sp_run_walk_next(walk, &share));
	KUNIT_EXPECT_EQ(test, share.who, who);
	KUNIT_EXPECT_EQ(test, share.to - share.from, length);
	KUNIT_EXPECT_EQ(test, share.foreign, foreign);
}

static void expect_end(struct kunit *test, struct sp_run_walk *walk)
{
	struct sp_share share;

	KUNIT_EXPECT_FALSE(test, sp_run_walk_next(walk, &share));
	KUNIT_EXPECT_FALSE(test, sp_run_walk_next(walk, &share));
}

static struct sp_run_ring *empty_ring(struct kunit *test)
{
	struct sp_run_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	sp_run_ring_clear(ring);
	return ring;
}

static void each_who_ran(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	push(ring, HOG, 100);
	push(ring, SP_CULPRIT_IDLE, 200);
	push(ring, OTHER, 250);
	push(ring, ME, 300);
	walk = sp_run_walk(ring, true, 150, 0, 300);
	expect_share(test, &walk, OTHER, 250, 300);
	expect_share(test, &walk, SP_CULPRIT_IDLE, 200, 250);
	expect_share(test, &walk, HOG, 150, 200);
	expect_end(test, &walk);
	/* No time at all. */
	walk = sp_run_walk(ring, true, 300, 0, 300);
	expect_end(test, &walk);
	/* It waits still, and the newest runs. */
	walk = sp_run_walk(ring, false, 290, 0, 310);
	expect_share(test, &walk, ME, 300, 310);
	expect_share(test, &walk, OTHER, 290, 300);
	expect_end(test, &walk);
}

static void what_was_before_is_earlier(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;
	u32 i;

	walk = sp_run_walk(ring, false, 10, 0, 20);
	expect_share(test, &walk, SP_CULPRIT_EARLIER, 10, 20);
	expect_end(test, &walk);
	/* One more than there is room for, each 10 long. */
	for (i = 0; i <= SP_RUNS; i++)
		push(ring, HOG + i % 2, 1000 + i * 10);
	walk = sp_run_walk(ring, true, 990, 0, 1000 + SP_RUNS * 10);
	for (i = SP_RUNS; i > 1; i--)
		expect_share(test, &walk, HOG + (i - 1) % 2, 990 + i * 10, 1000 + i * 10);
	expect_share(test, &walk, SP_CULPRIT_EARLIER, 990, 1010);
	expect_end(test, &walk);
}

static void a_move_ends_what_this_cpu_tells(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	push(ring, HOG, 100);
	push(ring, OTHER, 200);
	push(ring, ME, 300);
	walk = sp_run_walk(ring, true, 120, 150, 300);
	expect_share(test, &walk, OTHER, 200, 300);
	expect_share(test, &walk, HOG, 150, 200);
	expect_share(test, &walk, SP_CULPRIT_OTHER_CPU, 120, 150);
	expect_end(test, &walk);
	/* A stamp of another CPU, whose clock is ahead. */
	walk = sp_run_walk(ring, true, 120, 999, 300);
	expect_share(test, &walk, SP_CULPRIT_OTHER_CPU, 120, 300);
	expect_end(test, &walk);
	/* It was moved while it slept. */
	walk = sp_run_walk(ring, true, 220, 150, 300);
	expect_share(test, &walk, OTHER, 220, 300);
	expect_end(test, &walk);
}

static void clocks_that_step_lose_nothing(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	push(ring, HOG, 100);
	push(ring, OTHER, 200);
	/* It seems to begin before the one before. */
	push(ring, SP_CULPRIT_IDLE, 180);
	push(ring, ME, 300);
	walk = sp_run_walk(ring, true, 150, 0, 300);
	expect_share(test, &walk, SP_CULPRIT_IDLE, 180, 300);
	expect_share(test, &walk, HOG, 150, 180);
	expect_end(test, &walk);
}

/* Who was not seen to leave ran until it came in once more, and not before that it came first. */
static void missed_ones_hide_nobody(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	push(ring, OTHER, 100);
	push(ring, HOG, 200);
	/* Somebody else came in between. */
	push(ring, HOG, 300);
	push(ring, ME, 400);
	walk = sp_run_walk(ring, true, 150, 0, 400);
	expect_share(test, &walk, HOG, 300, 400);
	expect_share(test, &walk, HOG, 200, 300);
	expect_share(test, &walk, OTHER, 150, 200);
	expect_end(test, &walk);
}

/* Of two that nobody knows each is one: who comes in does not hide the one before. */
static void lost_ones_are_apart(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	push(ring, HOG, 100);
	push(ring, SP_CULPRIT_LOST, 200);
	push(ring, SP_CULPRIT_LOST, 300);
	walk = sp_run_walk(ring, true, 150, 0, 300);
	expect_share(test, &walk, SP_CULPRIT_LOST, 200, 300);
	expect_share(test, &walk, HOG, 150, 200);
	expect_end(test, &walk);
	/* For whom there is no room when it leaves. */
	push(ring, OTHER, 400);
	sp_run_ring_lose(ring, HOG);
	walk = sp_run_walk(ring, false, 390, 0, 410);
	expect_share(test, &walk, OTHER, 400, 410);
	expect_share(test, &walk, SP_CULPRIT_LOST, 390, 400);
	expect_end(test, &walk);
	sp_run_ring_lose(ring, OTHER);
	walk = sp_run_walk(ring, false, 400, 0, 410);
	expect_share(test, &walk, SP_CULPRIT_LOST, 400, 410);
	expect_end(test, &walk);
}

static void interrupts_are_told_apart(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	sp_run_ring_push(ring, HOG, 100, 7);
	sp_run_ring_push(ring, OTHER, 200, 30);
	sp_run_ring_push(ring, ME, 300, 31);
	/* It was preempted at 100; */
	walk = sp_run_walk(ring, true, 100, 0, 300);
	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, 31);
	expect_split(test, &walk, OTHER, 100, 1);
	expect_split(test, &walk, HOG, 100, 23);
	expect_end(test, &walk);
	/* it was woken at 150, when they had taken 12; */
	walk = sp_run_walk(ring, true, 150, 0, 300);
	sp_run_walk_split(&walk, 12, 31);
	expect_split(test, &walk, OTHER, 100, 1);
	expect_split(test, &walk, HOG, 50, 18);
	expect_end(test, &walk);
	/* or nobody knows; */
	walk = sp_run_walk(ring, true, 150, 0, 300);
	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, 31);
	expect_split(test, &walk, OTHER, 100, 1);
	expect_split(test, &walk, HOG, 50, 0);
	expect_end(test, &walk);
	/* it was moved here at 250, and what came before it waited elsewhere; */
	walk = sp_run_walk(ring, true, 150, 250, 300);
	sp_run_walk_split(&walk, 30, 31);
	expect_split(test, &walk, OTHER, 50, 1);
	expect_split(test, &walk, SP_CULPRIT_OTHER_CPU, 100, 0);
	expect_end(test, &walk);
	/* it waits still, and they had 40 by now. */
	walk = sp_run_walk(ring, false, 200, 0, 320);
	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, 40);
	expect_split(test, &walk, ME, 20, 9);
	expect_split(test, &walk, OTHER, 100, 1);
	expect_end(test, &walk);
}

/* What is told anew from 0, or of another time, is no more than there was. */
static void interrupts_have_no_more_than_there_was(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_run_walk walk;

	sp_run_ring_push(ring, HOG, 100, 5000);
	sp_run_ring_push(ring, OTHER, 200, 10);
	sp_run_ring_push(ring, ME, 300, 900);
	walk = sp_run_walk(ring, true, 100, 0, 300);
	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, 900);
	expect_split(test, &walk, OTHER, 100, 100);
	expect_split(test, &walk, HOG, 100, 0);
	expect_end(test, &walk);
}

static bool was_throttled(const struct sp_throttles *throttles, u64 at)
{
	u32 i;

	for (i = 0; i < throttles->n; i++)
		if (throttles->list[i].from <= at && at < throttles->list[i].to)
			return true;
	return false;
}

/* One wait, of which each nanosecond is asked for. */
static bool agrees(const struct sp_run_ring *ring, const struct model *model, bool came,
		   u64 from, u64 moved, const struct sp_throttles *throttles, u64 to)
{
	struct sp_run_walk walk = sp_run_walk(ring, came, from, moved, to);
	u64 end = to, at, within = clamp(moved, from, to);
	struct sp_share share;
	unsigned int n = 0;

	walk.throttles = throttles->n ? throttles : NULL;
	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, sp_run_ring_foreign(ring));
	while (sp_run_walk_next(&walk, &share)) {
		if (share.to != end || share.from >= share.to ||
		    ++n > SP_RUNS + 2 + 2 * throttles->n ||
		    share.foreign > share.to - share.from)
			return false;
		for (at = share.from; at < share.to; at++)
			if (share.who != (at >= within && was_throttled(throttles, at) ?
					  SP_CULPRIT_THROTTLED :
					  owner_of(model, came, within, at)))
				return false;
		end = share.from;
	}
	return end == from;
}

/* Some times of those of a wait, now and then. */
static void throttle_some(struct sp_throttles *throttles, u64 from, u64 to,
			  struct rnd_state *random)
{
	u32 i;

	throttles->n = 0;
	for (i = sp_random_below(random, 8); i < 4; i++) {
		u64 begin = from + sp_random_below(random, to - from);

		sp_throttles_add(throttles, begin, begin + sp_random_below(random, 8));
	}
}

/* Segments of a few ns, or none, on clocks that go back now and then. */
static void random_waits_are_as_in_the_model(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	const struct sp_throttles never = { };
	u64 now = 1000, who = 0, last = SP_CULPRIT_EARLIER;
	struct sp_throttles throttles = { };
	struct rnd_state random;
	u32 sequence, sequences = sp_rounds(SEQUENCES);

	KUNIT_ASSERT_NOT_NULL(test, model);
	sp_random_start(test, &random);
	for (sequence = 0; sequence < sequences; sequence++) {
		u32 bits = prandom_u32_state(&random);
		u64 from, moved;

		if (!(bits & 0xfff)) {
			sp_run_ring_clear(ring);
			model->count = 0;
			last = SP_CULPRIT_EARLIER;
		}
		now += (bits >> 12 & 0xf) < 13 ? bits >> 16 & 7 : 0;
		if (!(bits >> 20 & 0x3f))
			now -= bits >> 26 & 0xf;
		do
			who = sp_random_below(&random, 4) ?
			      HOG + sp_random_below(&random, 5) : SP_CULPRIT_IDLE;
		while (who == last);
		last = who;
		push_both(ring, model, who, now, sp_random_below(&random, 100));
		from = now - sp_random_below(&random, LONGEST);
		moved = from + sp_random_below(&random, 2 * LONGEST) - LONGEST;
		moved = bits & 0x800000 ? moved : 0;
		/* Also before it came to that CPU, and behind its end. */
		throttle_some(&throttles, from - 8, now + 8, &random);
		if (!agrees(ring, model, true, from, moved, &throttles, now) ||
		    !agrees(ring, model, false, from, 0, &never, now + 3)) {
			KUNIT_FAIL(test, "sequence %u: from %llu moved %llu to %llu", sequence,
				   from, moved, now);
			return;
		}
		if (!(sequence % 4096))
			cond_resched();
	}
}

/* Whether an interrupt had that nanosecond: in no order that segments could have. */
static bool had(u64 at)
{
	return (u32)(at * 2654435761u) >> 30 == 0;
}

static u64 had_of(u64 from, u64 to)
{
	u64 n = 0;

	for (; from < to; from++)
		n += had(from);
	return n;
}

/*
 * One wait, of which each nanosecond is asked for. Of the segment in which it began, or the task
 * was moved, it is told only if somebody looked then.
 */
static bool splits(const struct sp_run_ring *ring, const struct model *model, bool came,
		   u64 from, u64 moved, bool looked, u64 base, u64 to)
{
	struct sp_run_walk walk = sp_run_walk(ring, came, from, moved, to);
	u64 begin = clamp(moved, from, to), want;
	bool at_switch = false;
	struct sp_share share;
	u32 i;

	for (i = model->count > SP_RUNS ? model->count - SP_RUNS : 0; i < model->count; i++)
		at_switch |= model->run[i].since == begin;
	sp_run_walk_split(&walk, looked ? base + had_of(0, begin) : SP_RUN_UNKNOWN,
			  base + had_of(0, to));
	while (sp_run_walk_next(&walk, &share)) {
		/* Of what is not in the wait, there may be too many to ask for each. */
		if (share.from < from || share.from > share.to || share.to > to)
			return false;
		want = had_of(share.from, share.to);
		if (share.who == SP_CULPRIT_OTHER_CPU || share.who == SP_CULPRIT_EARLIER ||
		    (share.from == begin && !looked && !at_switch))
			want = 0;
		if (share.foreign != want)
			return false;
	}
	return true;
}

static void interrupts_are_as_in_the_model(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	u64 now = 0, from, moved, base;
	struct rnd_state random;
	u32 rounds = sp_rounds(2000), round, i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	sp_random_start(test, &random);
	for (round = 0; round < rounds; round++) {
		sp_run_ring_clear(ring);
		model->count = 0;
		/* All times are counted from 0, in each wait: so they are short. */
		now = 100;
		base = sp_random_below(&random, 1000000);
		for (i = 0; i < 100; i++) {
			now += 1 + sp_random_below(&random, 7);
			push_both(ring, model, HOG + sp_random_below(&random, 5), now,
				  base + had_of(0, now));
			from = now - sp_random_below(&random, LONGEST);
			moved = sp_random_below(&random, 2) ? 0 :
				from + sp_random_below(&random, LONGEST) - LONGEST / 2;
			if (splits(ring, model, true, from, moved, i & 1, base, now) &&
			    splits(ring, model, false, from, 0, i & 1, base, now + 3))
				continue;
			KUNIT_FAIL(test, "round %u, %u: from %llu moved %llu to %llu", round, i,
				   from, moved, now);
			return;
		}
		cond_resched();
	}
}

/* Nobody ran in a time that the task was throttled, as far as it is concerned. */
static void nobody_is_blamed_while_throttled(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct sp_throttles throttles = { };
	struct sp_run_walk walk;

	push(ring, HOG, 100);
	push(ring, OTHER, 200);
	push(ring, SP_CULPRIT_IDLE, 240);
	push(ring, ME, 300);
	sp_throttles_add(&throttles, 120, 130);
	sp_throttles_add(&throttles, 190, 260);
	walk = sp_run_walk(ring, true, 110, 0, 300);
	walk.throttles = &throttles;
	expect_share(test, &walk, SP_CULPRIT_IDLE, 260, 300);
	expect_share(test, &walk, SP_CULPRIT_THROTTLED, 190, 260);
	expect_share(test, &walk, HOG, 130, 190);
	expect_share(test, &walk, SP_CULPRIT_THROTTLED, 120, 130);
	expect_share(test, &walk, HOG, 110, 120);
	expect_end(test, &walk);

	/* All along, and before anything is known. */
	throttles.n = 0;
	sp_throttles_add(&throttles, 20, 80);
	sp_throttles_add(&throttles, 90, 300);
	walk = sp_run_walk(ring, true, 10, 0, 300);
	walk.throttles = &throttles;
	expect_share(test, &walk, SP_CULPRIT_THROTTLED, 90, 300);
	expect_share(test, &walk, SP_CULPRIT_EARLIER, 80, 90);
	expect_share(test, &walk, SP_CULPRIT_THROTTLED, 20, 80);
	expect_share(test, &walk, SP_CULPRIT_EARLIER, 10, 20);
	expect_end(test, &walk);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_who_ran),
	KUNIT_CASE(what_was_before_is_earlier),
	KUNIT_CASE(a_move_ends_what_this_cpu_tells),
	KUNIT_CASE(clocks_that_step_lose_nothing),
	KUNIT_CASE(missed_ones_hide_nobody),
	KUNIT_CASE(lost_ones_are_apart),
	KUNIT_CASE(interrupts_are_told_apart),
	KUNIT_CASE(interrupts_have_no_more_than_there_was),
	KUNIT_CASE(nobody_is_blamed_while_throttled),
	KUNIT_CASE(random_waits_are_as_in_the_model),
	KUNIT_CASE(interrupts_are_as_in_the_model),
	{ }
};

struct kunit_suite sp_run_ring_suite = {
	.name = "schedprof_run_ring",
	.test_cases = cases,
};

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

static void push_both(struct sp_run_ring *ring, struct model *model, u64 who, u64 since)
{
	sp_run_ring_push(ring, who, since);
	if (model->count == HISTORY) {
		memmove(model->run, model->run + SP_RUNS, SP_RUNS * sizeof(model->run[0]));
		model->count = SP_RUNS;
	}
	model->run[model->count++] = (struct sp_run) { who, since };
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

	sp_run_ring_push(ring, HOG, 100);
	sp_run_ring_push(ring, SP_CULPRIT_IDLE, 200);
	sp_run_ring_push(ring, OTHER, 250);
	sp_run_ring_push(ring, ME, 300);
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
		sp_run_ring_push(ring, HOG + i % 2, 1000 + i * 10);
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

	sp_run_ring_push(ring, HOG, 100);
	sp_run_ring_push(ring, OTHER, 200);
	sp_run_ring_push(ring, ME, 300);
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

	sp_run_ring_push(ring, HOG, 100);
	sp_run_ring_push(ring, OTHER, 200);
	/* It seems to begin before the one before. */
	sp_run_ring_push(ring, SP_CULPRIT_IDLE, 180);
	sp_run_ring_push(ring, ME, 300);
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

	sp_run_ring_push(ring, OTHER, 100);
	sp_run_ring_push(ring, HOG, 200);
	/* Somebody else came in between. */
	sp_run_ring_push(ring, HOG, 300);
	sp_run_ring_push(ring, ME, 400);
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

	sp_run_ring_push(ring, HOG, 100);
	sp_run_ring_push(ring, SP_CULPRIT_LOST, 200);
	sp_run_ring_push(ring, SP_CULPRIT_LOST, 300);
	walk = sp_run_walk(ring, true, 150, 0, 300);
	expect_share(test, &walk, SP_CULPRIT_LOST, 200, 300);
	expect_share(test, &walk, HOG, 150, 200);
	expect_end(test, &walk);
	/* For whom there is no room when it leaves. */
	sp_run_ring_push(ring, OTHER, 400);
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

/* One wait, of which each nanosecond is asked for. */
static bool agrees(struct kunit *test, const struct sp_run_ring *ring, const struct model *model,
		   bool came, u64 from, u64 moved, u64 to)
{
	struct sp_run_walk walk = sp_run_walk(ring, came, from, moved, to);
	u64 end = to, at, within = clamp(moved, from, to);
	struct sp_share share;
	unsigned int n = 0;

	while (sp_run_walk_next(&walk, &share)) {
		if (share.to != end || share.from >= share.to || ++n > SP_RUNS + 2)
			return false;
		for (at = share.from; at < share.to; at++)
			if (owner_of(model, came, within, at) != share.who)
				return false;
		end = share.from;
	}
	return end == from;
}

/* Segments of a few ns, or none, on clocks that go back now and then. */
static void random_waits_are_as_in_the_model(struct kunit *test)
{
	struct sp_run_ring *ring = empty_ring(test);
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	u64 now = 1000, who = 0, last = SP_CULPRIT_EARLIER;
	struct rnd_state random;
	u32 sequence;

	KUNIT_ASSERT_NOT_NULL(test, model);
	sp_random_start(test, &random);
	for (sequence = 0; sequence < SEQUENCES; sequence++) {
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
		push_both(ring, model, who, now);
		from = now - sp_random_below(&random, LONGEST);
		moved = from + sp_random_below(&random, 2 * LONGEST) - LONGEST;
		if (!agrees(test, ring, model, true, from, bits & 0x800000 ? moved : 0, now) ||
		    !agrees(test, ring, model, false, from, 0, now + 3)) {
			KUNIT_FAIL(test, "sequence %u: from %llu moved %llu to %llu", sequence,
				   from, moved, now);
			return;
		}
		if (!(sequence % 4096))
			cond_resched();
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_who_ran),
	KUNIT_CASE(what_was_before_is_earlier),
	KUNIT_CASE(a_move_ends_what_this_cpu_tells),
	KUNIT_CASE(clocks_that_step_lose_nothing),
	KUNIT_CASE(missed_ones_hide_nobody),
	KUNIT_CASE(lost_ones_are_apart),
	KUNIT_CASE(random_waits_are_as_in_the_model),
	{ }
};

struct kunit_suite sp_run_ring_suite = {
	.name = "schedprof_run_ring",
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the pool: all that it has is handed out, and no more, wherever it was given back;
 * whoever finds it empty waits for no lock; what is retired is not handed out before it is
 * recycled; and with several threads nobody has what another one has.
 *
 * Run: make kunit
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "crew.h"
#include "lib/memory.h"
#include "lib/pool.h"
#include "suites.h"

#define CREW		6
#define HOLD		40	/* items that a member may have */
#define TURNS		20000
#define PATIENCE	(60 * HZ)
#define MODEL_ITEMS	150
#define MODEL_STEPS	20000

/* The link is not at its beginning, and what is around it is the owner's. */
struct item {
	u32 before;
	u32 link;
	u32 after;
};

struct member {
	struct rnd_state random;
	u32 item[HOLD];
	u32 held, taken, refused, wrong;
};

struct fixture {
	struct sp_pool pool;
	struct item *items;
	atomic_t *owner;	/* of each item: a member, counted from 1; 0: nobody */
	struct member member[CREW];
	atomic_t busy;
};

static int set_up(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void stop(struct fixture *f)
{
	sp_pool_destroy(&f->pool);
	vfree(f->items);
	vfree(f->owner);
	f->items = NULL;
	f->owner = NULL;
}

static void tear_down(struct kunit *test)
{
	if (test->priv)
		stop(test->priv);
}

static void start(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;

	stop(f);
	f->items = sp_alloc(max * sizeof(*f->items));
	f->owner = sp_alloc(max * sizeof(*f->owner));
	KUNIT_ASSERT_TRUE(test, f->items && f->owner);
	KUNIT_ASSERT_EQ(test, sp_pool_init(&f->pool, max, SP_POOL_OF(f->items, link)), 0);
}

/* From parts all over: whatever part it is for, whoever comes gets one as long as there is one. */
static void hand_out_all(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;
	unsigned int round;
	u32 i, at;

	start(test, max);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < max; i++) {
			at = sp_pool_take(&f->pool, (i * 7 + round) % SP_PARTS);
			KUNIT_ASSERT_LT(test, at, max);
			KUNIT_ASSERT_EQ(test, atomic_xchg(&f->owner[at], 1), 0);
			if (!round)
				KUNIT_ASSERT_EQ(test, sp_pool_end(&f->pool), i + 1);
			KUNIT_ASSERT_EQ(test, sp_pool_count(&f->pool), i + 1);
		}
		for (at = 0; at < SP_PARTS; at++)
			KUNIT_ASSERT_EQ(test, sp_pool_take(&f->pool, at), SP_POOL_NONE);
		KUNIT_ASSERT_EQ(test, sp_pool_count(&f->pool), max);
		for (i = 0; i < max; i++) {
			atomic_set(&f->owner[i], 0);
			sp_pool_put(&f->pool, (i * 5 + round) % SP_PARTS, i);
		}
		KUNIT_ASSERT_EQ(test, sp_pool_count(&f->pool), 0U);
		KUNIT_ASSERT_EQ(test, sp_pool_end(&f->pool), max);
	}
}

static void sizes_at_the_edges(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, SP_PARTS - 1, SP_PARTS, SP_PARTS + 1, 1000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		hand_out_all(test, sizes[i]);
}

static void an_item_keeps_what_is_in_it(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	start(test, 3);
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, sp_pool_take(&f->pool, 9), i);
		f->items[i] = (struct item) { .before = i + 1, .after = i + 2 };
	}
	for (i = 0; i < 3; i++)
		sp_pool_put(&f->pool, i * 30, i);
	/* Its own part first, then the next ones. */
	KUNIT_EXPECT_EQ(test, sp_pool_take(&f->pool, 30), 1U);
	KUNIT_EXPECT_EQ(test, sp_pool_take(&f->pool, 30), 2U);
	KUNIT_EXPECT_EQ(test, sp_pool_take(&f->pool, 30), 0U);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, f->items[i].before, i + 1);
		KUNIT_EXPECT_EQ(test, f->items[i].after, i + 2);
	}
}

/* With a lock held here, whoever waits for it waits for ever. */
static void an_empty_pool_takes_no_lock(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned long flags;
	u32 at, i;

	start(test, 2);
	/* Also one that was given back, and taken again. */
	sp_pool_put(&f->pool, 3, sp_pool_take(&f->pool, 3));
	sp_pool_take(&f->pool, 4);
	sp_pool_take(&f->pool, 4);
	for (at = 0; at < SP_PARTS; at++) {
		raw_spin_lock_irqsave(&f->pool.parts[at].lock, flags);
		i = sp_pool_take(&f->pool, at);
		raw_spin_unlock_irqrestore(&f->pool.parts[at].lock, flags);
		KUNIT_EXPECT_EQ(test, i, SP_POOL_NONE);
	}
}

static void retire(struct fixture *f, u32 at, u32 i)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&f->pool.parts[at].lock, flags);
	sp_pool_retire_locked(&f->pool, at, i);
	raw_spin_unlock_irqrestore(&f->pool.parts[at].lock, flags);
}

/* What a naive pool knows: who has what. */
enum state { NEVER, HELD, FREE, RETIRED };

struct model {
	u8 state[MODEL_ITEMS];
	u32 count[RETIRED + 1];
};

static void set_state(struct model *model, u32 i, enum state state)
{
	model->count[model->state[i]]--;
	model->state[i] = state;
	model->count[state]++;
}

static void model_take(struct kunit *test, struct model *model, u32 at)
{
	struct fixture *f = test->priv;
	u32 i = sp_pool_take(&f->pool, at);

	if (!model->count[NEVER] && !model->count[FREE]) {
		KUNIT_ASSERT_EQ(test, i, SP_POOL_NONE);
		return;
	}
	KUNIT_ASSERT_LT(test, i, (u32)MODEL_ITEMS);
	KUNIT_ASSERT_TRUE(test, model->state[i] == NEVER || model->state[i] == FREE);
	set_state(model, i, HELD);
}

static void like_a_list_of_owners(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct rnd_state random;
	struct model *model;
	u32 step, i, at, refused = 0;

	model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, model);
	model->count[NEVER] = MODEL_ITEMS;
	start(test, MODEL_ITEMS);
	sp_random_start(test, &random);
	for (step = 0; step < MODEL_STEPS; step++) {
		at = sp_random_below(&random, SP_PARTS);
		i = sp_random_below(&random, MODEL_ITEMS);
		switch (sp_random_below(&random, 128)) {
		case 0:
			sp_pool_recycle(&f->pool);
			for (i = 0; i < MODEL_ITEMS; i++)
				if (model->state[i] == RETIRED)
					set_state(model, i, FREE);
			break;
		case 1 ... 20:
			if (model->state[i] != HELD)
				break;
			sp_pool_put(&f->pool, at, i);
			set_state(model, i, FREE);
			break;
		case 21 ... 40:
			if (model->state[i] != HELD)
				break;
			retire(f, at, i);
			set_state(model, i, RETIRED);
			break;
		default:
			refused += model->count[HELD] + model->count[RETIRED] == MODEL_ITEMS;
			model_take(test, model, at);
		}
		KUNIT_ASSERT_EQ(test, sp_pool_count(&f->pool),
				model->count[HELD] + model->count[RETIRED]);
		KUNIT_ASSERT_EQ(test, sp_pool_end(&f->pool), MODEL_ITEMS - model->count[NEVER]);
	}
	/* Else the steps were too few to get there. */
	KUNIT_EXPECT_GT(test, refused, 0U);
}

/* As in a hook. */
static bool take_one(struct fixture *f, unsigned int m, u32 at)
{
	struct member *member = &f->member[m];
	unsigned long flags;
	u32 i;

	local_irq_save(flags);
	i = sp_pool_take(&f->pool, at);
	local_irq_restore(flags);
	if (i == SP_POOL_NONE) {
		member->refused++;
		return false;
	}
	if (i >= sp_pool_end(&f->pool) || atomic_cmpxchg(&f->owner[i], 0, m + 1))
		member->wrong++;
	/* All of it is the owner's. */
	f->items[i] = (struct item) { .before = m + 1, .link = m + 1, .after = m + 1 };
	member->item[member->held++] = i;
	member->taken++;
	return true;
}

static void give_one(struct fixture *f, unsigned int m, u32 at, bool stood_on)
{
	struct member *member = &f->member[m];
	u32 which = sp_random_below(&member->random, member->held);
	u32 i = member->item[which];

	member->item[which] = member->item[--member->held];
	if (f->items[i].before != m + 1 || f->items[i].link != m + 1 ||
	    f->items[i].after != m + 1 || atomic_cmpxchg(&f->owner[i], m + 1, 0) != m + 1)
		member->wrong++;
	if (stood_on)
		retire(f, at, i);
	else
		sp_pool_put(&f->pool, at, i);
}

/* The last member recycles as long as others are at work. */
static void take_and_give(unsigned int m, void *data)
{
	struct fixture *f = data;
	struct member *member = &f->member[m];
	unsigned long end = jiffies + PATIENCE;
	u32 at;

	if (m == CREW - 1) {
		while (atomic_read(&f->busy)) {
			sp_pool_recycle(&f->pool);
			cond_resched();
		}
		return;
	}
	while (member->taken < TURNS && time_before(jiffies, end)) {
		at = prandom_u32_state(&member->random);
		if (member->held == HOLD || (member->held && at & BIT(31)))
			give_one(f, m, at % SP_PARTS, !(at >> 24 & 7));
		else if (!take_one(f, m, at % SP_PARTS) && member->held)
			give_one(f, m, at % SP_PARTS, false);
		if (!(at >> 8 & 63))
			cond_resched();
	}
	atomic_dec(&f->busy);
}

static void start_crew(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;
	unsigned int m;

	start(test, max);
	memset(f->member, 0, sizeof(f->member));
	sp_random_start(test, &f->member[0].random);
	for (m = 1; m < CREW; m++)
		prandom_seed_state(&f->member[m].random,
				   prandom_u32_state(&f->member[0].random));
	atomic_set(&f->busy, CREW - 1);
}

struct grace {
	struct sp_pool *pool;
	bool stands;		/* member 0 is where the item may be looked at; READ_ONCE */
	bool recycled;		/* by member 1; READ_ONCE */
	bool early;		/* while member 0 stood there */
};

static void stand_or_recycle(unsigned int m, void *data)
{
	struct grace *grace = data;
	unsigned int i;

	if (m) {
		while (!READ_ONCE(grace->stands))
			cond_resched();
		sp_pool_recycle(grace->pool);
		WRITE_ONCE(grace->recycled, true);
		return;
	}
	rcu_read_lock();
	WRITE_ONCE(grace->stands, true);
	for (i = 0; i < 5000; i++) {
		udelay(9);
		grace->early |= READ_ONCE(grace->recycled);
	}
	rcu_read_unlock();
}

/* Whoever found it before it was retired may stand on it. */
static void recycling_waits_for_readers(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct grace grace = { .pool = &f->pool };

	start(test, 1);
	KUNIT_ASSERT_EQ(test, sp_pool_take(&f->pool, 0), 0U);
	retire(f, 0, 0);
	sp_crew_run(test, 2, stand_or_recycle, &grace);
	KUNIT_EXPECT_TRUE(test, grace.recycled);
	KUNIT_EXPECT_FALSE(test, grace.early);
	KUNIT_EXPECT_EQ(test, sp_pool_take(&f->pool, 0), 0U);
}

/* Fewer than they would like to have. */
static void nobody_has_what_another_has(struct kunit *test)
{
	static const u32 max = 2 * HOLD;
	struct fixture *f = test->priv;
	u32 held = 0, left = 0;
	unsigned int m;

	start_crew(test, max);
	sp_crew_run(test, CREW, take_and_give, f);
	sp_pool_recycle(&f->pool);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, f->member[m].wrong, 0U);
		if (m < CREW - 1)
			KUNIT_EXPECT_EQ(test, f->member[m].taken, (u32)TURNS);
		held += f->member[m].held;
	}
	KUNIT_EXPECT_EQ(test, sp_pool_count(&f->pool), held);
	/* None got lost: the rest is still to be had. */
	while (sp_pool_take(&f->pool, left % SP_PARTS) != SP_POOL_NONE)
		left++;
	KUNIT_EXPECT_EQ(test, held + left, max);
}

static void take_as_many(unsigned int m, void *data)
{
	u32 i;

	for (i = 0; i < HOLD; i++)
		take_one(data, m, i % 3);
}

static void give_all(unsigned int m, void *data)
{
	struct fixture *f = data;

	while (f->member[m].held)
		give_one(f, m, f->member[m].held % SP_PARTS, false);
}

/* Items that nobody had before, and then such as lie in all parts. */
static void as_many_get_one_as_there_are(struct kunit *test)
{
	static const u32 max = CREW * HOLD - 17;
	struct fixture *f = test->priv;
	u32 taken, refused;
	unsigned int m, round;

	start_crew(test, max);
	for (round = 0; round < 20; round++) {
		sp_crew_run(test, CREW, take_as_many, f);
		taken = 0;
		refused = 0;
		for (m = 0; m < CREW; m++) {
			KUNIT_ASSERT_EQ(test, f->member[m].wrong, 0U);
			taken += f->member[m].held;
			refused += f->member[m].refused;
			f->member[m].refused = 0;
		}
		KUNIT_ASSERT_EQ(test, taken, max);
		KUNIT_ASSERT_EQ(test, refused, 17U);
		sp_crew_run(test, CREW, give_all, f);
		KUNIT_ASSERT_EQ(test, sp_pool_count(&f->pool), 0U);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sizes_at_the_edges),
	KUNIT_CASE(an_item_keeps_what_is_in_it),
	KUNIT_CASE(an_empty_pool_takes_no_lock),
	KUNIT_CASE(like_a_list_of_owners),
	KUNIT_CASE(nobody_has_what_another_has),
	KUNIT_CASE(as_many_get_one_as_there_are),
	KUNIT_CASE(recycling_waits_for_readers),
	{}
};

struct kunit_suite sp_pool_suite = {
	.name = "schedprof_pool",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

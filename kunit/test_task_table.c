// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the table of task clocks: a slot changes hands only after a grace period and
 * remembers nothing then, a task that takes its leader's place keeps its clock, and who
 * finds no room does not wait for the lock.
 *
 * No session may be enabled meanwhile: the table is the module's own.
 *
 * Run: make kunit
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "suites.h"
#include "task/task_table.h"

#define SLOTS 4

/* Tasks that the scheduler does not know; the table reads a few of their fields. */
struct fixture {
	struct task_struct *task[2 * SLOTS];
	bool made;
};

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	unsigned int i;

	test->priv = f;
	if (!f)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(f->task); i++) {
		f->task[i] = kvzalloc(sizeof(*f->task[i]), GFP_KERNEL);
		if (!f->task[i])
			return -ENOMEM;
		f->task[i]->start_time = 1000 + i;
	}
	f->made = !sp_task_table_init(SLOTS);
	return f->made ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	if (!f)
		return;
	for (i = 0; i < ARRAY_SIZE(f->task); i++)
		kvfree(f->task[i]);
	if (f->made)
		sp_task_table_destroy();
}

static struct sp_task *add(struct kunit *test, unsigned int i)
{
	struct fixture *f = test->priv;

	return sp_task_add(f->task[i], SP_PHASE_ON_CPU, 500);
}

static void one_clock_for_a_task(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st = add(test, 0);

	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_PTR_EQ(test, add(test, 0), st);
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[0]), st);
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[1]), (struct sp_task *)NULL);
}

/* Whoever stands on a slot that is removed goes on along its chain. */
static void chains_hold_while_slots_go(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct hlist_node *next;
	struct sp_task *st;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_ASSERT_TRUE(test, add(test, i));
	for (i = 0; i < SLOTS; i++) {
		st = sp_task_find(f->task[i]);
		KUNIT_ASSERT_TRUE(test, st);
		next = st->node.next;
		sp_task_remove(st);
		KUNIT_EXPECT_PTR_EQ(test, st->node.next, next);
		KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[i]), (struct sp_task *)NULL);
		/* There is none to spare before the grace period. */
		KUNIT_EXPECT_PTR_EQ(test, add(test, SLOTS + i), (struct sp_task *)NULL);
	}
	sp_task_table_recycle();
	for (i = 0; i < SLOTS; i++)
		KUNIT_EXPECT_TRUE(test, add(test, SLOTS + i));
	KUNIT_EXPECT_PTR_EQ(test, add(test, 0), (struct sp_task *)NULL);
}

static void slot_remembers_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st, *fresh, *again, *kept;
	u32 number, seq;
	u64 serial;

	/* What a slot is like that nobody had before. */
	fresh = kunit_kzalloc(test, sizeof(*fresh), GFP_KERNEL);
	st = add(test, 0);
	kept = kunit_kzalloc(test, sizeof(*kept), GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, fresh && kept && st);
	*fresh = *st;
	number = st->number;
	/* And one that somebody had: but for its place, which it keeps. */
	sp_task_remove(st);
	*kept = *st;
	memset(st, 0xff, sizeof(*st));
	st->node = kept->node;
	st->task = kept->task;
	st->number = kept->number;
	st->next_free = kept->next_free;
	st->seq.sequence = 42;
	seq = st->seq.sequence;
	serial = kept->serial;
	sp_task_table_recycle();
	again = add(test, 1);
	KUNIT_ASSERT_PTR_EQ(test, again, st);
	KUNIT_EXPECT_EQ(test, again->number, number);
	KUNIT_EXPECT_GT(test, again->serial, serial);
	/* A reader that had begun must see that it is another one. */
	KUNIT_EXPECT_GT(test, again->seq.sequence, seq);
	KUNIT_EXPECT_PTR_EQ(test, again->task, f->task[1]);
	/* All else is the same. */
	again->node = fresh->node;
	again->task = fresh->task;
	again->start_time = fresh->start_time;
	again->serial = fresh->serial;
	again->seq = fresh->seq;
	KUNIT_EXPECT_EQ(test, memcmp(again, fresh, sizeof(*fresh)), 0);
}

/* What exec does to a thread that is not the leader, see de_thread(). */
static void who_takes_the_place_of_its_leader_stays(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st = add(test, 1);

	KUNIT_ASSERT_TRUE(test, st);
	f->task[1]->start_time = f->task[0]->start_time;
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[1]), st);
	KUNIT_EXPECT_PTR_EQ(test, add(test, 1), st);
	/* But whoever comes to the same address later is another. */
	f->task[1]->start_time = 5000;
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[1]), (struct sp_task *)NULL);
	KUNIT_EXPECT_PTR_NE(test, add(test, 1), st);
}

/* With the lock held here, whoever waits for it waits for ever. */
static void full_table_takes_no_lock(struct kunit *test)
{
	struct sp_task *st;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_ASSERT_TRUE(test, add(test, i));
	raw_spin_lock_irqsave(sp_task_table_lock(), flags);
	st = add(test, SLOTS);
	raw_spin_unlock_irqrestore(sp_task_table_lock(), flags);
	KUNIT_EXPECT_PTR_EQ(test, st, (struct sp_task *)NULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_clock_for_a_task),
	KUNIT_CASE(chains_hold_while_slots_go),
	KUNIT_CASE(slot_remembers_nothing),
	KUNIT_CASE(who_takes_the_place_of_its_leader_stays),
	KUNIT_CASE(full_table_takes_no_lock),
	{}
};

struct kunit_suite sp_task_table_suite = {
	.name = "schedprof_task_table",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

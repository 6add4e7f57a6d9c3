// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of locks that hooks take: as long as a CPU has one, or waits for one, handlers
 * of functions do nothing there, whatever else it has; on others they go on.
 *
 * Run: make kunit
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/smp.h>

#include "crew.h"
#include "task/percpu.h"
#include "suites.h"

/* A CPU as a handler finds it. */
struct found {
	bool held;
	bool begun;		/* the handler may do its work */
};

/* Looked at with interrupts off, where nothing can be expected of it: that may sleep. */
static struct found look(void)
{
	struct sp_cpu *cpu = sp_hot_call_begin();
	struct found found = { .held = sp_lock_is_held(), .begun = cpu };

	if (cpu)
		sp_hot_call_end(cpu);
	return found;
}

static void expect_free(struct kunit *test, const struct found *found)
{
	KUNIT_EXPECT_FALSE(test, found->held);
	KUNIT_EXPECT_TRUE(test, found->begun);
}

static void expect_held(struct kunit *test, const struct found *found)
{
	KUNIT_EXPECT_TRUE(test, found->held);
	KUNIT_EXPECT_FALSE(test, found->begun);
}

static void handlers_back_off(struct kunit *test)
{
	struct found before, inside, after;
	unsigned long flags, inner;
	bool on_before, on_inside;
	raw_spinlock_t lock;

	raw_spin_lock_init(&lock);
	on_before = !irqs_disabled();
	local_irq_save(flags);
	before = look();
	sp_lock_irqsave(&lock, inner);
	inside = look();
	sp_unlock_irqrestore(&lock, inner);
	after = look();
	on_inside = !irqs_disabled();
	local_irq_restore(flags);
	expect_free(test, &before);
	expect_held(test, &inside);
	expect_free(test, &after);
	KUNIT_EXPECT_TRUE(test, on_before);
	KUNIT_EXPECT_FALSE(test, on_inside);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
}

static void until_the_last_is_given_back(struct kunit *test)
{
	unsigned long flags, first, second;
	struct found both, one, none;
	raw_spinlock_t outer, inner;

	raw_spin_lock_init(&outer);
	raw_spin_lock_init(&inner);
	local_irq_save(flags);
	sp_lock_irqsave(&outer, first);
	sp_lock_irqsave(&inner, second);
	both = look();
	sp_unlock_irqrestore(&inner, second);
	one = look();
	sp_unlock_irqrestore(&outer, first);
	none = look();
	local_irq_restore(flags);
	expect_held(test, &both);
	expect_held(test, &one);
	expect_free(test, &none);
}

/* One member has the lock, the other one wants it. */
struct contest {
	raw_spinlock_t lock;
	bool taken;		/* by member 0; READ_ONCE */
	bool together;		/* both CPUs said that they are at it */
	bool others;		/* any other said so before */
};

static bool any_other(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (cpu != smp_processor_id() && READ_ONCE(per_cpu(sp_locks_held, cpu)))
			return true;
	return false;
}

static void contend(unsigned int number, void *shared)
{
	struct contest *contest = shared;
	unsigned long flags;
	unsigned int tries;

	if (number) {
		while (!READ_ONCE(contest->taken))
			cond_resched();
		sp_lock_irqsave(&contest->lock, flags);
		sp_unlock_irqrestore(&contest->lock, flags);
		return;
	}
	sp_lock_irqsave(&contest->lock, flags);
	contest->others = any_other();
	WRITE_ONCE(contest->taken, true);
	/* What never comes must not take forever. */
	for (tries = 0; tries < 400000 && !contest->together; tries++) {
		contest->together = sp_lock_is_held() && any_other();
		udelay(5);
	}
	sp_unlock_irqrestore(&contest->lock, flags);
}

static void who_waits_is_at_it(struct kunit *test)
{
	struct contest contest;
	unsigned int tries;
	int cpu;

	if (num_online_cpus() == 1)
		kunit_skip(test, "this machine has one CPU");
	/* The host may keep the other CPU from coming in time. */
	for (tries = 0; tries < 10; tries++) {
		contest = (struct contest) { };
		raw_spin_lock_init(&contest.lock);
		sp_crew_run(test, 2, contend, &contest);
		KUNIT_EXPECT_FALSE(test, contest.others);
		if (contest.together)
			break;
	}
	KUNIT_EXPECT_TRUE(test, contest.together);
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_EQ(test, READ_ONCE(per_cpu(sp_locks_held, cpu)), 0U);
}

static void nothing_in_a_handler_nor_shut(struct kunit *test)
{
	struct found inside, hook, shut, after;
	struct sp_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = sp_hot_call_begin();
	inside = look();
	if (cpu)
		sp_hot_call_end(cpu);
	this_cpu_ptr(sp_cpu)->sequence++;
	hook = look();
	this_cpu_ptr(sp_cpu)->sequence++;
	WRITE_ONCE(sp_hot_shut, true);
	shut = look();
	WRITE_ONCE(sp_hot_shut, false);
	after = look();
	local_irq_restore(flags);
	KUNIT_EXPECT_NOT_NULL(test, cpu);
	KUNIT_EXPECT_FALSE(test, inside.begun);
	KUNIT_EXPECT_FALSE(test, hook.begun);
	KUNIT_EXPECT_FALSE(test, shut.begun);
	expect_free(test, &after);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(handlers_back_off),
	KUNIT_CASE(until_the_last_is_given_back),
	KUNIT_CASE(who_waits_is_at_it),
	KUNIT_CASE(nothing_in_a_handler_nor_shut),
	{}
};

struct kunit_suite sp_lock_suite = {
	.name = "schedprof_lock",
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the table of task clocks: a slot changes hands only after a grace period and
 * remembers nothing then, a task that takes its leader's place keeps its clock, who
 * finds no room does not wait for a lock, when a task was born is told once, and whatever
 * several threads do at once, a task has one clock, a slot one task, and none gets lost.
 *
 * No session may be enabled meanwhile: the table is the module's own.
 *
 * Run: make kunit
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "crew.h"
#include "record/live.h"
#include "suites.h"
#include "task/clock.h"
#include "task/task_table.h"

#define SLOTS 4
#define CREW		6
#define CREW_TASKS	48
#define CREW_STAY	8	/* of these, tasks that may live on */
#define CREW_BIRTHS	400
#define PATIENCE	(60 * HZ)

/* What a member of the crew has and found. */
struct member {
	struct rnd_state random;
	struct task_struct *task[CREW_TASKS];
	struct sp_task *clock[CREW_TASKS];	/* what each should have; NULL: none */
	u64 serial[CREW_TASKS];			/* and its, */
	u64 ended[CREW_TASKS];			/* and that of the clock before */
	u32 births, refused, wrong;
};

/* Tasks that the scheduler does not know; the table reads a few of their fields. */
struct fixture {
	struct task_struct *task[2 * SLOTS];
	struct member member[CREW];
	atomic_t *owner;	/* of each slot: a task, counted from 1; 0: nobody */
	atomic_t busy;		/* members that go on */
	bool made;
};

/* Nobody's, and started at @start. Return: NULL without memory. */
static struct task_struct *make_task(u64 start)
{
	struct task_struct *task = kvzalloc(sizeof(*task), GFP_KERNEL);

	if (task)
		task->start_time = start;
	return task;
}

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	unsigned int i;

	test->priv = f;
	if (!f)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(f->task); i++) {
		f->task[i] = make_task(1000 + i);
		if (!f->task[i])
			return -ENOMEM;
	}
	f->made = !sp_task_table_init(SLOTS);
	return f->made ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, m;

	if (!f)
		return;
	for (i = 0; i < ARRAY_SIZE(f->task); i++)
		kvfree(f->task[i]);
	for (m = 0; m < CREW; m++)
		for (i = 0; i < CREW_TASKS; i++)
			kvfree(f->member[m].task[i]);
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
	unsigned int i;
	u32 number, seq;
	u64 serial;

	/* As old as the other one. */
	f->task[1]->start_time = f->task[0]->start_time;
	/* What a slot is like that nobody had before. */
	fresh = kunit_kzalloc(test, sizeof(*fresh), GFP_KERNEL);
	st = add(test, 0);
	/* All others are taken. */
	for (i = 1; i < SLOTS; i++)
		KUNIT_ASSERT_TRUE(test, add(test, i + 1));
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
	KUNIT_EXPECT_NE(test, again->serial, serial);
	/* A reader that had begun must see that it is another one. */
	KUNIT_EXPECT_GT(test, again->seq.sequence, seq);
	KUNIT_EXPECT_PTR_EQ(test, again->task, f->task[1]);
	/* All else is the same. */
	again->node = fresh->node;
	again->task = fresh->task;
	again->serial = fresh->serial;
	again->seq = fresh->seq;
	KUNIT_EXPECT_EQ(test, memcmp(again, fresh, sizeof(*fresh)), 0);
}

/* What exec does to a thread that is not the leader, see de_thread(). */
static void who_takes_the_place_of_its_leader_stays(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st = add(test, 1), *other;

	KUNIT_ASSERT_TRUE(test, st);
	f->task[1]->start_time = f->task[0]->start_time;
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[1]), st);
	KUNIT_EXPECT_PTR_EQ(test, add(test, 1), st);
	/* But whoever comes to the same address later is another. */
	f->task[1]->start_time = 5000;
	KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[1]), (struct sp_task *)NULL);
	other = add(test, 1);
	KUNIT_ASSERT_TRUE(test, other);
	KUNIT_EXPECT_PTR_NE(test, other, st);
	/* That nobody saw the end of the first one says that not all is seen. */
	KUNIT_EXPECT_EQ(test, other->clock.phase, SP_PHASE_UNKNOWN);
}

/* Nor is anything known of what it did meanwhile. */
static void who_was_refused_is_unknown(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st;
	unsigned int i;

	for (i = 0; i < SLOTS; i++) {
		st = add(test, i);
		KUNIT_ASSERT_TRUE(test, st);
		KUNIT_EXPECT_EQ(test, st->clock.phase, SP_PHASE_ON_CPU);
	}
	KUNIT_ASSERT_PTR_EQ(test, add(test, SLOTS), (struct sp_task *)NULL);
	sp_task_remove(sp_task_find(f->task[0]));
	sp_task_table_recycle();
	st = add(test, SLOTS);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_EQ(test, st->clock.phase, SP_PHASE_UNKNOWN);
	/* Of who was born later than that, all is. */
	sp_task_remove(st);
	sp_task_table_recycle();
	f->task[SLOTS + 1]->start_time = ktime_get_ns() + NSEC_PER_SEC;
	st = add(test, SLOTS + 1);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_EQ(test, st->clock.phase, SP_PHASE_ON_CPU);
}

static void of_several_changes_the_earliest_counts(struct kunit *test)
{
	struct sp_task *st = add(test, 1);

	KUNIT_ASSERT_TRUE(test, st);
	sp_task_mark_undecided(9);
	KUNIT_EXPECT_EQ(test, st->undecided, 9ULL);
	sp_task_mark_undecided(7);
	KUNIT_EXPECT_EQ(test, st->undecided, 7ULL);
	sp_task_mark_undecided(8);
	KUNIT_EXPECT_EQ(test, st->undecided, 7ULL);
}

/* Before 5.19 that is what the kernel's helpers are. */
static void who_execs_as_a_kernel_thread_is_asked_about(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st = add(test, 1);

	KUNIT_ASSERT_TRUE(test, st);
	st->filter_gen = 2;
	st->kthread = true;
	st->clock.in_ts = 7;
	f->task[1]->flags = PF_KTHREAD;
	sp_task_follow_exec(st, f->task[1]);
	KUNIT_EXPECT_EQ(test, st->filter_gen, 2U);
	f->task[1]->flags = 0;
	f->task[1]->self_exec_id++;
	sp_task_follow_exec(st, f->task[1]);
	KUNIT_EXPECT_EQ(test, st->filter_gen, SP_LIVE_ASKED);
	KUNIT_EXPECT_EQ(test, st->undecided, 7ULL);
	/* As sp_live_decide() does. */
	st->filter_gen = 2;
	st->kthread = false;
	f->task[1]->self_exec_id++;
	sp_task_follow_exec(st, f->task[1]);
	KUNIT_EXPECT_EQ(test, st->exec_id, (u32)f->task[1]->self_exec_id);
	KUNIT_EXPECT_EQ(test, st->filter_gen, 2U);
}

/* The kernel's clock stands still when it makes its first threads. */
static void who_was_born_at_0_is_known(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st;

	f->task[1]->start_time = 0;
	st = sp_task_add(f->task[1], SP_PHASE_ASLEEP, 1000);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_EQ(test, st->clock.phase, SP_PHASE_ASLEEP);
	KUNIT_EXPECT_EQ(test, st->clock.out_ts, 1000ULL);
}

/* The two clocks drift apart: what a birth is by ours now, it is not a tick later. */
static void a_birth_is_told_once(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 ahead = sp_clock_last.ahead, born;
	struct sp_task *st, copy = { };
	u32 slot;

	f->task[1]->start_time = sp_time_now() - ahead - 1000;
	st = sp_task_add(f->task[1], SP_PHASE_RUNNABLE, SP_SINCE_BIRTH);
	KUNIT_ASSERT_TRUE(test, st);
	born = st->clock.out_ts;
	KUNIT_EXPECT_EQ(test, born, max(sp_armed_at, f->task[1]->start_time + ahead));
	WRITE_ONCE(sp_clock_last.ahead, ahead - 1);
	/* None of its time is missed, neither that nanosecond; so readers say, too. */
	KUNIT_EXPECT_GE(test, sp_live_missed_since(sp_armed_at, st, 0), born);
	KUNIT_EXPECT_TRUE(test, sp_task_copy(f->task[1], &copy, &slot));
	KUNIT_EXPECT_GE(test, sp_live_missed_since(sp_armed_at, &copy, 0), born);
	WRITE_ONCE(sp_clock_last.ahead, ahead);
}

/* What splits a wait that is open needs to know when the task was moved. */
static void copy_has_the_last_move(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st = add(test, 0), copy = { };
	u32 slot;

	KUNIT_ASSERT_NOT_NULL(test, st);
	st->moved = 1234;
	KUNIT_ASSERT_TRUE(test, sp_task_copy(f->task[0], &copy, &slot));
	KUNIT_EXPECT_EQ(test, copy.moved, 1234ULL);
}

/* With a lock held here, whoever waits for it waits for ever. */
static void full_table_takes_no_lock(struct kunit *test)
{
	raw_spinlock_t *lock;
	struct sp_task *st;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_ASSERT_TRUE(test, add(test, i));
	for (i = 0; (lock = sp_task_table_lock(i)); i++) {
		raw_spin_lock_irqsave(lock, flags);
		st = add(test, SLOTS);
		raw_spin_unlock_irqrestore(lock, flags);
		KUNIT_EXPECT_PTR_EQ(test, st, (struct sp_task *)NULL);
	}
	KUNIT_EXPECT_GT(test, i, 0U);
}

/* Members with tasks, and a table of @slots. */
static struct fixture *start_crew(struct kunit *test, u32 slots)
{
	struct fixture *f = test->priv;
	unsigned int m, i;

	sp_random_start(test, &f->member[0].random);
	for (m = 0; m < CREW; m++) {
		prandom_seed_state(&f->member[m].random,
				   prandom_u32_state(&f->member[0].random));
		for (i = 0; i < CREW_TASKS; i++) {
			f->member[m].task[i] = make_task(1000);
			KUNIT_ASSERT_TRUE(test, f->member[m].task[i]);
		}
	}
	f->owner = kunit_kzalloc(test, slots * sizeof(*f->owner), GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, f->owner);
	sp_task_table_destroy();
	f->made = !sp_task_table_init(slots);
	KUNIT_ASSERT_TRUE(test, f->made);
	return f;
}

/* As in a hook. */
static void give_birth(struct fixture *f, unsigned int m, unsigned int i)
{
	struct member *member = &f->member[m];
	struct sp_task *st;
	unsigned long flags;

	local_irq_save(flags);
	st = sp_task_add(member->task[i], SP_PHASE_RUNNABLE, 500);
	local_irq_restore(flags);
	if (!st) {
		member->refused++;
		return;
	}
	member->births++;
	/* Nobody else has the slot, and no clock before it had the number. */
	if (atomic_cmpxchg(&f->owner[sp_task_slot(st)], 0, m * CREW_TASKS + i + 1) ||
	    st->serial <= member->ended[i])
		member->wrong++;
	member->clock[i] = st;
	member->serial[i] = st->serial;
}

static void end_task(struct fixture *f, unsigned int m, unsigned int i)
{
	struct member *member = &f->member[m];
	struct sp_task *st = member->clock[i];
	unsigned long flags;

	if (atomic_cmpxchg(&f->owner[sp_task_slot(st)], m * CREW_TASKS + i + 1, 0) !=
	    m * CREW_TASKS + i + 1)
		member->wrong++;
	member->ended[i] = st->serial;
	member->clock[i] = NULL;
	local_irq_save(flags);
	sp_task_remove(st);
	local_irq_restore(flags);
}

static void look_up(struct member *member, unsigned int i)
{
	struct sp_task *st, *should = member->clock[i], copy;
	unsigned long flags;
	u32 slot;

	local_irq_save(flags);
	st = sp_task_find(member->task[i]);
	if (st != should || (st && st->serial != member->serial[i]))
		member->wrong++;
	local_irq_restore(flags);
	if (sp_task_copy(member->task[i], &copy, &slot) != !!should ||
	    (should && (slot != should->number || copy.serial != member->serial[i])))
		member->wrong++;
}

/*
 * The last member lets slots be used again as long as others are at work, who may have to
 * wait for that.
 */
static void live_and_die(unsigned int m, void *data)
{
	struct fixture *f = data;
	struct member *member = &f->member[m];
	unsigned long end = jiffies + PATIENCE;
	unsigned int i;

	if (m == CREW - 1) {
		while (atomic_read(&f->busy)) {
			sp_task_table_recycle();
			cond_resched();
		}
		return;
	}
	while (member->births < CREW_BIRTHS && time_before(jiffies, end)) {
		i = sp_random_below(&member->random, CREW_TASKS);
		look_up(member, i);
		if (member->clock[i])
			end_task(f, m, i);
		else
			give_birth(f, m, i);
		look_up(member, i);
		cond_resched();
	}
	for (i = CREW_STAY; i < CREW_TASKS; i++)
		if (member->clock[i])
			end_task(f, m, i);
	atomic_dec(&f->busy);
}

/* All that have a clock are found, and nobody else; the others get what is left, and no more. */
static void expect_none_lost(struct kunit *test, struct fixture *f, u32 slots)
{
	unsigned int m, i;
	u32 clocks = 0;

	sp_task_table_recycle();
	for (m = 0; m < CREW; m++) {
		for (i = 0; i < CREW_TASKS; i++) {
			look_up(&f->member[m], i);
			clocks += !!f->member[m].clock[i];
		}
		KUNIT_EXPECT_EQ(test, f->member[m].wrong, 0U);
	}
	KUNIT_EXPECT_LE(test, clocks, slots);
	for (m = 0; m < CREW; m++) {
		for (i = 0; i < CREW_TASKS; i++) {
			if (f->member[m].clock[i])
				continue;
			give_birth(f, m, i);
			KUNIT_ASSERT_EQ(test, !!f->member[m].clock[i], clocks < slots);
			clocks += clocks < slots;
		}
		KUNIT_EXPECT_EQ(test, f->member[m].wrong, 0U);
	}
	KUNIT_EXPECT_EQ(test, clocks, slots);
	KUNIT_EXPECT_EQ(test, sp_task_table_count(), slots);
}

/* Room for some: a slot is fought for, and goes through all parts. */
static void births_and_deaths_beside_each_other(struct kunit *test)
{
	static const u32 slots = CREW * CREW_TASKS / 4;
	struct fixture *f = start_crew(test, slots);
	unsigned int m;

	atomic_set(&f->busy, CREW - 1);
	sp_crew_run(test, CREW, live_and_die, f);
	for (m = 0; m < CREW - 1; m++)
		KUNIT_EXPECT_EQ(test, f->member[m].births, (u32)CREW_BIRTHS);
	expect_none_lost(test, f, slots);
}

static void all_are_born(unsigned int m, void *data)
{
	unsigned int i;

	for (i = 0; i < CREW_TASKS; i++)
		give_birth(data, m, i);
}

static void all_die(unsigned int m, void *data)
{
	struct fixture *f = data;
	unsigned int i;

	for (i = 0; i < CREW_TASKS; i++)
		if (f->member[m].clock[i])
			end_task(f, m, i);
}

/*
 * Slots that nobody had before, and then such as lie in the parts where their tasks died:
 * each time as many tasks get one as there are.
 */
static void full_table_refuses_exactly_the_rest(struct kunit *test)
{
	static const u32 slots = CREW * CREW_TASKS - 77;
	struct fixture *f = start_crew(test, slots);
	unsigned int m, round;
	u32 births, refused;

	for (round = 0; round < 3; round++) {
		sp_crew_run(test, CREW, all_are_born, f);
		births = 0;
		refused = 0;
		for (m = 0; m < CREW; m++) {
			births += f->member[m].births;
			refused += f->member[m].refused;
			KUNIT_EXPECT_EQ(test, f->member[m].wrong, 0U);
			f->member[m].births = 0;
			f->member[m].refused = 0;
		}
		KUNIT_EXPECT_EQ(test, births, slots);
		KUNIT_EXPECT_EQ(test, refused, 77U);
		sp_crew_run(test, CREW, all_die, f);
		sp_task_table_recycle();
	}
	expect_none_lost(test, f, slots);
}

/* The next table is as long as it is, whatever was free, or retired, in the one before. */
static void next_table_begins_empty(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		KUNIT_ASSERT_TRUE(test, add(test, i));
	sp_task_remove(sp_task_find(f->task[0]));
	sp_task_remove(sp_task_find(f->task[1]));
	sp_task_table_recycle();
	sp_task_remove(sp_task_find(f->task[2]));
	sp_task_table_destroy();
	f->made = !sp_task_table_init(2);
	KUNIT_ASSERT_TRUE(test, f->made);
	sp_task_table_recycle();
	KUNIT_EXPECT_EQ(test, sp_task_table_count(), 0U);
	for (i = 0; i < SLOTS; i++) {
		KUNIT_EXPECT_PTR_EQ(test, sp_task_find(f->task[i]), (struct sp_task *)NULL);
		KUNIT_EXPECT_EQ(test, !!add(test, i), i < 2);
	}
}

/* A waker may take the state away before anybody asks; the scheduler's own bit stays. */
static void who_woke_first_hides_no_disk(struct kunit *test)
{
	static const struct {
		unsigned int state;
		bool stamped, counted_as_load;
		enum sp_state left;
	} cases[] = {
		{ TASK_INTERRUPTIBLE, false, false, SP_STATE_S },
		{ TASK_INTERRUPTIBLE, true, true, SP_STATE_S },
		{ TASK_UNINTERRUPTIBLE, false, true, SP_STATE_D },
		{ TASK_UNINTERRUPTIBLE, true, false, SP_STATE_D },
		{ TASK_IDLE, true, false, SP_STATE_I },
		{ TASK_WAKING, false, false, SP_STATE_S },
		{ TASK_WAKING, true, true, SP_STATE_D },
		{ TASK_RUNNING, true, false, SP_STATE_S },
		/* A signal kept it from sleeping; the bit is of another time. */
		{ TASK_RUNNING, false, true, SP_STATE_R },
		{ TASK_RUNNING, true, true, SP_STATE_S },
	};
	struct fixture *f = test->priv;
	struct task_struct *task = f->task[0];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		task->sched_contributes_to_load = cases[i].counted_as_load;
		KUNIT_EXPECT_EQ(test, cases[i].left,
				sp_state_left(task, cases[i].state, cases[i].stamped));
	}
}

/* Its switch may be counted already, as one of its own will, and its hook is still to come. */
static void who_is_about_to_leave_leaves_by_itself(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_task *st;

	f->task[0]->nvcsw = 7;
	sp_task_set_state(f->task[0], TASK_INTERRUPTIBLE);
	st = add(test, 0);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_NE(test, st->nvcsw, (u32)f->task[0]->nvcsw);
	f->task[1]->nvcsw = 7;
	sp_task_set_state(f->task[1], TASK_RUNNING);
	st = add(test, 1);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_EQ(test, st->nvcsw, 7U);
	/* Who sleeps left already; what comes is counted. */
	f->task[2]->nvcsw = 7;
	sp_task_set_state(f->task[2], TASK_INTERRUPTIBLE);
	st = sp_task_add(f->task[2], SP_PHASE_ASLEEP, 500);
	KUNIT_ASSERT_TRUE(test, st);
	KUNIT_EXPECT_EQ(test, st->nvcsw, 7U);
}

/* Also before its parent says so; and who left a CPU once does no more. */
static void newborns_wait_for_a_cpu(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct task_struct *task = f->task[0];

	sp_task_set_state(task, TASK_NEW);
	KUNIT_EXPECT_EQ(test, SP_PHASE_RUNNABLE, sp_task_phase(task));
	KUNIT_EXPECT_EQ(test, SP_PHASE_RUNNABLE, sp_task_phase_before(task));
	KUNIT_EXPECT_TRUE(test, sp_task_never_ran(task));
	sp_task_set_state(task, TASK_RUNNING);
	KUNIT_EXPECT_TRUE(test, sp_task_never_ran(task));
	task->nvcsw = 1;
	KUNIT_EXPECT_EQ(test, SP_PHASE_UNKNOWN, sp_task_phase_before(task));
	task->nvcsw = 0;
	task->nivcsw = 1;
	KUNIT_EXPECT_EQ(test, SP_PHASE_UNKNOWN, sp_task_phase_before(task));
	KUNIT_EXPECT_FALSE(test, sp_task_never_ran(task));
	KUNIT_EXPECT_EQ(test, SP_PHASE_RUNNABLE, sp_task_phase(task));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_clock_for_a_task),
	KUNIT_CASE(who_was_refused_is_unknown),
	KUNIT_CASE(chains_hold_while_slots_go),
	KUNIT_CASE(slot_remembers_nothing),
	KUNIT_CASE(who_takes_the_place_of_its_leader_stays),
	KUNIT_CASE(of_several_changes_the_earliest_counts),
	KUNIT_CASE(who_execs_as_a_kernel_thread_is_asked_about),
	KUNIT_CASE(who_was_born_at_0_is_known),
	KUNIT_CASE(a_birth_is_told_once),
	KUNIT_CASE(copy_has_the_last_move),
	KUNIT_CASE(full_table_takes_no_lock),
	KUNIT_CASE(births_and_deaths_beside_each_other),
	KUNIT_CASE(full_table_refuses_exactly_the_rest),
	KUNIT_CASE(next_table_begins_empty),
	KUNIT_CASE(who_woke_first_hides_no_disk),
	KUNIT_CASE(who_is_about_to_leave_leaves_by_itself),
	KUNIT_CASE(newborns_wait_for_a_cpu),
	{}
};

struct kunit_suite sp_task_table_suite = {
	.name = "schedprof_task_table",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

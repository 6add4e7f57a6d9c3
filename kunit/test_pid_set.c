// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the pid set: it has what it was made of, and its numbers, and holds exactly one
 * reference to each.
 *
 * Run: make kunit
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "crew.h"
#include "lib/limits.h"
#include "lib/memory.h"
#include "lib/pid_set.h"
#include "suites.h"

/* References that the fixture itself holds; so none ever gets freed. */
#define OWN_REFS 1

/*
 * More struct pid than this machine has tasks, and such whose references
 * nobody else takes. The set looks at nothing but address, number and count.
 */
union fake {
	struct pid pid;
	/* put_pid() reads the number behind it. */
	char room[sizeof(struct pid) + sizeof(struct upid)];
};

struct fixture {
	union fake *fakes;
	u32 count;
	struct pid **list;
	struct sp_pid_set *set, *other;
	struct task_struct *task[2];
	struct rnd_state random;
};

static int set_up(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	if (!f)
		return;
	if (!IS_ERR(f->set))
		sp_pid_set_free(f->set);
	if (!IS_ERR(f->other))
		sp_pid_set_free(f->other);
	for (i = 0; i < ARRAY_SIZE(f->task); i++)
		if (f->task[i])
			kthread_stop(f->task[i]);
	vfree(f->fakes);
	vfree(f->list);
}

/* The higher the address, the lower the number. */
static pid_t number_of(const struct fixture *f, u32 i)
{
	return f->count - i;
}

static void make_fakes(struct kunit *test, u32 count)
{
	struct fixture *f = test->priv;
	u32 i;

	f->count = count;
	f->fakes = sp_alloc(count * sizeof(*f->fakes));
	f->list = sp_alloc(2 * count * sizeof(*f->list));
	KUNIT_ASSERT_NOT_NULL(test, f->fakes);
	KUNIT_ASSERT_NOT_NULL(test, f->list);
	for (i = 0; i < count; i++) {
		refcount_set(&f->fakes[i].pid.count, OWN_REFS);
		f->fakes[i].pid.numbers[0].nr = number_of(f, i);
	}
}

static u32 refs(struct fixture *f, u32 i)
{
	return refcount_read(&f->fakes[i].pid.count) - OWN_REFS;
}

static void expect_no_refs(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	for (i = 0; i < f->count; i++)
		KUNIT_ASSERT_EQ(test, refs(f, i), 0);
}

static void all_and_none(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct pid *pid;

	make_fakes(test, 2);
	pid = &f->fakes[0].pid;
	f->list[0] = pid;

	/* The list is not looked at. */
	f->set = sp_pid_set_make(true, f->list, 1);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	KUNIT_EXPECT_TRUE(test, f->set->all);
	KUNIT_EXPECT_EQ(test, f->set->count, 0);
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->set, pid));
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->set, NULL));
	KUNIT_EXPECT_EQ(test, refs(f, 0), 0);

	/* Less of everything is everything. */
	f->other = sp_pid_set_change(f->set, f->list, 1, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->other));
	KUNIT_EXPECT_TRUE(test, f->other->all);
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->other, pid));
	sp_pid_set_free(f->other);

	/* More of everything is a list that begins. */
	f->other = sp_pid_set_change(f->set, f->list, 1, true);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->other));
	KUNIT_EXPECT_FALSE(test, f->other->all);
	KUNIT_EXPECT_EQ(test, f->other->count, 1);
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->other, pid));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->other, &f->fakes[1].pid));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->other, NULL));
	KUNIT_EXPECT_EQ(test, refs(f, 0), 1);

	/* An emptied list matches nothing. */
	sp_pid_set_free(f->set);
	f->set = sp_pid_set_change(f->other, f->list, 1, false);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	KUNIT_EXPECT_FALSE(test, f->set->all);
	KUNIT_EXPECT_EQ(test, f->set->count, 0);
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->set, pid));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->set, NULL));
	KUNIT_EXPECT_EQ(test, refs(f, 0), 1);

	sp_pid_set_free(f->other);
	f->other = sp_pid_set_make(false, NULL, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->other));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->other, pid));
	expect_no_refs(test);
	sp_pid_set_free(NULL);
}

static void finds_every_member(struct kunit *test, u32 size)
{
	struct fixture *f = test->priv;
	u32 i;

	/* Every second one, backwards, and each of them twice. */
	for (i = 0; i < size; i++) {
		f->list[i] = &f->fakes[2 * (size - 1 - i) + 1].pid;
		f->list[size + i] = f->list[i];
	}
	f->set = sp_pid_set_make(false, f->list, 2 * size);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	KUNIT_EXPECT_EQ(test, f->set->count, size);
	for (i = 0; i < f->count; i++) {
		bool member = i & 1 && i / 2 < size;

		KUNIT_ASSERT_EQ(test, sp_pid_set_has(f->set, &f->fakes[i].pid),
				member);
		KUNIT_ASSERT_EQ(test, refs(f, i), member);
	}
	for (i = 1; i < size; i++)
		KUNIT_ASSERT_TRUE(test, f->set->pid[i - 1] < f->set->pid[i]);
	for (i = 0; i < size; i++)
		KUNIT_ASSERT_EQ(test, f->set->number[i],
				number_of(f, 2 * (size - 1 - i) + 1));
	sp_pid_set_free(f->set);
	f->set = NULL;
	expect_no_refs(test);
}

static void sizes_at_the_edges(struct kunit *test)
{
	static const u32 sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63,
				     64, 65, 127, 128, 129 };
	unsigned int i;

	make_fakes(test, 2 * 129 + 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		finds_every_member(test, sizes[i]);
}

static void longest_list(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	make_fakes(test, SP_MAX_PIDS + 1);
	for (i = 0; i <= SP_MAX_PIDS; i++) {
		f->list[i] = &f->fakes[i].pid;
		f->list[SP_MAX_PIDS + 1 + i] = &f->fakes[i].pid;
	}

	f->set = sp_pid_set_make(false, f->list, SP_MAX_PIDS + 1);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(f->set), -ENOSPC);
	expect_no_refs(test);

	/* What stands there twice counts once. */
	f->set = sp_pid_set_make(false, f->list + 1, SP_MAX_PIDS);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	KUNIT_EXPECT_EQ(test, f->set->count, SP_MAX_PIDS);
	f->other = sp_pid_set_change(f->set, f->list + 1, SP_MAX_PIDS, true);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->other));
	KUNIT_EXPECT_EQ(test, f->other->count, SP_MAX_PIDS);
	sp_pid_set_free(f->other);

	f->other = sp_pid_set_change(f->set, f->list, 1, true);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(f->other), -ENOSPC);
	KUNIT_EXPECT_EQ(test, f->set->count, SP_MAX_PIDS);
	KUNIT_EXPECT_EQ(test, refs(f, 0), 0);
	for (i = 1; i <= SP_MAX_PIDS; i++)
		KUNIT_ASSERT_EQ(test, refs(f, i), 1);

	sp_pid_set_free(f->set);
	f->set = NULL;
	expect_no_refs(test);
}

#define MODEL_PIDS	150
#define MODEL_STEPS	1500

/* The reference: a mark for each pid that is in the set. */
static void like_a_bitmap(struct kunit *test)
{
	struct fixture *f = test->priv;
	bool *in = kunit_kzalloc(test, MODEL_PIDS, GFP_KERNEL);
	bool *old = kunit_kzalloc(test, MODEL_PIDS, GFP_KERNEL);
	unsigned int step;
	u32 i, n, count, at;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, old);
	make_fakes(test, MODEL_PIDS);
	sp_random_start(test, &f->random);
	f->set = sp_pid_set_make(false, NULL, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	for (step = 0; step < MODEL_STEPS; step++) {
		u32 what = sp_random_below(&f->random, 20);

		count = sp_random_below(&f->random, what ? 12 : MODEL_PIDS);
		memcpy(old, in, MODEL_PIDS);
		if (!what)
			memset(in, 0, MODEL_PIDS);
		for (i = 0; i < count; i++) {
			at = sp_random_below(&f->random, MODEL_PIDS);
			f->list[i] = &f->fakes[at].pid;
			in[at] = !what || what & 1;
		}
		f->other = f->set;
		if (what)
			f->set = sp_pid_set_change(f->other, f->list, count,
						   what & 1);
		else
			f->set = sp_pid_set_make(false, f->list, count);
		KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));

		/* The old one is as it was, while there are both. */
		for (i = 0; i < MODEL_PIDS; i++) {
			struct pid *pid = &f->fakes[i].pid;

			KUNIT_ASSERT_EQ(test, sp_pid_set_has(f->set, pid), in[i]);
			KUNIT_ASSERT_EQ(test, sp_pid_set_has(f->other, pid),
					old[i]);
			KUNIT_ASSERT_EQ(test, refs(f, i), in[i] + old[i]);
		}
		for (n = 0, i = MODEL_PIDS; i--;) {
			if (in[i])
				KUNIT_ASSERT_EQ(test, f->set->number[n++], number_of(f, i));
		}
		KUNIT_ASSERT_EQ(test, n, f->set->count);
		sp_pid_set_free(f->other);
		f->other = NULL;
	}
	sp_pid_set_free(f->set);
	f->set = NULL;
	expect_no_refs(test);
}

static int wait_for_stop(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	return 0;
}

static void start_task(struct kunit *test, unsigned int i)
{
	struct fixture *f = test->priv;
	struct task_struct *task = kthread_run(wait_for_stop, NULL, "sp_pid/%u",
					       i);

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	f->task[i] = task;
}

static void stop_task(struct fixture *f, unsigned int i)
{
	kthread_stop(f->task[i]);
	f->task[i] = NULL;
}

static void outlives_its_tasks(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct pid *pid[2];
	unsigned int i;
	int nr;

	for (i = 0; i < 2; i++) {
		start_task(test, i);
		pid[i] = get_task_pid(f->task[i], PIDTYPE_PID);
	}
	f->set = sp_pid_set_make(false, &pid[0], 1);
	/* The set has references of its own. */
	put_pid(pid[0]);
	put_pid(pid[1]);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->set, task_pid(f->task[0])));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->set, task_pid(f->task[1])));
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->set, task_pid(current)));

	nr = pid_nr(f->set->pid[0]);
	stop_task(f, 0);
	/* It is no more, but what the set holds is still its own. */
	KUNIT_EXPECT_EQ(test, pid_nr(f->set->pid[0]), nr);
	KUNIT_EXPECT_TRUE(test, sp_pid_set_has(f->set, f->set->pid[0]));
	/* Who comes after it is somebody else, whatever the number. */
	start_task(test, 0);
	KUNIT_EXPECT_FALSE(test, sp_pid_set_has(f->set, task_pid(f->task[0])));
}

#define CREW	4

struct crew_shared {
	struct fixture *fixture;
	struct sp_pid_set __rcu *set;
	struct pid *member, *stranger;
	u32 going;		/* first in the fixture's list */
	atomic_t changing;
	u32 seen[CREW];
	u32 wrong[CREW];
};

/* As a filter is changed while hooks look at it. */
static void change_set(struct crew_shared *shared)
{
	struct fixture *f = shared->fixture;
	unsigned int round;

	for (round = 0; round < 100; round++) {
		struct sp_pid_set *old, *new;

		old = rcu_dereference_protected(shared->set, true);
		new = sp_pid_set_change(old, f->list, shared->going, round & 1);
		if (IS_ERR(new)) {
			shared->wrong[0]++;
			break;
		}
		rcu_assign_pointer(shared->set, new);
		synchronize_rcu();
		sp_pid_set_free(old);
	}
	atomic_set(&shared->changing, 0);
}

static void change_or_look(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	const struct sp_pid_set *set;

	if (!number) {
		change_set(shared);
		return;
	}
	do {
		rcu_read_lock();
		set = rcu_dereference(shared->set);
		if (!sp_pid_set_has(set, shared->member) ||
		    sp_pid_set_has(set, shared->stranger))
			shared->wrong[number]++;
		shared->seen[number]++;
		rcu_read_unlock();
		cond_resched();
	} while (atomic_read(&shared->changing));
}

static void looked_at_while_changed(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct crew_shared *shared;
	union fake stranger = {};
	unsigned int m;
	u32 i;

	shared = kunit_kzalloc(test, sizeof(*shared), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, shared);
	make_fakes(test, 64);
	/* One in the middle stays, all others come and go. */
	for (i = 0; i < f->count; i++)
		if (i != 31)
			f->list[shared->going++] = &f->fakes[i].pid;
	shared->fixture = f;
	shared->member = &f->fakes[31].pid;
	shared->stranger = &stranger.pid;
	f->set = sp_pid_set_make(false, &shared->member, 1);
	KUNIT_ASSERT_FALSE(test, IS_ERR(f->set));
	rcu_assign_pointer(shared->set, f->set);
	f->set = NULL;
	atomic_set(&shared->changing, 1);

	sp_crew_run(test, CREW, change_or_look, shared);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
		if (m)
			KUNIT_EXPECT_GT(test, shared->seen[m], 0);
	}
	sp_pid_set_free(rcu_dereference_protected(shared->set, true));
	expect_no_refs(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_and_none),
	KUNIT_CASE(sizes_at_the_edges),
	KUNIT_CASE(longest_list),
	KUNIT_CASE(like_a_bitmap),
	KUNIT_CASE(outlives_its_tasks),
	KUNIT_CASE(looked_at_while_changed),
	{}
};

struct kunit_suite sp_pid_set_suite = {
	.name = "schedprof_pid_set",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

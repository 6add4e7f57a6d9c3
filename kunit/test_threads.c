// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the threads: who is found where, who is over, which place is next, and
 * what a full table says; of made-up tasks.
 *
 * Run: make kunit
 */
#include <linux/limits.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "crew.h"
#include "lib/memory.h"
#include "record/threads.h"
#include "suites.h"

#define SLOTS		8
#define CREW		4
#define CREW_ROWS	1000
#define STEPS		20000

struct fixture {
	struct sp_threads threads;
	struct task_struct *task;
};

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->task = kunit_kzalloc(test, sizeof(*f->task), GFP_KERNEL);
	if (!f->task)
		return -ENOMEM;
	/* Some PID: it is alive. */
	f->task->thread_pid = task_pid(current);
	RCU_INIT_POINTER(f->task->cgroups, rcu_access_pointer(current->cgroups));
	f->task->group_leader = f->task;
	f->task->pid = 42;
	f->task->tgid = 41;
	f->task->start_time = 1000;
	strscpy(f->task->comm, "made up", TASK_COMM_LEN);
	return 0;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (f)
		sp_threads_destroy(&f->threads);
}

static void start(struct kunit *test, u32 max, u32 slots)
{
	struct fixture *f = test->priv;

	sp_threads_destroy(&f->threads);
	KUNIT_ASSERT_EQ(test, sp_threads_init(&f->threads, max, slots), 0);
}

static struct sp_thread *make(struct kunit *test, u32 slot, u64 serial, u32 exec_id)
{
	struct fixture *f = test->priv;

	return sp_threads_make(&f->threads, slot, serial, exec_id, f->task);
}

static void free_row(struct kunit *test, struct sp_thread *thread)
{
	struct fixture *f = test->priv;

	sp_threads_free(&f->threads, sp_threads_number(&f->threads, thread));
}

static void nobody_at_first(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 slot;

	start(test, 3, SLOTS);
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->threads), 0U);
	KUNIT_EXPECT_EQ(test, sp_threads_end(&f->threads), (u32)SP_THREAD_FIRST);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 0);
	for (slot = 0; slot < SLOTS; slot++) {
		KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, slot, 0, 0));
		KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, slot, 1, 0));
	}
	KUNIT_EXPECT_STREQ(test, f->threads.list[SP_THREAD_EXITED].who.comm, "[exited]");
	/* Each row, each place, and a bit for each row. */
	KUNIT_EXPECT_GE(test, sp_threads_bytes(3, SLOTS),
			(u64)3 * sizeof(struct sp_thread) + SLOTS * sizeof(u32) + 1);
	KUNIT_EXPECT_GE(test, sp_threads_bytes(4194304, 4194304),
			4194304ULL * (sizeof(struct sp_thread) + sizeof(u32)));
}

static void found_by_place_and_who(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	start(test, 3, SLOTS);
	thread = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	KUNIT_EXPECT_EQ(test, sp_threads_number(&f->threads, thread), (u32)SP_THREAD_FIRST);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 5, 77, 2), thread);
	KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, 4, 77, 2));
	KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, 5, 78, 2));
	KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, 5, 77, 3));
	KUNIT_EXPECT_EQ(test, thread->slot, 5U);
	KUNIT_EXPECT_EQ(test, thread->serial, 77ULL);
	KUNIT_EXPECT_EQ(test, thread->exec_id, 2U);
	KUNIT_EXPECT_FALSE(test, thread->over);
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->threads), 1U);
	KUNIT_EXPECT_EQ(test, sp_threads_end(&f->threads), SP_THREAD_FIRST + 1U);
}

static void says_who_it_is(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct task_struct *leader = kunit_kzalloc(test, sizeof(*leader), GFP_KERNEL);
	struct sp_who who;

	KUNIT_ASSERT_NOT_NULL(test, leader);
	leader->start_time = 900;
	strscpy(leader->comm, "leader", TASK_COMM_LEN);
	f->task->group_leader = leader;
	sp_who_is(&who, f->task);
	KUNIT_EXPECT_EQ(test, who.tid, 42);
	KUNIT_EXPECT_EQ(test, who.tgid, 41);
	KUNIT_EXPECT_EQ(test, who.start_time, 1000ULL);
	KUNIT_EXPECT_STREQ(test, who.comm, "made up");
	KUNIT_EXPECT_EQ(test, who.leader_start, 900ULL);
	KUNIT_EXPECT_STREQ(test, who.leader_comm, "leader");
	KUNIT_EXPECT_FALSE(test, who.kthread);
	KUNIT_EXPECT_EQ(test, who.program, 0U);

	/* A name of the full length, and one that nobody terminated. */
	memset(f->task->comm, 'x', TASK_COMM_LEN);
	memset(leader->comm, 'y', TASK_COMM_LEN);
	f->task->flags |= PF_KTHREAD;
	sp_who_is(&who, f->task);
	KUNIT_EXPECT_STREQ(test, who.comm, "xxxxxxxxxxxxxxx");
	KUNIT_EXPECT_STREQ(test, who.leader_comm, "yyyyyyyyyyyyyyy");
	KUNIT_EXPECT_TRUE(test, who.kthread);

	/* This one is real. */
	sp_who_is(&who, current);
	KUNIT_EXPECT_EQ(test, who.tid, task_pid_nr(current));
	KUNIT_EXPECT_STREQ(test, who.comm, current->comm);
	KUNIT_EXPECT_TRUE(test, who.kthread);
}

/* A number may be another task's by now. And nobody's namespaces are kept for it. */
static void the_task_is_found_again(struct kunit *test)
{
	unsigned int references = refcount_read(&task_pid(current)->count);
	struct fixture *f = test->priv;
	struct task_struct *found, *other, *nobody;
	struct sp_thread *thread;

	start(test, 1, SLOTS);
	thread = sp_threads_make(&f->threads, 0, 1, 0, current);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	KUNIT_EXPECT_EQ(test, refcount_read(&task_pid(current)->count), references);
	rcu_read_lock();
	found = sp_who_task(&thread->who);
	thread->who.start_time--;
	other = sp_who_task(&thread->who);
	thread->who.tid = PID_MAX_LIMIT;
	nobody = sp_who_task(&thread->who);
	rcu_read_unlock();
	KUNIT_EXPECT_PTR_EQ(test, found, current);
	KUNIT_EXPECT_NULL(test, other);
	KUNIT_EXPECT_NULL(test, nobody);
}

/* Reaped before its last switch: its leader may be gone. */
static void who_is_half_gone(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	start(test, 1, SLOTS);
	f->task->thread_pid = NULL;
	f->task->group_leader = NULL;
	thread = make(test, 0, 1, 0);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	KUNIT_EXPECT_EQ(test, thread->who.tid, 42);
	KUNIT_EXPECT_EQ(test, thread->who.leader_start, 0ULL);
	KUNIT_EXPECT_STREQ(test, thread->who.leader_comm, "");
}

static void exec_ends_the_row_before(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *before, *after;

	start(test, 3, SLOTS);
	before = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, before);
	/* It was in another group, and had another name. */
	before->who.cgroup = U64_MAX;
	strscpy(before->who.comm, "was this", TASK_COMM_LEN);
	after = make(test, 5, 77, 3);
	KUNIT_ASSERT_NOT_NULL(test, after);
	KUNIT_EXPECT_PTR_NE(test, before, after);
	KUNIT_EXPECT_NE(test, after->who.cgroup, U64_MAX);
	KUNIT_EXPECT_EQ(test, before->who.cgroup, after->who.cgroup);
	KUNIT_EXPECT_STREQ(test, before->who.comm, "was this");
	KUNIT_EXPECT_TRUE(test, before->over);
	KUNIT_EXPECT_FALSE(test, after->over);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 1);
	KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, 5, 77, 2));
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 5, 77, 3), after);
	/* What was recorded of it stays, until it is folded. */
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->threads), 2U);
}

static void next_owner_of_a_place_ends_the_last(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *last, *next;

	start(test, 3, SLOTS);
	last = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, last);
	last->who.cgroup = U64_MAX;
	next = make(test, 5, 78, 2);
	KUNIT_ASSERT_NOT_NULL(test, next);
	KUNIT_EXPECT_EQ(test, last->who.cgroup, U64_MAX);
	KUNIT_EXPECT_TRUE(test, last->over);
	KUNIT_EXPECT_FALSE(test, next->over);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 5, 78, 2), next);
}

/* The row that a place remembers may have been folded, and be another's since. */
static void a_row_of_somebody_else_is_not_ended(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *spare, *gone, *other;

	start(test, 2, SLOTS);
	spare = make(test, 4, 76, 2);
	gone = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, spare);
	KUNIT_ASSERT_NOT_NULL(test, gone);
	free_row(test, gone);
	other = make(test, 6, 78, 2);
	KUNIT_ASSERT_PTR_EQ(test, other, gone);
	free_row(test, spare);
	KUNIT_ASSERT_NOT_NULL(test, make(test, 5, 79, 2));
	KUNIT_EXPECT_FALSE(test, other->over);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 0);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 6, 78, 2), other);
}

static void the_end_counts_once(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	start(test, 3, SLOTS);
	thread = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	strscpy(f->task->comm, "renamed", TASK_COMM_LEN);
	sp_thread_exited(&f->threads, thread, f->task);
	sp_thread_exited(&f->threads, thread, f->task);
	KUNIT_EXPECT_TRUE(test, thread->over);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 1);
	KUNIT_EXPECT_STREQ(test, thread->who.comm, "renamed");
	/* Nor does what it ran last name what it ran before. */
	strscpy(f->task->comm, "another", TASK_COMM_LEN);
	sp_thread_exited(&f->threads, thread, NULL);
	KUNIT_EXPECT_STREQ(test, thread->who.comm, "renamed");
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 1);
	/* Nor is it counted again when its place gets another owner, */
	KUNIT_ASSERT_NOT_NULL(test, make(test, 5, 78, 2));
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 1);
	/* and folded, it is none of those that are over. */
	free_row(test, thread);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 0);
	KUNIT_EXPECT_FALSE(test, thread->over);
}

/* One thread does for all programs of a task, if nobody looks at what is in them. */
static void the_last_of_a_task_is_found(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	start(test, 3, SLOTS);
	thread = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_of(&f->threads, 5, 77), thread);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 5, 77, 3),
			    (struct sp_thread *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_of(&f->threads, 5, 78), (struct sp_thread *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_of(&f->threads, 6, 77), (struct sp_thread *)NULL);
}

/* Else nobody would ever free the thread of who was there before. */
static void a_place_is_left_without_a_new_row(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	start(test, 3, SLOTS);
	thread = make(test, 5, 77, 2);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	sp_threads_leave(&f->threads, 6, 78);
	sp_threads_leave(&f->threads, 5, 77);
	KUNIT_EXPECT_FALSE(test, thread->over);
	sp_threads_leave(&f->threads, 5, 78);
	KUNIT_EXPECT_TRUE(test, thread->over);
	/* From then on nobody looks for it there, which would take a lock. */
	KUNIT_EXPECT_EQ(test, READ_ONCE(f->threads.of_slot[5]), (u32)SP_THREAD_NONE);
	sp_threads_leave(&f->threads, 5, 78);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->threads.over_count), 1);
}

static void full_changes_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread[3];
	u32 i;

	start(test, 3, SLOTS);
	for (i = 0; i < 3; i++) {
		thread[i] = make(test, i, 70 + i, 0);
		KUNIT_ASSERT_NOT_NULL(test, thread[i]);
	}
	KUNIT_EXPECT_NULL(test, make(test, 3, 73, 0));
	KUNIT_EXPECT_NULL(test, make(test, 1, 71, 1));
	/* There is no row for the new program, and that of the old one goes on. */
	KUNIT_EXPECT_FALSE(test, thread[1]->over);
	KUNIT_EXPECT_PTR_EQ(test, sp_threads_find(&f->threads, 1, 71, 0), thread[1]);
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->threads), 3U);
	KUNIT_EXPECT_EQ(test, sp_threads_end(&f->threads), SP_THREAD_FIRST + 3U);

	free_row(test, thread[1]);
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->threads), 2U);
	KUNIT_EXPECT_NULL(test, sp_threads_find(&f->threads, 1, 71, 0));
	/* The only one that is free. */
	KUNIT_EXPECT_PTR_EQ(test, make(test, 3, 73, 0), thread[1]);
	KUNIT_EXPECT_NULL(test, make(test, 4, 74, 0));
	KUNIT_EXPECT_EQ(test, sp_threads_end(&f->threads), SP_THREAD_FIRST + 3U);
}

static void a_row_is_as_new(struct kunit *test)
{
	struct sp_thread *thread;

	start(test, 1, SLOTS);
	thread = make(test, 0, 1, 0);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	thread->out_user = 7;
	thread->out_seq = 8;
	thread->who.program = 9;
	thread->over = true;
	atomic_inc(&((struct fixture *)test->priv)->threads.over_count);
	free_row(test, thread);
	KUNIT_ASSERT_PTR_EQ(test, make(test, 1, 2, 0), thread);
	KUNIT_EXPECT_EQ(test, thread->out_user | thread->out_seq, 0U);
	KUNIT_EXPECT_EQ(test, thread->who.program, 0U);
	KUNIT_EXPECT_FALSE(test, thread->over);
}

/* What a naive table knows: a list of rows, searched from end to end. */
struct model_row {
	bool used;
	bool over;
	u32 slot;
	u64 serial;
	u32 exec_id;
};

#define MODEL_ROWS 12

struct model {
	struct model_row rows[SP_THREAD_FIRST + MODEL_ROWS];
	u64 serial[SLOTS];	/* who has a place now, */
	u32 exec_id[SLOTS];	/* and which program it runs */
};

static struct model_row *model_find(struct model *model, u32 slot)
{
	u32 i;

	for (i = SP_THREAD_FIRST; i < ARRAY_SIZE(model->rows); i++) {
		struct model_row *row = &model->rows[i];

		if (row->used && row->slot == slot &&
		    row->serial == model->serial[slot] &&
		    row->exec_id == model->exec_id[slot])
			return row;
	}
	return NULL;
}

static u32 model_count(const struct model *model, bool over_only)
{
	u32 i, count = 0;

	for (i = SP_THREAD_FIRST; i < ARRAY_SIZE(model->rows); i++)
		count += model->rows[i].used &&
			 (model->rows[i].over || !over_only);
	return count;
}

/* A task comes to a place, or goes on in it with another program. */
static void model_make(struct kunit *test, struct model *model, u32 slot)
{
	struct fixture *f = test->priv;
	struct model_row *row;
	struct sp_thread *made;
	u32 number, i;

	made = make(test, slot, model->serial[slot], model->exec_id[slot]);
	if (model_count(model, false) == MODEL_ROWS) {
		KUNIT_ASSERT_NULL(test, made);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, made);
	number = sp_threads_number(&f->threads, made);
	KUNIT_ASSERT_GE(test, number, (u32)SP_THREAD_FIRST);
	KUNIT_ASSERT_LT(test, number, (u32)ARRAY_SIZE(model->rows));
	row = &model->rows[number];
	KUNIT_ASSERT_FALSE(test, row->used);
	for (i = SP_THREAD_FIRST; i < ARRAY_SIZE(model->rows); i++)
		if (model->rows[i].used && model->rows[i].slot == slot)
			model->rows[i].over = true;
	*row = (struct model_row){ .used = true, .slot = slot,
				   .serial = model->serial[slot],
				   .exec_id = model->exec_id[slot] };
}

static void model_compare(struct kunit *test, struct model *model)
{
	struct fixture *f = test->priv;
	const struct model_row *row;
	u32 slot, i;

	KUNIT_ASSERT_EQ(test, sp_threads_count(&f->threads), model_count(model, false));
	KUNIT_ASSERT_EQ(test, (u32)atomic_read(&f->threads.over_count),
			model_count(model, true));
	for (slot = 0; slot < SLOTS; slot++) {
		row = model_find(model, slot);
		KUNIT_ASSERT_PTR_EQ(test,
				    sp_threads_find(&f->threads, slot, model->serial[slot],
						    model->exec_id[slot]),
				    row ? &f->threads.list[row - model->rows] : NULL);
	}
	for (i = SP_THREAD_FIRST; i < sp_threads_end(&f->threads); i++)
		if (model->rows[i].used)
			KUNIT_ASSERT_EQ(test, f->threads.list[i].over,
					model->rows[i].over);
}

static void like_a_list(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct rnd_state random;
	struct model *model;
	u64 serial = 1;
	u32 step, slot, number;

	model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, model);
	start(test, MODEL_ROWS, SLOTS);
	sp_random_start(test, &random);
	for (slot = 0; slot < SLOTS; slot++)
		model->serial[slot] = serial++;
	for (step = 0; step < STEPS; step++) {
		slot = sp_random_below(&random, SLOTS);
		number = SP_THREAD_FIRST + sp_random_below(&random, MODEL_ROWS);
		switch (sp_random_below(&random, 5)) {
		case 0:	/* another task */
			model->serial[slot] = serial++;
			model->exec_id[slot] = 0;
			model_make(test, model, slot);
			break;
		case 1:	/* exec */
			model->exec_id[slot]++;
			model_make(test, model, slot);
			break;
		case 2:	/* exit */
			if (!model->rows[number].used)
				break;
			sp_thread_exited(&f->threads, &f->threads.list[number], f->task);
			model->rows[number].over = true;
			break;
		default: /* folded */
			if (!model->rows[number].over)
				break;
			free_row(test, &f->threads.list[number]);
			model->rows[number] = (struct model_row){ };
		}
		model_compare(test, model);
	}
}

struct crew_shared {
	struct fixture *fixture;
	unsigned int made[CREW];
	unsigned int freed[CREW];
	unsigned int wrong[CREW];
};

/* Each has a place of its own, takes what it gets, and gives every third back. */
static void take_and_give(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	struct fixture *f = shared->fixture;
	struct sp_thread *thread;
	u32 exec_id;

	for (exec_id = 0; ; exec_id++) {
		thread = sp_threads_make(&f->threads, number, number, exec_id, f->task);
		if (!thread)
			break;
		shared->made[number]++;
		if (sp_threads_find(&f->threads, number, number, exec_id) != thread)
			shared->wrong[number]++;
		if (exec_id % 3)
			continue;
		sp_threads_free(&f->threads, sp_threads_number(&f->threads, thread));
		shared->freed[number]++;
	}
}

static void several_take_and_give(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct crew_shared *shared;
	unsigned int i, made = 0, freed = 0, rows[CREW] = { };

	shared = kunit_kzalloc(test, sizeof(*shared), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, shared);
	start(test, CREW_ROWS, CREW);
	shared->fixture = f;
	sp_crew_run(test, CREW, take_and_give, shared);
	for (i = 0; i < CREW; i++) {
		KUNIT_EXPECT_EQ(test, shared->wrong[i], 0U);
		made += shared->made[i];
		freed += shared->freed[i];
	}
	/* One that found it full may have been followed by one that gave back. */
	KUNIT_EXPECT_EQ(test, made - freed, sp_threads_count(&f->threads));
	KUNIT_EXPECT_LE(test, sp_threads_count(&f->threads), (u32)CREW_ROWS);
	for (i = SP_THREAD_FIRST; i < sp_threads_end(&f->threads); i++) {
		struct sp_thread *thread = &f->threads.list[i];

		if (thread->serial == U64_MAX)
			continue;
		KUNIT_ASSERT_LT(test, thread->serial, (u64)CREW);
		KUNIT_ASSERT_EQ(test, thread->serial, (u64)thread->slot);
		rows[thread->slot]++;
	}
	for (i = 0; i < CREW; i++)
		KUNIT_EXPECT_EQ(test, rows[i], shared->made[i] - shared->freed[i]);
}

/* The last quarter, or none of very few. */
static void crowded_from_three_quarters_on(struct kunit *test)
{
	static const u32 sizes[] = { 1, 3, 4, 5, SLOTS };
	struct fixture *f = test->priv;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		KUNIT_ASSERT_EQ(test, sp_threads_init(&f->threads, sizes[i], SLOTS), 0);
		for (n = 0; n < sizes[i]; n++) {
			KUNIT_EXPECT_EQ(test, sp_threads_crowded(&f->threads),
					n >= sizes[i] - sizes[i] / 4);
			KUNIT_ASSERT_NOT_NULL(test, sp_threads_make(&f->threads, n, 1, 1,
								    f->task));
		}
		KUNIT_EXPECT_TRUE(test, sp_threads_crowded(&f->threads));
		sp_threads_destroy(&f->threads);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(crowded_from_three_quarters_on),
	KUNIT_CASE(nobody_at_first),
	KUNIT_CASE(found_by_place_and_who),
	KUNIT_CASE(says_who_it_is),
	KUNIT_CASE(the_task_is_found_again),
	KUNIT_CASE(who_is_half_gone),
	KUNIT_CASE(exec_ends_the_row_before),
	KUNIT_CASE(next_owner_of_a_place_ends_the_last),
	KUNIT_CASE(a_row_of_somebody_else_is_not_ended),
	KUNIT_CASE(the_end_counts_once),
	KUNIT_CASE(the_last_of_a_task_is_found),
	KUNIT_CASE(a_place_is_left_without_a_new_row),
	KUNIT_CASE(full_changes_nothing),
	KUNIT_CASE(a_row_is_as_new),
	KUNIT_CASE(like_a_list),
	KUNIT_CASE(several_take_and_give),
	{}
};

struct kunit_suite sp_threads_suite = {
	.name = "schedprof_threads",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

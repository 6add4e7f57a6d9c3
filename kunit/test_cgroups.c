// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of cgroups: the group of this very thread is compared with what the kernel says; others
 * are made up, as far as numbers go. And how a task looks to filters by its group and user.
 *
 * Run: make kunit
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/sched.h>

#include "record/cgroups.h"
#include "suites.h"
#include "task/traits.h"

static int set_up(struct kunit *test)
{
	struct sp_cgroups *cgroups = kunit_kzalloc(test, sizeof(*cgroups), GFP_KERNEL);

	test->priv = cgroups;
	return cgroups ? sp_cgroups_init(cgroups) : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;

	if (cgroups)
		sp_cgroups_destroy(cgroups);
}

/* What the kernel calls it. */
static char *path_of_this(struct kunit *test)
{
	char *path = kunit_kzalloc(test, SP_CGROUP_PATH, GFP_KERNEL);
	struct cgroup *cgroup;

	if (!path)
		return NULL;
	rcu_read_lock();
	cgroup = task_dfl_cgroup(current);
	cgroup_path(cgroup, path, SP_CGROUP_PATH);
	rcu_read_unlock();
	return path;
}

static void paths_are_found_later(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	u64 id = sp_cgroup_of(current);
	char *path = path_of_this(test);

	KUNIT_ASSERT_NOT_NULL(test, path);
	KUNIT_EXPECT_EQ(test, id, cgroup_id(task_dfl_cgroup(current)));
	KUNIT_EXPECT_TRUE(test, sp_cgroups_note(cgroups, current));
	/* Once is enough. */
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, current));
	KUNIT_EXPECT_PTR_EQ(test, sp_cgroups_path(cgroups, id), (const char *)NULL);
	KUNIT_EXPECT_EQ(test, sp_cgroups_number(cgroups, id), 0);
	sp_cgroups_find_paths(cgroups);
	KUNIT_ASSERT_NOT_NULL(test, sp_cgroups_path(cgroups, id));
	KUNIT_EXPECT_STREQ(test, sp_cgroups_path(cgroups, id), path);
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, current));
	KUNIT_EXPECT_EQ(test, sp_cgroups_at(cgroups, sp_cgroups_number(cgroups, id))->id, id);
	KUNIT_EXPECT_EQ(test, atomic_read(&cgroups->missed), 0);
}

static void others_are_not_known(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	u64 id = sp_cgroup_of(current);

	sp_cgroups_note(cgroups, current);
	sp_cgroups_find_paths(cgroups);
	KUNIT_EXPECT_PTR_EQ(test, sp_cgroups_path(cgroups, id + 1), (const char *)NULL);
	KUNIT_EXPECT_PTR_EQ(test, sp_cgroups_path(cgroups, 0), (const char *)NULL);
}

/* Whoever finds all places taken where it may be is counted, each time, and has no name. */
static void no_room_is_counted(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	u64 id = sp_cgroup_of(current);
	u32 i;

	for (i = 0; i < SP_CGROUPS; i++)
		cgroups->list[i].id = id + 1 + i;
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, current));
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, current));
	KUNIT_EXPECT_EQ(test, atomic_read(&cgroups->missed), 2);
	sp_cgroups_find_paths(cgroups);
	KUNIT_EXPECT_PTR_EQ(test, sp_cgroups_path(cgroups, id), (const char *)NULL);
}

/* A group with the name of this thread's, whose references the kernel tells us the end of. */
struct made_up {
	struct cgroup group;
	struct css_set set;
	struct task_struct task;
	bool released;
};

static void release(struct percpu_ref *ref)
{
	container_of(ref, struct made_up, group.self.refcnt)->released = true;
}

/* With one reference, ours. */
static struct made_up *make_up(struct kunit *test)
{
	struct made_up *made = kunit_kzalloc(test, sizeof(*made), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, made);
	KUNIT_ASSERT_EQ(test, 0, percpu_ref_init(&made->group.self.refcnt, release,
						 PERCPU_REF_INIT_ATOMIC, GFP_KERNEL));
	made->group.kn = task_dfl_cgroup(current)->kn;
	made->set.dfl_cgrp = &made->group;
	RCU_INIT_POINTER(made->task.cgroups, &made->set);
	return made;
}

/* A reference that nobody asked the path of is given back at the end, and no sooner. */
static void what_was_noted_only_is_given_back(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	struct made_up *made = make_up(test);

	KUNIT_EXPECT_TRUE(test, sp_cgroups_note(cgroups, &made->task));
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, &made->task));
	percpu_ref_kill(&made->group.self.refcnt);
	KUNIT_EXPECT_FALSE(test, made->released);
	sp_cgroups_destroy(cgroups);
	KUNIT_EXPECT_TRUE(test, made->released);
	KUNIT_EXPECT_PTR_EQ(test, cgroups->list, (struct sp_cgroup *)NULL);
	percpu_ref_exit(&made->group.self.refcnt);
}

/* A group that is removed has a path for as long as nobody found it; then it is let go. */
static void who_has_a_path_is_given_back(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	struct made_up *made = make_up(test);
	char *path = path_of_this(test);

	KUNIT_ASSERT_NOT_NULL(test, path);
	KUNIT_EXPECT_TRUE(test, sp_cgroups_note(cgroups, &made->task));
	percpu_ref_kill(&made->group.self.refcnt);
	KUNIT_EXPECT_FALSE(test, made->released);
	sp_cgroups_find_paths(cgroups);
	KUNIT_EXPECT_TRUE(test, made->released);
	KUNIT_EXPECT_STREQ(test, sp_cgroups_path(cgroups, cgroup_id(&made->group)), path);
	/* Not once more. */
	sp_cgroups_find_paths(cgroups);
	percpu_ref_exit(&made->group.self.refcnt);
}

/* One that is being freed is not held, and counted. */
static void who_is_freed_is_counted(struct kunit *test)
{
	struct sp_cgroups *cgroups = test->priv;
	struct made_up *made = make_up(test);

	percpu_ref_kill(&made->group.self.refcnt);
	KUNIT_EXPECT_TRUE(test, made->released);
	KUNIT_EXPECT_FALSE(test, sp_cgroups_note(cgroups, &made->task));
	KUNIT_EXPECT_EQ(test, atomic_read(&cgroups->missed), 1);
	percpu_ref_exit(&made->group.self.refcnt);
}

/* Other credentials may come to lie where those before were, and so may sets of groups. */
static void looks_are_no_addresses(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct cred *cred = kunit_kzalloc(test, sizeof(*cred), GFP_KERNEL);
	struct css_set *groups = kunit_kzalloc(test, sizeof(*groups), GFP_KERNEL);
	struct cgroup *cgroup = kunit_kzalloc(test, sizeof(*cgroup), GFP_KERNEL);
	struct kernfs_node *node = kunit_kzalloc(test, sizeof(*node), GFP_KERNEL);
	struct sp_look look;

	KUNIT_ASSERT_TRUE(test, task && cred && groups && cgroup && node);
	node->id = 4711;
	cgroup->kn = node;
	groups->dfl_cgrp = cgroup;
	RCU_INIT_POINTER(task->cgroups, groups);
	RCU_INIT_POINTER(task->real_cred, cred);
	cred->uid = KUIDT_INIT(1234);
	rcu_read_lock();
	sp_look_take(&look, task);
	KUNIT_EXPECT_FALSE(test, sp_look_changed(&look, task));
	cred->uid = KUIDT_INIT(4321);
	KUNIT_EXPECT_TRUE(test, sp_look_changed(&look, task));
	sp_look_take(&look, task);
	KUNIT_EXPECT_FALSE(test, sp_look_changed(&look, task));
	node->id = 4712;
	KUNIT_EXPECT_TRUE(test, sp_look_changed(&look, task));
	rcu_read_unlock();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(paths_are_found_later),
	KUNIT_CASE(others_are_not_known),
	KUNIT_CASE(no_room_is_counted),
	KUNIT_CASE(what_was_noted_only_is_given_back),
	KUNIT_CASE(who_has_a_path_is_given_back),
	KUNIT_CASE(who_is_freed_is_counted),
	KUNIT_CASE(looks_are_no_addresses),
	{}
};

struct kunit_suite sp_cgroups_suite = {
	.name = "schedprof_cgroups",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

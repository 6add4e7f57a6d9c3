// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups: which control groups the tasks of a recording are in, in the hierarchy of version 2.
 *
 * A hook that makes a thread notes the group of its task: it claims a place by the group's
 * number and takes a reference. It cannot find the path, which takes locks of kernfs that may
 * sleep on PREEMPT_RT; a worker or reader does, and gives the reference back. So a group that
 * is removed meanwhile has its name, and none is kept in memory for longer than that takes.
 *
 * Places are given to nobody else while the recording lives, so a path that was found stays.
 * Claimed by cmpxchg; only who claimed a place fills it in. Paths are found under a mutex.
 */
#include <linux/cgroup.h>
#include <linux/hash.h>
#include <linux/slab.h>

#include "lib/export.h"
#include "lib/memory.h"
#include "lib/widen.h"
#include "record/cgroups.h"
#include "task/traits.h"

/* A number is in one of so many places. */
#define PROBES	16

/**
 * sp_cgroups_bytes() - memory that a table will take, without paths
 */
u64 sp_cgroups_bytes(void)
{
	return SP_CGROUPS * sizeof(struct sp_cgroup);
}

/**
 * sp_cgroups_init() - make an empty table
 * @cgroups: to be filled
 *
 * Return: 0 or -ENOMEM.
 */
int sp_cgroups_init(struct sp_cgroups *cgroups)
{
	cgroups->list = sp_alloc(sp_cgroups_bytes());
	cgroups->unnamed = false;
	atomic_set(&cgroups->missed, 0);
	mutex_init(&cgroups->mutex);
	return cgroups->list ? 0 : -ENOMEM;
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_init);

/**
 * sp_cgroups_destroy() - give memory and references back
 * @cgroups: nobody uses it any more; all 0 is empty
 *
 * Context: process, may sleep.
 */
void sp_cgroups_destroy(struct sp_cgroups *cgroups)
{
	u32 i;

	if (!cgroups->list)
		return;
	for (i = 0; i < SP_CGROUPS; i++) {
		if (cgroups->list[i].cgroup)
			cgroup_put(cgroups->list[i].cgroup);
		kfree(cgroups->list[i].path);
	}
	vfree(cgroups->list);
	cgroups->list = NULL;
	mutex_destroy(&cgroups->mutex);
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_destroy);

/**
 * sp_cgroup_of() - the number of a task's control group
 * @task: the task; the caller keeps it from going away
 *
 * Context: any, also a hook: a task has a css_set for as long as it is, and that and its group
 * are freed after a grace period.
 */
u64 sp_cgroup_of(struct task_struct *task)
{
	u64 id;

	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(task));
	rcu_read_unlock();
	return id;
}
SP_EXPORT_FOR_KUNIT(sp_cgroup_of);

static struct sp_cgroup *place_of(const struct sp_cgroups *cgroups, u64 id, u32 probe)
{
	return &cgroups->list[(hash_64(id, ilog2(SP_CGROUPS)) + probe) % SP_CGROUPS];
}

/* NULL: there is no room. @claimed: nobody had it before. */
static struct sp_cgroup *find_or_claim(struct sp_cgroups *cgroups, u64 id, bool *claimed)
{
	struct sp_cgroup *place;
	u64 had;
	u32 i;

	*claimed = false;
	for (i = 0; i < PROBES; i++) {
		place = place_of(cgroups, id, i);
		had = READ_ONCE(place->id);
		if (!had) {
			had = cmpxchg64(&place->id, 0, id);
			*claimed = !had;
		}
		if (!had || had == id)
			return place;
	}
	return NULL;
}

/**
 * sp_cgroups_note() - somebody will ask for the name of a task's control group
 * @cgroups: the table
 * @task: the task; the caller keeps it from going away
 *
 * Context: any, also a hook. It takes a reference by cgroup_tryget(), which counts on this CPU
 * and never fails but for a group that is being freed; it gives none back, which might queue
 * work.
 * Return: true if sp_cgroups_find_paths() has to be called.
 */
bool sp_cgroups_note(struct sp_cgroups *cgroups, struct task_struct *task)
{
	struct cgroup *cgroup;
	struct sp_cgroup *place;
	bool claimed;

	rcu_read_lock();
	cgroup = task_dfl_cgroup(task);
	place = find_or_claim(cgroups, cgroup_id(cgroup), &claimed);
	sp_window();
	if (claimed && cgroup_tryget(cgroup)) {
		/* Pairs with find_path(): who sees it may use it. */
		smp_store_release(&place->cgroup, cgroup);
		/* After that, or the one who clears it would not see it. */
		smp_store_release(&cgroups->unnamed, true);
	} else if (!place || claimed) {
		claimed = false;
		atomic_inc(&cgroups->missed);
	}
	rcu_read_unlock();
	return claimed;
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_note);

static void find_path(struct sp_cgroups *cgroups, struct sp_cgroup *place, char *path)
{
	/* Pairs with sp_cgroups_note(). */
	struct cgroup *cgroup = smp_load_acquire(&place->cgroup);
	const char *kept = NULL;
	int length;

	if (!cgroup)
		return;
	length = cgroup_path(cgroup, path, SP_CGROUP_PATH);
	if (length >= 0 && length < SP_CGROUP_PATH)
		kept = kstrdup(path, GFP_KERNEL);
	if (!kept)
		atomic_inc(&cgroups->missed);
	sp_window();
	/* Pairs with sp_cgroups_at(). */
	smp_store_release(&place->path, kept);
	place->cgroup = NULL;
	cgroup_put(cgroup);
}

/**
 * sp_cgroups_find_paths() - of all groups that were noted
 * @cgroups: the table
 *
 * Context: process, may sleep.
 */
void sp_cgroups_find_paths(struct sp_cgroups *cgroups)
{
	char *path;
	u32 i;

	if (!READ_ONCE(cgroups->unnamed))
		return;
	path = kmalloc(SP_CGROUP_PATH, GFP_KERNEL);
	if (!path)
		return;
	mutex_lock(&cgroups->mutex);
	/* A full barrier, before it looks: one that is noted later sets it again. */
	xchg(&cgroups->unnamed, false);
	for (i = 0; i < SP_CGROUPS; i++) {
		find_path(cgroups, &cgroups->list[i], path);
		cond_resched();
	}
	mutex_unlock(&cgroups->mutex);
	kfree(path);
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_find_paths);

/**
 * sp_cgroups_at() - a control group whose path is known
 * @cgroups: the table
 * @number: from 1 to SP_CGROUPS
 *
 * Return: it, valid as long as the table; NULL if there is none of that number.
 */
const struct sp_cgroup *sp_cgroups_at(const struct sp_cgroups *cgroups, u32 number)
{
	const struct sp_cgroup *place = &cgroups->list[number - 1];

	/* Pairs with find_path(). */
	return smp_load_acquire(&place->path) ? place : NULL;
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_at);

/**
 * sp_cgroups_number() - which place a control group has
 * @cgroups: the table
 * @id: its number in the kernel
 *
 * Return: 1 to SP_CGROUPS; 0 if it is not there, or its path is not known.
 */
u32 sp_cgroups_number(const struct sp_cgroups *cgroups, u64 id)
{
	const struct sp_cgroup *place;
	u32 i, number;

	for (i = 0; i < PROBES; i++) {
		place = place_of(cgroups, id, i);
		number = place - cgroups->list + 1;
		if (READ_ONCE(place->id) == id)
			return sp_cgroups_at(cgroups, number) ? number : 0;
	}
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_number);

/**
 * sp_cgroups_path() - what a control group is called
 * @cgroups: the table
 * @id: its number in the kernel
 *
 * Return: its path, valid as long as the table; NULL if it is not known.
 */
const char *sp_cgroups_path(const struct sp_cgroups *cgroups, u64 id)
{
	u32 number = sp_cgroups_number(cgroups, id);

	return number ? cgroups->list[number - 1].path : NULL;
}
SP_EXPORT_FOR_KUNIT(sp_cgroups_path);

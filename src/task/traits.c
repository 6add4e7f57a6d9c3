// SPDX-License-Identifier: GPL-2.0-only
/*
 * traits: what a session asks of a task besides who it is: its name, its user,
 * its control group. Replaced as a whole under RCU, so no lock here.
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "lib/export.h"
#include "task/traits.h"

/**
 * sp_traits_make() - a copy that may still be changed
 * @like: what to copy; NULL: ask for nothing
 *
 * Context: process, may sleep.
 * Return: the copy, with a reference of its own to the control group, or NULL.
 */
struct sp_traits *sp_traits_make(const struct sp_traits *like)
{
	struct sp_traits *traits = kzalloc(sizeof(*traits), GFP_KERNEL);

	if (!traits)
		return NULL;
	traits->uid = INVALID_UID;
	if (like)
		*traits = *like;
	if (traits->cgroup)
		cgroup_get(traits->cgroup);
	return traits;
}

/**
 * sp_traits_free() - give memory and reference back
 * @traits: nobody uses them any more; may be NULL
 *
 * Context: process.
 */
void sp_traits_free(struct sp_traits *traits)
{
	if (traits && traits->cgroup)
		cgroup_put(traits->cgroup);
	kfree(traits);
}

/**
 * sp_traits_find_cgroup() - the control group that has a path now
 * @text: as after 0:: in /proc/PID/cgroup
 *
 * The kernel takes a file in the middle of a path for a directory, and what somebody who has
 * it open left there for the first of its children. So groups are asked for from the first one
 * on, and the way ends at what is none.
 *
 * Context: process, may sleep.
 * Return: the group, with a reference, or an ERR_PTR(): -ENOMEM, or there is none.
 */
struct cgroup *sp_traits_find_cgroup(const char *text)
{
	char *path = kstrdup(text, GFP_KERNEL);
	struct cgroup *cgroup = ERR_PTR(-ENOMEM);
	char *end;

	if (!path)
		return cgroup;
	for (end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		*end = '\0';
		cgroup = cgroup_get_from_path(path);
		*end = '/';
		if (IS_ERR(cgroup))
			goto out;
		cgroup_put(cgroup);
	}
	cgroup = cgroup_get_from_path(path);
out:
	kfree(path);
	return cgroup;
}

/* Was the control group removed? One that is made in its place is another one. */
bool sp_traits_cgroup_is_gone(const struct sp_traits *traits)
{
	return traits->cgroup && !(READ_ONCE(traits->cgroup->self.flags) & CSS_ONLINE);
}

/* Do they ask for anything? */
bool sp_traits_ask(const struct sp_traits *traits)
{
	return traits->comm[0] || uid_valid(traits->uid) || traits->cgroup;
}

/**
 * sp_traits_match() - does a task have them?
 * @traits: what is asked
 * @task: the task; it cannot go away meanwhile
 *
 * Context: any, also a hook, in an RCU read side section, which the task's
 * credentials and set of control groups need. The name may be changed
 * meanwhile; then it is asked again.
 */
bool sp_traits_match(const struct sp_traits *traits, struct task_struct *task)
{
	char comm[TASK_COMM_LEN];

	if (traits->comm[0]) {
		memcpy(comm, task->comm, TASK_COMM_LEN);
		comm[TASK_COMM_LEN - 1] = '\0';
		if (!glob_match(traits->comm, comm))
			return false;
	}
	if (uid_valid(traits->uid) && !uid_eq(task_uid(task), traits->uid))
		return false;
	return !traits->cgroup ||
	       cgroup_is_descendant(task_dfl_cgroup(task), traits->cgroup);
}

static u64 cgroup_of(struct task_struct *task)
{
	return cgroup_id(task_dfl_cgroup(task));
}

/**
 * sp_look_take() - how a task looks now
 * @look: filled
 * @task: the task
 *
 * To be called before sp_traits_match(): what changes in between is seen as a change.
 *
 * Context: a hook that switches @task, in an RCU read side section.
 */
void sp_look_take(struct sp_look *look, struct task_struct *task)
{
	look->uid = task_uid(task);
	look->cgroup = cgroup_of(task);
	memcpy(look->comm, task->comm, TASK_COMM_LEN);
}
SP_EXPORT_FOR_KUNIT(sp_look_take);

/**
 * sp_look_changed() - might sp_traits_match() give another answer now?
 * @look: how the task looked when it was asked
 * @task: the task
 *
 * Context: a hook that switches @task, in an RCU read side section.
 */
bool sp_look_changed(const struct sp_look *look, struct task_struct *task)
{
	return !uid_eq(look->uid, task_uid(task)) || look->cgroup != cgroup_of(task) ||
	       memcmp(look->comm, task->comm, TASK_COMM_LEN);
}
SP_EXPORT_FOR_KUNIT(sp_look_changed);

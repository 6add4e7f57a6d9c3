// SPDX-License-Identifier: GPL-2.0-only
/*
 * pid_set: an immutable set of processes or threads.
 *
 * A sorted array of struct pid, searched by bisection, and their numbers for
 * whoever prints them, which needs no memory so. Writers make a new set
 * and publish it under RCU; hooks only search. No lock.
 */
#include <linux/bsearch.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "lib/export.h"
#include "lib/limits.h"
#include "lib/pid_set.h"

static int compare_pids(const void *a, const void *b)
{
	const struct pid *x = *(struct pid *const *)a;
	const struct pid *y = *(struct pid *const *)b;

	return x < y ? -1 : x > y;
}

static int compare_numbers(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return x < y ? -1 : x > y;
}

static bool has_pid(struct pid *const *pids, u32 count, const struct pid *pid)
{
	return bsearch(&pid, pids, count, sizeof(*pids), compare_pids);
}

/**
 * sp_pid_set_has() - is this one in the set?
 * @set: the set
 * @pid: may be NULL, which only "all" matches
 *
 * Context: any, also a hook: a bisection, no lock.
 */
bool sp_pid_set_has(const struct sp_pid_set *set, const struct pid *pid)
{
	return set->all || (pid && has_pid(set->pid, set->count, pid));
}
SP_EXPORT_FOR_KUNIT(sp_pid_set_has);

static struct sp_pid_set *empty_set(size_t room)
{
	struct sp_pid_set *set;

	set = kvzalloc(struct_size(set, pid, room) + room * sizeof(*set->number), GFP_KERNEL);
	if (!set)
		return ERR_PTR(-ENOMEM);
	set->number = (pid_t *)&set->pid[room];
	return set;
}

/* Sort, drop what stands twice, take the references and the numbers, which never change. */
static struct sp_pid_set *finish_set(struct sp_pid_set *set)
{
	u32 from, to = 0;

	sort(set->pid, set->count, sizeof(set->pid[0]), compare_pids, NULL);
	for (from = 0; from < set->count; from++)
		if (!to || set->pid[to - 1] != set->pid[from])
			set->pid[to++] = set->pid[from];
	set->count = to;
	if (set->count > SP_MAX_PIDS) {
		kvfree(set);
		return ERR_PTR(-ENOSPC);
	}
	for (to = 0; to < set->count; to++)
		set->number[to] = pid_nr(get_pid(set->pid[to]));
	sort(set->number, set->count, sizeof(set->number[0]), compare_numbers, NULL);
	return set;
}

/**
 * sp_pid_set_make() - a set of just these
 * @all: everything matches; @pids is not looked at
 * @pids: in any order, the same one several times if need be
 * @count: how many
 *
 * Context: process, may sleep. The set takes references of its own.
 * Return: the set, ERR_PTR(-ENOMEM), or ERR_PTR(-ENOSPC) beyond SP_MAX_PIDS.
 */
struct sp_pid_set *sp_pid_set_make(bool all, struct pid **pids, u32 count)
{
	struct sp_pid_set *set = empty_set(all ? 0 : count);

	if (IS_ERR(set))
		return set;
	set->all = all;
	if (!all) {
		memcpy(set->pid, pids, count * sizeof(*pids));
		set->count = count;
	}
	return finish_set(set);
}
SP_EXPORT_FOR_KUNIT(sp_pid_set_make);

/**
 * sp_pid_set_change() - a set with some more, or with some fewer
 * @base: the set to start from; adding to "all" starts a list
 * @pids: what to add or remove; removing what is not there is no error
 * @count: how many
 * @add: add, else remove
 *
 * Context: process, may sleep. @base stays as it is.
 * Return: as sp_pid_set_make(). Removing from "all" gives "all".
 */
struct sp_pid_set *sp_pid_set_change(const struct sp_pid_set *base,
				     struct pid **pids, u32 count, bool add)
{
	struct sp_pid_set *set = empty_set((size_t)base->count + count);
	u32 i;

	if (IS_ERR(set))
		return set;
	if (add) {
		memcpy(set->pid, base->pid, base->count * sizeof(*pids));
		memcpy(set->pid + base->count, pids, count * sizeof(*pids));
		set->count = base->count + count;
		return finish_set(set);
	}
	set->all = base->all;
	sort(pids, count, sizeof(*pids), compare_pids, NULL);
	for (i = 0; i < base->count; i++)
		if (!has_pid(pids, count, base->pid[i]))
			set->pid[set->count++] = base->pid[i];
	return finish_set(set);
}
SP_EXPORT_FOR_KUNIT(sp_pid_set_change);

/**
 * sp_pid_set_free() - drop a set and its references
 * @set: no hook may use it any more; NULL is fine, and an ERR_PTR()
 *
 * Context: process.
 */
void sp_pid_set_free(struct sp_pid_set *set)
{
	u32 i;

	if (IS_ERR_OR_NULL(set))
		return;
	for (i = 0; i < set->count; i++)
		put_pid(set->pid[i]);
	kvfree(set);
}
SP_EXPORT_FOR_KUNIT(sp_pid_set_free);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * change: what happened between two snapshots. Tasks that have gone meanwhile are merged by
 * the module with all others that are gone; what they had before is taken off there, so
 * that all differences are of the time between. Functions without state, so nothing is
 * locked.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Nothing is less than it was, unless the session was reset: then all of it is new. */
static bool is_older(const struct top_task *before, const struct top_task *now)
{
	return top_observed(&now->figures) >= top_observed(&before->figures);
}

static void subtract_tasks(struct top_change *change, const struct top_snapshot *before,
			   const struct top_snapshot *now)
{
	struct top_figures gone = { 0 };
	const struct top_task *old;
	struct top_task *exited;
	size_t i;

	for (i = 0; i < change->task_count; i++) {
		struct top_task *task = &change->tasks[i];

		old = top_find_task(before->tasks, before->task_count, task->tid, task->start_ns);
		if (old && !is_older(old, task))
			old = NULL;
		if (old)
			top_figures_take_off(&task->figures, &old->figures);
		task->longest_is_new = task->longest && (!old || task->longest > old->longest);
	}
	for (i = 0; i < before->task_count; i++) {
		old = &before->tasks[i];
		if (old->tid &&
		    !top_find_task(now->tasks, now->task_count, old->tid, old->start_ns))
			top_figures_add(&gone, &old->figures);
	}
	exited = top_find_task(change->tasks, change->task_count, 0, 0);
	if (exited)
		top_figures_take_off(&exited->figures, &gone);
}

static struct schedprof_blame *find_pair(struct schedprof_blame *blame, size_t n,
					 const struct schedprof_blame *key)
{
	return n ? bsearch(key, blame, n, sizeof(*key), top_by_pair) : NULL;
}

/* Where the module put a culprit, or a waiter, that is gone; the first that is there. */
static void take_off_gone(struct top_change *change, const struct schedprof_blame *gone)
{
	struct schedprof_blame keys[4] = { *gone, *gone, *gone, *gone }, *to;
	size_t i;

	for (i = 0; i < 4; i++) {
		/* Two of a waiter that may be there yet, two of all waiters that are gone. */
		if (i >= 2) {
			keys[i].tid = 0;
			keys[i].start_ns = 0;
		}
		if (i != 2) {
			keys[i].culprit = SCHEDPROF_CULPRIT_EXITED;
			keys[i].culprit_tid = 0;
			keys[i].culprit_start_ns = 0;
		}
		if (i == 1)
			keys[i].self = !gone->self;
		else if (i == 3)
			keys[i].self = false;
		to = find_pair(change->blame, change->blame_count, &keys[i]);
		if (!to)
			continue;
		to->total = top_less(to->total, gone->total);
		to->count = top_less(to->count, gone->count);
		return;
	}
}

static void subtract_blame(struct top_change *change, const struct top_snapshot *before,
			   const struct top_snapshot *now)
{
	const struct schedprof_blame *old;
	size_t i;

	for (i = 0; i < change->blame_count; i++) {
		struct schedprof_blame *row = &change->blame[i];

		old = find_pair(before->blame, before->blame_count, row);
		if (!old)
			continue;
		/* What a wait that goes on is put down to may turn out to be another one's. */
		row->total = top_less(row->total, old->total);
		row->count = top_less(row->count, old->count);
	}
	for (i = 0; i < before->blame_count; i++) {
		old = &before->blame[i];
		if (!find_pair(now->blame, now->blame_count, old))
			take_off_gone(change, old);
	}
}

/* What waiters are called is as of their tasks. */
static void name_waiters(struct top_change *change, const struct top_names *names)
{
	const struct top_task *task;
	size_t i;

	for (i = 0; i < change->task_count; i++) {
		struct top_task *row = &change->tasks[i];

		if (row->tid && !row->cgroup && names)
			row->cgroup = names->cgroup(names->data, row->tid, row->start_ns);
	}
	for (i = 0; i < change->blame_count; i++) {
		struct schedprof_blame *row = &change->blame[i];

		task = top_find_task(change->tasks, change->task_count, row->tid, row->start_ns);
		if (!task || !row->tid)
			continue;
		row->comm = task->comm;
		row->leader_comm = task->leader_comm;
		row->cgroup = task->cgroup;
	}
}

static void *copy_of(const void *rows, size_t n, size_t size)
{
	void *copy = calloc(n + 1, size);

	if (copy && n)
		memcpy(copy, rows, n * size);
	return copy;
}

/**
 * top_change_make() - what happened between two snapshots
 * @change: filled in; for top_change_free() in any case
 * @before: the older one; zero: what happened since the session began
 * @now: the other one, of the same session
 * @names: may be NULL
 *
 * Return: was there enough memory.
 */
bool top_change_make(struct top_change *change, const struct top_snapshot *before,
		     const struct top_snapshot *now, const struct top_names *names)
{
	*change = (struct top_change) {
		.wall_ns = now->enabled_ns >= before->enabled_ns ?
			   now->enabled_ns - before->enabled_ns : now->enabled_ns,
		.splits = now->splits,
		.tasks = copy_of(now->tasks, now->task_count, sizeof(*now->tasks)),
		.task_count = now->task_count,
		.blame = copy_of(now->blame, now->blame_count, sizeof(*now->blame)),
		.blame_count = now->blame_count,
	};
	if (!change->tasks || !change->blame)
		return false;
	subtract_tasks(change, before, now);
	subtract_blame(change, before, now);
	name_waiters(change, names);
	return true;
}

/**
 * top_waited() - for a CPU, by all tasks
 * @change: made
 */
uint64_t top_waited(const struct top_change *change)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < change->task_count; i++)
		all += change->tasks[i].figures.time[TOP_RUNQUEUE];
	return all;
}

/**
 * top_change_free() - give the memory back
 * @change: made, or zero; zero afterwards
 */
void top_change_free(struct top_change *change)
{
	free(change->tasks);
	free(change->blame);
	*change = (struct top_change) { 0 };
}

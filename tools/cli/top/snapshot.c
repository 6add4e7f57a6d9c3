// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot: what of a recording is compared with the next one: the books of each task, its
 * waits for a CPU, and because of whom. Functions without state, so nothing is locked.
 */
#include <stdlib.h>

#include "../rows.h"
#include "model.h"

static struct top_task task_of(const struct schedprof_ledger *row)
{
	uint64_t foreign = row->irq + row->softirq + row->stolen;

	/* The module says where it counted more of them than there was time for. */
	if (foreign > row->oncpu)
		foreign = row->oncpu;
	return (struct top_task) {
		.tid = row->tid, .tgid = row->tgid, .start_ns = row->tid ? row->start_ns : 0,
		.comm = row->tid ? row->comm : "[exited]",
		.figures = {
			.time = {
				[TOP_ONCPU] = row->oncpu - foreign, [TOP_IRQ] = foreign,
				[TOP_RUNQUEUE] = row->runqueue,
				[TOP_SLEEP] = row->sleep, [TOP_DISK] = row->disk,
			},
			.switches = (uint64_t)row->switches_vol + row->switches_invol,
			.wakeups = row->wakeups,
		},
	};
}

/* A task has a row for each program that it ran. */
static size_t merge_tasks(struct top_task *tasks, size_t n)
{
	size_t i, kept = 0;

	qsort(tasks, n, sizeof(*tasks), top_by_task);
	for (i = 0; i < n; i++) {
		if (!kept || top_by_task(&tasks[kept - 1], &tasks[i]))
			tasks[kept++] = tasks[i];
		else
			top_figures_add(&tasks[kept - 1].figures, &tasks[i].figures);
	}
	return kept;
}

static bool take_tasks(struct top_snapshot *snapshot)
{
	size_t i, n = schedprof_ledger_count(snapshot->recording);

	snapshot->tasks = calloc(n + 1, sizeof(*snapshot->tasks));
	if (!snapshot->tasks)
		return false;
	for (i = 0; i < n; i++)
		snapshot->tasks[i] = task_of(schedprof_ledger_at(snapshot->recording, i));
	snapshot->task_count = merge_tasks(snapshot->tasks, n);
	return true;
}

static bool is_over(const struct schedprof_task *record)
{
	return record->flags & SCHEDPROF_TASK_EXITED;
}

/* One from before an exec has the group of then, and the one that was over last is the last. */
static bool tells_more(const struct schedprof_task *record, const struct schedprof_task *than)
{
	if (!than || is_over(record) != is_over(than))
		return !than || is_over(than);
	return record->exec_id >= than->exec_id;
}

/* What entries, which are of waits for a CPU, and records of tasks tell. */
static void take_waits(struct top_snapshot *snapshot)
{
	const struct schedprof_entry *entry;
	struct top_task *task;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(snapshot->recording, i)); i++) {
		bool folded = entry->task->flags & SCHEDPROF_TASK_FOLDED;

		/* Nobody knows whose these were. */
		if (entry->task->flags & SCHEDPROF_TASK_LOST)
			continue;
		task = top_find_task(snapshot->tasks, snapshot->task_count,
				     folded ? 0 : entry->task->tid,
				     folded ? 0 : entry->task->start_ns);
		if (!task)
			continue;
		task->figures.waits += entry->count;
		task->figures.waited += entry->total;
		if (entry->max > task->longest)
			task->longest = entry->max;
		if (folded || !tells_more(entry->task, task->record))
			continue;
		task->record = entry->task;
		task->leader_comm = entry->task->leader_comm;
		task->cgroup = entry->task->cgroup;
	}
}

static size_t merge_blame(struct schedprof_blame *blame, size_t n)
{
	size_t i, kept = 0;

	qsort(blame, n, sizeof(*blame), top_by_pair);
	for (i = 0; i < n; i++) {
		if (!kept || top_by_pair(&blame[kept - 1], &blame[i])) {
			blame[kept++] = blame[i];
			continue;
		}
		blame[kept - 1].total += blame[i].total;
		blame[kept - 1].count += blame[i].count;
		if (blame[i].longest > blame[kept - 1].longest)
			blame[kept - 1].longest = blame[i].longest;
	}
	return kept;
}

static bool take_blame(struct top_snapshot *snapshot)
{
	size_t i, n = schedprof_blame_count(snapshot->recording);
	struct top_task *task;

	snapshot->blame = calloc(n + 1, sizeof(*snapshot->blame));
	if (!snapshot->blame)
		return false;
	for (i = 0; i < n; i++) {
		struct schedprof_blame *row = &snapshot->blame[i];

		*row = *schedprof_blame_at(snapshot->recording, i);
		if (!row->tid)
			row->start_ns = 0;
		task = top_find_task(snapshot->tasks, snapshot->task_count, row->tid,
				     row->start_ns);
		if (!task || !row->tid)
			continue;
		/* Who waited is told as of now. */
		if (!task->record || is_over(task->record)) {
			task->leader_comm = row->leader_comm;
			task->cgroup = row->cgroup;
		} else if (!task->cgroup) {
			task->cgroup = row->cgroup;
		}
	}
	snapshot->blame_count = merge_blame(snapshot->blame, n);
	return true;
}

/* Of tasks that never waited for a CPU, the process may have a row. */
static void name_leaders(struct top_snapshot *snapshot)
{
	const struct top_task *tasks = snapshot->tasks;
	size_t i, low, high, middle;

	for (i = 0; i < snapshot->task_count; i++) {
		struct top_task *task = &snapshot->tasks[i];

		if (task->tid == task->tgid)
			task->leader_comm = task->comm;
		if (task->leader_comm)
			continue;
		for (low = 0, high = snapshot->task_count; low < high; ) {
			middle = low + (high - low) / 2;
			if (tasks[middle].tid < task->tgid)
				low = middle + 1;
			else
				high = middle;
		}
		task->leader_comm = low < snapshot->task_count && tasks[low].tid == task->tgid ?
				    tasks[low].comm : task->comm;
	}
}

/**
 * top_snapshot_make() - take from a snapshot what is compared
 * @snapshot: filled in; for top_snapshot_free() in any case
 * @recording: of mode runqueue with ledger and blame; belongs to @snapshot from now on
 *
 * Return: was there enough memory.
 */
bool top_snapshot_make(struct top_snapshot *snapshot, struct schedprof_recording *recording)
{
	*snapshot = (struct top_snapshot) {
		.recording = recording,
		.enabled_ns = cli_meta(recording, "duration_ns"),
		.splits = cli_splits_interrupts(recording),
	};
	if (!take_tasks(snapshot))
		return false;
	take_waits(snapshot);
	if (!take_blame(snapshot))
		return false;
	name_leaders(snapshot);
	return true;
}

/**
 * top_snapshot_free() - give the memory back, also that of the recording
 * @snapshot: made, or zero; zero afterwards
 */
void top_snapshot_free(struct top_snapshot *snapshot)
{
	schedprof_recording_free(snapshot->recording);
	free(snapshot->tasks);
	free(snapshot->blame);
	*snapshot = (struct top_snapshot) { 0 };
}

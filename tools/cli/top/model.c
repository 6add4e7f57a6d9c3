// SPDX-License-Identifier: GPL-2.0-only
/*
 * model: what happened between two snapshots. Tasks that have gone meanwhile are merged by
 * the module with all others that are gone; what they had before is taken off there, so
 * that all differences are of the time between. Functions without state, so nothing is
 * locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../rows.h"
#include "columns.h"
#include "model.h"

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

static int compare_tids(int32_t x, int32_t y)
{
	return x < y ? -1 : x > y;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Does @what with each pair of figures. */
static void each_figure(struct top_figures *to, const struct top_figures *from,
			uint64_t (*what)(uint64_t a, uint64_t b))
{
	unsigned int i;

	for (i = 0; i < TOP_TIMES; i++)
		to->time[i] = what(to->time[i], from->time[i]);
	to->switches = what(to->switches, from->switches);
	to->wakeups = what(to->wakeups, from->wakeups);
	to->waits = what(to->waits, from->waits);
	to->waited = what(to->waited, from->waited);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b;
}

/**
 * top_observed() - for how long that was looked at
 * @figures: of a task, or of several
 */
uint64_t top_observed(const struct top_figures *figures)
{
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < TOP_TIMES; i++)
		all += figures->time[i];
	return all;
}

static int by_task(const void *a, const void *b)
{
	const struct top_task *x = a, *y = b;

	return compare_tids(x->tid, y->tid) ?: compare(x->start_ns, y->start_ns);
}

static int by_pair(const void *a, const void *b)
{
	const struct schedprof_blame *x = a, *y = b;

	return compare_tids(x->tid, y->tid) ?: compare(x->start_ns, y->start_ns) ?:
	       compare(x->culprit, y->culprit) ?:
	       compare_tids(x->culprit_tid, y->culprit_tid) ?:
	       compare(x->culprit_start_ns, y->culprit_start_ns) ?: compare(x->self, y->self);
}

static struct top_task *find_task(const struct top_task *tasks, size_t n, int32_t tid,
				  uint64_t start_ns)
{
	const struct top_task key = { .tid = tid, .start_ns = start_ns };

	return n ? bsearch(&key, tasks, n, sizeof(key), by_task) : NULL;
}

static struct top_task task_of(const struct schedprof_ledger *row)
{
	return (struct top_task) {
		.tid = row->tid, .tgid = row->tgid, .start_ns = row->tid ? row->start_ns : 0,
		.comm = row->tid ? row->comm : "[exited]",
		.figures = {
			.time = {
				[TOP_ONCPU] = row->oncpu, [TOP_RUNQUEUE] = row->runqueue,
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

	qsort(tasks, n, sizeof(*tasks), by_task);
	for (i = 0; i < n; i++) {
		if (!kept || by_task(&tasks[kept - 1], &tasks[i]))
			tasks[kept++] = tasks[i];
		else
			each_figure(&tasks[kept - 1].figures, &tasks[i].figures, sum);
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

/* What entries, which are of waits for a CPU, and records of tasks tell. */
static void take_waits(struct top_snapshot *snapshot)
{
	const struct schedprof_entry *entry;
	struct top_task *task;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(snapshot->recording, i)); i++) {
		bool folded = entry->task->flags & SCHEDPROF_TASK_FOLDED;

		task = find_task(snapshot->tasks, snapshot->task_count,
				 folded ? 0 : entry->task->tid,
				 folded ? 0 : entry->task->start_ns);
		if (!task)
			continue;
		task->figures.waits += entry->count;
		task->figures.waited += entry->total;
		if (entry->max > task->longest)
			task->longest = entry->max;
		if (folded)
			continue;
		task->leader_comm = entry->task->leader_comm;
		task->cgroup = entry->task->cgroup;
	}
}

static size_t merge_blame(struct schedprof_blame *blame, size_t n)
{
	size_t i, kept = 0;

	qsort(blame, n, sizeof(*blame), by_pair);
	for (i = 0; i < n; i++) {
		if (!kept || by_pair(&blame[kept - 1], &blame[i])) {
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
		task = find_task(snapshot->tasks, snapshot->task_count, row->tid,
				 row->start_ns);
		if (!task || !row->tid)
			continue;
		if (!task->leader_comm)
			task->leader_comm = row->leader_comm;
		if (!task->cgroup)
			task->cgroup = row->cgroup;
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

		old = find_task(before->tasks, before->task_count, task->tid, task->start_ns);
		if (old && !is_older(old, task))
			old = NULL;
		if (old)
			each_figure(&task->figures, &old->figures, less);
		task->longest_is_new = task->longest && (!old || task->longest > old->longest);
	}
	for (i = 0; i < before->task_count; i++) {
		old = &before->tasks[i];
		if (old->tid && !find_task(now->tasks, now->task_count, old->tid, old->start_ns))
			each_figure(&gone, &old->figures, sum);
	}
	exited = find_task(change->tasks, change->task_count, 0, 0);
	if (exited)
		each_figure(&exited->figures, &gone, less);
}

static struct schedprof_blame *find_pair(struct schedprof_blame *blame, size_t n,
					 const struct schedprof_blame *key)
{
	return n ? bsearch(key, blame, n, sizeof(*key), by_pair) : NULL;
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
		to->total = less(to->total, gone->total);
		to->count = less(to->count, gone->count);
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
		if (!old || old->total > row->total)
			continue;
		row->total -= old->total;
		row->count = less(row->count, old->count);
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

		task = find_task(change->tasks, change->task_count, row->tid, row->start_ns);
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
 * top_change_free() - give the memory back
 * @change: made, or zero; zero afterwards
 */
void top_change_free(struct top_change *change)
{
	free(change->tasks);
	free(change->blame);
	*change = (struct top_change) { 0 };
}

static struct cli_party party_of(const struct top_task *task, int by)
{
	return cli_party_of(by, task->tid, task->comm, task->leader_comm, task->cgroup,
			    task->tid, task->tgid, task->start_ns);
}

static bool is_within(const struct top_view *view, const struct top_task *task)
{
	unsigned int i;

	for (i = 0; i < view->scope_count; i++) {
		struct cli_party party = party_of(task, view->scopes[i].by);

		if (cli_party_compare(&party, &view->scopes[i].party))
			return false;
	}
	return true;
}

static int by_party(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	return cli_party_compare(&x->who, &y->who);
}

static struct top_row row_of(const struct top_task *task, int by)
{
	return (struct top_row) {
		.who = party_of(task, by),
		.pid = by == SCHEDPROF_BY_PROCESS ? task->tgid :
		       by == SCHEDPROF_BY_THREAD ? task->tid : 0,
		.tasks = task->tid != 0,
		.figures = task->figures,
		.longest = task->longest,
		.longest_is_new = task->longest_is_new,
	};
}

static void add_row(struct top_row *to, const struct top_row *row)
{
	each_figure(&to->figures, &row->figures, sum);
	to->tasks += row->tasks;
	if (row->longest > to->longest) {
		to->longest = row->longest;
		to->longest_is_new = row->longest_is_new;
	}
}

/* A task that was there, but of which nothing is known between the snapshots, is no row. */
static bool group_tasks(struct top_rows *rows, const struct top_change *change,
			const struct top_view *view)
{
	size_t i, n = 0;

	rows->rows = calloc(change->task_count + 1, sizeof(*rows->rows));
	if (!rows->rows)
		return false;
	for (i = 0; i < change->task_count; i++)
		if (top_observed(&change->tasks[i].figures) &&
		    is_within(view, &change->tasks[i]))
			rows->rows[n++] = row_of(&change->tasks[i], view->by);
	qsort(rows->rows, n, sizeof(*rows->rows), by_party);
	for (i = 0; i < n; i++) {
		if (!rows->count || by_party(&rows->rows[rows->count - 1], &rows->rows[i]))
			rows->rows[rows->count++] = rows->rows[i];
		else
			add_row(&rows->rows[rows->count - 1], &rows->rows[i]);
	}
	return true;
}

/* Rows are sorted by who they are. */
static bool blame_culprits(struct top_rows *rows, const struct top_change *change,
			   const struct top_view *view)
{
	size_t i, n = 0, kept;

	rows->blamed = calloc(change->blame_count + 1, sizeof(*rows->blamed));
	if (!rows->blamed)
		return false;
	for (i = 0; i < change->blame_count; i++) {
		const struct schedprof_blame *row = &change->blame[i];
		const struct top_task *task;

		task = find_task(change->tasks, change->task_count, row->tid, row->start_ns);
		if (row->total && task && is_within(view, task))
			rows->blamed[n++] = cli_blamed_of(row, view->by);
	}
	kept = cli_blamed_group(rows->blamed, n);
	for (i = 0; i < kept; i++) {
		const struct top_row key = { .who = rows->blamed[i].waiter };
		struct top_row *row = bsearch(&key, rows->rows, rows->count, sizeof(key),
					      by_party);

		if (!row)
			continue;
		if (!row->blamed_count)
			row->blamed = &rows->blamed[i];
		row->blamed_count++;
	}
	return true;
}

static bool is_wanted(const struct top_row *row, const char *filter)
{
	uint64_t number;
	char *end;

	if (!*filter || strcasestr(row->who.name, filter))
		return true;
	number = strtoull(filter, &end, 10);
	return !*end && row->pid > 0 && number == (uint64_t)row->pid;
}

static void filter_rows(struct top_rows *rows, const char *filter)
{
	size_t i, kept = 0;

	for (i = 0; i < rows->count; i++) {
		if (!is_wanted(&rows->rows[i], filter))
			continue;
		rows->rows[kept] = rows->rows[i];
		each_figure(&rows->sum, &rows->rows[kept++].figures, sum);
	}
	rows->left_out = rows->count - kept;
	rows->count = kept;
}

/**
 * top_rows_make() - group, filter and sort
 * @rows: filled in; for top_rows_free() in any case
 * @change: must outlive @rows
 * @view: what is wanted
 *
 * Return: was there enough memory.
 */
bool top_rows_make(struct top_rows *rows, const struct top_change *change,
		   const struct top_view *view)
{
	*rows = (struct top_rows) { .wall_ns = change->wall_ns };
	if (!group_tasks(rows, change, view) || !blame_culprits(rows, change, view))
		return false;
	filter_rows(rows, view->filter);
	top_rows_sort(rows, view->column, view->reverse);
	return true;
}

/**
 * top_rows_free() - give the memory back
 * @rows: made, or zero; zero afterwards
 */
void top_rows_free(struct top_rows *rows)
{
	free(rows->rows);
	free(rows->blamed);
	*rows = (struct top_rows) { 0 };
}

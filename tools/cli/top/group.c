// SPDX-License-Identifier: GPL-2.0-only
/*
 * group: rows of what happened: tasks, or groups of them, with what they waited because of
 * whom; those that are wanted, in the order that is. Functions without state, so nothing is
 * locked.
 */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "model.h"

static struct cli_party party_of(const struct top_task *task, int by)
{
	return cli_party_of(by, task->tid, task->comm, task->leader_comm, task->cgroup,
			    task->tid, task->tgid, task->start_ns);
}

/**
 * top_needs_cgroups() - is it of interest where tasks are that never waited
 * @view: what is wanted
 */
bool top_needs_cgroups(const struct top_view *view)
{
	unsigned int i;

	for (i = 0; i < view->scope_count; i++)
		if (view->scopes[i].by == SCHEDPROF_BY_CGROUP)
			return true;
	return view->by == SCHEDPROF_BY_CGROUP;
}

/**
 * top_has_those_below() - is it a control group, which has the tasks of those below it, too
 * @scope: what the user went into
 *
 * As the module has it. Return: false of the tasks whose group nobody knows.
 */
bool top_has_those_below(const struct top_scope *scope)
{
	return scope->by == SCHEDPROF_BY_CGROUP && *scope->party.name == '/';
}

static bool is_in_or_below(const struct top_task *task, const char *path)
{
	size_t n = strlen(path);

	/* Nobody knows which group those that ended were in. */
	if (!task->tid)
		return false;
	/* No task is outside of the root, even if nobody knows where it is. */
	if (n == 1)
		return true;
	return task->cgroup && !strncmp(task->cgroup, path, n) &&
	       (!task->cgroup[n] || task->cgroup[n] == '/');
}

static bool is_in_scope(const struct top_task *task, const struct top_scope *scope)
{
	struct cli_party party;

	if (top_has_those_below(scope))
		return is_in_or_below(task, scope->party.name);
	party = party_of(task, scope->by);
	return !cli_party_compare(&party, &scope->party);
}

/**
 * top_is_within() - is a task in all that the user went into
 * @view: tells that
 * @task: the task
 */
bool top_is_within(const struct top_view *view, const struct top_task *task)
{
	unsigned int i;

	for (i = 0; i < view->scope_count; i++)
		if (!is_in_scope(task, &view->scopes[i]))
			return false;
	return true;
}

/* Whose row it is. */
static struct cli_party owner_of(const struct top_task *task, const struct top_view *view)
{
	return view->whole ? view->scopes[view->scope_count - 1].party : party_of(task, view->by);
}

static int by_party(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	return cli_party_compare(&x->who, &y->who);
}

static struct top_row row_of(const struct top_task *task, const struct top_view *view)
{
	return (struct top_row) {
		.who = owner_of(task, view),
		.pid = view->by == SCHEDPROF_BY_PROCESS ? task->tgid :
		       view->by == SCHEDPROF_BY_THREAD ? task->tid : 0,
		.tasks = task->tid != 0,
		.figures = task->figures,
		.longest = task->longest,
		.longest_is_new = task->longest_is_new,
	};
}

static void add_row(struct top_row *to, const struct top_row *row)
{
	top_figures_add(&to->figures, &row->figures);
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
		    top_is_within(view, &change->tasks[i]))
			rows->rows[n++] = row_of(&change->tasks[i], view);
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

		task = top_find_task(change->tasks, change->task_count, row->tid, row->start_ns);
		if (!row->total || !task || !top_is_within(view, task))
			continue;
		rows->blamed[n] = cli_blamed_of(row, view->by);
		rows->blamed[n++].waiter = owner_of(task, view);
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
	char name[CLI_NAME];
	uint64_t number;
	char *end;

	if (!*filter || strcasestr(cli_party_name(&row->who, name), filter))
		return true;
	number = strtoull(filter, &end, 10);
	return !*end && row->pid > 0 && number == (uint64_t)row->pid;
}

static bool is_busy(const struct top_row *row)
{
	return row->figures.time[TOP_ONCPU] || row->figures.time[TOP_IRQ] ||
	       row->figures.time[TOP_RUNQUEUE];
}

static void choose_rows(struct top_rows *rows, const struct top_view *view)
{
	size_t i, kept = 0;

	for (i = 0; i < rows->count; i++) {
		if (!is_wanted(&rows->rows[i], view->filter))
			continue;
		if (view->busy && !is_busy(&rows->rows[i]))
			rows->resting++;
		else
			rows->rows[kept++] = rows->rows[i];
	}
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
	*rows = (struct top_rows) { .wall_ns = change->wall_ns, .splits = change->splits };
	if (!group_tasks(rows, change, view) || !blame_culprits(rows, change, view))
		return false;
	choose_rows(rows, view);
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

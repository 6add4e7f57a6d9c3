// SPDX-License-Identifier: GPL-2.0-only
/*
 * describe: what is shown, in words: whose rows, what is a row, in which order, of how long,
 * and what is left out. Functions without state, so nothing is locked.
 */
#include <inttypes.h>

#include "columns.h"
#include "describe.h"

/* What rows are: one of them, and several. */
static const char *const words[][2] = {
	[SCHEDPROF_BY_THREAD] = { "thread", "threads" },
	[SCHEDPROF_BY_PROCESS] = { "process", "processes" },
	[SCHEDPROF_BY_COMM] = { "name", "names" },
	[SCHEDPROF_BY_CGROUP] = { "control group", "control groups" },
};

/**
 * top_describe_scopes() - the way to what is shown
 * @view: the view
 * @first: step that is told
 * @line: is continued
 */
void top_describe_scopes(const struct top_view *view, unsigned int first, struct top_line *line)
{
	unsigned int i;

	top_line_put(line, TOP_PLAIN, first ? ".." : "all");
	for (i = first; i < view->scope_count; i++) {
		const struct top_scope *scope = &view->scopes[i];

		top_line_put(line, TOP_DIM, " > ");
		top_line_party(line, TOP_BOLD, &scope->party, 24,
			       scope->by == SCHEDPROF_BY_CGROUP);
		if (scope->party.tid)
			top_line_put(line, TOP_BOLD, " %d", scope->party.tid);
		if (top_has_those_below(scope))
			top_line_put(line, TOP_DIM, " and below");
	}
}

/**
 * top_describe() - what the table is of
 * @view: how it was made
 * @first: step of the way that is told
 * @rows: its rows
 * @line: is continued
 */
void top_describe(const struct top_view *view, unsigned int first, const struct top_rows *rows,
		  struct top_line *line)
{
	size_t all = rows->count + rows->beyond;
	char cell[TOP_CELL];

	top_describe_scopes(view, first, line);
	top_line_put(line, TOP_PLAIN, ": ");
	if (rows->beyond)
		top_line_put(line, TOP_PLAIN, "%zu of ", rows->count);
	top_line_put(line, TOP_PLAIN, "%zu %s in %s, by %s%s", all, words[view->by][all != 1],
		     top_short_time(cell, rows->wall_ns),
		     top_columns[view->column].heading, view->reverse ? " reversed" : "");
	if (*view->filter) {
		top_line_put(line, TOP_PLAIN, ", of '");
		top_line_name(line, TOP_BOLD, view->filter, 20, false);
		top_line_put(line, TOP_PLAIN, "'");
	}
	if (view->busy)
		top_line_put(line, TOP_PLAIN, ", without %zu that rested", rows->resting);
}

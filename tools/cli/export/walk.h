/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk: the rows of a report with their stacks, one by one, and its events: what every
 * format of stacks is written from. Reads reports and has no state, so nothing is locked.
 */
#ifndef CLI_EXPORT_WALK_H
#define CLI_EXPORT_WALK_H

#include "../rows.h"

/* What folded stacks have between two semicolons. */
struct cli_level {
	char *name;
	bool is_frame;			/* else it is a remark, and frame is zero */
	struct schedprof_frame frame;
};

/* A row, or an event, with its stack. Valid until the next one. */
struct cli_stack {
	const struct cli_row *row;	/* NULL: it is an event */
	const struct schedprof_event *event;	/* NULL: it is a row */
	const struct schedprof_task *task;	/* NULL: it is of no one task */
	const char *thread;		/* as folded stacks begin; NULL: of no one task */
	const char *comm;		/* of the task, or the group, alone */
	struct cli_level *levels;	/* the outermost first */
	size_t count;
};

/* Return: CLI_OK, or what the program ends with, after saying why. */
typedef int (*cli_walk_visit)(const struct cli_report *report,
			      const struct cli_stack *stack, void *data);

char *cli_task_name(const struct schedprof_task *task, int by, int style);
char *cli_level_name(const struct schedprof_level *level, size_t size, int style);
int cli_walk(const struct cli_report *report, int style, cli_walk_visit visit, void *data);
int cli_walk_events(const struct cli_report *report, int style, cli_walk_visit visit,
		    void *data);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk: the rows of a report with their stacks, one by one, and its events, so that no
 * format has an opinion of its own of what a stack is. Reads reports and has no state, so
 * nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "walk.h"
#include "../working.h"

/* The stack that is put together; the room for its levels is used again. */
struct builder {
	struct cli_stack stack;
	char *thread, *comm;
	size_t room;
	int style;
	bool failed;
};

static struct cli_level *add_level(struct builder *builder)
{
	struct cli_stack *stack = &builder->stack;
	struct cli_level *levels;
	size_t room;

	if (stack->count == builder->room) {
		room = builder->room ? 2 * builder->room : 64;
		levels = realloc(stack->levels, room * sizeof(*levels));
		if (!levels)
			return NULL;
		stack->levels = levels;
		builder->room = room;
	}
	levels = &stack->levels[stack->count++];
	memset(levels, 0, sizeof(*levels));
	return levels;
}

/**
 * cli_task_name() - a task as text
 * @task: the task
 * @by: enum schedprof_by
 * @style: enum schedprof_style
 *
 * Return: to be freed; NULL if there is no memory.
 */
char *cli_task_name(const struct schedprof_task *task, int by, int style)
{
	size_t length = schedprof_task_text(task, by, style, NULL, 0) + 1;
	char *text = malloc(length);

	if (text)
		schedprof_task_text(task, by, style, text, length);
	return text;
}

/* A level as text, as cli_task_name(). */
char *cli_level_name(const struct schedprof_level *level, size_t size, int style)
{
	size_t length = schedprof_level_text(level, size, style, NULL, 0) + 1;
	char *text = malloc(length);

	if (text)
		schedprof_level_text(level, size, style, text, length);
	return text;
}

static void take_level(const struct schedprof_level *told, size_t size, void *data)
{
	struct builder *builder = data;
	struct cli_level *level = builder->failed ? NULL : add_level(builder);

	if (level)
		level->name = cli_level_name(told, size, builder->style);
	if (!level || !level->name) {
		builder->failed = true;
		return;
	}
	if (told->frame) {
		level->is_frame = true;
		level->frame = *told->frame;
	}
}

static void take_function(struct builder *builder, const char *function)
{
	const struct schedprof_level level = { .text = function };

	take_level(&level, sizeof(level), builder);
}

static void take_task(struct builder *builder, const struct schedprof_task *task, int by)
{
	builder->thread = cli_task_name(task, by, builder->style);
	builder->comm = cli_task_name(task, by == SCHEDPROF_BY_CGROUP ? by : SCHEDPROF_BY_COMM,
				      builder->style);
	builder->failed |= !builder->thread || !builder->comm;
	builder->stack.task = task;
	builder->stack.thread = builder->thread;
	builder->stack.comm = builder->comm;
}

static void clear(struct builder *builder)
{
	struct cli_stack *stack = &builder->stack;

	while (stack->count)
		free(stack->levels[--stack->count].name);
	free(builder->thread);
	free(builder->comm);
	builder->thread = NULL;
	builder->comm = NULL;
	stack->thread = NULL;
	stack->comm = NULL;
	stack->task = NULL;
}

static void build(struct builder *builder, const struct cli_report *report,
		  const struct cli_row *row)
{
	enum cli_by by = report->o->by;

	builder->stack.row = row;
	if (by == CLI_BY_ENTRY || by == CLI_BY_TASK)
		take_task(builder, &row->task, report->o->group);
	if (by == CLI_BY_ENTRY || by == CLI_BY_STACK)
		schedprof_entry_levels(report->recording, row->entry, &report->names,
				       take_level, builder);
	else if (by == CLI_BY_FUNCTION)
		take_function(builder, row->key);
}

static void take_frames(struct builder *builder, const struct cli_report *report,
			const struct schedprof_event *event,
			const struct schedprof_stack *stack)
{
	struct schedprof_frame frame;
	const struct schedprof_level level = { .frame = &frame };
	size_t i;

	for (i = stack ? stack->frame_count : 0; i--; )
		if (schedprof_event_frame(report->recording, event, stack, i, &report->names,
					  &frame, sizeof(frame)))
			take_level(&level, sizeof(level), builder);
}

/**
 * cli_walk() - visit all rows that are to be printed
 * @report: the report
 * @style: enum schedprof_style of the names
 * @visit: is called with each row
 * @data: is handed to it
 *
 * Return: CLI_OK, or what @visit returned, or CLI_FAILED after saying why.
 */
int cli_walk(const struct cli_report *report, int style, cli_walk_visit visit, void *data)
{
	size_t i, n = cli_report_limit(report);
	struct builder builder = { .style = style };
	int err = CLI_OK;

	for (i = 0; i < n && !err; i++) {
		cli_working(report->o, "naming frames of rows", i, n);
		build(&builder, report, &report->rows[i]);
		if (builder.failed)
			err = cli_no_memory();
		else
			err = visit(report, &builder.stack, data);
		clear(&builder);
	}
	cli_working(report->o, "naming frames of rows", n, n);
	free(builder.stack.levels);
	return err;
}

/**
 * cli_walk_events() - visit all events, the one that ended first comes first
 * @report: the report
 * @style: enum schedprof_style of the names
 * @visit: is called with each event: the frames of its stack, and no remarks
 * @data: is handed to it
 *
 * Return: as cli_walk().
 */
int cli_walk_events(const struct cli_report *report, int style, cli_walk_visit visit,
		    void *data)
{
	struct builder builder = { .style = style };
	const struct schedprof_event *event;
	int err = CLI_OK;
	size_t i;

	for (i = 0; (event = schedprof_event_at(report->recording, i)) && !err; i++) {
		const struct schedprof_task task = cli_event_task(event);

		builder.stack.event = event;
		take_task(&builder, &task, SCHEDPROF_BY_THREAD);
		take_frames(&builder, report, event, event->user);
		take_frames(&builder, report, event, event->kernel);
		if (builder.failed)
			err = cli_no_memory();
		else
			err = visit(report, &builder.stack, data);
		clear(&builder);
	}
	free(builder.stack.levels);
	return err;
}

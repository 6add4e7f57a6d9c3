// SPDX-License-Identifier: GPL-2.0-only
/*
 * table: which columns there is room for, and what is in them. A line is never wider than
 * the screen. Functions without state, so nothing is locked.
 */
#include <string.h>

#include "table.h"

/* Of a name, at least; and of a culprit and its share. */
#define LEAST_NAME	8
#define LEAST_BLAME	14

static bool has_numbers(int by)
{
	return by == SCHEDPROF_BY_THREAD || by == SCHEDPROF_BY_PROCESS;
}

/* What has no number of its own has several tasks, which is told in its place. */
static bool is_of_use(unsigned int column, const struct top_rows *rows, int by)
{
	if (column == TOP_COLUMN_IRQ)
		return rows->splits;
	if (column == TOP_COLUMN_PID)
		return has_numbers(by);
	return column != TOP_COLUMN_TASKS || by != SCHEDPROF_BY_THREAD;
}

static bool has_room(unsigned int column, int by, int most)
{
	if (most == TOP_ANY_WIDTH || (column == TOP_COLUMN_TASKS && !has_numbers(by)))
		return true;
	return most >= top_columns[column].from;
}

static bool stands_left(unsigned int column)
{
	return !top_columns[column].width;
}

static int widest_name(const struct top_rows *rows)
{
	int width, widest = (int)strlen(top_columns[TOP_COLUMN_NAME].heading);
	size_t i;

	for (i = 0; i < rows->count; i++) {
		width = top_name_width(rows->rows[i].who.name);
		if (width > widest)
			widest = width;
	}
	return widest;
}

/**
 * top_layout_make() - what fits into a line
 * @layout: filled in
 * @rows: what is to be shown
 * @by: enum schedprof_by
 * @most: how wide a line may be; or TOP_ANY_WIDTH
 */
void top_layout_make(struct top_layout *layout, const struct top_rows *rows, int by, int most)
{
	int rest = most, widest = widest_name(rows);
	bool blame = false;
	unsigned int i;

	*layout = (struct top_layout) { .by = by, .most = most };
	for (i = 0; i < TOP_COLUMNS; i++) {
		if (!is_of_use(i, rows, by) || !has_room(i, by, most))
			continue;
		layout->columns[layout->count++] = i;
		rest -= top_columns[i].width + 1;
		blame |= i == TOP_COLUMN_BLAME;
	}
	if (most == TOP_ANY_WIDTH) {
		layout->name = widest < TOP_NAME ? widest : TOP_NAME;
		return;
	}
	layout->name = widest;
	/* Nobody could tell a number that is cut: better none. */
	for (i = layout->count; i-- && rest < LEAST_NAME - 1; layout->count = i) {
		if (stands_left(layout->columns[i]))
			break;
		rest += top_columns[layout->columns[i]].width + 1;
	}
	/* Names get what they need, as long as others have enough, too. */
	if (blame)
		rest -= LEAST_BLAME;
	rest++;
	if (layout->name > rest)
		layout->name = rest;
	if (layout->name < LEAST_NAME)
		layout->name = LEAST_NAME;
	/* So that columns do not move with each new name. */
	if (layout->name < TOP_ENOUGH && TOP_ENOUGH <= rest)
		layout->name = TOP_ENOUGH;
}

/* Goes to where the column begins, or, of a number, where its text does. */
static void begin_cell(const struct top_layout *layout, unsigned int index,
		       struct top_line *line, int width)
{
	unsigned int column = layout->columns[index];
	int at = line->width + (index ? 1 : 0);

	if (!stands_left(column) && width < top_columns[column].width)
		at += top_columns[column].width - width;
	top_line_to(line, at);
}

static void end_cell(const struct top_layout *layout, unsigned int index,
		     struct top_line *line, int begin)
{
	if (layout->columns[index] == TOP_COLUMN_NAME)
		top_line_to(line, begin + layout->name);
}

/**
 * top_table_head() - what the columns are
 * @layout: made
 * @view: tells by which of them rows are sorted
 * @line: filled in
 */
void top_table_head(const struct top_layout *layout, const struct top_view *view,
		    struct top_line *line)
{
	unsigned int i, column;
	int begin;

	top_line_begin(line, layout->most);
	for (i = 0; i < layout->count; i++) {
		column = layout->columns[i];
		begin_cell(layout, i, line, (int)strlen(top_columns[column].heading));
		begin = line->width;
		top_line_put(line, column == view->column ? TOP_SORTED : TOP_TITLE, "%s",
			     top_columns[column].heading);
		end_cell(layout, i, line, begin);
	}
}

static void put_blame(const struct top_row *row, int by, struct top_line *line)
{
	char share[TOP_CELL];
	const struct cli_blamed *most = row->blamed;
	int room;

	if (!row->blamed_count || !most->waited)
		return;
	snprintf(share, sizeof(share), " %.0f%%",
		 100.0 * (double)most->total / (double)most->waited);
	room = line->most == TOP_ANY_WIDTH ? TOP_ANY_WIDTH :
	       line->most - line->width - (int)strlen(share);
	if (room < 1 && line->most != TOP_ANY_WIDTH)
		return;
	if (most->self)
		top_line_name(line, TOP_PLAIN, "[self]", room, false);
	else
		top_line_party(line, TOP_PLAIN, &most->culprit, room, by == SCHEDPROF_BY_CGROUP);
	top_line_put(line, TOP_PLAIN, "%s", share);
}

/* Is it more than what would be shown as nothing? Then it has its colour. */
static bool is_notable(const struct top_rows *rows, const struct top_row *row,
		       unsigned int column)
{
	uint64_t value = top_column_value(row, column);

	switch (column) {
	case TOP_COLUMN_ONCPU:
	case TOP_COLUMN_IRQ:
	case TOP_COLUMN_RUNQUEUE:
	case TOP_COLUMN_SLEEP:
	case TOP_COLUMN_DISK:
		return value >= rows->wall_ns / 1000;
	default:
		return value;
	}
}

/**
 * top_table_row() - a row
 * @layout: made
 * @rows: all of them
 * @row: one
 * @line: filled in
 */
void top_table_row(const struct top_layout *layout, const struct top_rows *rows,
		   const struct top_row *row, struct top_line *line)
{
	char cell[TOP_CELL];
	unsigned int i, column;
	const char *text;
	int begin;

	top_line_begin(line, layout->most);
	for (i = 0; i < layout->count; i++) {
		column = layout->columns[i];
		text = top_cell(cell, rows, row, column);
		begin_cell(layout, i, line, (int)strlen(text));
		begin = line->width;
		if (column == TOP_COLUMN_NAME)
			top_line_party(line, top_columns[column].style, &row->who,
				       layout->name, layout->by == SCHEDPROF_BY_CGROUP);
		else if (column == TOP_COLUMN_BLAME)
			put_blame(row, layout->by, line);
		else
			top_line_put(line, is_notable(rows, row, column) ?
				     top_columns[column].style : TOP_DIM, "%s", text);
		end_cell(layout, i, line, begin);
	}
}

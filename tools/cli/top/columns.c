// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns: what there is to see of a row, and sorting by one of them. The table never
 * changes, so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "columns.h"

const struct top_column_row top_columns[TOP_COLUMNS] = {
	[TOP_COLUMN_PID] = { "pid", "PID", 7, 0, TOP_PLAIN, true,
		"the number of the thread, or of the process" },
	[TOP_COLUMN_TASKS] = { "tasks", "tasks", 5, 90, TOP_PLAIN, false,
		"how many threads are in the row" },
	[TOP_COLUMN_NAME] = { "name", "NAME", 0, 0, TOP_BOLD, true,
		"of the thread or the process, or the control group" },
	[TOP_COLUMN_ONCPU] = { "oncpu", "on%", 5, 0, TOP_CPU, false,
		"time on a CPU" },
	[TOP_COLUMN_IRQ] = { "irq", "irq%", 5, 0, TOP_BOLD, false,
		"of interrupts and of what was stolen meanwhile, with --interrupts" },
	[TOP_COLUMN_RUNQUEUE] = { "runqueue", "runq%", 5, 0, TOP_WAIT, false,
		"time waiting for a CPU" },
	[TOP_COLUMN_SLEEP] = { "sleep", "sleep%", 6, 0, TOP_DIM, false,
		"time asleep" },
	[TOP_COLUMN_DISK] = { "disk", "disk%", 5, 0, TOP_DISK_SLEEP, false,
		"time in uninterruptible sleep, mostly for the disk" },
	[TOP_COLUMN_SWITCHES] = { "switches", "sw/s", 7, 98, TOP_PLAIN, false,
		"how often it left a CPU, per second" },
	[TOP_COLUMN_WAKEUPS] = { "wakeups", "wake/s", 7, 106, TOP_PLAIN, false,
		"how often it was woken, per second" },
	[TOP_COLUMN_MEAN] = { "mean", "mean", 7, 58, TOP_PLAIN, false,
		"a wait for a CPU, on average" },
	[TOP_COLUMN_MAX] = { "max", "max", 8, 66, TOP_PLAIN, false,
		"the longest wait for a CPU since top began; * in this interval" },
	[TOP_COLUMN_BLAME] = { "blame", "blame", 0, 76, TOP_WAIT, false,
		"who ran most while it waited; [self]: of its own process" },
};

/**
 * top_column_find() - by its name
 * @name: the name
 * @column: where to
 *
 * Return: is there one.
 */
bool top_column_find(const char *name, unsigned int *column)
{
	for (*column = 0; *column < TOP_COLUMNS; ++*column)
		if (!strcmp(top_columns[*column].name, name))
			return true;
	return false;
}

/**
 * top_column_value() - what rows are sorted by
 * @row: the row
 * @column: any but the name
 */
uint64_t top_column_value(const struct top_row *row, unsigned int column)
{
	const struct top_figures *figures = &row->figures;

	switch (column) {
	case TOP_COLUMN_PID:
		return row->pid > 0 ? (uint64_t)row->pid : 0;
	case TOP_COLUMN_TASKS:
		return row->tasks;
	case TOP_COLUMN_ONCPU:
		return figures->time[TOP_ONCPU];
	case TOP_COLUMN_IRQ:
		return figures->time[TOP_IRQ];
	case TOP_COLUMN_RUNQUEUE:
		return figures->time[TOP_RUNQUEUE];
	case TOP_COLUMN_SLEEP:
		return figures->time[TOP_SLEEP];
	case TOP_COLUMN_DISK:
		return figures->time[TOP_DISK];
	case TOP_COLUMN_SWITCHES:
		return figures->switches;
	case TOP_COLUMN_WAKEUPS:
		return figures->wakeups;
	case TOP_COLUMN_MEAN:
		return figures->waits ? figures->waited / figures->waits : 0;
	case TOP_COLUMN_MAX:
		return row->longest;
	case TOP_COLUMN_BLAME:
		return row->blamed_count ? row->blamed->total : 0;
	default:
		return 0;
	}
}

static unsigned int sorted_by;	/* of the qsort(3) that goes on */
static bool sorted_backwards;

/* What is alike stays in the order of who it is. */
static int by_column(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;
	uint64_t v = top_column_value(x, sorted_by), w = top_column_value(y, sorted_by);
	int order = v < w ? -1 : v > w;

	if (sorted_by == TOP_COLUMN_NAME)
		order = strcasecmp(x->who.name, y->who.name);
	if (!top_columns[sorted_by].ascends)
		order = -order;
	if (sorted_backwards)
		order = -order;
	return order ?: cli_party_compare(&x->who, &y->who);
}

/**
 * top_rows_sort() - by a column
 * @rows: the rows
 * @column: enum top_column
 * @reverse: the other way round than usual
 */
void top_rows_sort(struct top_rows *rows, unsigned int column, bool reverse)
{
	sorted_by = column;
	sorted_backwards = reverse;
	qsort(rows->rows, rows->count, sizeof(*rows->rows), by_column);
}

/**
 * top_short_time() - a length of time in at most seven letters
 * @cell: where to
 * @ns: the time
 *
 * Return: @cell.
 */
const char *top_short_time(char cell[TOP_CELL], uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = {
		{ CLI_NS_PER_US, "us" }, { CLI_NS_PER_MS, "ms" }, { CLI_NS_PER_S, "s" },
	};
	unsigned int i = 0;

	/* 999.95 would become 1000.0. */
	while (i < 2 && ns >= units[i].ns * 1000 - units[i].ns / 20)
		i++;
	if (i == 2 && ns >= 10000 * CLI_NS_PER_S)
		snprintf(cell, TOP_CELL, "%" PRIu64 "s", ns / CLI_NS_PER_S);
	else
		snprintf(cell, TOP_CELL, "%.1f%s", (double)ns / (double)units[i].ns,
			 units[i].unit);
	return cell;
}

/**
 * top_percent() - a share in at most five letters, unless it is of 1000 CPUs
 * @cell: where to
 * @part: of it
 * @whole: all of it
 *
 * Return: @cell.
 */
const char *top_percent(char cell[TOP_CELL], uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	snprintf(cell, TOP_CELL, percent < 999.95 ? "%.1f" : "%.0f", percent);
	return cell;
}

/**
 * top_rate() - how often per second, in at most seven letters
 * @cell: where to
 * @count: how often
 * @wall_ns: in how long
 *
 * Return: @cell.
 */
const char *top_rate(char cell[TOP_CELL], uint64_t count, uint64_t wall_ns)
{
	double rate = wall_ns ? (double)count * (double)CLI_NS_PER_S / (double)wall_ns : 0;

	snprintf(cell, TOP_CELL, rate < 9999.95 ? "%.1f" : "%.0f", rate);
	return cell;
}

/**
 * top_cell() - what is shown of a row in a column of a width of its own
 * @cell: where to
 * @rows: all of them
 * @row: one
 * @column: enum top_column
 *
 * Return: @cell; "" of a column that takes what is left of the line.
 */
const char *top_cell(char cell[TOP_CELL], const struct top_rows *rows,
		     const struct top_row *row, unsigned int column)
{
	uint64_t value = top_column_value(row, column);

	cell[0] = '\0';
	switch (column) {
	case TOP_COLUMN_PID:
		if (value)
			snprintf(cell, TOP_CELL, "%" PRIu64, value);
		break;
	case TOP_COLUMN_TASKS:
		snprintf(cell, TOP_CELL, "%" PRIu64, value);
		break;
	case TOP_COLUMN_ONCPU:
	case TOP_COLUMN_IRQ:
	case TOP_COLUMN_RUNQUEUE:
	case TOP_COLUMN_SLEEP:
	case TOP_COLUMN_DISK:
		return top_percent(cell, value, rows->wall_ns);
	case TOP_COLUMN_SWITCHES:
	case TOP_COLUMN_WAKEUPS:
		return top_rate(cell, value, rows->wall_ns);
	case TOP_COLUMN_MEAN:
		return row->figures.waits ? top_short_time(cell, value) : "-";
	case TOP_COLUMN_MAX:
		if (!value)
			return "-";
		top_short_time(cell, value);
		if (row->longest_is_new)
			strcat(cell, "*");
		break;
	default:
		break;
	}
	return cell;
}

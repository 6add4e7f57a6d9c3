/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns: what there is to see of a row, in a table that never changes, and sorting by
 * one of them. No other state.
 */
#ifndef CLI_TOP_COLUMNS_H
#define CLI_TOP_COLUMNS_H

#include <stdbool.h>

#include "line.h"
#include "model.h"

enum top_column {
	TOP_COLUMN_PID,
	TOP_COLUMN_TASKS,
	TOP_COLUMN_NAME,
	TOP_COLUMN_ONCPU,
	TOP_COLUMN_IRQ,
	TOP_COLUMN_RUNQUEUE,
	TOP_COLUMN_SLEEP,
	TOP_COLUMN_DISK,
	TOP_COLUMN_SWITCHES,
	TOP_COLUMN_WAKEUPS,
	TOP_COLUMN_MEAN,
	TOP_COLUMN_MAX,
	TOP_COLUMN_BLAME,
	TOP_COLUMNS
};

#define TOP_CELL	40

struct top_column_row {
	const char *name;	/* of --sort */
	const char *heading;
	int width;		/* 0: what is left of the line */
	int from;		/* is shown from that width of the screen on */
	enum top_style style;	/* of what is worth a look */
	bool ascends;		/* the least comes first */
	const char *help;
};

/* The columns that --sort takes, for its help. */
#define TOP_SORTS	"pid, tasks, name, oncpu, irq, runqueue, sleep, disk, switches, wakeups, mean, max or blame"

extern const struct top_column_row top_columns[TOP_COLUMNS];

bool top_column_find(const char *name, unsigned int *column);
uint64_t top_column_value(const struct top_row *row, unsigned int column);
const char *top_cell(char cell[TOP_CELL], const struct top_rows *rows,
		     const struct top_row *row, unsigned int column);
const char *top_short_time(char cell[TOP_CELL], uint64_t ns);
const char *top_percent(char cell[TOP_CELL], uint64_t part, uint64_t whole);
const char *top_rate(char cell[TOP_CELL], uint64_t count, uint64_t wall_ns);
void top_rows_sort(struct top_rows *rows, unsigned int column, bool reverse);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table: rows as lines, for the screen and for --batch. Functions without state.
 */
#ifndef CLI_TOP_TABLE_H
#define CLI_TOP_TABLE_H

#include "columns.h"
#include "line.h"
#include "model.h"

/* Which columns there is room for, and how wide they are. */
struct top_layout {
	unsigned int columns[TOP_COLUMNS];
	unsigned int count;
	int by;			/* enum schedprof_by */
	int most;		/* width of a line; or TOP_ANY_WIDTH */
	int name;		/* width of the name */
};

#define TOP_ENOUGH	15	/* for names of tasks */

void top_layout_make(struct top_layout *layout, const struct top_rows *rows, int by, int most);
void top_table_head(const struct top_layout *layout, const struct top_view *view,
		    struct top_line *line);
void top_table_row(const struct top_layout *layout, const struct top_rows *rows,
		   const struct top_row *row, struct top_line *line);

#endif

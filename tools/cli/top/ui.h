/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ui: what the screen shows and where the user is in it, without the screen: keys change
 * it, and lines are made of it. Used by one thread.
 */
#ifndef CLI_TOP_UI_H
#define CLI_TOP_UI_H

#include "drill.h"
#include "line.h"
#include "live.h"
#include "model.h"
#include "table.h"

enum top_page {
	TOP_PAGE_LIST,
	TOP_PAGE_BLAME,		/* of a row */
	TOP_PAGE_STACKS,	/* of the tasks of a row; so are the others */
	TOP_PAGE_STACK,		/* one of them */
	TOP_PAGE_WAKERS,
	TOP_PAGE_WAKER,
	TOP_PAGE_HISTOGRAM,
	TOP_PAGE_HELP,
	TOP_PAGES
};

/* Of keys; others are what they print. */
enum top_key {
	TOP_KEY_UP = 0x100, TOP_KEY_DOWN, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN, TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_ENTER, TOP_KEY_BACK, TOP_KEY_ESCAPE,
	TOP_KEY_REDRAW,
};

struct top_scroll {
	size_t selected;	/* a line; on pages where none is, the first one that is shown */
	size_t first;		/* that is shown */
};

#define TOP_FILTER	64

struct top_ui {
	struct top_live *live;
	struct top_view *view;
	struct cli_options *o;
	struct top_rows rows;
	struct top_drill drill;
	enum top_page page;
	enum top_page behind;		/* the help */
	struct top_scroll scroll[TOP_PAGES];
	struct cli_party followed;	/* the selected row; its name is to be freed */
	bool follows;
	bool drilled;			/* the last scope is of a page, not of the list */
	bool frozen;
	bool typing;			/* the filter */
	bool quit;
	char filter[TOP_FILTER];
	char filters[TOP_SCOPES][TOP_FILTER];	/* of the lists that lead here */
	char filter_before[TOP_FILTER];
	char message[300];		/* until the next key */
	int width, height;
	size_t room;			/* lines of the page, in the middle */
};

void top_ui_begin(struct top_ui *ui, struct top_live *live, struct top_view *view,
		  struct cli_options *o);
void top_ui_end(struct top_ui *ui);
int top_ui_refresh(struct top_ui *ui);
int top_ui_group(struct top_ui *ui);
const struct top_row *top_ui_selected(const struct top_ui *ui);
void top_ui_follow(struct top_ui *ui);
bool top_ui_enter(struct top_ui *ui, int by);
void top_ui_leave(struct top_ui *ui);
bool top_page_drills(enum top_page page);

int top_ui_key(struct top_ui *ui, int key);

/* The lines of the screen, as many as it has. */
void top_ui_draw(struct top_ui *ui, struct top_line *lines, size_t *selected);

/* How many lines the page has. */
size_t top_page_count(const struct top_ui *ui);

size_t top_drilled_count(const struct top_ui *ui);
void top_drilled_head(const struct top_ui *ui, struct top_line *line);
void top_drilled_line(const struct top_ui *ui, size_t index, struct top_line *line);
void top_drilled_describe(const struct top_ui *ui, struct top_line *line);

void top_foot(const struct top_ui *ui, struct top_line *line);

size_t top_help_count(void);
void top_help_line(size_t index, struct top_line *line);

#define TOP_DETAIL	3	/* lines about the selected row */

#endif

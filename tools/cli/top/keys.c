// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys: what keys do. One thread, so nothing is locked.
 */
#include <string.h>

#include "../words.h"
#include "columns.h"
#include "ui.h"

#define LEAST_EVERY	(100 * CLI_NS_PER_MS)
#define MOST_EVERY	(600 * CLI_NS_PER_S)

static bool has_selection(enum top_page page)
{
	return page == TOP_PAGE_LIST || page == TOP_PAGE_STACKS || page == TOP_PAGE_WAKERS;
}

static void move(struct top_ui *ui, long by)
{
	struct top_scroll *scroll = &ui->scroll[ui->page];
	size_t count = top_page_count(ui), last;
	long to = (long)scroll->selected + by;

	/* A page without a selection ends with its last line at the bottom. */
	last = has_selection(ui->page) ? count : count - (count < ui->room ? count : ui->room) + 1;
	if (to >= (long)last)
		to = (long)last - 1;
	scroll->selected = to > 0 ? (size_t)to : 0;
	if (ui->page == TOP_PAGE_LIST)
		top_ui_follow(ui);
}

/* What is shown moves with what is selected. */
static void turn_page(struct top_ui *ui, long by)
{
	struct top_scroll *scroll = &ui->scroll[ui->page];
	long first = (long)scroll->first + by;

	scroll->first = first > 0 ? (size_t)first : 0;
	move(ui, by);
}

/* Return: was it a key that moves? */
static bool take_move(struct top_ui *ui, int key)
{
	long page = ui->room > 1 ? (long)ui->room - 1 : 1;

	switch (key) {
	case TOP_KEY_UP:
	case 'k':
		move(ui, -1);
		return true;
	case TOP_KEY_DOWN:
	case 'j':
		move(ui, 1);
		return true;
	case TOP_KEY_PAGE_UP:
		turn_page(ui, -page);
		return true;
	case TOP_KEY_PAGE_DOWN:
		turn_page(ui, page);
		return true;
	case TOP_KEY_HOME:
		move(ui, -(1 << 30));
		return true;
	case TOP_KEY_END:
		move(ui, 1 << 30);
		return true;
	default:
		return false;
	}
}

/* Another page of the tasks of a row, or of those of the page that is shown. */
static int look(struct top_ui *ui, enum top_look wanted, enum top_mode mode)
{
	static const enum top_page pages[] = {
		[TOP_LOOK_STACKS] = TOP_PAGE_STACKS,
		[TOP_LOOK_WAKERS] = TOP_PAGE_WAKERS,
		[TOP_LOOK_HISTOGRAM] = TOP_PAGE_HISTOGRAM,
	};

	if (!top_drill_possible(wanted, mode)) {
		cli_error("nobody wakes a task that is on a CPU; m leads to other times");
		return CLI_OK;
	}
	if (!ui->drilled && !top_ui_enter(ui, ui->view->by))
		return CLI_OK;
	ui->drilled = true;
	top_drill_end(&ui->drill, ui->live);
	ui->page = pages[wanted];
	ui->scroll[ui->page] = (struct top_scroll) { 0 };
	if (top_drill_begin(&ui->drill, ui->live, ui->view, wanted, mode, ui->o) ||
	    top_drill_read(&ui->drill))
		top_ui_leave(ui);
	return top_ui_group(ui);
}

static int blame(struct top_ui *ui)
{
	if (!ui->drilled && !top_ui_enter(ui, ui->view->by))
		return CLI_OK;
	top_drill_end(&ui->drill, ui->live);
	ui->drilled = true;
	ui->page = TOP_PAGE_BLAME;
	ui->scroll[ui->page] = (struct top_scroll) { 0 };
	return top_ui_group(ui);
}

static int regroup(struct top_ui *ui, int by)
{
	int err;

	ui->view->by = by;
	top_ui_follow(ui);
	ui->follows = false;
	ui->scroll[TOP_PAGE_LIST] = (struct top_scroll) { 0 };
	err = ui->live->now.recording ? top_live_compare(ui->live, top_needs_cgroups(ui->view)) :
					CLI_OK;
	return err ? err : top_ui_group(ui);
}

/* What is one step nearer to a task. */
static int go_deeper(struct top_ui *ui)
{
	switch (ui->page) {
	case TOP_PAGE_STACKS:
		if (top_page_count(ui))
			ui->page = TOP_PAGE_STACK;
		ui->scroll[TOP_PAGE_STACK] = (struct top_scroll) { 0 };
		return CLI_OK;
	case TOP_PAGE_WAKERS:
		if (top_page_count(ui))
			ui->page = TOP_PAGE_WAKER;
		ui->scroll[TOP_PAGE_WAKER] = (struct top_scroll) { 0 };
		return CLI_OK;
	case TOP_PAGE_LIST:
		break;
	default:
		return CLI_OK;
	}
	if (ui->view->by == SCHEDPROF_BY_THREAD)
		return look(ui, TOP_LOOK_STACKS, TOP_OFFCPU);
	if (!top_ui_enter(ui, ui->view->by == SCHEDPROF_BY_CGROUP ? SCHEDPROF_BY_PROCESS :
								    SCHEDPROF_BY_THREAD))
		return CLI_OK;
	return top_ui_group(ui);
}

static int sort_by(struct top_ui *ui, int step)
{
	struct top_layout layout;
	unsigned int i;

	/* One of those that are on the screen. */
	top_layout_make(&layout, &ui->rows, ui->view->by, ui->width);
	for (i = 0; i < layout.count; i++)
		if (layout.columns[i] == ui->view->column)
			break;
	if (i == layout.count)
		i = 0;
	i = (unsigned int)((int)(i + layout.count) + step) % layout.count;
	ui->view->column = layout.columns[i];
	return top_ui_group(ui);
}

static int toggle_idle(struct top_ui *ui)
{
	if (ui->page == TOP_PAGE_LIST) {
		ui->view->busy = !ui->view->busy;
		return top_ui_group(ui);
	}
	ui->drill.o.idle = !ui->drill.o.idle;
	if (top_page_drills(ui->page) && top_drill_rank(&ui->drill))
		top_ui_leave(ui);
	return CLI_OK;
}

static int next_mode(struct top_ui *ui)
{
	enum top_mode mode = ui->drill.mode;

	if (!top_page_drills(ui->page))
		return CLI_OK;
	do
		mode = (mode + 1) % TOP_MODES;
	while (!top_drill_possible(ui->drill.look, mode));
	return look(ui, ui->drill.look, mode);
}

static void change_pace(struct top_ui *ui, bool faster)
{
	static const uint64_t paces[] = { 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000 };
	size_t n = sizeof(paces) / sizeof(paces[0]), i;
	uint64_t every = ui->live->every_ns;

	if (faster) {
		for (i = n; i-- && paces[i] * CLI_NS_PER_MS >= every; )
			;
		every = i < n ? paces[i] * CLI_NS_PER_MS : LEAST_EVERY;
	} else {
		for (i = 0; i < n && paces[i] * CLI_NS_PER_MS <= every; i++)
			;
		every = i < n ? paces[i] * CLI_NS_PER_MS : MOST_EVERY;
	}
	ui->live->every_ns = every;
	ui->live->next_ns = cli_now() + every;
}

static void freeze(struct top_ui *ui)
{
	ui->frozen = !ui->frozen;
	if (!ui->frozen)
		ui->live->next_ns = cli_now();
}

static int type(struct top_ui *ui, int key)
{
	size_t length = strlen(ui->filter);

	switch (key) {
	case TOP_KEY_ENTER:
		ui->typing = false;
		return CLI_OK;
	case TOP_KEY_ESCAPE:
		ui->typing = false;
		strcpy(ui->filter, ui->filter_before);
		break;
	case TOP_KEY_BACK:
		/* All bytes of one character. */
		while (length && (ui->filter[length - 1] & 0xc0) == 0x80)
			length--;
		ui->filter[length ? length - 1 : 0] = '\0';
		break;
	default:
		if (key < ' ' || key > 0xff || length + 2 > sizeof(ui->filter))
			return CLI_OK;
		ui->filter[length] = (char)key;
		ui->filter[length + 1] = '\0';
	}
	return top_ui_group(ui);
}

static void go_back(struct top_ui *ui)
{
	if (ui->page == TOP_PAGE_LIST && *ui->filter) {
		ui->filter[0] = '\0';
		top_ui_group(ui);
		return;
	}
	top_ui_leave(ui);
}

/* Keys of the list, and of what is about one of its rows. */
static int take_command(struct top_ui *ui, int key)
{
	bool list = ui->page == TOP_PAGE_LIST;
	/* The time that is looked at stays while the user goes from page to page. */
	bool keeps = top_page_drills(ui->page);

	switch (key) {
	case TOP_KEY_ENTER:
	case TOP_KEY_RIGHT:
		return go_deeper(ui);
	case 't':
		return look(ui, TOP_LOOK_STACKS, keeps ? ui->drill.mode : TOP_OFFCPU);
	case 'w':
		return look(ui, TOP_LOOK_WAKERS, keeps ? ui->drill.mode : TOP_BLOCKED);
	case 'h':
		return look(ui, TOP_LOOK_HISTOGRAM, keeps ? ui->drill.mode : TOP_WAITING);
	case 'b':
		return blame(ui);
	case 'm':
		return next_mode(ui);
	case 'i':
		return toggle_idle(ui);
	case 'g':
		return list ? regroup(ui, (ui->view->by + 1) % (SCHEDPROF_BY_CGROUP + 1)) : CLI_OK;
	case 'c':
		return list ? regroup(ui, SCHEDPROF_BY_CGROUP) : CLI_OK;
	case 's':
	case '>':
		return list ? sort_by(ui, 1) : CLI_OK;
	case 'S':
	case '<':
		return list ? sort_by(ui, -1) : CLI_OK;
	case 'r':
		ui->view->reverse = list ? !ui->view->reverse : ui->view->reverse;
		return top_ui_group(ui);
	case '/':
		ui->typing = list;
		strcpy(ui->filter_before, ui->filter);
		return CLI_OK;
	default:
		return CLI_OK;
	}
}

/**
 * top_ui_key() - somebody typed that
 * @ui: begun
 * @key: a byte, or enum top_key
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_ui_key(struct top_ui *ui, int key)
{
	if (key == TOP_KEY_REDRAW)
		return CLI_OK;
	ui->message[0] = '\0';
	if (ui->typing)
		return type(ui, key);
	if (take_move(ui, key))
		return CLI_OK;
	switch (key) {
	case 'q':
		ui->quit = true;
		return CLI_OK;
	case '?':
		if (ui->page != TOP_PAGE_HELP)
			ui->behind = ui->page;
		ui->page = ui->page == TOP_PAGE_HELP ? ui->behind : TOP_PAGE_HELP;
		ui->scroll[TOP_PAGE_HELP] = (struct top_scroll) { 0 };
		return CLI_OK;
	case TOP_KEY_ESCAPE:
	case TOP_KEY_BACK:
	case TOP_KEY_LEFT:
		go_back(ui);
		return CLI_OK;
	case 'f':
	case ' ':
		freeze(ui);
		return CLI_OK;
	case '+':
	case '-':
		change_pace(ui, key == '-');
		return CLI_OK;
	default:
		return ui->page == TOP_PAGE_HELP ? CLI_OK : take_command(ui, key);
	}
}

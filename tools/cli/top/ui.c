// SPDX-License-Identifier: GPL-2.0-only
/*
 * ui: where the user is: in which rows, on which page, and which row is selected, which stays
 * so wherever it is sorted to. One thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "ui.h"

static void forget_followed(struct top_ui *ui)
{
	free((char *)ui->followed.name);
	ui->followed = (struct cli_party) { 0 };
	ui->follows = false;
}

/* Sentences of all of the program become the message. */
static struct top_ui *listening;

static void listen(const char *sentence)
{
	snprintf(listening->message, sizeof(listening->message), "%s", sentence);
}

/**
 * top_ui_begin() - at the list of all
 * @ui: filled in
 * @live: begun
 * @view: what is shown at first
 * @o: the options
 */
void top_ui_begin(struct top_ui *ui, struct top_live *live, struct top_view *view,
		  struct cli_options *o)
{
	memset(ui, 0, sizeof(*ui));
	ui->live = live;
	ui->view = view;
	ui->o = o;
	ui->drill.o.idle = o->idle;
	snprintf(ui->filter, sizeof(ui->filter), "%s", view->filter);
	view->filter = ui->filter;
	listening = ui;
	cli_say_to(listen);
}

/**
 * top_ui_end() - give everything back; a second session is gone then
 * @ui: begun
 */
void top_ui_end(struct top_ui *ui)
{
	top_drill_end(&ui->drill, ui->live);
	top_drill_close(&ui->drill);
	while (ui->view->scope_count)
		free((char *)ui->view->scopes[--ui->view->scope_count].party.name);
	forget_followed(ui);
	top_rows_free(&ui->rows);
	cli_say_to(NULL);
}

/* The selected row may be somewhere else now. */
static void find_followed(struct top_ui *ui)
{
	struct top_scroll *scroll = &ui->scroll[TOP_PAGE_LIST];
	size_t i;

	for (i = 0; ui->follows && i < ui->rows.count; i++)
		if (!cli_party_compare(&ui->rows.rows[i].who, &ui->followed)) {
			scroll->selected = i;
			return;
		}
	/* It is gone: whoever is in its place. */
	if (scroll->selected >= ui->rows.count)
		scroll->selected = ui->rows.count ? ui->rows.count - 1 : 0;
}

/**
 * top_ui_group() - rows of what was read the last time
 * @ui: begun
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_ui_group(struct top_ui *ui)
{
	struct top_view view = *ui->view;

	/* A page is of all that is in a row, whether it rests or not. */
	view.whole = ui->drilled;
	if (ui->drilled)
		view.busy = false;
	top_rows_free(&ui->rows);
	if (!top_rows_make(&ui->rows, &ui->live->change, &view))
		return cli_no_memory();
	if (ui->o->top && ui->rows.count > ui->o->top && !ui->drilled) {
		ui->rows.beyond = ui->rows.count - ui->o->top;
		ui->rows.count = ui->o->top;
	}
	if (!ui->drilled)
		find_followed(ui);
	return CLI_OK;
}

/**
 * top_page_drills() - does a page need a second session
 * @page: the page
 */
bool top_page_drills(enum top_page page)
{
	return page >= TOP_PAGE_STACKS && page <= TOP_PAGE_HISTOGRAM;
}

/* Reads what the page shows; the stack that is selected stays so, wherever it is sorted to. */
static int read_page(struct top_ui *ui)
{
	enum top_page page = ui->drill.look == TOP_LOOK_WAKERS ? TOP_PAGE_WAKERS : TOP_PAGE_STACKS;
	size_t *selected = &ui->scroll[page].selected, i;
	const struct cli_report *report = &ui->drill.report;
	char *key = NULL;
	int err;

	/* The first one stays the first one, unless it is looked at. */
	if (ui->drill.read && *selected < report->count &&
	    (*selected || ui->page != page))
		key = strdup(report->rows[*selected].key);
	err = top_drill_read(&ui->drill);
	for (i = 0; !err && key && i < report->count; i++)
		if (!strcmp(report->rows[i].key, key))
			*selected = i;
	free(key);
	return err;
}

/**
 * top_ui_refresh() - read what is shown
 * @ui: begun
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_ui_refresh(struct top_ui *ui)
{
	int err = top_live_read(ui->live, top_needs_cgroups(ui->view));

	if (!err)
		err = top_ui_group(ui);
	if (err)
		return err;
	/* Somebody may have removed that session: the list stays. */
	if (ui->drill.session.handle && read_page(ui)) {
		/* A second page to leave may be on top of it. */
		top_ui_leave(ui);
		if (ui->drilled)
			top_ui_leave(ui);
	}
	return CLI_OK;
}

/**
 * top_ui_selected() - the row of the list
 * @ui: begun
 *
 * Return: it; of a page, the row that it is of; NULL: there is none.
 */
const struct top_row *top_ui_selected(const struct top_ui *ui)
{
	size_t i = ui->drilled ? 0 : ui->scroll[TOP_PAGE_LIST].selected;

	return i < ui->rows.count ? &ui->rows.rows[i] : NULL;
}

/**
 * top_ui_follow() - the row that is selected now stays so
 * @ui: begun
 */
void top_ui_follow(struct top_ui *ui)
{
	const struct top_row *row = top_ui_selected(ui);

	forget_followed(ui);
	if (!row)
		return;
	ui->followed = row->who;
	ui->followed.name = strdup(row->who.name);
	ui->follows = ui->followed.name;
}

/**
 * top_ui_enter() - go into the selected row
 * @ui: at the list
 * @by: enum schedprof_by: what rows are there
 *
 * Return: was it possible; if not, the message says why not.
 */
bool top_ui_enter(struct top_ui *ui, int by)
{
	struct top_view *view = ui->view;
	struct top_scope *scope = &view->scopes[view->scope_count];
	const struct top_row *row = top_ui_selected(ui);
	char *name;

	if (!row) {
		cli_error("there is no row to go into");
		return false;
	}
	if (view->scope_count == TOP_SCOPES) {
		cli_error("this is as deep as it goes; Esc leads back");
		return false;
	}
	name = strdup(row->who.name);
	if (!name)
		return false;
	*scope = (struct top_scope) { .by = view->by, .party = row->who };
	scope->party.name = name;
	/* What was looked for there is not looked for here. */
	strcpy(ui->filters[view->scope_count++], ui->filter);
	ui->filter[0] = '\0';
	view->by = by;
	ui->scroll[TOP_PAGE_LIST] = (struct top_scroll) { 0 };
	forget_followed(ui);
	return true;
}

/**
 * top_ui_leave() - go one step back
 * @ui: anywhere
 */
void top_ui_leave(struct top_ui *ui)
{
	struct top_view *view = ui->view;
	struct top_scope *scope;

	switch (ui->page) {
	case TOP_PAGE_HELP:
		ui->page = ui->behind;
		return;
	case TOP_PAGE_STACK:
		ui->page = TOP_PAGE_STACKS;
		return;
	case TOP_PAGE_WAKER:
		ui->page = TOP_PAGE_WAKERS;
		return;
	default:
		break;
	}
	top_drill_end(&ui->drill, ui->live);
	ui->page = TOP_PAGE_LIST;
	ui->drilled = false;
	if (!view->scope_count)
		return;
	/* Where it came from is selected again. */
	scope = &view->scopes[--view->scope_count];
	view->by = scope->by;
	strcpy(ui->filter, ui->filters[view->scope_count]);
	forget_followed(ui);
	ui->followed = scope->party;
	ui->follows = true;
	top_ui_group(ui);
}

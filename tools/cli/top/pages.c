// SPDX-License-Identifier: GPL-2.0-only
/*
 * pages: the lines of the screen: what is looked at, the way there, rows, and what is known
 * of the selected one. Functions without state, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>

#include "../words.h"
#include "describe.h"
#include "ui.h"

/* Lines above and below a page. */
#define ABOVE	3
#define BELOW	1

/* Of a list so high, what is known of the selected row is shown, too. */
#define HIGH	16

/* The bar of a row, and what is beside it. */
#define BAR	60
#define LEGEND	36
#define LEGEND_IRQ	6

/* Of its name, in the line with those because of whom a row waited. */
#define CULPRIT	16

static const struct cli_blamed *blamed_at(const struct top_ui *ui, size_t index)
{
	const struct top_row *row = top_ui_selected(ui);

	return row && index < row->blamed_count ? &row->blamed[index] : NULL;
}

/**
 * top_page_count() - lines of the page
 * @ui: begun
 */
size_t top_page_count(const struct top_ui *ui)
{
	const struct top_row *row;

	switch (ui->page) {
	case TOP_PAGE_LIST:
		return ui->rows.count;
	case TOP_PAGE_BLAME:
		row = top_ui_selected(ui);
		return row ? row->blamed_count : 0;
	case TOP_PAGE_HELP:
		return top_help_count();
	default:
		return top_drilled_count(ui);
	}
}

static void put_blamed(const struct top_ui *ui, size_t index, struct top_line *line)
{
	const struct cli_blamed *blamed = blamed_at(ui, index);
	static const char same[] = "  (same process)";
	char cell[TOP_CELL];
	const char *text = top_short_time(cell, blamed->total);
	int room;

	top_line_to(line, 9 - (int)strlen(text));
	top_line_put(line, TOP_PLAIN, "%s", text);
	text = top_percent(cell, blamed->total, blamed->waited);
	top_line_to(line, 17 - (int)strlen(text));
	top_line_put(line, TOP_WAIT, "%s", text);
	snprintf(cell, sizeof(cell), "%" PRIu64, blamed->count);
	top_line_to(line, 25 - (int)strlen(cell));
	top_line_put(line, TOP_PLAIN, "%s", cell);
	top_line_to(line, 28);
	if (blamed->culprit.tid)
		top_line_put(line, TOP_PLAIN, "%7d ", blamed->culprit.tid);
	else
		top_line_to(line, 36);
	room = line->most - line->width - (blamed->self ? (int)strlen(same) : 0);
	if (room > 0)
		top_line_party(line, TOP_BOLD, &blamed->culprit, room,
			       ui->view->by == SCHEDPROF_BY_CGROUP);
	if (blamed->self)
		top_line_put(line, TOP_DIM, "%s", same);
}

/* What the columns are. */
static void put_head(const struct top_ui *ui, const struct top_layout *layout,
		     struct top_line *line)
{
	switch (ui->page) {
	case TOP_PAGE_LIST:
		top_table_head(layout, ui->view, line);
		break;
	case TOP_PAGE_BLAME:
		top_line_put(line, TOP_TITLE, "   waited       %%  pieces      PID WHO RAN MEANWHILE");
		break;
	case TOP_PAGE_HELP:
		top_line_put(line, TOP_TITLE, "  KEYS AND COLUMNS");
		break;
	default:
		top_drilled_head(ui, line);
	}
	top_line_to(line, ui->width);
}

static void put_line(const struct top_ui *ui, const struct top_layout *layout, size_t index,
		     struct top_line *line)
{
	switch (ui->page) {
	case TOP_PAGE_LIST:
		top_table_row(layout, &ui->rows, &ui->rows.rows[index], line);
		break;
	case TOP_PAGE_BLAME:
		put_blamed(ui, index, line);
		break;
	case TOP_PAGE_HELP:
		top_help_line(index, line);
		break;
	default:
		top_drilled_line(ui, index, line);
	}
}

static void put_status(const struct top_ui *ui, struct top_line *line)
{
	struct top_line right;

	top_line_begin(&right, TOP_ANY_WIDTH);
	if (ui->frozen)
		top_line_put(&right, TOP_ALARM, "FROZEN");
	else
		top_line_put(&right, TOP_PLAIN, "every %gs",
			     (double)ui->live->every_ns / (double)CLI_NS_PER_S);
	top_line_put(line, TOP_BOLD, "schedprof  ");
	if (!ui->live->now.recording) {
		top_line_put(line, TOP_PLAIN, "the first numbers come in a moment");
	} else {
		line->most -= right.width + 2;
		top_facts_put(&ui->live->facts, line);
		line->most += right.width + 2;
	}
	if (!top_line_fits(line, right.width))
		return;
	top_line_to(line, line->most - right.width);
	top_line_put(line, ui->frozen ? TOP_ALARM : TOP_PLAIN, "%s", right.text);
}

static void put_way(const struct top_ui *ui, unsigned int first, struct top_line *line)
{
	static const char *const words[TOP_PAGES] = {
		[TOP_PAGE_BLAME] = "blame",
		[TOP_PAGE_STACKS] = "stacks",
		[TOP_PAGE_STACK] = "stacks > one",
		[TOP_PAGE_WAKERS] = "wakers",
		[TOP_PAGE_WAKER] = "wakers > one",
		[TOP_PAGE_HISTOGRAM] = "histogram",
		[TOP_PAGE_HELP] = "help",
	};
	char cell[TOP_CELL];

	top_line_put(line, TOP_PLAIN, " ");
	if (ui->page == TOP_PAGE_LIST && !ui->live->now.recording) {
		top_describe_scopes(ui->view, first, line);
		return;
	}
	if (ui->page == TOP_PAGE_LIST && !top_facts_alarm(&ui->live->facts, line)) {
		top_describe(ui->view, first, &ui->rows, line);
		return;
	}
	if (ui->page == TOP_PAGE_LIST)
		return;
	top_describe_scopes(ui->view, first, line);
	top_line_put(line, TOP_DIM, " > ");
	top_line_put(line, TOP_BOLD, "%s", words[ui->page]);
	if (top_page_drills(ui->page))
		top_drilled_describe(ui, line);
	else if (ui->page == TOP_PAGE_BLAME)
		top_line_put(line, TOP_PLAIN, ": who ran while it waited for a CPU, in %s",
			     top_short_time(cell, ui->rows.wall_ns));
}

/* Where it is too long, where the user is matters more than where that began. */
static void put_end_of_way(const struct top_ui *ui, struct top_line *line)
{
	unsigned int first = 0, last = ui->view->scope_count;
	struct top_line whole;

	for (; first < last; first++) {
		top_line_begin(&whole, TOP_ANY_WIDTH);
		put_way(ui, first, &whole);
		if (whole.width <= line->most)
			break;
	}
	/* The last step is told in any case. */
	put_way(ui, last && first == last ? last - 1 : first, line);
}

/* The time of a row as a bar: each state has its letter, and its colour. */
static void put_times(const struct top_row *row, bool splits, struct top_line *line)
{
	static const struct {
		char letter;
		enum top_style style;
	} states[TOP_TIMES] = {
		[TOP_ONCPU] = { 'C', TOP_CPU }, [TOP_IRQ] = { 'i', TOP_BOLD },
		[TOP_RUNQUEUE] = { 'w', TOP_WAIT },
		[TOP_SLEEP] = { '.', TOP_DIM }, [TOP_DISK] = { 'D', TOP_DISK_SLEEP },
	};
	uint64_t all = top_observed(&row->figures), sum = 0;
	int room = line->most - LEGEND - (splits ? LEGEND_IRQ : 0), at = 0;
	unsigned int i;

	if (room > BAR)
		room = BAR;
	top_line_put(line, TOP_PLAIN, " time [");
	for (i = 0; i < TOP_TIMES && all; i++) {
		sum += row->figures.time[i];
		for (; at < (int)((double)sum * room / (double)all + 0.5); at++)
			top_line_put(line, states[i].style, "%c", states[i].letter);
	}
	top_line_put(line, TOP_PLAIN, "] ");
	top_line_put(line, TOP_CPU, "C on ");
	if (splits)
		top_line_put(line, TOP_BOLD, "i irq ");
	top_line_put(line, TOP_WAIT, "w wait ");
	top_line_put(line, TOP_DIM, ". sleep ");
	top_line_put(line, TOP_DISK_SLEEP, "D disk");
}

static void put_waits(const struct top_row *row, struct top_line *line)
{
	char cell[TOP_CELL];
	size_t i;

	if (!row->figures.waits) {
		top_line_put(line, TOP_PLAIN, " did not wait for a CPU");
		return;
	}
	top_line_put(line, TOP_PLAIN, " waited ");
	top_line_put(line, TOP_WAIT, "%s", top_short_time(cell, row->figures.waited));
	top_line_put(line, TOP_PLAIN, " in %" PRIu64 " wait%s", row->figures.waits,
		     row->figures.waits == 1 ? "" : "s");
	for (i = 0; i < row->blamed_count && i < 4; i++) {
		const struct cli_blamed *blamed = &row->blamed[i];
		int width = top_name_width(blamed->culprit.name);
		const char *text = top_short_time(cell, blamed->total);

		/* Nobody could tell a number that is cut. */
		if (width > CULPRIT)
			width = CULPRIT;
		if (!top_line_fits(line, 2 + width + 1 + (int)strlen(text)))
			break;
		top_line_put(line, TOP_PLAIN, i ? ", " : ": ");
		top_line_party(line, TOP_BOLD, &blamed->culprit, CULPRIT, true);
		top_line_put(line, TOP_PLAIN, " %s", text);
	}
}

static void put_detail(const struct top_ui *ui, const struct top_row *row,
		       struct top_line lines[TOP_DETAIL])
{
	struct top_line *title = &lines[0];

	top_line_put(title, TOP_DIM, "--- ");
	top_line_party(title, TOP_BOLD, &row->who, title->most - 20,
		       ui->view->by == SCHEDPROF_BY_CGROUP);
	if (row->pid)
		top_line_put(title, TOP_BOLD, " %d", row->pid);
	if (row->tasks > 1)
		top_line_put(title, TOP_PLAIN, ", %" PRIu64 " threads", row->tasks);
	top_line_put(title, TOP_DIM, " ");
	top_line_fill(title, TOP_DIM, title->most, '-');
	put_times(row, ui->rows.splits, &lines[1]);
	put_waits(row, &lines[2]);
}

/* Moves what is shown so that what is selected is in it. */
static void scroll_to(struct top_scroll *scroll, size_t count, size_t room, bool selects)
{
	if (scroll->selected >= count)
		scroll->selected = count ? count - 1 : 0;
	if (!selects || scroll->selected < scroll->first)
		scroll->first = scroll->selected;
	else if (scroll->selected >= scroll->first + room)
		scroll->first = scroll->selected - room + 1;
	if (selects && scroll->first + room > count)
		scroll->first = count > room ? count - room : 0;
}

/* Why a page has no lines. */
static void put_nothing(const struct top_ui *ui, struct top_line *line)
{
	top_line_to(line, 2);
	if (!ui->live->now.recording)
		top_line_put(line, TOP_DIM, "recording ...");
	else if (ui->page == TOP_PAGE_LIST)
		top_line_put(line, TOP_DIM, "there are no such tasks%s",
			     *ui->filter ? "; / and Esc lead to the others" : "");
	else if (ui->page == TOP_PAGE_BLAME)
		top_line_put(line, TOP_DIM, "it did not wait for a CPU");
	else if (ui->drill.read && ui->drill.report.hidden_count)
		top_line_put(line, TOP_DIM, "nothing but waits for work, which i shows");
	else
		top_line_put(line, TOP_DIM, "nothing yet");
}

/**
 * top_ui_draw() - the lines of the screen
 * @ui: begun; knows how high and how wide
 * @lines: so many as it is high
 * @selected: which of them is selected; SIZE_MAX: none
 */
void top_ui_draw(struct top_ui *ui, struct top_line *lines, size_t *selected)
{
	bool selects = ui->page == TOP_PAGE_LIST || ui->page == TOP_PAGE_STACKS ||
		       ui->page == TOP_PAGE_WAKERS;
	bool detail = ui->page == TOP_PAGE_LIST && ui->height >= HIGH && top_ui_selected(ui);
	struct top_scroll *scroll = &ui->scroll[ui->page];
	size_t count = top_page_count(ui), height = (size_t)ui->height, i, least;
	struct top_layout layout;

	*selected = SIZE_MAX;
	if (ui->width >= TOP_LINE)
		ui->width = TOP_LINE - 1;
	for (i = 0; i < height; i++)
		top_line_begin(&lines[i], ui->width);
	least = ABOVE + BELOW + (detail ? TOP_DETAIL : 0);
	ui->room = height > least ? height - least : 0;
	top_layout_make(&layout, &ui->rows, ui->view->by, ui->width);
	scroll_to(scroll, count, ui->room, selects);
	if (height < 1)
		return;
	put_status(ui, &lines[0]);
	if (height > 1)
		put_end_of_way(ui, &lines[1]);
	if (height > 2)
		put_head(ui, &layout, &lines[2]);
	for (i = 0; i < ui->room && scroll->first + i < count; i++) {
		put_line(ui, &layout, scroll->first + i, &lines[ABOVE + i]);
		if (selects && scroll->first + i == scroll->selected)
			*selected = ABOVE + i;
	}
	if (!count && ui->room)
		put_nothing(ui, &lines[ABOVE]);
	if (detail)
		put_detail(ui, top_ui_selected(ui), &lines[height - BELOW - TOP_DETAIL]);
	if (height > ABOVE)
		top_foot(ui, &lines[height - 1]);
}

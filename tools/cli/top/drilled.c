// SPDX-License-Identifier: GPL-2.0-only
/*
 * drilled: lines of what the second session has: where tasks were, who woke them, how long
 * intervals were. Functions without state, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>

#include "../words.h"
#include "columns.h"
#include "ui.h"

#define FRAME	4096

static const struct cli_report *report_of(const struct top_ui *ui)
{
	return ui->drill.read ? &ui->drill.report : NULL;
}

static const struct cli_row *row_of(const struct top_ui *ui, size_t index)
{
	const struct cli_report *report = report_of(ui);

	return report && index < report->count ? &report->rows[index] : NULL;
}

/* Of the page with one stack: that of the row which is selected. */
static const struct schedprof_entry *entry_of(const struct top_ui *ui)
{
	enum top_page page = ui->page == TOP_PAGE_STACK ? TOP_PAGE_STACKS : TOP_PAGE_WAKERS;
	const struct cli_row *row = row_of(ui, ui->scroll[page].selected);

	return row ? row->entry : NULL;
}

static size_t remark_count(const struct schedprof_stack *stack)
{
	size_t n = 0;

	while (schedprof_stack_remark(stack, n))
		n++;
	return n;
}

static size_t stack_count(const struct schedprof_stack *stack)
{
	return stack ? remark_count(stack) + stack->frame_count : 0;
}

/* The stacks of an entry, one below the other, with a line between them. */
struct part {
	const char *title;
	const struct schedprof_stack *stack;
	const struct schedprof_task *task;
};

#define PARTS	4

static size_t parts_of(const struct schedprof_entry *entry, struct part parts[PARTS])
{
	size_t n = 0;

	if (entry->kernel)
		parts[n++] = (struct part) { "in the kernel", entry->kernel, entry->task };
	if (entry->user)
		parts[n++] = (struct part) { "in its program", entry->user, entry->task };
	if (entry->waker && entry->waker->flags & SCHEDPROF_STACK_RUNNING)
		parts[n++] = (struct part) { "because of ", entry->waker, entry->task };
	else if (entry->waker)
		parts[n++] = (struct part) { "woken by ", entry->waker, entry->task };
	if (entry->waker && entry->waker->user)
		parts[n++] = (struct part) { "in the program of who woke it", entry->waker->user,
					     entry->waker->program };
	return n;
}

static void put_frame(const struct top_ui *ui, const struct part *part, size_t index,
		      struct top_line *line)
{
	const struct cli_report *report = report_of(ui);
	size_t remarks = remark_count(part->stack);
	struct schedprof_frame frame;
	char text[FRAME];

	top_line_to(line, 4);
	if (index < remarks) {
		top_line_name(line, TOP_DIM, schedprof_stack_remark(part->stack, index),
			      TOP_ANY_WIDTH, false);
		return;
	}
	if (!schedprof_frame(report->recording, part->task, part->stack, index - remarks,
			     &report->names, &frame, sizeof(frame)))
		return;
	schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_PLAIN, text, sizeof(text));
	top_line_name(line, TOP_PLAIN, text, TOP_ANY_WIDTH, false);
}

static void put_stack_line(const struct top_ui *ui, size_t index, struct top_line *line)
{
	const struct schedprof_entry *entry = entry_of(ui);
	struct part parts[PARTS];
	size_t i, n = parts_of(entry, parts);
	char name[CLI_NAME];

	for (i = 0; i < n; i++) {
		if (!index) {
			top_line_to(line, 2);
			top_line_put(line, TOP_TITLE, "%s", parts[i].title);
			if (parts[i].stack == entry->waker)
				top_line_name(line, TOP_TITLE, cli_waker_name(entry->waker, name),
					      TOP_ANY_WIDTH, false);
			return;
		}
		index--;
		if (index < stack_count(parts[i].stack)) {
			put_frame(ui, &parts[i], index, line);
			return;
		}
		index -= stack_count(parts[i].stack);
	}
}

/**
 * top_drilled_count() - lines of the page
 * @ui: at a page that needs the second session
 */
size_t top_drilled_count(const struct top_ui *ui)
{
	const struct cli_report *report = report_of(ui);
	const struct schedprof_entry *entry;
	struct part parts[PARTS];
	size_t i, n, count = 0;

	if (!report)
		return 0;
	switch (ui->page) {
	case TOP_PAGE_HISTOGRAM:
		return schedprof_histogram_count(report->recording);
	case TOP_PAGE_STACK:
	case TOP_PAGE_WAKER:
		entry = entry_of(ui);
		if (!entry)
			return 0;
		n = parts_of(entry, parts);
		for (i = 0; i < n; i++)
			count += 1 + stack_count(parts[i].stack);
		return count;
	default:
		return report->count;
	}
}

/* Functions from the innermost one on, without those in which all that wait are. */
static void put_path(const struct top_ui *ui, const struct cli_row *row,
		     const struct schedprof_stack *stack, struct top_line *line)
{
	const struct cli_report *report = report_of(ui);
	struct schedprof_frame frame;
	const char *before = "";
	char text[FRAME];
	size_t i;

	for (i = 0; schedprof_frame(report->recording, row->entry->task, stack, i, &report->names,
				    &frame, sizeof(frame)); i++) {
		if (cli_frame_waits(&frame))
			continue;
		top_line_put(line, TOP_DIM, "%s", before);
		top_line_name(line, TOP_PLAIN, cli_frame_name(&frame, text, sizeof(text)),
			      TOP_ANY_WIDTH, false);
		before = " < ";
		if (line->most != TOP_ANY_WIDTH && line->width >= line->most)
			return;
	}
}

static void put_place(const struct top_ui *ui, const struct cli_row *row, struct top_line *line)
{
	const struct schedprof_entry *entry = row->entry;
	char name[CLI_NAME];
	int begin;

	if (ui->page == TOP_PAGE_WAKERS) {
		if (!entry->waker) {
			top_line_put(line, TOP_DIM, "[nobody was seen]");
			return;
		}
		begin = line->width;
		top_line_name(line, TOP_BOLD, cli_waker_name(entry->waker, name), TOP_ENOUGH,
			      false);
		top_line_to(line, begin + TOP_ENOUGH + 1);
		put_path(ui, row, entry->waker, line);
		return;
	}
	if (row->idle && row->idle == row->total)
		top_line_put(line, TOP_DIM, "[waits for work] ");
	if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK) {
		top_line_put(line, TOP_ALARM, "[lost stack]");
	} else if (entry->kernel && entry->kernel->frame_count) {
		put_path(ui, row, entry->kernel, line);
	} else if (entry->user) {
		/* Functions of the kernel have such names, too. */
		top_line_put(line, TOP_DIM, "[program] ");
		put_path(ui, row, entry->user, line);
	} else {
		top_line_put(line, TOP_DIM, "[no stack]");
	}
}

static void put_right(struct top_line *line, enum top_style style, int width, const char *text)
{
	top_line_to(line, line->width + width - (int)strlen(text));
	top_line_put(line, style, "%s", text);
}

static void put_row(const struct top_ui *ui, const struct cli_row *row, struct top_line *line)
{
	const struct cli_report *report = report_of(ui);
	char cell[TOP_CELL];

	put_right(line, TOP_PLAIN, 8, top_short_time(cell, row->total));
	put_right(line, TOP_WAIT, 6, top_percent(cell, row->total, report->total - report->hidden));
	snprintf(cell, sizeof(cell), "%" PRIu64, row->count);
	put_right(line, TOP_PLAIN, 8, cell);
	put_right(line, TOP_PLAIN, 8, top_short_time(cell, row->count ?
						     row->total / row->count : 0));
	put_right(line, TOP_PLAIN, 8, top_short_time(cell, row->max));
	top_line_put(line, TOP_BOLD, row->open ? "* " : "  ");
	put_place(ui, row, line);
}

static void put_bar(const struct top_ui *ui, size_t index, struct top_line *line)
{
	const struct cli_report *report = report_of(ui);
	const struct schedprof_histogram *row, *other;
	int room = line->most - 40;
	uint64_t most = 1;
	char cell[TOP_CELL];
	size_t i;
	int bar;

	row = schedprof_histogram_at(report->recording, index);
	for (i = 0; (other = schedprof_histogram_at(report->recording, i)); i++)
		if (other->count > most)
			most = other->count;
	put_right(line, TOP_PLAIN, 9, top_short_time(cell, row->low * CLI_NS_PER_US));
	top_line_put(line, TOP_PLAIN, " to ");
	put_right(line, TOP_PLAIN, 8, top_short_time(cell, row->high * CLI_NS_PER_US));
	snprintf(cell, sizeof(cell), "%" PRIu64, row->count);
	put_right(line, TOP_PLAIN, 11, cell);
	top_line_put(line, TOP_PLAIN, "  ");
	bar = room > 0 ? (int)((double)row->count * room / (double)most + 0.5) : 0;
	for (bar += row->count && !bar; bar > 0; bar--)
		top_line_put(line, TOP_WAIT, "#");
}

/**
 * top_drilled_head() - what the columns of the page are
 * @ui: at a page that needs the second session
 * @line: begun
 */
void top_drilled_head(const struct top_ui *ui, struct top_line *line)
{
	switch (ui->page) {
	case TOP_PAGE_HISTOGRAM:
		top_line_put(line, TOP_TITLE, "     from       below    how often");
		break;
	case TOP_PAGE_STACK:
	case TOP_PAGE_WAKER:
		top_line_put(line, TOP_TITLE, "  FRAMES, the innermost first");
		break;
	case TOP_PAGE_WAKERS:
		top_line_put(line, TOP_TITLE, "   total     %%   count    mean     max  WOKEN BY        FROM < CALLED BY");
		break;
	default:
		top_line_put(line, TOP_TITLE, "   total     %%   count    mean     max  WHERE < CALLED BY");
	}
}

/**
 * top_drilled_line() - a line of the page
 * @ui: at a page that needs the second session
 * @index: of the line
 * @line: begun
 */
void top_drilled_line(const struct top_ui *ui, size_t index, struct top_line *line)
{
	switch (ui->page) {
	case TOP_PAGE_HISTOGRAM:
		put_bar(ui, index, line);
		break;
	case TOP_PAGE_STACK:
	case TOP_PAGE_WAKER:
		put_stack_line(ui, index, line);
		break;
	default:
		put_row(ui, row_of(ui, index), line);
	}
}

/**
 * top_drilled_describe() - what the page is of
 * @ui: at a page that needs the second session
 * @line: is continued
 */
void top_drilled_describe(const struct top_ui *ui, struct top_line *line)
{
	const struct cli_report *report = report_of(ui);
	char cell[TOP_CELL];

	top_line_put(line, TOP_PLAIN, ": time %s", top_mode_word(ui->drill.mode));
	if (!report)
		return;
	top_line_put(line, TOP_PLAIN, " in %s",
		     top_short_time(cell, cli_meta(report->recording, "duration_ns")));
	if (ui->page == TOP_PAGE_STACKS && report->hidden_count)
		top_line_put(line, TOP_DIM, ", %s idle hidden",
			     top_short_time(cell, report->hidden));
}

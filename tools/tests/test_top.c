// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_top: lines of schedprof top, of names that somebody has chosen to be in the way. Nothing
 * is recorded, and there is no screen. One thread.
 */
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cli/top/ui.h"
#include "../cli/words.h"
#include "check.h"

/* The acute accent, which takes no column; and e with it. */
#define MARK	"\xcc\x81"
#define E_ACUTE	"e" MARK

/* A letter, and so many marks. */
static char *marked(unsigned int marks)
{
	static char name[4096];
	char *at = name;

	for (*at++ = 'a'; marks; marks--)
		at = stpcpy(at, MARK);
	*at = '\0';
	return name;
}

/* What a row of the table is: a name of so many columns, and something behind it. */
static void put_row(struct top_line *line, const char *name, int width, bool keep_end)
{
	top_line_begin(line, 80);
	top_line_name(line, TOP_BOLD, name, width, keep_end);
	top_line_to(line, width);
	top_line_put(line, TOP_PLAIN, "%*s", 80 - width, "behind");
}

static void fills_have_an_end(void)
{
	struct top_line line;

	top_line_begin(&line, 80);
	top_line_put(&line, TOP_PLAIN, "before");
	top_line_fill(&line, TOP_DIM, 10, '-');
	CHECK_TEXT(line.text, "before----");
	top_line_fill(&line, TOP_DIM, 5, '-');
	CHECK_NUMBER(line.width, 10);
	top_line_begin(&line, 2 * TOP_LINE);
	top_line_fill(&line, TOP_DIM, 2 * TOP_LINE, '-');
	CHECK_NUMBER(line.length, TOP_LINE - 1);
}

static void marks_are_shown(void)
{
	struct top_line line;

	put_row(&line, E_ACUTE "t" E_ACUTE, 10, false);
	CHECK(!strncmp(line.text, E_ACUTE "t" E_ACUTE "       ", 14));
	CHECK_NUMBER(line.width, 80);
	put_row(&line, E_ACUTE "t" E_ACUTE "t" E_ACUTE, 4, false);
	CHECK(!strncmp(line.text, E_ACUTE "t" E_ACUTE "+ ", 9));
	put_row(&line, E_ACUTE "t" E_ACUTE "t" E_ACUTE, 4, true);
	CHECK(!strncmp(line.text, "+" E_ACUTE "t" E_ACUTE " ", 9));
}

/* However many there are, whether they are cut off at the end or at the beginning. */
static void marks_leave_room(void)
{
	unsigned int marks;
	struct top_line line;

	for (marks = 400; marks < 600; marks++) {
		put_row(&line, marked(marks), 20, marks % 2);
		CHECK_NUMBER(line.width, 80);
		CHECK(line.length > 6 && !strcmp(line.text + line.length - 6, "behind"));
	}
	CHECK(strchr(line.text, TOP_CUT));
}

/* A control group is the row that is selected, of which all is told. */
static void detail_of_marks(void)
{
	struct top_task task = { .tid = 5, .tgid = 5, .start_ns = 1, .comm = "worker",
				 .leader_comm = "worker" };
	struct top_view view = { .by = SCHEDPROF_BY_CGROUP, .filter = "" };
	struct cli_options o = { 0 };
	struct top_line *lines = calloc(24, sizeof(*lines));
	struct top_live live = { .change = { .tasks = &task, .task_count = 1 } };
	struct top_ui ui;
	size_t selected;
	int width;

	if (!CHECK(lines))
		return;
	task.cgroup = marked(480);
	task.figures.time[TOP_ONCPU] = CLI_NS_PER_MS;
	top_ui_begin(&ui, &live, &view, &o);
	CHECK(!top_ui_group(&ui));
	for (width = 80; width < 3 * TOP_LINE; width += 400) {
		ui.height = 24;
		ui.width = width;
		top_ui_draw(&ui, lines, &selected);
		CHECK_NUMBER(lines[20].width, width < TOP_LINE ? width : TOP_LINE - 1);
		CHECK(strstr(lines[20].text, " ---"));
		CHECK(strstr(lines[selected].text, " 0.0"));
	}
	top_ui_end(&ui);
	free(lines);
}

/* So many times the same byte. */
static char *bytes(char byte, size_t n)
{
	static char name[1024];

	memset(name, byte, n);
	name[n] = '\0';
	return name;
}

/* The row of a group that waited for itself, in a line of any width. */
static void check_any_width(const char *cgroup, bool cut)
{
	struct top_task task = { .tid = 5, .tgid = 5, .start_ns = 1, .comm = "worker",
				 .leader_comm = "worker", .cgroup = cgroup };
	struct schedprof_blame blame = {
		.tid = 5, .tgid = 5, .start_ns = 1, .comm = "worker", .leader_comm = "worker",
		.cgroup = cgroup, .culprit = SCHEDPROF_CULPRIT_TASK, .culprit_tid = 6,
		.culprit_tgid = 6, .culprit_comm = "other", .culprit_leader_comm = "other",
		.culprit_cgroup = cgroup, .total = CLI_NS_PER_S, .count = 1,
	};
	struct top_view view = { .by = SCHEDPROF_BY_CGROUP, .filter = "" };
	struct top_change change = { .tasks = &task, .task_count = 1, .blame = &blame,
				     .blame_count = 1, .wall_ns = CLI_NS_PER_S };
	struct top_layout layout;
	struct top_line line;
	struct top_rows rows;

	task.figures.time[TOP_RUNQUEUE] = CLI_NS_PER_S;
	CHECK(top_rows_make(&rows, &change, &view));
	top_layout_make(&layout, &rows, view.by, TOP_ANY_WIDTH);
	top_table_head(&layout, &view, &line);
	CHECK(line.length > 6 && !strcmp(line.text + line.length - 6, " blame"));
	top_table_row(&layout, &rows, &rows.rows[0], &line);
	CHECK(strstr(line.text, " 100.0 "));
	CHECK(line.length > 5 && !strcmp(line.text + line.length - 5, " 100%"));
	CHECK(!strchr(line.text, TOP_CUT) == !cut);
	top_rows_free(&rows);
}

static void names_of_any_width(void)
{
	check_any_width("/system.slice/nginx.service", false);
	check_any_width(bytes('a', 300), false);
	check_any_width(bytes('a', 1000), true);
	check_any_width(bytes('\xff', 250), true);
	check_any_width(marked(100), false);
	check_any_width(marked(480), true);
}

static const struct test tests[] = {
	{ "fills have an end", fills_have_an_end },
	{ "marks are shown", marks_are_shown },
	{ "marks leave room", marks_leave_room },
	{ "detail of marks", detail_of_marks },
	{ "names of any width", names_of_any_width },
};

int main(void)
{
	/* A line that has no end is told from the tests before it. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(60);
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 2;
	return check_run("top", tests, sizeof(tests) / sizeof(tests[0]));
}

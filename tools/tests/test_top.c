// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_top: schedprof top without a screen: lines of names that somebody has chosen to be in the
 * way, and which tasks a page is of. Nothing is recorded: linked with --wrap=cli_session_make
 * and --wrap=top_numbers_are_ours. One thread.
 */
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cli/top/describe.h"
#include "../cli/top/ui.h"
#include "../cli/words.h"
#include "check.h"

/* The acute accent, which takes no column; and e with it. */
#define MARK	"\xcc\x81"
#define E_ACUTE	"e" MARK

int __wrap_cli_session_make(struct cli_session *session, struct cli_options *o, pid_t child);
bool __wrap_top_numbers_are_ours(void);

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

/* Where a task is, that ran and waited for the one before. */
static struct top_task task_in(int32_t tid, const char *cgroup)
{
	struct top_task task = { .tid = tid, .tgid = tid, .start_ns = 1, .comm = "worker",
				 .leader_comm = "worker", .cgroup = cgroup };

	task.figures.time[TOP_ONCPU] = CLI_NS_PER_S;
	task.figures.time[TOP_RUNQUEUE] = CLI_NS_PER_S;
	return task;
}

static struct schedprof_blame wait_of(const struct top_task *task)
{
	return (struct schedprof_blame) {
		.tid = task->tid, .tgid = task->tgid, .start_ns = task->start_ns,
		.comm = task->comm, .leader_comm = task->leader_comm, .cgroup = task->cgroup,
		.culprit = SCHEDPROF_CULPRIT_IDLE, .culprit_comm = "[idle]",
		.total = CLI_NS_PER_S, .count = 1,
	};
}

#define TASKS	7

static struct top_task tasks[TASKS];
static struct schedprof_blame waits[TASKS];
static struct top_live live;

/* Tasks in groups whose names begin alike, in one that nobody knows, and those that ended. */
static void make_groups(void)
{
	static const char *const cgroups[TASKS] = {
		NULL, "/", "/a", "/a/b", "/a/b/c", "/ab", NULL,
	};
	size_t i;

	for (i = 0; i < TASKS; i++) {
		tasks[i] = task_in((int32_t)i, cgroups[i]);
		if (!i)
			tasks[i].comm = "[exited]";
		waits[i] = wait_of(&tasks[i]);
	}
	live = (struct top_live) { .change = {
		.tasks = tasks, .task_count = TASKS, .blame = waits, .blame_count = TASKS,
		.wall_ns = CLI_NS_PER_S,
	} };
}

/* Goes to the row of that name. */
static bool select_row(struct top_ui *ui, const char *name)
{
	size_t i;

	for (i = 0; i < ui->rows.count; i++)
		if (!strcmp(ui->rows.rows[i].who.name, name)) {
			ui->scroll[TOP_PAGE_LIST].selected = i;
			return true;
		}
	return CHECK(false);
}

/* The numbers of those in the list of processes, which is sorted by them. */
static const char *numbers_of(const struct top_ui *ui)
{
	static char text[64];
	char *at = text;
	size_t i;

	*at = '\0';
	for (i = 0; i < ui->rows.count; i++)
		at += sprintf(at, "%s%d", i ? " " : "", ui->rows.rows[i].pid);
	return text;
}

static void check_group(const char *name, const char *numbers, uint64_t count)
{
	struct top_view view = { .by = SCHEDPROF_BY_CGROUP, .filter = "",
				 .column = TOP_COLUMN_PID };
	struct cli_options o = { 0 };
	const struct top_row *row;
	struct top_line line;
	struct top_ui ui;

	make_groups();
	top_ui_begin(&ui, &live, &view, &o);
	CHECK(!top_ui_group(&ui));
	/* The row of the group has what is in it alone. */
	if (select_row(&ui, name))
		CHECK_NUMBER(top_ui_selected(&ui)->figures.time[TOP_ONCPU], CLI_NS_PER_S);
	CHECK(top_ui_enter(&ui, SCHEDPROF_BY_PROCESS) && !top_ui_group(&ui));
	CHECK_TEXT(numbers_of(&ui), numbers);
	top_line_begin(&line, 80);
	top_describe_scopes(&view, 0, &line);
	CHECK(!strstr(line.text, " and below") == (*name != '/'));
	top_ui_leave(&ui);
	CHECK_TEXT(top_ui_selected(&ui)->who.name, name);
	/* Its pages have one row, of all that is in it and below. */
	ui.width = 80;
	CHECK(!top_ui_key(&ui, 'b'));
	CHECK_NUMBER(ui.rows.count, 1);
	row = top_ui_selected(&ui);
	if (CHECK(row)) {
		CHECK_NUMBER(row->figures.time[TOP_ONCPU], count * CLI_NS_PER_S);
		CHECK_NUMBER(row->blamed_count, 1);
		CHECK_NUMBER(row->blamed->total, count * CLI_NS_PER_S);
		CHECK_NUMBER(row->blamed->waited, count * CLI_NS_PER_S);
	}
	top_ui_end(&ui);
}

/* As the module has it for the attribute cgroup, so that all pages are of the same tasks. */
static void groups_have_those_below(void)
{
	check_group("/a", "2 3 4", 3);
	check_group("/a/b", "3 4", 2);
	check_group("/a/b/c", "4", 1);
	check_group("/ab", "5", 1);
	/* Whatever a task is in is below that one. */
	check_group("/", "1 2 3 4 5 6", 6);
	check_group("[unknown]", "6", 1);
}

int __wrap_cli_session_make(struct cli_session *session, struct cli_options *o, pid_t child)
{
	(void)session;
	(void)o;
	(void)child;
	cli_error("no session");
	return CLI_FAILED;
}

bool __wrap_top_numbers_are_ours(void)
{
	return true;
}

static char said[300];

static void listen(const char *sentence)
{
	snprintf(said, sizeof(said), "%s", sentence);
}

/* What a second session of these would let in. */
static void check_aim(const struct top_scope *scopes, unsigned int n, const char *comm,
		      const char *tids, const char *why)
{
	struct cli_options o = { .quiet = true };
	struct top_drill drill = { 0 };
	struct top_view view = { .scope_count = n };

	memcpy(view.scopes, scopes, n * sizeof(*scopes));
	live = (struct top_live) { 0 };
	cli_say_to(listen);
	CHECK(top_drill_begin(&drill, &live, &view, TOP_LOOK_STACKS, TOP_OFFCPU, &o));
	cli_say_to(NULL);
	CHECK(strstr(said, why));
	CHECK_TEXT(cli_value(&drill.o, "comm"), comm);
	CHECK_TEXT(cli_value(&drill.o, "tids"), tids);
	top_drill_close(&drill);
}

/* An empty pattern is none, which lets everybody in. */
static void no_name_is_no_pattern(void)
{
	const struct top_scope unnamed = { SCHEDPROF_BY_COMM, { .name = "" } };
	const struct top_scope named = { SCHEDPROF_BY_COMM, { .name = "worker" } };
	const struct top_scope thread = { SCHEDPROF_BY_THREAD, { .name = "", .tid = 5 } };
	const struct top_scope process = { SCHEDPROF_BY_PROCESS, { .name = "", .tid = 5 } };

	check_aim((const struct top_scope []) { named }, 1, "worker", NULL, "no session");
	check_aim((const struct top_scope []) { unnamed }, 1, NULL, NULL, "without a name");
	check_aim((const struct top_scope []) { unnamed, process }, 2, NULL, NULL, "without a name");
	check_aim((const struct top_scope []) { unnamed, thread }, 2, NULL, "5", "no session");
}

static const struct test tests[] = {
	{ "fills have an end", fills_have_an_end },
	{ "marks are shown", marks_are_shown },
	{ "marks leave room", marks_leave_room },
	{ "detail of marks", detail_of_marks },
	{ "names of any width", names_of_any_width },
	{ "groups have those below", groups_have_those_below },
	{ "no name is no pattern", no_name_is_no_pattern },
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * batch: schedprof top without a screen: a table each time, or a line of JSON, on standard
 * output, for files and for other programs. One thread, so nothing is locked.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "../names.h"
#include "../profile.h"
#include "../words.h"
#include "batch.h"
#include "describe.h"
#include "lines_json.h"
#include "table.h"

#define ROWS	20

static void print_line(const struct top_line *line)
{
	size_t length = line->length;

	while (length && line->text[length - 1] == ' ')
		length--;
	printf("%.*s\n", (int)length, line->text);
}

static void print_head(const struct top_live *live, const struct top_view *view,
		       const struct top_rows *rows)
{
	struct top_line line;

	top_line_begin(&line, TOP_ANY_WIDTH);
	top_line_put(&line, TOP_PLAIN, "# schedprof top  ");
	top_facts_put(&live->facts, &line);
	print_line(&line);
	top_line_begin(&line, TOP_ANY_WIDTH);
	top_line_put(&line, TOP_PLAIN, "# ");
	top_describe(view, 0, rows, &line);
	print_line(&line);
	top_line_begin(&line, TOP_ANY_WIDTH);
	top_line_put(&line, TOP_PLAIN, "# ");
	if (top_facts_alarm(&live->facts, &line))
		print_line(&line);
}

static void print_table(const struct top_live *live, const struct top_view *view,
			const struct top_rows *rows, uint64_t limit)
{
	struct top_layout layout;
	struct top_line line;
	size_t i;

	print_head(live, view, rows);
	top_layout_make(&layout, rows, view->by, TOP_ANY_WIDTH);
	top_table_head(&layout, view, &line);
	print_line(&line);
	for (i = 0; i < rows->count && i < limit; i++) {
		top_table_row(&layout, rows, &rows->rows[i], &line);
		print_line(&line);
	}
	if (i < rows->count)
		printf("# %zu more rows; --top %zu prints them all\n", rows->count - i,
		       rows->count);
	putchar('\n');
}

static int print_look(const struct top_live *live, const struct top_view *view,
		      const struct cli_options *o)
{
	struct top_rows rows;
	bool made = top_rows_make(&rows, &live->change, view);
	int err = CLI_OK;

	cli_profile_write(&live->profile);
	if (made && o->format == CLI_JSON)
		top_lines_json(live, &rows, view->by, o->top ? o->top : UINT64_MAX, stdout);
	else if (made)
		print_table(live, view, &rows, o->top ? o->top : ROWS);
	top_rows_free(&rows);
	if (!made) {
		err = cli_no_memory();
	} else if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) {
		/* Or he has had enough, and is gone. */
		cli_error("cannot write to standard output: %s", strerror(errno));
		err = CLI_FAILED;
	}
	cli_profile_written();
	return err;
}

/* What there was no memory for is looked at the next time, and does not count. */
static int look(struct top_live *live, struct top_view *view, const struct cli_options *o,
		uint64_t *done)
{
	bool missed = live->missed;
	int err = top_live_read(live, top_needs_cgroups(view));

	if (!err && live->missed && !missed)
		cli_note("going on; the next look has all of it");
	if (err || live->missed)
		return err;
	++*done;
	return print_look(live, view, o);
}

/**
 * top_batch() - until it was printed so often, or somebody ends it
 * @live: begun
 * @view: what is shown
 * @o: the options
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_batch(struct top_live *live, struct top_view *view, const struct cli_options *o)
{
	uint64_t done = 0;
	int err = CLI_OK;

	while (!err && !live->ended && (!o->iterations || done < o->iterations)) {
		if (cli_await(&live->profile.await, live->next_ns) == CLI_EVENT_END)
			break;
		top_live_schedule(live);
		err = look(live, view, o, &done);
		if (ferror(stdout))
			break;
	}
	return err;
}

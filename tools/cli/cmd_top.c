// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_top: where tasks spend their time, live: on a screen, or as a table each time. One
 * thread, so nothing is locked.
 */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "cmd_top.h"
#include "rows.h"
#include "top/batch.h"
#include "top/columns.h"
#include "top/keeper.h"
#include "top/live.h"
#include "top/screen.h"

static int check_options(const struct cli_options *o)
{
	const char *clock = cli_value(o, "clock");

	if (o->name_count) {
		cli_error("'%s' is no option; for one process: schedprof top -p PID",
			  o->names[0]);
		return CLI_USAGE;
	}
	if (clock && !strcmp(clock, "tsc")) {
		cli_error("top compares times with those that go by, which clock=tsc does not give; take mono or boot");
		return CLI_USAGE;
	}
	if (o->batch)
		return CLI_OK;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		cli_error("there is no terminal; for a table each time: schedprof top --batch");
		return CLI_USAGE;
	}
	return top_screen_check();
}

static struct top_view first_view(const struct cli_options *o)
{
	struct top_view view = {
		.by = o->group, .filter = o->filter ? o->filter : "",
		.column = TOP_COLUMN_ONCPU, .reverse = o->reverse,
	};

	if (o->sort)
		top_column_find(o->sort, &view.column);
	return view;
}

/* schedprof top */
int cli_cmd_top(struct cli_options *o)
{
	struct top_view view = first_view(o);
	struct top_keeper keeper;
	struct top_live live;
	int err;

	o->batch |= o->format == CLI_JSON;
	err = check_options(o);
	if (!err)
		err = cli_names_check(o);
	if (err)
		return err;
	/* Tells how wide characters are. Numbers stay as they are. */
	setlocale(LC_CTYPE, "");
	/* There is a screen or a table, and no progress line beside it. */
	o->quiet = true;
	top_keeper_begin(&keeper);
	err = top_live_begin(&live, o);
	if (!err) {
		err = o->batch ? top_batch(&live, &view, o) : top_screen(&live, &view, o);
		err = top_live_end(&live, err);
	}
	top_keeper_end(&keeper);
	return err;
}

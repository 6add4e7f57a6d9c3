// SPDX-License-Identifier: GPL-2.0-only
/*
 * working: tells how far long work is, on a terminal: a line that is there when it takes
 * longer than a moment, and goes before anything else is said. State: the work that goes on.
 * One thread, so nothing is locked.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "words.h"
#include "working.h"

/* Nobody asks what goes on before that; tests have less patience. */
#ifndef CLI_WORKING_AFTER_NS
#define CLI_WORKING_AFTER_NS	CLI_NS_PER_S
#endif
#define AGAIN_NS		(100 * CLI_NS_PER_MS)

static struct {
	const char *what;
	uint64_t begin_ns, shown_ns;
} work;

/* What is printed on the same terminal would get the line into it. */
static bool is_shown(const struct cli_options *o)
{
	/* Tests have no command. */
	bool draws = o->command && (o->command->takes & CLI_TAKES_PICTURE);

	return !o->quiet && isatty(STDERR_FILENO) &&
	       (o->file || draws || !isatty(STDOUT_FILENO));
}

/**
 * cli_working() - show how far it is; nothing unless on a terminal
 * @o: the options
 * @what: is done; the same text each time
 * @done: so many of them
 * @of: out of; 0: nobody knows; when all are done, the line goes
 */
void cli_working(const struct cli_options *o, const char *what, uint64_t done, uint64_t of)
{
	uint64_t now;

	if (of && done >= of) {
		cli_progress_over();
		work.what = NULL;
		return;
	}
	if (!is_shown(o))
		return;
	now = cli_now();
	if (!work.what || strcmp(work.what, what)) {
		work.what = what;
		work.begin_ns = now;
		work.shown_ns = 0;
	}
	if (now - work.begin_ns < CLI_WORKING_AFTER_NS || now - work.shown_ns < AGAIN_NS)
		return;
	work.shown_ns = now;
	if (of)
		cli_progress_line("%s: %" PRIu64 " of %" PRIu64, what, done, of);
	else
		cli_progress_line("%s: %" PRIu64, what, done);
}

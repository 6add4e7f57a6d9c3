// SPDX-License-Identifier: GPL-2.0-only
/*
 * facts: how busy the machine is, what looking at it costs, and what was lost. Functions
 * without state, so nothing is locked.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "../rows.h"
#include "../words.h"
#include "columns.h"
#include "facts.h"

#define WIDE	90

/* What would be cut is left out. */
__attribute__((format(printf, 3, 4)))
static void put_whole(struct top_line *line, enum top_style style, const char *format, ...)
{
	char text[80];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (top_line_fits(line, (int)strlen(text)))
		top_line_put(line, style, "%s", text);
}

static uint64_t meanwhile(const struct top_snapshot *before, const struct top_snapshot *now,
			  const char *name)
{
	uint64_t value = cli_meta(now->recording, name), was;

	was = before->recording ? cli_meta(before->recording, name) : 0;
	/* It was reset, or begun anew. */
	return was <= value ? value - was : value;
}

/**
 * top_facts_make() - of the time between two snapshots
 * @facts: filled in; has names of @now
 * @before: the older one; or zero
 * @now: the other one
 */
void top_facts_make(struct top_facts *facts, const struct top_snapshot *before,
		    const struct top_snapshot *now)
{
	const char *host = schedprof_meta(now->recording, "hostname");
	const char *kernel = schedprof_meta(now->recording, "kernel");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	*facts = (struct top_facts) {
		.host = host ? host : "?", .kernel = kernel ? kernel : "?",
		.cpus = cpus > 0 ? (uint64_t)cpus : 1,
		.wall_ns = meanwhile(before, now, "duration_ns"),
		.switches = meanwhile(before, now, "stats.context_switches"),
		.overhead_ns = meanwhile(before, now, "stats.overhead_ns"),
		.lost_ns = meanwhile(before, now, "stats.lost_ns"),
		.unbooked = meanwhile(before, now, "stats.unbooked"),
		.blind_ns = meanwhile(before, now, "stats.blind_ns"),
	};
}

/**
 * top_facts_put() - in the line that is the first one of the screen
 * @facts: made
 * @line: is continued
 */
void top_facts_put(const struct top_facts *facts, struct top_line *line)
{
	char cell[TOP_CELL];

	top_line_name(line, TOP_BOLD, facts->host, 12, false);
	/* Where there is room for it. */
	if (top_line_fits(line, WIDE - line->width)) {
		top_line_put(line, TOP_PLAIN, "  ");
		top_line_name(line, TOP_PLAIN, facts->kernel, 24, false);
	}
	put_whole(line, TOP_PLAIN, "  %" PRIu64 " CPU%s", facts->cpus,
		  facts->cpus == 1 ? "" : "s");
	put_whole(line, TOP_PLAIN, "  %.0f sw/s", facts->wall_ns ?
		  (double)facts->switches * (double)CLI_NS_PER_S / (double)facts->wall_ns : 0);
	put_whole(line, TOP_PLAIN, "  hook %s%%",
		  top_percent(cell, facts->overhead_ns, facts->wall_ns * facts->cpus));
	put_whole(line, facts->lost_ns ? TOP_ALARM : TOP_PLAIN, "  lost %s%%",
		  top_percent(cell, facts->lost_ns, facts->lost_ns + facts->waited_ns));
}

/**
 * top_facts_alarm() - what makes the numbers less than they are
 * @facts: made
 * @line: is continued, if there is something
 *
 * Return: is there.
 */
bool top_facts_alarm(const struct top_facts *facts, struct top_line *line)
{
	char cell[TOP_CELL];

	if (facts->blind_ns)
		top_line_put(line, TOP_ALARM,
			     "somebody silenced the hooks: nothing was seen for %s",
			     top_short_time(cell, facts->blind_ns));
	else if (facts->unbooked)
		top_line_put(line, TOP_ALARM,
			     "%" PRIu64 " switches of tasks without room: raise --max-tasks",
			     facts->unbooked);
	else if (facts->lost_ns)
		top_line_put(line, TOP_ALARM,
			     "waits without room: raise --max-tasks, --max-entries");
	return facts->blind_ns || facts->unbooked || facts->lost_ns;
}

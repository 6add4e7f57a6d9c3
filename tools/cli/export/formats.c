// SPDX-License-Identifier: GPL-2.0-only
/*
 * formats: which formats there are, and what they cannot hold. The table never changes,
 * so nothing is locked.
 */
#include <string.h>
#include <unistd.h>

#include "formats.h"

static const struct {
	const char *name;
	enum cli_format format;
	int (*write)(const struct cli_report *report, FILE *out);
} formats[] = {
#ifdef CLI_HAVE_NANOPB
	{ "pprof", CLI_PPROF, cli_write_pprof },
	{ "otlp", CLI_OTLP, cli_write_otlp },
	{ "perfetto", CLI_PERFETTO, cli_write_perfetto },
#endif
	{ "speedscope", CLI_SPEEDSCOPE, cli_write_speedscope },
	{ "firefox", CLI_FIREFOX, cli_write_firefox },
	{ "callgrind", CLI_CALLGRIND, cli_write_callgrind },
	{ "csv", CLI_CSV, cli_write_csv },
	{ "folded", CLI_FOLDED, cli_write_folded },
	{ "json", CLI_JSON, NULL },
};

#define COUNT	(sizeof(formats) / sizeof(formats[0]))

/**
 * cli_format_find() - look a format up
 * @name: its name
 * @format: filled in
 *
 * Return: false if there is none of that name.
 */
bool cli_format_find(const char *name, enum cli_format *format)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (!strcmp(formats[i].name, name)) {
			*format = formats[i].format;
			return true;
		}
	return false;
}

static const char *name_of(enum cli_format format)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (formats[i].format == format)
			return formats[i].name;
	return "text";
}

static const char *view_name(enum cli_view view)
{
	static const char *const names[] = {
		[CLI_VIEW_HISTOGRAM] = "histogram",
		[CLI_VIEW_TASKS] = "tasks-table",
		[CLI_VIEW_BLAME] = "blame-table",
		[CLI_VIEW_FUNCTIONS] = "functions-table",
		[CLI_VIEW_EVENTS] = "events",
		[CLI_VIEW_STATS] = "stats",
	};

	return names[view];
}

static bool is_binary(enum cli_format format)
{
	return format == CLI_PPROF || format == CLI_OTLP || format == CLI_PERFETTO;
}

/* What times have to be in; NULL: they may be cycles. */
static const char *unit_of(enum cli_format format)
{
	if (format == CLI_FIREFOX)
		return "ms";
	return format == CLI_PERFETTO ? "ns" : NULL;
}

/* Standard output of what runs a COMMAND from start to end is that of the COMMAND. */
static int usual_output(const struct cli_options *o)
{
	return strcmp(o->command->name, "run") ? STDOUT_FILENO : STDERR_FILENO;
}

/**
 * cli_format_check() - does the format go with the other options
 * @o: all of them
 *
 * Folded stacks and JSON have always gone with all of them, and so has text with most.
 *
 * Return: CLI_OK, or CLI_USAGE after saying why not.
 */
int cli_format_check(const struct cli_options *o)
{
	if (o->format == CLI_TEXT && o->view == CLI_VIEW_TASKS && o->group != SCHEDPROF_BY_THREAD) {
		cli_error("--tasks-table has the books of each thread, and no place for --group-by; leave that out");
		return CLI_USAGE;
	}
	if (o->format <= CLI_JSON)
		return CLI_OK;
	if (o->view != CLI_VIEW_ENTRIES) {
		cli_error("--format %s has stacks, and no place for --%s; that is printed as text or json",
			  name_of(o->format), view_name(o->view));
		return CLI_USAGE;
	}
	if (o->since || !strcmp(o->command->name, "diff")) {
		cli_error("--format %s has one recording, and no place for a comparison; that is printed as text, folded or json",
			  name_of(o->format));
		return CLI_USAGE;
	}
	if (unit_of(o->format) && cli_value(o, "clock") &&
	    !strcmp(cli_value(o, "clock"), "tsc")) {
		cli_error("--format %s has times in %s, which --clock tsc does not give; take mono or boot",
			  name_of(o->format), unit_of(o->format));
		return CLI_USAGE;
	}
	if (is_binary(o->format) && !o->file && isatty(usual_output(o))) {
		cli_error("--format %s is no text, and nothing for a terminal; name a file with -o",
			  name_of(o->format));
		return CLI_USAGE;
	}
	if (o->tau) {
		cli_error("--format %s does not go with --tau, which is a format, too",
			  name_of(o->format));
		return CLI_USAGE;
	}
	return CLI_OK;
}

/**
 * cli_format_write() - write a report in its format, which is neither text nor JSON
 * @report: the report
 * @out: where to
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_format_write(const struct cli_report *report, FILE *out)
{
	size_t i = 0;

	while (formats[i].format != report->o->format)
		i++;
	return formats[i].write(report, out);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * facts: what formats say of a whole report. Reads reports and has no state, so nothing
 * is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../names.h"
#include "facts.h"

/**
 * cli_time_name() - which time it is about, as one word
 * @report: the report
 */
const char *cli_time_name(const struct cli_report *report)
{
	static const struct {
		const char *mode, *name;
	} names[] = {
		{ "offcpu", "off_cpu" },
		{ "blocked", "blocked" },
		{ "runqueue", "runqueue" },
		{ "oncpu", "on_cpu" },
		{ "wall", "wall" },
		{ "nosched", "nosched" },
		{ "function", "function" },
	};
	const char *mode = cli_mode(report->recording);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].mode, mode))
			return names[i].name;
	return "time";
}

/* What is counted. */
const char *cli_count_name(const struct cli_report *report)
{
	return report->functions ? "calls" : "intervals";
}

/* How long it was recorded, in ns. */
uint64_t cli_duration(const struct cli_report *report)
{
	uint64_t enabled = cli_meta(report->recording, "stats.enabled_ns");

	return enabled ? enabled : cli_meta(report->recording, "duration_ns");
}

/*
 * How long before it was read it began, in ns. It may have ended long before, too; but a begin in
 * cycles cannot be compared with when it was read, and then it is as if it had ended just then.
 */
static uint64_t since_begin(const struct cli_report *report)
{
	const char *clock = schedprof_meta(report->recording, "clock");
	const char *name = clock && !strcmp(clock, "boot") ? "taken_at_boot_ns" : "taken_at_ns";
	uint64_t begin = cli_meta(report->recording, "begin_ns");
	uint64_t taken = cli_meta(report->recording, name);

	if (report->cycles || !begin || begin > taken)
		return cli_duration(report);
	return taken - begin;
}

/* When it began, in ns since 1970; with the clock mono later, if the machine slept since then. */
uint64_t cli_begin_time(const struct cli_report *report)
{
	uint64_t taken = cli_meta(report->recording, "taken_at_realtime_ns");
	uint64_t since = since_begin(report);

	return taken > since ? taken - since : 0;
}

/* The names of facts, whose text they begin with, and of counts that matter if not 0. */
static const char *const facts[] = {
	"version", "kernel", "hostname", "session", "mode", "hook", "clock",
	"stats.lost_ns", "stats.lost_cycles", "stats.lost_tasks", "stats.lost_stacks",
	"stats.lost_entries", "stats.lost_events", "stats.probe_misses",
	"stats.missed_calls",
};

/**
 * cli_fact() - the facts, one by one
 * @report: the report
 * @index: from 0; of one that is not known or 0, "" is the text
 *
 * Return: "name: value" to be freed, NULL if there are no more or there is no memory.
 */
char *cli_fact(const struct cli_report *report, size_t index)
{
	const char *value;
	char *text = NULL, *plain;

	if (index >= sizeof(facts) / sizeof(facts[0]))
		return NULL;
	value = schedprof_meta(report->recording, facts[index]);
	if (!value || !*value || !strcmp(value, "0"))
		return strdup("");
	plain = cli_plain(value);
	if (plain && asprintf(&text, "%s: %s", facts[index], plain) < 0)
		text = NULL;
	free(plain);
	return text;
}

/**
 * cli_plain() - a name as people see it
 * @name: what cannot be printed becomes \xHH, so it is UTF-8
 *
 * Return: to be freed; NULL if there is no memory.
 */
char *cli_plain(const char *name)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	cli_print_plain(out, name);
	return fclose(out) ? NULL : text;
}

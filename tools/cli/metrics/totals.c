// SPDX-License-Identifier: GPL-2.0-only
/*
 * totals: all counters of all sessions, as they go on from one recording to the next. Used by
 * one thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "totals.h"

/* The state file has their names, so a new one may come at any place. */
const struct cli_figure cli_figures[CLI_FIGURES] = {
	{ "lost_tasks", "schedprof_lost_tasks_total",
	  "Intervals of tasks for which there was no room (max_tasks).", false },
	{ "lost_stacks", "schedprof_lost_stacks_total",
	  "Intervals for whose stacks there was no room (max_stacks).", false },
	{ "lost_entries", "schedprof_lost_entries_total",
	  "Intervals for which there was no room (max_entries).", false },
	{ "lost_ns", "schedprof_lost_seconds_total",
	  "Time of intervals that lost their task, stacks or entry.", true },
	{ "lost_events", "schedprof_lost_events_total",
	  "Events that others overwrote in the trace (trace_kb).", false },
	{ "unbooked", "schedprof_lost_switches_total",
	  "Switches of tasks that have no books for lack of room (max_tasks).", false },
	{ "lost_blame", "schedprof_lost_blame_total",
	  "Pieces of waits that were put down to nobody for lack of room.", false },
	{ "lost_cgroups", "schedprof_lost_cgroups_total",
	  "Times that a task was seen in a control group without a place.", false },
	{ "lost_mappings", "schedprof_lost_mappings_total",
	  "Mappings, and looks at programs, that found no room.", false },
	{ "probe_misses", "schedprof_lost_probe_hits_total",
	  "Hits of probes that the kernel dropped.", false },
	{ "blind_ns", "schedprof_lost_sight_seconds_total",
	  "Time in which somebody had silenced the hooks.", true },
	{ "context_switches", "schedprof_context_switches_total",
	  "Switches of tasks that were seen.", false },
	{ "enabled_ns", "schedprof_enabled_seconds_total",
	  "Time in which the session recorded.", true },
	{ "overhead_ns", "schedprof_overhead_seconds_total",
	  "Time spent in the hook of switches, of all CPUs, by samples.", true },
};

static void free_session(struct cli_session_totals *session)
{
	int i;

	free(session->name);
	free(session->recording);
	for (i = 0; i < CLI_FACTS; i++)
		free(session->facts[i]);
	cli_book_free(&session->tasks);
	cli_book_free(&session->blame);
	free(session);
}

/* The one that was made first of those that are not there any more. */
static bool forget_one(struct cli_totals *totals)
{
	size_t i;

	for (i = 0; i < totals->count; i++)
		if (!totals->sessions[i]->here && !totals->sessions[i]->kept)
			break;
	if (i == totals->count)
		return false;
	free_session(totals->sessions[i]);
	totals->count--;
	memmove(&totals->sessions[i], &totals->sessions[i + 1],
		(totals->count - i) * sizeof(totals->sessions[0]));
	return true;
}

/* For one more. Return: false if there is no memory. */
static bool make_room(struct cli_totals *totals)
{
	struct cli_session_totals **more;
	size_t room = 2 * totals->count + 16;

	while (totals->count >= CLI_TOTALS_SESSIONS && forget_one(totals))
		;
	if (totals->count < totals->room)
		return true;
	more = realloc(totals->sessions, room * sizeof(more[0]));
	if (!more)
		return false;
	totals->sessions = more;
	totals->room = room;
	return true;
}

/**
 * cli_totals_session() - the counters of a session
 * @totals: gets them, all 0, if there are none
 * @name: of the session, as in the text format
 *
 * Return: the counters, or NULL if there is no memory.
 */
struct cli_session_totals *cli_totals_session(struct cli_totals *totals, const char *name)
{
	struct cli_session_totals *session;
	size_t i;

	for (i = 0; i < totals->count; i++)
		if (!strcmp(totals->sessions[i]->name, name))
			return totals->sessions[i];
	if (!make_room(totals))
		return NULL;
	session = calloc(1, sizeof(*session));
	if (!session)
		return NULL;
	session->name = strdup(name);
	session->tasks.values = CLI_BOOK_VALUES;
	session->blame.values = 1;
	if (!session->name) {
		free(session);
		return NULL;
	}
	totals->sessions[totals->count++] = session;
	return session;
}

/**
 * cli_totals_keep() - a session is there, so its counters are not forgotten for another one's
 * @totals: as they were; a session that has no counters gets none
 * @name: of the session, as in the text format
 */
void cli_totals_keep(struct cli_totals *totals, const char *name)
{
	size_t i;

	for (i = 0; i < totals->count; i++)
		if (!strcmp(totals->sessions[i]->name, name))
			totals->sessions[i]->kept = true;
}

/**
 * cli_totals_restart() - what comes next is of another recording, which began with nothing
 * @session: keeps its counters
 */
void cli_totals_restart(struct cli_session_totals *session)
{
	int i;

	cli_book_restart(&session->tasks);
	cli_book_restart(&session->blame);
	for (i = 0; i < CLI_FIGURES; i++)
		session->figures[i].last = 0;
	for (i = 0; i < CLI_WAITS; i++)
		session->waits[i].last = 0;
}

/**
 * cli_meter_set() - what the recording says now
 * @meter: counts what is more than ever before
 * @now: less is possible, since open intervals may turn out to be something else
 */
void cli_meter_set(struct cli_meter *meter, uint64_t now)
{
	if (now <= meter->last)
		return;
	meter->total += now - meter->last;
	meter->last = now;
}

void cli_totals_free(struct cli_totals *totals)
{
	while (totals->count)
		free_session(totals->sessions[--totals->count]);
	free(totals->sessions);
	*totals = (struct cli_totals){ };
}

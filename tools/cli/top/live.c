// SPDX-License-Identifier: GPL-2.0-only
/*
 * live: the session that books and blames, without any stacks, and what happened in it
 * since it was looked at the last time. One thread, so nothing is locked.
 */
#include <string.h>

#include "../words.h"
#include "live.h"

/**
 * top_live_begin() - record from now on
 * @live: filled in
 * @o: the options
 *
 * Return: CLI_OK, and the caller calls top_live_end(); or what the program ends with,
 * after saying why.
 */
int top_live_begin(struct top_live *live, struct cli_options *o)
{
	static const struct {
		const char *attribute, *value;
	} settings[] = {
		{ "mode", "runqueue" }, { "ledger", "1" }, { "blame", "1" }, { "stack", "none" },
	};
	size_t i;
	int err;

	memset(live, 0, sizeof(*live));
	live->every_ns = o->every_ns ? o->every_ns : 2 * CLI_NS_PER_S;
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		cli_set(o, settings[i].attribute, settings[i].value);
	err = cli_profile_begin(&live->profile, o);
	live->profile.await.on_request = true;
	live->next_ns = live->profile.await.begin_ns + live->every_ns;
	return err;
}

/**
 * top_live_schedule() - when to look the next time, in even steps
 * @live: begun
 */
void top_live_schedule(struct top_live *live)
{
	uint64_t now = cli_now();

	while (live->next_ns <= now)
		live->next_ns += live->every_ns;
}

/* Return: CLI_OK if there is a session yet; ended tells whether it records. */
static int look_at_session(struct top_live *live)
{
	struct cli_session *session = &live->profile.session;
	struct schedprof_status status;
	struct schedprof_error error;

	if (!schedprof_status(session->handle, session->name, &status, sizeof(status), &error)) {
		live->ended = status.state != SCHEDPROF_ENABLED;
		return CLI_OK;
	}
	if (error.code != SCHEDPROF_NO_SESSION)
		return cli_fail(&error);
	cli_error("somebody else removed the session '%s' that top made; start top again",
		  session->name);
	session->name[0] = '\0';
	return CLI_FAILED;
}

/**
 * top_live_compare() - what happened between the two last snapshots; names change
 * @live: read
 * @wants_cgroups: of all tasks
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int top_live_compare(struct top_live *live, bool wants_cgroups)
{
	const struct top_names names = { .cgroup = top_cgroup_of, .data = &live->cgroups };

	top_change_free(&live->change);
	top_cgroups_free(&live->cgroups);
	if (!top_change_make(&live->change, &live->before, &live->now,
			     wants_cgroups && top_numbers_are_ours() ? &names : NULL))
		return cli_no_memory();
	top_facts_make(&live->facts, &live->before, &live->now);
	live->facts.waited_ns = top_waited(&live->change);
	return CLI_OK;
}

static int take_snapshot(struct top_live *live, struct schedprof_recording **recording)
{
	const struct cli_session *session = &live->profile.session;

	if (!live->ended)
		return cli_session_try_snapshot(session->handle, session->name, recording,
						&live->missed);
	/* There is no next time. */
	live->missed = false;
	return cli_session_snapshot(session->handle, session->name, recording);
}

/**
 * top_live_read() - what happened since the last time; names of then are gone
 * @live: begun
 * @wants_cgroups: of all tasks
 *
 * Return: CLI_OK; ended says if this was the last time, and missed if all is as it was before;
 * or what the program ends with, after saying why.
 */
int top_live_read(struct top_live *live, bool wants_cgroups)
{
	struct schedprof_recording *recording;
	int err = look_at_session(live) ?: take_snapshot(live, &recording);

	if (err || live->missed)
		return err;
	top_snapshot_free(&live->before);
	live->before = live->now;
	if (!top_snapshot_make(&live->now, recording))
		return cli_no_memory();
	return top_live_compare(live, wants_cgroups);
}

/**
 * top_live_end() - remove the session
 * @live: begun; zero afterwards
 * @status: what the program would end with
 *
 * Return: that, or CLI_FAILED if there is more trouble, which is said.
 */
int top_live_end(struct top_live *live, int status)
{
	status = cli_profile_end(&live->profile, status);
	top_change_free(&live->change);
	top_cgroups_free(&live->cgroups);
	top_snapshot_free(&live->before);
	top_snapshot_free(&live->now);
	return status;
}

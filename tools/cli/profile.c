// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile: a session from its beginning to its end, and what it recorded. While
 * it records, signals are held back, and while it waits for what is printed, they remove it, so
 * that no session stays on any way out, but one with what could not be written. One thread, so
 * nothing is locked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "profile.h"
#include "signals.h"
#include "words.h"

/**
 * cli_profile_begin() - record from now on
 * @profile: filled in
 * @o: the options
 *
 * Return: CLI_OK, and the caller calls cli_profile_end(); or what the program
 * ends with, after saying why, and there is no session.
 */
int cli_profile_begin(struct cli_profile *profile, struct cli_options *o)
{
	int err;

	memset(profile, 0, sizeof(*profile));
	profile->o = o;
	profile->await.o = o;
	profile->await.what = cli_value(o, "mode");
	if (!profile->await.what)
		profile->await.what = "offcpu";
	cli_signals_hold(&profile->mask);
	err = cli_await_begin(&profile->await);
	if (!err && o->program) {
		profile->await.program = &profile->program;
		err = cli_program_prepare(&profile->program, o->program,
					  &profile->mask);
	}
	if (!err)
		err = cli_session_make(&profile->session, o,
				       profile->program.pid);
	if (!err) {
		cli_tables_begin(&profile->await.tables, profile->session.handle, o);
		err = cli_session_start(&profile->session);
	}
	profile->await.begin_ns = cli_now();
	if (!err && o->program)
		err = cli_program_go(&profile->program);
	return err ? cli_profile_end(profile, err) : CLI_OK;
}

/* Where its session is controlled. */
static void find_directory(const struct cli_profile *profile, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", schedprof_configfs(profile->session.handle),
		 profile->session.name);
}

/**
 * cli_profile_write() - what is written now goes to somebody who may read it when he likes, or
 *	never
 * @profile: begun
 *
 * The second signal that wants an end is heeded at once, up to cli_profile_written().
 */
void cli_profile_write(const struct cli_profile *profile)
{
	char path[4096];

	find_directory(profile, path, sizeof(path));
	cli_signals_twice(path, profile->program.pid, profile->await.signal);
}

/**
 * cli_profile_written() - it was written
 */
void cli_profile_written(void)
{
	cli_signals_once();
}

/**
 * cli_profile_stop() - record no more, and read what there is
 * @profile: begun
 * @recording: where to; to be freed
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_profile_stop(struct cli_profile *profile,
		     struct schedprof_recording **recording)
{
	int err = cli_session_stop(&profile->session);

	cli_tables_end(&profile->await.tables);
	cli_progress_over();
	if (!err)
		err = cli_session_snapshot(profile->session.handle, profile->session.name,
					   recording);
	profile->keep = err;
	return err;
}

/* All but the session, and a COMMAND that is not to run. */
static void end_recording(struct cli_profile *profile)
{
	cli_tables_end(&profile->await.tables);
	cli_await_end(&profile->await);
	cli_progress_over();
}

/**
 * cli_profile_end() - remove the session, unless it has what is nowhere else
 * @profile: begun, or half so
 * @status: what the program would end with
 *
 * Return: that, or CLI_FAILED if there is more trouble, which is said.
 */
int cli_profile_end(struct cli_profile *profile, int status)
{
	end_recording(profile);
	if (profile->keep)
		cli_session_keep(&profile->session);
	status = cli_session_end(&profile->session, status);
	cli_program_cancel(&profile->program);
	cli_await_rest(&profile->await);
	cli_signals_release(&profile->mask);
	return status;
}

/*
 * Until cli_profile_printed(). Nothing is recorded any more, and to find names of frames takes
 * its time, so signals are not held back meanwhile.
 */
static void wait_for_files(struct cli_profile *profile)
{
	char path[4096];

	end_recording(profile);
	find_directory(profile, path, sizeof(path));
	cli_signals_remove(&profile->mask, path);
}

/**
 * cli_profile_record() - from begin to end
 * @profile: filled in
 * @o: the options
 * @instead: where the result goes to without -o
 * @recording: where to; to be freed; NULL if there is none
 *
 * What goes to files may not find room there: then the session stays until
 * cli_profile_printed().
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_profile_record(struct cli_profile *profile, struct cli_options *o, FILE *instead,
		       struct schedprof_recording **recording)
{
	int err = cli_profile_begin(profile, o);

	*recording = NULL;
	if (err)
		return err;
	while (cli_await(&profile->await, 0) != CLI_EVENT_END)
		;
	err = cli_profile_stop(profile, recording);
	if (!err && cli_output_is_kept(o, instead))
		wait_for_files(profile);
	else
		err = cli_profile_end(profile, err);
	if (err) {
		schedprof_recording_free(*recording);
		*recording = NULL;
	}
	return err;
}

/**
 * cli_profile_printed() - the session goes, unless what it recorded is nowhere else
 * @profile: from cli_profile_record()
 * @status: of printing
 *
 * Return: that, or CLI_FAILED if the session cannot be removed, which is said.
 */
int cli_profile_printed(struct cli_profile *profile, int status)
{
	if (!profile->session.handle)
		return status;
	cli_signals_hold(&profile->mask);
	profile->keep = status;
	return cli_profile_end(profile, status);
}

/**
 * cli_profile_status() - what the program ends with
 * @profile: recorded
 * @status: of what this program did itself
 *
 * If a COMMAND was run and all went well, it is that of the COMMAND, which is
 * waited for, unless a signal said that nobody wants to wait.
 */
int cli_profile_status(struct cli_profile *profile, int status)
{
	if (status || !profile->o->program)
		return status;
	if (profile->program.pid && profile->await.signal)
		return CLI_OK;
	cli_program_ended(&profile->program, true);
	return profile->program.status;
}

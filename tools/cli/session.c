// SPDX-License-Identifier: GPL-2.0-only
/*
 * session: a session of the module that lives as long as this process. The name of
 * the session ends with the PID of its owner, and has the PID namespace and the
 * start time of the owner before it, so that a session that was left behind can be
 * told from one that is in use, even after another process got the PID. One thread,
 * so nothing is locked.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "session.h"
#include "words.h"

/**
 * cli_connect() - find the module
 * @handle: where to; to be closed
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_connect(struct schedprof **handle)
{
	struct schedprof_error error;

	*handle = schedprof_open(NULL, NULL, &error);
	return *handle ? CLI_OK : cli_fail(&error);
}

static uint64_t pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

/**
 * cli_owner() - whose a session is
 * @name: of the session
 * @pid: filled in unless it is CLI_OWNER_NONE
 */
enum cli_owner cli_owner(const char *name, pid_t *pid)
{
	uint64_t namespace, start;
	unsigned int number;
	char end;

	if (sscanf(name, "%*[a-z]-%" SCNx64 ".%" SCNx64 "-%d-%u%c", &namespace,
		   &start, pid, &number, &end) != 4)
		return CLI_OWNER_NONE;
	if (namespace != pid_namespace())
		return CLI_OWNER_ELSEWHERE;
	return proc_start_ticks(*pid) == start ? CLI_OWNER_ALIVE : CLI_OWNER_GONE;
}

static int set_attribute(const struct schedprof *handle, const char *name,
			 const char *attribute, const char *value)
{
	struct schedprof_error error;

	if (!schedprof_set(handle, name, attribute, value, &error))
		return CLI_OK;
	if (error.code == SCHEDPROF_NOT_FOUND) {
		cli_error("the loaded module has no attribute '%s'; it may be older than this program",
			  attribute);
		return CLI_FAILED;
	}
	return cli_fail(&error);
}

/**
 * cli_configure() - set what was asked for
 * @handle: the library's
 * @name: of the session
 * @o: the options; the mode comes first, since others depend on it
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_configure(const struct schedprof *handle, const char *name,
		  const struct cli_options *o)
{
	const char *mode = cli_value(o, "mode");
	int err = mode ? set_attribute(handle, name, "mode", mode) : CLI_OK;
	unsigned int i;

	for (i = 0; !err && i < o->setting_count; i++)
		if (strcmp(o->settings[i].attribute, "mode"))
			err = set_attribute(handle, name, o->settings[i].attribute,
					    o->settings[i].value);
	return err;
}

/* Adds the COMMAND to the processes that were asked for. */
static int add_child(struct cli_options *o, pid_t child)
{
	const char *before = cli_value(o, "pids");
	char *all;

	if (asprintf(&all, "%s %d", before ? before : "", child) < 0 ||
	    !cli_set(o, "pids", all) || !cli_set(o, "inherit", "1")) {
		cli_error("there is not enough memory");
		return CLI_FAILED;
	}
	return CLI_OK;
}

/**
 * cli_session_limit() - a session ends by itself, also if nobody is left who would end it
 * @o: the options; what --duration means is added
 *
 * Return: CLI_OK, or CLI_FAILED after saying why.
 */
int cli_session_limit(struct cli_options *o)
{
	static char ms[CLI_WORD];

	if (!o->duration_ns)
		return CLI_OK;
	snprintf(ms, sizeof(ms), "%" PRIu64,
		 (o->duration_ns + CLI_NS_PER_MS - 1) / CLI_NS_PER_MS);
	if (cli_set(o, "duration_ms", ms))
		return CLI_OK;
	cli_error("there is no room for --duration among so many options");
	return CLI_FAILED;
}

/**
 * cli_session_make() - make a session as the options say
 * @session: zero
 * @o: the options; what @child means is added
 * @child: to be looked at, with all its children; 0: none
 *
 * Return: CLI_OK, or what the program ends with, after saying why; then there
 * is no session. After success, cli_session_end() must be called.
 */
int cli_session_make(struct cli_session *session, struct cli_options *o,
		     pid_t child)
{
	const char *mode = cli_value(o, "mode");
	char prefix[SCHEDPROF_NAME_SIZE];
	struct schedprof_error error;
	int err = cli_connect(&session->handle);

	if (err)
		return err;
	snprintf(prefix, sizeof(prefix), "%s-%" PRIx64 ".%" PRIx64,
		 mode ? mode : "offcpu", pid_namespace(), proc_start_ticks(getpid()));
	err = child ? add_child(o, child) : CLI_OK;
	if (!err)
		err = cli_session_limit(o);
	if (!err && schedprof_create_unique(session->handle, prefix,
					    session->name, &error)) {
		session->name[0] = '\0';
		err = cli_fail(&error);
	}
	if (!err)
		err = cli_configure(session->handle, session->name, o);
	return err ? cli_session_end(session, err) : CLI_OK;
}

/**
 * cli_session_start() - record
 * @session: made
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_session_start(struct cli_session *session)
{
	struct schedprof_error error;

	if (schedprof_start(session->handle, session->name, &error))
		return cli_fail(&error);
	session->started = true;
	return CLI_OK;
}

/**
 * cli_session_stop() - record no more
 * @session: made; if somebody has removed it, there is none afterwards
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_session_stop(struct cli_session *session)
{
	struct schedprof_error error;

	if (!schedprof_stop(session->handle, session->name, &error)) {
		session->started = false;
		return CLI_OK;
	}
	if (error.code == SCHEDPROF_NO_SESSION)
		session->name[0] = '\0';
	return cli_fail(&error);
}

/* Return: CLI_OK, with *@missed, if there was no memory and somebody wants to know that. */
static int fail_to_read(const struct schedprof_error *error, bool *missed)
{
	if (!missed || error->code != SCHEDPROF_NO_MEMORY)
		return cli_fail(error);
	if (!*missed)
		cli_error("%s", error->message);
	*missed = true;
	return CLI_OK;
}

static int read_snapshot(const struct schedprof *handle, const char *name,
			 struct schedprof_recording **recording, bool *missed)
{
	struct schedprof_error error;
	struct schedprof_reader *reader = schedprof_read_session(handle, name,
								 &error);
	const char *state = NULL;
	int n;

	*recording = NULL;
	if (!reader)
		return fail_to_read(&error, missed);
	n = schedprof_next(reader, recording, &error);
	schedprof_reader_close(reader);
	if (n < 0)
		return fail_to_read(&error, missed);
	if (n)
		state = schedprof_meta(*recording, "state");
	if (!n || (state && !strcmp(state, "none"))) {
		schedprof_recording_free(*recording);
		*recording = NULL;
		cli_error("the session '%s' has recorded nothing yet; start it with: schedprof start %s",
			  name, name);
		return CLI_FAILED;
	}
	if (missed)
		*missed = false;
	return CLI_OK;
}

/**
 * cli_session_snapshot() - read all that a session knows now
 * @handle: the library's
 * @name: of the session
 * @recording: where to; to be freed
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_session_snapshot(const struct schedprof *handle, const char *name,
			 struct schedprof_recording **recording)
{
	return read_snapshot(handle, name, recording, NULL);
}

/**
 * cli_session_try_snapshot() - the same of who looks again and again
 * @handle: the library's
 * @name: of the session
 * @recording: where to; to be freed; NULL: there was no memory, and there may be the next time
 * @missed: was it so the last time; changed to whether it is now. It is said once
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_session_try_snapshot(const struct schedprof *handle, const char *name,
			     struct schedprof_recording **recording, bool *missed)
{
	return read_snapshot(handle, name, recording, missed);
}

/**
 * cli_session_keep() - leave the session to the user, and say what can be done with it
 * @session: with results that are nowhere else, or there is none any more; gone afterwards
 */
void cli_session_keep(struct cli_session *session)
{
	const char *name = session->name;

	if (*name) {
		cli_note("what was recorded is still there, in the session '%s', which %s",
			 name, session->started ? "goes on recording" : "is stopped");
		if (session->started)
			cli_note("to stop it: schedprof stop %s", name);
		cli_note("to print it: schedprof show %s; to copy it: cp %s/%s/raw FILE; then: schedprof rm %s",
			 name, schedprof_debugfs(session->handle), name, name);
	}
	session->name[0] = '\0';
	schedprof_close(session->handle);
	session->handle = NULL;
}

/**
 * cli_session_end() - remove the session, whatever happened
 * @session: gone afterwards
 * @status: what the program would end with
 *
 * Return: that, or CLI_FAILED if the session cannot be removed, which is said.
 */
int cli_session_end(struct cli_session *session, int status)
{
	struct schedprof_error error;
	int err = CLI_OK;

	/* Somebody else may have removed it. */
	if (session->name[0] &&
	    schedprof_remove(session->handle, session->name, &error) &&
	    error.code != SCHEDPROF_NO_SESSION)
		err = cli_fail(&error);
	session->name[0] = '\0';
	schedprof_close(session->handle);
	session->handle = NULL;
	return status ? status : err;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session: a session of the module that lives as long as this process, and whose
 * name tells that. One thread, so nothing is locked.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include <schedprof.h>

#include "options.h"

struct cli_session {
	struct schedprof *handle;
	char name[SCHEDPROF_NAME_SIZE];	/* "": there is none */
	bool started;			/* and not stopped since */
};

int cli_connect(struct schedprof **handle);

int cli_session_limit(struct cli_options *o);
int cli_session_make(struct cli_session *session, struct cli_options *o,
		     pid_t child);
int cli_session_start(struct cli_session *session);
int cli_session_stop(struct cli_session *session);
int cli_session_snapshot(const struct schedprof *handle, const char *name,
			 struct schedprof_recording **recording);
int cli_session_try_snapshot(const struct schedprof *handle, const char *name,
			     struct schedprof_recording **recording, bool *missed);
void cli_session_keep(struct cli_session *session);
int cli_session_end(struct cli_session *session, int status);

int cli_configure(const struct schedprof *handle, const char *name,
		  const struct cli_options *o);

/* Whose a session is. */
enum cli_owner {
	CLI_OWNER_NONE,		/* it was not made by this program, or has a name */
	CLI_OWNER_ALIVE,
	CLI_OWNER_GONE,		/* killed before it could remove the session */
	CLI_OWNER_ELSEWHERE,	/* in another PID namespace: nobody knows */
};

enum cli_owner cli_owner(const char *name, pid_t *pid);

#endif

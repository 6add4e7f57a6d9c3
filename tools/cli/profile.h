/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile: a session from its beginning to its end, and what it recorded: what
 * offcpu and the like, record and run have in common. One thread, so nothing is
 * locked.
 */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include <stdio.h>

#include "await.h"
#include "program.h"
#include "session.h"

struct cli_profile {
	struct cli_options *o;
	struct cli_session session;
	struct cli_program program;
	struct cli_await await;
	sigset_t mask;			/* of signals, as it was before */
	bool keep;			/* what it recorded is nowhere else */
};

int cli_profile_begin(struct cli_profile *profile, struct cli_options *o);
void cli_profile_write(const struct cli_profile *profile);
void cli_profile_written(void);
int cli_profile_stop(struct cli_profile *profile,
		     struct schedprof_recording **recording);
int cli_profile_end(struct cli_profile *profile, int status);
int cli_profile_record(struct cli_profile *profile, struct cli_options *o, FILE *instead,
		       struct schedprof_recording **recording);
int cli_profile_printed(struct cli_profile *profile, int status);
int cli_profile_status(struct cli_profile *profile, int status);

#endif

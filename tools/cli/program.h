/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program: the COMMAND that is profiled. Its process exists, with its PID, before it
 * runs the COMMAND, so that nothing of it is missed. One thread, so nothing is
 * locked.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cli_program {
	pid_t pid;		/* 0: there is none, or it was waited for */
	int gate;		/* writing end; -1: passed */
	int trouble;		/* reading end: why it could not run */
	const char *name;
	uint64_t begin_ns;	/* monotonic: when it was let go */
	uint64_t wall_ns;	/* how long it took */
	int status;		/* what it ended with, as shells say it */
	int signal;		/* that killed it; 0: none did */
};

/* What `schedprof run` knows of a COMMAND, beside the snapshot. */
struct cli_ran {
	char **program;
	bool running;		/* still, because the user did not want to wait */
	int status;		/* as shells say it; 0 while it runs */
	int signal;		/* that killed it; 0: none did */
	uint64_t wall_ns;	/* from its start to its end, or until now */
};

int cli_program_prepare(struct cli_program *program, char **argv,
			const sigset_t *mask);
int cli_program_go(struct cli_program *program);
bool cli_program_ended(struct cli_program *program, bool wait);
void cli_program_cancel(struct cli_program *program);

void cli_program_open_many(void);
uint64_t cli_now(void);

#endif

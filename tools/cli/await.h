/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * await: waiting for the end of what is recorded. One thread, so nothing is locked.
 */
#ifndef CLI_AWAIT_H
#define CLI_AWAIT_H

#include "options.h"
#include "program.h"
#include "tables.h"

/* Why waiting is over. */
enum cli_event {
	CLI_EVENT_END,		/* time, COMMAND, processes, or a signal */
	CLI_EVENT_TICK,		/* the time that was asked for */
	CLI_EVENT_NOW,		/* SIGUSR1: a snapshot is wanted */
	CLI_EVENT_ROTATE,	/* SIGUSR2: a new file is wanted */
	CLI_EVENT_INPUT,	/* somebody types, or the terminal changed */
};

/* A process of --pid. */
struct cli_awaited {
	pid_t pid;
	int fd;				/* a pidfd; -1: there is none */
};

struct cli_await {
	const struct cli_options *o;
	struct cli_program *program;	/* NULL: there is none */
	struct cli_awaited *processes;	/* the last of them ends it; NULL: none does */
	size_t process_count;
	struct cli_tables tables;	/* of what appears meanwhile; zero: none */
	const char *what;		/* for the progress line */
	uint64_t begin_ns;
	bool on_request;		/* SIGUSR1 and SIGUSR2 are events; else the COMMAND's */
	int signal;			/* that ended it; 0: none */
	bool reads;			/* standard input, which is a terminal */
	int signals;			/* of it, a signalfd(2) */
};

int cli_await_begin(struct cli_await *await);
void cli_await_end(struct cli_await *await);
bool cli_await_input(struct cli_await *await);
void cli_await_no_input(struct cli_await *await);
void cli_await_rest(struct cli_await *await);
enum cli_event cli_await(struct cli_await *await, uint64_t tick_ns);

#endif

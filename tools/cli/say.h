/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * say: what goes to people rather than into files: errors, hints, colours, and the
 * line that tells that something is going on. State: whether colours are wanted, set
 * once, and whether the progress line is on the screen. One thread, so nothing is
 * locked.
 */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <schedprof.h>

/* What the program ends with; 126 and up are of the COMMAND it ran. */
enum cli_exit {
	CLI_OK			= 0,
	CLI_FAILED		= 1,
	CLI_USAGE		= 2,
	CLI_NOT_READY		= 3,
	CLI_NOT_EXECUTABLE	= 126,
	CLI_NOT_FOUND		= 127,
	CLI_KILLED		= 128,	/* and the signal's number */
};

__attribute__((format(printf, 1, 2)))
void cli_error(const char *format, ...);
__attribute__((format(printf, 1, 2)))
void cli_note(const char *format, ...);

int cli_fail(const struct schedprof_error *error);
int cli_no_memory(void);

enum cli_when { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };

void cli_colors(enum cli_when when, FILE *out);

enum cli_color { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN };

const char *cli_color(enum cli_color color);

void cli_progress(const char *what, uint64_t now_ns, uint64_t of_ns);
__attribute__((format(printf, 1, 2)))
void cli_progress_line(const char *format, ...);
void cli_progress_over(void);

#endif

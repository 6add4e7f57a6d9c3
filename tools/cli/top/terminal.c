// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal: what this one can do, before anything is recorded. Apart from the screen, because
 * the header defines short words. One thread, so nothing is locked.
 */
#include <curses.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

#include "screen.h"

/**
 * top_terminal() - what kind of terminal it is
 *
 * Return: "" if nobody said that.
 */
const char *top_terminal(void)
{
	const char *name = getenv("TERM");

	return name && *name ? name : "";
}

/**
 * top_screen_check() - can this terminal be a screen
 *
 * Return: CLI_OK, or what the program ends with, after saying why not.
 */
int top_screen_check(void)
{
	const char *moves = NULL;
	int known;

	if (setupterm(NULL, STDOUT_FILENO, &known) == OK) {
		moves = tigetstr("cup");
		del_curterm(cur_term);
	}
	if (moves && moves != (char *)-1)
		return CLI_OK;
	cli_error("a terminal of the kind '%s' (TERM) has no screen; for a table each time: schedprof top --batch",
		  top_terminal());
	return CLI_USAGE;
}

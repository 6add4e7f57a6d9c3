// SPDX-License-Identifier: GPL-2.0-only
/*
 * screen_none: takes the place of the screen where ncurses is not there. No state, so
 * nothing is locked.
 */
#include "screen.h"

/**
 * top_screen_check() - is there a screen
 *
 * Return: CLI_OK, or what the program ends with, after saying why not.
 */
int top_screen_check(void)
{
	cli_error("this schedprof was built without ncurses and has no screen; for a table each time: schedprof top --batch");
	return CLI_FAILED;
}

/**
 * top_screen() - never called, as there is none
 * @live: not used
 * @view: not used
 * @o: not used
 */
int top_screen(struct top_live *live, struct top_view *view, struct cli_options *o)
{
	(void)live;
	(void)view;
	(void)o;
	return top_screen_check();
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles if ncurses is there, for the screen of the command line's top. */
#include <curses.h>
#include <term.h>

int main(void)
{
	return !newterm(NULL, stdout, stdin) || set_escdelay(100) || !use_default_colors();
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen: schedprof top on a terminal, by ncurses. ncurses has state of its own, so one
 * thread uses it.
 */
#ifndef CLI_TOP_SCREEN_H
#define CLI_TOP_SCREEN_H

#include "live.h"

const char *top_terminal(void);
int top_screen_check(void);
int top_screen(struct top_live *live, struct top_view *view, struct cli_options *o);

#endif

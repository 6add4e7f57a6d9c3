/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * working: tells how far long work is, on a terminal. State: the work that goes on. One
 * thread, so nothing is locked.
 */
#ifndef CLI_WORKING_H
#define CLI_WORKING_H

#include "options.h"

void cli_working(const struct cli_options *o, const char *what, uint64_t done, uint64_t of);

#endif

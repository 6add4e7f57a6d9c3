/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_profile: record, then print: offcpu, blocked, runqueue, oncpu, wall, nosched, functions.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_PROFILE_H
#define CLI_CMD_PROFILE_H

#include "options.h"

int cli_cmd_profile(struct cli_options *o);
int cli_cmd_blame(struct cli_options *o);
int cli_cmd_functions(struct cli_options *o);

#endif

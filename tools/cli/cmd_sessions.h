/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_sessions: ls, show, start, stop, rm and set: sessions that stay.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_SESSIONS_H
#define CLI_CMD_SESSIONS_H

#include "options.h"

int cli_cmd_ls(struct cli_options *o);
int cli_cmd_show(struct cli_options *o);
int cli_cmd_start(struct cli_options *o);
int cli_cmd_stop(struct cli_options *o);
int cli_cmd_rm(struct cli_options *o);
int cli_cmd_set(struct cli_options *o);

#endif

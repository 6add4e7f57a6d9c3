/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_run: run a command from its start to its end, and say where its time went.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_RUN_H
#define CLI_CMD_RUN_H

#include "options.h"

int cli_cmd_run(struct cli_options *o);

#endif

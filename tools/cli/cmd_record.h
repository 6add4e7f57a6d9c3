/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_record: record into a file.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_RECORD_H
#define CLI_CMD_RECORD_H

#include "options.h"

int cli_cmd_record(struct cli_options *o);

#endif

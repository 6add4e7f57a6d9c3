/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_unwind: the unwind tables that the module has.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_UNWIND_H
#define CLI_CMD_UNWIND_H

#include "options.h"

int cli_cmd_unwind(struct cli_options *o);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * commands: the commands there are, in a table that never changes, and help for all of
 * them. No other state.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const struct cli_command cli_commands[];
extern const unsigned int cli_command_count;

const struct cli_command *cli_find_command(const char *name);
int cli_cmd_help(struct cli_options *o);

#endif

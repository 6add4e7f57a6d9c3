/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command_line: from argv to options, and the help for a command. One thread, so
 * nothing is locked.
 */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include <stdio.h>

#include "option_table.h"

bool cli_takes(const struct cli_command *command, const struct cli_option *option);
int cli_parse(struct cli_options *o, int argc, char **argv);
void cli_usage(const struct cli_command *command, FILE *out);
void cli_list_options(const struct cli_command *command, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * commands: what each of them does. They return what the program ends with,
 * and have said why if that is not CLI_OK.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

int cli_cmd_profile(struct cli_options *o);
int cli_cmd_functions(struct cli_options *o);
int cli_cmd_record(struct cli_options *o);
int cli_cmd_report(struct cli_options *o);
int cli_cmd_run(struct cli_options *o);
int cli_cmd_diff(struct cli_options *o);
int cli_cmd_merge(struct cli_options *o);
int cli_cmd_ls(struct cli_options *o);
int cli_cmd_show(struct cli_options *o);
int cli_cmd_start(struct cli_options *o);
int cli_cmd_stop(struct cli_options *o);
int cli_cmd_rm(struct cli_options *o);
int cli_cmd_set(struct cli_options *o);
int cli_cmd_help(struct cli_options *o);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_report: report, flame, diff and merge: what is in files.
 *
 * All functions return what the program ends with, and have said why if that is not
 * CLI_OK. One thread, so nothing is locked.
 */
#ifndef CLI_CMD_REPORT_H
#define CLI_CMD_REPORT_H

#include "options.h"

int cli_cmd_report(struct cli_options *o);
int cli_cmd_flame(struct cli_options *o);
int cli_cmd_diff(struct cli_options *o);
int cli_cmd_merge(struct cli_options *o);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd_top: where tasks spend their time, live. */
#ifndef CLI_CMD_TOP_H
#define CLI_CMD_TOP_H

#include "options.h"

int cli_cmd_top(struct cli_options *o);

#endif

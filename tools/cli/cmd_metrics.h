/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd_metrics: what sessions count, in Prometheus's text format. One thread, so nothing is
 * locked; two processes that write to one directory are kept apart by flock(2).
 */
#ifndef CLI_CMD_METRICS_H
#define CLI_CMD_METRICS_H

#include "options.h"

int cli_cmd_metrics(struct cli_options *o);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json: counters as JSON. A pure function on what it is given, which is used by one thread.
 */
#ifndef CLI_METRICS_JSON_H
#define CLI_METRICS_JSON_H

#include <stdio.h>

#include "totals.h"

int cli_metrics_print_json(const struct cli_totals *totals, FILE *out);

#endif

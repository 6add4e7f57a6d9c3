/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format: counters in Prometheus's text format. A pure function on what it is given, which is
 * used by one thread.
 */
#ifndef CLI_METRICS_FORMAT_H
#define CLI_METRICS_FORMAT_H

#include <stdio.h>

#include "totals.h"

void cli_metrics_print(const struct cli_totals *totals, FILE *out);

#endif

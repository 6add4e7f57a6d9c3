/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state: counters as text, to go on with them the next time. Pure functions on what they are
 * given, which is used by one thread.
 */
#ifndef CLI_METRICS_STATE_H
#define CLI_METRICS_STATE_H

#include <stdio.h>

#include "totals.h"

bool cli_state_print(const struct cli_totals *totals, FILE *out);
bool cli_state_parse(struct cli_totals *totals, char *text, size_t size, const char **why);

#endif

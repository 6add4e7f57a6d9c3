/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_json: all that a snapshot has, as one JSON object. Reads reports and has no
 * state, so nothing is locked.
 */
#ifndef CLI_PRINT_JSON_H
#define CLI_PRINT_JSON_H

#include <stdio.h>

#include "program.h"
#include "rows.h"

int cli_print_json(const struct cli_report *report, const struct cli_ran *ran, FILE *out);

#endif

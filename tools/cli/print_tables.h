/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_tables: what is a table rather than rows with stacks. Reads reports and has no
 * state, so nothing is locked.
 */
#ifndef CLI_PRINT_TABLES_H
#define CLI_PRINT_TABLES_H

#include <stdio.h>

#include "rows.h"

int cli_print_blame_folded(const struct cli_report *report, FILE *out);
int cli_print_table(const struct cli_report *report, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_text: what people read: the head, and rows with their stacks. Reads reports and
 * has no state, so nothing is locked.
 */
#ifndef CLI_PRINT_TEXT_H
#define CLI_PRINT_TEXT_H

#include <stdio.h>

#include "rows.h"

void cli_print_facts(const struct cli_report *report, FILE *out);
void cli_print_head(const struct cli_report *report, FILE *out);
void cli_note_losses(const struct cli_report *report);
void cli_print_rows(const struct cli_report *report, size_t count, FILE *out);
void cli_print_text(const struct cli_report *report, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names: names of tasks, files and functions on their way out. Anybody may have
 * chosen them, so what could forge a line, a frame, a string or a control sequence
 * of a terminal is made visible. Functions without state.
 */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of a name, of which a control group has the longest one. */
#define CLI_NAME	4096

const char *cli_chosen(const char *name, char text[CLI_NAME]);

void cli_print_plain(FILE *out, const char *name);
void cli_print_sentence(FILE *out, const char *sentence);
void cli_print_folded(FILE *out, const char *name);
void cli_print_quoted(FILE *out, const char *name);
void cli_print_page_quoted(FILE *out, const char *name);
void cli_print_xml(FILE *out, const char *name);
void cli_print_timer(FILE *out, const char *name);
void cli_print_label(FILE *out, const char *name);

#endif

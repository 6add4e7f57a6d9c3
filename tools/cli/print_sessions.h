/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_sessions: sessions as they are: a line for each, or JSON. No state. One thread, so
 * nothing is locked.
 */
#ifndef CLI_PRINT_SESSIONS_H
#define CLI_PRINT_SESSIONS_H

#include <stddef.h>
#include <stdio.h>

#include <schedprof.h>

void cli_print_sessions(const struct schedprof *handle, char **names, size_t count);
void cli_print_sessions_json(const struct schedprof *handle, char **names, size_t count,
			     FILE *out);
void cli_print_config_json(const struct schedprof *handle, const char *name, char *config,
			   FILE *out);
void cli_print_removed_json(char **names, size_t count, FILE *out);

#endif

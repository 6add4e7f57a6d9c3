/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json: writing JSON as it goes, with the commas where they belong. No state but that
 * of the lists, each of which is used by one thread.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An object or an array that is being written. */
struct cli_json {
	FILE *out;
	bool more;	/* it has a member or an element */
	bool cycles;	/* of its members that are times; else they are ns */
};

void cli_json_next(struct cli_json *list, const char *indent);
void cli_json_key(struct cli_json *list, const char *indent, const char *name);
void cli_json_text(struct cli_json *list, const char *name, const char *value);
void cli_json_number(struct cli_json *list, const char *name, uint64_t value);
void cli_json_time(struct cli_json *list, const char *name, uint64_t value);
void cli_json_truth(struct cli_json *list, const char *name, bool value);
struct cli_json cli_json_open(struct cli_json *top, const char *name, char bracket);
void cli_json_close(struct cli_json *list, char bracket);

#endif

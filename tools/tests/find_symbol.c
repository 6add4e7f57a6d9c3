// SPDX-License-Identifier: GPL-2.0-only
/*
 * find_symbol PID PATH OFFSET [ROOT [DEBUG_PATH [debuginfod]]]: what the symbolizer finds, in
 * one line; ROOT "-" is none; with "debuginfod", servers are asked. A PATH with a "%" is asked
 * for a hundred times, with numbers from 0 on there, and the last one is told. One thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedprof.h"

/* Return: as schedprof_symbolize(), of the last one. */
static int find(struct schedprof_symbolizer *symbolizer, char **arguments,
		struct schedprof_place *place, struct schedprof_error *error)
{
	const char *path = arguments[2], *number = strchr(path, '%');
	char numbered[4096];
	int i, result = 0;

	for (i = 0; i < (number ? 100 : 1); i++) {
		if (number)
			snprintf(numbered, sizeof(numbered), "%.*s%d%s",
				 (int)(number - path), path, i, number + 1);
		result = schedprof_symbolize(symbolizer, atoi(arguments[1]),
					     number ? numbered : path,
					     strtoull(arguments[3], NULL, 0), place,
					     sizeof(*place), error);
	}
	return result;
}

int main(int count, char **arguments)
{
	struct schedprof_symbolizer *symbolizer;
	struct schedprof_error error;
	struct schedprof_place place;
	int result = 0;

	if (count < 4 || count > 7)
		return 2;
	symbolizer = schedprof_symbolizer_open(&error);
	if (!symbolizer) {
		puts(error.message);
		return 1;
	}
	if (count > 4 && strcmp(arguments[4], "-"))
		result = schedprof_symbolizer_set_root(symbolizer, arguments[4], &error);
	if (!result && count > 5)
		result = schedprof_symbolizer_set_debug_path(symbolizer, arguments[5],
							     &error);
	if (!result && count > 6)
		result = schedprof_symbolizer_set_servers(symbolizer, true, &error);
	if (!result)
		result = find(symbolizer, arguments, &place, &error);
	if (result)
		printf("error %d: %s%s\n", -result, error.message,
		       schedprof_symbolizer_is_full(symbolizer) ? " (no room)" : "");
	else
		printf("%s+0x%llx %s:%u %s\n", place.function ? place.function : "?",
		       (unsigned long long)place.offset,
		       place.source ? place.source : "?", place.line,
		       place.build_id ? place.build_id : "-");
	schedprof_symbolizer_close(symbolizer);
	return result ? 1 : 0;
}

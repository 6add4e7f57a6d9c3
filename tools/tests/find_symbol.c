// SPDX-License-Identifier: GPL-2.0-only
/*
 * find_symbol PID PATH OFFSET [ROOT [DEBUG_PATH [debuginfod]]]: what the symbolizer finds, in
 * one line; ROOT "-" is none; with "debuginfod", servers are asked. One thread.
 */
#include <stdlib.h>
#include <string.h>

#include "schedprof.h"

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
		result = schedprof_symbolize(symbolizer, atoi(arguments[1]),
					     arguments[2],
					     strtoull(arguments[3], NULL, 0), &place,
					     sizeof(place), &error);
	if (result)
		printf("error %d: %s\n", -result, error.message);
	else
		printf("%s+0x%llx %s:%u %s\n", place.function ? place.function : "?",
		       (unsigned long long)place.offset,
		       place.source ? place.source : "?", place.line,
		       place.build_id ? place.build_id : "-");
	schedprof_symbolizer_close(symbolizer);
	return result ? 1 : 0;
}

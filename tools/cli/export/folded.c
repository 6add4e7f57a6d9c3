// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded: a line for each row: its stack and its time, as flame graph programs read it.
 * In us, or in cycles, as in the file folded of the module. No state, so nothing is locked.
 */
#include <inttypes.h>

#include "formats.h"
#include "walk.h"

static int write_line(const struct cli_report *report, const struct cli_stack *stack,
		      void *data)
{
	const char *separator = stack->thread && stack->count ? ";" : "";
	uint64_t value = stack->row->total;
	FILE *out = data;
	size_t i;

	fprintf(out, "%s%s", stack->thread ? stack->thread : "", separator);
	for (i = 0; i < stack->count; i++)
		fprintf(out, "%s%s", i ? ";" : "", stack->levels[i].name);
	fprintf(out, " %" PRIu64 "\n", report->cycles ? value : value / 1000);
	return CLI_OK;
}

/* Folded stacks. */
int cli_write_folded(const struct cli_report *report, FILE *out)
{
	return cli_walk(report, SCHEDPROF_FOLDED, write_line, out);
}

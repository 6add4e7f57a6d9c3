/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tables: unwind tables for what is profiled, before it is and while it is. Without them
 * stacks are shorter, so nothing that goes wrong here is said. One thread, so nothing is
 * locked.
 */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include <schedprof.h>

#include "options.h"

struct cli_tables {
	struct schedprof_provider *provider;	/* NULL: none are needed, or taken */
	const struct cli_options *o;
	uint64_t begin_ns;		/* of what is being provided */
	uint64_t end_ns;		/* when that ends, done or not */
	uint64_t first_ns;		/* when it was looked at first */
	uint64_t next_ns;		/* when to look at what is missing */
};

void cli_tables_begin(struct cli_tables *tables, const struct schedprof *handle,
		      const struct cli_options *o);
void cli_tables_begin_within(struct cli_tables *tables, const struct schedprof *handle,
			     const struct cli_options *o, uint64_t named_ns);
void cli_tables_look(struct cli_tables *tables, uint64_t now_ns, uint64_t end_ns);
bool cli_tables_are_over(int code);
void cli_tables_end(struct cli_tables *tables);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * facts: what is told of the machine and of the session between two snapshots, as a line.
 * Functions without state.
 */
#ifndef CLI_TOP_FACTS_H
#define CLI_TOP_FACTS_H

#include <stdint.h>

#include "line.h"
#include "model.h"

struct top_facts {
	const char *host, *kernel;	/* of the snapshot */
	uint64_t cpus;
	uint64_t wall_ns;
	uint64_t switches;		/* of the machine */
	uint64_t overhead_ns;		/* of the hooks, by themselves */
	uint64_t waited_ns;		/* for a CPU, by all that is looked at */
	uint64_t lost_ns;		/* of that, without a row */
	uint64_t unbooked;		/* switches of tasks without room */
	uint64_t blind_ns;		/* when nothing was seen */
};

void top_facts_make(struct top_facts *facts, const struct top_snapshot *before,
		    const struct top_snapshot *now);
void top_facts_put(const struct top_facts *facts, struct top_line *line);
bool top_facts_alarm(const struct top_facts *facts, struct top_line *line);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live: the session of schedprof top, and what happened since it was looked at the last
 * time. Used by one thread.
 */
#ifndef CLI_TOP_LIVE_H
#define CLI_TOP_LIVE_H

#include "../options.h"
#include "../profile.h"
#include "cgroups.h"
#include "facts.h"
#include "model.h"

struct top_live {
	struct cli_profile profile;
	struct top_cgroups cgroups;	/* of tasks that never waited */
	struct top_snapshot before, now;
	struct top_change change;
	struct top_facts facts;
	uint64_t every_ns;
	uint64_t next_ns;		/* when to look again, monotonic */
	bool ended;			/* the session records no more */
	bool missed;			/* the last time there was no memory for a snapshot */
};

int top_live_begin(struct top_live *live, struct cli_options *o);
int top_live_read(struct top_live *live, bool wants_cgroups);
int top_live_compare(struct top_live *live, bool wants_cgroups);
void top_live_schedule(struct top_live *live);
int top_live_end(struct top_live *live, int status);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the attributes of a session say. The session has one, under its mutex; each
 * recording has the copy that it was made with, which never changes.
 */
#ifndef SP_TASK_CONFIG_H
#define SP_TASK_CONFIG_H

#include <linux/types.h>

#include "lib/limits.h"
#include "task/mode.h"

enum sp_tasks_kind {
	SP_KIND_ALL,
	SP_KIND_USER,
	SP_KIND_KERNEL,
};

/* What states may be. */
#define SP_STATES_ALL (BIT(SP_STATES) - 1)

enum sp_stack_kinds {
	SP_WANT_KERNEL	= 1 << 0,
	SP_WANT_USER	= 1 << 1,
	SP_WANT_WAKER	= 1 << 2,
};

struct sp_config {
	u64 mode;		/* index into sp_modes */
	u64 tasks_kind;		/* enum sp_tasks_kind */
	u64 inherit;		/* descendants of listed tasks, too */
	u64 states;		/* bits of enum sp_state */
	u64 stack;		/* enum sp_stack_kinds */
	u64 stack_depth;
	u64 ledger;		/* account the time of every task */
	u64 interrupts;		/* and split what it was on a CPU */
	u64 blame;		/* and split what it waited for a CPU */
	u64 min_us;
	u64 max_us;
	u64 top_n;
	u64 clock;		/* enum sp_clock_id */
	u64 group_by;		/* enum sp_group */
	u64 trace_kb;		/* event trace, for each CPU */
	u64 throttle;		/* functions that are called too often */
	u64 period_us;		/* of samples */
	u64 duration_ms;	/* after so long it disables itself; 0: never */
	u64 max_tasks;
	u64 max_stacks;
	u64 max_entries;
};

/* What is split has to be in the books. */
static inline bool sp_config_keeps_books(const struct sp_config *config)
{
	return config->ledger || config->interrupts || config->blame;
}

/* In nosched everybody is looked for who stays too long, and 0 is not that. */
static inline u64 sp_config_min_us(const struct sp_config *config)
{
	if (!config->min_us && sp_mode_samples(&sp_modes[config->mode]))
		return SP_NOSCHED_US;
	return config->min_us;
}

#endif

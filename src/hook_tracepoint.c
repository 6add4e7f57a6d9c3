// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_tracepoint: scheduler events through the kernel's own tracepoints.
 *
 * sched_switch fires before the switch: current is the task that leaves, the
 * one that comes lies still on its stack, and the run queue lock is held. The
 * tracepoints are not exported, so they are found by name.
 */
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "compat/compat.h"
#include "hook.h"
#include "hot.h"

static void on_switch(SP_SWITCH_PROBE_ARGS)
{
	struct sp_place place;

	sp_place_of_inactive(&place, next);
	sp_hot_switch(prev, next, &place, SP_REACH_PREV);
}

static void on_wakeup(void *data, struct task_struct *task)
{
	sp_hot_wakeup(task);
}

static void *const handlers[SP_ROLES] = {
	[SP_ROLE_SWITCH] = on_switch,
	[SP_ROLE_WAKEUP] = on_wakeup,
};

/* Changed under the hook mutex only. */
static struct tracepoint *armed[SP_ROLES];

struct lookup {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tracepoint, void *data)
{
	struct lookup *lookup = data;

	if (!strcmp(tracepoint->name, lookup->name))
		lookup->found = tracepoint;
}

static int arm(enum sp_role role, const char *symbol)
{
	struct lookup lookup = { .name = symbol };
	int err;

	for_each_kernel_tracepoint(compare, &lookup);
	if (!lookup.found)
		return -ENOENT;
	err = tracepoint_probe_register(lookup.found, handlers[role], NULL);
	if (!err)
		armed[role] = lookup.found;
	return err;
}

static void disarm(enum sp_role role)
{
	tracepoint_probe_unregister(armed[role], handlers[role], NULL);
	armed[role] = NULL;
	/* Waits until no handler runs. */
	tracepoint_synchronize_unregister();
}

static void describe(enum sp_role role, struct sp_probe *probe)
{
	probe->how = "tracepoint";
	probe->misses = 0;
}

static const char *const switch_symbols[] = { "sched_switch", NULL };
static const char *const wakeup_symbols[] = { "sched_wakeup", NULL };

const struct sp_backend sp_tracepoint_backend = {
	.name = "tracepoint",
	.candidates = {
		[SP_ROLE_SWITCH] = switch_symbols,
		[SP_ROLE_WAKEUP] = wakeup_symbols,
	},
	.arm = arm,
	.disarm = disarm,
	.describe = describe,
};

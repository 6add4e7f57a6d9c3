// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracepoint: the kernel's own tracepoints by name, because those of the scheduler are
 * not exported. No lock: what is built into the kernel stays.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "lib/tracepoint.h"

struct tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void compare_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

/**
 * sp_tracepoint_find() - a tracepoint of the kernel, not of a module
 * @name: as in sched_switch
 *
 * Return: the tracepoint, or NULL if this kernel has none of that name.
 */
struct tracepoint *sp_tracepoint_find(const char *name)
{
	struct tracepoint_search search = { .name = name };

	for_each_kernel_tracepoint(compare_tracepoint, &search);
	return search.found;
}

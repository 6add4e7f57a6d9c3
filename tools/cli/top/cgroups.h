/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroups: control groups of tasks of which no snapshot tells, because they never waited.
 * One thread.
 */
#ifndef CLI_TOP_CGROUPS_H
#define CLI_TOP_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct top_cgroups {
	char **paths;		/* each as often as it was found */
	size_t count, room;
};

const char *top_cgroup_of(void *data, int32_t tid, uint64_t start_ns);
void top_cgroups_free(struct top_cgroups *cgroups);
bool top_numbers_are_ours(void);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups: control groups of tasks of which no snapshot tells. They are asked of proc, where
 * numbers are those of this PID namespace, while those of the module are the initial one's.
 * One thread, so nothing is locked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroups.h"

/* As in include/linux/proc_ns.h: the inode of the initial PID namespace. */
#define INITIAL_PIDS	0xEFFFFFFCU

/* Longer than a path of the module's. */
#define PATH	1100

/**
 * top_numbers_are_ours() - are the module's numbers of tasks those of this process
 *
 * Return: false in a container with PIDs of its own.
 */
bool top_numbers_are_ours(void)
{
	struct stat status;

	return !stat("/proc/self/ns/pid", &status) && status.st_ino == INITIAL_PIDS;
}

static char *read_path(int32_t tid)
{
	char name[40], text[PATH], *path = NULL;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", tid);
	file = fopen(name, "re");
	while (file && !path && fgets(text, sizeof(text), file))
		if (!strncmp(text, "0::", 3)) {
			text[strcspn(text, "\n")] = '\0';
			path = strdup(text + 3);
		}
	if (file)
		fclose(file);
	return path;
}

/**
 * top_cgroup_of() - the control group of a task, now
 * @data: struct top_cgroups
 * @tid: the task
 * @start_ns: not looked at: a task that ended meanwhile is in no later snapshot
 *
 * Return: its path, which is valid until top_cgroups_free(); or NULL.
 */
const char *top_cgroup_of(void *data, int32_t tid, uint64_t start_ns)
{
	struct top_cgroups *cgroups = data;
	size_t room = cgroups->room ? cgroups->room * 2 : 64;
	char **more, *path;

	(void)start_ns;
	if (cgroups->count == cgroups->room) {
		more = reallocarray(cgroups->paths, room, sizeof(*more));
		if (!more)
			return NULL;
		cgroups->paths = more;
		cgroups->room = room;
	}
	path = read_path(tid);
	if (path)
		cgroups->paths[cgroups->count++] = path;
	return path;
}

/**
 * top_cgroups_free() - forget all paths
 * @cgroups: used, or zero; zero afterwards
 */
void top_cgroups_free(struct top_cgroups *cgroups)
{
	while (cgroups->count)
		free(cgroups->paths[--cgroups->count]);
	free(cgroups->paths);
	*cgroups = (struct top_cgroups) { 0 };
}

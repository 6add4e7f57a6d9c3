/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * proc_start: when a process began, by which it is told from another one that has
 * its PID later. The library and the command line both include it, since neither
 * exports it to the other. No state, so no lock.
 */
#ifndef SHARED_PROC_START_H
#define SHARED_PROC_START_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The start time in the text of /proc/PID/stat, of which the name may be anything; or 0. */
static inline uint64_t proc_start_of(const char *text)
{
	const char *at;
	unsigned int field;

	/* The name, field 2; the last parenthesis ends it. */
	at = strrchr(text, ')');
	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* The start time of process @pid, in clock ticks since boot; 0: there is no such process. */
static inline uint64_t proc_start_ticks(pid_t pid)
{
	char path[32], line[1024];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	return proc_start_of(line);
}

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * maps: reads /proc/PID/maps by lines. Whoever runs the process chooses how many there are,
 * and how long: a path may have as many directories as there is room for on a disk. So only
 * a part of such a file is read, and little of it is in memory. Used by one thread.
 */
#include <string.h>

#include "maps.h"

/* A kernel lets a process have 65,530 mappings, if nobody asked for more. */
#define MAX_BYTES ((size_t)64 << 20)

/* Return: false, and errno says why. */
bool libsp_maps_open(struct libsp_maps *maps, pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps->left = MAX_BYTES;
	maps->file = fopen(path, "re");
	return maps->file;
}

/* What is longer than any path that can be opened is left out. Return: a line, or NULL. */
char *libsp_maps_next(struct libsp_maps *maps)
{
	bool whole = true, fits;
	size_t length;

	while (fgets(maps->line, sizeof(maps->line), maps->file)) {
		length = strlen(maps->line);
		if (length > maps->left)
			break;
		maps->left -= length;
		fits = length && maps->line[length - 1] == '\n';
		if (fits && whole) {
			maps->line[length - 1] = '\0';
			return maps->line;
		}
		whole = fits;
	}
	return NULL;
}

void libsp_maps_close(struct libsp_maps *maps)
{
	fclose(maps->file);
}

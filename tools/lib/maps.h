/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * maps: the lines of /proc/PID/maps of a process that may be anybody's. One thread.
 */
#ifndef LIBSP_MAPS_H
#define LIBSP_MAPS_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct libsp_maps {
	FILE *file;
	size_t left;	/* bytes that are read at most */
	/* Four bytes of it may stand for one of a path. */
	char line[4 * PATH_MAX + 256];
};

bool libsp_maps_open(struct libsp_maps *maps, pid_t pid);
char *libsp_maps_next(struct libsp_maps *maps);
void libsp_maps_close(struct libsp_maps *maps);

#endif

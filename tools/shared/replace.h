/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * replace: a new file is made beside the old one, and takes its name when all of it is on
 * disk, so that nobody ever sees half of it. The library and the command line both
 * include it, since neither exports it to the other. No state, so no lock.
 */
#ifndef SHARED_REPLACE_H
#define SHARED_REPLACE_H

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Finds what a new file is to replace: a link leads to the file that is meant, and a name that
 * is not there stays. Return: can it be replaced? If not, the file itself is to be written: it
 * is no regular one, or it has no name here, as one that was deleted, to which /dev/stdout leads.
 */
static inline bool replace_find(char **path)
{
	struct stat old, found;
	char *target;

	if (stat(*path, &old))
		return true;
	target = S_ISREG(old.st_mode) ? realpath(*path, NULL) : NULL;
	/* The kernel's name of an open file may be that of another one by now, or in this root. */
	if (!target || lstat(target, &found) || found.st_dev != old.st_dev ||
	    found.st_ino != old.st_ino) {
		free(target);
		return false;
	}
	free(*path);
	*path = target;
	return true;
}

/*
 * Makes the new file. Return: a descriptor, and *temporary is its name, to be freed; or a
 * negative errno, and *temporary is NULL.
 */
static inline int replace_open(const char *path, char **temporary)
{
	int fd, number;

	if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
		*temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(*temporary, O_CLOEXEC);
	if (fd >= 0)
		return fd;
	number = errno;
	free(*temporary);
	*temporary = NULL;
	return -number;
}

/* The name of a file is on disk once its directory is. Return: 0 or a negative errno. */
static inline int replace_sync_directory(const char *path)
{
	char *copy = strdup(path);
	int fd, number = 0;

	if (!copy)
		return -ENOMEM;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	if (fd < 0)
		return -errno;
	/* Some file systems cannot sync directories. */
	if (fsync(fd) && errno != EINVAL)
		number = -errno;
	close(fd);
	return number;
}

/*
 * The new file, which is on disk, takes its name; with @exclusive only if that is free.
 * Return: 0 or a negative errno; *temporary is NULL once there is no such file any more.
 */
static inline int replace_take_name(char **temporary, const char *path, bool exclusive)
{
	/* link(2), unlike rename(2), does not replace a file. */
	if (exclusive ? link(*temporary, path) : rename(*temporary, path))
		return -errno;
	if (exclusive)
		unlink(*temporary);
	free(*temporary);
	*temporary = NULL;
	return replace_sync_directory(path);
}

#endif

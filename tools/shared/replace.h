/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * replace: a new file is made beside the old one, and takes its name when all of it is on
 * disk, so that nobody ever sees half of it, and, where the file system has files without
 * names, nothing is left of what was interrupted. The library and the command line both
 * include it, since neither exports it to the other. No state, so no lock.
 */
#ifndef SHARED_REPLACE_H
#define SHARED_REPLACE_H

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
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

/* Has this program been given the file already? */
static inline bool replace_is_open(const struct stat *file)
{
	struct stat status;
	int fd;

	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &status) && status.st_dev == file->st_dev &&
		    status.st_ino == file->st_ino)
			return true;
	return false;
}

/*
 * Is what replace_find() has found, and is @old, somebody else's, in a directory where others make
 * files, too, as in /tmp? Who made one of that name may wait for what comes into it, if the new one
 * has its owner and mode, which are to be taken from @old then, as another one may come.
 */
static inline bool replace_is_foreign(const char *path, const struct stat *old)
{
	char *copy = strdup(path);
	struct stat directory;
	bool foreign;

	foreign = !copy || (old->st_uid != geteuid() && !stat(dirname(copy), &directory) &&
			    old->st_uid != directory.st_uid && directory.st_mode & S_ISVTX &&
			    directory.st_mode & 0022 && !replace_is_open(old));
	free(copy);
	return foreign;
}

/* A new file, from replace_open() to replace_close(). */
struct replace {
	int fd;
	const char *prefix;	/* of names until it takes its own; the caller's */
	char *temporary;	/* its name; NULL: it has none, or has taken the old file's */
};

/* Where it can be found, if it has no name. */
static inline void replace_self(const struct replace *file, char self[32])
{
	snprintf(self, 32, "/proc/self/fd/%d", file->fd);
}

/* A file without a name, of which nothing stays, however this process ends. */
static inline bool replace_open_unnamed(struct replace *file, const char *path)
{
	char *copy = strdup(path), self[32];

	file->fd = copy ? open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
	free(copy);
	replace_self(file, self);
	/* Without /proc it would never have a name. */
	if (file->fd >= 0 && access(self, F_OK)) {
		close(file->fd);
		file->fd = -1;
	}
	return file->fd >= 0;
}

/*
 * Makes the new file, beside the old one, whose path the @prefix is, or another one in its
 * directory. Names that the file has for a while are that with a dot and six letters or digits.
 * Return: 0; or a negative errno, and there is nothing to be closed.
 */
static inline int replace_open(struct replace *file, const char *prefix)
{
	int number;

	*file = (struct replace){ .prefix = prefix };
	if (replace_open_unnamed(file, prefix))
		return 0;
	if (asprintf(&file->temporary, "%s.XXXXXX", prefix) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	file->fd = mkostemp(file->temporary, O_CLOEXEC);
	if (file->fd >= 0)
		return 0;
	number = errno;
	free(file->temporary);
	file->temporary = NULL;
	return -number;
}

/* Nothing stays of a new file that did not take a name. Return: 0 or a negative errno. */
static inline int replace_close(struct replace *file)
{
	int number = 0;

	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	file->temporary = NULL;
	if (file->fd >= 0 && close(file->fd))
		number = -errno;
	file->fd = -1;
	return number;
}

/* The name of a file is on disk once its directory is. Return: 0 or a negative errno. */
static inline int replace_sync_directory(const struct replace *file, const char *path)
{
	char *copy = strdup(path);
	int fd, number = 0;

	fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	free(copy);
	/* Who may write to a directory need not be allowed to read it. */
	if (fd < 0)
		return syncfs(file->fd) ? -errno : 0;
	/* Some file systems cannot sync directories. */
	if (fsync(fd) && errno != EINVAL)
		number = -errno;
	close(fd);
	return number;
}

/* One more name. Return: 0 or a negative errno. */
static inline int replace_link(const struct replace *file, const char *name)
{
	char self[32];

	replace_self(file, self);
	if (file->temporary ? link(file->temporary, name) :
			      linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW))
		return -errno;
	return 0;
}

/* rename(2) needs a name, which is any that is free. Return: 0 or a negative errno. */
static inline int replace_name(struct replace *file)
{
	unsigned int random = (unsigned int)getpid(), tries;
	int number = -EEXIST;
	char *name;

	for (tries = 0; number == -EEXIST && tries < 100; tries++) {
		if (getentropy(&random, sizeof(random)))
			random++;
		if (asprintf(&name, "%s.%06x", file->prefix, random & 0xffffff) < 0)
			return -ENOMEM;
		number = replace_link(file, name);
		if (number)
			free(name);
		else
			file->temporary = name;
	}
	return number;
}

/* No signal comes between the two names. Return: 0 or a negative errno. */
static inline int replace_rename(struct replace *file, const char *path)
{
	sigset_t all, before;
	int number = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (!file->temporary)
		number = replace_name(file);
	if (!number && rename(file->temporary, path))
		number = -errno;
	if (!number) {
		free(file->temporary);
		file->temporary = NULL;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return number;
}

/*
 * The new file, which is on disk, takes its name; with @exclusive only if that is free.
 * Return: 0 or a negative errno; after one of the disk it may have its name.
 */
static inline int replace_take_name(struct replace *file, const char *path, bool exclusive)
{
	/* link(2), unlike rename(2), does not replace a file. */
	int number = exclusive ? replace_link(file, path) : replace_rename(file, path);

	return number ? number : replace_sync_directory(file, path);
}

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * unwind_cache: unwind tables in a directory, by build-id. What cannot be written is made
 * again the next time, and what cannot be read, too, so nothing here is a failure: a full
 * disk leaves no half file, and one that was damaged is not believed. The directory may be
 * removed at any time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <table_format.h>
#include <unistd.h>

#include "files.h"
#include "unwind_cache.h"

/* Return: the path of the directory, to be freed; "" if there is no place; or NULL. */
char *libsp_cache_default(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;

	if (!geteuid())
		return strdup("/var/cache/schedprof/unwind");
	if (cache && *cache == '/')
		return asprintf(&path, "%s/schedprof/unwind", cache) < 0 ? NULL : path;
	if (home && *home == '/')
		return asprintf(&path, "%s/.cache/schedprof/unwind", home) < 0 ? NULL : path;
	return strdup("");
}

/* Makes a directory and those above it; what runs here is not everybody's business. */
static void make_directories(const char *path)
{
	char *copy = strdup(path), *at;

	if (!copy)
		return;
	for (at = copy + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		mkdir(copy, 0755);
		*at = '/';
	}
	mkdir(copy, 0700);
	free(copy);
}

/* Nobody else may have put anything there. */
static bool is_ours(const struct stat *status)
{
	return (!status->st_uid || status->st_uid == geteuid()) &&
	       !(status->st_mode & 0022);
}

/* Return: a handle of the directory, or -1. */
static int open_directory(const char *path)
{
	int fd = *path ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	struct stat status;

	if (fd < 0 || (!fstat(fd, &status) && is_ours(&status)))
		return fd;
	close(fd);
	return -1;
}

static void name_of(char name[64], const char *build_id)
{
	snprintf(name, 64, "%s.%d", build_id, LIBSP_CACHE_MAKER);
}

/* Return: the table of that build-id; or NULL. */
struct schedprof_unwind *libsp_cache_find(const char *directory, const char *build_id)
{
	struct schedprof_unwind *table = NULL;
	int at = open_directory(directory), fd;
	struct stat status;
	char name[64];
	char *bytes;
	size_t size;

	if (at < 0)
		return NULL;
	name_of(name, build_id);
	fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(at);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && is_ours(&status) &&
	    status.st_size <= SP_UNWIND_MAX_BYTES) {
		bytes = libsp_read_fd(fd, &size, name, NULL);
		if (bytes)
			table = schedprof_unwind_read(bytes, size, NULL);
		free(bytes);
	}
	close(fd);
	if (table && strcmp(schedprof_unwind_build_id(table), build_id)) {
		schedprof_unwind_free(table);
		return NULL;
	}
	return table;
}

static bool write_whole(int fd, const char *bytes, size_t size)
{
	ssize_t done;

	for (; size; bytes += done, size -= (size_t)done) {
		do
			done = write(fd, bytes, size);
		while (done < 0 && errno == EINTR);
		if (done <= 0)
			return false;
	}
	return true;
}

/* Keeps a table, if that is possible. */
void libsp_cache_keep(const char *directory, const struct schedprof_unwind *table)
{
	char name[64], new_name[96];
	const void *bytes;
	bool good = false;
	int at, fd;
	size_t size;

	at = open_directory(directory);
	if (at < 0 && errno == ENOENT && *directory) {
		make_directories(directory);
		at = open_directory(directory);
	}
	if (at < 0)
		return;
	name_of(name, schedprof_unwind_build_id(table));
	snprintf(new_name, sizeof(new_name), ".%s-%d", name, (int)getpid());
	fd = openat(at, new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd >= 0) {
		bytes = schedprof_unwind_data(table, &size);
		good = write_whole(fd, bytes, size);
		/* Some file systems tell only now that there is no room. */
		good = !close(fd) && good && !renameat(at, new_name, at, name);
	}
	if (!good)
		unlinkat(at, new_name, 0);
	close(at);
}

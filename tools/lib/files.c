// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * files: reads small files whole, and finds where file systems are mounted. No
 * state, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "error.h"
#include "files.h"
#include "schedprof.h"

#define STEP 65536

/* Reads up to the end, because files in debugfs and proc do not tell their size. */
char *libsp_read_fd(int fd, size_t *size, const char *path,
		    struct schedprof_error *error)
{
	struct libsp_buffer buffer = { };
	ssize_t got;
	char *at;

	for (;;) {
		at = libsp_buffer_grow(&buffer, STEP);
		if (!at)
			break;
		do
			got = read(fd, at, STEP);
		while (got < 0 && errno == EINTR);
		if (got < 0) {
			libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot read %s",
					 path);
			libsp_buffer_free(&buffer);
			return NULL;
		}
		buffer.size -= STEP - (size_t)got;
		if (!got)
			break;
	}
	return libsp_buffer_take(&buffer, size, error);
}

char *libsp_read_file(const char *path, size_t *size, struct schedprof_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot open %s", path);
		return NULL;
	}
	text = libsp_read_fd(fd, size, path, error);
	close(fd);
	return text;
}

/* Longer than any path of a mount, in which four bytes may stand for one. */
#define MOUNT_LINE	(4 * PATH_MAX + 256)

/*
 * Where the file system @type is mounted first, by the file @mounts. NULL and no
 * error: the file system is not mounted. Mounts that show only a part of a file system
 * are not told from others, because nobody makes them of those that are looked for.
 */
char *libsp_mount_of(const char *type, const char *mounts,
		     struct schedprof_error *error)
{
	FILE *file = setmntent(mounts, "re");
	struct mntent entry, *mount;
	char line[MOUNT_LINE];
	char *found = NULL;

	if (error)
		error->code = SCHEDPROF_OK;
	if (!file) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot open %s", mounts);
		return NULL;
	}
	do
		mount = getmntent_r(file, &entry, line, sizeof(line));
	while (mount && strcmp(mount->mnt_type, type));
	if (mount) {
		found = strdup(mount->mnt_dir);
		if (!found)
			libsp_no_memory(error);
	} else if (ferror(file)) {
		libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot read %s", mounts);
	}
	endmntent(file);
	return found;
}

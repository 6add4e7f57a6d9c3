// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * open_file: opens files whose paths were chosen by whoever ran programs, or stand
 * in files of theirs. A pipe is not waited for, no device is opened, and below a
 * root no link leads out. No state, so nothing is locked.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "open_file.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL	8U	/* in Linux 6.3 */
#endif

/* Not all kernels' headers have these. */
#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC	0x65735546
#endif
#ifndef CONFIGFS_MAGIC
#define CONFIGFS_MAGIC		0x62656570
#endif

#define MAX_LINKS	40	/* as in the kernel */
#define MAX_DEPTH	128	/* of directories */

/* Directories on the way; the first one is the root, which the caller closes. */
struct way {
	int fds[MAX_DEPTH];
	unsigned int depth;
	unsigned int links;
	char rest[2 * PATH_MAX];	/* what is left of the path */
};

/* Puts a link in place of its name. Return: false if it is too long, or one too many. */
static bool follow_link(struct way *way, int link, const char *rest)
{
	char text[2 * PATH_MAX];
	ssize_t length = readlinkat(link, "", text, PATH_MAX);

	if (length <= 0 || length == PATH_MAX || ++way->links > MAX_LINKS ||
	    (size_t)length + strlen(rest) + 2 > sizeof(text)) {
		errno = ELOOP;
		return false;
	}
	text[length] = '\0';
	if (*text == '/')
		while (way->depth > 1)
			close(way->fds[--way->depth]);
	strcat(text, "/");
	strcat(text, rest);
	strcpy(way->rest, text);
	return true;
}

/* Opens the next name of the path. Return: false if that does not work. */
static bool open_next_name(struct way *way)
{
	char name[NAME_MAX + 1], rest[2 * PATH_MAX];
	size_t skip = strspn(way->rest, "/"), length = strcspn(way->rest + skip, "/");
	struct stat status;
	bool done;
	int fd;

	if (length > NAME_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(name, way->rest + skip, length);
	name[length] = '\0';
	strcpy(rest, way->rest + skip + length);
	strcpy(way->rest, rest);
	if (!length || !strcmp(name, "."))
		return true;
	if (!strcmp(name, "..")) {
		/* Back to the directory before, wherever that is by now. */
		if (way->depth > 1)
			close(way->fds[--way->depth]);
		return true;
	}
	if (way->depth == MAX_DEPTH) {
		errno = ELOOP;
		return false;
	}
	fd = openat(way->fds[way->depth - 1], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &status) || !S_ISLNK(status.st_mode)) {
		way->fds[way->depth++] = fd;
		return true;
	}
	done = follow_link(way, fd, rest);
	close(fd);
	return done;
}

/* The same as libsp_open_in(), for kernels that cannot do it in one call. */
int libsp_open_in_by_steps(int directory, const char *path)
{
	struct way *way = calloc(1, sizeof(*way));
	bool good = way && strlen(path) < PATH_MAX;
	int fd = -1;

	if (!good) {
		free(way);
		errno = way ? ENAMETOOLONG : ENOMEM;
		return -1;
	}
	way->fds[way->depth++] = directory;
	strcpy(way->rest, path);
	while (good && *way->rest)
		good = open_next_name(way);
	if (good && way->depth > 1)
		fd = way->fds[--way->depth];
	while (way->depth > 1)
		close(way->fds[--way->depth]);
	free(way);
	return fd;
}

/* Return: a handle of what @path is below the root @directory; or -1 and errno. */
int libsp_open_in(int directory, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));

	/*
	 * Kernels before 5.6 do not have openat2(), and some sandboxes forbid it. And while
	 * anything is renamed on the machine, it may not be sure of a "..".
	 */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
		return libsp_open_in_by_steps(directory, path);
	return fd;
}

/* Does the kernel serve a file, where to read may take something from others, or for ever? */
static bool is_of_kernel(int handle)
{
	static const __typeof__(((struct statfs *)NULL)->f_type) kinds[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC,
		CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, CONFIGFS_MAGIC, BPF_FS_MAGIC,
		PSTOREFS_MAGIC, EFIVARFS_MAGIC, SELINUX_MAGIC, BINFMTFS_MAGIC,
	};
	struct statfs system;
	size_t i;

	if (fstatfs(handle, &system))
		return true;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (system.f_type == kinds[i])
			return true;
	return false;
}

/* Opens what a handle is of, if that is a regular file, and no kernel's. Closes the handle. */
int libsp_open_regular_handle(int handle, struct stat *status)
{
	char path[64];
	int fd = -1;

	if (handle < 0)
		return -1;
	if (!fstat(handle, status) && S_ISREG(status->st_mode) && !is_of_kernel(handle)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
		/* O_NONBLOCK: a lease of another process is not waited for, either. */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	}
	close(handle);
	return fd;
}

/* @root: "" is the root directory. Return: a regular file to be read, or -1. */
int libsp_open_regular(const char *root, const char *path, struct stat *status)
{
	int directory = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (directory < 0)
		return -1;
	fd = libsp_open_regular_handle(libsp_open_in(directory, path), status);
	close(directory);
	return fd;
}

/* Is an open file the one of its path here, and not of another mount namespace? */
static bool is_here(int fd, const struct stat *status)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), here = -1;
	char link[64], path[PATH_MAX];
	struct stat found;
	ssize_t length;
	bool is;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (root >= 0 && length > 0 && *path == '/') {
		path[length] = '\0';
		here = libsp_open_in(root, path);
	}
	is = here >= 0 && !fstat(here, &found) && found.st_dev == status->st_dev &&
	     found.st_ino == status->st_ino;
	if (here >= 0)
		close(here);
	if (root >= 0)
		close(root);
	return is;
}

/*
 * Nobody but root can change what is in an open file: root of this system, and not of a container,
 * whose files have other paths here; and no program that serves a file system.
 */
static bool is_changed_by_root(int fd, const struct stat *status)
{
	struct statfs system;

	return !status->st_uid && !(status->st_mode & 0022) && !fstatfs(fd, &system) &&
	       system.f_type != FUSE_SUPER_MAGIC && is_here(fd, status);
}

/*
 * Nobody but root can have chosen it, either, as whoever brought a medium can, where set-user-ID
 * is not believed.
 */
bool libsp_is_of_root(int fd, const struct stat *status)
{
	struct statfs system;

	return is_changed_by_root(fd, status) && !fstatfs(fd, &system) &&
	       !(system.f_flags & ST_NOSUID);
}

/* May others than root and the caller change it? */
static bool is_of_others(int fd, const struct stat *status)
{
	if (geteuid() && status->st_uid == geteuid())
		return status->st_mode & 0022;
	return !is_changed_by_root(fd, status);
}

/*
 * Return: a file in memory, which is shorter if the other one is cut meanwhile; or -1. A NUL
 * is behind it, so that texts have an end that it has not.
 */
static int copy_to_memory(int fd, off_t size)
{
	int copy = memfd_create("schedprof", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	ssize_t done = 1;
	off_t at = 0;

	if (copy < 0 && errno == EINVAL)
		copy = memfd_create("schedprof", MFD_CLOEXEC);
	while (copy >= 0 && at < size && done > 0)
		done = sendfile(copy, fd, &at, (size_t)(size - at));
	if (copy < 0 || (done >= 0 && !ftruncate(copy, at + 1)))
		return copy;
	close(copy);
	return -1;
}

/*
 * Who reads a file that is mapped, and that somebody cuts, dies (SIGBUS): one that others may
 * change is copied. Takes @fd over; @room is how many bytes may be copied. Return: what may be
 * mapped; or -1, with EFBIG if there is no room.
 */
int libsp_open_to_map(int fd, uint64_t *room)
{
	struct stat status;
	int copy = -1;

	if (fstat(fd, &status)) {
		close(fd);
		return -1;
	}
	if (!is_of_others(fd, &status))
		return fd;
	if ((uint64_t)status.st_size <= *room) {
		copy = copy_to_memory(fd, status.st_size);
		if (copy >= 0)
			*room -= (uint64_t)status.st_size;
		close(fd);
		return copy;
	}
	close(fd);
	errno = EFBIG;
	return -1;
}

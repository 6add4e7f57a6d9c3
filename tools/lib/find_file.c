// SPDX-License-Identifier: GPL-2.0-only
/*
 * find_file: the file that a process mapped, as that process sees it: in its
 * container, below another root, or here.
 *
 * Paths come from whoever ran programs: nothing but regular files is opened, and no
 * link leads out of a container. No state.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbolize.h"

#define DELETED " (deleted)"

/* @path below the directory, whatever links say. */
static int open_below(int directory, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof(how));
	/* Kernels before 5.6 do not have that call, and a sandbox forbids it. */
	bool missing = fd < 0 && (errno == ENOSYS || errno == EPERM);

	if (!missing)
		return fd;
	while (*path == '/')
		path++;
	return openat(directory, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* Opened to be read, once it is known to be harmless. */
static int open_regular(int handle, struct sp_found *found)
{
	struct stat status;
	char path[64];

	if (handle < 0)
		return -1;
	found->fd = -1;
	if (!fstat(handle, &status) && S_ISREG(status.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
		found->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		found->device = status.st_dev;
		found->inode = status.st_ino;
	}
	close(handle);
	return found->fd;
}

static bool same_directory(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* A program that was deleted lives on as its process's exe. */
static int open_deleted(int pid, const char *path)
{
	char link[64], text[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, text, sizeof(text) - 1);
	if (length < 0)
		return -1;
	text[length] = '\0';
	return strcmp(text, path) ? -1 : open(link, O_PATH | O_CLOEXEC);
}

static bool is_deleted(const char *path)
{
	size_t length = strlen(path), end = strlen(DELETED);

	return length > end && !strcmp(path + length - end, DELETED);
}

/*
 * Directories of debug files for what is below @root: those there, that of the file
 * itself, and, if @here, those of this machine.
 */
static char *debug_path_below(const char *root, const char *debug_path, bool here,
			      struct schedprof_error *error)
{
	struct sp_buffer text = { };
	const char *at = debug_path;
	size_t length;

	if (!*root) {
		/* The file's own directory, and .debug in it. */
		sp_buffer_print(&text, ":.debug:%s", debug_path);
		return sp_buffer_take(&text, NULL, error);
	}
	sp_buffer_text(&text, root);
	for (; *at; at += length + (at[length] == ':')) {
		length = strcspn(at, ":");
		sp_buffer_print(&text, ":%s%.*s", root, (int)length, at);
	}
	if (here)
		sp_buffer_print(&text, ":%s", debug_path);
	return sp_buffer_take(&text, NULL, error);
}

static int take_from(const char *root, const char *path, struct sp_found *found)
{
	int directory = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (directory < 0)
		return -1;
	fd = open_regular(open_below(directory, path), found);
	close(directory);
	return fd;
}

/*
 * @root: "" or NULL: not set. @pid: 0: none. Return: 0, also if there is no such file:
 * then found->fd is -1; or a negative code.
 */
int sp_find_file(const char *root, const char *debug_path, int pid, const char *path,
		 struct sp_found *found, struct schedprof_error *error)
{
	bool set = root && *root;
	char process[64] = "";

	*found = (struct sp_found){ .fd = -1 };
	if (*path != '/')
		return 0;
	if (!set && pid > 0) {
		snprintf(process, sizeof(process), "/proc/%d/root", pid);
		/* If it is over, what is left is a file of that name here. */
		if (same_directory(process, "/") || access(process, F_OK))
			*process = '\0';
	}
	if (!set)
		root = process;
	if (is_deleted(path)) {
		if (!set && pid > 0)
			open_regular(open_deleted(pid, path), found);
	} else {
		take_from(root, path, found);
	}
	if (found->fd < 0)
		return 0;
	found->debug_path = debug_path_below(root, debug_path, !set, error);
	if (found->debug_path)
		return 0;
	close(found->fd);
	found->fd = -1;
	return -SCHEDPROF_NO_MEMORY;
}

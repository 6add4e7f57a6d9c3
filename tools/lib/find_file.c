// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * find_file: where the file that a process mapped may be: in that process, as long
 * as the process lives; in its container, below another root, or here; or by the
 * build-id. Whether a file is the very one that was mapped is for the caller to find
 * out. A search is used by one thread.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "debug_path.h"
#include "find_file.h"
#include "open_file.h"
#include "schedprof.h"

#define DELETED " (deleted)"
/* Fedora has links by build-id there, to the programs and not to debug files. */
#define BUILD_ID_LINKS "/usr/lib"

enum step {
	IN_PROCESS,	/* what the process has mapped there, under whatever name */
	AS_PROGRAM,	/* a program that was deleted */
	BY_PATH,	/* as the process sees it, or below the root that was set */
	HERE,		/* the same path on this machine */
	BY_BUILD_ID,
	BY_LINK,
	NOWHERE,
};

static bool same_directory(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

void libsp_search_begin(struct libsp_search *search, const struct libsp_wanted *wanted)
{
	*search = (struct libsp_search){
		.wanted = wanted,
		.debug_left = wanted->debug_path,
	};
	if (*wanted->root || wanted->pid <= 0)
		return;
	snprintf(search->process, sizeof(search->process), "/proc/%d/root", wanted->pid);
	/* If the process has ended, a file of that name here is what is left. */
	if (same_directory(search->process, "/") || access(search->process, F_OK))
		*search->process = '\0';
}

/* The one link of a process that may be followed: what it has mapped, or runs. */
static int open_link(const char *link, const char *path, struct stat *status)
{
	char text[4096];
	ssize_t length = readlink(link, text, sizeof(text) - 1);

	if (length < 0)
		return -1;
	text[length] = '\0';
	if (path && strcmp(text, path))
		return -1;
	return libsp_open_regular_handle(open(link, O_PATH | O_CLOEXEC), status);
}

static int open_mapped(const struct libsp_wanted *wanted, struct stat *status)
{
	char link[128];

	if (!wanted->mapping || wanted->pid <= 0)
		return -1;
	snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 wanted->pid, wanted->mapping->start, wanted->mapping->end);
	return open_link(link, NULL, status);
}

static int open_program(const struct libsp_wanted *wanted, struct stat *status)
{
	char link[64];

	if (wanted->pid <= 0)
		return -1;
	snprintf(link, sizeof(link), "/proc/%d/exe", wanted->pid);
	return open_link(link, wanted->path, status);
}

static bool is_deleted(const char *path)
{
	size_t length = strlen(path), end = strlen(DELETED);

	return length > end && !strcmp(path + length - end, DELETED);
}

static int open_path(const char *root, const struct libsp_wanted *wanted,
		     struct stat *status)
{
	/* A file whose name ends with " (deleted)" is there only to deceive. */
	if (is_deleted(wanted->path) || *wanted->path != '/')
		return -1;
	return libsp_open_regular(root, wanted->path, status);
}

static int open_build_id(const char *root, const char *directory, size_t length,
			 const struct libsp_wanted *wanted, struct stat *status)
{
	const struct schedprof_file *file = wanted->mapping ? wanted->mapping->file : NULL;
	char path[512];

	if (!file || !file->build_id || strlen(file->build_id) < 3 || length > 256)
		return -1;
	snprintf(path, sizeof(path), "%.*s/.build-id/%.2s/%s", (int)length, directory,
		 file->build_id, file->build_id + 2);
	return libsp_open_regular(root, path, status);
}

/* Looks in the next one of the directories of debug files. */
static int open_in_debug_path(struct libsp_search *search, const char *root,
			      struct stat *status)
{
	const char *directory;
	size_t length;

	directory = libsp_next_directory(&search->debug_left, &length);
	if (!directory)
		return -1;
	return open_build_id(root, directory, length, search->wanted, status);
}

static int try_step(struct libsp_search *search, const char *root, struct stat *status)
{
	const struct libsp_wanted *wanted = search->wanted;
	bool set = *wanted->root;

	switch (search->step) {
	case IN_PROCESS:
		search->step++;
		return set ? -1 : open_mapped(wanted, status);
	case AS_PROGRAM:
		search->step++;
		return set ? -1 : open_program(wanted, status);
	case BY_PATH:
		search->step++;
		return open_path(root, wanted, status);
	case HERE:
		search->step++;
		/* Only if the caller asks whether it is the file that was mapped. */
		return set || !*root || !wanted->mapping ? -1 :
		       open_path("", wanted, status);
	case BY_BUILD_ID:
		if (!*search->debug_left) {
			search->step++;
			return -1;
		}
		return open_in_debug_path(search, set ? root : "", status);
	default:
		search->step++;
		return open_build_id(set ? root : "", BUILD_ID_LINKS,
				     strlen(BUILD_ID_LINKS), wanted, status);
	}
}

/* Return: false if there is no other place; else the caller closes found->fd. */
bool libsp_search_next(struct libsp_search *search, struct libsp_found *found)
{
	found->root = *search->wanted->root ? search->wanted->root : search->process;
	while (search->step < NOWHERE) {
		found->fd = try_step(search, found->root, &found->status);
		if (found->fd >= 0)
			return true;
	}
	return false;
}

/* Not all file systems tell the generation of a file; an overlay does not. */
static bool is_other_generation(int fd, uint32_t generation)
{
	/* The request is declared with a long, and writes an int. */
	unsigned int version[2] = { };

	return !ioctl(fd, FS_IOC_GETVERSION, version) && version[0] != generation;
}

/* Is that the file of the recording, not changed since then? */
bool libsp_is_inode(int fd, const struct stat *status, const struct schedprof_file *file)
{
	return file->inode == status->st_ino &&
	       file->device_major == major(status->st_dev) &&
	       file->device_minor == minor(status->st_dev) &&
	       file->mtime_ns == (int64_t)status->st_mtim.tv_sec * 1000000000 +
				 status->st_mtim.tv_nsec &&
	       !is_other_generation(fd, file->generation);
}

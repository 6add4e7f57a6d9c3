// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * find_debug: separate debug files, by build-id or by the name that stands in the
 * program. Anybody may have made the program: what it names is opened only if it is
 * a regular file in one of the directories for debug files, and taken only if it
 * belongs to the program. No state, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "buffer.h"
#include "debug_path.h"
#include "elf_image.h"
#include "find_debug.h"
#include "open_file.h"

struct debug {
	const char *build_id;	/* NULL: the program has none */
	const char *link;	/* NULL: none; else a name without directories */
	uint32_t crc;		/* of the linked file; 0: the program does not tell */
	uint64_t *room;		/* bytes that may still be read for checksums */
	bool *refused;		/* set if that was not enough */
};

static bool has_crc(int fd, const struct stat *status, const struct debug *debug)
{
	static const size_t room = 1 << 20;
	uLong crc = crc32(0, NULL, 0);
	unsigned char *bytes;
	off_t at = 0;
	ssize_t got = -1;

	if ((uint64_t)status->st_size > *debug->room) {
		*debug->refused = true;
		return false;
	}
	*debug->room -= (uint64_t)status->st_size;
	bytes = malloc(room);
	while (bytes) {
		got = pread(fd, bytes, room, at);
		if (got <= 0)
			break;
		crc = crc32(crc, bytes, (uInt)got);
		at += got;
		/* A file that grows meanwhile would never end. */
		if (at > status->st_size) {
			got = -1;
			break;
		}
	}
	free(bytes);
	return !got && (uint32_t)crc == debug->crc;
}

/* Return: the file, if it is the debug file that is looked for; or -1. */
static int open_debug_file(const char *root, const char *path, const struct debug *debug)
{
	struct stat status;
	int fd = libsp_open_regular(root, path, &status);
	bool right;

	if (fd < 0)
		return -1;
	if (debug->build_id)
		right = libsp_has_build_id(fd, debug->build_id);
	else
		right = has_crc(fd, &status, debug);
	if (right)
		return fd;
	close(fd);
	return -1;
}

static int open_debug_in(const char *root, const char *directory, const char *below,
			 const char *name, const struct debug *debug)
{
	struct libsp_buffer path = { };
	int fd = -1;

	libsp_buffer_print(&path, "%s%s/%s", directory, below, name);
	libsp_buffer_add(&path, "", 1);
	if (!path.failed)
		fd = open_debug_file(root, (const char *)path.at, debug);
	libsp_buffer_free(&path);
	return fd;
}

/* Looks in a directory of debug files, and in the directory of the program below it. */
static int find_in_directory(const char *root, const char *debug_directory,
			     const char *place, const struct debug *debug)
{
	char name[256];
	int fd = -1;

	if (debug->build_id && strlen(debug->build_id) > 2) {
		snprintf(name, sizeof(name), ".build-id/%.2s/%s.debug", debug->build_id,
			 debug->build_id + 2);
		fd = open_debug_in(root, debug_directory, "", name, debug);
	}
	if (fd < 0 && debug->link)
		fd = open_debug_in(root, debug_directory, place, debug->link, debug);
	return fd;
}

static int find_in_directories(const char *root, const char *debug_path,
			       const char *place, const struct debug *debug)
{
	char directory[1024];
	const char *at;
	size_t length;
	int fd = -1;

	while (fd < 0 && (at = libsp_next_directory(&debug_path, &length))) {
		if (length >= sizeof(directory))
			continue;
		memcpy(directory, at, length);
		directory[length] = '\0';
		fd = find_in_directory(root, directory, place, debug);
	}
	return fd;
}

/*
 * Finds the debug file of the program @path below @root; "" is the root directory.
 * @build_id and @link, with its @crc, are what the program says, or NULL. @room: bytes that
 * may still be read for checksums, as anybody may make large files; @refused: set if there were
 * not enough for a file. Return: the open debug file, or -1.
 */
int libsp_find_debug(const char *root, const char *debug_path, const char *path,
		     const char *build_id, const char *link, uint32_t crc,
		     uint64_t *room, bool *refused)
{
	struct debug debug = {
		.build_id = build_id, .crc = crc, .room = room, .refused = refused,
	};
	char place[4096] = "", *slash;
	int fd = -1;

	/* The link is the name of a file, so it has no directories in it. */
	if (link && *link && !strchr(link, '/'))
		debug.link = link;
	if (strlen(path) < sizeof(place))
		strcpy(place, path);
	slash = strrchr(place, '/');
	if (slash)
		*slash = '\0';
	if (debug.link) {
		fd = open_debug_in(root, place, "", debug.link, &debug);
		if (fd < 0)
			fd = open_debug_in(root, place, "/.debug", debug.link, &debug);
	}
	if (fd < 0)
		fd = find_in_directories(root, debug_path, place, &debug);
	return fd;
}

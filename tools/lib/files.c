// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * files: read small files whole, and find where file systems are mounted. No
 * state.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "error.h"
#include "files.h"
#include "schedprof.h"

#define STEP 65536

/* Files in debugfs and proc do not tell how large they are: read to the end. */
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
			libsp_fail_errno(error, SCHEDPROF_IO, errno, "cannot read %s", path);
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

/* Blanks and the like are written as three octal digits. In place. */
static void unescape(char *text)
{
	char *out = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' && text[3] >= '0' &&
		    text[3] <= '7') {
			*out++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
					(text[3] - '0'));
			text += 3;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

/*
 * Where the file system @type is mounted first, by the file @mounts. NULL and no
 * error: nowhere. A file system that shows only a part of itself has it elsewhere,
 * but those that we look for never do.
 */
char *libsp_mount_of(const char *type, const char *mounts,
		     struct schedprof_error *error)
{
	char *text, *line, *rest, *found = NULL;

	if (error)
		error->code = SCHEDPROF_OK;
	text = libsp_read_file(mounts, NULL, error);
	if (!text)
		return NULL;
	for (line = strtok_r(text, "\n", &rest); line && !found;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *fields, *directory, *which;

		if (!strtok_r(line, " ", &fields))
			continue;
		directory = strtok_r(NULL, " ", &fields);
		which = strtok_r(NULL, " ", &fields);
		if (!directory || !which || strcmp(which, type))
			continue;
		unescape(directory);
		found = strdup(directory);
		if (!found)
			libsp_no_memory(error);
	}
	free(text);
	return found;
}

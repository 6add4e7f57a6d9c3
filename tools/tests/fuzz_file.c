// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_file: what a fuzzer was given, as a file: below /dev/shm, if there is that, as each
 * run writes some. One thread.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz_file.h"
#include "raw_format.h"

static char directory[64];

static void remove_directory(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		warnx("cannot remove %s", directory);
}

/* Return: the directory, without any file at first. */
const char *fuzz_directory(void)
{
	if (*directory)
		return directory;
	snprintf(directory, sizeof(directory), "%s/schedprof-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(directory))
		err(1, "%s", directory);
	atexit(remove_directory);
	return directory;
}

/* Writes a file of the directory anew. Return: its path, until the next one. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
	static char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", fuzz_directory(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		err(1, "%s", path);
	close(fd);
	return path;
}

/* Sets the checksums of records right, which would keep a fuzzer out. */
void fuzz_checksums(uint8_t *at, size_t size)
{
	struct sp_raw_record head;
	size_t length;

	while (size >= sizeof(head)) {
		memcpy(&head, at, sizeof(head));
		length = sizeof(head) + ((size_t)head.bytes + 7) / 8 * 8;
		if (head.bytes > SP_RAW_MAX_BYTES || length > size)
			return;
		head.crc = 0;
		memcpy(at, &head, sizeof(head));
		head.crc = (uint32_t)crc32(0, at, (uInt)(sizeof(head) + head.bytes));
		memcpy(at, &head, sizeof(head));
		memset(at + sizeof(head) + head.bytes, 0,
		       length - sizeof(head) - head.bytes);
		at += length;
		size -= length;
	}
}

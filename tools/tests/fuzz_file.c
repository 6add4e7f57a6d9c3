// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_file: what a fuzzer was given, as a file: below /dev/shm, if there is that, as each
 * run writes some. One thread.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz_file.h"

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

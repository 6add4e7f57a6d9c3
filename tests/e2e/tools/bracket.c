// SPDX-License-Identifier: GPL-2.0-only
/*
 * bracket: enables a session, waits, reads one of its statistics, and tells
 * between which two numbers the kernel's own count of context switches puts
 * it. Quick, because every switch between two readings is slop.
 *
 * bracket ENABLE-FILE RESULT-FILE NAME MILLISECONDS
 *
 * Prints "at_least A at_most B counted C".
 */
#include <stdbool.h>

#include "../workloads/work.h"

static uint64_t value_in(const char *path, const char *name)
{
	static char text[1 << 16];
	size_t have = 0, n = strlen(name);
	char *line, *rest = text;
	ssize_t got;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd < 0)
		die("cannot open %s", path);
	while (have < sizeof(text) - 1 &&
	       (got = read(fd, text + have, sizeof(text) - 1 - have)) > 0)
		have += (size_t)got;
	text[have] = '\0';
	close(fd);
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, name, n) && line[n] == ' ')
			return strtoull(line + n, NULL, 10);
	die("there is no %s in %s", name, path);
}

static uint64_t kernels_count(void)
{
	return value_in("/proc/stat", "ctxt");
}

int main(int argc, char **argv)
{
	uint64_t before, enabled, reading, after, counted;
	int fd;

	if (argc != 5)
		die("expected ENABLE-FILE RESULT-FILE NAME MILLISECONDS");
	fd = open(argv[1], O_WRONLY);
	if (fd < 0)
		die("cannot open %s", argv[1]);
	before = kernels_count();
	if (write(fd, "1", 1) != 1)
		die("cannot enable");
	enabled = kernels_count();
	usleep((useconds_t)number(argv[4], 1000000) * 1000);
	reading = kernels_count();
	counted = value_in(argv[2], argv[3]);
	after = kernels_count();
	printf("at_least %llu at_most %llu counted %llu\n",
	       (unsigned long long)(reading - enabled),
	       (unsigned long long)(after - before),
	       (unsigned long long)counted);
	return 0;
}

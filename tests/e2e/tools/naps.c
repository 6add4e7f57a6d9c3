// SPDX-License-Identifier: GPL-2.0-only
/*
 * naps: switch a session on or off, and tell which naps its threads had begun then.
 *
 * naps on|off NAPPERS ENABLE		see workloads/nappers.c; ENABLE is the attribute
 *
 * Prints "TID NAPS" for each thread: those begun before the session was switched off,
 * or after it was switched on. So the naps between two such moments were in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct napper {
	uint64_t tid, begun;
};

static void die(const char *what)
{
	fprintf(stderr, "naps: %s: %s\n", what, strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	struct napper *shared, *copy;
	size_t i, bytes;
	struct stat st;
	int on, fd, attribute;

	if (argc != 4)
		die("expected on|off NAPPERS ENABLE");
	on = !strcmp(argv[1], "on");
	fd = open(argv[2], O_RDONLY);
	attribute = open(argv[3], O_WRONLY);
	if (fd < 0 || attribute < 0 || fstat(fd, &st))
		die("cannot open");
	bytes = (size_t)st.st_size;
	shared = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	copy = calloc(1, bytes);
	if (shared == MAP_FAILED || !copy)
		die("cannot get memory");
	/* All of it is in memory before it counts. */
	memcpy(copy, shared, bytes);
	if (!on)
		memcpy(copy, shared, bytes);
	if (write(attribute, on ? "1\n" : "0\n", 2) != 2)
		die("cannot write the attribute");
	if (on)
		memcpy(copy, shared, bytes);
	for (i = 0; i < bytes / sizeof(*copy); i++)
		printf("%" PRIu64 " %" PRIu64 "\n", copy[i].tid, copy[i].begun);
	return 0;
}

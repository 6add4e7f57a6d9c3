// SPDX-License-Identifier: GPL-2.0-only
/*
 * put: writes a text to a file with one write() and prints "ok" or the name
 * of the error, which a shell does not tell.
 *
 * put FILE TEXT
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd;

	if (argc != 3)
		return 2;
	fd = open(argv[1], O_WRONLY);
	if (fd < 0 || write(fd, argv[2], strlen(argv[2])) < 0) {
		puts(strerrorname_np(errno));
		return 1;
	}
	puts("ok");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold: keeps files open while what is behind them goes away.
 *
 * hold FILE...
 *
 * Opens each twice and reads a little through one of the two. Gate "holding";
 * then reads on and prints "held FILE" with the number of bytes or the name
 * of the error. Gate "end" before it closes them.
 */
#include "../workloads/work.h"

static void read_on(const char *path, int fd)
{
	char buffer[4096];
	size_t total = 0;
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		total += (size_t)n;
	if (n < 0)
		printf("held %s %s\n", path, strerrorname_np(errno));
	else
		printf("held %s %zu\n", path, total);
}

int main(int argc, char **argv)
{
	int i, j, (*fd)[2] = calloc((size_t)argc, sizeof(*fd));
	char byte;

	for (i = 1; i < argc; i++) {
		for (j = 0; j < 2; j++) {
			fd[i][j] = open(argv[i], O_RDONLY | O_CLOEXEC);
			if (fd[i][j] < 0)
				die("cannot open %s", argv[i]);
		}
		if (read(fd[i][1], &byte, 1) < 0)
			die("cannot read %s", argv[i]);
	}
	wait_at_gate("holding");
	for (i = 1; i < argc; i++)
		for (j = 0; j < 2; j++)
			read_on(argv[i], fd[i][j]);
	wait_at_gate("end");
	return 0;
}

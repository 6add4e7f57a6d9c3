// SPDX-License-Identifier: GPL-2.0-only
/*
 * births: children that end at once, where they are born, or behind a move: births COUNT
 *
 * Between the gates "ready" and "end" there are so many of either kind, one after the other, on
 * two CPUs at least. All have a fixed priority of real time. So who would share its CPU with its
 * parent is born on another one, and mostly nobody moves it from there; and who is born on CPU 1,
 * to which its parent is bound, is moved to CPU 0 by itself, and ends there. For each it prints
 * "born TID moves COUNT", as the kernel told the child itself; where it does not, what is meant
 * to be.
 */
#include <string.h>
#include <sys/wait.h>

#include "work.h"

/* How often the kernel moved this task. */
static int moved(int meant)
{
	FILE *sched = fopen("/proc/self/sched", "r");
	char line[256];

	while (sched && fgets(line, sizeof(line), sched))
		if (strstr(line, "nr_migrations"))
			sscanf(line, "%*[^:]: %d", &meant);
	return meant;
}

static void bear(unsigned int count, int moves)
{
	int status;
	pid_t child;

	while (count--) {
		child = fork();
		if (child < 0)
			die("cannot fork");
		if (!child) {
			if (moves)
				pin(0);
			_exit(moved(moves));
		}
		if (waitpid(child, &status, 0) != child)
			die("cannot wait");
		printf("born %d moves %d\n", (int)child, WEXITSTATUS(status));
	}
}

int main(int argc, char **argv)
{
	unsigned int count;

	if (argc != 2)
		die("expected a count");
	count = (unsigned int)number(argv[1], 10000);
	become_fifo(20);
	wait_at_gate("ready");
	bear(count, 0);
	pin(1);
	bear(count, 1);
	wait_at_gate("end");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * bearer: a parent with a fixed priority of real time that keeps the CPU to itself, on which
 * its child, which has none, waits to run for the first time: bearer CPU MS
 *
 * After a gate ("ready") it says "born PID FROM TO", the child's PID and, in ns of the
 * monotonic clock, around its birth, and runs for so long. The child says "ran", and ends.
 */
#include "work.h"

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 20 };
	uint64_t from, to, end;
	pid_t child;

	if (argc != 3)
		die("expected a CPU and a time");
	pin((int)number(argv[1], 1023));
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		die("cannot become a task of fixed priority");
	wait_at_gate("ready");
	from = clock_ns(CLOCK_MONOTONIC);
	child = fork();
	to = clock_ns(CLOCK_MONOTONIC);
	if (child < 0)
		die("cannot make a child");
	if (!child) {
		puts("ran");
		fflush(stdout);
		_exit(0);
	}
	printf("born %d %llu %llu\n", (int)child, (unsigned long long)from,
	       (unsigned long long)to);
	fflush(stdout);
	end = to + number(argv[2], 60000) * 1000000;
	while (clock_ns(CLOCK_MONOTONIC) < end)
		;
	return 0;
}

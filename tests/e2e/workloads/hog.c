// SPDX-License-Identifier: GPL-2.0-only
/*
 * hog: after a gate ("ready") it keeps its CPU to itself, in user mode, with a
 * fixed priority of real time, until it is killed.
 *
 * hog CPU [PRIORITY RUN_US NAP_US [TASK]]
 *
 * With RUN_US it naps after each so many microseconds, so that others run in between, and are
 * preempted wherever they are. With TASK it tells that one to go on all the time while it runs,
 * which wakes nobody who is not stopped.
 */
#include <signal.h>

#include "work.h"

static void run(uint64_t ns, pid_t task)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + ns;

	while (clock_ns(CLOCK_MONOTONIC) < end)
		if (task && kill(task, SIGCONT))
			die("cannot tell %d", (int)task);
}

int main(int argc, char **argv)
{
	uint64_t run_us = 0, nap_us = 0;
	int priority = 20;
	pid_t task = 0;

	if (argc != 2 && argc != 5 && argc != 6)
		die("expected a CPU, and perhaps a priority and two times");
	pin((int)number(argv[1], 1023));
	if (argc >= 5) {
		priority = (int)number(argv[2], 99);
		run_us = number(argv[3], 1000000);
		nap_us = number(argv[4], 1000000);
	}
	if (argc == 6)
		task = (pid_t)number(argv[5], INT32_MAX);
	become_fifo(priority);
	wait_at_gate("ready");
	while (run_us) {
		run(run_us * 1000, task);
		usleep((useconds_t)nap_us);
	}
	for (;;)
		__asm__ __volatile__("" ::: "memory");
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * mover: has a CPU to itself, moves a task there that waits for another one, and goes on:
 * mover CPU TASK MS
 *
 * After a gate ("ready") it runs for so long, with a fixed priority of real time above that of
 * threads for interrupts, moves the task, runs for as long again, and ends. It says
 * "moved from F to T until U", in ns of the monotonic clock: around the move, and when it had
 * run enough.
 */
#include "work.h"

static uint64_t run(uint64_t ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), end = now + ns;

	while (now < end)
		now = clock_ns(CLOCK_MONOTONIC);
	return now;
}

int main(int argc, char **argv)
{
	uint64_t ns, from, to;
	cpu_set_t set;
	pid_t task;
	int cpu;

	if (argc != 4)
		die("expected a CPU, a task and a time");
	cpu = (int)number(argv[1], 1023);
	task = (pid_t)number(argv[2], INT32_MAX);
	ns = number(argv[3], 60000) * 1000000;
	pin(cpu);
	become_fifo(90);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	wait_at_gate("ready");
	from = run(ns);
	if (sched_setaffinity(task, sizeof(set), &set))
		die("cannot move %d", (int)task);
	to = clock_ns(CLOCK_MONOTONIC);
	printf("moved from %llu to %llu until %llu\n", (unsigned long long)from,
	       (unsigned long long)to, (unsigned long long)run(ns));
	return 0;
}

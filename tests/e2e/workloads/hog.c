// SPDX-License-Identifier: GPL-2.0-only
/*
 * hog: after a gate ("ready") it keeps its CPU to itself, in user mode, with a
 * fixed priority of real time, until it is killed.
 *
 * hog CPU
 */
#include <sched.h>

#include "work.h"

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 20 };

	if (argc != 2)
		die("expected a CPU");
	pin((int)number(argv[1], 1023));
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("cannot become a task of fixed priority");
	wait_at_gate("ready");
	for (;;)
		__asm__ __volatile__("" ::: "memory");
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * moved: a task goes from one CPU to another one, to and fro. Prints what one move takes, in
 * nanoseconds: "ns_per_move 5123".
 *
 * moved waiting | woken
 *	waiting: who waits for a CPU is sent to another one, by somebody else, and waits there;
 *	woken: who sleeps is woken on another CPU than it went to sleep on; measured is the write
 *	to a pipe that wakes it
 *
 * For two processors that take turns, whose nanoseconds are instructions of both. So it is the
 * median of many, each to and fro: during most of them the other processor had no turn.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

#define PAIRS	2000
#define NAP_NS	200000

static int to_other[2];

static void send_to(pid_t pid, unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		die("affinity");
}

/* How often the kernel has moved it, from its own books. */
static unsigned long moves_of(pid_t pid)
{
	unsigned long moves = 0;
	char line[256];
	FILE *file;

	snprintf(line, sizeof(line), "/proc/%d/sched", (int)pid);
	file = fopen(line, "r");
	if (!file)
		die(line);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "se.nr_migrations : %lu", &moves) == 1)
			break;
	fclose(file);
	return moves;
}

static void take_nap(void)
{
	struct timespec t = { .tv_nsec = NAP_NS };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static void wake(void)
{
	if (write(to_other[1], "o", 1) != 1)
		die("write");
}

/* It waits all the time, or sleeps. */
static void be_moved(int waits)
{
	struct sched_param param = { 0 };
	char byte;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || sched_setscheduler(0, SCHED_IDLE, &param))
		die("other");
	for (;;)
		if (!waits && read(to_other[0], &byte, 1) != 1)
			_exit(0);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct sched_param first = { .sched_priority = 1 };
	int waits = argc == 2 && !strcmp(argv[1], "waiting");
	static uint64_t ns[PAIRS];
	unsigned long before, moves;
	unsigned int i;
	pid_t other;

	if (argc != 2 || (!waits && strcmp(argv[1], "woken")))
		return 2;
	if (pipe(to_other))
		die("pipe");
	other = fork();
	if (other < 0)
		die("fork");
	if (!other)
		be_moved(waits);
	/* Whoever is moved to this CPU does not run there before the next nap. */
	send_to(0, 1);
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("scheduler");
	send_to(other, 1);
	/* Who sleeps goes there when it wakes. */
	if (!waits)
		wake();
	take_nap();
	before = moves_of(other);
	for (i = 0; i < 2 * PAIRS; i++) {
		uint64_t begin;

		if (waits) {
			begin = now();
			send_to(other, i & 1);
		} else {
			take_nap();
			send_to(other, i & 1);
			begin = now();
			wake();
		}
		ns[i / 2] += now() - begin;
	}
	moves = moves_of(other) - before;
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	if (moves != 2 * PAIRS) {
		fprintf(stderr, "moved: the kernel counts %lu moves, and not %d\n", moves,
			2 * PAIRS);
		return 1;
	}
	qsort(ns, PAIRS, sizeof(ns[0]), compare);
	printf("ns_per_move %.1f\n", (double)ns[PAIRS / 2] / 2);
	return 0;
}

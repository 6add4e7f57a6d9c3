// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring: a token goes round a ring of tasks over pipes; one hop is one voluntary
 * context switch. Prints what a hop takes, in nanoseconds, as the median of
 * several rounds: "ns_per_hop 4711.5".
 *
 * ring [-t TASKS] [-n HOPS] [-d DEPTH] [-p PLACES]
 *	-d: so many user frames deeper; -p: blocks at so many places in turn
 *
 * The tasks are of the class SCHED_BATCH: with the normal one a waker may be
 * preempted by whom it wakes, how often depends on how long the profiler takes,
 * and a slow profiler can look fast.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	5
#define FRAME	__attribute__((noinline, noclone))

static unsigned int tasks = 2, depth, places = 1;
static unsigned long hops = 20000;
static int (*pipes)[2];
static unsigned int me;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void give(void)
{
	if (write(pipes[(me + 1) % tasks][1], "o", 1) != 1)
		die("write");
}

/* Each place is a function of its own; every other one is another system call. */
#define PLACE(n)							\
static FRAME void take_##n(void)					\
{									\
	char byte;							\
	struct iovec io = { &byte, 1 };					\
	ssize_t got = (n) & 1 ? readv(pipes[me][0], &io, 1) :		\
				read(pipes[me][0], &byte, 1);		\
									\
	if (got != 1)							\
		die("read");						\
}

PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7)

static void (*const take[])(void) = {
	take_0, take_1, take_2, take_3, take_4, take_5, take_6, take_7,
};

static void play(unsigned long rounds)
{
	unsigned long i;

	for (i = 0; i < rounds; i++) {
		if (!me)
			give();
		take[i % places]();
		if (me)
			give();
	}
}

static FRAME void go_down(unsigned int frames, unsigned long rounds)
{
	if (frames)
		go_down(frames - 1, rounds);
	else
		play(rounds);
	__asm__ volatile("" ::: "memory");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || !n) {
		fprintf(stderr, "ring: expected a number above 0, not '%s'\n", text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct sched_param param = { 0 };
	double ns[ROUNDS];
	unsigned long per;
	cpu_set_t cpu;
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, "t:n:d:p:")) != -1) {
		switch (opt) {
		case 't':
			tasks = (unsigned int)number(optarg);
			break;
		case 'n':
			hops = number(optarg);
			break;
		case 'd':
			depth = (unsigned int)number(optarg);
			break;
		case 'p':
			places = (unsigned int)number(optarg);
			break;
		default:
			return 2;
		}
	}
	if (places > sizeof(take) / sizeof(take[0]) || tasks < 2)
		return 2;
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) ||
	    sched_setscheduler(0, SCHED_BATCH, &param))
		die("ring");
	pipes = calloc(tasks, sizeof(*pipes));
	if (!pipes)
		die("ring");
	for (i = 0; i < tasks; i++)
		if (pipe(pipes[i]))
			die("pipe");
	per = (hops + tasks - 1) / tasks;
	for (i = 1; i < tasks; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			me = i;
			/* The first round is for warming up. */
			go_down(depth, per * (ROUNDS + 1));
			_exit(0);
		}
	}
	go_down(depth, per);
	for (i = 0; i < ROUNDS; i++) {
		uint64_t begin = now();

		go_down(depth, per);
		ns[i] = (double)(now() - begin) / (double)(per * tasks);
	}
	while (wait(NULL) > 0)
		;
	qsort(ns, ROUNDS, sizeof(ns[0]), compare);
	printf("ns_per_hop %.1f\n", ns[ROUNDS / 2]);
	return 0;
}

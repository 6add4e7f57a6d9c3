// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls: makes known numbers of system calls: calls N NAPS
 *
 * Gates: "ready", "half", "end". Between the first two, and again between the
 * last two, the main thread calls getppid N times, another thread twice as often
 * and sleeps NAPS times for 2 ms. Prints "thread TID WHO calls N naps N wall_ns N"
 * at "half", for both threads: how long the naps took by its own clock.
 */
#include <pthread.h>

#include "work.h"

static unsigned long count, naps;
static uint64_t asleep_ns;
static pid_t other;
static pthread_barrier_t barrier;

static FRAME void call_often(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
	RETURNS_HERE();
}

static FRAME void nap_often(unsigned long n)
{
	const struct timespec t = { .tv_nsec = 2000000 };
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	while (n--)
		nanosleep(&t, NULL);
	asleep_ns = clock_ns(CLOCK_MONOTONIC) - begin;
}

static void *run(void *arg)
{
	other = (pid_t)syscall(SYS_gettid);
	for (;;) {
		pthread_barrier_wait(&barrier);
		call_often(2 * count);
		nap_often(naps);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void work(void)
{
	pthread_barrier_wait(&barrier);
	call_often(count);
	pthread_barrier_wait(&barrier);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3)
		return 2;
	count = strtoul(argv[1], NULL, 10);
	naps = strtoul(argv[2], NULL, 10);
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, run, NULL))
		die("cannot make a thread");
	wait_at_gate("ready");
	work();
	printf("thread %d main calls %lu naps 0 wall_ns 0\n", getpid(), count);
	printf("thread %d other calls %lu naps %lu wall_ns %llu\n", other,
	       2 * count, naps, (unsigned long long)asleep_ns);
	wait_at_gate("half");
	work();
	wait_at_gate("end");
	return 0;
}

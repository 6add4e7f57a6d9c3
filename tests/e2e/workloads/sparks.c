// SPDX-License-Identifier: GPL-2.0-only
/*
 * sparks: threads that are born, use a CPU for a short time, and end: sparks COUNT BURN_US
 *
 * Between the gates "ready" and "end" there are so many, one after the other, while their parent
 * sleeps. So most of them are never off it. They have a name of their own, and once all have
 * ended, so has their parent, "fire". It prints "sparks cpu_ns N": what they used of a CPU all
 * together, by their own clocks, but for how they end.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "work.h"

static uint64_t burn_ns, cpu_ns;
static volatile uint64_t ended;

static FRAME void *burn(void *arg)
{
	uint64_t now;

	prctl(PR_SET_NAME, "spark");
	do
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (now < burn_ns);
	__atomic_add_fetch(&cpu_ns, now, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	uint64_t i, count;

	if (argc != 3)
		die("expected a count and microseconds");
	count = number(argv[1], 1000000);
	burn_ns = number(argv[2], UINT32_MAX) * 1000;
	wait_at_gate("ready");
	for (i = 0; i < count; i++) {
		errno = pthread_create(&thread, NULL, burn, NULL);
		if (errno)
			die("cannot make a thread");
		pthread_detach(thread);
		/* Who is woken by one that ends might drive it out. */
		while (ended <= i)
			usleep(1000);
	}
	prctl(PR_SET_NAME, "fire");
	printf("sparks cpu_ns %llu\n", (unsigned long long)cpu_ns);
	wait_at_gate("end");
	return 0;
}

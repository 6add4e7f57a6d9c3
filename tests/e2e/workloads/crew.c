// SPDX-License-Identifier: GPL-2.0-only
/*
 * crew: a process whose threads want the same CPU all the time: crew CPU THREADS
 *
 * All but the first one are called "mate". For each it says "thread TID NAME"; after a gate
 * ("ready") they run until they are killed.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "work.h"

static volatile uint32_t phase, waiting;

static void run(void)
{
	for (;;)
		__asm__ __volatile__("" ::: "memory");
}

static void *be_a_mate(void *arg)
{
	if (prctl(PR_SET_NAME, "mate"))
		die("cannot change the name");
	printf("thread %d mate\n", my_tid());
	__atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	while (!phase)
		futex_wait(&phase, 0);
	run();
	return arg;
}

int main(int argc, char **argv)
{
	uint64_t threads, i;
	pthread_t thread;

	if (argc != 3)
		die("expected a CPU and how many threads");
	pin((int)number(argv[1], 1023));
	threads = number(argv[2], 100);
	printf("thread %d crew\n", my_tid());
	for (i = 1; i < threads; i++) {
		errno = pthread_create(&thread, NULL, be_a_mate, NULL);
		if (errno)
			die("cannot make thread %llu", (unsigned long long)i);
	}
	while (waiting < threads - 1)
		usleep(10000);
	wait_at_gate("ready");
	phase = 1;
	futex_wake_all(&phase);
	run();
}

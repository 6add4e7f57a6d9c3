// SPDX-License-Identifier: GPL-2.0-only
/*
 * fill: one system call on each of many distinct user stacks, by each of many threads.
 *
 * fill THREADS DIGITS
 *
 * The stacks are the ways through a binary tree of functions zero and one, which is
 * DIGITS high: 2^DIGITS of them, the same for all threads. A thread begins when the one
 * before is done, so that no two are in a call at the same time.
 *
 * Gates: "ready", when all threads are there; "full", when each made a call of getppid
 * on each stack; "end", when all have exited.
 */
#include <pthread.h>

#include "work.h"

#define STACK_BYTES	(64 * 1024)

static volatile uint32_t leave;
static unsigned int digits;

static FRAME void one(unsigned int left);

static FRAME void leaf(void)
{
	syscall(SYS_getppid);
	RETURNS_HERE();
}

static FRAME void zero(unsigned int left)
{
	if (!left)
		return leaf();
	zero(left - 1);
	one(left - 1);
	RETURNS_HERE();
}

static FRAME void one(unsigned int left)
{
	if (!left)
		return leaf();
	zero(left - 1);
	one(left - 1);
	/* Not the same code as zero(), or they would be made one. */
	__asm__ volatile("nop" : : : "memory");
}

static FRAME void waits_for(volatile uint32_t *word)
{
	while (!*word)
		futex_wait(word, 0);
	RETURNS_HERE();
}

static void give(volatile uint32_t *word)
{
	*word = 1;
	futex_wake_all(word);
}

static void *run(void *arg)
{
	volatile uint32_t *turn = arg;

	waits_for(turn);
	zero(digits - 1);
	one(digits - 1);
	give(turn + 1);
	waits_for(&leave);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t *threads;
	volatile uint32_t *turns;
	pthread_attr_t attr;
	uint32_t i, n;

	if (argc != 3)
		die("expected THREADS DIGITS");
	n = (uint32_t)number(argv[1], 100000);
	digits = (unsigned int)number(argv[2], 24);
	threads = calloc(n, sizeof(*threads));
	turns = calloc(n + 1, sizeof(*turns));
	if (!threads || !turns || !digits)
		die("cannot begin");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (i = 0; i < n; i++) {
		errno = pthread_create(&threads[i], &attr, run, (void *)&turns[i]);
		if (errno)
			die("cannot make thread %u", i);
	}
	wait_at_gate("ready");
	give(&turns[0]);
	waits_for(&turns[n]);
	wait_at_gate("full");
	give(&leave);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	wait_at_gate("end");
	return 0;
}

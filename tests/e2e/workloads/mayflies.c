// SPDX-License-Identifier: GPL-2.0-only
/*
 * mayflies: threads that are born, sleep, are woken and die, as many as the machine
 * gives, until it is killed: mayflies BROODS THREADS
 *
 * Each brood of so many threads is woken by its parent all at once, and dies while
 * others are woken and born. Says "at mayflies" when all are there.
 */
#include <pthread.h>

#include "work.h"

/* Some machines want no less. */
#define STACK_BYTES	131072

struct brood {
	unsigned int size;
	volatile uint32_t woken;
};

/* Nobody breeds before all are there: who makes them would get no processor. */
static volatile uint32_t began;

static FRAME void *lives(void *arg)
{
	struct brood *brood = arg;

	while (!brood->woken)
		futex_wait(&brood->woken, 0);
	return arg;
}

static FRAME void *breeds(void *arg)
{
	struct brood *brood = arg;
	pthread_t *threads = calloc(brood->size, sizeof(*threads));
	pthread_attr_t attr;
	unsigned int i;

	if (!threads || pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, STACK_BYTES))
		die("cannot set up");
	while (!began)
		futex_wait(&began, 0);
	for (;;) {
		brood->woken = 0;
		for (i = 0; i < brood->size; i++)
			if (pthread_create(&threads[i], &attr, lives, brood))
				die("cannot make a thread");
		brood->woken = 1;
		futex_wake_all(&brood->woken);
		for (i = 0; i < brood->size; i++)
			pthread_join(threads[i], NULL);
	}
	return arg;
}

int main(int argc, char **argv)
{
	unsigned int i, n, size;
	pthread_t thread;

	if (argc != 3)
		die("expected BROODS THREADS");
	n = (unsigned int)number(argv[1], 1000);
	size = (unsigned int)number(argv[2], 1000);
	/* Of those who start it, some are in a hurry. */
	if (setpriority(PRIO_PROCESS, 0, 0))
		die("cannot have the usual priority");
	for (i = 0; i < n; i++) {
		struct brood *brood = calloc(1, sizeof(*brood));

		if (!brood)
			die("cannot set up");
		brood->size = size;
		if (pthread_create(&thread, NULL, breeds, brood))
			die("cannot make a thread");
	}
	printf("at mayflies\n");
	fflush(stdout);
	began = 1;
	futex_wake_all(&began);
	for (;;)
		pause();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A C program for tests/accuracy, of which there is a static-pie one, one of musl, and
 * one of 32 bits with frame pointers: what sleeps and computes below functions of the C
 * library, below a handler of a signal, with rooms of any size on its stack, and in threads.
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void nap(void)
{
	struct timespec t = { .tv_nsec = 200000 };

	nanosleep(&t, NULL);
}

static int compare(const void *a, const void *b)
{
	nap();
	return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) int on_the_stack(int n)
{
	volatile char *room = alloca(n * 16 + 1);

	room[n] = 1;
	nap();
	return room[n];
}

static __attribute__((noinline)) int deep(int depth)
{
	int sum = on_the_stack(depth);

	return depth ? deep(depth - 1) + sum : sum;
}

static void handler(int signal)
{
	(void)signal;
	nap();
}

static void *work(void *unused)
{
	char text[4096];
	size_t sum = 0;

	(void)unused;
	for (;;) {
		int numbers[] = { 3, 1, 2 };
		int i;

		qsort(numbers, 3, sizeof(*numbers), compare);
		sum += deep(20);
		raise(SIGUSR1);
		for (i = 0; i < 200; i++) {
			snprintf(text, sizeof(text), "%0*d %zu", 500 + i, i, sum);
			sum += strlen(text);
		}
	}
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk_me: a program without frame pointers, to be walked at any instruction: recursion
 * with frames whose size is known at run time only, calls through the linkage table, back
 * out of the C library, a signal handler within one, the vdso. One thread.
 */
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t handled;
static int numbers[64];

static __attribute__((noinline)) int deep(int n)
{
	size_t size = (size_t)(n * 37 % 203 + 1);
	char *room = alloca(size);
	int below;

	memset(room, n, size);
	if (!n) {
		raise(SIGUSR1);
		return room[0];
	}
	below = deep(n - 1);
	return below + room[size / 2];
}

static int compare(const void *a, const void *b)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return *(const int *)a - *(const int *)b;
}

static void handle(int signal)
{
	char text[64];

	/* A signal within the handler of one, as deep as two go. */
	if (signal == SIGUSR1)
		raise(SIGUSR2);
	handled += snprintf(text, sizeof(text), "%d %f", signal, 1.5 * signal);
}

int main(void)
{
	int i, sum;

	for (i = 0; i < 64; i++)
		numbers[i] = i * 7919 % 64;
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	raise(SIGSTOP);
	sum = deep(20);
	qsort(numbers, 12, sizeof(numbers[0]), compare);
	free(malloc((size_t)sum % 1000 + 1));
	return handled && !numbers[0] ? 0 : 1;
}

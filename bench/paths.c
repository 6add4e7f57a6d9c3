// SPDX-License-Identifier: GPL-2.0-only
/*
 * paths: the same short loop again and again, at the end of so many calls; each time by
 * another way, or always by the same one. Prints what one of them takes, in nanoseconds, as the
 * median of several rounds: "ns_per_way 50123.4".
 *
 * paths FRAMES [known | first]
 *	known: always the same way;
 *	first: before all that is of no real time: what is left to a worker has no turn meanwhile
 *
 * A loop is half as long as the time from one sample to the next. So no two samples are of one
 * loop, and with other ways each has a stack that no sample had before. It is a single
 * instruction, so that with the same way all samples are of the same stack.
 */
#include <sched.h>
#include <string.h>

#include "load.h"

#define ROUNDS	5
#define WAYS	5000		/* of a round */
#define TURNS	50000		/* of a loop; one instruction each, one nanosecond */
#define LEAST	16		/* frames: more ways than all rounds take */
#define MOST	48		/* what a session keeps by default is some more */
#define FRAME	__attribute__((noinline, noclone))

/* Inside of the last call: a function that calls nothing may be without a frame. */
static inline __attribute__((always_inline)) void stay(void)
{
	unsigned long turns = TURNS;

	__asm__ volatile("1: loop 1b" : "+c" (turns) : : "memory");
}

/* As many ways down as there are numbers of as many bits. */
static void way(uint64_t number, unsigned int bits);

#define WAY(n)								\
static FRAME void way_##n(uint64_t number, unsigned int bits)		\
{									\
	way(number, bits);						\
	__asm__ volatile("" ::: "memory");				\
}

WAY(0) WAY(1)

static inline __attribute__((always_inline)) void way(uint64_t number, unsigned int bits)
{
	if (!bits)
		stay();
	else if (number & 1)
		way_1(number >> 1, bits - 1);
	else
		way_0(number >> 1, bits - 1);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	unsigned int bits = argc > 1 ? (unsigned int)atoi(argv[1]) : 0, i, n;
	int known = argc > 2 && !strcmp(argv[2], "known");
	int first = argc > 2 && !strcmp(argv[2], "first");
	struct sched_param param = { .sched_priority = 1 };
	uint64_t number = 0, begin;
	double ns[ROUNDS];

	if (bits < LEAST || bits > MOST) {
		fprintf(stderr, "paths: expected %d to %d frames\n", LEAST, MOST);
		return 2;
	}
	if (first && sched_setscheduler(0, SCHED_FIFO, &param))
		die("paths");
	for (i = 0; i < ROUNDS; i++) {
		begin = now();
		for (n = 0; n < WAYS; n++) {
			/* An odd factor: the lowest bits are others for each, in no order. */
			way(number * 0x9e3779b97f4a7c15, bits);
			number += !known;
		}
		ns[i] = (double)(now() - begin) / WAYS;
	}
	qsort(ns, ROUNDS, sizeof(ns[0]), compare);
	printf("ns_per_way %.1f\n", ns[ROUNDS / 2]);
	return 0;
}

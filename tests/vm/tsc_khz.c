// SPDX-License-Identifier: GPL-2.0-only
/*
 * tsc_khz: how fast the time stamp counter of this machine counts, in kHz.
 *
 * It is what an emulated kernel would find out by itself, if nobody took the processor
 * from it meanwhile. Each moment is that of the shortest of many pairs of looks at both
 * clocks, so it does not matter here.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define LOOKS		1000
#define APART_NS	300000000

struct moment {
	uint64_t ns, cycles;
};

static uint64_t raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct moment look(void)
{
	struct moment best = { 0 };
	uint64_t shortest = UINT64_MAX;
	int i;

	for (i = 0; i < LOOKS; i++) {
		uint64_t before = raw_ns(), cycles = __rdtsc(), after = raw_ns();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		best = (struct moment){ before + shortest / 2, cycles };
	}
	return best;
}

int main(void)
{
	const struct timespec apart = { .tv_nsec = APART_NS };
	struct moment begin = look(), end;

	nanosleep(&apart, NULL);
	end = look();
	printf("%.0f\n", (end.cycles - begin.cycles) * 1e6 / (end.ns - begin.ns));
	return 0;
}

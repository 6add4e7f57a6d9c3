// SPDX-License-Identifier: GPL-2.0-only
/*
 * monotonic: prints the monotonic clock in nanoseconds, the clock that
 * sessions use, so that a test can say between which two moments it acted.
 *
 * monotonic [-a]	-a: also the clock that goes on while suspended, and the
 *			processor's time stamp counter (0 if it has none)
 */
#include <stdio.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

static unsigned long long ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static unsigned long long cycles(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	return 0;
#endif
}

int main(int argc, char **argv)
{
	if (argc < 2)
		printf("%llu\n", ns(CLOCK_MONOTONIC));
	else
		printf("%llu %llu %llu\n", ns(CLOCK_MONOTONIC),
		       ns(CLOCK_BOOTTIME), cycles());
	return 0;
}

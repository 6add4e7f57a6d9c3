// SPDX-License-Identifier: GPL-2.0-only
/*
 * monotonic: prints the monotonic clock in nanoseconds, the clock that
 * sessions use, so that a test can say between which two moments it acted.
 */
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	printf("%lld%09ld\n", (long long)t.tv_sec, t.tv_nsec);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * deep: naps on a stack of so many frames; so many of a length, and then of others.
 *
 * deep FRAMES NAPS MICROSECONDS [NAPS MICROSECONDS...]
 *
 * Gates: "ready" and "end", both down there.
 */
#include "work.h"

static char **lengths;

static inline __attribute__((always_inline)) void nap(uint64_t naps, uint64_t nap_us)
{
	struct timespec t = { .tv_nsec = (long)nap_us * 1000 };

	while (naps--)
		nanosleep(&t, NULL);
}

static FRAME void down(uint64_t frames)
{
	if (frames) {
		down(frames - 1);
		RETURNS_HERE();
		return;
	}
	wait_at_gate("ready");
	for (; lengths[0]; lengths += 2)
		nap(number(lengths[0], UINT64_MAX), number(lengths[1], 999999));
	wait_at_gate("end");
	RETURNS_HERE();
}

int main(int argc, char **argv)
{
	if (argc < 4 || argc % 2)
		die("expects FRAMES NAPS MICROSECONDS [NAPS MICROSECONDS...]");
	lengths = argv + 2;
	down(number(argv[1], 100000));
	return 0;
}

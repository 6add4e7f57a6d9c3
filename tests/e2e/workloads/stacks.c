// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks: naps on many distinct user stacks. The digits of the stack's number
 * are the names of the functions on it: zero and one.
 *
 * stacks COUNT ROUNDS MICROSECONDS [PRIORITY]	of real time
 *
 * Gates: "ready" and "end".
 */
#include "work.h"

static uint64_t nap_us;

static FRAME void one(uint32_t number, unsigned int digits);

static FRAME void leaf(void)
{
	struct timespec t = { .tv_nsec = (long)nap_us * 1000 };

	nanosleep(&t, NULL);
	RETURNS_HERE();
}

static inline void next(uint32_t number, unsigned int digits);

static FRAME void zero(uint32_t number, unsigned int digits)
{
	next(number, digits);
	RETURNS_HERE();
}

static FRAME void one(uint32_t number, unsigned int digits)
{
	next(number, digits);
	/* Not the same code as zero(), or they would be made one. */
	__asm__ volatile("nop" : : : "memory");
}

static inline __attribute__((always_inline))
void next(uint32_t number, unsigned int digits)
{
	if (!digits)
		leaf();
	else if (number >> (digits - 1) & 1)
		one(number, digits - 1);
	else
		zero(number, digits - 1);
}

int main(int argc, char **argv)
{
	uint64_t count, rounds, i;
	unsigned int digits = 1;

	if (argc != 4 && argc != 5)
		die("expected COUNT ROUNDS MICROSECONDS [PRIORITY]");
	count = number(argv[1], UINT32_MAX);
	rounds = number(argv[2], UINT32_MAX);
	nap_us = number(argv[3], 999999);
	if (argc == 5)
		become_fifo((int)number(argv[4], 99));
	while (1ULL << digits < count)
		digits++;
	wait_at_gate("ready");
	while (rounds--)
		for (i = 0; i < count; i++)
			zero((uint32_t)i, digits);
	wait_at_gate("end");
	return 0;
}

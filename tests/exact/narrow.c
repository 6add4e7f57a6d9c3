// SPDX-License-Identifier: GPL-2.0-only
/*
 * narrow: two 32-bit tasks hand a byte to each other over pipes, from several depths,
 * until they are killed. Without a C library: there is none of 32 bits where this is built.
 */
enum { NR_FORK = 2, NR_READ = 3, NR_WRITE = 4, NR_PIPE = 42 };

static int from, to;

static long call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return result;
}

static __attribute__((noinline, noclone)) void hop(unsigned int depth)
{
	char byte = 'o';

	if (depth) {
		hop(depth - 1);
		__asm__ volatile("" : : : "memory");
		return;
	}
	call(NR_WRITE, to, (long)&byte, 1);
	call(NR_READ, from, (long)&byte, 1);
}

void _start(void);
void _start(void)
{
	unsigned int i;
	int there[2], back[2];

	call(NR_PIPE, (long)there, 0, 0);
	call(NR_PIPE, (long)back, 0, 0);
	if (call(NR_FORK, 0, 0, 0)) {
		from = there[0];
		to = back[1];
	} else {
		from = back[0];
		to = there[1];
	}
	for (i = 0; ; i++)
		hop(i / 64 % 8);
}

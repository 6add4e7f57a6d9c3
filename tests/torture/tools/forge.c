// SPDX-License-Identifier: GPL-2.0-only
/*
 * forge: naps on user stacks that nobody called for: frames and return addresses are made up, so
 * that they differ in ways that a weak hash would take for the same.
 *
 * forge COUNT MICROSECONDS [SEED]
 *
 * Of each stack of eight frames: one frame counts on, and another one by more; two change by the
 * same, one up and one down; two have one bit less; or the same ones change places. Hardly any two
 * are alike (168 of 50,000 are). They lie above the stack pointer and lead to where each byte is
 * that of a call, as whoever walks them asks for that. Prints "forged COUNT".
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FRAMES	8
/* Pairs of them. */
#define PAIRS	(FRAMES * (FRAMES - 1) / 2)
/* Where calls are: so many bits of an address are free. */
#define CODE	UINT64_C(0x100000000)
#define BITS	25
/* Of these, from the highest on. */
#define FLIPPED	22

struct frame {
	struct frame *next;
	uint64_t address;
};

static struct frame *stack;

/* Sleeps with that frame pointer. */
static void nap_with(const struct frame *frame, const struct timespec *length)
{
#if defined(__x86_64__)
	long number = SYS_nanosleep;

	__asm__ volatile("push %%rbp\n\t"
			 "mov %[frame], %%rbp\n\t"
			 "syscall\n\t"
			 "pop %%rbp"
			 : "+a" (number)
			 : [frame] "r" (frame), "D" (length), "S" (NULL)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_nanosleep;
	register const void *first __asm__("x0") = length;
	register const void *second __asm__("x1") = NULL;

	__asm__ volatile("mov x9, x29\n\t"
			 "mov x29, %[frame]\n\t"
			 "svc #0\n\t"
			 "mov x29, x9"
			 : "+r" (first)
			 : [frame] "r" (frame), "r" (second), "r" (number)
			 : "x9", "memory");
#else
#error "not known how to call the kernel"
#endif
}

static void swap(unsigned int i, unsigned int j)
{
	uint64_t address = stack[i].address;

	stack[i].address = stack[j].address;
	stack[j].address = address;
}

/* Pair @n of two frames, the first before the second. */
static void choose(unsigned int n, unsigned int *first, unsigned int *second)
{
	*first = 0;
	while (n >= FRAMES - 1 - *first) {
		n -= FRAMES - 1 - *first;
		(*first)++;
	}
	*second = *first + 1 + n;
}

/* The frames of stack @n. */
static void forge(uint64_t n, uint64_t seed)
{
	unsigned int i, kind = (unsigned int)(n % 4), first, second;
	uint64_t order = n / 4, step = order / PAIRS;

	choose((unsigned int)(order % PAIRS), &first, &second);
	for (i = 0; i < FRAMES; i++) {
		stack[i].next = &stack[i + 1];
		stack[i].address = CODE + (UINT64_C(1) << BITS) - 1 - 0x1000 * (i + 1) -
				   (seed & 0xff) * 0x10;
	}
	stack[FRAMES].next = NULL;
	stack[FRAMES].address = 0;
	switch (kind) {
	case 0:
		stack[first].address -= step + 1;
		stack[second].address -= (step + 1) << 12;
		break;
	case 1:
		stack[first].address -= step + 1;
		stack[second].address += step + 1;
		break;
	case 2:
		stack[first].address -= UINT64_C(1) << (BITS - 1 - step % FLIPPED);
		stack[second].address -= UINT64_C(1) << (BITS - 1 - step / FLIPPED % FLIPPED);
		break;
	default:
		/* A number in factorials is an order. */
		for (i = 1; i < FRAMES; order /= ++i)
			swap(i, (unsigned int)(order % (i + 1)));
	}
}

int main(int argc, char **argv)
{
	/* Above the stack pointer, as frames are. */
	struct frame frames[FRAMES + 1];
	struct timespec length = { 0 };
	uint64_t count, n, seed = 0;
	void *code;

	if (argc < 3)
		errx(2, "expects a number of stacks and microseconds");
	count = strtoull(argv[1], NULL, 10);
	length.tv_nsec = (long)(strtoull(argv[2], NULL, 10) % 1000000 * 1000);
	if (argc > 3)
		seed = strtoull(argv[3], NULL, 10);
	stack = frames;
	code = mmap((void *)CODE, (size_t)1 << BITS, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (code != (void *)CODE)
		err(1, "no room where calls are to be");
	memset(code, 0xe8, (size_t)1 << BITS);
	for (n = 0; n < count; n++) {
		forge(n, seed);
		nap_with(stack, &length);
	}
	printf("forged %llu\n", (unsigned long long)count);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * forge: naps on user stacks that are not there: frame pointer and return addresses are
 * made up, so that they differ in ways that a weak hash would take for the same.
 *
 * forge COUNT MICROSECONDS [SEED]
 *
 * Of each stack of up to eight frames: one frame counts on; two change by the same, one up
 * and one down; two have one bit more; or the same ones change places. Prints "forged COUNT".
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FRAMES	8
/* As of code: but nobody calls it. */
#define CODE	0x400000UL

struct frame {
	struct frame *next;
	uint64_t address;
};

static struct frame stack[FRAMES + 1];

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

/* The frames of stack @n. */
static void forge(uint64_t n, uint64_t seed)
{
	unsigned int i, kind = (unsigned int)(n % 4), first, second;

	n /= 4;
	for (i = 0; i < FRAMES; i++) {
		stack[i].next = &stack[i + 1];
		stack[i].address = CODE + 0x1000 * (i + 1) + (seed & 0xff) * 0x10;
	}
	stack[FRAMES].next = NULL;
	stack[FRAMES].address = 0;
	first = (unsigned int)(n % FRAMES);
	second = (unsigned int)((first + 1 + n / FRAMES % (FRAMES - 1)) % FRAMES);
	n /= (uint64_t)FRAMES * (FRAMES - 1);
	switch (kind) {
	case 0:
		stack[first].address += n;
		stack[second].address += n << 20;
		break;
	case 1:
		stack[first].address += n + 1;
		stack[second].address -= n + 1;
		break;
	case 2:
		stack[first].address ^= UINT64_C(1) << n % 46;
		stack[second].address ^= UINT64_C(1) << n / 46 % 46;
		break;
	default:
		/* A number in factorials is an order. */
		for (i = 1; i < FRAMES; n /= ++i)
			swap(i, (unsigned int)(n % (i + 1)));
		swap(first, second);
	}
}

int main(int argc, char **argv)
{
	struct timespec length = { 0 };
	uint64_t count, n, seed = 0;

	if (argc < 3)
		errx(2, "expects a number of stacks and microseconds");
	count = strtoull(argv[1], NULL, 10);
	length.tv_nsec = (long)(strtoull(argv[2], NULL, 10) % 1000000 * 1000);
	if (argc > 3)
		seed = strtoull(argv[3], NULL, 10);
	for (n = 0; n < count; n++) {
		forge(n, seed);
		nap_with(stack, &length);
	}
	printf("forged %llu\n", (unsigned long long)count);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * lures: naps whose stack has words that look like callers, and are none: addresses behind which
 * there is no memory, or calls that lead elsewhere, or many of these and then one of those; or
 * addresses where no library is, and no memory either (low); or calls through a slot that is at
 * such an address (slots).
 *
 * lures nothing|absent|calls|mixed|low|slots NAPS MICROSECONDS
 *
 * They are written anew now and then, so that they are not the same for long. Gates: "ready" and
 * "end".
 */
#include <sys/mman.h>

#include "work.h"

#define WORDS	32
#define BYTES	1048576UL
#define AT	((char *)0x600000000000)
#define LOW	((char *)0x30000000)
/* Code of libraries may lie there, and nothing of them below. */
#define LOWEST	((char *)(1UL << 45))

static uint64_t words[WORDS], fp;

/* Without a frame pointer, and with these words at the stack pointer. */
static long nap(const struct timespec *length)
{
#ifdef __x86_64__
	long number = SYS_nanosleep;
	const uint64_t *word = words + WORDS;

	__asm__ volatile("push %%rbp\n\t"
			 "mov %%rsp, %%r12\n\t"
			 "mov $32, %%ebx\n"
			 "1:\tsub $8, %[word]\n\t"
			 "push (%[word])\n\t"
			 "dec %%ebx\n\t"
			 "jnz 1b\n\t"
			 "mov %[fp], %%rbp\n\t"
			 "syscall\n\t"
			 "mov %%r12, %%rsp\n\t"
			 "pop %%rbp"
			 : "+a" (number), [word] "+r" (word)
			 : "D" (length), "S" (NULL), [fp] "r" (fp)
			 : "rbx", "rcx", "r11", "r12", "memory", "cc");
	return number;
#else
	return nanosleep(length, NULL);
#endif
}

int main(int argc, char **argv)
{
	struct timespec length = { 0 };
	char *at = AT;
	uint64_t i, naps;
	unsigned int n;
	int prot;

	if (argc != 4)
		die("expects nothing, absent, calls, mixed, low or slots, NAPS and MICROSECONDS");
	naps = number(argv[2], UINT64_MAX);
	length.tv_nsec = (long)number(argv[3], 999999) * 1000;
	/* And a register that is no frame pointer, so that such a stack is walked each time. */
	if (strchr("ls", argv[1][0])) {
		at = argv[1][0] == 'l' ? LOW : LOWEST;
		fp = (uint64_t)LOW + 8;
	}
	prot = strchr("al", argv[1][0]) ? PROT_NONE : PROT_READ | PROT_WRITE;
	if (mmap(at, BYTES, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at)
		die("no room");
	/* Of each byte a call begins, which leads back by a good piece. */
	if (argv[1][0] == 'c' || argv[1][0] == 'm')
		memset(at, 0xe8, BYTES);
	/* Behind each eighth byte a call through a slot that is so far below. */
	for (i = 0; argv[1][0] == 's' && i < BYTES / 8; i++)
		memcpy(at + i * 8, (uint8_t []){ 0x90, 0x90, 0xff, 0x15, 0, 0, 0xe0, 0xff }, 8);
	if (argv[1][0] == 'm' && mprotect(at + BYTES / 2, BYTES / 2, PROT_NONE))
		die("no protection");
	wait_at_gate("ready");
	for (i = 0; i < naps; i++) {
		/* First as if there were nothing, so that this is known. */
		for (n = 0; n < WORDS; n++)
			words[n] = argv[1][0] == 'n' || i < naps / 4 ? 0 :
				   (uint64_t)at + 4096 + n * 64 + i % 1024 * 8 +
				   (argv[1][0] == 'm' && n == WORDS - 1 ? BYTES / 2 : 0);
		nap(&length);
	}
	wait_at_gate("end");
	return 0;
}

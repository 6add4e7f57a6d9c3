// SPDX-License-Identifier: GPL-2.0-only
/*
 * sharers: processes that share one address space, which has very many mappings.
 *
 * sharers PROCESSES MAPPINGS NAPS MICROSECONDS
 *
 * They exist and wait before the gate "ready", nap behind it, and end behind the gate "end".
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "work.h"

#define STACK_BYTES	16384

static volatile uint32_t phase;		/* 1: nap; 2: leave */
static volatile uint32_t napped;
static uint64_t naps, nap_us;

static FRAME void sharer_waits(uint32_t until)
{
	while (phase < until)
		futex_wait(&phase, until - 1);
	RETURNS_HERE();
}

static FRAME void sharer_naps(void)
{
	struct timespec t = {
		.tv_sec = (time_t)(nap_us / 1000000),
		.tv_nsec = (long)(nap_us % 1000000) * 1000,
	};
	uint64_t i;

	for (i = 0; i < naps; i++)
		syscall(SYS_nanosleep, &t, NULL);
	RETURNS_HERE();
}

static FRAME int sharer_main(void *unused)
{
	(void)unused;
	sharer_waits(1);
	sharer_naps();
	__atomic_add_fetch(&napped, 1, __ATOMIC_SEQ_CST);
	sharer_waits(2);
	syscall(SYS_exit, 0);
	return 0;
}

static void *pages(size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("no memory");
	return at;
}

/* Each page is unlike the next one, so all are mappings of their own. */
static void map(uint64_t mappings)
{
	size_t page = (size_t)getpagesize();
	char *at = pages(mappings * page, PROT_NONE);
	uint64_t i;

	for (i = 0; i < mappings; i += 2)
		if (mprotect(at + i * page, page, PROT_READ))
			die("cannot make %llu mappings", (unsigned long long)mappings);
}

int main(int argc, char **argv)
{
	uint64_t i, members;
	char *stacks;

	if (argc != 5)
		die("usage: sharers PROCESSES MAPPINGS NAPS MICROSECONDS");
	members = number(argv[1], 100000);
	naps = number(argv[3], 1000000);
	nap_us = number(argv[4], 1000000000);
	stacks = pages(members * STACK_BYTES, PROT_READ | PROT_WRITE);
	map(number(argv[2], 1000000));
	for (i = 0; i < members; i++)
		if (clone(sharer_main, stacks + (i + 1) * STACK_BYTES, CLONE_VM | SIGCHLD,
			  NULL) < 0)
			die("cannot make a process");
	wait_at_gate("ready");
	phase = 1;
	futex_wake_all(&phase);
	/* By looking now and then: being woken by each of many would take long. */
	while (napped < members)
		usleep(10000);
	wait_at_gate("end");
	phase = 2;
	futex_wake_all(&phase);
	while (wait(NULL) > 0)
		;
	return 0;
}

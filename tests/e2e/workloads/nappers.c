// SPDX-License-Identifier: GPL-2.0-only
/*
 * nappers: many threads that nap all the time, and count their naps where others
 * can see it.
 *
 * nappers FILE THREADS MILLISECONDS [GAP]
 *
 * Each nap takes half to one and a half of MILLISECONDS. FILE gets two numbers of 64
 * bits for each thread: its TID, and how many naps it has begun. Gate: "ready"; then
 * they nap until they are killed. They all begin at once, or one every GAP
 * microseconds, and sleep until then.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "work.h"

#define STACK_BYTES	(64 * 1024)

struct napper {
	volatile uint64_t tid, begun;
};

static struct napper *nappers;
static uint64_t nap_ms;
static volatile uint32_t phase, waiting;

static FRAME void *naps(void *arg)
{
	struct napper *me = arg;
	unsigned int seed = (unsigned int)(me - nappers) + 1;
	struct timespec t;
	uint64_t ns;

	me->tid = (uint64_t)my_tid();
	__atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	while (!phase)
		futex_wait(&phase, 0);
	for (;;) {
		ns = nap_ms * 500000 + (uint64_t)rand_r(&seed) % (nap_ms * 1000000);
		t.tv_sec = (time_t)(ns / NS_PER_S);
		t.tv_nsec = (long)(ns % NS_PER_S);
		me->begun++;
		nanosleep(&t, NULL);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	uint64_t i, n, gap;
	char *stacks;
	int fd;

	if (argc != 4 && argc != 5)
		die("expected FILE THREADS MILLISECONDS [GAP]");
	n = number(argv[2], 100000);
	nap_ms = number(argv[3], 100000);
	gap = argc == 5 ? number(argv[4], 100000) : 0;
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)(n * sizeof(*nappers))))
		die("cannot make %s", argv[1]);
	nappers = mmap(NULL, n * sizeof(*nappers), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	stacks = mmap(NULL, n * STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (nappers == MAP_FAILED || stacks == MAP_FAILED)
		die("cannot get memory");
	for (i = 0; i < n; i++) {
		pthread_attr_init(&attr);
		pthread_attr_setstack(&attr, stacks + i * STACK_BYTES, STACK_BYTES);
		errno = pthread_create(&thread, &attr, naps, &nappers[i]);
		if (errno)
			die("cannot make thread %llu", (unsigned long long)i);
		pthread_attr_destroy(&attr);
	}
	while (waiting < n)
		usleep(10000);
	wait_at_gate("ready");
	phase = 1;
	for (i = 0; gap && i < n; i++) {
		futex_wake(&phase, 1);
		usleep((useconds_t)gap);
	}
	futex_wake_all(&phase);
	for (;;)
		pause();
}

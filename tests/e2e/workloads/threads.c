// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads: many threads, each of which naps a few times.
 *
 * threads [-x|-l] THREADS NAPS MICROSECONDS
 *
 * They exist and wait in thread_waits() before the gate "ready", nap in
 * thread_naps() after it, and then wait again, or with -x exit, before the
 * gate "end". Prints "exited N" with -x. With -l they are made by a thread, when the leader
 * of the process has ended.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "work.h"

#define STACK_BYTES	(64 * 1024)

static volatile uint32_t phase;		/* 1: nap; 2: leave */
static volatile uint32_t waiting, napped;
static uint64_t members, naps, nap_us;
static bool leave, alone;

static FRAME void thread_waits(uint32_t until)
{
	while (phase < until)
		futex_wait(&phase, until - 1);
	RETURNS_HERE();
}

static FRAME void thread_naps(void)
{
	struct timespec t = {
		.tv_sec = (time_t)(nap_us / 1000000),
		.tv_nsec = (long)(nap_us % 1000000) * 1000,
	};
	uint64_t i;

	for (i = 0; i < naps; i++)
		nanosleep(&t, NULL);
	RETURNS_HERE();
}

static FRAME void *thread_main(void *arg)
{
	__atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	thread_waits(1);
	thread_naps();
	__atomic_add_fetch(&napped, 1, __ATOMIC_SEQ_CST);
	if (!leave)
		thread_waits(2);
	return arg;
}

/* By looking now and then: being woken by each of many would take long. */
static FRAME void wait_for_all(volatile uint32_t *count)
{
	while (*count < members)
		usleep(10000);
	RETURNS_HERE();
}

static FRAME void wait_for_end_of_leader(void)
{
	char text[256], *state;
	ssize_t n;
	int fd;

	for (;;) {
		fd = open("/proc/self/stat", O_RDONLY);
		n = read(fd, text, sizeof(text) - 1);
		if (fd < 0 || n < 0)
			die("cannot read /proc/self/stat");
		close(fd);
		text[n] = '\0';
		/* Behind the name. */
		state = strrchr(text, ')');
		if (state && state[2] == 'Z')
			return;
		usleep(10000);
	}
}

static FRAME void *make_and_follow(void *arg)
{
	pthread_attr_t attr;
	pthread_t *threads;
	char *stacks;
	uint64_t i;

	if (alone)
		wait_for_end_of_leader();
	/* One mapping for all stacks: the number of mappings is limited. */
	stacks = mmap(NULL, members * STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	threads = calloc(members, sizeof(*threads));
	if (stacks == MAP_FAILED || !threads)
		die("cannot get memory");
	for (i = 0; i < members; i++) {
		pthread_attr_init(&attr);
		pthread_attr_setstack(&attr, stacks + i * STACK_BYTES, STACK_BYTES);
		errno = pthread_create(&threads[i], &attr, thread_main, NULL);
		if (errno)
			die("cannot make thread %llu", (unsigned long long)i);
		pthread_attr_destroy(&attr);
	}
	wait_for_all(&waiting);
	wait_at_gate("ready");
	phase = 1;
	futex_wake_all(&phase);
	wait_for_all(&napped);
	if (leave) {
		for (i = 0; i < members; i++)
			pthread_join(threads[i], NULL);
		printf("exited %llu\n", (unsigned long long)members);
	}
	wait_at_gate("end");
	phase = 2;
	futex_wake_all(&phase);
	if (!leave)
		for (i = 0; i < members; i++)
			pthread_join(threads[i], NULL);
	exit(0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t crew;

	leave = argc == 5 && !strcmp(argv[1], "-x");
	alone = argc == 5 && !strcmp(argv[1], "-l");
	if (!leave && !alone && argc != 4)
		die("expected [-x|-l] THREADS NAPS MICROSECONDS");
	members = number(argv[argc - 3], 1000000);
	naps = number(argv[argc - 2], UINT32_MAX);
	nap_us = number(argv[argc - 1], UINT32_MAX);
	if (!alone)
		make_and_follow(NULL);
	if (pthread_create(&crew, NULL, make_and_follow, NULL))
		die("cannot make a thread");
	pthread_exit(NULL);
}

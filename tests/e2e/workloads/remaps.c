// SPDX-License-Identifier: GPL-2.0-only
/*
 * remaps: a program that has the code of other files all the time.
 *
 * remaps DIRECTORY FILES MAPPINGS ROUNDS MICROSECONDS
 *
 * It makes the files there, which have no build-id. In each round it maps another one at each
 * place, now and then elsewhere, and a new thread naps. The last ones stay. Gates: "ready" and
 * "end".
 */
#include <pthread.h>
#include <sys/mman.h>

#include "work.h"

static uint64_t nap_us;

static FRAME void *thread_naps(void *unused)
{
	struct timespec t = {
		.tv_sec = (time_t)(nap_us / 1000000),
		.tv_nsec = (long)(nap_us % 1000000) * 1000,
	};

	(void)unused;
	nanosleep(&t, NULL);
	RETURNS_HERE();
	return NULL;
}

static int make_file(uint64_t i)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "code_of_another_file_%llu", (unsigned long long)i);
	fd = open(name, O_RDWR | O_CREAT, 0700);
	if (fd < 0 || write(fd, name, sizeof(name)) != sizeof(name))
		die("cannot make a file");
	return fd;
}

int main(int argc, char **argv)
{
	size_t page = (size_t)getpagesize();
	uint64_t i, files, mappings, rounds, round;
	struct rlimit many;
	pthread_t thread;
	char *at, *there;
	int *fds;

	if (argc != 6)
		die("expected DIRECTORY FILES MAPPINGS ROUNDS MICROSECONDS");
	files = number(argv[2], 1000000);
	mappings = number(argv[3], 1000000);
	rounds = number(argv[4], UINT32_MAX);
	nap_us = number(argv[5], 1000000000);
	fds = calloc(files, sizeof(*fds));
	at = mmap(NULL, 2 * mappings * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!fds || at == MAP_FAILED || getrlimit(RLIMIT_NOFILE, &many) || chdir(argv[1]))
		die("cannot begin");
	many.rlim_cur = many.rlim_max;
	setrlimit(RLIMIT_NOFILE, &many);
	for (i = 0; i < files; i++)
		fds[i] = make_file(i);
	wait_at_gate("ready");
	for (round = 0; round < rounds; round++) {
		/* Two rounds here, two there. */
		there = at + (round / 2 % 2) * mappings * page;
		mmap(at, 2 * mappings * page, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		for (i = 0; i < mappings; i++)
			if (mmap(there + i * page, page, PROT_READ | PROT_EXEC,
				 MAP_PRIVATE | MAP_FIXED, fds[(i + round) % files], 0) ==
			    MAP_FAILED)
				die("cannot map");
		if (pthread_create(&thread, NULL, thread_naps, NULL) ||
		    pthread_join(thread, NULL))
			die("no thread");
	}
	wait_at_gate("end");
	return 0;
}

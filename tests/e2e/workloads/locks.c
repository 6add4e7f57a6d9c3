// SPDX-License-Identifier: GPL-2.0-only
/*
 * locks: a thread that waits for locks that another one has: locks ROUNDS HOLD_US
 *
 * In each round for a mutex of the C library, for that of a pipe and for that of a file, both
 * of the kernel. Who has one of the latter two writes from memory that is missing until a third
 * thread brings it (userfaultfd), which it does when the other one has been let at the lock, and
 * the time to hold it is over.
 *
 * Gates: "ready" before, "end" after. Prints for each of the three what the waiter measured
 * itself: "lock mutex wall_ns N". Without that system call: "no userfaultfd", and ends.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "work.h"

enum { MUTEX, PIPE, INODE, LOCKS };

static const char *const names[LOCKS] = { "mutex", "pipe", "inode" };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, let_go;
static int pipe_fds[2], file, faults;
static char *missing;		/* a page */
static unsigned long page, hold_us;
static uint64_t waited[LOCKS];

static void hold(void)
{
	sem_post(&held);
	usleep((useconds_t)hold_us);
}

static FRAME void holds_mutex(void)
{
	pthread_mutex_lock(&mutex);
	hold();
	pthread_mutex_unlock(&mutex);
	RETURNS_HERE();
}

static FRAME void holds_pipe(void)
{
	if (write(pipe_fds[1], missing, page) != (ssize_t)page)
		die("cannot write to the pipe");
	RETURNS_HERE();
}

static FRAME void holds_inode(void)
{
	if (pwrite(file, missing, page, 0) != (ssize_t)page)
		die("cannot write to the file");
	RETURNS_HERE();
}

static FRAME void takes_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	RETURNS_HERE();
}

static FRAME void takes_pipe(void)
{
	if (write(pipe_fds[1], "x", 1) != 1)
		die("cannot write to the pipe");
	RETURNS_HERE();
}

static FRAME void takes_inode(void)
{
	if (pwrite(file, "x", 1, 0) != 1)
		die("cannot write to the file");
	RETURNS_HERE();
}

static void (*const holds[LOCKS])(void) = { holds_mutex, holds_pipe, holds_inode };
static void (*const takes[LOCKS])(void) = { takes_mutex, takes_pipe, takes_inode };

static void *bring_memory(void *nothing)
{
	struct uffd_msg fault;

	while (read(faults, &fault, sizeof(fault)) == sizeof(fault)) {
		struct uffdio_zeropage zero = {
			.range = { .start = (uintptr_t)missing, .len = page },
		};

		hold();
		if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
			die("cannot bring memory");
	}
	return nothing;
}

static void *hold_locks(void *rounds)
{
	unsigned long round, lock;

	for (round = 0; round < *(unsigned long *)rounds; round++)
		for (lock = 0; lock < LOCKS; lock++) {
			if (madvise(missing, page, MADV_DONTNEED))
				die("cannot drop memory");
			holds[lock]();
			sem_wait(&let_go);
		}
	return NULL;
}

static void take_locks(unsigned long rounds)
{
	char data[2 * 65536];
	unsigned long round, lock;
	uint64_t from;

	for (round = 0; round < rounds; round++)
		for (lock = 0; lock < LOCKS; lock++) {
			sem_wait(&held);
			from = clock_ns(CLOCK_MONOTONIC);
			takes[lock]();
			waited[lock] += clock_ns(CLOCK_MONOTONIC) - from;
			if (lock == PIPE && read(pipe_fds[0], data, sizeof(data)) < 1)
				die("cannot read the pipe");
			sem_post(&let_go);
		}
}

static int catch_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	missing = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (missing == MAP_FAILED)
		die("no memory");
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (faults < 0)
		return -1;
	range.range.start = (uintptr_t)missing;
	range.range.len = page;
	if (ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &range))
		die("cannot catch faults");
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t holder, server;
	char name[] = "/tmp/locks.XXXXXX";
	unsigned long rounds;
	int lock;

	if (argc != 3)
		die("expects ROUNDS HOLD_US");
	rounds = number(argv[1], 100000);
	hold_us = number(argv[2], 1000000);
	page = (unsigned long)sysconf(_SC_PAGESIZE);
	if (catch_faults()) {
		puts("no userfaultfd");
		return 0;
	}
	file = mkstemp(name);
	if (file < 0 || unlink(name) || pipe(pipe_fds))
		die("no files");
	sem_init(&held, 0, 0);
	sem_init(&let_go, 0, 0);
	wait_at_gate("ready");
	if (pthread_create(&server, NULL, bring_memory, NULL) ||
	    pthread_create(&holder, NULL, hold_locks, &rounds))
		die("no threads");
	take_locks(rounds);
	pthread_join(holder, NULL);
	for (lock = 0; lock < LOCKS; lock++)
		printf("lock %s wall_ns %llu\n", names[lock], (unsigned long long)waited[lock]);
	wait_at_gate("end");
	return 0;
}

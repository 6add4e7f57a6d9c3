// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns: tasks that live one after the other, and each becomes what a filter is for
 * only after it was born.
 *
 * turns threads|children COUNT NAPS MICROSECONDS
 * turns members COUNT NAPS MICROSECONDS FILE
 * turns names COUNT NAPS MICROSECONDS
 *
 * Each thread gives itself the name "worker", each child becomes user 1234, and each member
 * goes into the control group whose cgroup.procs is FILE, without another program in between;
 * then it naps and ends. Each prints "tid TID vol N": how
 * often it left the CPU for its naps, as the kernel counts. With names, the
 * task itself takes COUNT names, one after the other, with NAPS naps under each; with
 * gates "ready" and "end" around, and then "rest".
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "work.h"

static uint64_t naps, nap_us;

static FRAME void nap(void)
{
	uint64_t i;

	for (i = 0; i < naps; i++)
		usleep((useconds_t)nap_us);
	RETURNS_HERE();
}

static void nap_and_tell(void)
{
	struct clocks before = read_clocks();

	nap();
	printf("tid %d vol %llu\n", my_tid(),
	       (unsigned long long)clocks_since(before).voluntary);
	fflush(stdout);
}

static FRAME void *be_a_worker(void *arg)
{
	if (prctl(PR_SET_NAME, "worker"))
		die("cannot change the name");
	nap_and_tell();
	return arg;
}

static void enter(const char *group)
{
	int fd = open(group, O_WRONLY);

	/* 0: who writes it. */
	if (fd < 0 || write(fd, "0", 1) != 1)
		_exit(1);
	close(fd);
}

static void take_names(uint64_t n)
{
	struct clocks before;
	char name[16];
	uint64_t i;

	wait_at_gate("ready");
	before = read_clocks();
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "name%u", (unsigned int)i);
		if (prctl(PR_SET_NAME, name))
			die("cannot change the name");
		nap();
	}
	print_clocks("path", "names", clocks_since(before));
	wait_at_gate("end");
	wait_at_gate("rest");
}

/* The group's file, or NULL. */
static void run_child(const char *group)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("cannot fork");
	if (!pid) {
		/* The user not by the C library, which would ask all threads for it. */
		if (group)
			enter(group);
		else if (syscall(SYS_setuid, 1234))
			_exit(1);
		nap_and_tell();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("child %d failed", pid);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	uint64_t i, n;

	if (argc != 5 + (argc > 1 && !strcmp(argv[1], "members")))
		die("expected threads|children|members|names COUNT NAPS MICROSECONDS [FILE]");
	n = number(argv[2], 1000000);
	naps = number(argv[3], UINT32_MAX);
	nap_us = number(argv[4], 1000000);
	if (!strcmp(argv[1], "names")) {
		take_names(n);
		return 0;
	}
	for (i = 0; i < n; i++) {
		if (strcmp(argv[1], "threads")) {
			run_child(argv[5]);
			continue;
		}
		errno = pthread_create(&thread, NULL, be_a_worker, NULL);
		if (errno)
			die("cannot make thread %llu", (unsigned long long)i);
		pthread_join(thread, NULL);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm: tasks are born and die on many processors: storm CPUS TASKS. A process on each of
 * the first CPUS processors begins a thread and waits for its end, TASKS times.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

static void *lives(void *nothing)
{
	return nothing;
}

static void storm(int on, unsigned long tasks)
{
	pthread_t thread;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(on, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu))
		die("processor");
	while (tasks--) {
		errno = pthread_create(&thread, NULL, lives, NULL);
		if (errno)
			die("thread");
		pthread_join(thread, NULL);
	}
}

int main(int argc, char **argv)
{
	int cpu, status, failed = 0;
	pid_t pid;

	if (argc != 3)
		return 2;
	for (cpu = 0; cpu < atoi(argv[1]); cpu++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (!pid) {
			storm(cpu, strtoul(argv[2], NULL, 10));
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status;
	return !!failed;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * forever: threads that never wake, each in a function that says where.
 *
 * Gate: "ready", when all of them are on their way to sleep. Prints
 * "thread TID FUNCTION" for each.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "work.h"

static FRAME void stuck_in_pause(void)
{
	for (;;)
		pause();
}

static FRAME void stuck_in_futex(void)
{
	static volatile uint32_t word;

	for (;;)
		futex_wait(&word, 0);
}

static FRAME void stuck_in_read(void)
{
	int fd[2];
	char byte;

	if (pipe(fd))
		die("cannot make a pipe");
	for (;;)
		if (read(fd[0], &byte, 1) >= 0)
			die("the pipe had something in it");
}

static FRAME void stuck_in_poll(void)
{
	for (;;)
		poll(NULL, 0, -1);
}

static FRAME void stuck_in_sleep(void)
{
	struct timespec t = { .tv_sec = 1000000 };

	for (;;)
		nanosleep(&t, NULL);
}

static FRAME void stuck_in_sigsuspend(void)
{
	sigset_t none;

	sigemptyset(&none);
	for (;;)
		sigsuspend(&none);
}

/* Waits in functions of the C library that have no frame. */
static FRAME void stuck_in_sigwait(void)
{
	sigset_t usr1;
	int signal;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (;;)
		sigwait(&usr1, &signal);
}

static const struct place {
	const char *name;
	void (*wait)(void);
} places[] = {
	{ "stuck_in_pause", stuck_in_pause },
	{ "stuck_in_futex", stuck_in_futex },
	{ "stuck_in_read", stuck_in_read },
	{ "stuck_in_poll", stuck_in_poll },
	{ "stuck_in_sleep", stuck_in_sleep },
	{ "stuck_in_sigsuspend", stuck_in_sigsuspend },
	{ "stuck_in_sigwait", stuck_in_sigwait },
};

static pthread_barrier_t all_started;

static FRAME void *runner(void *arg)
{
	const struct place *place = arg;

	/* The kernel keeps 15 bytes of it. */
	prctl(PR_SET_NAME, place->name);
	printf("thread %d %s\n", my_tid(), place->name);
	pthread_barrier_wait(&all_started);
	place->wait();
	return arg;
}

int main(void)
{
	unsigned int i, n = sizeof(places) / sizeof(places[0]);
	pthread_t thread;

	pthread_barrier_init(&all_started, NULL, n + 1);
	for (i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, runner, (void *)&places[i]))
			die("cannot make a thread");
	pthread_barrier_wait(&all_started);
	wait_at_gate("ready");
	return 0;
}

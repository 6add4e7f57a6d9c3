// SPDX-License-Identifier: GPL-2.0-only
/*
 * execer: naps in a named function, then becomes another program.
 *
 * execer [-t] COUNT MICROSECONDS PROGRAM [ARGUMENT...]
 *
 * With -t a second thread does it, which then takes the place of the first.
 * Gate: "ready". PROGRAM has gates of its own.
 */
#include <pthread.h>

#include "work.h"

static uint64_t count, nap_us;
static char **command;

static FRAME void nap_before_exec(void)
{
	struct timespec t = {
		.tv_sec = (time_t)(nap_us / 1000000),
		.tv_nsec = (long)(nap_us % 1000000) * 1000,
	};
	uint64_t i;

	for (i = 0; i < count; i++)
		nanosleep(&t, NULL);
	RETURNS_HERE();
}

static FRAME void *become(void *arg)
{
	nap_before_exec();
	fflush(stdout);
	execv(command[0], command);
	die("cannot execute %s", command[0]);
	return arg;
}

int main(int argc, char **argv)
{
	bool second = argc > 1 && !strcmp(argv[1], "-t");
	pthread_t thread;

	argv += second;
	argc -= second;
	if (argc < 4)
		die("expected [-t] COUNT MICROSECONDS PROGRAM [ARGUMENT...]");
	count = number(argv[1], UINT32_MAX);
	nap_us = number(argv[2], UINT32_MAX);
	command = argv + 3;
	wait_at_gate("ready");
	if (!second)
		become(NULL);
	if (pthread_create(&thread, NULL, become, NULL))
		die("cannot make a thread");
	for (;;)
		pause();
}

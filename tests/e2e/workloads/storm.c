// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm: as many context switches as the machine gives, on all CPUs, until it
 * is killed.
 *
 * storm [-cfny] GROUPS	-c: each group stays on one CPU, so no wakeup waits for another CPU
 *			-f: also tasks that are born, exec and exit all the time
 *			-n: nobody naps: timers take longer than switches where processors
 *			    are emulated
 *			-y: a group is two that yield, which is what switches the fastest
 *
 * A group is a pair that plays through pipes, one that yields, one that takes
 * short naps, and one that is woken through a futex by the naps. Says
 * "at storm" when it blows.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "work.h"

struct group {
	int ball[2][2];
	volatile uint32_t woken;
};

static FRAME void *plays(void *arg)
{
	struct group *g = arg;
	char byte = 0;

	for (;;)
		if (write(g->ball[0][1], &byte, 1) != 1 ||
		    read(g->ball[1][0], &byte, 1) != 1)
			return arg;
}

static FRAME void *plays_back(void *arg)
{
	struct group *g = arg;
	char byte;

	for (;;)
		if (read(g->ball[0][0], &byte, 1) != 1 ||
		    write(g->ball[1][1], &byte, 1) != 1)
			return arg;
}

static FRAME void *yields(void *arg)
{
	for (;;)
		sched_yield();
	return arg;
}

static FRAME void *naps(void *arg)
{
	struct timespec t = { .tv_nsec = 200000 };
	struct group *g = arg;

	for (;;) {
		nanosleep(&t, NULL);
		g->woken++;
		futex_wake_all(&g->woken);
	}
	return arg;
}

static FRAME void *is_woken(void *arg)
{
	struct group *g = arg;

	for (;;)
		futex_wait(&g->woken, g->woken);
	return arg;
}

static void *short_life(void *arg)
{
	usleep(100);
	return arg;
}

/* A process that is born, makes a thread, naps, perhaps execs, exits. */
static void one_life(unsigned int number, const char *self)
{
	pthread_t thread;

	if (number % 4 == 0) {
		/* Exits at once: what a tool sees of it is its birth. */
		execl(self, self, "-e", NULL);
	} else if (number % 4 == 1) {
		if (!pthread_create(&thread, NULL, short_life, NULL))
			pthread_join(thread, NULL);
	} else if (number % 4 == 2) {
		/* Exits while its thread sleeps. */
		pthread_create(&thread, NULL, short_life, NULL);
	}
	_exit(0);
}

static void churn(const char *self)
{
	unsigned int i, alive = 0;

	for (i = 0;; i++) {
		pid_t pid = fork();

		if (!pid)
			one_life(i, self);
		if (pid > 0)
			alive++;
		while (alive > 8 || (pid < 0 && alive)) {
			wait(NULL);
			alive--;
			pid = 0;
		}
	}
}

int main(int argc, char **argv)
{
	/* With -n, the first three. */
	static void *(*const all[])(void *) = {
		plays, plays_back, yields, naps, is_woken,
	};
	static void *(*const yielders[])(void *) = { yields, yields };
	void *(*const *parts)(void *) = all;
	unsigned int i, j, n, many = sizeof(all) / sizeof(all[0]);
	bool forks = false, stays = false;
	pthread_t thread;
	int opt;

	while ((opt = getopt(argc, argv, "cefny")) != -1) {
		if (opt == 'e')
			return 0;
		forks |= opt == 'f';
		stays |= opt == 'c';
		if (opt == 'n' && parts == all)
			many = 3;
		if (opt == 'y') {
			parts = yielders;
			many = sizeof(yielders) / sizeof(yielders[0]);
		}
		if (opt == '?')
			return 2;
	}
	if (optind + 1 != argc)
		die("expected [-cfny] GROUPS");
	n = (unsigned int)number(argv[optind], 10000);
	/* Of those who start it, some are in a hurry. */
	if (setpriority(PRIO_PROCESS, 0, 0))
		die("cannot have the usual priority");
	if (forks && !fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		churn("/proc/self/exe");
	}
	for (i = 0; i < n; i++) {
		struct group *g = calloc(1, sizeof(*g));

		if (!g || pipe(g->ball[0]) || pipe(g->ball[1]))
			die("cannot set up");
		if (stays)
			pin((int)(i % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN)));
		for (j = 0; j < many; j++)
			if (pthread_create(&thread, NULL, parts[j], g))
				die("cannot make a thread");
	}
	printf("at storm\n");
	fflush(stdout);
	for (;;)
		pause();
}

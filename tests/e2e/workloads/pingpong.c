// SPDX-License-Identifier: GPL-2.0-only
/*
 * pingpong: two players hand a ball to and fro through two pipes, so that
 * each is off the CPU while the other has it. Who gets the ball does not preempt who
 * threw it, as batch tasks do not: else the one would find it back before it has slept,
 * perhaps each time.
 *
 * pingpong [-t] [-a] [-c CPU] ROUNDS	-t: threads instead of processes
 *					-a: every second ball is thrown by throw_high()
 *
 * Gates: "ready" before the first ball, "end" after the last. Each player
 * plays inside play() and measures itself there:
 *
 *	player NUMBER TID
 *	played NUMBER wall_ns W cpu_ns C vol V invol I
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>

#include "work.h"

/* Shared by the players, whether they are processes or threads. */
static struct shared {
	volatile uint32_t phase;	/* 1: play; 2: leave */
	volatile uint32_t finished;	/* by the second player */
	volatile pid_t tid;
	struct clocks played[2];
} *shared;

static uint64_t rounds;
static bool alternating;
static int ball[2][2];		/* pipes: towards player 0, towards player 1 */

static FRAME void throw_ball(int to)
{
	if (write(ball[to][1], "o", 1) != 1)
		die("cannot write to a pipe");
}

static FRAME void throw_high(int to)
{
	throw_ball(to);
	RETURNS_HERE();
}

static void catch_ball(int me)
{
	char byte;

	if (read(ball[me][0], &byte, 1) != 1)
		die("cannot read from a pipe");
}

static FRAME void play(int me)
{
	struct clocks start = read_clocks();
	uint64_t i;

	for (i = 0; i < rounds; i++) {
		if (me)
			catch_ball(me);
		if (alternating && i % 2)
			throw_high(!me);
		else
			throw_ball(!me);
		if (!me)
			catch_ball(me);
	}
	shared->played[me] = clocks_since(start);
}

static FRAME void wait_beside_the_table(uint32_t until)
{
	while (shared->phase < until)
		futex_wait(&shared->phase, until - 1);
	RETURNS_HERE();
}

static void *second_player(void *arg)
{
	shared->tid = my_tid();
	futex_wake_all((volatile uint32_t *)&shared->tid);
	wait_beside_the_table(1);
	play(1);
	shared->finished = 1;
	futex_wake_all(&shared->finished);
	wait_beside_the_table(2);
	return arg;
}

int main(int argc, char **argv)
{
	const struct sched_param batch = { .sched_priority = 0 };
	bool threads = false;
	pthread_t thread;
	int opt;

	while ((opt = getopt(argc, argv, "atc:")) != -1) {
		if (opt == 't')
			threads = true;
		else if (opt == 'a')
			alternating = true;
		else if (opt == 'c')
			pin((int)number(optarg, 1023));
		else
			return 2;
	}
	if (optind + 1 != argc)
		die("expected ROUNDS");
	rounds = number(argv[optind], UINT32_MAX);
	if (sched_setscheduler(0, SCHED_BATCH, &batch))
		die("cannot become a batch task");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pipe(ball[0]) || pipe(ball[1]))
		die("cannot set up");
	fflush(stdout);
	if (threads) {
		if (pthread_create(&thread, NULL, second_player, NULL))
			die("cannot make a thread");
	} else if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		second_player(NULL);
		_exit(0);
	}
	while (!shared->tid)
		futex_wait((volatile uint32_t *)&shared->tid, 0);
	printf("player 0 %d\nplayer 1 %d\n", my_tid(), shared->tid);

	wait_at_gate("ready");
	shared->phase = 1;
	futex_wake_all(&shared->phase);
	play(0);
	while (!shared->finished)
		futex_wait(&shared->finished, 0);
	print_clocks("played", "0", shared->played[0]);
	print_clocks("played", "1", shared->played[1]);
	wait_at_gate("end");

	shared->phase = 2;
	futex_wake_all(&shared->phase);
	if (threads)
		pthread_join(thread, NULL);
	else
		wait(NULL);
	return 0;
}

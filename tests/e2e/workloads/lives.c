// SPDX-License-Identifier: GPL-2.0-only
/*
 * lives: tasks that are born and end, with the clock at their first and last instruction.
 *
 * lives [-c CPU] WORK_US NAP_US
 *
 * The old ones, a process and a thread, are there before the gate "ready", and end behind it.
 * Then young ones are born and end, and then late ones are born. These and their parent are
 * there at the gate "end", behind which they end. All use a CPU for so long, nap, and use it
 * again; they have a fixed priority of real time and the CPU of their parent. So it runs again
 * when who ended has left for good.
 *
 * For each it prints "life NAME tid TID from_ns F first_ns A last_ns Z to_ns T cpu_ns C":
 * clocks of its parent before its birth and behind its end, its own at its first and last
 * instruction, and what it used of the CPU up to that one; 0 where that was not yet.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "work.h"

struct life {
	const char *name;
	bool is_thread;
	bool waits_before, waits_behind;
	int release[2];
	pid_t tid;
	pthread_t thread;
	uint64_t from, last, to, cpu;
	volatile uint64_t first;
	volatile bool worked;
};

static uint64_t work_ns, nap_ns;

static void work(uint64_t ns)
{
	uint64_t until = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void nap(uint64_t ns)
{
	const struct timespec t = {
		.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S),
	};

	nanosleep(&t, NULL);
}

static void wait_for_release(const struct life *life)
{
	char byte;

	if (read(life->release[0], &byte, 1) != 1)
		die("cannot wait to be released");
}

static FRAME void *lives(void *arg)
{
	struct life *life = arg;

	life->first = clock_ns(CLOCK_MONOTONIC);
	life->tid = my_tid();
	become_fifo(1);
	if (life->waits_before)
		wait_for_release(life);
	work(work_ns);
	nap(nap_ns);
	work(work_ns);
	life->worked = true;
	if (life->waits_behind)
		wait_for_release(life);
	life->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	life->last = clock_ns(CLOCK_MONOTONIC);
	return NULL;
}

static void is_born(struct life *life)
{
	if (pipe2(life->release, O_CLOEXEC))
		die("cannot make a pipe");
	life->from = clock_ns(CLOCK_MONOTONIC);
	if (life->is_thread) {
		errno = pthread_create(&life->thread, NULL, lives, life);
		if (errno)
			die("cannot make a thread");
		return;
	}
	life->tid = fork();
	if (life->tid < 0)
		die("cannot make a process");
	if (!life->tid) {
		lives(life);
		_exit(0);
	}
}

static void is_over(struct life *life)
{
	if (life->is_thread)
		pthread_join(life->thread, NULL);
	else if (waitpid(life->tid, NULL, 0) != life->tid)
		die("cannot wait for a process");
	life->to = clock_ns(CLOCK_MONOTONIC);
}

static void await(const struct life *life)
{
	while (!(life->waits_before ? life->first : life->worked))
		usleep(1000);
}

static void release(const struct life *life)
{
	if (write(life->release[1], "x", 1) != 1)
		die("cannot release");
}

static void tell(const struct life *life)
{
	printf("life %s tid %d from_ns %llu first_ns %llu last_ns %llu to_ns %llu cpu_ns %llu\n",
	       life->name, (int)life->tid, (unsigned long long)life->from,
	       (unsigned long long)life->first, (unsigned long long)life->last,
	       (unsigned long long)life->to, (unsigned long long)life->cpu);
}

int main(int argc, char **argv)
{
	static const struct life begun[] = {
		{ .name = "old_process", .waits_before = true },
		{ .name = "old_thread", .is_thread = true, .waits_before = true },
		{ .name = "young_process" },
		{ .name = "young_thread", .is_thread = true },
		{ .name = "late_process", .waits_behind = true },
		{ .name = "late_thread", .is_thread = true, .waits_behind = true },
	};
	struct life *life;
	unsigned int i;
	int at = 1;

	if (argc > 2 && !strcmp(argv[1], "-c")) {
		pin((int)number(argv[2], 1023));
		at = 3;
	}
	if (argc - at != 2)
		die("expected [-c CPU] WORK_US NAP_US");
	work_ns = number(argv[at], 1000000) * 1000;
	nap_ns = number(argv[at + 1], 1000000) * 1000;
	/* Also of its children. */
	life = mmap(NULL, sizeof(begun), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (life == MAP_FAILED)
		die("cannot get memory");
	memcpy(life, begun, sizeof(begun));
	for (i = 0; i < 2; i++) {
		is_born(&life[i]);
		await(&life[i]);
	}
	wait_at_gate("ready");
	for (i = 0; i < 2; i++) {
		release(&life[i]);
		is_over(&life[i]);
	}
	for (i = 2; i < 4; i++) {
		is_born(&life[i]);
		is_over(&life[i]);
	}
	for (i = 4; i < 6; i++) {
		is_born(&life[i]);
		await(&life[i]);
	}
	for (i = 0; i < 6; i++)
		tell(&life[i]);
	wait_at_gate("end");
	for (i = 4; i < 6; i++) {
		release(&life[i]);
		is_over(&life[i]);
	}
	return 0;
}

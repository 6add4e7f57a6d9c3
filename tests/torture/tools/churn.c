// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn: processes that are born, exec, rename themselves, become other users, move to
 * other control groups, leave orphans and exit, and what they did, by their own count.
 *
 * churn FORKS SEED NAME UID GROUP [PID...]
 *
 * A child that renames itself is called NAME for a while, one that becomes another user has
 * UID as its real one, one that moves is in the directory GROUP; before and after it is not.
 * Gates: "ready" before; "end" when all have been waited for, with a line before it:
 * "churned" and pairs of a word and a number.
 *
 *	forks threads execs thread_execs renames setuids moves orphans	what was done
 *	reused		forks that got one of PID...
 *	all		switches of all tasks, the first run of each too, at least
 *	all_most	and at most
 *	renamed owned moved	switches while they were so, at least
 *	renamed_most owned_most moved_most	and at most, as nobody can read his count
 *			and become another one at the same time
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "work.h"

#define SHARED_FD	100	/* survives exec */
#define MOST_ALIVE	8

enum count {
	FORKS, THREADS, EXECS, THREAD_EXECS, RENAMES, SETUIDS, MOVES, ORPHANS, REUSED, FAILED,
	ALL, ALL_MOST, RENAMED, OWNED, MOVED, RENAMED_MOST, OWNED_MOST, MOVED_MOST, COUNTS
};

static const char *const names[COUNTS] = {
	"forks", "threads", "execs", "thread_execs", "renames", "setuids", "moves",
	"orphans", "reused", "failed", "all", "all_most", "renamed", "owned", "moved", "renamed_most",
	"owned_most", "moved_most",
};

/* Of all processes, and the programs that they become. */
static uint64_t *counts;

static char self[4096];
static const char *other_name;
static uid_t other_uid;
static int group_fd, root_fd;
static uint64_t dice;

static void add(enum count what, uint64_t n)
{
	__atomic_add_fetch(&counts[what], n, __ATOMIC_SEQ_CST);
}

static uint64_t switches_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* Of this thread. */
static uint64_t switches(void)
{
	return switches_of(RUSAGE_THREAD);
}

static uint64_t roll(uint64_t n)
{
	dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
	return (dice >> 33) % n;
}

static FRAME void naps(uint64_t n)
{
	while (n--)
		usleep((useconds_t)roll(300));
	RETURNS_HERE();
}

static void leave(void)
{
	add(ALL, switches());
	_exit(0);
}

static FRAME void *short_life(void *arg)
{
	usleep(100);
	add(ALL, switches());
	return arg;
}

static FRAME void *long_life(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void become_program(void)
{
	execl(self, "churn", "-e", NULL);
	add(FAILED, 1);
	_exit(1);
}

static FRAME void *exec_life(void *arg)
{
	usleep(50);
	become_program();
	return arg;
}

/* False: it was not made. */
static bool thread(void *(*life)(void *arg), pthread_t *made)
{
	if (pthread_create(made, NULL, life, NULL))
		return false;
	add(THREADS, 1);
	return true;
}

/*
 * For a while something that it was not before: change() says whether to be it. Its count
 * of switches is read on both sides of each change.
 */
static void for_a_while(bool (*change)(bool be), enum count done, enum count least,
			enum count most)
{
	uint64_t before, began, ends, after;

	before = switches();
	if (!change(true))
		return;
	began = switches();
	naps(1 + roll(3));
	ends = switches();
	if (!change(false))
		_exit(1);
	after = switches();
	add(done, 1);
	add(least, ends - began);
	add(most, after - before);
}

static bool rename_self(bool be)
{
	return !prctl(PR_SET_NAME, be ? other_name : "churn");
}

static bool change_user(bool be)
{
	return !setresuid(be ? other_uid : 0, 0, 0);
}

static bool move(bool be)
{
	return write(be ? group_fd : root_fd, "0", 1) == 1;
}

/* A number of a process is counted before anybody can wait for that process. */
static pid_t count_fork(void)
{
	pid_t pid;

	add(FORKS, 1);
	pid = fork();
	if (pid < 0)
		add(FORKS, -1ULL);
	return pid;
}

static void one_life(void)
{
	pthread_t made;

	switch (roll(12)) {
	case 0:
		break;
	case 1:
		naps(1 + roll(4));
		break;
	case 2:
		if (thread(short_life, &made))
			pthread_join(made, NULL);
		break;
	case 3:
		/* Exits while its thread sleeps. */
		thread(long_life, &made);
		break;
	case 4:
		add(EXECS, 1);
		become_program();
		break;
	case 5:
	case 6:
		/* The thread takes the place of this one. */
		if (thread(exec_life, &made)) {
			add(THREAD_EXECS, 1);
			for (;;)
				pause();
		}
		break;
	case 7:
		for_a_while(rename_self, RENAMES, RENAMED, RENAMED_MOST);
		break;
	case 8:
		for_a_while(change_user, SETUIDS, OWNED, OWNED_MOST);
		break;
	case 9:
		for_a_while(move, MOVES, MOVED, MOVED_MOST);
		break;
	case 10:
		if (!count_fork()) {
			add(ORPHANS, 1);
			naps(1 + roll(4));
		}
		break;
	case 11:
		/* One after the other, and twice. */
		for_a_while(change_user, SETUIDS, OWNED, OWNED_MOST);
		for_a_while(rename_self, RENAMES, RENAMED, RENAMED_MOST);
		naps(1);
		for_a_while(move, MOVES, MOVED, MOVED_MOST);
		for_a_while(rename_self, RENAMES, RENAMED, RENAMED_MOST);
		break;
	}
	leave();
}

static void map_counts(void)
{
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, SHARED_FD, 0);
	if (counts == MAP_FAILED)
		die("cannot map the counts");
}

static int open_group(const char *group)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die("cannot open %s", path);
	return fd;
}

static void wait_for_one(uint64_t *reaped)
{
	if (wait(NULL) > 0)
		++*reaped;
}

int main(int argc, char **argv)
{
	uint64_t forks, reaped = 0;
	int i, fd;

	if (argc == 2 && !strcmp(argv[1], "-e")) {
		map_counts();
		usleep(50);
		leave();
	}
	if (argc < 6)
		die("expected FORKS SEED NAME UID GROUP [PID...]");
	forks = number(argv[1], UINT32_MAX);
	dice = number(argv[2], UINT32_MAX);
	other_name = argv[3];
	other_uid = (uid_t)number(argv[4], UINT32_MAX);
	group_fd = open_group(argv[5]);
	root_fd = open_group("/sys/fs/cgroup");
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		die("cannot tell where this program is");
	fd = memfd_create("counts", 0);
	if (fd < 0 || ftruncate(fd, 4096) || dup2(fd, SHARED_FD) < 0)
		die("cannot share the counts");
	map_counts();
	/* Orphans come back, so that all can be waited for. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		die("cannot take orphans");
	/* Of those who start it, some are in a hurry. */
	if (setpriority(PRIO_PROCESS, 0, 0))
		die("cannot have the usual priority");
	wait_at_gate("ready");
	while (counts[FORKS] < forks) {
		uint64_t life = roll(UINT32_MAX);
		pid_t pid = count_fork();

		if (!pid) {
			dice = life;
			one_life();
		}
		for (i = 6; i < argc; i++)
			if (pid == atoi(argv[i]))
				add(REUSED, 1);
		while (counts[FORKS] - reaped > MOST_ALIVE)
			wait_for_one(&reaped);
		if (pid < 0)
			usleep(1000);
	}
	while (reaped < counts[FORKS])
		wait_for_one(&reaped);
	/*
	 * What all of them had when they were waited for, threads and orphans too. Behind that a
	 * task leaves for the last time, and may be preempted on its way there.
	 */
	add(ALL_MOST, switches_of(RUSAGE_CHILDREN) + switches() +
		      4 * (counts[FORKS] + counts[THREADS] + 1));
	add(ALL, counts[FORKS] + counts[THREADS]);
	printf("churned");
	for (i = 0; i < COUNTS; i++)
		printf(" %s %llu", names[i], (unsigned long long)counts[i]);
	printf("\n");
	wait_at_gate("end");
	return 0;
}

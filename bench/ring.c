// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring: a token goes round a ring of tasks over pipes; one hop is one voluntary
 * context switch. Prints what a hop takes, in nanoseconds, as the median of
 * several rounds: "ns_per_hop 4711.5".
 *
 * ring [-t TASKS] [-n HOPS] [-d DEPTH] [-p PLACES | -s STACKS [-r]] [-z NS | -y] [-c CPU]
 *	[-T] [-w] [-m BEGIN,END,PHASE]
 *	-d: so many user frames deeper; -p: blocks at so many places in turn;
 *	-s: on so many user stacks in turn; -r: each once in turn, then in random order;
 *	-z: a single task that naps for so long again and again, so that the CPU goes
 *	idle and comes back; a "hop" is then one nap, without the time in idle;
 *	-y: no token: all want the CPU all the time, and let the others in; a "hop" is that;
 *	-T: threads and not processes;
 *	-w: waits for a signal at the end, with all tasks still there;
 *	-m: tells the plugin in bench/lines to look, after the first round
 *
 * The tasks are of the class SCHED_BATCH: with the normal one a waker may be
 * preempted by whom it wakes, how often depends on how long the profiler takes,
 * and a slow profiler can look fast.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

#define ROUNDS	5
#define FRAME	__attribute__((noinline, noclone))

/* Where the plugin looks for stores: the same as in bench/lines/touch.c. */
#define MARK	0x5ca1ab1e000UL

static unsigned int tasks = 2, depth, places = 1, stacks;
static unsigned long hops = 20000, per, nap;
static int (*pipes)[2];
static __thread unsigned int me;
static int threads, waits, shuffled, yields;

/*
 * Nanoseconds that the CPU was idle, from the kernel's own books. It leaves out what
 * is done on the way into idle, which a nap's length hides: its end is set before.
 */
static uint64_t idle(void)
{
	FILE *list = fopen("/proc/timer_list", "r");
	unsigned long long ns, sum = 0;
	unsigned int found = 0;
	char line[256];

	if (!list)
		die("/proc/timer_list");
	while (fgets(line, sizeof(line), list))
		if (sscanf(line, " .idle_sleeptime : %llu nsecs", &ns) == 1 ||
		    sscanf(line, " .iowait_sleeptime: %llu nsecs", &ns) == 1) {
			sum += ns;
			found++;
		}
	fclose(list);
	/* Of one CPU: there are no others to be told from. */
	if (found != 2) {
		fprintf(stderr, "ring: naps are for one processor that keeps book of idle time\n");
		exit(1);
	}
	return sum;
}

static void take_nap(void)
{
	struct timespec t = { .tv_nsec = (long)nap };

	if (nanosleep(&t, NULL))
		die("nanosleep");
}

/* Marsaglia's xorshift; each task has an order of its own, the same in each run. */
static unsigned long any(void)
{
	static __thread uint64_t state;

	if (!state)
		state = 0x9e3779b97f4a7c15 * (me + 1);
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned long)(state >> 11);
}

static void tell(const uint64_t *mark)
{
	volatile uint64_t *page = (void *)MARK;
	unsigned int i;

	for (i = 0; i < 3; i++)
		page[i] = mark[i];
}

static void give(void)
{
	if (write(pipes[(me + 1) % tasks][1], "o", 1) != 1)
		die("write");
}

/* Each place is a function of its own; every other one is another system call. */
#define PLACE(n)							\
static FRAME void take_##n(void)					\
{									\
	char byte;							\
	struct iovec io = { &byte, 1 };					\
	ssize_t got = (n) & 1 ? readv(pipes[me][0], &io, 1) :		\
				read(pipes[me][0], &byte, 1);		\
									\
	if (got != 1)							\
		die("read");						\
}

PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7)

static void (*const take[])(void) = {
	take_0, take_1, take_2, take_3, take_4, take_5, take_6, take_7,
};

/* As many ways down as there are numbers of as many bits. */
static void way(unsigned long number, unsigned int bits);

#define WAY(n)								\
static FRAME void way_##n(unsigned long number, unsigned int bits)	\
{									\
	way(number, bits);						\
	__asm__ volatile("" ::: "memory");				\
}

WAY(0) WAY(1)

static inline __attribute__((always_inline)) void way(unsigned long number, unsigned int bits)
{
	if (!bits)
		take_0();
	else if (number & 1)
		way_1(number >> 1, bits - 1);
	else
		way_0(number >> 1, bits - 1);
}

static void play(unsigned long rounds)
{
	static __thread unsigned long hop;
	unsigned int bits = stacks ? (unsigned int)__builtin_ctz(stacks) : 0;
	unsigned long i;

	for (i = 0; i < rounds; i++) {
		if (nap) {
			take_nap();
			continue;
		}
		if (yields) {
			sched_yield();
			continue;
		}
		if (!me)
			give();
		if (stacks) {
			way((shuffled && hop >= stacks ? any() : hop) % stacks, bits);
			hop++;
		} else {
			take[i % places]();
		}
		if (me)
			give();
	}
}

static FRAME void go_down(unsigned int frames, unsigned long rounds)
{
	if (frames)
		go_down(frames - 1, rounds);
	else
		play(rounds);
	__asm__ volatile("" ::: "memory");
}

static void *plays(void *number)
{
	me = (unsigned int)(uintptr_t)number;
	/* One round more, for warming up; and without a token, so that none is done too early. */
	go_down(depth, per * (ROUNDS + 1 + yields));
	if (waits)
		pause();
	return NULL;
}

static void begin_task(unsigned int i)
{
	pthread_attr_t small;
	pthread_t thread;
	pid_t pid;

	if (threads) {
		if (pthread_attr_init(&small) ||
		    pthread_attr_setstacksize(&small, 65536) ||
		    pthread_create(&thread, &small, plays, (void *)(uintptr_t)i))
			die("thread");
		return;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		plays((void *)(uintptr_t)i);
		_exit(0);
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static unsigned long number(const char *text, unsigned long least)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || n < least) {
		fprintf(stderr, "ring: expected a number of at least %lu, not '%s'\n", least, text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct sched_param param = { 0 };
	uint64_t mark[3] = { 0 };
	double ns[ROUNDS];
	unsigned int i, on = 0;
	cpu_set_t cpu;
	int opt;

	while ((opt = getopt(argc, argv, "t:n:d:p:s:z:c:m:rTwy")) != -1) {
		switch (opt) {
		case 't':
			tasks = (unsigned int)number(optarg, 1);
			break;
		case 'n':
			hops = number(optarg, 1);
			break;
		case 'd':
			depth = (unsigned int)number(optarg, 1);
			break;
		case 'p':
			places = (unsigned int)number(optarg, 1);
			break;
		case 's':
			stacks = (unsigned int)number(optarg, 1);
			break;
		case 'c':
			on = (unsigned int)number(optarg, 0);
			break;
		case 'r':
			shuffled = 1;
			break;
		case 'z':
			nap = number(optarg, 1);
			tasks = 1;
			break;
		case 'm':
			if (sscanf(optarg, "%" SCNx64 ",%" SCNx64 ",%" SCNu64,
				   &mark[0], &mark[1], &mark[2]) != 3)
				return 2;
			break;
		case 'T':
			threads = 1;
			break;
		case 'w':
			waits = 1;
			break;
		case 'y':
			yields = 1;
			break;
		default:
			return 2;
		}
	}
	if (places > sizeof(take) / sizeof(take[0]) || tasks < 2 - !!nap ||
	    nap > 999999999 || stacks & (stacks - 1))
		return 2;
	CPU_ZERO(&cpu);
	CPU_SET(on, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) ||
	    sched_setscheduler(0, SCHED_BATCH, &param))
		die("ring");
	/* Naps end when they should. */
	if (nap && prctl(PR_SET_TIMERSLACK, 1UL))
		die("timer slack");
	if (mark[0] && mmap((void *)MARK, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		die("mmap");
	pipes = calloc(tasks, sizeof(*pipes));
	if (!pipes)
		die("ring");
	for (i = 0; i < tasks; i++)
		if (pipe(pipes[i]))
			die("pipe");
	per = (hops + tasks - 1) / tasks;
	for (i = 1; i < tasks; i++)
		begin_task(i);
	/* The first round, for warming up, is called from the same place: same stacks. */
	for (i = 0; i <= ROUNDS; i++) {
		uint64_t idled = nap ? idle() : 0, begin = now();
		uint64_t took;

		go_down(depth, per);
		took = now() - begin;
		if (nap)
			took -= idle() - idled;
		if (i)
			ns[i - 1] = (double)took / (double)(per * tasks);
		else if (mark[0])
			tell(mark);
	}
	if (mark[0])
		tell((const uint64_t[3]) { 0 });
	qsort(ns, ROUNDS, sizeof(ns[0]), compare);
	printf("ns_per_hop %.1f\n", ns[ROUNDS / 2]);
	fflush(stdout);
	if (waits)
		pause();
	while (!threads && wait(NULL) > 0)
		;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * many: tasks that leave the CPU in many ways, from many places: many PAIRS HOGS [SEED]
 *
 * Two tasks of a pair hand a byte to each other. Each time they come from the bottom of a
 * tree of four functions, by a path that repeats now and then and differs in one
 * frame now and then; so stacks look alike, and mostly are, but not always. Between that
 * they do what changes stacks and memory under a profiler: other stacks, handlers of
 * signals, code and data that are not in memory, births, deaths, exec. Hogs are preempted
 * wherever they are, each by a task of high precedence that naps on its processor. Runs
 * until it is killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define FRAME		__attribute__((noinline, noclone))
/* Behind a call: keeps it from becoming a jump that drops the frame. */
#define RETURNS_HERE()	__asm__ volatile("" : : : "memory")
#define STACK		65536

/* What a task takes from, and gives to. */
struct ends {
	int from, to;
};

static __thread struct ends ends;
static __thread uint64_t state;
static __thread ucontext_t here, there;
static __thread void (*at_the_bottom)(unsigned int);
static char *self;
static uint64_t seed;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* Marsaglia's xorshift. */
static unsigned int any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 16);
}

static FRAME void give(unsigned int how)
{
	struct iovec io = { "o", 1 };
	ssize_t done;

	do
		done = how & 1 ? writev(ends.to, &io, 1) : write(ends.to, "o", 1);
	while (done < 0 && errno == EINTR);
	/* The other one is gone: so is this one. */
	if (done != 1)
		_exit(0);
}

static FRAME void look(unsigned int how)
{
	struct pollfd one = { .fd = ends.from, .events = POLLIN };
	struct epoll_event event = { .events = EPOLLIN };
	fd_set set;
	int epoll;

	switch (how % 8) {
	case 0:
		poll(&one, 1, -1);
		break;
	case 1:
		FD_ZERO(&set);
		FD_SET(ends.from, &set);
		select(ends.from + 1, &set, NULL, NULL, NULL);
		break;
	case 2:
		epoll = epoll_create1(0);
		epoll_ctl(epoll, EPOLL_CTL_ADD, ends.from, &event);
		epoll_wait(epoll, &event, 1, -1);
		close(epoll);
		break;
	default:
		break;
	}
}

static FRAME void take(unsigned int how)
{
	char byte;
	struct iovec io = { &byte, 1 };
	ssize_t done;

	look(how >> 1);
	do
		done = how & 1 ? readv(ends.from, &io, 1) : read(ends.from, &byte, 1);
	while (done < 0 && errno == EINTR);
	if (done != 1)
		_exit(0);
}

static FRAME void hop(unsigned int how)
{
	give(how);
	take(how >> 1);
	RETURNS_HERE();
}

/* The tree: two bits of the path say which function comes next. */
static void step(uint64_t path, unsigned int depth, unsigned int how);

#define BRANCH(name, words)						\
static FRAME void name(uint64_t path, unsigned int depth, unsigned int how)	\
{									\
	volatile uint64_t room[words];					\
									\
	room[0] = path;							\
	step(path >> 2, depth, how);					\
	(void)room[0];							\
	RETURNS_HERE();							\
}

BRANCH(north, 1)
BRANCH(east, 2)
BRANCH(south, 2)
BRANCH(west, 7)

static inline __attribute__((always_inline))
void step(uint64_t path, unsigned int depth, unsigned int how)
{
	static void (*const branch[])(uint64_t path, unsigned int depth, unsigned int how) = {
		north, east, south, west
	};

	if (depth)
		branch[path & 3](path, depth - 1, how);
	else
		at_the_bottom(how);
}

/* ---- what else they do */

static FRAME void nap(unsigned int how)
{
	struct timespec t = { .tv_nsec = 1000 + how % 50000 };

	nanosleep(&t, NULL);
	RETURNS_HERE();
}

static FRAME void wait_in_vain(unsigned int how)
{
	struct timespec t = { .tv_nsec = 1000 + how % 50000 };
	int word = 0;

	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
}

static FRAME void yield(unsigned int how)
{
	sched_yield();
	RETURNS_HERE();
}

extern char __ehdr_start, etext;

/*
 * All code. After a fork, that of functions which began before is in memory, but not
 * in the task's page tables until they return, and what is missing there is not walked.
 */
static void find_code(void)
{
	volatile char *at;

	for (at = &__ehdr_start; at < &etext; at += 4096)
		(void)*at;
}

/* Code, and what else is mapped from files, is not there until it is used again. */
static FRAME void lose_code(unsigned int how)
{
	uintptr_t page = (uintptr_t)north & ~4095UL;

	if (how & 1)
		madvise((void *)page, 4096, MADV_DONTNEED);
	else
		madvise(&__ehdr_start, (size_t)(&etext - &__ehdr_start) & ~4095UL, MADV_DONTNEED);
	hop(how >> 1);
	if (how & 2)
		hop(how >> 1);
	find_code();
}

static FRAME void lose_data(unsigned int how)
{
	char *memory = mmap(NULL, 16384, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	memory[how % 16384] = 1;
	mprotect(memory + 4096, 4096, PROT_READ);
	hop(how);
	munmap(memory, 16384);
}

static void child_lives(unsigned int how)
{
	/* Its code is its parent's, but not in its page tables. */
	nap(how);
	_exit(0);
}

static FRAME void fork_one(unsigned int how)
{
	pid_t pid = fork();

	if (!pid)
		child_lives(how);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static FRAME void exec_one(unsigned int how)
{
	pid_t pid = how & 1 ? vfork() : fork();

	if (!pid) {
		execl(self, self, NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void *thread_lives(void *how)
{
	nap((unsigned int)(uintptr_t)how);
	return NULL;
}

static FRAME void begin_thread(unsigned int how)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, thread_lives, (void *)(uintptr_t)how))
		pthread_join(thread, NULL);
}

/* In a handler, perhaps on a stack of its own. */
static void handler(int signal)
{
	nap((unsigned int)signal << 8);
	RETURNS_HERE();
}

static FRAME void signal_self(unsigned int how)
{
	syscall(SYS_tgkill, getpid(), gettid(), how & 1 ? SIGUSR1 : SIGUSR2);
}

/* A timer's signal comes while it sleeps, or while it does not. */
static FRAME void alarm_self(unsigned int how)
{
	struct itimerspec when = { .it_value.tv_nsec = 1000 + how % 30000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return;
	timer_settime(timer, 0, &when, NULL);
	nap(how >> 3);
	timer_delete(timer);
}

static void coroutine(void)
{
	at_the_bottom = nap;
	step(any(), any() % 6, any());
	at_the_bottom = hop;
	step(any(), any() % 6, any());
}

static FRAME void other_stack(unsigned int how)
{
	static __thread char *stack;

	if (!stack)
		stack = malloc(STACK);
	if (!stack || getcontext(&there))
		die("stack");
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK - (how % 64) * 16;
	there.uc_link = &here;
	makecontext(&there, coroutine, 0);
	swapcontext(&here, &there);
}

static void (*const others[])(unsigned int how) = {
	nap, wait_in_vain, yield, yield, lose_code, lose_data, fork_one, exec_one, begin_thread,
	signal_self, signal_self, alarm_self, other_stack, other_stack,
};

/*
 * So many ways that repeat; one in 16 steps goes another one, which may differ in one
 * frame, or in the number of frames. One in 512 is something else: with the other one
 * waiting for its byte.
 */
static void *live(void *mine)
{
	struct { uint64_t path; unsigned int depth, how; } way[3], now;
	unsigned int i, n = 1, odd;
	stack_t stack = { .ss_size = STACK, .ss_sp = malloc(STACK) };

	ends = *(struct ends *)mine;
	state = seed * (uint64_t)gettid();
	find_code();
	sigaltstack(&stack, NULL);
	for (i = 0; ; i++) {
		if (i % 4096 == 0) {
			n = 1 + any() % 3;
			for (odd = 0; odd < n; odd++) {
				way[odd].path = any() | (uint64_t)any() << 32;
				way[odd].depth = any() % 24;
				way[odd].how = any();
			}
		}
		now = way[i % n];
		odd = any();
		if (odd % 16 == 0)
			now.path ^= 1ULL << (odd >> 8) % 64;
		if (odd % 64 == 1)
			now.depth = (odd >> 8) % 24;
		if (odd % 64 == 2)
			now.how = odd >> 8;
		if (odd % 512 == 3) {
			at_the_bottom = others[(odd >> 8) % (sizeof(others) / sizeof(*others))];
			step(now.path, now.depth, odd >> 16);
		}
		at_the_bottom = hop;
		step(now.path, now.depth, now.how);
	}
	return NULL;
}

/* It ends when its parent does. */
static pid_t fork_with_me(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* ---- who is preempted */

static volatile unsigned long sum;

static FRAME void spin(unsigned int how)
{
	unsigned int i;

	for (i = 0; i < 2000; i++)
		sum += how;
}

static void hog(unsigned int cpu)
{
	struct sched_param first = { .sched_priority = 1 };
	struct timespec t = { .tv_nsec = 3000000 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	state = seed;
	find_code();
	if (!fork_with_me()) {
		sched_setscheduler(0, SCHED_FIFO, &first);
		for (;;)
			nanosleep(&t, NULL);
	}
	if (nice(10) < 0)
		die("nice");
	at_the_bottom = spin;
	for (;;)
		step(any() & 0xf, 8, 1);
}

static void begin_pair(unsigned int kind)
{
	static struct ends one, other;
	pthread_t thread;
	int there_[2], back[2];

	if (kind & 1) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, there_))
			die("socketpair");
		one = (struct ends){ there_[0], there_[0] };
		other = (struct ends){ there_[1], there_[1] };
	} else {
		if (pipe(there_) || pipe(back))
			die("pipe");
		one = (struct ends){ there_[0], back[1] };
		other = (struct ends){ back[0], there_[1] };
	}
	/* Both as threads of one process, or each in its own. */
	if (!(kind & 2))
		live(fork_with_me() ? &one : &other);
	if (pthread_create(&thread, NULL, live, &one))
		die("thread");
	live(&other);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	unsigned int i, pairs, hogs;

	if (argc < 3)
		return 0;	/* what it executes */
	self = "/proc/self/exe";
	pairs = (unsigned int)atoi(argv[1]);
	hogs = (unsigned int)atoi(argv[2]);
	seed = 0x9e3779b97f4a7c15 * (2 * (uint64_t)(argc > 3 ? atoi(argv[3]) : 0) + 1);
	sigaction(SIGUSR2, &action, NULL);
	action.sa_flags |= SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < pairs + hogs; i++) {
		if (fork_with_me())
			continue;
		if (i >= pairs)
			hog(i - pairs);
		begin_pair(i);
	}
	for (;;)
		pause();
}

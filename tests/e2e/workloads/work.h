/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every workload needs: clocks and switch counts that do not come from
 * the module, and gates, at which a workload waits until the test lets it go
 * on. Between two gates it does a known thing.
 *
 * A workload announces "at NAME" on its output and then reads one byte from
 * the FIFO that the variable GATE names. Without GATE no gate waits, so that a
 * workload runs by hand.
 */
#ifndef WORK_H
#define WORK_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A function that the user stack must show: never inlined, never merged. */
#define FRAME	__attribute__((noinline, noclone, used))
/* Behind a call: keeps it from becoming a jump that drops the frame. */
#define RETURNS_HERE()	__asm__ volatile("" : : : "memory")

#define NS_PER_S	1000000000ULL

/* Readings of one thread, from the kernel's own books. */
struct clocks {
	uint64_t wall;		/* ns, CLOCK_MONOTONIC */
	uint64_t cpu;		/* ns on the CPU */
	uint64_t voluntary;	/* switches */
	uint64_t involuntary;
};

__attribute__((format(printf, 1, 2), noreturn))
static inline void die(const char *format, ...)
{
	int err = errno;
	va_list args;

	va_start(args, format);
	fputs("not ok workload: ", stdout);
	vprintf(format, args);
	va_end(args);
	printf(" (%s)\n", strerror(err));
	exit(1);
}

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static inline struct clocks read_clocks(void)
{
	struct clocks c;
	struct rusage usage;

	c.wall = clock_ns(CLOCK_MONOTONIC);
	c.cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	getrusage(RUSAGE_THREAD, &usage);
	c.voluntary = (uint64_t)usage.ru_nvcsw;
	c.involuntary = (uint64_t)usage.ru_nivcsw;
	return c;
}

static inline struct clocks clocks_since(struct clocks start)
{
	struct clocks c = read_clocks();

	c.wall -= start.wall;
	c.cpu -= start.cpu;
	c.voluntary -= start.voluntary;
	c.involuntary -= start.involuntary;
	return c;
}

/* What tests parse: "WHAT name wall_ns W cpu_ns C vol V invol I". */
static FRAME void print_clocks(const char *what, const char *name, struct clocks c)
{
	printf("%s %s wall_ns %llu cpu_ns %llu vol %llu invol %llu\n",
	       what, name, (unsigned long long)c.wall, (unsigned long long)c.cpu,
	       (unsigned long long)c.voluntary, (unsigned long long)c.involuntary);
}

static inline uint64_t number(const char *text, uint64_t max)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || end == text || *end || n > max)
		die("'%s' is no number up to %llu", text, (unsigned long long)max);
	return n;
}

static inline int gate_fd(void)
{
	static int fd = -1;

	/* For writing too: never at its end, whoever else opens it. */
	if (fd < 0 && getenv("GATE")) {
		fd = open(getenv("GATE"), O_RDWR | O_CLOEXEC);
		if (fd < 0)
			die("cannot open the gate %s", getenv("GATE"));
	}
	return fd;
}

static FRAME void wait_at_gate(const char *name)
{
	int fd = gate_fd();
	char byte;

	printf("at %s\n", name);
	fflush(stdout);
	if (fd < 0)
		return;
	while (read(fd, &byte, 1) != 1)
		if (errno != EINTR)
			die("cannot read the gate");
	RETURNS_HERE();
}

static inline void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cannot pin to CPU %d", cpu);
}

static inline void become_fifo(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("cannot become a task of fixed priority");
}

/* Of each 100 ms it may have 20. The C library has no wrapper for it. */
static inline void become_deadline(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = {
		.size = sizeof(attr), .policy = 6,
		.runtime = 20000000, .deadline = 100000000, .period = 100000000,
	};

	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		die("cannot become a deadline task");
}

static inline pid_t my_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static inline void futex_wait(volatile uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static inline void futex_wake(volatile uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}

static inline void futex_wake_all(volatile uint32_t *word)
{
	futex_wake(word, INT32_MAX);
}

#endif

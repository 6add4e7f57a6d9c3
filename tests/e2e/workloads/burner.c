// SPDX-License-Identifier: GPL-2.0-only
/*
 * burner: uses a CPU in known functions, for known times, with naps in between.
 *
 * burner [-c CPU] [-d] [-k READ_US] ROUNDS FIRST_US SECOND_US NAP_US [NAPS]
 *
 * With -d it has a deadline, and may have 20 ms of each 100 only.
 *
 * In each round it is in first() until that much time of the CPU is used, then in second(),
 * with -k also in in_kernel(), where it reads zeroes, and then sleeps so often (1), each time
 * from the same place. At the end it is in last() for as long as all of first(), and ends.
 *
 * Gates: "ready" before the rounds, "end" after them. It prints what it measured itself:
 * "path first cpu_ns C wall_ns W", and the same of second, in_kernel, nap, and last; "stopped
 * ns N": for how long it was kept from its work at most, by whomever.
 */
#include "work.h"

static uint64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t stopped_ns;

/* Most of the time in whoever calls it: clocks are read now and then. */
#define BURN(until_ns)					\
do {							\
	uint64_t before, now = clock_ns(CLOCK_MONOTONIC);	\
	volatile unsigned int i;			\
							\
	while (cpu_ns() < (until_ns)) {			\
		for (i = 0; i < 20000; i++)		\
			;				\
		before = now;				\
		now = clock_ns(CLOCK_MONOTONIC);	\
		if (now - before > stopped_ns)		\
			stopped_ns = now - before;	\
	}						\
} while (0)

static FRAME void first(uint64_t until_ns)
{
	BURN(until_ns);
	RETURNS_HERE();
}

static FRAME void second(uint64_t until_ns)
{
	BURN(until_ns);
	RETURNS_HERE();
}

static FRAME void last(uint64_t until_ns)
{
	BURN(until_ns);
	RETURNS_HERE();
}

/* Of each piece, all but the way in and out is spent in the kernel. */
static FRAME void in_kernel(uint64_t until_ns)
{
	static char piece[4 << 20];
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	while (cpu_ns() < until_ns)
		if (read(fd, piece, sizeof(piece)) != sizeof(piece))
			die("cannot read zeroes");
	RETURNS_HERE();
}

static FRAME void nap(uint64_t ns)
{
	const struct timespec t = {
		.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S),
	};

	nanosleep(&t, NULL);
	RETURNS_HERE();
}

struct sum {
	uint64_t cpu, wall;
};

static struct clocks began;

static void start(void)
{
	began = read_clocks();
}

static void add(struct sum *sum)
{
	struct clocks c = clocks_since(began);

	sum->cpu += c.cpu;
	sum->wall += c.wall;
}

static void tell(const char *name, const struct sum *sum)
{
	printf("path %s cpu_ns %llu wall_ns %llu\n", name, (unsigned long long)sum->cpu,
	       (unsigned long long)sum->wall);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sum in_first = { 0 }, in_second = { 0 }, in_nap = { 0 }, in_last = { 0 };
	struct sum in_read = { 0 };
	uint64_t rounds, first_ns, second_ns, nap_ns, read_ns = 0, naps = 1, i, j;
	int at = 1;

	if (argc > 2 && !strcmp(argv[1], "-c")) {
		pin((int)number(argv[2], 1023));
		at = 3;
	}
	if (argc > at && !strcmp(argv[at], "-d")) {
		become_deadline();
		at++;
	}
	if (argc > at + 1 && !strcmp(argv[at], "-k")) {
		read_ns = number(argv[at + 1], 10000000) * 1000;
		at += 2;
	}
	if (argc - at != 4 && argc - at != 5)
		die("expected [-c CPU] [-d] [-k READ_US] ROUNDS FIRST_US SECOND_US NAP_US [NAPS]");
	rounds = number(argv[at], 1000000);
	first_ns = number(argv[at + 1], 10000000) * 1000;
	second_ns = number(argv[at + 2], 10000000) * 1000;
	nap_ns = number(argv[at + 3], 10000000) * 1000;
	if (argc - at == 5)
		naps = number(argv[at + 4], 1000000);
	wait_at_gate("ready");
	for (i = 0; i < rounds; i++) {
		start();
		first(cpu_ns() + first_ns);
		add(&in_first);
		start();
		second(cpu_ns() + second_ns);
		add(&in_second);
		if (read_ns) {
			start();
			in_kernel(cpu_ns() + read_ns);
			add(&in_read);
		}
		start();
		for (j = 0; j < naps; j++)
			nap(nap_ns);
		add(&in_nap);
	}
	tell("first", &in_first);
	tell("second", &in_second);
	tell("in_kernel", &in_read);
	tell("nap", &in_nap);
	printf("stopped ns %llu\n", (unsigned long long)stopped_ns);
	fflush(stdout);
	wait_at_gate("end");
	start();
	last(cpu_ns() + rounds * first_ns);
	add(&in_last);
	tell("last", &in_last);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sleeper: sleeps a known number of times for a known time, on several paths
 * through functions with telling names.
 *
 * sleeper [-d] [-f] [-g] [-c CPU] [-b MIN,MAX] [-n NAME] [-r ROUNDS]
 *	PATH:COUNT:MICROSECONDS...
 * (NAME: what it calls itself from the first gate on; -d: as a deadline task,
 * -f: as one with a fixed priority of real time; -g: with a gate between paths)
 *
 * Paths: deep (deep_path, level_a, level_b, level_c, nap_in_libc, where the
 * C library's wrappers have no frame), shallow (shallow_path, nap_in_libc),
 * raw (raw_path, nap_by_hand: a system call without a wrapper), poll
 * (poll_path, nap_in_poll: another place in the kernel).
 *
 * Gates: "ready" before, "end" after; "next" with -g. For each path it prints what it
 * measured itself, and, as every nap was off the CPU for a time between what
 * its clocks say less the time on the CPU and what they say:
 *
 *	bounds below B inside I above A unsure U	against MIN and MAX (us)
 *	bucket LOW_US CERTAIN POSSIBLE			per power of two
 */
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "work.h"

#define BUCKETS	48
/* The CPU's clock and the monotonic one are read one after the other. */
#define SLACK_NS	200000

static uint64_t min_ns, max_ns = UINT64_MAX;
static uint64_t below, inside, above, unsure;
static uint64_t certain[BUCKETS], possible[BUCKETS];

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int bucket = 0;
	uint64_t us;

	for (us = ns / 1000; us; us >>= 1)
		bucket++;
	return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static void classify(struct clocks nap)
{
	uint64_t high = nap.wall, low = nap.wall - nap.cpu;
	unsigned int i, first, last;

	low = low > SLACK_NS ? low - SLACK_NS : 0;
	if (nap.voluntary != 1 || nap.involuntary)
		low = 0;
	if (high < min_ns)
		below++;
	else if (low > max_ns)
		above++;
	else if (low >= min_ns && high <= max_ns)
		inside++;
	else
		unsure++;
	first = bucket_of(low);
	last = bucket_of(high);
	for (i = first; i <= last; i++)
		possible[i]++;
	if (first == last)
		certain[first]++;
}

static FRAME void nap_in_libc(uint64_t us)
{
	struct timespec t = {
		.tv_sec = (time_t)(us / 1000000),
		.tv_nsec = (long)(us % 1000000) * 1000,
	};

	nanosleep(&t, NULL);
	RETURNS_HERE();
}

static FRAME void nap_by_hand(uint64_t us)
{
	struct timespec t = {
		.tv_sec = (time_t)(us / 1000000),
		.tv_nsec = (long)(us % 1000000) * 1000,
	};
#ifdef __x86_64__
	long ret;

	__asm__ volatile("syscall" : "=a"(ret)
			 : "0"((long)SYS_nanosleep), "D"(&t), "S"(NULL)
			 : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_nanosleep;
	register long first __asm__("x0") = (long)&t;
	register long second __asm__("x1") = 0;

	__asm__ volatile("svc #0" : "+r"(first)
			 : "r"(number), "r"(second) : "memory");
#endif
}

static FRAME void nap_in_poll(uint64_t us)
{
	poll(NULL, 0, (int)(us / 1000));
	RETURNS_HERE();
}

static void times(void (*nap)(uint64_t us), uint64_t count, uint64_t us)
{
	struct clocks start;

	while (count--) {
		start = read_clocks();
		nap(us);
		classify(clocks_since(start));
	}
}

/* Each path measures itself inside its own frame. */
#define MEASURED(name, call) do {			\
	struct clocks start = read_clocks();		\
	call;						\
	print_clocks("path", name, clocks_since(start));\
} while (0)

static FRAME void level_c(uint64_t count, uint64_t us)
{
	times(nap_in_libc, count, us);
	RETURNS_HERE();
}

static FRAME void level_b(uint64_t count, uint64_t us)
{
	level_c(count, us);
	RETURNS_HERE();
}

static FRAME void level_a(uint64_t count, uint64_t us)
{
	level_b(count, us);
	RETURNS_HERE();
}

static FRAME void deep_path(uint64_t count, uint64_t us)
{
	MEASURED("deep", level_a(count, us));
}

static FRAME void shallow_path(uint64_t count, uint64_t us)
{
	MEASURED("shallow", times(nap_in_libc, count, us));
}

static FRAME void raw_path(uint64_t count, uint64_t us)
{
	MEASURED("raw", times(nap_by_hand, count, us));
}

static FRAME void poll_path(uint64_t count, uint64_t us)
{
	MEASURED("poll", times(nap_in_poll, count, us));
}

static const struct path {
	const char *name;
	void (*run)(uint64_t count, uint64_t us);
} paths[] = {
	{ "deep", deep_path },
	{ "shallow", shallow_path },
	{ "raw", raw_path },
	{ "poll", poll_path },
};

static void run_path(char *text)
{
	char *name = strsep(&text, ":"), *count = strsep(&text, ":");
	unsigned int i;

	if (!text)
		die("expected PATH:COUNT:MICROSECONDS");
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!strcmp(paths[i].name, name)) {
			paths[i].run(number(count, UINT32_MAX),
				     number(text, UINT32_MAX));
			return;
		}
	die("there is no path '%s'", name);
}

/* Reading the file does not switch, so this is of one moment. */
static void print_status(void)
{
	char line[256];
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "ctxt_switches"))
			fputs(line, stdout);
	if (f)
		fclose(f);
}

int main(int argc, char **argv)
{
	bool gates = false;
	uint64_t rounds = 1;
	unsigned int i;
	char *text, *name = NULL;
	int opt;

	while ((opt = getopt(argc, argv, "b:c:dfgn:r:")) != -1) {
		switch (opt) {
		case 'b':
			text = optarg;
			min_ns = number(strsep(&text, ","), UINT32_MAX) * 1000;
			if (!text)
				die("expected MIN,MAX");
			max_ns = number(text, UINT32_MAX) * 1000 ?: UINT64_MAX;
			break;
		case 'c':
			pin((int)number(optarg, 1023));
			break;
		case 'd':
			become_deadline();
			break;
		case 'f':
			become_fifo(10);
			break;
		case 'g':
			gates = true;
			break;
		case 'n':
			name = optarg;
			break;
		case 'r':
			rounds = number(optarg, UINT32_MAX);
			break;
		default:
			return 2;
		}
	}
	wait_at_gate("ready");
	if (name)
		prctl(PR_SET_NAME, name);
	print_status();
	while (rounds--) {
		int arg;

		for (arg = optind; arg < argc; arg++) {
			char copy[128];

			if (gates && arg > optind)
				wait_at_gate("next");
			snprintf(copy, sizeof(copy), "%s", argv[arg]);
			run_path(copy);
		}
	}
	print_status();
	printf("bounds below %llu inside %llu above %llu unsure %llu\n",
	       (unsigned long long)below, (unsigned long long)inside,
	       (unsigned long long)above, (unsigned long long)unsure);
	for (i = 0; i < BUCKETS; i++)
		if (possible[i])
			printf("bucket %llu %llu %llu\n",
			       i ? 1ULL << (i - 1) : 0,
			       (unsigned long long)certain[i],
			       (unsigned long long)possible[i]);
	wait_at_gate("end");
	return 0;
}

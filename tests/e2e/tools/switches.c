// SPDX-License-Identifier: GPL-2.0-only
/*
 * switches: how often threads left the CPU, as /proc counts it, read while
 * all of them are off the CPU.
 *
 * switches [-s] PID...		-s: one line with the sum
 *
 * Prints "TID VOLUNTARY INVOLUNTARY" per thread, or the number of threads and
 * the sum of all switches. Waits until every thread is off its CPU, which
 * /proc/PID/syscall tells for sure, and until nothing has changed for a while.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S	600
#define QUIET_US	20000

struct thread {
	int tid;
	unsigned long long voluntary, involuntary;
};

struct scan {
	struct thread *thread;
	size_t count, room;
	bool busy;
};

static bool read_text(char *text, size_t size, int pid, int tid, const char *file)
{
	char path[64];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, tid, file);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	fclose(f);
	return n > 0;
}

static unsigned long long field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* A thread that exited meanwhile is not there any more. */
static void add_thread(struct scan *scan, int pid, int tid)
{
	struct thread *t;
	char text[8192];

	if (!read_text(text, sizeof(text), pid, tid, "syscall"))
		return;
	if (!strncmp(text, "running", 7)) {
		scan->busy = true;
		return;
	}
	if (!read_text(text, sizeof(text), pid, tid, "status"))
		return;
	if (scan->count == scan->room) {
		scan->room = scan->room * 2 + 64;
		scan->thread = realloc(scan->thread,
				       scan->room * sizeof(*scan->thread));
	}
	t = &scan->thread[scan->count++];
	memset(t, 0, sizeof(*t));
	t->tid = tid;
	t->voluntary = field(text, "\nvoluntary_ctxt_switches:");
	t->involuntary = field(text, "nonvoluntary_ctxt_switches:");
}

static void look(struct scan *scan, char **pids)
{
	struct dirent *entry;
	char path[32];
	DIR *dir;

	scan->count = 0;
	scan->busy = false;
	for (; *pids; pids++) {
		snprintf(path, sizeof(path), "/proc/%d/task", atoi(*pids));
		dir = opendir(path);
		if (!dir) {
			fprintf(stderr, "switches: there is no process %s\n", *pids);
			exit(1);
		}
		while ((entry = readdir(dir)))
			if (entry->d_name[0] != '.')
				add_thread(scan, atoi(*pids), atoi(entry->d_name));
		closedir(dir);
	}
}

static bool same(const struct scan *a, const struct scan *b)
{
	return !a->busy && !b->busy && a->count == b->count &&
	       !memcmp(a->thread, b->thread, a->count * sizeof(*a->thread));
}

int main(int argc, char **argv)
{
	bool sum = argc > 1 && !strcmp(argv[1], "-s");
	struct scan scans[2] = { };
	unsigned long long total = 0;
	time_t end = time(NULL) + PATIENCE_S;
	unsigned int now = 0;
	size_t i;

	argv += 1 + sum;
	if (!*argv) {
		fputs("switches: expects [-s] PID...\n", stderr);
		return 2;
	}
	look(&scans[!now], argv);
	for (;;) {
		usleep(QUIET_US);
		look(&scans[now], argv);
		if (scans[now].count && same(&scans[0], &scans[1]))
			break;
		if (time(NULL) > end) {
			fputs("switches: the threads do not come to rest\n", stderr);
			return 1;
		}
		now = !now;
	}
	for (i = 0; i < scans[0].count; i++) {
		const struct thread *t = &scans[0].thread[i];

		total += t->voluntary + t->involuntary;
		if (!sum)
			printf("%d %llu %llu\n", t->tid, t->voluntary, t->involuntary);
	}
	if (sum)
		printf("%zu %llu\n", scans[0].count, total);
	return 0;
}

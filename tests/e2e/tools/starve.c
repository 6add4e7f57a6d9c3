// SPDX-License-Identifier: GPL-2.0-only
/*
 * starve: does a thing again and again, and lets another one of its memory
 * allocations fail each time, or of its copies of user memory, until it gets through
 * without a failure.
 *
 * starve STEP write FILE TEXT [UNDO [CHECK]]	one write(), and if that succeeded one
 *					of UNDO; before that CHECK, a shell's
 *					command, must succeed
 * starve STEP read FILE		opens and reads to the end
 * starve STEP same FILE		what was read, its first 64 KiB, is what
 *					it tells without a failure
 * starve STEP mkdir DIRECTORY RESULTS	which is removed again if it was made,
 *					and must then have all its results
 * starve STEP rmdir DIRECTORY		until it succeeds
 *
 * STEP 1 lets every allocation fail once, a greater one leaves some out. Each
 * time it must succeed, or fail for lack of memory, or of what was to be copied.
 * Prints "tried N failed M".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail_nth.h"

/* The beginning of what a file tells. */
struct text {
	char at[1 << 16];
	size_t size;
};

static struct text whole, told;

static int read_all(const char *path, struct text *text)
{
	static char buffer[1 << 16];
	int fd = open(path, O_RDONLY);
	ssize_t n;
	size_t i;

	text->size = 0;
	if (fd < 0)
		return errno;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		for (i = 0; i < (size_t)n && text->size < sizeof(text->at); i++)
			text->at[text->size++] = buffer[i];
	n = n < 0 ? errno : 0;
	close(fd);
	return (int)n;
}

static int write_once(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		return errno;
	n = write(fd, text, strlen(text));
	n = n < 0 ? errno : 0;
	close(fd);
	return (int)n;
}

static int do_it(char **argv)
{
	if (!strcmp(argv[0], "read") || !strcmp(argv[0], "same"))
		return read_all(argv[1], &told);
	if (!strcmp(argv[0], "mkdir"))
		return mkdir(argv[1], 0755) ? errno : 0;
	if (!strcmp(argv[0], "rmdir"))
		return rmdir(argv[1]) ? errno : 0;
	return write_once(argv[1], argv[2]);
}

static bool complete(const char *results)
{
	static const char *const names[] = {
		"config", "top", "by_task", "folded", "histogram", "stats",
	};
	char path[4096];
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", results, names[i]);
		if (access(path, F_OK))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	unsigned int n, step, tried = 0, failed = 0, bad = 0;
	bool used, is_mkdir, is_same;
	int err;

	if (argc < 4 || (!strcmp(argv[2], "mkdir") && argc < 5))
		return 2;
	step = (unsigned int)atoi(argv[1]);
	is_mkdir = !strcmp(argv[2], "mkdir");
	is_same = !strcmp(argv[2], "same");
	if (is_same && read_all(argv[3], &whole)) {
		perror("starve: without a failure");
		return 2;
	}
	if (!fail_nth_open()) {
		perror("starve: fail-nth");
		return 2;
	}
	/* What this program itself reads into takes no memory then. */
	if (mlockall(MCL_CURRENT)) {
		perror("starve: mlockall");
		return 2;
	}
	for (n = 1; n < 100000; n += step) {
		fail_nth(n);
		err = do_it(argv + 2);
		used = fail_nth_used();
		tried++;
		if (err && !is_refused_by_fail_nth(err)) {
			printf("bad: %s with allocation %u failing: %s\n",
			       argv[2], n, strerrorname_np(err));
			return 1;
		}
		if (err)
			failed++;
		if (!err && is_mkdir && !complete(argv[4])) {
			printf("bad: made with allocation %u failing, but without results\n", n);
			bad++;
		}
		if (!err && is_same &&
		    (told.size != whole.size || memcmp(told.at, whole.at, whole.size))) {
			printf("bad: with allocation %u failing, it tells: %.*s\n",
			       n, (int)told.size, told.at);
			bad++;
		}
		/* What is done cannot be done again. */
		if (!err && is_mkdir)
			rmdir(argv[3]);
		if (!err && argc > 6 && system(argv[6])) {
			printf("bad: done with allocation %u failing, but: %s\n", n, argv[6]);
			bad++;
		}
		if (!err && argc > 5)
			write_once(argv[3], argv[5]);
		if (!used || (!err && !strcmp(argv[2], "rmdir")))
			break;
	}
	if (!used && err)
		printf("bad: %s failed although no allocation did\n", argv[2]);
	printf("tried %u failed %u\n", tried, failed);
	return bad || (!used && err);
}

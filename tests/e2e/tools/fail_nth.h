/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fail_nth: lets one thing fail that the kernel does for this thread: its n-th allocation,
 * or copy from or to user memory, counted together, as far as the kernel is built for that
 * (failslab, fail_page_alloc, fail_usercopy).
 */
#ifndef FAIL_NTH_H
#define FAIL_NTH_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fail_nth_fd;

/* False: the kernel cannot. */
static inline bool fail_nth_open(void)
{
	fail_nth_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	return fail_nth_fd >= 0;
}

/* From now on; 0: none. */
static inline void fail_nth(unsigned int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	/* The end of what was set before may be this very copy; then nothing is set. */
	while (pwrite(fail_nth_fd, text, (size_t)size, 0) != size) {
		if (errno == EFAULT)
			continue;
		perror("fail-nth");
		exit(2);
	}
}

/* Did it fail? Switches it off. @left: gets how many more would have been done before it. */
static inline bool fail_nth_end(unsigned int *left)
{
	char text[16] = "";
	ssize_t size;

	/* What was left of it may be used up here: that was one. */
	size = pread(fail_nth_fd, text, sizeof(text) - 1, 0);
	*left = size > 0 ? (unsigned int)atoi(text) : 1;
	fail_nth(0);
	return !*left;
}

static inline bool fail_nth_used(void)
{
	unsigned int left;

	return fail_nth_end(&left);
}

/* What an operation may say that this was let happen to. */
static inline bool is_refused_by_fail_nth(int err)
{
	return err == ENOMEM || err == EFAULT;
}

#endif

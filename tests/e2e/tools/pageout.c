// SPDX-License-Identifier: GPL-2.0-only
/*
 * pageout PID FILE: the first page of a file that nobody but one process has mapped leaves
 * memory, as it does where memory is short: the kernel is told that the process does not need
 * it. Where the file is in memory only, there must be swap. Tries again until it is gone.
 * pageout is gone FILE: is it still?
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Not in all headers. */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open		434
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise	440
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT		21
#endif

#define TRIES	100

/* Where the process has the first page of the file; NULL: nowhere. */
static void *find_first_page(const char *pid, const char *path)
{
	unsigned long start, offset;
	char name[64], line[4096];
	void *found = NULL;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%s/maps", pid);
	maps = fopen(name, "r");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%*x %*s %lx", &start, &offset) == 2 && !offset &&
		    strchr(line, '/') && !strcmp(strchr(line, '/'), path))
			found = (void *)start;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* Only whether it is in memory: it is not touched. */
static int is_in_memory(const char *path)
{
	int fd = open(path, O_RDONLY);
	unsigned char in = 1;
	void *page = fd < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED || mincore(page, 1, &in))
		in = 1;
	if (page != MAP_FAILED)
		munmap(page, 1);
	if (fd >= 0)
		close(fd);
	return in & 1;
}

int main(int argc, char **argv)
{
	void *first = argc == 3 ? find_first_page(argv[1], argv[2]) : NULL;
	struct iovec page = { first, sysconf(_SC_PAGESIZE) };
	int pidfd, i;

	if (argc == 4 && !strcmp(argv[1], "is") && !strcmp(argv[2], "gone"))
		return is_in_memory(argv[3]);
	if (!first) {
		fprintf(stderr, "usage: pageout PID FILE, where it has mapped its beginning\n"
				"       pageout is gone FILE\n");
		return 2;
	}
	pidfd = syscall(SYS_pidfd_open, atoi(argv[1]), 0);
	for (i = 0; i < TRIES; i++) {
		if (syscall(SYS_process_madvise, pidfd, &page, 1, MADV_PAGEOUT, 0) < 0) {
			perror("process_madvise");
			return 1;
		}
		if (!is_in_memory(argv[2]))
			return 0;
		usleep(20000);
	}
	fprintf(stderr, "the first page of %s stays in memory\n", argv[2]);
	return 1;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * listeners: which tracepoints of the kernel have somebody who listens.
 *
 * grep ' __tracepoint_' /proc/kallsyms | listeners
 *
 * Prints the names of those, in the order of the input; what is of modules is left out. The
 * kernel tells that nowhere, but each of them has a key that is on as long as somebody
 * listens, and /proc/kcore has the kernel's memory.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX	"__tracepoint_"
/* struct tracepoint: a pointer, then the key, which begins with an int that is not 0 if on. */
#define KEY_AT	sizeof(void *)
#define PARTS	256

static Elf64_Phdr parts[PARTS];
static unsigned int count;

static int open_kcore(void)
{
	int fd = open("/proc/kcore", O_RDONLY);
	Elf64_Ehdr head;

	if (fd < 0)
		err(1, "/proc/kcore");
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) || head.e_phnum > PARTS)
		errx(1, "/proc/kcore has no head, or too many parts");
	count = head.e_phnum;
	if (pread(fd, parts, count * sizeof(*parts), (off_t)head.e_phoff) !=
	    (ssize_t)(count * sizeof(*parts)))
		errx(1, "/proc/kcore is short");
	return fd;
}

static bool is_on(int fd, uint64_t at)
{
	unsigned int i;
	int32_t key;

	for (i = 0; i < count; i++) {
		if (parts[i].p_type != PT_LOAD || at < parts[i].p_vaddr ||
		    at - parts[i].p_vaddr >= parts[i].p_memsz)
			continue;
		if (pread(fd, &key, sizeof(key),
			  (off_t)(parts[i].p_offset + at - parts[i].p_vaddr)) != sizeof(key))
			err(1, "%" PRIx64 " in /proc/kcore", at);
		return key;
	}
	errx(1, "%" PRIx64 " is not in /proc/kcore", at);
}

int main(void)
{
	unsigned int seen = 0;
	int fd = open_kcore();
	char line[512], *name, *end;
	uint64_t at;

	while (fgets(line, sizeof(line), stdin)) {
		at = strtoull(line, NULL, 16);
		name = strstr(line, " " PREFIX);
		end = line + strcspn(line, "\n");
		if (!at || !name || memchr(line, '\t', (size_t)(end - line)))
			continue;
		*end = '\0';
		seen++;
		if (is_on(fd, at + KEY_AT))
			puts(name + strlen(" " PREFIX));
	}
	if (!seen)
		errx(1, "no tracepoint was named");
	return 0;
}

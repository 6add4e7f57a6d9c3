// SPDX-License-Identifier: GPL-2.0-only
/*
 * addresses: finds addresses of the kernel in files.
 *
 * addresses truth >RANGES
 *	where the kernel's code, data, memory and stacks lie, as far as it tells root:
 *	of /proc/kallsyms, of the direct mapping in /proc/kcore, and of /proc/vmallocinfo
 *	if it has no secrets there. A line for each range: START END, as hexadecimal numbers.
 *
 * addresses look READER RANGES FILE...
 *	opens and reads each file as a reader who is
 *	  root        as whoever calls
 *	  nosyslog    without CAP_SYSLOG
 *	  nocaps      without any capability
 *	  container   root in a user namespace of its own
 *	  UID         that user
 *	and prints a line for each that could be read: "file BYTES FOUND NAME", with how
 *	many addresses are in it: of 16 hexadecimal digits, decimal, negative, and as eight
 *	bytes of either order at any place. Before them "kallsyms N", with how many of its
 *	first lines tell that reader an address. A file of 64 MB is too long: it fails.
 */
#include <ctype.h>
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_SYSLOG
#define CAP_SYSLOG 34
#endif
#define MAX_RANGES	65536
#define MAX_FILE	(64 << 20)
/* Symbols that are no farther from each other lie in the same part of the kernel. */
#define GAP		0x100000ULL
/* What lies above is of the kernel. */
#define HALF		0x8000000000000000ULL

struct range {
	uint64_t start, end;
};

static struct range ranges[MAX_RANGES];
static unsigned int count;

static void add_range(uint64_t start, uint64_t end)
{
	if (start < HALF || end <= start)
		return;
	if (count == MAX_RANGES)
		errx(1, "too many ranges");
	ranges[count].start = start;
	ranges[count++].end = end;
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorted, and those that touch are one. */
static void tidy(uint64_t gap)
{
	unsigned int i, n = 0;

	qsort(ranges, count, sizeof(*ranges), by_start);
	for (i = 0; i < count; i++) {
		if (n && ranges[i].start - ranges[n - 1].start <=
			 ranges[n - 1].end - ranges[n - 1].start + gap) {
			if (ranges[i].end > ranges[n - 1].end)
				ranges[n - 1].end = ranges[i].end;
		} else {
			ranges[n++] = ranges[i];
		}
	}
	count = n;
}

static bool is_address(uint64_t value)
{
	unsigned int low = 0, high = count;

	if (value < HALF)
		return false;
	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (ranges[middle].end <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && value >= ranges[low].start;
}

static FILE *must_open(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file)
		err(1, "%s", name);
	return file;
}

static void symbols_truth(void)
{
	FILE *file = must_open("/proc/kallsyms");
	char line[1024];
	uint64_t at;

	while (fgets(line, sizeof(line), file)) {
		at = strtoull(line, NULL, 16);
		add_range(at, at + 1);
		if (count == MAX_RANGES)
			tidy(GAP);
	}
	fclose(file);
	tidy(GAP);
	if (!count)
		errx(1, "/proc/kallsyms tells no address");
}

/* Of the direct mapping: as much as there is memory, and below the kernel's code. */
static void memory_truth(void)
{
	int fd = open("/proc/kcore", O_RDONLY);
	Elf64_Ehdr head;
	Elf64_Phdr part;
	unsigned int i;

	if (fd < 0)
		return;
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		errx(1, "/proc/kcore is short");
	for (i = 0; i < head.e_phnum; i++) {
		if (pread(fd, &part, sizeof(part), (off_t)(head.e_phoff + i * sizeof(part))) !=
		    sizeof(part))
			errx(1, "/proc/kcore is short");
		if (part.p_type == PT_LOAD && part.p_memsz <= 64ULL << 30 &&
		    part.p_vaddr < 0xffffffff00000000ULL)
			add_range(part.p_vaddr, part.p_vaddr + part.p_memsz);
	}
	close(fd);
}

static void areas_truth(void)
{
	FILE *file = fopen("/proc/vmallocinfo", "r");
	char line[1024], *end;
	uint64_t start;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		start = strtoull(line, &end, 16);
		if (*end == '-')
			add_range(start, strtoull(end + 1, NULL, 16));
	}
	fclose(file);
}

static void truth(void)
{
	unsigned int i;

	symbols_truth();
	memory_truth();
	areas_truth();
	tidy(0);
	for (i = 0; i < count; i++)
		printf("%016" PRIx64 " %016" PRIx64 "\n", ranges[i].start, ranges[i].end);
}

static void read_ranges(const char *name)
{
	FILE *file = must_open(name);
	uint64_t start, end;

	while (fscanf(file, "%" SCNx64 " %" SCNx64, &start, &end) == 2)
		add_range(start, end);
	fclose(file);
	if (!count)
		errx(1, "%s has no ranges", name);
	tidy(0);
}

static uint64_t word_at(const unsigned char *at, bool big)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		value |= (uint64_t)at[i] << (big ? 56 - 8 * i : 8 * i);
	return value;
}

/* Any sixteen digits in a row. */
static unsigned int look_hex(const char *text, size_t n)
{
	unsigned int found = 0;
	char digits[17];
	size_t i;

	for (i = 0; i + 16 <= n; i++) {
		/* An address of the kernel begins with such a one. */
		if (!strchr("89abcdefABCDEF", text[i]) || !text[i])
			continue;
		memcpy(digits, text + i, 16);
		digits[16] = '\0';
		if (strspn(digits, "0123456789abcdefABCDEF") == 16)
			found += is_address(strtoull(digits, NULL, 16));
	}
	return found;
}

static unsigned int look_decimal(const char *text, size_t n)
{
	unsigned int found = 0;
	char digits[32];
	size_t i, length;
	uint64_t value;

	for (i = 0; i < n; i += length ?: 1) {
		for (length = 0; i + length < n && isdigit((unsigned char)text[i + length]);
		     length++)
			;
		if (length < 10 || length > 20)
			continue;
		memcpy(digits, text + i, length);
		digits[length] = '\0';
		errno = 0;
		value = strtoull(digits, NULL, 10);
		if (errno)
			continue;
		found += is_address(value) ||
			 (i && text[i - 1] == '-' && is_address(-value));
	}
	return found;
}

static unsigned int look_words(const unsigned char *bytes, size_t n)
{
	unsigned int found = 0;
	size_t i;

	for (i = 0; i + 8 <= n; i++) {
		/* Most are neither. */
		if (bytes[i + 7] >= 0x80)
			found += is_address(word_at(bytes + i, false));
		if (bytes[i] >= 0x80)
			found += is_address(word_at(bytes + i, true));
	}
	return found;
}

static void look_at(const char *name)
{
	static char *bytes;
	unsigned int found;
	size_t n = 0;
	ssize_t got;
	int fd;

	bytes = bytes ?: malloc(MAX_FILE);
	if (!bytes)
		err(1, "memory");
	fd = open(name, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return;
	while ((got = read(fd, bytes + n, MAX_FILE - n)) > 0)
		n += (size_t)got;
	close(fd);
	/* A directory, for one, can be opened. */
	if (got < 0)
		return;
	if (n == MAX_FILE)
		errx(1, "%s is too long", name);
	found = look_hex(bytes, n) + look_decimal(bytes, n) +
		look_words((unsigned char *)bytes, n);
	printf("file %zu %u %s\n", n, found, name);
}

static void look_at_kallsyms(void)
{
	FILE *file = must_open("/proc/kallsyms");
	unsigned int lines = 0, shown = 0;
	char line[1024];

	while (lines++ < 2000 && fgets(line, sizeof(line), file))
		shown += is_address(strtoull(line, NULL, 16));
	fclose(file);
	printf("kallsyms %u\n", shown);
}

static void without_capabilities(bool all)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint32_t bit = 1U << (CAP_SYSLOG % 32);

	if (syscall(SYS_capget, &head, data))
		err(1, "capget");
	data[CAP_SYSLOG / 32].effective &= ~bit;
	data[CAP_SYSLOG / 32].permitted &= ~bit;
	data[CAP_SYSLOG / 32].inheritable &= ~bit;
	if (all)
		memset(data, 0, sizeof(data));
	if (syscall(SYS_capset, &head, data))
		err(1, "capset");
}

static void write_to(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(1, "%s", name);
	close(fd);
}

static void become(const char *reader)
{
	uid_t uid;
	char *end;

	if (!strcmp(reader, "root"))
		return;
	if (!strcmp(reader, "nosyslog") || !strcmp(reader, "nocaps")) {
		without_capabilities(!strcmp(reader, "nocaps"));
		return;
	}
	if (!strcmp(reader, "container")) {
		if (unshare(CLONE_NEWUSER))
			err(1, "a user namespace");
		write_to("/proc/self/uid_map", "0 0 1");
		return;
	}
	uid = (uid_t)strtoul(reader, &end, 10);
	if (*end || !uid)
		errx(2, "there is no reader '%s'", reader);
	if (setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		err(1, "user %u", uid);
}

int main(int argc, char **argv)
{
	int i;

	if (argc == 2 && !strcmp(argv[1], "truth")) {
		truth();
		return 0;
	}
	if (argc < 4 || strcmp(argv[1], "look"))
		errx(2, "expects truth, or look, a reader, ranges and files");
	read_ranges(argv[3]);
	become(argv[2]);
	look_at_kallsyms();
	for (i = 4; i < argc; i++)
		look_at(argv[i]);
	return 0;
}

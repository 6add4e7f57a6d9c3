// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader: reads result files again and again until it is told to stop
 * (SIGTERM), and looks at each as far as one can without knowing the answer.
 *
 * reader [-l] FILE...
 *
 * -l: of sessions that are live whenever they are read, so that no result has ended.
 *
 * A line "reading" once it has read one, "bad FILE: ..." for whatever is wrong (at
 * most 20), last "reads N".
 * Files may come and go.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "raw_format.h"

#define MAX_BAD	20

static volatile sig_atomic_t stop;
static unsigned int bad;
static bool live;

static void on_term(int sig)
{
	stop = 1;
}

static void complain(const char *path, const char *what, const char *text)
{
	if (bad++ < MAX_BAD)
		printf("bad %s: %s: %.300s\n", path, what, text);
	fflush(stdout);
}

/* Read in pieces of an odd size, so that a reader is often in the middle. */
static char *slurp(const char *path, size_t piece, size_t *size)
{
	size_t room = 1 << 16;
	char *text = malloc(room);
	ssize_t n;
	int fd;

	*size = 0;
	fd = open(path, O_RDONLY);
	if (fd < 0) {
		if (errno != ENOENT && errno != EIO && errno != ENXIO)
			complain(path, "cannot open", strerror(errno));
		goto fail;
	}
	for (;;) {
		if (room - *size < piece + 1) {
			room *= 2;
			text = realloc(text, room);
		}
		n = read(fd, text + *size, piece);
		if (n <= 0)
			break;
		*size += (size_t)n;
	}
	/* The session was removed meanwhile. */
	if (n < 0 && errno != EIO && errno != ENOENT)
		complain(path, "cannot read", strerror(errno));
	close(fd);
	if (n < 0)
		goto fail;
	text[*size] = '\0';
	return text;
fail:
	free(text);
	return NULL;
}

static uint64_t stat_of(const char *text, const char *name)
{
	size_t n = strlen(name);

	while (text) {
		if (!strncmp(text, name, n) && text[n] == ' ')
			return strtoull(text + n, NULL, 10);
		text = strchr(text, '\n');
		text += !!text;
	}
	return UINT64_MAX;
}

static void check_stats(const char *path, const char *text)
{
	static const char *const parts[] = {
		"filtered", "below_min", "above_max", "lost_tasks",
		"lost_stacks", "lost_entries", "recorded",
	};
	char why[128];
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (stat_of(text, parts[i]) == UINT64_MAX)
			complain(path, "has no", parts[i]);
		sum += stat_of(text, parts[i]);
	}
	if (stat_of(text, "intervals") != sum) {
		snprintf(why, sizeof(why), "intervals %llu, the parts %llu",
			 (unsigned long long)stat_of(text, "intervals"),
			 (unsigned long long)sum);
		complain(path, "the books do not balance", why);
	}
}

/* Of 16 digits: those of programs have less, and on arm64 begin with the same ones. */
static bool has_kernel_address(const char *line)
{
	const char *at = line;

	while ((at = strstr(at, "0xffff"))) {
		at += 2;
		if (strspn(at, "0123456789abcdef") >= 16)
			return true;
	}
	return false;
}

/* comm-TID;frame;... VALUE */
static void check_folded(const char *path, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")) && text) {
		char *value = strrchr(line, ' '), *end, *p;

		if (!value || value == line || value[1] < '0' || value[1] > '9') {
			complain(path, "no value at the end", line);
			continue;
		}
		strtoull(value + 1, &end, 10);
		if (*end)
			complain(path, "no number at the end", line);
		for (p = line; p < value; p++)
			if ((unsigned char)*p <= ' ' || *p == 0x7f)
				break;
		if (p < value)
			complain(path, "a blank or control character", line);
		if (strstr(line, ";;") || *line == ';' || value[-1] == ';')
			complain(path, "an empty frame", line);
		if (has_kernel_address(line))
			complain(path, "a raw kernel address", line);
	}
	if (line && *line)
		complain(path, "the last line is cut", line);
}

/* As its header says: whole records, from the first to the last. */
static void check_raw(const char *path, const char *data, size_t size)
{
	static const char ended[] = "\nstate ended\n";
	struct sp_raw_record head = { .kind = 0 };
	uint64_t count = 0, told = 0;
	size_t at, next;
	bool first;

	for (at = 0; at < size; at = next) {
		if (size - at < sizeof(head))
			break;
		memcpy(&head, data + at, sizeof(head));
		next = at + sizeof(head) + ((head.bytes + 7ul) & ~7ul);
		if (next > size)
			break;
		first = head.kind == SP_RAW_BEGIN;
		if (first != !at)
			break;
		if (live && head.kind == SP_RAW_META &&
		    memmem(data + at + sizeof(head), head.bytes, ended, strlen(ended)))
			complain(path, "of a session that is live", ended + 1);
		if (head.kind == SP_RAW_END)
			memcpy(&told, data + at + sizeof(head), sizeof(told));
		count++;
	}
	if (at != size || head.kind != SP_RAW_END || told != count)
		complain(path, "broken records", "");
}

static void check(const char *path, char *text, size_t size)
{
	const char *file = strrchr(path, '/');

	if (file && !strcmp(file, "/raw")) {
		check_raw(path, text, size);
		return;
	}
	if (size && strlen(text) != size)
		complain(path, "a NUL", text);
	else if (size && text[size - 1] != '\n')
		complain(path, "the last line has no end", text + (size > 80 ? size - 80 : 0));
	else if (file && !strcmp(file, "/stats"))
		check_stats(path, text);
	else if (file && !strcmp(file, "/folded"))
		check_folded(path, text);
}

int main(int argc, char **argv)
{
	static const size_t pieces[] = { 65536, 4096, 1021, 97 };
	unsigned long reads = 0;
	size_t size;
	char *text;
	int i;

	live = argc > 1 && !strcmp(argv[1], "-l");
	signal(SIGTERM, on_term);
	/* As a storm has: of those who start it, some are in a hurry. */
	setpriority(PRIO_PROCESS, 0, 0);
	while (!stop) {
		for (i = 1 + live; i < argc && !stop; i++) {
			text = slurp(argv[i], pieces[reads % 4], &size);
			if (!text) {
				usleep(1000);
				continue;
			}
			check(argv[i], text, size);
			free(text);
			if (!reads++) {
				puts("reading");
				fflush(stdout);
			}
		}
	}
	printf("reads %lu\n", reads);
	return bad != 0;
}

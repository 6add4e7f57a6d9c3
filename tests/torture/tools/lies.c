// SPDX-License-Identifier: GPL-2.0-only
/*
 * lies: unwind tables of files that are mapped, which say anything, are written, replaced and
 * removed; and such as are damaged.
 *
 * lies CONFIGFS SEED COUNT BUILD_ID...
 *
 * A table with a right checksum and rows in order must be taken, whatever its rules lead to;
 * one of which a bit was turned, or the end cut off, must be refused with a sentence, and so
 * must a line about none of them, or of any bytes, that is written to unwind_tables. What
 * the module has is as it was then: that is asked of unwind_tables. Prints "bad ..." for
 * what is wrong, at most 20 times, and last what was counted. All that is random follows
 * from SEED.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table_crc.h"
#include "table_format.h"

#define MAX_ROWS	4000
#define MAX_FILES	16

static struct {
	struct sp_unwind_header head;
	struct sp_unwind_row row[MAX_ROWS];
} table;

static const char *configfs;
static unsigned int bad;
static uint64_t dice_state;

static uint32_t dice(uint32_t sides)
{
	dice_state = dice_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(dice_state >> 33) % sides;
}

__attribute__((format(printf, 1, 2)))
static void wrong_is(const char *format, ...)
{
	va_list arguments;

	if (bad++ >= 20)
		return;
	printf("bad ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

static int open_file(const char *name, int flags)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", configfs, name);
	fd = open(path, flags);
	if (fd < 0) {
		printf("bad cannot open %s: %s\n", path, strerror(errno));
		exit(1);
	}
	return fd;
}

/* All of a file, as a text. */
static size_t slurp(const char *name, char *text, size_t room)
{
	int fd = open_file(name, O_RDONLY);
	size_t n = 0;
	ssize_t got;

	while (n + 1 < room && (got = read(fd, text + n, room - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	close(fd);
	return n;
}

/* In one write, as it must be; it is handed over when the file is closed. */
static void put(const char *name, const void *bytes, size_t n)
{
	int fd = open_file(name, O_WRONLY);

	/* Of nothing at all configfs says EFAULT, and hands it over none the less. */
	if (write(fd, bytes, n) != (ssize_t)n && n)
		wrong_is("%s takes less than %zu bytes: %s", name, n, strerror(errno));
	close(fd);
}

static void hex_of(char *text, const uint8_t *bytes, unsigned int n)
{
	while (n--)
		text += sprintf(text, "%02x", *bytes++);
}

/* How many rows the module's table of that file has; -1: it has none. */
static long rows_of(const char *build_id)
{
	static char text[1 << 20];
	unsigned long bytes, rows;
	char *line;

	slurp("unwind_tables", text, sizeof(text));
	line = strstr(text, build_id);
	if (!line || sscanf(line + strlen(build_id), " %lu %lu", &bytes, &rows) != 2)
		return -1;
	return (long)rows;
}

/* What the module said of the last write; empty if it took that. */
static char why[1024];

static bool is_refused(void)
{
	return slurp("last_error", why, sizeof(why)) > 0;
}

static void make_rows(unsigned int n)
{
	static const uint16_t odd[] = { 1, 2, 3, 16, 1000, 0x7fff, 0xffff };
	uint32_t offset = dice(2) ? 0 : dice(8192), step = 1 + dice(dice(2) ? 16 : 4096);
	unsigned int i;

	for (i = 0; i < n; i++) {
		struct sp_unwind_row *row = &table.row[i];
		unsigned int kind = dice(6);

		row->offset = offset;
		offset += 1 + dice(step);
		row->cfa = 0;
		row->rule = sp_unwind_rule((enum sp_unwind_kind)kind, 0);
		if (kind < SP_UNWIND_SP || kind == SP_UNWIND_SIGNAL)
			continue;
		row->cfa = dice(4) ? (uint16_t)(1 + dice(12)) :
			   odd[dice(sizeof(odd) / sizeof(odd[0]))];
		if (kind == SP_UNWIND_PLT)
			row->rule = sp_unwind_rule(SP_UNWIND_PLT, dice(16));
		else if (dice(2))
			row->rule = sp_unwind_rule((enum sp_unwind_kind)kind,
						   2 + dice(dice(4) ? 6 : SP_UNWIND_MAX_SAVED - 2));
	}
}

static size_t make(const uint8_t *build_id, unsigned int n)
{
	memset(&table.head, 0, sizeof(table.head));
	memcpy(table.head.magic, SP_UNWIND_MAGIC, sizeof(table.head.magic));
	table.head.version = SP_UNWIND_VERSION;
	table.head.bytes = (uint32_t)(sizeof(table.head) + n * sizeof(table.row[0]));
	table.head.machine = EM_X86_64;
	table.head.rows = n;
	table.head.build_id_bytes = SP_UNWIND_BUILD_ID_MAX;
	memcpy(table.head.build_id, build_id, SP_UNWIND_BUILD_ID_MAX);
	make_rows(n);
	table.head.crc = table_crc(&table.head.machine,
				   table.head.bytes - offsetof(struct sp_unwind_header, machine));
	return table.head.bytes;
}

/* The names of tables that there are, each on a line: who uses them changes by itself. */
static void slurp_names(char *text, size_t room)
{
	char *to = text, *line, *end;

	slurp("unwind_tables", text, room);
	for (line = text; *line; line = end) {
		size_t n = strcspn(line, "\t\n");

		end = line + strcspn(line, "\n");
		end += *end == '\n';
		memmove(to, line, n);
		to += n;
		*to++ = '\n';
	}
	*to = '\0';
}

/* A line that is not about a table that there is: one with a digit that is wrong, or any bytes. */
static void write_noise(const char *hex, unsigned long turn)
{
	static char before[1 << 20], after[1 << 20];
	size_t n = 1 + strlen(hex), at;
	char noise[512];

	if (dice(3)) {
		noise[0] = '-';
		memcpy(noise + 1, hex, n - 1);
		at = 1 + dice((uint32_t)n - 1);
		do
			noise[at] = (char)dice(256);
		while (tolower((unsigned char)noise[at]) == hex[at - 1]);
	} else {
		n = 1 + dice(sizeof(noise));
		for (at = 0; at < n; at++)
			noise[at] = (char)dice(256);
		/* Nor one that asks for nothing. */
		noise[0] = 'x';
	}
	slurp_names(before, sizeof(before) - 1);
	put("unwind_tables", noise, n);
	if (!is_refused())
		wrong_is("turn %lu: %zu bytes of noise are taken by unwind_tables", turn, n);
	slurp_names(after, sizeof(after) - 1);
	if (strcmp(before, after))
		wrong_is("turn %lu: after noise the tables are '%.200s'", turn, after);
}

int main(int argc, char **argv)
{
	uint8_t build_id[MAX_FILES][SP_UNWIND_BUILD_ID_MAX];
	unsigned long turn, turns, taken = 0, refused = 0, removed = 0;
	char hex[2 * SP_UNWIND_BUILD_ID_MAX + 1], word[sizeof(hex) + 1];
	int i, files = argc - 4;
	size_t bytes;
	unsigned int n, bit;
	long before;
	bool there;

	if (files < 1 || files > MAX_FILES)
		return 2;
	configfs = argv[1];
	dice_state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
	turns = strtoul(argv[3], NULL, 10);
	for (i = 0; i < files; i++)
		for (n = 0; n < SP_UNWIND_BUILD_ID_MAX; n++)
			if (sscanf(argv[4 + i] + 2 * n, "%2hhx", &build_id[i][n]) != 1)
				return 2;
	for (turn = 0; turn < turns; turn++) {
		i = (int)dice((uint32_t)files);
		hex_of(hex, build_id[i], SP_UNWIND_BUILD_ID_MAX);
		before = rows_of(hex);
		if (!dice(6)) {
			snprintf(word, sizeof(word), "-%s", hex);
			put("unwind_tables", word, strlen(word));
			there = before >= 0;
			if (is_refused() == there || rows_of(hex) >= 0)
				wrong_is("turn %lu: removing a table of %ld rows", turn, before);
			removed++;
			continue;
		}
		if (!dice(6)) {
			write_noise(hex, turn);
			refused++;
			continue;
		}
		n = 1 + dice(dice(4) ? 200 : MAX_ROWS);
		bytes = make(build_id[i], n);
		if (dice(3)) {
			put("unwind_table", &table, bytes);
			if (is_refused() || rows_of(hex) != (long)n)
				wrong_is("turn %lu: a table of %u rows is refused, or is another one of %ld: %s",
					 turn, n, rows_of(hex), why);
			taken++;
			continue;
		}
		if (dice(2)) {
			bytes = dice(8) ? dice((uint32_t)bytes) : 0;
		} else {
			bit = dice((uint32_t)bytes * 8);
			((uint8_t *)&table)[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
		put("unwind_table", &table, bytes);
		if (!is_refused() || rows_of(hex) != before)
			wrong_is("turn %lu: damage to a table of %u rows is not refused", turn, n);
		refused++;
	}
	for (i = 0; i < files; i++) {
		hex_of(hex, build_id[i], SP_UNWIND_BUILD_ID_MAX);
		if (rows_of(hex) < 0)
			continue;
		snprintf(word, sizeof(word), "-%s", hex);
		put("unwind_tables", word, strlen(word));
	}
	printf("tables %lu\ntaken %lu\nrefused %lu\nremoved %lu\n", taken + refused, taken, refused,
	       removed);
	return bad != 0;
}

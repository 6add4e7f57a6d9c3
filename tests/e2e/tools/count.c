// SPDX-License-Identifier: GPL-2.0-only
/*
 * count: goes through a file of results that is too large to be kept.
 *
 * count folded FILE	prints "rows N total N": lines, and the sum of their last numbers
 * count raw FILE	prints "rows N total N": entries, and the sum of their counts
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw_format.h"

static uint64_t rows, total;

static void die(const char *what)
{
	printf("bad %s\n", what);
	exit(1);
}

static void count_folded(FILE *file)
{
	size_t room = 0;
	char *line = NULL, *last;
	ssize_t n;

	while ((n = getline(&line, &room, file)) > 0) {
		last = memrchr(line, ' ', (size_t)n);
		if (!last || line[n - 1] != '\n')
			die("line");
		rows++;
		total += strtoull(last, NULL, 10);
	}
	free(line);
}

static void count_raw(FILE *file)
{
	static char data[SP_RAW_MAX_BYTES + 8];
	struct sp_raw_record head;
	struct sp_raw_entry entry;
	uint32_t kind = 0;

	while (fread(&head, sizeof(head), 1, file) == 1) {
		size_t bytes = (head.bytes + 7ul) & ~7ul;

		kind = head.kind;
		if (head.bytes > SP_RAW_MAX_BYTES)
			die("length of a record");
		if (bytes && fread(data, bytes, 1, file) != 1)
			die("end within a record");
		if (kind != SP_RAW_ENTRY)
			continue;
		memcpy(&entry, data, sizeof(entry));
		rows++;
		total += entry.count;
	}
	if (kind != SP_RAW_END)
		die("end before the last record");
}

int main(int argc, char **argv)
{
	FILE *file;

	if (argc != 3)
		die("arguments: expected folded|raw FILE");
	file = fopen(argv[2], "r");
	if (!file)
		die("file: it cannot be opened");
	if (!strcmp(argv[1], "raw"))
		count_raw(file);
	else
		count_folded(file);
	if (ferror(file))
		die("read");
	fclose(file);
	printf("rows %" PRIu64 " total %" PRIu64 "\n", rows, total);
	return 0;
}

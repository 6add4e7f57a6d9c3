// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_generated: anything at all where programs tell what code they generated: files
 * perf-PID.map and jit-PID.dump. For clang's libFuzzer; one thread. The first byte says
 * which of them.
 *
 * What is found is compared with a look at all that was read, one after the other.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../shared/utf8.h"
#include "code_table.h"
#include "fuzz_file.h"
#include "jitdump.h"
#include "perf_map.h"

#define LOOKED_AT	64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct libsp_code *codes(const struct libsp_code_table *table, size_t *count)
{
	*count = table->codes.size / sizeof(struct libsp_code);
	return (const struct libsp_code *)table->codes.at;
}

/* What came last, of all that holds the address. */
static const struct libsp_code *slow_find(const struct libsp_code_table *table,
					  uint64_t address, uint64_t time)
{
	const struct libsp_code *all, *last = NULL;
	size_t i, count;

	for (i = 0, all = codes(table, &count); i < count; i++)
		if (address >= all[i].start && address < all[i].end && all[i].time <= time &&
		    (!last || all[i].time >= last->time))
			last = &all[i];
	return last && last->name ? last : NULL;
}

static void check_text(const char *text)
{
	size_t step;

	if (strlen(text) > LIBSP_MAX_CODE_NAME)
		abort();
	for (; *text; text += step) {
		step = utf8_printable(text);
		if (!step)
			abort();
	}
}

static void look_up(const struct libsp_code_table *table, uint64_t address, uint64_t time)
{
	const struct libsp_code *code = libsp_code_find(table, address, time);
	const struct libsp_code_line *line;

	if (code != slow_find(table, address, time))
		abort();
	if (!code)
		return;
	check_text(code->name);
	line = libsp_code_line_find(code, address);
	if (line)
		check_text(line->source);
}

static void look_at(const struct libsp_code_table *table)
{
	const struct libsp_code *all;
	size_t i, count;

	for (i = 0, all = codes(table, &count); i < count && i < LOOKED_AT; i++) {
		look_up(table, all[i].start, all[i].time);
		look_up(table, all[i].start - 1, LIBSP_CODE_LAST);
		look_up(table, all[i].end, LIBSP_CODE_LAST);
		look_up(table, all[i].end - 1, all[i].time - 1);
	}
	look_up(table, 0, LIBSP_CODE_LAST);
	look_up(table, UINT64_MAX, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct libsp_code_table table = { };
	bool timed, read;
	int fd;

	if (!size)
		return 0;
	fd = open(fuzz_file("generated", data + 1, size - 1), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	read = *data % 2 ? libsp_jitdump_read(fd, &table, &timed) :
			   libsp_perf_map_read(fd, &table);
	close(fd);
	if (read && libsp_code_ready(&table))
		look_at(&table);
	libsp_code_free(&table);
	return 0;
}

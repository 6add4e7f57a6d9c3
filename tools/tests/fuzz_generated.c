// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_generated: anything at all where programs tell what code they generated: files
 * perf-PID.map and jit-PID.dump. For clang's libFuzzer; one thread. The first byte says
 * which of them, or that unwind tables are to be made.
 *
 * What is found is compared with a look at all that was read, one after the other; and a
 * table is one that the module would take.
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
#include "schedprof_unwind.h"
#include "unwind_generated.h"

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

static void look_up_names(int fd, bool dump)
{
	struct libsp_code_table table = { };
	bool timed, read;
	uint64_t until;

	read = dump ? libsp_jitdump_read(fd, &table, &timed, &until) :
		      libsp_perf_map_read(fd, &table);
	if (read && libsp_code_ready(&table))
		look_at(&table);
	libsp_code_free(&table);
}

/* The memory of process 0 is not looked at. */
static void make_tables(int fd)
{
	static const struct sp_unwind_process process = { .start = 1 };
	struct libsp_generated_unwind made;
	struct schedprof_unwind *again;
	struct schedprof_error error = { };
	const void *bytes;
	unsigned int i;
	size_t size;

	if (libsp_unwind_of_dump(fd, "generated", &process, &made, &error) &&
	    (!error.code || !*error.message))
		abort();
	for (i = 0; i < made.count; i++) {
		bytes = schedprof_unwind_data(made.table[i], &size);
		again = schedprof_unwind_read(bytes, size, &error);
		if (!again)
			abort();
		schedprof_unwind_free(again);
	}
	libsp_generated_unwind_free(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd;

	if (!size)
		return 0;
	fd = open(fuzz_file("generated", data + 1, size - 1), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		abort();
	if (*data % 3 == 2)
		make_tables(fd);
	else
		look_up_names(fd, *data % 3);
	close(fd);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_unwind: anything at all as a program, of which an unwind table shall be made; as call
 * frame information alone; and as a table. For clang's libFuzzer; one thread.
 *
 * The first byte says how: a program, .eh_frame, .debug_frame, or a table, whose length and
 * checksum are made right.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <table_format.h>
#include <unistd.h>
#include <zlib.h>

#include "call_frames.h"
#include "fuzz_file.h"
#include "schedprof.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rows are in order, and each offset is in the last one that begins before. */
static void look_at_rows(const struct schedprof_unwind *table)
{
	struct schedprof_unwind_row row, found;
	uint64_t last = 0;
	size_t i;

	for (i = 0; schedprof_unwind_row_at(table, i, &row, sizeof(row)); i++) {
		if ((i && row.offset <= last) ||
		    !schedprof_unwind_find(table, row.offset, &found, sizeof(found)) ||
		    row.offset != found.offset || row.kind != found.kind ||
		    row.cfa != found.cfa || row.saved != found.saved)
			abort();
		if (i && row.offset - last > 1 &&
		    (!schedprof_unwind_find(table, row.offset - 1, &found, sizeof(found)) ||
		     found.offset != last))
			abort();
		last = row.offset;
	}
	if (i != schedprof_unwind_row_count(table) || !i)
		abort();
}

static void program(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file("program", data, size);
	struct schedprof_error error = { };
	struct schedprof_unwind *table, *again;
	int fd = open(path, O_RDONLY);
	const void *bytes;
	size_t made;

	table = schedprof_unwind_make(fd, "program", &error);
	close(fd);
	if (!table) {
		if (!error.code || !*error.message)
			abort();
		return;
	}
	look_at_rows(table);
	/* What is made is a good one. */
	bytes = schedprof_unwind_data(table, &made);
	again = schedprof_unwind_read(bytes, made, &error);
	if (!again)
		abort();
	schedprof_unwind_free(again);
	schedprof_unwind_free(table);
}

/* What was told of the functions. */
struct seen {
	uint64_t at, end, bytes;
};

static int begin(void *data, uint64_t start, uint64_t end, struct schedprof_error *error)
{
	struct seen *seen = data;

	(void)error;
	if (start >= end || seen->at != seen->end)
		abort();
	seen->at = start;
	seen->end = end;
	return 1;
}

/* The rows of a function are all of it, in order. Each expression is read. */
static int row(void *data, uint64_t start, uint64_t end,
	       const struct libsp_call_frame *frame, struct schedprof_error *error)
{
	struct seen *seen = data;
	size_t i;

	(void)error;
	if (start != seen->at || start >= end || end > seen->end)
		abort();
	seen->at = end;
	if (frame) {
		const struct libsp_rule *rules[] = { &frame->cfa, &frame->rbp, &frame->rsp,
						     &frame->rip };

		for (i = 0; i < 4; i++)
			if (rules[i]->size)
				seen->bytes += rules[i]->expression[0] +
					       rules[i]->expression[rules[i]->size - 1];
	}
	return 0;
}

static void frames(const uint8_t *data, size_t size, bool eh_frame)
{
	struct schedprof_error error = { };
	struct seen seen = { };
	struct libsp_call_frames_sink sink = {
		.function = begin, .row = row, .data = &seen, .name = "fuzz",
	};
	int result = libsp_call_frames(data, size, 0x1000, eh_frame, &sink, &error);

	if (result ? error.code != -result || !*error.message : seen.at != seen.end)
		abort();
}

static void table(const uint8_t *data, size_t size)
{
	size_t behind = offsetof(struct sp_unwind_header, crc) + sizeof(uint32_t);
	struct schedprof_error error = { };
	struct sp_unwind_header *header;
	struct schedprof_unwind *is;

	header = malloc(size + sizeof(*header));
	memcpy(header, data, size);
	if (size >= sizeof(*header) && data[0] == SP_UNWIND_MAGIC[0]) {
		memcpy(header->magic, SP_UNWIND_MAGIC, sizeof(header->magic));
		header->version = SP_UNWIND_VERSION;
		header->bytes = (uint32_t)size;
		header->crc = (uint32_t)crc32(0, (uint8_t *)header + behind,
					      (uInt)(size - behind));
	}
	is = schedprof_unwind_read(header, size, &error);
	if (is)
		look_at_rows(is);
	else if (!error.code || !*error.message)
		abort();
	schedprof_unwind_free(is);
	free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] % 4) {
	case 0:
		program(data + 1, size - 1);
		break;
	case 1:
	case 2:
		frames(data + 1, size - 1, data[0] % 4 == 1);
		break;
	default:
		table(data + 1, size - 1);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_keys: numbers of things that are the same, and the rows that they have. One thread.
 */
#include "check.h"
#include "keys.h"

static void the_same_row(void)
{
	struct libsp_arena arena = { };
	struct libsp_keys keys = { .arena = &arena };
	struct libsp_rows rows = { .size = sizeof(uint64_t) };
	uint64_t *row;
	bool fresh;

	row = libsp_key_row(&keys, &rows, "one", 3, &fresh);
	if (CHECK(row && fresh) && CHECK_NUMBER(*row, 0))
		*row = 1;
	row = libsp_key_row(&keys, &rows, "two", 3, &fresh);
	CHECK(row && fresh);
	row = libsp_key_row(&keys, &rows, "one", 3, &fresh);
	if (CHECK(row && !fresh))
		CHECK_NUMBER(*row, 1);
	CHECK_NUMBER(libsp_row_count(&rows), 2);
	libsp_keys_free(&keys);
	libsp_buffer_free(&rows.buffer);
	libsp_arena_free(&arena);
}

/* The key is known from then on, but there is no row that it could have. */
static void no_memory_for_a_row(void)
{
	struct libsp_arena arena = { };
	struct libsp_keys keys = { .arena = &arena };
	struct libsp_rows rows = { .size = sizeof(uint64_t) };
	bool fresh;

	CHECK(libsp_key_row(&keys, &rows, "one", 3, &fresh));
	rows.buffer.failed = true;
	CHECK(!libsp_key_row(&keys, &rows, "two", 3, &fresh));
	CHECK(!libsp_key_row(&keys, &rows, "two", 3, &fresh) && !fresh);
	CHECK(libsp_key_row(&keys, &rows, "one", 3, &fresh));
	libsp_keys_free(&keys);
	libsp_buffer_free(&rows.buffer);
	libsp_arena_free(&arena);
}

static const struct test tests[] = {
	{ "the same row", the_same_row },
	{ "no memory for a row", no_memory_for_a_row },
};

int main(void)
{
	return check_run("keys", tests, sizeof(tests) / sizeof(tests[0]));
}

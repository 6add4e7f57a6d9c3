// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_damage: records with right checksums that say what cannot be. Each case makes
 * one, and tells where it begins and what is to be said of it. One thread.
 */
#include <stdlib.h>
#include <zlib.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

struct damage {
	const char *name;
	size_t (*make)(struct raw_maker *maker);	/* where the record is */
	int code;
	const char *message;				/* is in it */
};

static size_t unknown_task(struct raw_maker *maker)
{
	size_t at = maker->size;

	raw_entry(maker, 1, 0, 0, 1, 1);
	raw_task(maker, 1, 1, 1, "late", "late");
	return at;
}

static size_t unknown_stack(struct raw_maker *maker)
{
	size_t at;

	raw_task(maker, 1, 1, 1, "a", "a");
	at = maker->size;
	raw_entry(maker, 1, 0, 77, 1, 1);
	return at;
}

static size_t unknown_cgroup(struct raw_maker *maker)
{
	size_t at = maker->size;

	maker->cgroup = 5;
	raw_task(maker, 1, 1, 1, "a", "a");
	maker->cgroup = 0;
	return at;
}

static size_t unknown_stack_of_event(struct raw_maker *maker)
{
	struct sp_raw_event event = { .waker = 3 };

	return raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
}

static size_t waker_of_no_stack(struct raw_maker *maker)
{
	size_t at;

	raw_stack(maker, 2, SP_RAW_STACK_USER, NULL, NULL, 0);
	at = maker->size;
	raw_waker(maker, 2, 2, 1);
	return at;
}

/* It would lead to itself. */
static size_t waker_without_program(struct raw_maker *maker)
{
	size_t at;

	raw_stack(maker, 2, SP_RAW_STACK_WAKER | SP_RAW_STACK_USER, "a", NULL, 0);
	at = maker->size;
	raw_waker(maker, 2, 2, 1);
	return at;
}

static size_t waker_without_user(struct raw_maker *maker)
{
	size_t at;

	raw_stack(maker, 2, SP_RAW_STACK_WAKER, "a", NULL, 0);
	at = maker->size;
	raw_waker(maker, 2, 0, 1);
	return at;
}

static size_t same_number(struct raw_maker *maker)
{
	size_t at;

	raw_task(maker, 5, 1, 1, "a", "a");
	at = maker->size;
	raw_task(maker, 5, 2, 2, "b", "b");
	return at;
}

static size_t number_0(struct raw_maker *maker)
{
	size_t at = maker->size;

	raw_stack(maker, 0, 0, NULL, NULL, 0);
	return at;
}

static size_t more_frames(struct raw_maker *maker)
{
	struct sp_raw_stack stack = { .number = 1, .frames = 3 };

	return raw_put(maker, SP_RAW_STACK, &stack, sizeof(stack), "0123456789abcdef",
		       16);
}

/* Times eight it would be what there is, in 32 bits. */
static size_t very_many_frames(struct raw_maker *maker)
{
	struct sp_raw_stack stack = { .number = 1, .frames = 0x20000000 };

	return raw_put(maker, SP_RAW_STACK, &stack, sizeof(stack), NULL, 0);
}

/* They are there, but no recording has so many. */
static size_t endless_frames(struct raw_maker *maker)
{
	static const uint64_t frames[4097];
	size_t at = maker->size;

	raw_stack(maker, 1, 0, NULL, frames, 4097);
	return at;
}

static size_t short_entry(struct raw_maker *maker)
{
	struct sp_raw_entry entry = { };

	return raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry) - 1, NULL, 0);
}

static size_t empty_event(struct raw_maker *maker)
{
	return raw_put(maker, SP_RAW_EVENT, NULL, 0, NULL, 0);
}

static size_t endless_name(struct raw_maker *maker)
{
	struct sp_raw_ledger ledger = { };

	memset(ledger.comm, 'x', sizeof(ledger.comm));
	return raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

/* One of them in each frame of a stack would be gigabytes. */
static size_t long_text(struct raw_maker *maker, uint32_t kind, const void *fields, size_t size)
{
	static char text[4097];

	memset(text, 'x', sizeof(text));
	return raw_put(maker, kind, fields, size, text, sizeof(text));
}

static size_t long_symbol(struct raw_maker *maker)
{
	const struct sp_raw_symbol symbol = { .address = 1 };

	return long_text(maker, SP_RAW_SYMBOL, &symbol, sizeof(symbol));
}

static size_t long_path(struct raw_maker *maker)
{
	const struct sp_raw_mapping mapping = { .image = 1, .end = 1 };

	return long_text(maker, SP_RAW_MAPPING, &mapping, sizeof(mapping));
}

static size_t long_function(struct raw_maker *maker)
{
	const struct sp_raw_function function = { .address = 1 };

	return long_text(maker, SP_RAW_FUNCTION, &function, sizeof(function));
}

static size_t long_cgroup(struct raw_maker *maker)
{
	const struct sp_raw_cgroup cgroup = { .number = 1 };

	return long_text(maker, SP_RAW_CGROUP, &cgroup, sizeof(cgroup));
}

static size_t nul_in_a_path(struct raw_maker *maker)
{
	struct sp_raw_mapping mapping = { .image = 1, .end = 1 };

	return raw_put(maker, SP_RAW_MAPPING, &mapping, sizeof(mapping), "/a\0b", 4);
}

static size_t nul_in_meta(struct raw_maker *maker)
{
	return raw_put(maker, SP_RAW_META, "unit ns\0\n", 9, NULL, 0);
}

static size_t backwards(struct raw_maker *maker)
{
	struct sp_raw_mapping mapping = { .image = 1, .start = 2, .end = 1 };

	return raw_put(maker, SP_RAW_MAPPING, &mapping, sizeof(mapping), NULL, 0);
}

static size_t of_no_program(struct raw_maker *maker)
{
	struct sp_raw_mapping mapping = { .end = 1 };

	return raw_put(maker, SP_RAW_MAPPING, &mapping, sizeof(mapping), NULL, 0);
}

static size_t wrong_end(struct raw_maker *maker)
{
	raw_text(maker, SP_RAW_META, "unit ns\n");
	maker->records++;
	return raw_end(maker);
}

static size_t second_begin(struct raw_maker *maker)
{
	size_t at = maker->size;

	raw_begin(maker);
	return at;
}

static size_t too_long(struct raw_maker *maker)
{
	char *text = calloc(1, SP_RAW_MAX_BYTES + 1);
	size_t at = raw_put(maker, SP_RAW_META, NULL, 0, text, SP_RAW_MAX_BYTES + 1);

	free(text);
	return at;
}

static size_t file_of_no_mapping(struct raw_maker *maker)
{
	static const uint32_t numbers[] = { 0, 0 };
	struct sp_raw_mapping mapping = { .end = 1, .image = 1 };
	size_t at;

	raw_mapping(maker, &mapping, "/a");
	at = maker->size;
	raw_files(maker, 0, numbers, 2);
	return at;
}

static size_t far_mapping(struct raw_maker *maker)
{
	static const uint32_t number;
	size_t at = maker->size;

	raw_files(maker, UINT32_MAX, &number, 1);
	return at;
}

static size_t unknown_file(struct raw_maker *maker)
{
	static const uint32_t number = 4;
	struct sp_raw_mapping mapping = { .end = 1, .image = 1 };
	size_t at;

	raw_mapping(maker, &mapping, "/a");
	at = maker->size;
	raw_files(maker, 0, &number, 1);
	return at;
}

static size_t more_files(struct raw_maker *maker)
{
	struct sp_raw_files files = { .count = 0x40000001 };

	return raw_put(maker, SP_RAW_FILES, &files, sizeof(files), "1234", 4);
}

static size_t long_build_id(struct raw_maker *maker)
{
	struct sp_raw_file file = { .number = 1, .build_id_bytes = 21 };
	size_t at = maker->size;

	raw_file(maker, &file);
	return at;
}

static const struct damage damages[] = {
	{ "a file of no mapping", file_of_no_mapping, SCHEDPROF_DAMAGED, "a mapping that" },
	{ "a file of a far mapping", far_mapping, SCHEDPROF_DAMAGED, "a mapping that" },
	{ "a file that is not there", unknown_file, SCHEDPROF_DAMAGED, "a file that" },
	{ "more files than there are", more_files, SCHEDPROF_DAMAGED, "files than it says" },
	{ "a build-id that is too long", long_build_id, SCHEDPROF_DAMAGED, "too long" },
	{ "a task that comes late", unknown_task, SCHEDPROF_DAMAGED, "a task that" },
	{ "a stack that is not there", unknown_stack, SCHEDPROF_DAMAGED,
	  "a stack that" },
	{ "unknown control group", unknown_cgroup, SCHEDPROF_DAMAGED,
	  "a control group that did not come before it" },
	{ "a stack of an event that is not there", unknown_stack_of_event,
	  SCHEDPROF_DAMAGED, "a stack that" },
	{ "a waker of no waker's stack", waker_of_no_stack, SCHEDPROF_DAMAGED,
	  "its stack is not" },
	{ "a waker that leads to itself", waker_without_program, SCHEDPROF_DAMAGED,
	  "no user stack" },
	{ "a waker without a user stack", waker_without_user, SCHEDPROF_DAMAGED,
	  "no user stack" },
	{ "the same number twice", same_number, SCHEDPROF_DAMAGED, "another one" },
	{ "number 0", number_0, SCHEDPROF_DAMAGED, "number is 0" },
	{ "more frames than there are", more_frames, SCHEDPROF_DAMAGED, "frames" },
	{ "endless frames", endless_frames, SCHEDPROF_DAMAGED, "frames than a stack can have" },
	{ "very many frames", very_many_frames, SCHEDPROF_DAMAGED, "frames" },
	{ "a short entry", short_entry, SCHEDPROF_DAMAGED, "too short" },
	{ "an empty event", empty_event, SCHEDPROF_DAMAGED, "too short" },
	{ "a name without end", endless_name, SCHEDPROF_DAMAGED, "does not end" },
	{ "a symbol that is too long", long_symbol, SCHEDPROF_DAMAGED, "text is longer" },
	{ "a path that is too long", long_path, SCHEDPROF_DAMAGED, "text is longer" },
	{ "a function that is too long", long_function, SCHEDPROF_DAMAGED, "text is longer" },
	{ "a control group that is too long", long_cgroup, SCHEDPROF_DAMAGED,
	  "text is longer" },
	{ "a NUL in a path", nul_in_a_path, SCHEDPROF_DAMAGED, "NUL" },
	{ "a NUL in meta", nul_in_meta, SCHEDPROF_DAMAGED, "NUL" },
	{ "a mapping backwards", backwards, SCHEDPROF_DAMAGED, "before it starts" },
	{ "a mapping of no program", of_no_program, SCHEDPROF_DAMAGED, "no program" },
	{ "an end that counts wrongly", wrong_end, SCHEDPROF_DAMAGED, "more or fewer" },
	{ "a beginning in the middle", second_begin, SCHEDPROF_DAMAGED,
	  "before the one at byte 0 ended" },
	{ "a record that is too long", too_long, SCHEDPROF_DAMAGED, "none has more" },
};

static void check_error(const void *at, size_t size, int code, size_t offset,
			const char *message)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct schedprof_reader *reader = schedprof_read_memory(at, size, &error);

	CHECK_NUMBER(-schedprof_next(reader, &recording, &error), code);
	CHECK(!recording);
	CHECK_NUMBER(error.code, code);
	CHECK_NUMBER(error.offset, offset);
	if (!strstr(error.message, message))
		check_failed(__FILE__, __LINE__, "'%s' is not in '%s'", message,
			     error.message);
	schedprof_reader_close(reader);
}

static const struct damage *damage;

static void run_damage(void)
{
	struct raw_maker maker = { };
	size_t at;

	raw_begin(&maker);
	at = damage->make(&maker);
	raw_end(&maker);
	check_error(maker.at, maker.size, damage->code, at, damage->message);
	raw_free(&maker);
}

static void other_files(void)
{
	static const char text[] = "This is a text file, and no recording at all.\n";
	struct raw_maker maker = { };
	struct sp_raw_begin begin = {
		.magic = "schedprx",
		.byte_order = SP_RAW_BYTE_ORDER,
		.version = SP_RAW_VERSION,
	};

	check_error(text, sizeof(text), SCHEDPROF_DAMAGED, 0, "no recording of schedprof");
	check_error(text, 1, SCHEDPROF_DAMAGED, 0, "no recording of schedprof");
	raw_put(&maker, SP_RAW_BEGIN, &begin, sizeof(begin), NULL, 0);
	raw_end(&maker);
	check_error(maker.at, maker.size, SCHEDPROF_DAMAGED, 0,
		    "no recording of schedprof");
	raw_free(&maker);
}

static void another_version(void)
{
	struct raw_maker maker = { };
	struct sp_raw_begin begin = {
		.byte_order = SP_RAW_BYTE_ORDER,
		.version = SP_RAW_VERSION + 1,
	};

	memcpy(begin.magic, SP_RAW_MAGIC, sizeof(begin.magic));
	raw_put(&maker, SP_RAW_BEGIN, &begin, sizeof(begin), NULL, 0);
	raw_end(&maker);
	check_error(maker.at, maker.size, SCHEDPROF_NEWER, 0,
		    "install a newer libschedprof");
	raw_free(&maker);
}

static void no_end(void)
{
	struct raw_maker maker = { };

	raw_begin(&maker);
	raw_task(&maker, 1, 1, 1, "a", "a");
	check_error(maker.at, maker.size, SCHEDPROF_TRUNCATED, maker.size,
		    "in the middle of a recording");
	raw_free(&maker);
}

static void behind_the_end(void)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	size_t end;

	raw_begin(&maker);
	raw_end(&maker);
	end = maker.size;
	raw_task(&maker, 1, 1, 1, "a", "a");
	reader = schedprof_read_memory(maker.at, maker.size, &error);
	CHECK_NUMBER(schedprof_next(reader, &recording, &error), 1);
	schedprof_recording_free(recording);
	CHECK(schedprof_next(reader, &recording, &error) == -SCHEDPROF_DAMAGED);
	CHECK_NUMBER(error.offset, end);
	schedprof_reader_close(reader);
	raw_free(&maker);
}

static void files_that_are_not_there(void)
{
	struct schedprof_error error = { };

	CHECK(!schedprof_load("/nonexistent/file", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_IO);
	CHECK_TEXT(error.message,
		   "cannot open /nonexistent/file: No such file or directory");
	CHECK(!schedprof_load("/dev/null", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_TRUNCATED);
	CHECK(!schedprof_load("/", &error));
	CHECK_NUMBER(error.code, SCHEDPROF_IO);
	CHECK(!schedprof_load("/dev/null", NULL));
}

/* Packed: so many large records that are all zero. To be freed. */
static unsigned char *pack(unsigned int records, size_t *size, size_t *unpacked)
{
	static unsigned char zeros[2000000];
	struct raw_maker maker = { };
	unsigned char *packed;
	z_stream zip = { };
	unsigned int i;

	raw_begin(&maker);
	for (i = 0; i < records; i++)
		raw_put(&maker, 99, zeros, sizeof(zeros), NULL, 0);
	raw_end(&maker);
	*unpacked = maker.size;
	packed = malloc(maker.size);
	deflateInit2(&zip, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
	zip.next_in = maker.at;
	zip.avail_in = (uInt)maker.size;
	zip.next_out = packed;
	zip.avail_out = (uInt)maker.size;
	CHECK_NUMBER(deflate(&zip, Z_FINISH), Z_STREAM_END);
	*size = maker.size - zip.avail_out;
	deflateEnd(&zip);
	raw_free(&maker);
	return packed;
}

/* What is read of it if it may be as large as @limit; 0: nothing was said. */
static int unpack(const unsigned char *packed, size_t size, uint64_t limit)
{
	struct schedprof_error error = { };
	struct schedprof_reader *reader = schedprof_read_memory(packed, size, &error);
	struct schedprof_recording *one = NULL;
	int result;

	if (limit)
		schedprof_reader_limit(reader, limit == UINT64_MAX ? 0 : limit);
	/* Not even who is lenient wants it. */
	schedprof_reader_be_lenient(reader);
	result = schedprof_next(reader, &one, &error);
	if (result < 0) {
		CHECK(strstr(error.message, "raise the limit"));
		CHECK_NUMBER(schedprof_next(reader, &one, NULL), result);
	}
	schedprof_recording_free(one);
	schedprof_reader_close(reader);
	return result;
}

static void packed_too_well(void)
{
	size_t size, whole;
	unsigned char *packed = pack(34, &size, &whole);

	/* Else it would not be one. */
	CHECK(whole > SCHEDPROF_LIMIT && whole > 100 * size);
	CHECK_NUMBER(unpack(packed, size, 0), -SCHEDPROF_TOO_LARGE);
	CHECK_NUMBER(unpack(packed, size, whole - 1), -SCHEDPROF_TOO_LARGE);
	CHECK_NUMBER(unpack(packed, size, whole), 1);
	CHECK_NUMBER(unpack(packed, size, UINT64_MAX), 1);
	free(packed);
	packed = pack(2, &size, &whole);
	CHECK_NUMBER(unpack(packed, size, 0), 1);
	CHECK_NUMBER(unpack(packed, size, 1000), -SCHEDPROF_TOO_LARGE);
	free(packed);
}

static const struct test tests[] = {
	{ "other files", other_files },
	{ "another version", another_version },
	{ "no end", no_end },
	{ "something behind the end", behind_the_end },
	{ "packed too well", packed_too_well },
	{ "files that are not there", files_that_are_not_there },
};

int main(void)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct test test = { damages[i].name, run_damage };

		damage = &damages[i];
		bad |= check_run("damage", &test, 1);
	}
	return bad | check_run("damage", tests, sizeof(tests) / sizeof(tests[0]));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_parse: reading what raw_maker made: everything of it, in pieces, packed, in
 * the other byte order, from a newer writer, damaged. One thread.
 */
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

static struct schedprof_recording *read_one(const struct raw_maker *maker,
					    struct schedprof_error *error)
{
	struct schedprof_recording *recording;
	struct schedprof_reader *reader;

	reader = schedprof_read_memory(maker->at, maker->size, error);
	if (!CHECK(reader))
		return NULL;
	schedprof_next(reader, &recording, error);
	schedprof_reader_close(reader);
	return recording;
}

static void check_entries(const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entry = schedprof_entry_at(recording, 0);
	struct schedprof_frame frame;

	CHECK_NUMBER(schedprof_entry_count(recording), 5);
	CHECK_TEXT(entry->task->comm, "worker");
	CHECK_TEXT(entry->task->leader_comm, "app");
	CHECK_NUMBER(entry->task->tid, 101);
	CHECK_NUMBER(entry->task->tgid, 100);
	CHECK_NUMBER(entry->task->start_ns, 1000101);
	CHECK_NUMBER(entry->task->leader_start_ns, 1000100);
	CHECK_NUMBER(entry->task->exec_id, 7);
	CHECK_TEXT(entry->task->cgroup, "/app.slice/a b;c.service");
	CHECK(!schedprof_entry_at(recording, 1)->task->cgroup);
	CHECK_NUMBER(entry->total, 1000000);
	CHECK_NUMBER(entry->count, 10);
	CHECK_NUMBER(entry->max, 500000);
	CHECK_NUMBER(entry->max_at, 5001000000ULL);
	CHECK_NUMBER(entry->max_cpu, 1);
	CHECK_NUMBER(entry->kernel->number, 1);
	CHECK_NUMBER(entry->kernel->frame_count, 3);
	CHECK_NUMBER(entry->kernel->frames[2], 0xffffffff80ffff00);
	CHECK_NUMBER(entry->user->flags,
		     SCHEDPROF_STACK_USER | SCHEDPROF_STACK_CUT);
	CHECK(!entry->waker);
	entry = schedprof_entry_at(recording, 3);
	CHECK_NUMBER(entry->inclusive, 5000000);
	CHECK_NUMBER(entry->flags, SCHEDPROF_ENTRY_OPEN);
	CHECK_TEXT(entry->waker->waker, "wa ker");
	CHECK_NUMBER(entry->waker->user->number, 6);
	CHECK_NUMBER(entry->waker->program->tgid, 300);
	CHECK_NUMBER(entry->waker->program->start_ns, 3000000);
	CHECK_NUMBER(entry->waker->program->exec_id, 9);
	CHECK_TEXT(entry->waker->program->comm, "wa ker");
	CHECK(schedprof_frame(recording, entry->waker->program, entry->waker->user, 0, NULL,
			      &frame, sizeof(frame)));
	CHECK_TEXT(frame.path, "/usr/bin/other");
	CHECK_NUMBER(frame.file_offset, 0x200);
	CHECK(!entry->waker->user->user);
	CHECK(entry->kernel->flags & SCHEDPROF_STACK_CALLS);
	CHECK_NUMBER(schedprof_entry_at(recording, 4)->task->flags,
		     SCHEDPROF_TASK_FOLDED);
	CHECK(!schedprof_entry_at(recording, 5));
}

static void check_rows(const struct schedprof_recording *recording)
{
	const struct schedprof_ledger *ledger = schedprof_ledger_at(recording, 0);
	const struct schedprof_function *function = schedprof_function_at(recording, 0);
	const struct schedprof_event *event = schedprof_event_at(recording, 0);
	const struct schedprof_histogram *row = schedprof_histogram_at(recording, 1);
	struct schedprof_frame frame;

	CHECK_NUMBER(ledger->tid, 101);
	CHECK_NUMBER(ledger->oncpu, 11000);
	CHECK_NUMBER(ledger->runqueue, 12000);
	CHECK_NUMBER(ledger->sleep, 13000);
	CHECK_NUMBER(ledger->disk, 14000);
	CHECK_NUMBER(ledger->switches_vol, 15);
	CHECK_NUMBER(ledger->switches_invol, 16);
	CHECK_NUMBER(ledger->wakeups, 17);
	CHECK_NUMBER(ledger->migrations, 18);
	CHECK_NUMBER(ledger->start_ns, 1000101);
	CHECK_TEXT(ledger->comm, "worker");
	CHECK_NUMBER(schedprof_histogram_count(recording), 2);
	CHECK_NUMBER(row->low, 2);
	CHECK_NUMBER(row->high, 4);
	CHECK_NUMBER(row->count, 8);
	CHECK_TEXT(function->name, "schedule");
	CHECK_NUMBER(function->calls, 21);
	CHECK_NUMBER(function->missed, 22);
	CHECK_NUMBER(function->flags, SCHEDPROF_FUNCTION_THROTTLED);
	CHECK_NUMBER(event->at, 31);
	CHECK_NUMBER(event->length, 32000);
	CHECK_NUMBER(event->cpu, 3);
	CHECK_NUMBER(event->depth, 4);
	CHECK_NUMBER(event->kernel->number, 1);
	CHECK_NUMBER(event->user->number, 2);
	CHECK_NUMBER(event->waker->number, 3);
	CHECK_NUMBER(event->image, 1);
	CHECK_NUMBER(event->exec_id, 7);
	CHECK_NUMBER(event->function, 0xffffffff81000000);
	CHECK(schedprof_event_frame(recording, event, event->user, 1, NULL, &frame,
				    sizeof(frame)));
	CHECK_TEXT(frame.path, "/usr/bin/app");
	CHECK_NUMBER(frame.file_offset, 0x1100);
	CHECK(schedprof_event_frame(recording, event, event->waker, 0, NULL, &frame,
				    sizeof(frame)));
	CHECK_TEXT(frame.function, "probe_it");
	CHECK(!schedprof_event_frame(recording, event, event->waker, 2, NULL, &frame,
				     sizeof(frame)));
}

static void check_facts(const struct schedprof_recording *recording)
{
	const struct schedprof_symbol *symbol;
	const char *name, *value;
	uint64_t number = 0;

	CHECK_TEXT(schedprof_meta(recording, "kernel"), "6.1.0-test");
	CHECK_TEXT(schedprof_meta(recording, "config.pids"), "1 2 3");
	CHECK_TEXT(schedprof_meta(recording, "config.comm"), "");
	CHECK_TEXT(schedprof_meta(recording, "mode"), "offcpu");
	CHECK_TEXT(schedprof_meta(recording, "mod"), NULL);
	CHECK(schedprof_meta_number(recording, "stats.recorded", &number));
	CHECK_NUMBER(number, 69);
	CHECK(!schedprof_meta_number(recording, "kernel", &number));
	CHECK(schedprof_meta_at(recording, 7, &name, &value));
	CHECK_TEXT(name, "mode");
	CHECK(!schedprof_meta_at(recording, 14, &name, &value));
	CHECK_TEXT(schedprof_unit(recording), "ns");
	CHECK_TEXT(schedprof_schema(recording), "begin magic:8 byte_order:u32\n");
	symbol = schedprof_symbol_find(recording, 0xffffffffc0000033);
	if (CHECK(symbol)) {
		CHECK_TEXT(symbol->text, "probe_it+0x33/0x40 [my_mod]");
		CHECK_TEXT(symbol->function, "probe_it");
		CHECK_TEXT(symbol->module, "my_mod");
		CHECK_NUMBER(symbol->offset, 0x33);
		CHECK_NUMBER(symbol->size, 0x40);
	}
	symbol = schedprof_symbol_find(recording, 0xffffffffc0999999);
	CHECK(symbol && !symbol->function);
	CHECK(!schedprof_symbol_find(recording, 0xffffffffc0000034));
	CHECK(!schedprof_symbol_find(recording, 0));
	CHECK(!schedprof_symbol_find(recording, UINT64_MAX));
	CHECK_NUMBER(schedprof_mapping_count(recording), 6);
	CHECK_TEXT(schedprof_mapping_at(recording, 1)->path, "/usr/bin/app");
}

static void check_all(const struct raw_maker *maker)
{
	struct schedprof_error error = { };
	struct schedprof_recording *recording = read_one(maker, &error);

	if (!recording) {
		check_failed(__FILE__, __LINE__, "%s", error.message);
		return;
	}
	check_entries(recording);
	check_rows(recording);
	check_facts(recording);
	schedprof_recording_free(recording);
}

static void everything(void)
{
	struct raw_maker maker = { };

	raw_standard(&maker, 1000);
	check_all(&maker);
	raw_free(&maker);
}

static void other_byte_order(void)
{
	struct raw_maker maker = { .swap = true };

	raw_standard(&maker, 1000);
	check_all(&maker);
	raw_free(&maker);
}

static void longer_records(void)
{
	struct raw_maker maker = { .longer = 20 };

	raw_standard(&maker, 1000);
	check_all(&maker);
	raw_free(&maker);
}

/* As a module that did not know control groups yet wrote them. */
static void shorter_tasks(void)
{
	struct sp_raw_task task = { .number = 1, .tid = 5, .comm = "a", .leader_comm = "b" };
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct raw_maker maker = { };

	raw_begin(&maker);
	raw_put(&maker, SP_RAW_TASK, &task, offsetof(struct sp_raw_task, cgroup), NULL, 0);
	raw_end(&maker);
	recording = read_one(&maker, &error);
	if (CHECK(recording)) {
		CHECK_NUMBER(schedprof_task_at(recording, 0)->tid, 5);
		CHECK_TEXT(schedprof_task_at(recording, 0)->leader_comm, "b");
		CHECK(!schedprof_task_at(recording, 0)->cgroup);
	}
	schedprof_recording_free(recording);
	raw_free(&maker);
}

static void unknown_kinds(void)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct raw_maker maker = { };

	raw_begin(&maker);
	raw_put(&maker, 99, "something new", 13, NULL, 0);
	raw_put(&maker, 0xffffffff, NULL, 0, NULL, 0);
	raw_put(&maker, 0, "x", 1, NULL, 0);
	raw_task(&maker, 1, 1, 1, "a", "a");
	raw_end(&maker);
	recording = read_one(&maker, &error);
	if (CHECK(recording)) {
		CHECK_NUMBER(schedprof_task_count(recording), 1);
		CHECK(!schedprof_task_at(recording, 0)->cgroup);
	}
	schedprof_recording_free(recording);
	raw_free(&maker);
}

static void nothing_recorded(void)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct raw_maker maker = { };

	raw_begin(&maker);
	raw_end(&maker);
	recording = read_one(&maker, &error);
	if (CHECK(recording)) {
		CHECK_NUMBER(schedprof_entry_count(recording), 0);
		CHECK(!schedprof_entry_at(recording, 0));
		CHECK(!schedprof_symbol_find(recording, 1));
		CHECK_TEXT(schedprof_schema(recording), "");
		CHECK_TEXT(schedprof_unit(recording), "ns");
	}
	schedprof_recording_free(recording);
	raw_free(&maker);
}

static FILE *as_file(const unsigned char *at, size_t size)
{
	FILE *file = tmpfile();

	if (CHECK(file)) {
		fwrite(at, 1, size, file);
		rewind(file);
	}
	return file;
}

/* Reads two snapshots from a stream, and then the end. */
static void check_two(FILE *file)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct schedprof_reader *reader = schedprof_read_stream(file, &error);
	uint64_t i;

	for (i = 1; i <= 2 && reader; i++) {
		CHECK_NUMBER(schedprof_next(reader, &recording, &error), 1);
		if (!recording)
			check_failed(__FILE__, __LINE__, "%s", error.message);
		else
			CHECK_NUMBER(schedprof_entry_at(recording, 0)->total,
				     i * 1000000);
		schedprof_recording_free(recording);
	}
	CHECK_NUMBER(schedprof_next(reader, &recording, &error), 0);
	CHECK(!recording);
	CHECK_NUMBER(schedprof_next(reader, &recording, &error), 0);
	schedprof_reader_close(reader);
	fclose(file);
}

static void one_after_the_other(void)
{
	struct raw_maker maker = { };

	raw_standard(&maker, 1000);
	raw_standard(&maker, 2000);
	check_two(as_file(maker.at, maker.size));
	raw_free(&maker);
}

/* As gzip and as two members of it. */
static unsigned char *pack(const unsigned char *at, size_t size, size_t *packed)
{
	z_stream zip = { };
	unsigned char *to = malloc(size + 1000);

	CHECK_NUMBER(deflateInit2(&zip, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
				  Z_DEFAULT_STRATEGY), Z_OK);
	zip.next_in = (unsigned char *)at;
	zip.avail_in = (uInt)size;
	zip.next_out = to;
	zip.avail_out = (uInt)size + 1000;
	CHECK_NUMBER(deflate(&zip, Z_FINISH), Z_STREAM_END);
	*packed = size + 1000 - zip.avail_out;
	deflateEnd(&zip);
	return to;
}

static void packed(void)
{
	struct raw_maker maker = { }, two = { };
	unsigned char *at, *second;
	size_t size, more;
	FILE *file;

	raw_standard(&maker, 1000);
	raw_standard(&maker, 2000);
	at = pack(maker.at, maker.size, &size);
	check_two(as_file(at, size));
	free(at);
	raw_free(&maker);

	raw_standard(&maker, 1000);
	raw_standard(&two, 2000);
	at = pack(maker.at, maker.size, &size);
	second = pack(two.at, two.size, &more);
	file = as_file(at, size);
	fseek(file, 0, SEEK_END);
	fwrite(second, 1, more, file);
	rewind(file);
	check_two(file);
	free(at);
	free(second);
	raw_free(&maker);
	raw_free(&two);
}

/* Every way to read damaged data: one message, no snapshot, no crash. */
static bool fails(const unsigned char *at, size_t size, size_t changed)
{
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct schedprof_reader *reader = schedprof_read_memory(at, size, &error);
	int result = schedprof_next(reader, &recording, &error), again;

	again = schedprof_next(reader, &recording, &error);
	if (result >= 0 || recording || !*error.message)
		check_failed(__FILE__, __LINE__, "byte %zu of %zu: no error", changed,
			     size);
	else if (again != result || error.code != -result)
		check_failed(__FILE__, __LINE__, "byte %zu: %d, then %d", changed,
			     result, again);
	else if (error.offset > size)
		check_failed(__FILE__, __LINE__, "byte %zu: offset %llu", changed,
			     (unsigned long long)error.offset);
	schedprof_reader_close(reader);
	return !*check_why;
}

static void truncated_anywhere(void)
{
	struct raw_maker maker = { };
	unsigned char *copy;
	size_t size;

	raw_standard(&maker, 1000);
	for (size = 1; size < maker.size; size++) {
		/* Memory that ends there, for whoever watches. */
		copy = malloc(size);
		memcpy(copy, maker.at, size);
		fails(copy, size, size);
		free(copy);
		if (*check_why)
			break;
	}
	raw_free(&maker);
}

static void flipped_anywhere(void)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff };
	struct raw_maker maker = { };
	size_t at, i;

	raw_standard(&maker, 1000);
	for (at = 0; at < maker.size; at++) {
		for (i = 0; i < sizeof(flips); i++) {
			maker.at[at] ^= flips[i];
			fails(maker.at, maker.size, at);
			maker.at[at] ^= flips[i];
		}
	}
	raw_free(&maker);
}

static void packed_and_damaged(void)
{
	struct schedprof_recording *recording;
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	size_t size, at, n;
	unsigned char *zip;

	raw_standard(&maker, 1000);
	zip = pack(maker.at, maker.size, &size);
	for (at = 0; at < size; at++) {
		struct schedprof_error error = { };

		/* Cut, and with a wrong byte: some of those in gzip's head matter not. */
		reader = schedprof_read_memory(zip, at, &error);
		n = 0;
		while (schedprof_next(reader, &recording, &error) == 1) {
			schedprof_recording_free(recording);
			n++;
		}
		CHECK(!at || error.code == SCHEDPROF_TRUNCATED ||
		      error.code == SCHEDPROF_DAMAGED);
		CHECK(n <= 1);
		schedprof_reader_close(reader);
		zip[at] ^= 0x10;
		reader = schedprof_read_memory(zip, size, &error);
		n = 0;
		while (schedprof_next(reader, &recording, &error) == 1) {
			CHECK_NUMBER(schedprof_entry_at(recording, 0)->total, 1000000);
			schedprof_recording_free(recording);
			n++;
		}
		CHECK(n <= 1);
		schedprof_reader_close(reader);
		zip[at] ^= 0x10;
	}
	free(zip);
	raw_free(&maker);
}

static void complete_ones_before_damage(void)
{
	struct schedprof_recording *recording;
	const struct schedprof_error *damage;
	struct schedprof_error error = { };
	struct schedprof_reader *reader;
	struct raw_maker maker = { };
	size_t first, n = 0;

	raw_standard(&maker, 1000);
	first = maker.size;
	raw_standard(&maker, 2000);
	maker.at[first + 100] ^= 1;
	reader = schedprof_read_memory(maker.at, maker.size, &error);
	schedprof_reader_be_lenient(reader);
	while (schedprof_next(reader, &recording, &error) == 1) {
		schedprof_recording_free(recording);
		n++;
	}
	CHECK_NUMBER(n, 1);
	CHECK_NUMBER(error.code, SCHEDPROF_OK);
	damage = schedprof_reader_damage(reader);
	if (CHECK(damage)) {
		CHECK_NUMBER(damage->code, SCHEDPROF_DAMAGED);
		CHECK(damage->offset >= first && damage->offset < maker.size);
	}
	schedprof_reader_close(reader);
	raw_free(&maker);
}

/* How long it takes to read so many stacks, whose numbers @next tells. */
static double read_stacks(uint32_t count, uint32_t (*next)(uint32_t before))
{
	struct schedprof_recording *recording;
	struct raw_maker maker = { };
	uint32_t i, number = 0;
	double before;

	raw_begin(&maker);
	for (i = 0; i < count; i++) {
		number = next(number);
		raw_stack(&maker, number, 0, NULL, NULL, 0);
	}
	raw_end(&maker);
	before = check_time();
	recording = read_one(&maker, NULL);
	before = check_time() - before;
	if (CHECK(recording))
		CHECK_NUMBER(schedprof_stack_count(recording), count);
	schedprof_recording_free(recording);
	raw_free(&maker);
	return before;
}

static uint32_t one_more(uint32_t before)
{
	return before + 1;
}

/* By the best known multiplier, all are at 512 neighbouring places of a table for them. */
static uint32_t same_place(uint32_t before)
{
	do
		before++;
	while ((before * 0x9e3779b97f4a7c15ULL >> 32 & 0x3ffff) >= 512);
	return before;
}

/* Whoever makes a file chooses the numbers in it, and makes nobody search for long. */
static void chosen_numbers(void)
{
	enum { COUNT = 1 << 17 };
	double plain = read_stacks(COUNT, one_more);

	CHECK(read_stacks(COUNT, same_place) < 10 * plain + 1);
}

/* Numbers that are the same each time. */
static uint64_t dice(uint64_t sides)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % sides;
}

/* The frame at @address of a program; its mappings are at the places that their offsets tell. */
static void check_place(const struct schedprof_recording *recording, uint32_t image,
			uint64_t address, const struct sp_raw_mapping *wanted)
{
	struct schedprof_task task = { .image = image };
	struct schedprof_stack stack = {
		.flags = SCHEDPROF_STACK_USER, .frames = &address, .frame_count = 1,
	};
	struct schedprof_frame frame;

	CHECK(schedprof_frame(recording, &task, &stack, 0, NULL, &frame, sizeof(frame)));
	CHECK_NUMBER(frame.kind, wanted ? SCHEDPROF_FRAME_ANON : SCHEDPROF_FRAME_UNKNOWN);
	if (wanted && wanted->offset)
		CHECK_NUMBER(frame.file_offset, address - wanted->start + wanted->offset);
}

/* The first mapping of a program that holds an address counts: by going over all of them. */
static void first_mapping_counts(void)
{
	enum { MAPPINGS = 60, IMAGES = 3, SPACE = 300 };
	struct sp_raw_mapping mappings[MAPPINGS];
	struct schedprof_recording *recording;
	unsigned int round, i, j, image;

	for (round = 0; round < 50; round++) {
		struct raw_maker maker = { };

		raw_begin(&maker);
		for (i = 0; i < MAPPINGS; i++) {
			mappings[i] = (struct sp_raw_mapping){
				.start = dice(SPACE), .offset = 1000 * (i + 1),
				.image = 1 + (uint32_t)dice(IMAGES),
				.kind = dice(8) ? SP_RAW_MAPPING_ANON : SP_RAW_MAPPING_LOST,
			};
			mappings[i].end = mappings[i].start + dice(SPACE / 4);
			if (!dice(20))
				mappings[i].end = UINT64_MAX;
			raw_mapping(&maker, &mappings[i], "");
		}
		raw_end(&maker);
		recording = read_one(&maker, NULL);
		raw_free(&maker);
		for (image = 0; image <= IMAGES + 1; image++)
			for (j = 0; j < 2 * SPACE; j++) {
				for (i = 0; i < MAPPINGS; i++)
					if (mappings[i].image == image && j >= mappings[i].start &&
					    j < mappings[i].end)
						break;
				check_place(recording, image, j, i < MAPPINGS &&
					    mappings[i].kind == SP_RAW_MAPPING_ANON ?
					    &mappings[i] : NULL);
			}
		schedprof_recording_free(recording);
	}
}

/* How long it takes to look at many frames in the last one of so many mappings. */
static double look_at_frames(uint32_t count)
{
	enum { TIMES = 20000 };
	struct sp_raw_mapping mapping = { .image = 1, .kind = SP_RAW_MAPPING_ANON };
	struct schedprof_recording *recording;
	struct raw_maker maker = { };
	double before;
	uint32_t i;

	raw_begin(&maker);
	for (i = 0; i < count; i++) {
		/* All of them hold what is in the middle, and the last one what is behind. */
		mapping.start = i;
		mapping.end = 2 * count - i;
		if (i == count - 1)
			mapping.end = 3 * count;
		raw_mapping(&maker, &mapping, "");
	}
	raw_end(&maker);
	recording = read_one(&maker, NULL);
	raw_free(&maker);
	before = check_time();
	for (i = 0; i < TIMES; i++)
		check_place(recording, 1, 3 * count - 1, &mapping);
	before = check_time() - before;
	schedprof_recording_free(recording);
	return before;
}

static void many_mappings(void)
{
	double plain = look_at_frames(100);

	CHECK(look_at_frames(100000) < 10 * plain + 1);
}

/* Facts of which one is told more than once, and how long it takes to ask for them. */
static double ask_for_facts(uint32_t lines)
{
	enum { TIMES = 20000 };
	struct schedprof_recording *recording;
	struct raw_maker maker = { };
	const char *name, *value;
	double before;
	uint32_t i;

	raw_begin(&maker);
	raw_text(&maker, SP_RAW_META, "twice first\nnothing\n");
	for (i = 0; i < lines; i++)
		raw_text(&maker, SP_RAW_META, i % 2 ? "twice later\n" : "zz 1\n");
	raw_text(&maker, SP_RAW_META, "clock tsc\n");
	raw_end(&maker);
	recording = read_one(&maker, NULL);
	before = check_time();
	for (i = 0; i < TIMES; i++)
		schedprof_meta(recording, "clock");
	before = check_time() - before;
	CHECK_TEXT(schedprof_meta(recording, "clock"), "tsc");
	CHECK_TEXT(schedprof_meta(recording, "twice"), "first");
	CHECK_TEXT(schedprof_meta(recording, "nothing"), "");
	CHECK_TEXT(schedprof_meta(recording, "no such"), NULL);
	CHECK(schedprof_meta_at(recording, 2 + lines, &name, &value));
	CHECK_TEXT(name, "clock");
	CHECK(!schedprof_meta_at(recording, 3 + lines, &name, &value));
	schedprof_recording_free(recording);
	raw_free(&maker);
	return before;
}

static void many_facts(void)
{
	double plain = ask_for_facts(100);

	CHECK(ask_for_facts(200000) < 10 * plain + 1);
}

/* As long as a path of the kernel can be, and longer than any of its names. */
static void long_names(void)
{
	const struct sp_raw_mapping mapping = { .image = 1, .end = 1 };
	const struct sp_raw_function function = { .address = 1 };
	const struct sp_raw_cgroup cgroup = { .number = 1 };
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct raw_maker maker = { };
	char text[4096];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	raw_begin(&maker);
	raw_symbol(&maker, 1, text);
	raw_mapping(&maker, &mapping, text);
	raw_put(&maker, SP_RAW_CGROUP, &cgroup, sizeof(cgroup), text, strlen(text));
	maker.cgroup = 1;
	raw_task(&maker, 1, 1, 1, "a", "a");
	raw_put(&maker, SP_RAW_FUNCTION, &function, sizeof(function), text, strlen(text));
	raw_end(&maker);
	recording = read_one(&maker, &error);
	CHECK_TEXT(error.message, "");
	if (CHECK(recording)) {
		CHECK_TEXT(schedprof_symbol_find(recording, 1)->text, text);
		CHECK_TEXT(schedprof_mapping_at(recording, 0)->path, text);
		CHECK_TEXT(schedprof_task_at(recording, 0)->cgroup, text);
		CHECK_TEXT(schedprof_function_at(recording, 0)->name, text);
	}
	schedprof_recording_free(recording);
	raw_free(&maker);
}

/* A word in brackets is ours, and so is what marks a frame of the kernel. */
static void names_pass_for_nothing_else(void)
{
	static const struct {
		uint32_t flags;
		const char *waker, *folded;
	} wakers[] = {
		{ 0, "do_exit_[k]", "--;do_exit_(k]" },
		{ 0, "[interrupt]", "--;(interrupt]" },
		{ SP_RAW_STACK_IRQ, "[x]", "--;[interrupt]" },
		{ SP_RAW_STACK_RUNNING, "[idle]", "[because_of];[idle]" },
		{ SP_RAW_STACK_RUNNING, "a_[k]", "[because_of];a_(k]" },
	};
	struct sp_raw_entry entry = { .task = 1, .total = 1, .count = 1 };
	struct schedprof_recording *recording;
	struct schedprof_error error = { };
	struct raw_maker maker = { };
	char expected[64], *text;
	uint32_t i, n = sizeof(wakers) / sizeof(wakers[0]);

	raw_begin(&maker);
	raw_task(&maker, 1, 7, 7, "[exited]", "[exited]");
	for (i = 0; i < n; i++) {
		entry.waker = i + 1;
		raw_stack(&maker, entry.waker, SP_RAW_STACK_WAKER | wakers[i].flags,
			  wakers[i].waker, NULL, 0);
		raw_put(&maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
	}
	raw_end(&maker);
	recording = read_one(&maker, &error);
	for (i = 0; i < n && CHECK(recording); i++) {
		text = schedprof_entry_folded(recording, schedprof_entry_at(recording, i),
					      SCHEDPROF_BY_THREAD, NULL, NULL);
		snprintf(expected, sizeof(expected), "(exited]-7;%s", wakers[i].folded);
		CHECK_TEXT(text, expected);
		free(text);
	}
	schedprof_recording_free(recording);
	raw_free(&maker);
}

static const struct test tests[] = {
	{ "everything that was written", everything },
	{ "the other byte order", other_byte_order },
	{ "longer records", longer_records },
	{ "shorter tasks", shorter_tasks },
	{ "unknown kinds", unknown_kinds },
	{ "nothing recorded", nothing_recorded },
	{ "one after the other", one_after_the_other },
	{ "packed", packed },
	{ "truncated anywhere", truncated_anywhere },
	{ "flipped anywhere", flipped_anywhere },
	{ "packed and damaged", packed_and_damaged },
	{ "complete ones before damage", complete_ones_before_damage },
	{ "chosen numbers", chosen_numbers },
	{ "many facts", many_facts },
	{ "the first mapping counts", first_mapping_counts },
	{ "many mappings", many_mappings },
	{ "long names", long_names },
	{ "names pass for nothing else", names_pass_for_nothing_else },
};

int main(void)
{
	return check_run("parse", tests, sizeof(tests) / sizeof(tests[0]));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_merge: what is added up is compared with sums made here, from numbers that
 * raw_maker was told. One thread.
 */
#include <stdlib.h>

#include "check.h"
#include "raw_maker.h"
#include "schedprof.h"

static struct schedprof_recording *make(void (*fill)(struct raw_maker *maker,
						     uint64_t scale), uint64_t scale)
{
	struct schedprof_recording *recording = NULL;
	struct schedprof_error error = { };
	struct schedprof_reader *reader;
	struct raw_maker maker = { };

	fill(&maker, scale);
	reader = schedprof_read_memory(maker.at, maker.size, &error);
	schedprof_next(reader, &recording, &error);
	schedprof_reader_close(reader);
	raw_free(&maker);
	if (!recording)
		check_failed(__FILE__, __LINE__, "%s", error.message);
	return recording;
}

static const struct schedprof_entry *
find(const struct schedprof_recording *recording, int by, const char *key)
{
	const struct schedprof_entry *entry;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		char *text = schedprof_entry_folded(recording, entry, by, NULL, NULL);
		bool same = text && !strcmp(text, key);

		free(text);
		if (same)
			return entry;
	}
	check_failed(__FILE__, __LINE__, "there is no '%s'", key);
	return NULL;
}

static uint64_t sum(const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entry;
	uint64_t total = 0;
	size_t i;

	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++)
		total += entry->total;
	return total;
}

#define FRAMES "[cut];[exited]+0x12345;[exited]+0x7ffe00000020;[anon]+0x10;[vdso]+0xa29;/usr/bin/app+0x1100;/usr/lib/libover.so+0x9234;entry_SYSCALL_64_after_hwframe_[k];vfs_read_[k];schedule_[k]"

static void one_is_as_it_was(void)
{
	struct schedprof_recording *recording = make(raw_standard, 1000), *merged;
	const struct schedprof_recording *const list[] = { recording };
	const struct schedprof_entry *entry;
	struct schedprof_error error = { };
	size_t i;

	merged = schedprof_merge(list, 1, SCHEDPROF_BY_THREAD, &error);
	if (!CHECK(merged))
		return;
	CHECK_NUMBER(schedprof_entry_count(merged), 5);
	for (i = 0; (entry = schedprof_entry_at(recording, i)); i++) {
		char *key = schedprof_entry_folded(recording, entry, 0, NULL, NULL);
		const struct schedprof_entry *same = find(merged, 0, key);

		free(key);
		if (!same)
			break;
		CHECK_NUMBER(same->total, entry->total);
		CHECK_NUMBER(same->count, entry->count);
		CHECK_NUMBER(same->max, entry->max);
		CHECK_NUMBER(same->max_at, entry->max_at);
		CHECK_NUMBER(same->max_cpu, entry->max_cpu);
		CHECK_NUMBER(same->inclusive, entry->inclusive);
		CHECK_NUMBER(same->flags, entry->flags);
		CHECK_NUMBER(same->task->tid, entry->task->tid);
		CHECK_NUMBER(same->task->flags, entry->task->flags);
	}
	CHECK_TEXT(schedprof_meta(merged, "addresses"), "hidden");
	CHECK_TEXT(schedprof_meta(merged, "kernel"), "6.1.0-test");
	schedprof_recording_free(merged);
	schedprof_recording_free(recording);
}

static void two_are_added_up(void)
{
	struct schedprof_recording *a = make(raw_standard, 1000), *merged;
	struct schedprof_recording *b = make(raw_standard, 5000);
	const struct schedprof_recording *const list[] = { a, b };
	const struct schedprof_entry *entry;
	struct schedprof_error error = { };

	merged = schedprof_merge(list, 2, SCHEDPROF_BY_THREAD, &error);
	if (!CHECK(merged))
		return;
	CHECK_NUMBER(schedprof_entry_count(merged), 5);
	CHECK_NUMBER(sum(merged), 6 * (1000 + 2000 + 3000 + 4000 + 500) * 1000);
	entry = find(merged, 0, "worker-101;" FRAMES);
	if (entry) {
		CHECK_NUMBER(entry->total, 6000000);
		CHECK_NUMBER(entry->count, 20);
		CHECK_NUMBER(entry->max, 2500000);
		CHECK_NUMBER(entry->max_at, 5005000000ULL);
	}
	CHECK_NUMBER(schedprof_ledger_count(merged), 1);
	CHECK_NUMBER(schedprof_ledger_at(merged, 0)->disk, 14 * 6000);
	CHECK_NUMBER(schedprof_ledger_at(merged, 0)->wakeups, 34);
	CHECK_NUMBER(schedprof_ledger_at(merged, 0)->irq, 3 * 6000);
	CHECK_NUMBER(schedprof_ledger_at(merged, 0)->softirq, 2 * 6000);
	CHECK_NUMBER(schedprof_ledger_at(merged, 0)->stolen, 6000);
	CHECK_NUMBER(schedprof_blame_count(merged), 1);
	if (CHECK(schedprof_blame_at(merged, 0))) {
		CHECK_NUMBER(schedprof_blame_at(merged, 0)->total, 12 * 6000);
		CHECK_NUMBER(schedprof_blame_at(merged, 0)->count, 6);
		CHECK_NUMBER(schedprof_blame_at(merged, 0)->longest, 7 * 5000);
		CHECK_NUMBER(schedprof_blame_at(merged, 0)->culprit_tid, 201);
		CHECK_TEXT(schedprof_blame_at(merged, 0)->leader_comm, "app");
		CHECK_TEXT(schedprof_blame_at(merged, 0)->cgroup, "/app.slice/a b;c.service");
	}
	CHECK_NUMBER(schedprof_histogram_at(merged, 1)->count, 16);
	CHECK_NUMBER(schedprof_function_at(merged, 0)->calls, 42);
	CHECK_TEXT(schedprof_meta(merged, "stats.recorded"), "138");
	/* Two were lost in each, and the one of each is not in the sum. */
	CHECK_TEXT(schedprof_meta(merged, "stats.lost_events"), "6");
	CHECK_TEXT(schedprof_meta(merged, "duration_ns"), "2000000000");
	CHECK_NUMBER(schedprof_event_count(merged), 0);
	schedprof_recording_free(merged);
	schedprof_recording_free(a);
	schedprof_recording_free(b);
}

static void in_groups(void)
{
	struct schedprof_recording *recording = make(raw_standard, 1000), *merged;
	const struct schedprof_recording *const list[] = { recording };
	const struct schedprof_entry *entry;

	merged = schedprof_merge(list, 1, SCHEDPROF_BY_PROCESS, NULL);
	entry = merged ? find(merged, SCHEDPROF_BY_THREAD, "app-100;" FRAMES) : NULL;
	if (CHECK(entry)) {
		CHECK_NUMBER(entry->total, 3000000);
		CHECK_NUMBER(entry->count, 30);
		CHECK(entry->task->flags & SCHEDPROF_TASK_GROUP);
		CHECK_NUMBER(schedprof_entry_count(merged), 4);
		CHECK_TEXT(schedprof_meta(merged, "config.group_by"), "process");
		CHECK_TEXT(schedprof_ledger_at(merged, 0)->comm, "app");
	}
	schedprof_recording_free(merged);
	merged = schedprof_merge(list, 1, SCHEDPROF_BY_COMM, NULL);
	entry = merged ? find(merged, SCHEDPROF_BY_THREAD, "worker;" FRAMES) : NULL;
	if (CHECK(entry))
		CHECK_NUMBER(entry->total, 3000000);
	CHECK(find(merged, SCHEDPROF_BY_THREAD, "[exited]"));
	schedprof_recording_free(merged);
	merged = schedprof_merge(list, 1, SCHEDPROF_BY_CGROUP, NULL);
	entry = merged ? find(merged, SCHEDPROF_BY_CGROUP,
			      "/app.slice/a_b_c.service;" FRAMES) : NULL;
	if (CHECK(entry)) {
		CHECK_NUMBER(entry->total, 1000000);
		CHECK_TEXT(entry->task->cgroup, "/app.slice/a b;c.service");
		CHECK_TEXT(entry->task->comm, "");
		CHECK_NUMBER(entry->task->tid, 0);
		CHECK_TEXT(schedprof_meta(merged, "config.group_by"), "cgroup");
	}
	entry = merged ? find(merged, SCHEDPROF_BY_CGROUP, "[unknown];" FRAMES) : NULL;
	if (CHECK(entry))
		CHECK_NUMBER(entry->total, 2000000);
	CHECK(find(merged, SCHEDPROF_BY_CGROUP, "[exited]"));
	schedprof_recording_free(merged);
	CHECK(!schedprof_merge(list, 1, 4, NULL));
	CHECK(!schedprof_merge(list, 0, 0, NULL));
	schedprof_recording_free(recording);
}

/* As of a walk where a frame was found by its frame pointer. */
static void guessed(struct raw_maker *maker, uint64_t scale)
{
	static const uint64_t user[] = { 0x1000, 0x2000 };
	struct sp_raw_stack stack = {
		.number = 1, .frames = 2, .guessed = 2,
		.flags = SP_RAW_STACK_USER |
			 SP_RAW_STACK_END_GUESSED << SP_RAW_STACK_END_SHIFT,
	};

	raw_begin(maker);
	raw_put(maker, SP_RAW_STACK, &stack, sizeof(stack), user, sizeof(user));
	raw_task(maker, 1, 1, 1, "a", "a");
	raw_entry(maker, 1, 0, 1, scale, 1);
	raw_end(maker);
}

static void guesses_stay_known(void)
{
	struct schedprof_recording *recording = make(guessed, 1), *merged;
	const struct schedprof_recording *const list[] = { recording, recording };

	merged = schedprof_merge(list, 2, SCHEDPROF_BY_COMM, NULL);
	if (CHECK(merged)) {
		CHECK_NUMBER(schedprof_stack_count(merged), 1);
		CHECK_NUMBER(schedprof_stack_at(merged, 0)->guessed, 2);
	}
	schedprof_recording_free(merged);
	schedprof_recording_free(recording);
}

/* The same functions elsewhere, as after another boot; numbers in another order. */
static void moved(struct raw_maker *maker, uint64_t scale)
{
	uint64_t kernel[] = { 0xffffffff91000010, 0xffffffff91000220 };
	uint64_t user[] = { 0x555500001100, 0x30 };
	struct sp_raw_mapping mapping = {
		.start = 0x555500000000, .end = 0x555500004000, .image = 5,
	};
	struct sp_raw_task task = {
		.number = 4, .tid = 101, .tgid = 100, .image = 5, .comm = "worker",
	};
	struct sp_raw_entry entry = {
		.task = 4, .kernel = 70, .user = 60, .waker = 61, .total = 100 * scale,
		.count = 1,
	};

	if (scale == 1) {
		kernel[0] -= 0x10000000;
		kernel[1] -= 0x10000000;
		user[0] -= 0x100000000;
		mapping.start -= 0x100000000;
		mapping.end -= 0x100000000;
	}
	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "clock mono\nunit ns\n");
	raw_symbol(maker, kernel[1], "vfs_read+0x20/0x1a0");
	raw_symbol(maker, kernel[0], "schedule+0x10/0x80");
	raw_mapping(maker, &mapping, "/usr/bin/app");
	raw_stack(maker, 70, 0, NULL, kernel, 2);
	raw_stack(maker, 60, SP_RAW_STACK_USER, NULL, user, 2);
	raw_stack(maker, 61, SP_RAW_STACK_WAKER, "waker", kernel, 1);
	raw_stack(maker, 62, SP_RAW_STACK_WAKER, "waker", kernel, 1);
	raw_waker(maker, 61, 60, 5);
	raw_put(maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
	/* A waker of which no more is told than its name is another one. */
	entry.waker = 62;
	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
	raw_end(maker);
}

#define MOVED_FROM "[exited]+0x30;/usr/bin/app+0x1100;vfs_read_[k];schedule_[k];--;schedule_[k]"
#define MOVED	MOVED_FROM ";/usr/bin/app+0x1100;[exited]+0x30;waker"

static void of_different_boots(void)
{
	struct schedprof_recording *a = make(moved, 1), *b = make(moved, 2), *merged;
	const struct schedprof_recording *const list[] = { a, b };
	const struct schedprof_diff_row *row;
	struct schedprof_diff *diff;

	merged = schedprof_merge(list, 2, SCHEDPROF_BY_THREAD, NULL);
	if (CHECK(merged)) {
		CHECK_NUMBER(schedprof_entry_count(merged), 2);
		CHECK_NUMBER(schedprof_stack_count(merged), 4);
		CHECK_NUMBER(schedprof_entry_at(merged, 0)->total, 300);
		CHECK(find(merged, 0, "worker-101;" MOVED));
		CHECK(find(merged, 0, "worker-101;" MOVED_FROM ";waker"));
	}
	diff = schedprof_diff(a, b, SCHEDPROF_BY_THREAD, NULL, NULL);
	CHECK_NUMBER(schedprof_diff_count(diff), 2);
	row = schedprof_diff_at(diff, 0);
	if (CHECK(row)) {
		CHECK_NUMBER(row->before.total, 100);
		CHECK_NUMBER(row->after.total, 200);
		CHECK_TEXT(row->stack, MOVED);
	}
	schedprof_diff_free(diff);
	schedprof_recording_free(merged);
	schedprof_recording_free(a);
	schedprof_recording_free(b);
}

static void strange(struct raw_maker *maker, uint64_t scale)
{
	/* Of a chain of frame pointers that is none: where merged files lie. */
	uint64_t user[] = { 0x4000000100000010, 0x400100, UINT64_MAX };
	struct sp_raw_mapping mapping = {
		.start = 0x400000, .end = 0x500000, .image = 1,
		.offset = 0xfffffffffff00000,
	};

	raw_begin(maker);
	raw_mapping(maker, &mapping, "/far");
	raw_stack(maker, 1, SP_RAW_STACK_USER, NULL, user, 3);
	raw_task(maker, 1, 1, 1, "odd", "odd");
	raw_entry(maker, 1, 0, 1, scale, 1);
	raw_end(maker);
}

static void strange_addresses(void)
{
	struct schedprof_recording *a = make(strange, 3), *merged;
	const struct schedprof_recording *const list[] = { a, a };
	static const char key[] =
		"odd-1;[exited]+0xffffffffffffffff;/far+0xfffffffffff00100;"
		"[exited]+0x4000000100000010";

	CHECK(find(a, 0, key));
	merged = schedprof_merge(list, 2, SCHEDPROF_BY_THREAD, NULL);
	if (CHECK(merged) && find(merged, 0, key))
		CHECK_NUMBER(find(merged, 0, key)->total, 6);
	schedprof_recording_free(merged);
	schedprof_recording_free(a);
}

static void more_of_some(struct raw_maker *maker, uint64_t scale)
{
	raw_begin(maker);
	raw_task(maker, 1, 1, 1, "a", "a");
	raw_task(maker, 2, 2, 2, "b", "b");
	raw_task(maker, 3, 3, 3, scale == 1 ? "gone" : "new", "c");
	raw_entry(maker, 1, 0, 0, 1000, 1);
	raw_entry(maker, 2, 0, 0, 2000 * scale, 2);
	raw_entry(maker, 3, 0, 0, 500, 3);
	raw_end(maker);
}

static void differences(void)
{
	struct schedprof_recording *a = make(more_of_some, 1);
	struct schedprof_recording *b = make(more_of_some, 3);
	struct schedprof_diff *diff = schedprof_diff(a, b, SCHEDPROF_BY_THREAD, NULL,
						     NULL);
	const struct schedprof_diff_row *row;

	CHECK_NUMBER(schedprof_diff_count(diff), 4);
	row = schedprof_diff_at(diff, 0);
	CHECK_TEXT(row->comm, "b");
	CHECK_NUMBER(row->before.total, 2000);
	CHECK_NUMBER(row->after.total, 6000);
	CHECK_TEXT(row->stack, "");
	CHECK_TEXT(schedprof_diff_at(diff, 1)->comm, "gone");
	CHECK_NUMBER(schedprof_diff_at(diff, 1)->before.count, 3);
	CHECK_NUMBER(schedprof_diff_at(diff, 1)->after.count, 0);
	CHECK_TEXT(schedprof_diff_at(diff, 2)->comm, "new");
	CHECK_TEXT(schedprof_diff_at(diff, 3)->comm, "a");
	CHECK(!schedprof_diff_at(diff, 4));
	schedprof_diff_free(diff);
	schedprof_recording_free(a);
	schedprof_recording_free(b);
}

/*
 * Two snapshots of one recording. In the second one, @scale 2, a task that had slept for
 * 50 s is gone: after 1 s more it was added to the row [exited]. So was another one,
 * which the first snapshot did not know, with 3 s.
 */
static void folding(struct raw_maker *maker, uint64_t scale)
{
	static const uint64_t kernel[] = { 0xffffffff81000010 }, user[] = { 0x1234 };
	static const uint64_t other[] = { 0xffffffff81000220 };
	const uint64_t s = 1000000000;
	struct sp_raw_task folded = {
		.number = 9, .flags = SP_RAW_TASK_FOLDED, .comm = "[exited]",
	};

	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "session long\nhostname here\nbegin_ns 77\n");
	raw_symbol(maker, kernel[0], "schedule+0x10/0x80");
	raw_symbol(maker, other[0], "vfs_read+0x20/0x1a0");
	raw_stack(maker, 1, 0, NULL, kernel, 1);
	raw_stack(maker, 2, SP_RAW_STACK_USER, NULL, user, 1);
	raw_stack(maker, 3, 0, NULL, other, 1);
	raw_task(maker, 1, 101, 101, "stays", "stays");
	if (scale == 1)
		raw_task(maker, 2, 102, 102, "dies", "dies");
	raw_put(maker, SP_RAW_TASK, &folded, sizeof(folded), NULL, 0);
	raw_entry(maker, 1, 1, 2, scale * s, scale);
	if (scale == 1) {
		raw_entry(maker, 2, 1, 2, 40 * s, 40);
		raw_entry(maker, 2, 1, 0, 10 * s, 10);
		raw_entry(maker, 9, 1, 0, 5 * s, 5);
	} else {
		raw_entry(maker, 9, 1, 0, (5 + 50 + 1) * s, 5 + 50 + 1);
		raw_entry(maker, 9, 3, 0, 3 * s, 3);
	}
	raw_end(maker);
}

static void folded_in_between(void)
{
	static const int ways[] = {
		SCHEDPROF_BY_THREAD, SCHEDPROF_BY_PROCESS, SCHEDPROF_BY_COMM,
		SCHEDPROF_BY_CGROUP,
	};
	struct schedprof_recording *a = make(folding, 1), *b = make(folding, 2);
	const struct schedprof_diff_row *row;
	struct schedprof_diff *diff;
	uint64_t grown, count;
	unsigned int i;
	size_t j;

	for (i = 0; i < 4; i++) {
		diff = schedprof_diff(a, b, ways[i], NULL, NULL);
		if (!CHECK(diff))
			break;
		grown = 0;
		count = 0;
		for (j = 0; (row = schedprof_diff_at(diff, j)); j++) {
			CHECK(row->after.total >= row->before.total);
			grown += row->after.total - row->before.total;
			count += row->after.count - row->before.count;
		}
		/* What was folded makes one row with the time after the first. */
		CHECK_NUMBER(grown, (1 + 1 + 3) * 1000000000ULL);
		CHECK_NUMBER(count, 1 + 1 + 3);
		CHECK_NUMBER(j, 3);
		row = schedprof_diff_at(diff, 0);
		CHECK_TEXT(row->comm, "[exited]");
		CHECK_TEXT(row->stack, "vfs_read_[k]");
		schedprof_diff_free(diff);
	}
	/* Of two recordings, nothing was folded into the other. */
	diff = schedprof_diff(b, a, SCHEDPROF_BY_THREAD, NULL, NULL);
	CHECK_NUMBER(schedprof_diff_count(diff), 5);
	schedprof_diff_free(diff);
	schedprof_recording_free(a);
	schedprof_recording_free(b);
}

/* A library; its build-id ends with @scale / 10, the rest differs with @scale. */
static void upgraded(struct raw_maker *maker, uint64_t scale)
{
	static const struct sp_raw_mapping mappings[] = {
		{ 0x600000, 0x700000, 0, 1, SP_RAW_MAPPING_ANON },
		{ 0x400000, 0x500000, 0, 1, SP_RAW_MAPPING_FILE },
	};
	static const uint64_t user[] = { 0x401000, 0x600010, 0xffffffffffffff00 };
	static const uint32_t numbers[] = { 0, 3 };
	struct sp_raw_file file = {
		.number = 3, .inode = scale, .build_id_bytes = 20, .build_id = { 1, 0xab },
	};

	file.build_id[19] = (unsigned char)(scale / 10);
	raw_begin(maker);
	raw_file(maker, &file);
	raw_mapping(maker, &mappings[0], "");
	raw_mapping(maker, &mappings[1], "/lib");
	raw_files(maker, 0, numbers, 2);
	raw_stack(maker, 1, SP_RAW_STACK_USER, NULL, user, 3);
	raw_task(maker, 1, 1, 1, "a", "a");
	raw_entry(maker, 1, 0, 1, 1000, 1);
	raw_end(maker);
}

/* Mappings of /lib that are known to be of the file with that build-id. */
static unsigned int count_files(const struct schedprof_recording *recording,
				const char *build_id)
{
	const struct schedprof_mapping *mapping;
	unsigned int count = 0;
	size_t i;

	for (i = 0; (mapping = schedprof_mapping_at(recording, i)); i++) {
		CHECK(!mapping->file == !*mapping->path);
		count += mapping->file && mapping->file->build_id &&
			 !strcmp(mapping->file->build_id, build_id);
	}
	return count;
}

/* Which files they are stays known, and other ones stay other ones. */
static void files_stay_known(void)
{
	static const char first[] = "01ab000000000000000000000000000000000001";
	static const char second[] = "01ab000000000000000000000000000000000002";
	struct schedprof_recording *all[3] = {
		make(upgraded, 10), make(upgraded, 11), make(upgraded, 20),
	}, *merged, *again;
	const struct schedprof_recording *list[1];

	CHECK_NUMBER(count_files(all[0], first), 1);
	CHECK_NUMBER(count_files(all[1], first), 1);
	CHECK_NUMBER(count_files(all[2], second), 1);
	merged = schedprof_merge((const struct schedprof_recording *const *)all, 3,
				 SCHEDPROF_BY_COMM, NULL);
	list[0] = merged;
	again = merged ? schedprof_merge(list, 1, SCHEDPROF_BY_COMM, NULL) : NULL;
	if (CHECK(again)) {
		/* A lost one, the generated code, and two libraries. */
		CHECK_NUMBER(schedprof_mapping_count(again), 4);
		CHECK_NUMBER(count_files(again, first), 1);
		CHECK_NUMBER(count_files(again, second), 1);
		/* Their frames are not the same, though they read so. */
		CHECK_NUMBER(schedprof_stack_count(again), 2);
		CHECK_NUMBER(sum(again), 3000);
	}
	schedprof_recording_free(again);
	schedprof_recording_free(merged);
	schedprof_recording_free(all[0]);
	schedprof_recording_free(all[1]);
	schedprof_recording_free(all[2]);
}

static void cycles(struct raw_maker *maker, uint64_t scale)
{
	(void)scale;
	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "unit cycles\n");
	raw_end(maker);
}

static void of_different_units(void)
{
	struct schedprof_recording *a = make(cycles, 1), *b = make(raw_standard, 1);
	const struct schedprof_recording *const list[] = { a, b };
	struct schedprof_error error = { };

	CHECK(!schedprof_merge(list, 2, 0, &error));
	CHECK_NUMBER(error.code, SCHEDPROF_INVALID);
	CHECK(!schedprof_diff(a, b, 0, NULL, &error));
	schedprof_recording_free(a);
	schedprof_recording_free(b);
}

static void large(struct raw_maker *maker, uint64_t scale)
{
	(void)scale;
	raw_large(maker, 2000, 1000);
}

static void large_ones(void)
{
	struct schedprof_recording *a = make(large, 1), *merged, *again;
	const struct schedprof_recording *const list[] = { a, a, a };
	const struct schedprof_recording *second[1];

	merged = schedprof_merge(list, 3, SCHEDPROF_BY_THREAD, NULL);
	if (!CHECK(merged))
		return;
	CHECK_NUMBER(sum(merged), 3 * sum(a));
	CHECK_NUMBER(schedprof_task_count(merged), 2000);
	/* Merged ones can be merged. */
	second[0] = merged;
	again = schedprof_merge(second, 1, SCHEDPROF_BY_COMM, NULL);
	if (CHECK(again)) {
		CHECK_NUMBER(sum(again), 3 * sum(a));
		CHECK_NUMBER(schedprof_task_count(again), 10);
	}
	schedprof_recording_free(again);
	schedprof_recording_free(merged);
	schedprof_recording_free(a);
}

static unsigned int count_facts(const struct schedprof_recording *recording, const char *wanted)
{
	const char *name, *value;
	unsigned int count = 0;
	size_t i;

	for (i = 0; schedprof_meta_at(recording, i, &name, &value); i++)
		count += !strcmp(name, wanted);
	return count;
}

/* What is told of a sum is told of this one, also if all of its parts are such sums. */
static void sums_of_sums(void)
{
	struct schedprof_recording *one = make(raw_standard, 1000), *pair, *all;
	const struct schedprof_recording *const ones[] = { one, one };
	const struct schedprof_recording *pairs[3];

	pair = schedprof_merge(ones, 2, SCHEDPROF_BY_THREAD, NULL);
	if (!CHECK(pair))
		return;
	CHECK_TEXT(schedprof_meta(pair, "merged"), "2");
	pairs[0] = pair;
	pairs[1] = pair;
	pairs[2] = pair;
	all = schedprof_merge(pairs, 3, SCHEDPROF_BY_COMM, NULL);
	if (CHECK(all)) {
		CHECK_TEXT(schedprof_meta(all, "merged"), "3");
		CHECK_NUMBER(count_facts(all, "merged"), 1);
		CHECK_NUMBER(count_facts(all, "addresses"), 1);
		CHECK_NUMBER(count_facts(all, "config.group_by"), 1);
		CHECK_TEXT(schedprof_meta(all, "kernel"), "6.1.0-test");
	}
	schedprof_recording_free(all);
	schedprof_recording_free(pair);
	schedprof_recording_free(one);
}

static void put_ledger(struct raw_maker *maker, int32_t tid, int32_t tgid, const char *comm)
{
	struct sp_raw_ledger ledger = { .tid = tid, .tgid = tgid, .oncpu = 1 };

	memcpy(ledger.comm, comm, strlen(comm));
	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

static void leaders(struct raw_maker *maker, uint64_t scale)
{
	(void)scale;
	raw_begin(maker);
	raw_task(maker, 1, 11, 10, "told", "by a task");
	raw_task(maker, 2, 21, 20, "told", "by a task");
	raw_task(maker, 3, 22, 20, "told", "by another");
	put_ledger(maker, 11, 10, "thread");
	put_ledger(maker, 10, 10, "by itself");
	put_ledger(maker, 21, 20, "thread");
	put_ledger(maker, 31, 30, "nobody");
	put_ledger(maker, 32, 30, "tells");
	raw_end(maker);
}

/* Books of processes are called as their first threads, as far as anything tells. */
static void names_of_leaders(void)
{
	static const char *const wanted[] = { "by itself", "by a task", "nobody", "tells" };
	struct schedprof_recording *recording = make(leaders, 1), *merged;
	const struct schedprof_recording *const list[] = { recording };
	size_t i;

	merged = schedprof_merge(list, 1, SCHEDPROF_BY_PROCESS, NULL);
	CHECK_NUMBER(schedprof_ledger_count(merged), 4);
	for (i = 0; i < schedprof_ledger_count(merged) && i < 4; i++)
		CHECK_TEXT(schedprof_ledger_at(merged, i)->comm, wanted[i]);
	schedprof_recording_free(merged);
	schedprof_recording_free(recording);
}

/* Of 20,000 processes, whose names nothing tells. */
static void many_books(struct raw_maker *maker, uint64_t scale)
{
	int32_t i;

	(void)scale;
	raw_begin(maker);
	for (i = 0; i < 60000; i++)
		raw_task(maker, (uint32_t)i + 1, 1000000 + i, 1000000 + i, "some", "some");
	for (i = 0; i < 60000; i++)
		put_ledger(maker, 100000 + i, i % 20000 + 1, "worker");
	raw_end(maker);
}

/* Whose books they are is not searched for in all the others. */
static void many_ledgers(void)
{
	struct schedprof_recording *many = make(many_books, 1), *merged;
	const struct schedprof_recording *const list[] = { many };
	double begin = check_time(), plain;

	schedprof_recording_free(schedprof_merge(list, 1, SCHEDPROF_BY_THREAD, NULL));
	plain = check_time() - begin;
	begin = check_time();
	merged = schedprof_merge(list, 1, SCHEDPROF_BY_PROCESS, NULL);
	CHECK(check_time() - begin < 3 * plain + 1);
	CHECK_NUMBER(schedprof_ledger_count(merged), 20000);
	schedprof_recording_free(merged);
	schedprof_recording_free(many);
}

static const struct test tests[] = {
	{ "one is as it was", one_is_as_it_was },
	{ "two are added up", two_are_added_up },
	{ "in groups", in_groups },
	{ "guesses stay known", guesses_stay_known },
	{ "of different boots", of_different_boots },
	{ "strange addresses", strange_addresses },
	{ "differences", differences },
	{ "folded in between", folded_in_between },
	{ "files stay known", files_stay_known },
	{ "of different units", of_different_units },
	{ "large ones", large_ones },
	{ "sums of sums", sums_of_sums },
	{ "names of leaders", names_of_leaders },
	{ "many ledgers", many_ledgers },
};

int main(void)
{
	return check_run("merge", tests, sizeof(tests) / sizeof(tests[0]));
}

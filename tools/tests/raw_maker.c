// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_maker: makes files like raw of the module, independently of the code of the
 * library that does the same. A maker is used by one thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "raw_maker.h"

#define NAME	"cccccccccccccccc"

/* The fields of each kind, for the other byte order: q eight bytes, d four, c one. */
static const char *const fields[] = {
	[SP_RAW_BEGIN] = "ccccccccdd",
	[SP_RAW_SCHEMA] = "",
	[SP_RAW_META] = "",
	[SP_RAW_SYMBOL] = "q",
	[SP_RAW_MAPPING] = "qqqdd",
	[SP_RAW_STACK] = "ddddcccccccccccccccc",
	[SP_RAW_TASK] = "ddddqqdd" NAME NAME "dd",
	[SP_RAW_ENTRY] = "ddddqqqqddq",
	[SP_RAW_LEDGER] = "ddqqqqqddddccccccccccccccccqqq",
	[SP_RAW_HISTOGRAM] = "qqq",
	[SP_RAW_FUNCTION] = "qqqdd",
	[SP_RAW_EVENT] = "qqqqddddddddddcccccccccccccccc",
	[SP_RAW_END] = "q",
	[SP_RAW_FILE] = "ddqqdddcccccccccccccccccccc",
	[SP_RAW_FILES] = "dd",
	[SP_RAW_WAKER] = "ddddqdd",
	[SP_RAW_BLAME] = "ddqddddqqqq" NAME NAME NAME NAME "dd",
	[SP_RAW_CGROUP] = "ddq",
};

static void grow(struct raw_maker *maker, size_t size)
{
	if (size > maker->room - maker->size) {
		maker->room = 2 * (maker->size + size);
		maker->at = realloc(maker->at, maker->room);
	}
	if (!maker->at) {
		fputs("raw_maker: there is no memory\n", stderr);
		exit(2);
	}
	memset(maker->at + maker->size, 0, size);
	maker->size += size;
}

static void reverse(unsigned char *at, size_t size)
{
	size_t i;

	for (i = 0; i < size / 2; i++) {
		unsigned char byte = at[i];

		at[i] = at[size - 1 - i];
		at[size - 1 - i] = byte;
	}
}

static void swap_body(uint32_t kind, unsigned char *body, size_t rest_bytes)
{
	const char *c = kind <= SP_RAW_CGROUP ? fields[kind] : "";
	size_t n;

	for (; *c; c++) {
		size_t size = *c == 'q' ? 8 : *c == 'd' ? 4 : 1;

		reverse(body, size);
		body += size;
	}
	for (n = rest_bytes / 8; kind == SP_RAW_STACK && n; n--, body += 8)
		reverse(body, 8);
	for (n = rest_bytes / 4; kind == SP_RAW_FILES && n; n--, body += 4)
		reverse(body, 4);
}

/* A record with the right checksum. Return: where it begins. */
size_t raw_put(struct raw_maker *maker, uint32_t kind, const void *body, size_t size,
	       const void *rest, size_t rest_size)
{
	size_t at = maker->size, length = size + rest_size;
	struct sp_raw_record *head;

	if (!rest && size && kind >= SP_RAW_TASK && kind != SP_RAW_FUNCTION)
		length += maker->longer;
	grow(maker, sizeof(*head) + (length + 7) / 8 * 8);
	head = (struct sp_raw_record *)(maker->at + at);
	head->kind = kind;
	head->bytes = (uint32_t)length;
	if (size)
		memcpy(head + 1, body, size);
	if (rest_size)
		memcpy((char *)(head + 1) + size, rest, rest_size);
	if (maker->swap) {
		swap_body(kind, (unsigned char *)(head + 1), rest_size);
		reverse((unsigned char *)&head->kind, 4);
		reverse((unsigned char *)&head->bytes, 4);
	}
	head->crc = (uint32_t)crc32(0, (const unsigned char *)head,
				    (uInt)(sizeof(*head) + length));
	if (maker->swap)
		reverse((unsigned char *)&head->crc, 4);
	maker->records++;
	return at;
}

void raw_begin(struct raw_maker *maker)
{
	struct sp_raw_begin begin = {
		.byte_order = SP_RAW_BYTE_ORDER,
		.version = SP_RAW_VERSION,
	};

	memcpy(begin.magic, SP_RAW_MAGIC, sizeof(begin.magic));
	maker->records = 0;
	raw_put(maker, SP_RAW_BEGIN, &begin, sizeof(begin), NULL, 0);
}

size_t raw_end(struct raw_maker *maker)
{
	struct sp_raw_end end = { .records = maker->records + 1 };

	return raw_put(maker, SP_RAW_END, &end, sizeof(end), NULL, 0);
}

void raw_text(struct raw_maker *maker, uint32_t kind, const char *text)
{
	raw_put(maker, kind, NULL, 0, text, strlen(text));
}

void raw_symbol(struct raw_maker *maker, uint64_t address, const char *text)
{
	struct sp_raw_symbol symbol = { .address = address };

	raw_put(maker, SP_RAW_SYMBOL, &symbol, sizeof(symbol), text, strlen(text));
}

void raw_mapping(struct raw_maker *maker, const struct sp_raw_mapping *mapping,
		 const char *path)
{
	raw_put(maker, SP_RAW_MAPPING, mapping, sizeof(*mapping), path, strlen(path));
}

void raw_file(struct raw_maker *maker, const struct sp_raw_file *file)
{
	raw_put(maker, SP_RAW_FILE, file, sizeof(*file), NULL, 0);
}

void raw_files(struct raw_maker *maker, uint32_t first, const uint32_t *numbers,
	       uint32_t count)
{
	struct sp_raw_files files = { .first = first, .count = count };

	raw_put(maker, SP_RAW_FILES, &files, sizeof(files), numbers,
		count * sizeof(*numbers));
}

void raw_stack(struct raw_maker *maker, uint32_t number, uint32_t flags,
	       const char *waker, const uint64_t *frames, uint32_t count)
{
	struct sp_raw_stack stack = {
		.number = number,
		.flags = flags,
		.frames = count,
	};

	if (waker)
		memcpy(stack.waker, waker, strlen(waker));
	raw_put(maker, SP_RAW_STACK, &stack, sizeof(stack), frames,
		count * sizeof(*frames));
}

void raw_waker(struct raw_maker *maker, uint32_t stack, uint32_t user, uint32_t image)
{
	struct sp_raw_waker waker = {
		.stack = stack, .user = user, .image = image, .exec_id = 9,
		.start_ns = 3000000, .tgid = 300,
	};

	raw_put(maker, SP_RAW_WAKER, &waker, sizeof(waker), NULL, 0);
}

void raw_task(struct raw_maker *maker, uint32_t number, int32_t tid, int32_t tgid,
	      const char *comm, const char *leader)
{
	struct sp_raw_task task = {
		.number = number,
		.tid = tid,
		.tgid = tgid,
		.start_ns = 1000000 + (uint64_t)tid,
		.leader_start_ns = 1000000 + (uint64_t)tgid,
		.image = tgid > 0 ? 1 : 0,
		.exec_id = 7,
		.cgroup = maker->cgroup,
	};

	memcpy(task.comm, comm, strlen(comm));
	memcpy(task.leader_comm, leader, strlen(leader));
	raw_put(maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
}

void raw_entry(struct raw_maker *maker, uint32_t task, uint32_t kernel, uint32_t user,
	       uint64_t total, uint64_t count)
{
	struct sp_raw_entry entry = {
		.task = task,
		.kernel = kernel,
		.user = user,
		.total = total,
		.count = count,
		.max = total / 2,
		.max_at = 5000000000ULL + total,
		.max_cpu = task,
	};

	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
}

void raw_free(struct raw_maker *maker)
{
	free(maker->at);
	maker->at = NULL;
	maker->size = 0;
	maker->room = 0;
}

static void standard_places(struct raw_maker *maker)
{
	static const struct sp_raw_mapping mappings[] = {
		/* On top of a part of the next one: it came later. */
		{ 0x401000, 0x402000, 0x9000, 1, SP_RAW_MAPPING_FILE },
		{ 0x400000, 0x500000, 0x1000, 1, SP_RAW_MAPPING_FILE },
		{ 0x7ffff0000000, 0x7ffff0002000, 0, 1, SP_RAW_MAPPING_VDSO },
		{ 0x7fff00000000, 0x7fff00001000, 0, 1, SP_RAW_MAPPING_ANON },
		{ 0x7ffe00000000, 0x7ffe00001000, 0, 1, SP_RAW_MAPPING_LOST },
		{ 0x400000, 0x500000, 0x0, 2, SP_RAW_MAPPING_FILE },
	};
	static const char *const paths[] = {
		"/usr/lib/libover.so", "/usr/bin/app", "", "", "", "/usr/bin/other",
	};
	unsigned int i;

	raw_symbol(maker, 0xffffffff81000010, "schedule+0x10/0x80");
	raw_symbol(maker, 0xffffffff81000220, "vfs_read+0x20/0x1a0");
	raw_symbol(maker, 0xffffffffc0000033, "probe_it+0x33/0x40 [my_mod]");
	raw_symbol(maker, 0xffffffffc0999999, "[unknown]");
	/* Symbols are in no order. */
	raw_symbol(maker, 0xffffffff80ffff00, "entry_SYSCALL_64_after_hwframe+0x5f/0xca");
	raw_symbol(maker, 0xffffffff81000000, "schedule+0x0/0x80");
	for (i = 0; i < sizeof(mappings) / sizeof(mappings[0]); i++)
		raw_mapping(maker, &mappings[i], paths[i]);
}

static void standard_stacks(struct raw_maker *maker)
{
	static const uint64_t kernel[] = {
		0xffffffff81000010, 0xffffffff81000220, 0xffffffff80ffff00,
	};
	static const uint64_t module[] = { 0xffffffffc0000033, 0xffffffffc0999999 };
	static const uint64_t user[] = {
		0x401234, 0x400100, 0x7ffff0000a29, 0x7fff00000010, 0x7ffe00000020,
		0x12345,
	};
	static const uint64_t calls[] = { 0xffffffff81000000 };
	static const uint64_t wakes[] = { 0x400200, 0x12345 };

	raw_stack(maker, 1, 0, NULL, kernel, 3);
	raw_stack(maker, 2, SP_RAW_STACK_USER | SP_RAW_STACK_CUT, NULL, user, 6);
	raw_stack(maker, 3, SP_RAW_STACK_WAKER, "wa ker", module, 2);
	raw_stack(maker, 40, SP_RAW_STACK_UNSEEN, NULL, NULL, 0);
	raw_stack(maker, 5, SP_RAW_STACK_CALLS, NULL, calls, 1);
	raw_stack(maker, 6, SP_RAW_STACK_USER, NULL, wakes, 2);
	raw_waker(maker, 3, 6, 2);
}

static void standard_cgroup(struct raw_maker *maker, uint32_t number, const char *path)
{
	struct sp_raw_cgroup cgroup = { .number = number, .id = 4000 + number };

	raw_put(maker, SP_RAW_CGROUP, &cgroup, sizeof(cgroup), path, strlen(path));
}

static void standard_tasks(struct raw_maker *maker)
{
	struct sp_raw_task folded = {
		.number = 9,
		.flags = SP_RAW_TASK_FOLDED,
		.comm = "[exited]",
	};

	standard_cgroup(maker, 1, "/");
	standard_cgroup(maker, 7, "/app.slice/a b;c.service");
	maker->cgroup = 7;
	raw_task(maker, 1, 101, 100, "worker", "app");
	maker->cgroup = 0;
	raw_task(maker, 2, 102, 100, "worker", "app");
	maker->cgroup = 7;
	raw_task(maker, 3, 100, 100, "app", "app");
	maker->cgroup = 0;
	raw_put(maker, SP_RAW_TASK, &folded, sizeof(folded), NULL, 0);
}

static void standard_rows(struct raw_maker *maker, uint64_t scale)
{
	struct sp_raw_ledger ledger = {
		.tid = 101, .tgid = 100, .start_ns = 1000101, .oncpu = 11 * scale,
		.runqueue = 12 * scale, .sleep = 13 * scale, .disk = 14 * scale,
		.switches_vol = 15, .switches_invol = 16, .wakeups = 17,
		.migrations = 18, .comm = "worker", .irq = 3 * scale, .softirq = 2 * scale,
		.stolen = scale,
	};
	struct sp_raw_blame blame = {
		.tid = 101, .tgid = 100, .start_ns = 1000101,
		.culprit = SP_RAW_CULPRIT_TASK, .culprit_tid = 201, .culprit_tgid = 200,
		.culprit_start_ns = 1000201, .total = 12 * scale, .count = 3,
		.longest = 7 * scale, .comm = "worker", .leader_comm = "app",
		.culprit_comm = "other", .culprit_leader_comm = "others", .cgroup = 7,
		.culprit_cgroup = 1,
	};
	struct sp_raw_histogram histogram = { .low = 1, .high = 2, .count = 7 };
	struct sp_raw_function function = {
		.address = 0xffffffff81000000, .calls = 21, .missed = 22,
		.flags = SP_RAW_FUNCTION_THROTTLED,
	};
	struct sp_raw_event event = {
		.at = 31, .length = 32 * scale, .start_ns = 1000101,
		.function = 0xffffffff81000000, .tid = 101, .tgid = 100, .exec_id = 7,
		.image = 1, .cpu = 3, .flags = SP_RAW_EVENT_IRQS_OFF, .kernel = 1,
		.user = 2, .waker = 3, .depth = 4, .comm = "worker",
	};
	struct sp_raw_entry whole = {
		.task = 2, .kernel = 5, .waker = 3, .total = 4000 * scale, .count = 4,
		.max = 3000 * scale, .max_at = 6000, .max_cpu = 2,
		.flags = SP_RAW_ENTRY_OPEN, .inclusive = 5000 * scale,
	};

	raw_entry(maker, 1, 1, 2, 1000 * scale, 10);
	raw_entry(maker, 2, 1, 2, 2000 * scale, 20);
	raw_entry(maker, 3, 40, 0, 3000 * scale, 30);
	raw_put(maker, SP_RAW_ENTRY, &whole, sizeof(whole), NULL, 0);
	raw_entry(maker, 9, 0, 0, 500 * scale, 5);
	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
	raw_put(maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
	raw_put(maker, SP_RAW_HISTOGRAM, &histogram, sizeof(histogram), NULL, 0);
	histogram.low = 2;
	histogram.high = 4;
	histogram.count = 8;
	raw_put(maker, SP_RAW_HISTOGRAM, &histogram, sizeof(histogram), NULL, 0);
	raw_put(maker, SP_RAW_FUNCTION, &function, sizeof(function), "schedule", 8);
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
}

void raw_standard(struct raw_maker *maker, uint64_t scale)
{
	raw_begin(maker);
	raw_text(maker, SP_RAW_SCHEMA, "begin magic:8 byte_order:u32\n");
	/* In two records, of whole lines. */
	raw_text(maker, SP_RAW_META,
		 maker->cycles ?
		 "version 0.1.0\nkernel 6.1.0-test\nsession test\nclock tsc\nunit cycles\n"
		 "addresses shown\nconfig.comm\x20\nstats.lost_cycles 3\n" :
		 "version 0.1.0\nkernel 6.1.0-test\nsession test\nclock mono\nunit ns\n"
		 "addresses shown\nconfig.comm\x20\n");
	raw_text(maker, SP_RAW_META,
		 "mode offcpu\nconfig.mode offcpu\nconfig.pids 1 2 3\n"
		 "stats.recorded 69\nstats.lost_events 2\nbegin_ns 5000000000\n"
		 "duration_ns 1000000000\n");
	standard_places(maker);
	standard_stacks(maker);
	standard_tasks(maker);
	standard_rows(maker, scale);
	raw_end(maker);
}

void raw_large(struct raw_maker *maker, uint32_t tasks, uint32_t stacks)
{
	uint64_t frames[8];
	char text[64];
	uint32_t i, j;

	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "clock mono\nunit ns\naddresses shown\n");
	for (i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "function_%u+0x%x/0x100", i, i % 0x100);
		raw_symbol(maker, 0xffffffff81000000 + i * 0x100, text);
	}
	for (i = 1; i <= stacks; i++) {
		for (j = 0; j < 8; j++)
			frames[j] = 0xffffffff81000000 +
				    (i * 7 + j * 131) % 1000 * 0x100;
		frames[0] = 0xffffffff81000000 + i % 1000 * 0x100;
		raw_stack(maker, i, 0, NULL, frames, 8);
	}
	for (i = 1; i <= tasks; i++) {
		snprintf(text, sizeof(text), "task%u", i % 10);
		raw_task(maker, i, (int32_t)i, (int32_t)(i / 16 * 16), text, text);
	}
	for (i = 1; i <= tasks; i++)
		for (j = 0; j < 4; j++)
			raw_entry(maker, i, (i * 4 + j) % stacks + 1, 0, i + j, 1);
	raw_end(maker);
}

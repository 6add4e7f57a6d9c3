// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_stacks: a file like raw of the module, on standard output, of the stacks that stand
 * on standard input, one on a line: name and TID of the task, ns, flags, frames of the
 * program, frames of the kernel, name of the waker, frames of the waker in the kernel.
 * Tabs separate these, and semicolons the frames, the outermost first; of the waker, the
 * innermost. Each may be empty. The flags are i (a wait for work), c (the stack of the
 * program is cut), f (without frame pointers), o (on a CPU), q (waiting for one: the waker did
 * not wake the task, but ran meanwhile), oq (interrupts had the CPU). One thread.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw_maker.h"

#define FRAMES		512
#define NAMES		2000000
#define KERNEL		0xffffffff81000000ULL
#define FIELDS		8

enum { COMM, TID, NS, FLAGS, USER, FUNCTIONS, WAKER, WAKER_FUNCTIONS };

struct numbers {
	struct hsearch_data table;
	uint64_t count;
};

static struct numbers symbols, mappings, tasks;
static uint32_t stack_count;

static void die(const char *why)
{
	fprintf(stderr, "make_stacks: %s\n", why);
	exit(1);
}

/* The number of a name, from 1 on. Return: is it new. */
static bool number_of(struct numbers *numbers, const char *name, uint64_t *number)
{
	ENTRY entry = { .key = (char *)name }, *found;

	if (!hsearch_r(entry, FIND, &found, &numbers->table)) {
		entry.key = strdup(name);
		entry.data = (void *)(uintptr_t)(numbers->count + 1);
		numbers->count++;
		if (!entry.key || !hsearch_r(entry, ENTER, &found, &numbers->table))
			die("there is not enough memory");
		*number = numbers->count;
		return true;
	}
	*number = (uintptr_t)found->data;
	return false;
}

static uint64_t address_of(struct raw_maker *maker, bool user, const char *name)
{
	char text[1100];
	uint64_t n;

	if (user) {
		bool new = number_of(&mappings, name, &n);
		struct sp_raw_mapping mapping = {
			.start = n << 16, .end = (n + 1) << 16, .image = 1,
		};

		if (new)
			raw_mapping(maker, &mapping, name);
		return (n << 16) + 0x101;
	}
	if (number_of(&symbols, name, &n)) {
		snprintf(text, sizeof(text), "%.1000s+0x10/0x80", name);
		raw_symbol(maker, KERNEL + (n << 8) + 0x10, text);
	}
	return KERNEL + (n << 8) + 0x10;
}

/* Return: the number of the stack; 0: there are no frames. */
static uint32_t add_stack(struct raw_maker *maker, bool user, uint32_t flags, const char *waker,
			  char *frames)
{
	uint64_t addresses[FRAMES];
	uint32_t n = 0, i;
	char *frame;

	while (frames && (frame = strsep(&frames, ";")))
		if (*frame && n < FRAMES)
			addresses[n++] = address_of(maker, user, frame);
	if (!n && !waker && !(flags & (SP_RAW_STACK_ON_CPU | SP_RAW_STACK_QUEUED)))
		return 0;
	/* In the file, the innermost one is the first; so it is written of wakers. */
	for (i = 0; !waker && i < n / 2; i++) {
		uint64_t address = addresses[i];

		addresses[i] = addresses[n - 1 - i];
		addresses[n - 1 - i] = address;
	}
	raw_stack(maker, ++stack_count, flags | (user ? SP_RAW_STACK_USER : 0), waker, addresses,
		  n);
	return stack_count;
}

static void add_line(struct raw_maker *maker, char *fields[FIELDS])
{
	struct sp_raw_entry entry = { .count = 3, .max_cpu = 1 };
	uint32_t user = 0, kernel = 0, waker = SP_RAW_STACK_WAKER;
	char key[100];
	uint64_t n;

	snprintf(key, sizeof(key), "%.15s\t%.15s", fields[COMM], fields[TID]);
	if (number_of(&tasks, key, &n)) {
		fields[COMM][strnlen(fields[COMM], 15)] = '\0';
		raw_task(maker, (uint32_t)n, atoi(fields[TID]), atoi(fields[TID]), fields[COMM],
			 fields[COMM]);
	}
	if (strchr(fields[FLAGS], 'i'))
		kernel |= SP_RAW_STACK_IDLE;
	if (strchr(fields[FLAGS], 'c'))
		user |= SP_RAW_STACK_CUT;
	if (strchr(fields[FLAGS], 'f'))
		user |= SP_RAW_STACK_NO_FP;
	if (strchr(fields[FLAGS], 'o'))
		kernel |= SP_RAW_STACK_ON_CPU;
	if (strchr(fields[FLAGS], 'q')) {
		kernel |= SP_RAW_STACK_QUEUED;
		waker |= SP_RAW_STACK_RUNNING;
	}
	entry.task = (uint32_t)n;
	entry.total = strtoull(fields[NS], NULL, 10);
	entry.max = entry.total / 2;
	entry.user = add_stack(maker, true, user, NULL, fields[USER]);
	entry.kernel = add_stack(maker, false, kernel, NULL, fields[FUNCTIONS]);
	if (*fields[WAKER])
		entry.waker = add_stack(maker, false, waker, fields[WAKER],
					fields[WAKER_FUNCTIONS]);
	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
}

int main(void)
{
	struct raw_maker maker = { };
	char *line = NULL, *rest, *fields[FIELDS];
	size_t size;
	int i;

	if (!hcreate_r(NAMES, &symbols.table) || !hcreate_r(NAMES, &mappings.table) ||
	    !hcreate_r(NAMES, &tasks.table))
		die("there is not enough memory");
	raw_begin(&maker);
	raw_text(&maker, SP_RAW_META,
		 "version 0.1.0\nkernel 6.1.0-test\nhook kprobe\nclock mono\nunit ns\n"
		 "addresses shown\nmode offcpu\nconfig.mode offcpu\n"
		 "begin_ns 5000000000\nstats.enabled_ns 10000000000\nstats.recorded 4265\n"
		 "stats.lost_ns 0\n");
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		for (rest = line, i = 0; i < FIELDS; i++)
			fields[i] = strsep(&rest, "\t") ?: "";
		if (*fields[NS])
			add_line(&maker, fields);
	}
	raw_end(&maker);
	if (fwrite(maker.at, 1, maker.size, stdout) != maker.size || fflush(stdout))
		die("cannot write");
	return 0;
}

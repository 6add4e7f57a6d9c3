// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_books: a file like raw of the module, on standard output, of the records that stand on
 * standard input, one on a line: its kind, and its fields, with a tab before each. Names are
 * in hexadecimal, as there may be anything in them. One thread.
 *
 *	meta NAME VALUE (of these, none in hexadecimal)
 *	cgroup NUMBER PATH
 *	task NUMBER TID START CGROUP COMM
 *	entry TASK TOTAL
 *	ledger TID START ONCPU RUNQUEUE SLEEP DISK COMM
 *	blame TID START CGROUP CULPRIT TID START CGROUP TOTAL COMM
 *	histogram LOW HIGH COUNT
 *
 * And with all that there is of a thread, its books, its waits and its stacks:
 *	thread NUMBER TID TGID START CGROUP COMM LEADER
 *	former NUMBER TID TGID START CGROUP COMM LEADER PROGRAM, which it runs no more
 *	waits TASK KERNEL USER WAKER TOTAL COUNT MAX
 *	book TID TGID START ONCPU RUNQUEUE SLEEP DISK VOLUNTARY INVOLUNTARY WAKEUPS COMM
 *		IRQ SOFTIRQ STOLEN
 *	blamed TID TGID START CGROUP COMM LEADER KIND TID TGID START CGROUP COMM LEADER
 *		TOTAL COUNT LONGEST
 *	symbol ADDRESS NAME
 *	stack NUMBER FLAGS WAKER ADDRESS,...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw_maker.h"

#define FIELDS	16

static struct raw_maker maker;
static char *fields[FIELDS + 1];

static void die(const char *why)
{
	fprintf(stderr, "make_books: %s\n", why);
	exit(1);
}

static uint64_t number(int field)
{
	return strtoull(fields[field], NULL, 10);
}

/* Return: how many bytes. */
static size_t bytes(int field, char *to, size_t room)
{
	const char *from = fields[field];
	size_t n = strlen(from) / 2, i;
	unsigned int byte;

	if (n > room)
		die("a name is too long");
	for (i = 0; i < n; i++) {
		if (sscanf(from + 2 * i, "%2x", &byte) != 1)
			die("a name is not in hexadecimal");
		to[i] = (char)byte;
	}
	return n;
}

static void put_meta(void)
{
	char text[1100];

	snprintf(text, sizeof(text), "%.40s %.1000s\n", fields[1], fields[2]);
	raw_text(&maker, SP_RAW_META, text);
}

static void put_cgroup(void)
{
	struct sp_raw_cgroup cgroup = { .number = (uint32_t)number(1) };
	char path[1024];
	size_t size = bytes(2, path, sizeof(path));

	raw_put(&maker, SP_RAW_CGROUP, &cgroup, sizeof(cgroup), path, size);
}

static void put_task(void)
{
	struct sp_raw_task task = {
		.number = (uint32_t)number(1),
		.tid = (int32_t)number(2),
		.tgid = (int32_t)number(2),
		.start_ns = number(3),
		.leader_start_ns = number(3),
		.cgroup = (uint32_t)number(4),
	};

	bytes(5, task.comm, sizeof(task.comm) - 1);
	raw_put(&maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
}

static void put_entry(void)
{
	raw_entry(&maker, (uint32_t)number(1), 0, 0, number(2), 1);
}

static void put_ledger(void)
{
	struct sp_raw_ledger ledger = {
		.tid = (int32_t)number(1),
		.tgid = (int32_t)number(1),
		.start_ns = number(2),
		.oncpu = number(3),
		.runqueue = number(4),
		.sleep = number(5),
		.disk = number(6),
	};

	bytes(7, ledger.comm, sizeof(ledger.comm) - 1);
	raw_put(&maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

static void put_blame(void)
{
	struct sp_raw_blame blame = {
		.tid = (int32_t)number(1),
		.tgid = (int32_t)number(1),
		.start_ns = number(2),
		.cgroup = (uint32_t)number(3),
		.culprit = (uint32_t)number(4),
		.culprit_tid = (int32_t)number(5),
		.culprit_tgid = (int32_t)number(5),
		.culprit_start_ns = number(6),
		.culprit_cgroup = (uint32_t)number(7),
		.total = number(8),
		.count = 1,
		.longest = number(8),
	};

	bytes(9, blame.culprit_comm, sizeof(blame.culprit_comm) - 1);
	raw_put(&maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
}

static void put_histogram(void)
{
	struct sp_raw_histogram histogram = { number(1), number(2), number(3) };

	raw_put(&maker, SP_RAW_HISTOGRAM, &histogram, sizeof(histogram), NULL, 0);
}

static void put_program(uint32_t flags, uint32_t exec_id)
{
	struct sp_raw_task task = {
		.number = (uint32_t)number(1),
		.tid = (int32_t)number(2),
		.tgid = (int32_t)number(3),
		.flags = flags,
		.start_ns = number(4),
		.leader_start_ns = number(4),
		.exec_id = exec_id,
		.cgroup = (uint32_t)number(5),
	};

	bytes(6, task.comm, sizeof(task.comm) - 1);
	bytes(7, task.leader_comm, sizeof(task.leader_comm) - 1);
	raw_put(&maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
}

static void put_thread(void)
{
	put_program(number(2) ? 0 : SP_RAW_TASK_FOLDED, 0);
}

static void put_former(void)
{
	put_program(SP_RAW_TASK_EXITED, (uint32_t)number(8));
}

static void put_waits(void)
{
	struct sp_raw_entry entry = {
		.task = (uint32_t)number(1),
		.kernel = (uint32_t)number(2),
		.user = (uint32_t)number(3),
		.waker = (uint32_t)number(4),
		.total = number(5),
		.count = number(6),
		.max = number(7),
		.max_at = 1,
	};

	raw_put(&maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
}

static void put_book(void)
{
	struct sp_raw_ledger ledger = {
		.tid = (int32_t)number(1),
		.tgid = (int32_t)number(2),
		.start_ns = number(3),
		.oncpu = number(4),
		.runqueue = number(5),
		.sleep = number(6),
		.disk = number(7),
		.switches_vol = (uint32_t)number(8),
		.switches_invol = (uint32_t)number(9),
		.wakeups = (uint32_t)number(10),
		.irq = number(12),
		.softirq = number(13),
		.stolen = number(14),
	};

	bytes(11, ledger.comm, sizeof(ledger.comm) - 1);
	raw_put(&maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

static void put_blamed(void)
{
	struct sp_raw_blame blame = {
		.tid = (int32_t)number(1),
		.tgid = (int32_t)number(2),
		.start_ns = number(3),
		.cgroup = (uint32_t)number(4),
		.culprit = (uint32_t)number(7),
		.flags = number(2) && number(2) == number(9) ? SP_RAW_BLAME_SELF : 0,
		.culprit_tid = (int32_t)number(8),
		.culprit_tgid = (int32_t)number(9),
		.culprit_start_ns = number(10),
		.culprit_cgroup = (uint32_t)number(11),
		.total = number(14),
		.count = number(15),
		.longest = number(16),
	};

	bytes(5, blame.comm, sizeof(blame.comm) - 1);
	bytes(6, blame.leader_comm, sizeof(blame.leader_comm) - 1);
	bytes(12, blame.culprit_comm, sizeof(blame.culprit_comm) - 1);
	bytes(13, blame.culprit_leader_comm, sizeof(blame.culprit_leader_comm) - 1);
	raw_put(&maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
}

static void put_symbol(void)
{
	char name[256];
	size_t size = bytes(2, name, sizeof(name) - 1);

	name[size] = '\0';
	raw_symbol(&maker, number(1), name);
}

static void put_stack(void)
{
	char waker[16] = "", *frames = fields[4], *frame;
	uint64_t addresses[64];
	uint32_t n = 0;

	bytes(3, waker, sizeof(waker) - 1);
	while ((frame = strsep(&frames, ",")) && n < 64)
		addresses[n++] = strtoull(frame, NULL, 10);
	raw_stack(&maker, (uint32_t)number(1), (uint32_t)number(2), waker, addresses, n);
}

static const struct {
	const char *name;
	int fields;
	void (*put)(void);
} kinds[] = {
	{ "meta", 2, put_meta },
	{ "cgroup", 2, put_cgroup },
	{ "task", 5, put_task },
	{ "entry", 2, put_entry },
	{ "ledger", 7, put_ledger },
	{ "blame", 9, put_blame },
	{ "histogram", 3, put_histogram },
	{ "thread", 7, put_thread },
	{ "former", 8, put_former },
	{ "waits", 7, put_waits },
	{ "book", 14, put_book },
	{ "blamed", 16, put_blamed },
	{ "symbol", 2, put_symbol },
	{ "stack", 4, put_stack },
};

static void put_line(char *line)
{
	size_t i;
	int n = 0;

	while (n <= FIELDS && line)
		fields[n++] = strsep(&line, "\t");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, fields[0]) && n == kinds[i].fields + 1) {
			kinds[i].put();
			return;
		}
	die("there is no such record");
}

int main(void)
{
	char *line = NULL;
	size_t size;

	raw_begin(&maker);
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		put_line(line);
	}
	raw_end(&maker);
	if (fwrite(maker.at, 1, maker.size, stdout) != maker.size || fflush(stdout))
		die("cannot write");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_calls: a file like the module's raw of mode function, on standard output:
 * two threads of a process and one of another, nested and recursive functions.
 * tests/jobs/cli knows what is in it.
 *
 *	thread 201 of 200	outer 10 times, 5 ms; from there inner 30 times,
 *				3 ms, of which 1 ms in inner called by inner (10)
 *	thread 200 of 200	inner 2 times, 4 ms
 *	thread 300 of 300	nothing
 *
 * Each was there for 20 ms. "make_calls again" is of another hour, in which thread 300 came
 * twice, with other names and times:
 *
 *	thread 300 of 300	other: inner 3 times, 6 ms
 *	thread 300 of 300	another: inner 5 times, 1 ms
 *
 * In "make_calls many", it came 2,000 times, each time with 100 entries: inner once, 0.1 ms. Its
 * last books are there once more for each time.
 */
#include <stdio.h>
#include <string.h>

#include "raw_maker.h"

#define MS	1000000ULL
#define MANY	2000
#define OUTER	0xffffffff81001000
#define INNER	0xffffffff81002000

static void entry(struct raw_maker *maker, uint32_t task, uint32_t path,
		  uint64_t total, uint64_t inclusive, uint64_t count)
{
	struct sp_raw_entry entry = {
		.task = task, .kernel = path, .total = total,
		.inclusive = inclusive, .count = count, .max = inclusive / 2,
	};

	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
}

static void books(struct raw_maker *maker, int32_t tid, int32_t tgid,
		  const char *comm, uint64_t start)
{
	struct sp_raw_ledger ledger = {
		.tid = tid, .tgid = tgid, .start_ns = start + (uint64_t)tid,
		.oncpu = 8 * MS, .runqueue = 2 * MS, .sleep = 9 * MS, .disk = MS,
		.switches_vol = 3,
	};

	memcpy(ledger.comm, comm, strlen(comm));
	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

/* One that began @start ns later than raw_task() has it. */
static void come_again(struct raw_maker *maker, uint32_t number, const char *comm, uint64_t start)
{
	struct sp_raw_task task = {
		.number = number, .tid = 300, .tgid = 300,
		.start_ns = start + 300, .leader_start_ns = start + 300,
	};

	memcpy(task.comm, comm, strlen(comm));
	memcpy(task.leader_comm, comm, strlen(comm));
	raw_put(maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
	books(maker, 300, 300, comm, start);
}

static void first_hour(struct raw_maker *maker)
{
	raw_task(maker, 1, 200, 200, "app", "app");
	raw_task(maker, 2, 201, 200, "wo\"rker", "app");
	raw_task(maker, 3, 300, 300, "other", "other");
	entry(maker, 2, 1, 2 * MS, 5 * MS, 10);
	entry(maker, 2, 2, 2 * MS, 3 * MS, 20);
	/* Within itself, that is in the time above already. */
	entry(maker, 2, 3, 1 * MS, 0, 10);
	entry(maker, 1, 4, 4 * MS, 4 * MS, 2);
	books(maker, 201, 200, "wo\"rker", MS);
	books(maker, 200, 200, "app", MS);
	books(maker, 300, 300, "other", MS);
}

static void another_hour(struct raw_maker *maker)
{
	come_again(maker, 1, "other", 7 * MS);
	come_again(maker, 2, "another", 9 * MS);
	entry(maker, 1, 4, 6 * MS, 6 * MS, 3);
	entry(maker, 2, 4, 1 * MS, 1 * MS, 5);
}

static void many_hours(struct raw_maker *maker)
{
	uint32_t i, j;

	for (i = 1; i <= MANY; i++)
		come_again(maker, i, "many", i * MS);
	for (i = 1; i <= MANY; i++)
		for (j = 0; j < 100; j++)
			entry(maker, i, 4, MS / 10, MS / 10, 1);
	for (i = 0; i < MANY; i++)
		books(maker, 300, 300, "many", MANY * MS);
}

int main(int argc, char **argv)
{
	static const uint64_t paths[] = { INNER, INNER, OUTER };
	struct sp_raw_function function = { .address = INNER, .calls = 32 };
	struct raw_maker maker = { };

	raw_begin(&maker);
	raw_text(&maker, SP_RAW_META,
		 "clock mono\nunit ns\naddresses shown\nmode function\n"
		 "config.mode function\nconfig.functions outer inner\n");
	raw_symbol(&maker, OUTER, "outer+0x0/0x80");
	raw_symbol(&maker, INNER, "inner+0x0/0x80");
	raw_stack(&maker, 1, SP_RAW_STACK_CALLS, NULL, paths + 2, 1);
	raw_stack(&maker, 2, SP_RAW_STACK_CALLS, NULL, paths + 1, 2);
	raw_stack(&maker, 3, SP_RAW_STACK_CALLS, NULL, paths, 3);
	raw_stack(&maker, 4, SP_RAW_STACK_CALLS, NULL, paths, 1);
	if (argc > 1 && !strcmp(argv[1], "again"))
		another_hour(&maker);
	else if (argc > 1 && !strcmp(argv[1], "many"))
		many_hours(&maker);
	else
		first_hour(&maker);
	raw_put(&maker, SP_RAW_FUNCTION, &function, sizeof(function), "inner", 5);
	raw_end(&maker);
	if (fwrite(maker.at, 1, maker.size, stdout) != maker.size || fflush(stdout)) {
		perror("make_calls");
		return 1;
	}
	raw_free(&maker);
	return 0;
}

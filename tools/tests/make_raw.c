// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_raw WHICH: a file like raw of the module, on standard output. One thread.
 * WHICH is
 *
 *	standard	something of every kind of record
 *	twice		two snapshots, the second one with twice the times
 *	large		10,000 tasks and 40,000 entries
 *	swapped		standard in the other byte order
 *	cycles		standard with times in cycles
 *	idle		two snapshots with a task that does both, and one that only waits for work
 *	wall		mode wall: on a CPU, waiting for one because of somebody, and asleep; with
 *			books of interrupts and of who is blamed
 *	losses		each kind of loss, and books, also of tasks that have ended
 *	events		intervals within each other, side by side and across each other
 *	overlaps COUNT WIDTH	intervals of one thread, each across the next WIDTH ones
 *	processes	events of 100,000 processes of which nothing is known, and as many tasks
 *	controls	a name that would be of control sequences of a terminal
 *	marks		a name of marks of XML, and of characters that it does not have
 *	names		what could end a string, a line, a field or a text of other formats
 *	later CLOCK	by that clock, read an hour after it ended
 *	living PID	two threads of that process, in code that it generates
 *	running PID	the same, but the second one is not in the kernel
 *	newer		standard with records that are longer than known
 *	cut		standard without its last 100 bytes
 *	damaged		two snapshots, with a wrong byte in the second one
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../shared/proc_start.h"
#include "raw_maker.h"

#define EVENTS_BASE	((1ULL << 60) + 1)

/* Times are in ms; @scale multiplies them. */
static void raw_idle(struct raw_maker *maker, uint64_t scale)
{
	static const uint64_t waits[] = { 0x1010, 0x2010 };
	static const uint64_t works[] = { 0x1010, 0x3010 };
	struct sp_raw_event event = {
		.at = 1000, .length = 500, .start_ns = 1000102, .tid = 102, .tgid = 102,
		.kernel = 1, .comm = "idler",
	};

	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "clock mono\nunit ns\naddresses shown\nmode offcpu\nsession one\nhostname here\n"
		 "begin_ns 5\nstats.lost_ns 0\n");
	raw_symbol(maker, 0x1010, "schedule+0x10/0x80");
	raw_symbol(maker, 0x2010, "ep_poll+0x10/0x80");
	raw_symbol(maker, 0x3010, "do_nanosleep+0x10/0x80");
	raw_stack(maker, 1, SP_RAW_STACK_IDLE, NULL, waits, 2);
	raw_stack(maker, 2, 0, NULL, works, 2);
	raw_task(maker, 1, 101, 101, "server", "server");
	raw_task(maker, 2, 102, 102, "idler", "idler");
	raw_entry(maker, 1, 1, 0, 5000000 * scale, 50);
	raw_entry(maker, 1, 2, 0, 300000 * scale, 3);
	raw_entry(maker, 2, 1, 0, 90000007 * scale, 9);
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	event.kernel = 2;
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	raw_end(maker);
}

static void raw_event(struct raw_maker *maker, uint64_t at, uint64_t length, int32_t tid,
		      uint32_t kernel, const char *comm)
{
	struct sp_raw_event event = {
		.at = at, .length = length, .start_ns = 1000000 + (uint64_t)tid, .tid = tid,
		.tgid = 201, .exec_id = 7, .image = 1, .cpu = 1, .kernel = kernel, .user = 3,
	};

	memcpy(event.comm, comm, strlen(comm));
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
}

/* Of two threads, one with the name of nobody; sums are not whole microseconds. */
static void raw_names(struct raw_maker *maker)
{
	static const struct sp_raw_mapping mapping = {
		0x400000, 0x500000, 0x1000, 1, SP_RAW_MAPPING_FILE,
	};
	static const struct sp_raw_file file = {
		.number = 1, .build_id_bytes = 4, .build_id = { 0xab, 0xcd, 0x01, 0x02 },
	};
	static const uint64_t waits[] = { 0x1010, 0x2010 };
	static const uint64_t twice[] = { 0x1010, 0x2010, 0x1010, 0x2010 };
	static const uint64_t user[] = { 0x400100, 0x400200 };
	static const uint32_t one = 1;
	static const char comm[] = "a\"b,\nc;\377\\ d";

	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "version 0.1.0\nkernel 6.1.0-test\nhostname a\"b,\\\377\nclock mono\nunit ns\n"
		 "addresses shown\nmode blocked\nbegin_ns 1000000000\nduration_ns 2000000000\n"
		 "taken_at_ns 3000000000\ntaken_at_realtime_ns 1700000003000000000\n"
		 "stats.enabled_ns 2000000000\nstats.lost_ns 77\n");
	raw_symbol(maker, 0x1010, "sched\"ule+0x10/0x80");
	raw_symbol(maker, 0x2010, "ep,p\377ll <a&b>+0x10/0x80 [m\"od]");
	raw_mapping(maker, &mapping, "/opt/a \"b\",;\n\303\244\377\\x");
	raw_file(maker, &file);
	raw_files(maker, 0, &one, 1);
	raw_stack(maker, 1, 0, NULL, waits, 2);
	raw_stack(maker, 2, 0, NULL, twice, 4);
	raw_stack(maker, 3, SP_RAW_STACK_USER, NULL, user, 2);
	raw_task(maker, 1, 201, 201, comm, comm);
	raw_task(maker, 2, 202, 201, "=1+1", comm);
	raw_task(maker, 3, 203, 201, "", comm);
	raw_entry(maker, 1, 1, 3, 1234567891, 3);
	raw_entry(maker, 1, 2, 3, 2000000001, 2);
	raw_entry(maker, 2, 1, 0, 999, 1);
	raw_entry(maker, 3, 0, 0, 1, 1);
	raw_event(maker, 1500000001, 400000001, 201, 1, comm);
	raw_event(maker, 1600000000, 300000007, 202, 2, "=1+1");
	raw_event(maker, 2100000003, 500000000, 201, 2, comm);
	raw_end(maker);
}

/* An interval from @begin to @end of a thread of 300. */
static void put_interval(struct raw_maker *maker, uint64_t begin, uint64_t end, int32_t tid,
			 const char *comm, struct sp_raw_event event)
{
	event.at = EVENTS_BASE + end;
	event.length = end - begin;
	event.tid = tid;
	event.tgid = 300;
	event.exec_id = 7;
	event.image = 1;
	if (!event.start_ns)
		event.start_ns = 1000000 + (uint64_t)tid;
	memcpy(event.comm, comm, strlen(comm));
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
}

/* Those of 302 overlap, which functions do not; another task gets the number 303. */
static void put_intervals(struct raw_maker *maker)
{
	const struct sp_raw_event outer = { .function = 0x1000, .user = 4 };
	const struct sp_raw_event inner = { .function = 0x2000, .kernel = 1, .user = 4,
		.depth = 1, .cpu = 3 };
	const struct sp_raw_event alone = { .kernel = 2, .waker = 3,
		.flags = SP_RAW_EVENT_IRQS_OFF };
	const struct sp_raw_event later = { .start_ns = 9000000, .cpu = 1,
		.flags = SP_RAW_EVENT_LOST_STACK };

	put_interval(maker, 1500, 2000, 301, "main", inner);
	put_interval(maker, 2000, 3000, 301, "main", inner);
	/* What is around it ends at the same time. */
	put_interval(maker, 1000, 3000, 301, "main", outer);
	put_interval(maker, 1200, 3200, 302, "crossing", outer);
	/* None of them took time, and the first two are within the third. */
	put_interval(maker, 4000, 4000, 301, "main", inner);
	put_interval(maker, 4000, 4000, 301, "main", inner);
	put_interval(maker, 4000, 4000, 301, "main", outer);
	put_interval(maker, 2200, 4200, 302, "crossing", outer);
	/* From the beginning of what is around it. */
	put_interval(maker, 5000, 5001, 301, "renamed", inner);
	put_interval(maker, 5000, 6000, 301, "renamed", outer);
	put_interval(maker, 1000, 7000, 303, "first", alone);
	put_interval(maker, 7000, 9000, 303, "second", later);
}

/* Each begins 10 ns after the one before, and ends as much later. */
static void raw_overlaps(struct raw_maker *maker, uint32_t count, uint64_t width)
{
	struct sp_raw_event event = {
		.length = 10 * width + 5, .start_ns = 1000301, .tid = 301, .tgid = 301,
		.comm = "across",
	};
	uint32_t i;

	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "unit ns\nclock mono\nmode offcpu\n");
	raw_task(maker, 1, 301, 301, "across", "across");
	raw_entry(maker, 1, 0, 0, count * event.length, count);
	for (i = 0; i < count; i++) {
		event.at = event.length + 10 * (uint64_t)i;
		raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	}
	raw_end(maker);
}

/* A double does not have the times to the ns. */
static void raw_events(struct raw_maker *maker)
{
	static const uint64_t waits[] = { 0x1010, 0x2010 };
	static const uint64_t wakes[] = { 0x2010, 0x1010 };
	static const uint64_t user[] = { 0x400100 };
	static const uint64_t waker[] = { 0x400200 };
	static const struct sp_raw_mapping mapping = {
		0x400000, 0x500000, 0x1000, 1, SP_RAW_MAPPING_FILE,
	};
	struct sp_raw_mapping other = mapping;

	other.image = 2;
	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "version 0.1.0\nkernel 6.1.0-test\nhostname here\nclock boot\nunit ns\n"
		 "addresses shown\nmode function\nbegin_ns 1152921504606846977\n"
		 "duration_ns 10000\ntaken_at_ns 1152921504606846000\n"
		 "taken_at_boot_ns 1152921504606856977\n"
		 "taken_at_realtime_ns 1700000003000000001\nstats.lost_events 4\n");
	raw_symbol(maker, 0x1000, "outer+0x0/0x80");
	raw_symbol(maker, 0x1010, "outer+0x10/0x80");
	raw_symbol(maker, 0x2000, "in\"ner+0x0/0x80");
	raw_symbol(maker, 0x2010, "in\"ner+0x10/0x80");
	raw_mapping(maker, &mapping, "/opt/app");
	raw_mapping(maker, &other, "/opt/waker");
	raw_stack(maker, 1, 0, NULL, waits, 2);
	raw_stack(maker, 2, SP_RAW_STACK_IDLE, NULL, waits, 1);
	raw_stack(maker, 3, SP_RAW_STACK_WAKER, "wa ker", wakes, 2);
	raw_stack(maker, 4, SP_RAW_STACK_USER, NULL, user, 1);
	raw_stack(maker, 5, SP_RAW_STACK_USER, NULL, waker, 1);
	raw_waker(maker, 3, 5, 2);
	raw_task(maker, 1, 301, 300, "main", "app");
	raw_entry(maker, 1, 1, 4, 4501, 7);
	put_intervals(maker);
	raw_end(maker);
}

/* What is on a CPU, or waits for one, does not wait for work, wherever that is. */
static void wall_stacks(struct raw_maker *maker)
{
	static const uint64_t waits[] = { 0x1010, 0x2010 };
	static const uint64_t user[] = { 0x400100 };
	static const struct sp_raw_mapping mapping = {
		0x400000, 0x500000, 0x1000, 1, SP_RAW_MAPPING_FILE,
	};
	const uint32_t culprit = SP_RAW_STACK_WAKER | SP_RAW_STACK_RUNNING;

	raw_symbol(maker, 0x1010, "schedule+0x10/0x80");
	raw_symbol(maker, 0x2010, "ep_poll+0x10/0x80");
	raw_mapping(maker, &mapping, "/opt/app");
	raw_stack(maker, 1, SP_RAW_STACK_USER, NULL, user, 1);
	raw_stack(maker, 2, SP_RAW_STACK_ON_CPU, NULL, NULL, 0);
	raw_stack(maker, 3, SP_RAW_STACK_ON_CPU, NULL, waits + 1, 1);
	raw_stack(maker, 4, SP_RAW_STACK_ON_CPU | SP_RAW_STACK_RUNNING, NULL, NULL, 0);
	raw_stack(maker, 5, SP_RAW_STACK_QUEUED, NULL, waits, 2);
	raw_stack(maker, 6, SP_RAW_STACK_ON_CPU | SP_RAW_STACK_QUEUED, NULL, waits + 1, 1);
	raw_stack(maker, 7, SP_RAW_STACK_IDLE, NULL, waits, 2);
	raw_stack(maker, 8, SP_RAW_STACK_MOVED, NULL, NULL, 0);
	raw_stack(maker, 9, 0, NULL, waits, 1);
	raw_stack(maker, 21, culprit, "ri val", NULL, 0);
	raw_stack(maker, 22, culprit, "[interrupts]", NULL, 0);
	raw_stack(maker, 23, culprit, "[other cpu]", NULL, 0);
	raw_stack(maker, 24, SP_RAW_STACK_WAKER, "client", waits + 1, 1);
}

static void wall_entry(struct raw_maker *maker, uint32_t task, uint32_t kernel, uint32_t user,
		       uint32_t waker, uint64_t total)
{
	struct sp_raw_entry entry = {
		.task = task, .kernel = kernel, .user = user, .waker = waker, .total = total,
		.count = 2, .max = total, .max_at = 7000000, .max_cpu = 1,
	};

	raw_put(maker, SP_RAW_ENTRY, &entry, sizeof(entry), NULL, 0);
}

/* What is no task has no number; threads below 400 are of the process of who waits. */
static void wall_blame(struct raw_maker *maker, int32_t tid, const char *comm, uint32_t culprit,
		       int32_t culprit_tid, uint64_t total, uint64_t longest)
{
	struct sp_raw_blame blame = {
		.tid = tid, .tgid = tid ? 300 : 0, .start_ns = tid ? 1000000 + (uint64_t)tid : 0,
		.culprit = culprit, .total = total, .count = 3, .longest = longest,
		.cgroup = tid ? 1 : 0,
	};

	memcpy(blame.comm, comm, strlen(comm));
	if (tid)
		strcpy(blame.leader_comm, "app");
	if (culprit_tid) {
		blame.culprit_tid = culprit_tid;
		blame.culprit_tgid = culprit_tid / 100 * 100;
		blame.culprit_start_ns = 1000000 + (uint64_t)culprit_tid;
		blame.flags = culprit_tid < 400 ? SP_RAW_BLAME_SELF : 0;
		strcpy(blame.culprit_comm, culprit_tid < 400 ? "server" : "ri val");
		/* As what is no task. */
		if (culprit_tid == 903)
			strcpy(blame.culprit_comm, "[idle]");
		strcpy(blame.culprit_leader_comm, culprit_tid < 400 ? "app" : "rivals");
		blame.culprit_cgroup = culprit_tid < 400 ? 1 : 2;
	}
	raw_put(maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
}

static void wall_books(struct raw_maker *maker)
{
	struct sp_raw_ledger ledger = {
		.tid = 301, .tgid = 300, .start_ns = 1000301, .oncpu = 57000000,
		.runqueue = 36000000, .sleep = 90000000, .disk = 13, .switches_vol = 4,
		.switches_invol = 5, .wakeups = 6, .migrations = 7, .comm = "web app",
		.irq = 4000001, .softirq = 2000002, .stolen = 1000003,
	};
	uint32_t culprit;

	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
	for (culprit = SP_RAW_CULPRIT_IDLE; culprit <= SP_RAW_CULPRIT_LOST; culprit++)
		wall_blame(maker, 301, "web app", culprit, 0, 1000 + culprit, 500);
	wall_blame(maker, 301, "web app", SP_RAW_CULPRIT_TASK, 901, 20000001, 9000000);
	wall_blame(maker, 301, "web app", SP_RAW_CULPRIT_TASK, 902, 8000000, 7000000);
	wall_blame(maker, 301, "web app", SP_RAW_CULPRIT_TASK, 302, 30000000, 8000000);
	wall_blame(maker, 302, "web app", SP_RAW_CULPRIT_TASK, 901, 50000000, 10000000);
	wall_blame(maker, 302, "web app", SP_RAW_CULPRIT_IDLE, 0, 999, 999);
	wall_blame(maker, 302, "web app", SP_RAW_CULPRIT_TASK, 903, 70, 70);
	wall_blame(maker, 0, "", SP_RAW_CULPRIT_TASK, 901, 7000, 7000);
}

static void wall_cgroup(struct raw_maker *maker, uint32_t number, const char *path)
{
	struct sp_raw_cgroup cgroup = { .number = number, .id = 4000 + number };

	raw_put(maker, SP_RAW_CGROUP, &cgroup, sizeof(cgroup), path, strlen(path));
}

static void raw_wall(struct raw_maker *maker)
{
	const struct sp_raw_event event = {
		.at = 8000000, .length = 500, .start_ns = 1000301, .tid = 301, .tgid = 300,
		.exec_id = 7, .image = 1, .kernel = 5, .user = 1, .waker = 21, .comm = "web app",
	};

	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "version 0.1.0\nkernel 6.1.0-test\nhostname here\nclock mono\nunit ns\n"
		 "addresses shown\nmode wall\nconfig.mode wall\nconfig.blame 1\n"
		 "config.interrupts 1\nconfig.trace_kb 16\nbegin_ns 1000000\n"
		 "duration_ns 200000000\ntaken_at_ns 201000000\n"
		 "taken_at_realtime_ns 1700000003000000000\nstats.recorded 20\n");
	wall_stacks(maker);
	wall_cgroup(maker, 1, "/app.slice");
	wall_cgroup(maker, 2, "/rivals.slice");
	maker->cgroup = 1;
	raw_task(maker, 1, 301, 300, "web app", "app");
	raw_task(maker, 2, 302, 300, "web app", "app");
	wall_entry(maker, 1, 2, 1, 0, 40000000);
	wall_entry(maker, 1, 3, 0, 0, 17000000);
	wall_entry(maker, 1, 5, 1, 21, 28000000);
	wall_entry(maker, 1, 5, 1, 22, 5000000);
	wall_entry(maker, 1, 5, 1, 23, 3000000);
	wall_entry(maker, 1, 5, 1, 0, 2000000);
	wall_entry(maker, 1, 6, 1, 0, 7000000);
	wall_entry(maker, 1, 7, 1, 24, 90000000);
	wall_entry(maker, 2, 4, 0, 0, 1000000);
	wall_entry(maker, 2, 8, 0, 0, 11000000);
	wall_entry(maker, 2, 9, 1, 24, 60000000);
	wall_books(maker);
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	raw_end(maker);
}

static void raw_marks(struct raw_maker *maker)
{
	struct sp_raw_ledger ledger = { .tid = 1, .tgid = 1, .start_ns = 1000001,
		.comm = "a<&>\357\277\276b\357\277\277\"" };

	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "clock mono\nunit ns\n");
	raw_task(maker, 1, 1, 1, ledger.comm, "app");
	raw_entry(maker, 1, 0, 0, 1000000, 1);
	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
	raw_end(maker);
}

static void words_ledger(struct raw_maker *maker, int32_t tid, const char *comm, uint64_t scale)
{
	struct sp_raw_ledger ledger = {
		.tid = tid, .tgid = tid, .start_ns = 1000000 + (uint64_t)tid,
		.oncpu = 1000000 * scale, .runqueue = 3000000 * scale,
	};

	strcpy(ledger.comm, comm);
	raw_put(maker, SP_RAW_LEDGER, &ledger, sizeof(ledger), NULL, 0);
}

/* Names as words of ours, which stand for something else, beside one of ours. */
static void raw_words(struct raw_maker *maker, uint64_t scale)
{
	static const uint64_t waits[] = { 0x1010 };
	const struct sp_raw_task folded = {
		.number = 2, .flags = SP_RAW_TASK_FOLDED, .comm = "[exited]",
	};
	const struct sp_raw_event event = {
		.at = 1000, .length = 500, .start_ns = 1000005, .tid = 5, .tgid = 5,
		.kernel = 1, .waker = 2, .comm = "[idle]",
	};
	struct sp_raw_blame blame = {
		.tid = 5, .tgid = 5, .start_ns = 1000005, .comm = "[lost]",
		.culprit = SP_RAW_CULPRIT_TASK, .culprit_tid = 6, .culprit_tgid = 6,
		.culprit_start_ns = 1000006, .culprit_comm = "[throttled]",
		.total = 2000000 * scale, .count = 1, .longest = 2000000 * scale,
	};

	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "clock mono\nunit ns\naddresses shown\nmode function\nconfig.trace_kb 16\n"
		 "begin_ns 5\nstats.lost_ns 0\n");
	raw_symbol(maker, 0x1010, "schedule+0x10/0x80");
	raw_stack(maker, 1, 0, NULL, waits, 1);
	raw_stack(maker, 2, SP_RAW_STACK_WAKER, "[softirq]", waits, 1);
	raw_task(maker, 1, 5, 5, "[exited]", "[exited]");
	raw_put(maker, SP_RAW_TASK, &folded, sizeof(folded), NULL, 0);
	wall_entry(maker, 1, 1, 0, 2, 2000000 * scale);
	raw_entry(maker, 2, 1, 0, 1000000 * scale, 1);
	words_ledger(maker, 5, "[lost]", scale);
	words_ledger(maker, 7, "[exited]", scale);
	words_ledger(maker, 8, "", scale);
	raw_put(maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
	blame = (struct sp_raw_blame) {
		.tid = 5, .tgid = 5, .start_ns = 1000005, .comm = "[lost]",
		.culprit = SP_RAW_CULPRIT_THROTTLED, .total = 1000000 * scale, .count = 1,
		.longest = 1000000 * scale,
	};
	raw_put(maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
	blame = (struct sp_raw_blame) {
		.tid = 7, .tgid = 7, .start_ns = 1000007, .comm = "[exited]",
		.culprit = SP_RAW_CULPRIT_TASK, .culprit_tid = 9, .culprit_tgid = 9,
		.culprit_start_ns = 1000009, .culprit_comm = "self",
		.total = 1000000 * scale, .count = 1, .longest = 1000000 * scale,
	};
	raw_put(maker, SP_RAW_BLAME, &blame, sizeof(blame), NULL, 0);
	raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	raw_end(maker);
}

/* Of each loss another number. */
static void raw_losses(struct raw_maker *maker)
{
	const struct sp_raw_ledger ended = { .oncpu = 1000, .comm = "[exited]" };

	raw_begin(maker);
	raw_text(maker, SP_RAW_META,
		 "clock mono\nunit ns\naddresses shown\nmode runqueue\nconfig.mode runqueue\n"
		 "config.trace_kb 16\nstats.recorded 1\nstats.lost_tasks 1\n"
		 "stats.lost_stacks 2\nstats.lost_entries 3\nstats.lost_pieces 4\n"
		 "stats.lost_events 5\nstats.unbooked 6\nstats.lost_blame 7\n"
		 "stats.lost_cgroups 8\nstats.blind_ns 5000000009\nstats.cut_wakers 10\n"
		 "stats.probe_misses 11\nstats.missed_calls 12\n"
		 "stats.throttled_functions 13\nstats.missed_programs 14\n"
		 "stats.lost_mappings 15\n");
	wall_cgroup(maker, 1, "/app.slice");
	wall_cgroup(maker, 2, "/rivals.slice");
	raw_task(maker, 1, 301, 300, "web app", "app");
	raw_entry(maker, 1, 0, 0, 1000000, 1);
	wall_books(maker);
	raw_put(maker, SP_RAW_LEDGER, &ended, sizeof(ended), NULL, 0);
	raw_end(maker);
}

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/*
 * As far as is known of it, it waits there for a futex, and was called from 0x10002018; or one of
 * its threads does, and the other one is @running there.
 */
static void raw_living(struct raw_maker *maker, int pid, bool running)
{
	static const struct sp_raw_mapping code = {
		0x10000000, 0x10100000, 0, 1, SP_RAW_MAPPING_ANON,
	};
	static const uint64_t waits[] = { 0x1010, 0x2010 };
	static const uint64_t user[] = { 0x10001009, 0x10002019 };
	uint64_t start_ns = proc_start_ticks(pid) *
			    (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
	char text[512], host[65] = "";
	uint32_t i;

	gethostname(host, sizeof(host) - 1);
	snprintf(text, sizeof(text),
		 "hostname %s\nclock mono\nunit ns\naddresses shown\nmode offcpu\n"
		 "taken_at_ns %" PRIu64 "\ntaken_at_boot_ns %" PRIu64
		 "\ntaken_at_realtime_ns %" PRIu64 "\n",
		 host, now(CLOCK_MONOTONIC), now(CLOCK_BOOTTIME), now(CLOCK_REALTIME));
	raw_begin(maker);
	raw_text(maker, SP_RAW_META, text);
	raw_symbol(maker, 0x1010, "schedule+0x10/0x80");
	raw_symbol(maker, 0x2010, "futex_wait_queue+0x10/0x80");
	raw_mapping(maker, &code, "");
	raw_stack(maker, 1, 0, NULL, waits, 2);
	raw_stack(maker, 2, SP_RAW_STACK_USER, NULL, user, 2);
	for (i = 0; i < 2; i++) {
		struct sp_raw_task task = {
			.number = i + 1, .tid = pid + (int)i, .tgid = pid, .image = 1,
			.start_ns = start_ns, .leader_start_ns = start_ns, .comm = "thread",
			.leader_comm = "app",
		};

		raw_put(maker, SP_RAW_TASK, &task, sizeof(task), NULL, 0);
		raw_entry(maker, i + 1, running && i ? 0 : 1, 2, 1000000 * (i + 1), 1);
	}
	raw_end(maker);
}

/* It began when 1700000000 s had passed since 1970, and went on for two. */
static void raw_later(struct raw_maker *maker, const char *clock)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "clock %s\nunit %s\nmode offcpu\naddresses shown\nbegin_ns 20000000000\n"
		 "duration_ns 2000000000\ntaken_at_ns %s\ntaken_at_boot_ns %s\n"
		 "taken_at_realtime_ns 1700003602000000000\nstats.enabled_ns 2000000000\n",
		 clock, strcmp(clock, "tsc") ? "ns" : "cycles",
		 strcmp(clock, "boot") ? "3622000000000" : "3022000000000",
		 strcmp(clock, "boot") ? "4622000000000" : "3622000000000");
	raw_begin(maker);
	raw_text(maker, SP_RAW_META, text);
	raw_task(maker, 1, 1, 1, "task", "task");
	raw_entry(maker, 1, 0, 0, 1, 1);
	raw_end(maker);
}

static void raw_processes(struct raw_maker *maker)
{
	int32_t i;

	raw_begin(maker);
	raw_text(maker, SP_RAW_META, "unit ns\nclock mono\nmode offcpu\n");
	for (i = 1; i <= 100000; i++)
		raw_task(maker, (uint32_t)i, 1000000 + i, 1000000 + i, "some", "");
	for (i = 1; i <= 100000; i++) {
		struct sp_raw_event event = {
			.at = (uint64_t)i, .length = 1, .start_ns = 1, .tid = i, .tgid = i,
			.comm = "some",
		};

		raw_put(maker, SP_RAW_EVENT, &event, sizeof(event), NULL, 0);
	}
	raw_end(maker);
}

int main(int count, char **arguments)
{
	const char *which = count > 1 ? arguments[1] : "";
	struct raw_maker maker = { };

	maker.swap = !strcmp(which, "swapped");
	maker.cycles = !strcmp(which, "cycles");
	maker.longer = !strcmp(which, "newer") ? 12 : 0;
	if (!strcmp(which, "large")) {
		raw_large(&maker, 10000, 5000);
	} else if (!strcmp(which, "twice") || !strcmp(which, "damaged")) {
		raw_standard(&maker, 1000);
		raw_standard(&maker, 2000);
		if (!strcmp(which, "damaged"))
			maker.at[maker.size - 500] ^= 1;
	} else if (!strcmp(which, "idle")) {
		raw_idle(&maker, 1);
		raw_idle(&maker, 3);
	} else if (!strcmp(which, "names")) {
		raw_names(&maker);
	} else if (!strcmp(which, "wall")) {
		raw_wall(&maker);
	} else if (!strcmp(which, "marks")) {
		raw_marks(&maker);
	} else if (!strcmp(which, "words") && count == 3) {
		raw_words(&maker, (uint64_t)atoi(arguments[2]));
	} else if (!strcmp(which, "losses")) {
		raw_losses(&maker);
	} else if (!strcmp(which, "later") && count == 3) {
		raw_later(&maker, arguments[2]);
	} else if (!strcmp(which, "living") && count == 3) {
		raw_living(&maker, atoi(arguments[2]), false);
	} else if (!strcmp(which, "running") && count == 3) {
		raw_living(&maker, atoi(arguments[2]), true);
	} else if (!strcmp(which, "events")) {
		raw_events(&maker);
	} else if (!strcmp(which, "overlaps") && count == 4) {
		raw_overlaps(&maker, (uint32_t)atoi(arguments[2]), (uint64_t)atoi(arguments[3]));
	} else if (!strcmp(which, "processes")) {
		raw_processes(&maker);
	} else if (!strcmp(which, "digits")) {
		/* Names that look like numbers. */
		raw_begin(&maker);
		raw_text(&maker, SP_RAW_META,
			 "version 0.1.0\nkernel 6\nhostname 0123\nsession 42\n"
			 "unit ns\ntaken_at_ns 7\nstats.recorded 3\n");
		raw_task(&maker, 1, 1, 1, "7", "7");
		raw_entry(&maker, 1, 0, 0, 1, 1);
		raw_end(&maker);
	} else if (!strcmp(which, "controls")) {
		raw_begin(&maker);
		raw_text(&maker, SP_RAW_META, "unit ns\n");
		raw_task(&maker, 1, 1, 1, "a\033[31mB\r\t\177\n\302\233", "app");
		raw_entry(&maker, 1, 0, 0, 1, 1);
		raw_end(&maker);
	} else if (!strcmp(which, "zeros")) {
		/* What gzip makes very little of. */
		static unsigned char zeros[2000000];
		unsigned int i;

		raw_begin(&maker);
		raw_text(&maker, SP_RAW_META, "unit ns\n");
		for (i = 0; i < 34; i++)
			raw_put(&maker, 99, zeros, sizeof(zeros), NULL, 0);
		raw_end(&maker);
	} else if (!strcmp(which, "standard") || !strcmp(which, "cut") ||
		   maker.swap || maker.longer || maker.cycles) {
		raw_standard(&maker, 1000);
		if (!strcmp(which, "cut"))
			maker.size -= 100;
	} else {
		fputs("usage: make_raw standard|twice|large|idle|wall|losses|events|overlaps|processes|marks|words|names|later|living|digits|controls|zeros|swapped|cycles|newer|cut|damaged\n",
		      stderr);
		return 2;
	}
	if (fwrite(maker.at, 1, maker.size, stdout) != maker.size || fflush(stdout)) {
		perror("make_raw");
		return 1;
	}
	raw_free(&maker);
	return 0;
}

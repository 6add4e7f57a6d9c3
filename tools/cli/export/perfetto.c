// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfetto: a trace of Perfetto, which is a list of packets. A row is a StackSample, whose
 * weights are its time, to the ns, and how often it was, and whose own time is when its
 * longest interval ended; events are slices, see perfetto_events.c. The clock of the trace
 * is that of the session, and a snapshot tells what others said at the same moment.
 *
 * Numbers of fields are those of Perfetto 58, which was the first with StackSample: an
 * older one sees the slices only. One thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "facts.h"
#include "formats.h"
#include "perfetto_trace.h"

enum clock_snapshot { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };
enum clock { CLOCK_ID = 1, CLOCK_TIME = 2 };
enum builtin_clock { BUILTIN_REALTIME = 1, BUILTIN_MONOTONIC = 3, BUILTIN_BOOTTIME = 6 };

enum defaults { DEFAULTS_CLOCK = 58, DEFAULTS_STACK_SAMPLE = 100 };
enum sample_defaults { SAMPLES_SOURCE = 1, SAMPLES_PRIMARY = 2, SAMPLES_FOLLOWER = 3 };
enum counter { COUNTER_NAME = 2, COUNTER_UNIT = 3 };
enum unit { UNIT_NANOSECONDS = 1, UNIT_COUNT = 9 };

enum stack_sample {
	SAMPLE_TASK = 1, SAMPLE_CALLSTACK = 6, SAMPLE_WEIGHT = 11, SAMPLE_FOLLOWERS = 14,
};

enum task { TASK_PID = 2, TASK_TID = 3, TASK_CONTEXT = 4 };
enum context { CONTEXT_IID = 1, CONTEXT_NAME = 2, CONTEXT_KIND = 3 };
enum { INTERNED_CONTEXTS = 51 };	/* of InternedData */

enum attributes { ATTRIBUTES_ATTRIBUTE = 1 };
enum attribute { ATTRIBUTE_KEY = 1, ATTRIBUTE_TEXT = 3 };

static uint32_t clock_of(const struct cli_report *report)
{
	const char *clock = schedprof_meta(report->recording, "clock");

	return clock && !strcmp(clock, "boot") ? BUILTIN_BOOTTIME : BUILTIN_MONOTONIC;
}

static void put_clock(struct cli_perfetto *p, uint32_t clock, const char *fact)
{
	uint64_t time = cli_meta(p->report->recording, fact);

	if (!time)
		return;
	cli_put_number(&p->part, CLOCK_ID, clock);
	cli_put_number(&p->part, CLOCK_TIME, time);
	cli_put_message(&p->body, SNAPSHOT_CLOCK, &p->part);
}

static void put_clocks(struct cli_perfetto *p)
{
	put_clock(p, BUILTIN_MONOTONIC, "taken_at_ns");
	put_clock(p, BUILTIN_BOOTTIME, "taken_at_boot_ns");
	put_clock(p, BUILTIN_REALTIME, "taken_at_realtime_ns");
	cli_put_number(&p->body, SNAPSHOT_PRIMARY, clock_of(p->report));
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_CLOCK_SNAPSHOT);
}

static void put_counter(struct cli_perfetto *p, uint32_t field, const char *name,
			uint64_t unit)
{
	cli_put_text(&p->list, COUNTER_NAME, name);
	cli_put_number(&p->list, COUNTER_UNIT, unit);
	cli_put_message(&p->part, field, &p->list);
}

/* What holds for all packets behind it. */
static void put_defaults(struct cli_perfetto *p)
{
	cli_put_number(&p->body, DEFAULTS_CLOCK, clock_of(p->report));
	cli_put_text(&p->part, SAMPLES_SOURCE, "schedprof");
	put_counter(p, SAMPLES_PRIMARY, cli_time_name(p->report), UNIT_NANOSECONDS);
	put_counter(p, SAMPLES_FOLLOWER, cli_count_name(p->report), UNIT_COUNT);
	cli_put_message(&p->body, DEFAULTS_STACK_SAMPLE, &p->part);
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_DEFAULTS);
}

/* Facts are "name: value". */
static void put_facts(struct cli_perfetto *p)
{
	char *fact, *colon;
	size_t i;

	for (i = 0; (fact = cli_fact(p->report, i)); i++) {
		colon = strchr(fact, ':');
		if (colon) {
			*colon = '\0';
			cli_put_text(&p->part, ATTRIBUTE_KEY, fact);
			cli_put_text(&p->part, ATTRIBUTE_TEXT, colon + 2);
			cli_put_message(&p->body, ATTRIBUTES_ATTRIBUTE, &p->part);
		}
		free(fact);
	}
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_TRACE_ATTRIBUTES);
}

/* What is of no thread and no process has a name all the same. */
static uint64_t context_iid(struct cli_perfetto *p, const struct cli_stack *stack)
{
	static const char *const kinds[] = {
		[SCHEDPROF_BY_THREAD] = "thread",
		[SCHEDPROF_BY_PROCESS] = "process",
		[SCHEDPROF_BY_COMM] = "comm",
		[SCHEDPROF_BY_CGROUP] = "cgroup",
	};
	const char *name = stack->thread ? stack->thread : "all tasks";
	size_t before = p->contexts.count;
	uint64_t iid = cli_number(&p->contexts, name)->number + 1;

	if (p->contexts.count == before)
		return iid;
	cli_put_number(&p->part, CONTEXT_IID, iid);
	cli_put_text(&p->part, CONTEXT_NAME, name);
	cli_put_text(&p->part, CONTEXT_KIND,
		     stack->thread ? kinds[p->report->o->group] : "all");
	cli_put_message(&p->interned, INTERNED_CONTEXTS, &p->part);
	return iid;
}

static bool is_thread(const struct cli_report *report, const struct cli_stack *stack)
{
	return report->o->group == SCHEDPROF_BY_THREAD && stack->task && stack->task->tid > 0 &&
	       stack->task->tgid > 0;
}

static bool is_process(const struct cli_report *report, const struct cli_stack *stack)
{
	return report->o->group == SCHEDPROF_BY_PROCESS && stack->task && stack->task->tgid > 0;
}

/* Fills in list with whose time it is. */
static void put_task(struct cli_perfetto *p, const struct cli_stack *stack)
{
	if (is_thread(p->report, stack)) {
		cli_put_number(&p->list, TASK_PID, (uint64_t)stack->task->tgid);
		cli_put_number(&p->list, TASK_TID, (uint64_t)stack->task->tid);
	} else if (is_process(p->report, stack)) {
		cli_put_number(&p->list, TASK_PID, (uint64_t)stack->task->tgid);
	} else {
		cli_put_number(&p->list, TASK_CONTEXT, context_iid(p, stack));
	}
}

/* Samples without a stack are not shown. */
static uint64_t row_callstack(struct cli_perfetto *p, const struct cli_stack *stack)
{
	struct cli_level none = { .name = (char *)"[no stack]" };
	const struct cli_stack instead = { .levels = &none, .count = 1 };

	return cli_perfetto_callstack(p, stack->count ? stack : &instead);
}

static int put_row(const struct cli_report *report, const struct cli_stack *stack, void *data)
{
	const struct cli_row *row = stack->row;
	struct cli_perfetto *p = data;
	uint64_t callstack;

	if (is_thread(report, stack) && !cli_perfetto_thread(p, stack->task, stack->comm))
		return cli_no_memory();
	if (is_process(report, stack))
		cli_perfetto_process(p, stack->task);
	callstack = row_callstack(p, stack);
	put_task(p, stack);
	cli_put_message(&p->body, SAMPLE_TASK, &p->list);
	cli_put_number(&p->body, SAMPLE_CALLSTACK, callstack);
	cli_put_any_number(&p->body, SAMPLE_WEIGHT, row->total);
	cli_put_plain_number(&p->list, row->count);
	cli_put_message(&p->body, SAMPLE_FOLLOWERS, &p->list);
	cli_perfetto_put_packet(p, row->max_at ? row->max_at :
				cli_meta(report->recording, "begin_ns"),
				PERFETTO_PACKET_STACK_SAMPLE);
	return CLI_OK;
}

/* A trace of Perfetto. */
int cli_write_perfetto(const struct cli_report *report, FILE *out)
{
	struct cli_perfetto p = { .report = report };
	int err;

	if (report->cycles) {
		cli_error("times of Perfetto are in ns, and these are in cycles; record with --clock mono");
		return CLI_FAILED;
	}
	put_defaults(&p);
	put_clocks(&p);
	put_facts(&p);
	err = cli_walk(report, SCHEDPROF_NAMED, put_row, &p);
	if (!err && cli_events_have_threads(report))
		err = cli_perfetto_events(&p);
	if (!err && cli_perfetto_failed(&p))
		err = cli_no_memory();
	if (!err)
		fwrite(p.trace.at, 1, p.trace.size, out);
	cli_perfetto_free(&p);
	return err;
}

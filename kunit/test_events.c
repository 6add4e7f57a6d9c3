// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the event trace: what goes in comes out, the oldest is forgotten and
 * counted, readers take nothing away, and a copy is told in the order of time.
 * And of the blob, in which readers gather.
 *
 * Run: make kunit
 */
#include <linux/sched.h>
#include <linux/smp.h>

#include "lib/blob.h"
#include "record/events.h"
#include "suites.h"

#define MANY	20000

static void add(struct kunit *test, struct sp_events *events, u64 number)
{
	struct sp_trace_record record = {
		.at = 1000 + number, .length = 3 * number, .start_time = ~number,
		.function = number << 32, .tid = number + 1, .tgid = number,
		.exec_id = 5, .kernel = number % 7, .user = number % 5, .waker = 9,
		.cpu = 3, .depth = number % 64, .flags = SP_HAPPENING_IRQS_OFF,
		.comm = "fifteen letters", .program = 77,
	};

	KUNIT_EXPECT_TRUE(test, sp_events_add(events, &record));
}

static void expect(struct kunit *test, const struct sp_trace_record *record, u64 number)
{
	KUNIT_EXPECT_EQ(test, record->at, 1000 + number);
	KUNIT_EXPECT_EQ(test, record->length, 3 * number);
	KUNIT_EXPECT_EQ(test, record->start_time, ~number);
	KUNIT_EXPECT_EQ(test, record->function, number << 32);
	KUNIT_EXPECT_EQ(test, record->tid, (pid_t)number + 1);
	KUNIT_EXPECT_EQ(test, record->tgid, (pid_t)number);
	KUNIT_EXPECT_EQ(test, record->kernel, (u32)(number % 7));
	KUNIT_EXPECT_EQ(test, record->user, (u32)(number % 5));
	KUNIT_EXPECT_EQ(test, record->waker, 9U);
	KUNIT_EXPECT_EQ(test, record->cpu, 3U);
	KUNIT_EXPECT_EQ(test, record->depth, (u16)(number % 64));
	KUNIT_EXPECT_EQ(test, record->flags, (u16)SP_HAPPENING_IRQS_OFF);
	KUNIT_EXPECT_STREQ(test, record->comm, "fifteen letters");
	/* Nobody wrote it. */
	KUNIT_EXPECT_EQ(test, record->program, 0U);
}

static void what_goes_in_comes_out(struct kunit *test)
{
	struct sp_events_copy copy = { };
	struct sp_events events;
	unsigned int times;
	u64 i;

	KUNIT_ASSERT_EQ(test, sp_events_init(&events, 64), 0);
	KUNIT_EXPECT_EQ(test, sp_events_copy(&events, &copy, false), 0);
	KUNIT_EXPECT_EQ(test, copy.count, 0U);
	sp_events_free(&copy);
	for (i = 0; i < 300; i++)
		add(test, &events, i);
	/* Reading takes nothing away. */
	for (times = 0; times < 2; times++) {
		KUNIT_ASSERT_EQ(test, sp_events_copy(&events, &copy, false), 0);
		KUNIT_ASSERT_EQ(test, copy.count, 300U);
		KUNIT_EXPECT_EQ(test, copy.missing, 0ULL);
		for (i = 0; i < 300; i++)
			expect(test, &copy.list[copy.order[i]], i);
		sp_events_free(&copy);
	}
	sp_events_destroy(&events);
}

static void forgets_the_oldest_and_counts(struct kunit *test)
{
	struct sp_events_copy copy = { };
	struct sp_events events;
	u64 i, first;

	KUNIT_ASSERT_EQ(test, sp_events_init(&events, 1), 0);
	/* Else they are spread over the buffers of several CPUs. */
	preempt_disable();
	for (i = 0; i < MANY; i++)
		add(test, &events, i);
	preempt_enable();
	KUNIT_ASSERT_EQ(test, sp_events_copy(&events, &copy, false), 0);
	KUNIT_EXPECT_GT(test, copy.count, 10U);
	KUNIT_EXPECT_EQ(test, copy.count + copy.missing, (u64)MANY);
	KUNIT_EXPECT_EQ(test, copy.missing, sp_events_overwritten(&events));
	first = MANY - copy.count;
	for (i = 0; i < copy.count; i++)
		expect(test, &copy.list[copy.order[i]], first + i);
	sp_events_free(&copy);
	sp_events_destroy(&events);
}

static void none_is_no_memory(struct kunit *test)
{
	struct sp_events_copy copy = { };
	struct sp_events events;

	KUNIT_ASSERT_EQ(test, sp_events_init(&events, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, events.ring, NULL);
	KUNIT_EXPECT_EQ(test, sp_events_bytes(0), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_events_overwritten(&events), 0ULL);
	KUNIT_EXPECT_EQ(test, sp_events_copy(&events, &copy, false), 0);
	KUNIT_EXPECT_PTR_EQ(test, copy.list, NULL);
	sp_events_destroy(&events);
	KUNIT_EXPECT_GE(test, sp_events_bytes(100), num_possible_cpus() * 100ULL * 1024);
	KUNIT_EXPECT_LE(test, sp_events_bytes(1024), num_possible_cpus() * 1100ULL * 1024);
}

/* Those of the same time stay as they are. */
static void sorted_by_time(struct kunit *test)
{
	static const u32 counts[] = { 1, 2, 3, 1000, 4096, MANY };
	struct sp_events_copy copy = { };
	struct rnd_state random;
	unsigned int i, j;

	sp_random_start(test, &random);
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		KUNIT_ASSERT_EQ(test, sp_events_make_room(&copy, counts[i]), 0);
		copy.count = counts[i];
		for (j = 0; j < counts[i]; j++) {
			copy.list[j].at = sp_random_below(&random, counts[i]);
			copy.list[j].number = j;
			copy.order[j] = j;
		}
		sp_events_sort(&copy);
		for (j = 0; j < counts[i]; j++)
			copy.list[copy.order[j]].length++;
		for (j = 1; j < counts[i]; j++) {
			const struct sp_trace_record *before = &copy.list[copy.order[j - 1]];
			const struct sp_trace_record *here = &copy.list[copy.order[j]];

			KUNIT_ASSERT_LE(test, before->at, here->at);
			if (before->at == here->at)
				KUNIT_ASSERT_LT(test, copy.order[j - 1], copy.order[j]);
			KUNIT_ASSERT_EQ(test, here->length, 1ULL);
		}
		sp_events_free(&copy);
	}
}

/* A trace that has ended is told in parts, as if it were copied as a whole. */
static void parts_are_the_whole(struct kunit *test)
{
	static const u32 rooms[] = { 1, 2, 7, 600, 1999, 2000, 4096 };
	struct sp_events_copy whole = { }, part = { };
	struct rnd_state random;
	struct sp_events events;
	u32 i, n, steps;
	u64 all;

	sp_random_start(test, &random);
	KUNIT_ASSERT_EQ(test, sp_events_init(&events, 1024), 0);
	/* Of few times, so that many are the same. */
	for (i = 0; i < 2000; i++)
		add(test, &events, sp_random_below(&random, 100));
	KUNIT_ASSERT_EQ(test, sp_events_copy(&events, &whole, false), 0);
	KUNIT_ASSERT_EQ(test, whole.total, 2000U);
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		part.events = &events;
		part.extent = sp_events_extent(&events, &all, &part.missing);
		KUNIT_ASSERT_NOT_NULL(test, part.extent);
		KUNIT_ASSERT_EQ(test, all, 2000ULL);
		KUNIT_ASSERT_EQ(test, sp_events_make_room(&part, rooms[i]), 0);
		/* With one place, each event takes a walk over the trace. */
		steps = rooms[i] < 600 ? 50 : 2000;
		for (n = 0; n < steps; n++) {
			KUNIT_ASSERT_GE(test, sp_events_reach(&part, n), 0);
			KUNIT_ASSERT_EQ(test, sp_events_at(&part, n)->number,
					whole.list[whole.order[n]].number);
			KUNIT_ASSERT_LE(test, part.count, part.room);
		}
		KUNIT_EXPECT_EQ(test, part.total, 2000U);
		KUNIT_EXPECT_EQ(test, part.missing, 0ULL);
		/* Back to the beginning, and to the end. */
		KUNIT_ASSERT_GE(test, sp_events_reach(&part, 0), 0);
		KUNIT_EXPECT_EQ(test, sp_events_at(&part, 0)->number,
				whole.list[whole.order[0]].number);
		KUNIT_ASSERT_GE(test, sp_events_reach(&part, steps - 1), 0);
		KUNIT_EXPECT_EQ(test, sp_events_at(&part, steps - 1)->number,
				whole.list[whole.order[steps - 1]].number);
		sp_events_free(&part);
	}
	sp_events_free(&whole);
	sp_events_destroy(&events);
}

static void print_many(struct seq_buf *s, void *data)
{
	unsigned int i, *many = data;

	for (i = 0; i < *many; i++)
		seq_buf_printf(s, "%u,", i % 10);
}

static void blob_holds_all(struct kunit *test)
{
	struct sp_blob blob = { };
	unsigned int many, i;
	size_t before;

	KUNIT_ASSERT_EQ(test, sp_blob_add(&blob, "abc", 3), 0);
	for (many = 0; many < 100000; many = many * 3 + 1) {
		before = blob.used;
		KUNIT_ASSERT_EQ(test, sp_blob_print(&blob, print_many, &many), 0);
		KUNIT_ASSERT_EQ(test, blob.used - before, 2 * (size_t)many);
		for (i = 0; i < many; i++)
			KUNIT_ASSERT_EQ(test, blob.data[before + 2 * i], (char)('0' + i % 10));
	}
	KUNIT_EXPECT_TRUE(test, !memcmp(blob.data, "abc", 3));
	KUNIT_EXPECT_LE(test, blob.used, blob.room);
	KUNIT_EXPECT_LE(test, blob.room, 8 * blob.used);
	sp_blob_free(&blob);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_goes_in_comes_out),
	KUNIT_CASE(forgets_the_oldest_and_counts),
	KUNIT_CASE(none_is_no_memory),
	KUNIT_CASE(sorted_by_time),
	KUNIT_CASE(parts_are_the_whole),
	KUNIT_CASE(blob_holds_all),
	{}
};

struct kunit_suite sp_events_suite = {
	.name = "schedprof_events",
	.test_cases = cases,
};

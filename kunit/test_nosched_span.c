// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of nosched spans and events: whatever the moments of the samples, a stretch
 * is right within one period; and the ring forgets the oldest only.
 *
 * Run: make kunit
 */
#include "lib/nosched_span.h"
#include "record/interval.h"
#include "suites.h"
#include "task/clock.h"
#include "lib/task_clock.h"

#define PERIOD 1000

static bool look(struct sp_nosched_span *span, u64 now, u64 due, bool kernel,
		 bool crowded, struct sp_nosched_span_end *ended)
{
	const struct sp_sample sample = {
		.now = now, .due = due, .period = PERIOD,
		.kernel = kernel, .crowded = crowded,
	};

	return sp_nosched_span_sample(span, &sample, ended);
}

static void ends_with_a_switch(struct kunit *test)
{
	struct sp_nosched_span span = { };
	struct sp_nosched_span_end ended;

	/* It came in, and stayed in the kernel. */
	KUNIT_EXPECT_FALSE(test, sp_nosched_span_switch(&span, 10500, &ended));
	KUNIT_EXPECT_FALSE(test, look(&span, 11000, 11000, true, true, &ended));
	KUNIT_EXPECT_FALSE(test, look(&span, 12000, 12000, true, true, &ended));
	KUNIT_ASSERT_TRUE(test, sp_nosched_span_switch(&span, 12345, &ended));
	KUNIT_EXPECT_EQ(test, ended.since, 10500);
	KUNIT_EXPECT_EQ(test, ended.until, 12345);
	KUNIT_EXPECT_FALSE(test, ended.irqs_off);
	KUNIT_EXPECT_FALSE(test, sp_nosched_span_switch(&span, 13000, &ended));
}

static void user_mode_and_nobody_waiting_are_none(struct kunit *test)
{
	struct sp_nosched_span span = { };
	struct sp_nosched_span_end ended;

	sp_nosched_span_switch(&span, 10000, &ended);
	KUNIT_EXPECT_FALSE(test, look(&span, 11000, 11000, false, true, &ended));
	KUNIT_EXPECT_FALSE(test, look(&span, 12000, 12000, true, false, &ended));
	KUNIT_EXPECT_FALSE(test, look(&span, 13000, 13000, false, false, &ended));
	KUNIT_EXPECT_FALSE(test, sp_nosched_span_switch(&span, 13500, &ended));
	/* They end one, too. */
	KUNIT_EXPECT_FALSE(test, look(&span, 14000, 14000, true, true, &ended));
	KUNIT_ASSERT_TRUE(test, look(&span, 15000, 15000, false, true, &ended));
	KUNIT_EXPECT_EQ(test, ended.until, 14500);
	KUNIT_EXPECT_FALSE(test, look(&span, 16000, 16000, true, true, &ended));
	KUNIT_ASSERT_TRUE(test, look(&span, 17000, 17000, true, false, &ended));
	KUNIT_EXPECT_EQ(test, ended.since, 15500);
}

static void late_is_interrupts_off(struct kunit *test)
{
	struct sp_nosched_span span = { };
	struct sp_nosched_span_end ended;

	sp_nosched_span_switch(&span, 10000, &ended);
	look(&span, 11000, 11000, false, true, &ended);
	/* Seen after it: the kernel. */
	KUNIT_EXPECT_FALSE(test, look(&span, 62000, 12000, true, true, &ended));
	KUNIT_EXPECT_TRUE(test, sp_nosched_span_irqs_off(&span, 62000));
	KUNIT_ASSERT_TRUE(test, look(&span, 63000, 63000, false, true, &ended));
	KUNIT_EXPECT_TRUE(test, ended.irqs_off);
	KUNIT_EXPECT_EQ(test, ended.since, 11500);
	/* Seen after it: user mode. */
	KUNIT_ASSERT_TRUE(test, look(&span, 94000, 64000, false, true, &ended));
	KUNIT_EXPECT_TRUE(test, ended.irqs_off);
	KUNIT_EXPECT_EQ(test, ended.since, 63500);
	KUNIT_EXPECT_EQ(test, ended.until, 94000);
	/* Once late in a long one does not make it that. */
	look(&span, 95000, 95000, true, true, &ended);
	look(&span, 99000, 96000, true, true, &ended);
	look(&span, 100000, 100000, true, true, &ended);
	look(&span, 101000, 101000, true, true, &ended);
	KUNIT_ASSERT_TRUE(test, sp_nosched_span_switch(&span, 110000, &ended));
	KUNIT_EXPECT_FALSE(test, ended.irqs_off);
}

/* As a recording since the time 0 has it, by the clock in which it is. */
static u64 length_of(struct kunit *test, const struct sp_nosched_span_end *ended)
{
	struct sp_recording *recording = kunit_kzalloc(test, sizeof(*recording), GFP_KERNEL);
	struct sp_interval span = { ended->since, ended->until };

	KUNIT_ASSERT_NOT_NULL(test, recording);
	span = sp_interval_by(recording, &span, recording->begin.ns);
	return span.end - span.start;
}

static void clocks_that_step_back_are_no_time(struct kunit *test)
{
	struct sp_nosched_span span = { };
	struct sp_nosched_span_end ended;

	sp_nosched_span_switch(&span, 10000, &ended);
	/* A switch is seen before the sample that it follows. */
	KUNIT_EXPECT_FALSE(test, look(&span, 11000, 11000, true, true, &ended));
	KUNIT_ASSERT_TRUE(test, sp_nosched_span_switch(&span, 9000, &ended));
	KUNIT_EXPECT_EQ(test, length_of(test, &ended), 0ULL);
	KUNIT_EXPECT_FALSE(test, ended.irqs_off);
	/* A sample before the switch, and one before that sample. */
	sp_nosched_span_switch(&span, 20000, &ended);
	KUNIT_EXPECT_FALSE(test, look(&span, 19000, 19000, true, true, &ended));
	KUNIT_ASSERT_TRUE(test, look(&span, 18000, 18000, false, true, &ended));
	KUNIT_EXPECT_EQ(test, length_of(test, &ended), 0ULL);
	/* One that is late by a clock that is behind is none. */
	look(&span, 30000, 30000, false, true, &ended);
	KUNIT_EXPECT_FALSE(test, look(&span, 29000, 31000, true, true, &ended));
	KUNIT_EXPECT_FALSE(test, sp_nosched_span_irqs_off(&span, 28000));
	KUNIT_ASSERT_TRUE(test, look(&span, 28500, 32000, false, true, &ended));
	KUNIT_EXPECT_LE(test, length_of(test, &ended), (u64)PERIOD);
	KUNIT_EXPECT_FALSE(test, ended.irqs_off);
}

/* Random stretches between user mode, sampled at random offsets. */
static void right_within_a_period(struct kunit *test)
{
	struct sp_nosched_span span = { };
	struct sp_nosched_span_end ended;
	struct rnd_state random;
	u64 next = 100000, begin, end = 100000;
	unsigned int i, seen = 0;

	sp_random_start(test, &random);
	sp_nosched_span_switch(&span, 90000, &ended);
	look(&span, next - PERIOD, next - PERIOD, false, true, &ended);
	for (i = 0; i < 5000; i++) {
		begin = end + 3 * PERIOD + sp_random_below(&random, 3000);
		end = begin + sp_random_below(&random, 50000);
		for (; next <= end + 2 * PERIOD; next += PERIOD) {
			bool kernel = next >= begin && next < end;

			if (!look(&span, next, next, kernel, true, &ended))
				continue;
			seen++;
			KUNIT_ASSERT_LE(test, abs((s64)(ended.until - ended.since) -
						  (s64)(end - begin)), PERIOD);
		}
	}
	/* Those shorter than a period may slip through. */
	KUNIT_EXPECT_GT(test, seen, 4800U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(ends_with_a_switch),
	KUNIT_CASE(user_mode_and_nobody_waiting_are_none),
	KUNIT_CASE(late_is_interrupts_off),
	KUNIT_CASE(clocks_that_step_back_are_no_time),
	KUNIT_CASE(right_within_a_period),
	{}
};

struct kunit_suite sp_nosched_span_suite = {
	.name = "schedprof_nosched_span",
	.test_cases = cases,
};

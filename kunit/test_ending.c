// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the end of a recording: what hooks hand on is before it, although they read their
 * clocks before they can know of it, and whoever ends it does so, too.
 *
 * Run: make kunit
 */
#include <linux/delay.h>
#include <linux/vmalloc.h>

#include "crew.h"
#include "record/recording.h"
#include "suites.h"

#define ROUNDS	200
#define HOOKS	3
#define EVENTS	20

/* Of a hook with that clock. */
static void expect(struct kunit *test, struct sp_recording *recording, u64 now, u64 until,
		   bool claims)
{
	u64 found;

	KUNIT_EXPECT_EQ(test, sp_recording_closes(recording, now, &found), claims);
	KUNIT_EXPECT_EQ(test, found, until);
}

static void one_after_the_other(struct kunit *test)
{
	/* They are large, and aligned. */
	static struct sp_recording recording;

	atomic64_set(&recording.last, 0);
	expect(test, &recording, 100, 100, false);
	expect(test, &recording, 50, 50, false);
	/* Who ends it read the clock before the first one did. */
	KUNIT_EXPECT_EQ(test, sp_recording_end_now(&recording, 80), 100);
	expect(test, &recording, 101, 100, true);
	expect(test, &recording, 100, 100, false);
	expect(test, &recording, 99, 99, false);
	/* Nobody tells what is between a clock that is behind and the end, if the hook does not. */
	atomic64_or(SP_LAST_IS_OVER, &recording.last);
	expect(test, &recording, 101, 100, true);
	expect(test, &recording, 99, 100, true);
	atomic64_set(&recording.last, 0);
	KUNIT_EXPECT_EQ(test, sp_recording_end_now(&recording, 80), 80);
	expect(test, &recording, 81, 80, true);
}

struct ending {
	struct sp_recording *recording;
	atomic64_t clock;
	u64 now, end;			/* what its clock said, and when it was */
	u64 handed_on[HOOKS + 1];	/* until when, by each of them */
	u64 told[HOOKS + 1];		/* which end; 0: none */
};

/* Somebody else has the CPU between a look at the clock and what follows. */
static u64 read_clock(struct ending *ending)
{
	u64 now = atomic64_inc_return(&ending->clock);

	usleep_range(1, 2);
	return now;
}

static void hook_or_end(unsigned int number, void *shared)
{
	struct ending *ending = shared;
	unsigned int i;
	u64 now, until;

	if (!number) {
		for (i = 0; i < EVENTS / 2; i++)
			read_clock(ending);
		ending->now = read_clock(ending);
		ending->end = sp_recording_end_now(ending->recording, ending->now);
		return;
	}
	for (i = 0; i < EVENTS; i++) {
		now = read_clock(ending);
		if (sp_recording_closes(ending->recording, now, &until))
			ending->told[number] = until;
		else
			ending->handed_on[number] = now;
	}
}

static void all_at_once(struct kunit *test)
{
	struct ending *ending = vzalloc(sizeof(*ending));
	unsigned int i, hook, told = 0;

	KUNIT_ASSERT_FALSE(test, !ending);
	ending->recording = vzalloc(sizeof(*ending->recording));
	if (!ending->recording) {
		vfree(ending);
		KUNIT_FAIL(test, "no memory");
		return;
	}
	for (i = 0; i < ROUNDS; i++) {
		atomic64_set(&ending->recording->last, 0);
		memset(ending->handed_on, 0, sizeof(ending->handed_on));
		memset(ending->told, 0, sizeof(ending->told));
		sp_crew_run(test, HOOKS + 1, hook_or_end, ending);
		KUNIT_EXPECT_GE(test, ending->end, ending->now);
		KUNIT_EXPECT_LE(test, ending->end, (u64)atomic64_read(&ending->clock));
		for (hook = 1; hook <= HOOKS; hook++) {
			KUNIT_EXPECT_LE(test, ending->handed_on[hook], ending->end);
			if (!ending->told[hook])
				continue;
			KUNIT_EXPECT_EQ(test, ending->told[hook], ending->end);
			told++;
		}
	}
	/* Not all of them were over before. */
	KUNIT_EXPECT_GT(test, told, 0U);
	vfree(ending->recording);
	vfree(ending);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_after_the_other),
	KUNIT_CASE(all_at_once),
	{ }
};

struct kunit_suite sp_ending_suite = {
	.name = "schedprof_ending",
	.test_cases = cases,
};

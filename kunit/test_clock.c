// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the clock that hooks read: it goes on where it was, whatever the kernel's
 * clocksource becomes, and other clocks follow from it. The timekeeper is played here,
 * so no session may be enabled meanwhile.
 *
 * Run: make kunit
 */
#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/processor.h>
#include <linux/timekeeper_internal.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "suites.h"
#include "task/clock.h"

static u64 cycles_now(void)
{
#ifdef CONFIG_X86
	return rdtsc_ordered();
#else
	return 0;
#endif
}

/*
 * The kernel's clock, and the counter at that time: of some readings the one that took
 * shortest, since a host may stop the processor in between.
 */
static u64 read_both(u64 *cycles)
{
	u64 mono, begin, took, shortest = U64_MAX, best = 0;
	unsigned int tries;

	for (tries = 0; tries < 20; tries++) {
		begin = cycles_now();
		mono = ktime_get_mono_fast_ns();
		took = cycles_now() - begin;
		if (took < shortest) {
			shortest = took;
			best = mono;
			*cycles = begin + took / 2;
		}
	}
	return best;
}

/* The timekeeper moves on, as it would with that clocksource. */
static void tick(bool tsc, u64 ahead_ns, u64 slept_ns)
{
	struct sp_kernel_time kernel = { .tsc = tsc, .boot_offset = slept_ns };
	unsigned long flags;

	local_irq_save(flags);
	kernel.mono = read_both(&kernel.cycles) + ahead_ns;
	sp_clock_follow(&kernel);
	local_irq_restore(flags);
}

static void expect_goes_on(struct kunit *test, u64 before)
{
	u64 now = sp_time();

	KUNIT_EXPECT_GE(test, now, before);
	/*
	 * Long for what lies in between, also where a host stops the machine meanwhile, and
	 * far from where a clock would be that took another one's steps.
	 */
	KUNIT_EXPECT_LT(test, now, before + 90 * NSEC_PER_SEC);
}

static void skip_without_tsc(struct kunit *test)
{
#ifdef CONFIG_X86
	if (!check_tsc_unstable())
		return;
#endif
	kunit_skip(test, "this kernel trusts no TSC");
}

static int clock_init(struct kunit *test)
{
	sp_clock_stop_following();
	return 0;
}

static void clock_exit(struct kunit *test)
{
	sp_clock_stop_following();
}

/* As with kvm-clock, hyperv, hpet and acpi_pm. */
static void other_clocksources_are_the_kernels(struct kunit *test)
{
	u64 before = ktime_get_mono_fast_ns();

	tick(false, 0, 0);
	KUNIT_EXPECT_TRUE(test, sp_clock_settle());
	KUNIT_EXPECT_STREQ(test, sp_clock_source(), "kernel");
	expect_goes_on(test, before);
	KUNIT_EXPECT_LE(test, sp_time(), ktime_get_mono_fast_ns());
}

/* The timekeeper moves on, as the kernel tells it with that clocksource. */
static void tick_by(struct timekeeper *timekeeper, struct clocksource *clocksource)
{
	unsigned long flags;
	u64 cycles = 0;

	local_irq_save(flags);
	timekeeper->tkr_mono.clock = clocksource;
	timekeeper->tkr_mono.base = ns_to_ktime(read_both(&cycles));
	timekeeper->tkr_mono.cycle_last = cycles;
	sp_clock_follow_timekeeper(timekeeper);
	local_irq_restore(flags);
}

/* Of all that there are, the TSC is read where it is the kernel's clock by itself. */
static void only_the_tsc_is_read(struct kunit *test)
{
	static const char *const names[] = {
		"kvm-clock", "hyperv_clocksource_tsc_page", "hyperv_clocksource_msr", "xen",
		"tsc-early", "hpet", "acpi_pm", "jiffies", "arch_sys_counter", "tsc",
	};
	struct clocksource *sources = kunit_kzalloc(test, sizeof(*sources) * ARRAY_SIZE(names),
						    GFP_KERNEL);
	struct timekeeper *timekeeper = kunit_kzalloc(test, sizeof(*timekeeper), GFP_KERNEL);
	const char *expected;
	unsigned int i, round;
	u64 before;

	KUNIT_ASSERT_TRUE(test, sources && timekeeper);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		sources[i].name = names[i];
	for (round = 0; round < 3; round++)
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			expected = "kernel";
#ifdef CONFIG_X86
			if (!strcmp(names[i], "tsc") && !check_tsc_unstable())
				expected = "tsc";
#endif
			before = sp_time();
			tick_by(timekeeper, &sources[i]);
			KUNIT_EXPECT_TRUE(test, sp_clock_settle());
			KUNIT_EXPECT_STREQ_MSG(test, sp_clock_source(), expected, "%s", names[i]);
			/* The counter and the kernel's clock were not read at the same time. */
			expect_goes_on(test, before - NSEC_PER_MSEC);
		}
}

static void tsc_comes_and_goes(struct kunit *test)
{
	unsigned int round;
	u64 before;

	skip_without_tsc(test);
	for (round = 0; round < 100; round++) {
		before = sp_time();
		tick(true, 0, 0);
		KUNIT_EXPECT_TRUE(test, sp_clock_settle());
		KUNIT_EXPECT_STREQ(test, sp_clock_source(), "tsc");
		expect_goes_on(test, before);
		before = sp_time();
		tick(false, 0, 0);
		KUNIT_EXPECT_STREQ(test, sp_clock_source(), "kernel");
		/* The counter and the kernel's clock were not read at the same time. */
		expect_goes_on(test, before - NSEC_PER_MSEC);
	}
}

/* Its rate is adjusted all the time, that of the TSC is not, so they drift apart. */
static void births_are_told_by_the_same_clock(struct kunit *test)
{
	const u64 apart = 20 * NSEC_PER_MSEC, steps = 1000;
	u64 before, born, step;

	skip_without_tsc(test);
	for (step = 0; step <= steps; step++) {
		tick(true, apart * step / steps, 0);
		KUNIT_ASSERT_TRUE(test, sp_clock_settle());
	}
	KUNIT_EXPECT_STREQ(test, sp_clock_source(), "tsc");
	before = sp_time();
	born = sp_time_of_mono(ktime_get_mono_fast_ns() + apart);
	/* As above. */
	KUNIT_EXPECT_GE(test, born, before - NSEC_PER_MSEC);
	KUNIT_EXPECT_LE(test, born, sp_time() + NSEC_PER_MSEC);
}

/* The machine was suspended: the counter went on, or began anew, and the clock stood. */
static void what_the_clock_did_not_count(struct kunit *test)
{
	u64 before;

	skip_without_tsc(test);
	tick(true, 0, 0);
	sp_clock_settle();
	tick(true, 0, 0);
	before = sp_time();
	/* The kernel's is far ahead of the counter; of a counter that is ahead it is the same. */
	tick(true, 100 * NSEC_PER_SEC, 0);
	KUNIT_EXPECT_STREQ(test, sp_clock_source(), "kernel");
	expect_goes_on(test, before - NSEC_PER_MSEC);
}

static void boot_time_is_ahead_by_each_sleep(struct kunit *test)
{
	u64 at[3], i, last;

	for (i = 0; i < 3; i++) {
		tick(false, 0, 1000 * (i + 1));
		at[i] = sp_time();
		/* Some clocks stand still for a while. */
		while (sp_time() == at[i])
			cpu_relax();
	}
	last = at[0] - NSEC_PER_SEC;
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, sp_time_by(SP_CLOCK_BOOT, at[i]),
				at[i] + 1000 * (i + 1));
	KUNIT_EXPECT_LE(test, sp_time_by(SP_CLOCK_BOOT, last), sp_time_by(SP_CLOCK_BOOT, at[0]));
	/* However often: it never goes back. */
	last = 0;
	for (i = 0; i < 1000; i++) {
		u64 now;

		tick(false, 0, 5000 + i);
		now = sp_time_by(SP_CLOCK_BOOT, sp_time());
		KUNIT_EXPECT_GE(test, now, last);
		last = now;
	}
	/* And of those that are not remembered any more, the last one counts. */
	last = sp_time();
	KUNIT_EXPECT_EQ(test, sp_time_by(SP_CLOCK_BOOT, last), last + 5999);
}

static void moments_lie_between(struct kunit *test)
{
	const struct sp_moment from = { .ns = 1000, .kernel = { 1000, 1000, 1000 } };
	const struct sp_moment to = { .ns = 2001000, .kernel = { 2001200, 2001000, 2001000 } };
	const struct sp_moment back = { .ns = 2001000, .kernel = { 2000800, 2001000, 2001000 } };

	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 1000, &from, &to), 1000ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 500, &from, &to), 500ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 1001000, &from, &to), 1001100ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 2001000, &from, &to), 2001200ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 1001000, &from, &back), 1000900ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 9999999, &from, &back), 9999799ULL);
	KUNIT_EXPECT_EQ(test, sp_moment_map(SP_CLOCK_MONO, 5, &from, &from), 5ULL);
}

static struct kunit_case clock_cases[] = {
	KUNIT_CASE(other_clocksources_are_the_kernels),
	KUNIT_CASE(only_the_tsc_is_read),
	KUNIT_CASE(tsc_comes_and_goes),
	KUNIT_CASE(births_are_told_by_the_same_clock),
	KUNIT_CASE(what_the_clock_did_not_count),
	KUNIT_CASE(boot_time_is_ahead_by_each_sleep),
	KUNIT_CASE(moments_lie_between),
	{}
};

struct kunit_suite sp_clock_suite = {
	.name = "schedprof_clock",
	.init = clock_init,
	.exit = clock_exit,
	.test_cases = clock_cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock: what time is measured with.
 *
 * Everything is stamped with the monotonic clock. While sessions ask for another
 * clock id, each task has a struct sp_clock for it (task/task_table.c, task/extra_clocks.c), and
 * every event is stamped with both. It starts unknown; the first event that finds
 * it so takes over what the monotonic one knows, as of the moment since which the id is
 * in use: nobody who asks for it looks further back.
 *
 * Written under the mutex of task/extra_clocks.c; hooks see sp_clocks and what was
 * written before it.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <asm/barrier.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

#include "task/clock.h"

unsigned int sp_clocks __read_mostly;

const char *const sp_clock_id_names[] = {
	[SP_CLOCK_MONO] = "mono",
	[SP_CLOCK_BOOT] = "boot",
	[SP_CLOCK_TSC] = "tsc",
	NULL
};

/* When a clock came into use, as told by all; published by sp_clocks. */
static struct sp_now since[SP_CLOCKS];

#ifdef CONFIG_X86
static u64 tsc_cycles(void)
{
	return rdtsc_ordered();
}

static u64 cycles_of_ns(u64 ns)
{
	return mul_u64_u32_div(ns, tsc_khz, NSEC_PER_MSEC);
}

static bool tsc_unstable(void)
{
	return check_tsc_unstable();
}
#else
/* sp_clock_id_get() refuses it. */
static u64 tsc_cycles(void)
{
	return 0;
}

static u64 cycles_of_ns(u64 ns)
{
	return ns;
}

static bool tsc_unstable(void)
{
	return false;
}
#endif

/* As sp_now_read(), but all of them. */
void sp_now_read_all(struct sp_now *now)
{
	now->at[SP_CLOCK_MONO] = ktime_get_mono_fast_ns();
	now->at[SP_CLOCK_BOOT] = ktime_get_boot_fast_ns();
	now->at[SP_CLOCK_TSC] = tsc_cycles();
}

/* A length of time in a clock's own unit. */
u64 sp_clock_id_of_ns(enum sp_clock_id clock_id, u64 ns)
{
	return clock_id == SP_CLOCK_TSC ? cycles_of_ns(ns) : ns;
}

/* How names of columns end. */
const char *sp_clock_id_unit(enum sp_clock_id clock_id)
{
	return clock_id == SP_CLOCK_TSC ? "cycles" : "ns";
}

/* What a user should know about a clock; "" if there is nothing. */
const char *sp_clock_id_remark(enum sp_clock_id clock_id)
{
	if (clock_id != SP_CLOCK_TSC)
		return "";
	return tsc_unstable() ? " tsc=unstable" : " tsc=stable";
}

/**
 * sp_clock_id_since() - when was it, as told by another clock?
 * @clock_id: one that is in use, not SP_CLOCK_MONO
 * @mono: ns; when it was by the monotonic clock; if later than @now, it is @now
 * @now: this moment
 *
 * Return: exact, if it was before the clock came into use: then that moment.
 */
u64 sp_clock_id_since(enum sp_clock_id clock_id, u64 mono, const struct sp_now *now)
{
	u64 ago;

	/* A waker on another CPU may have stamped since. */
	mono = min(mono, now->at[SP_CLOCK_MONO]);
	ago = now->at[SP_CLOCK_MONO] - mono;
	if (mono <= since[clock_id].at[SP_CLOCK_MONO])
		return since[clock_id].at[clock_id];
	return now->at[clock_id] - sp_clock_id_of_ns(clock_id, ago);
}

/* A clock that nobody used is used from now on. Context: the mutex of its users is held. */
void sp_clock_id_begin(enum sp_clock_id clock_id)
{
	sp_now_read_all(&since[clock_id]);
	/* Whoever sees the bit sees all that it needs. */
	smp_store_release(&sp_clocks, sp_clocks | BIT(clock_id));
}

/* Nobody uses it any more; hooks may still do. Context: as above. */
void sp_clock_id_end(enum sp_clock_id clock_id)
{
	WRITE_ONCE(sp_clocks, sp_clocks & ~BIT(clock_id));
}

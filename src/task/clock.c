// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock: what time is measured with.
 *
 * Everything is stamped with the monotonic clock. While sessions ask for another
 * source, each task has another clock for it (task/task_table.c, task/extra_clocks.c), and
 * every event is stamped with both. Such a clock starts unknown; the first event that finds
 * it so takes over what the monotonic one knows, as of the moment since which the source is
 * in use: nobody who asks for it looks further back.
 *
 * Written under the mutex of task/extra_clocks.c; hooks see sp_sources and what was
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

unsigned int sp_sources __read_mostly;

const char *const sp_source_names[] = {
	[SP_SOURCE_MONO] = "mono",
	[SP_SOURCE_BOOT] = "boot",
	[SP_SOURCE_TSC] = "tsc",
	NULL
};

/* When a source came into use, as told by all; published by sp_sources. */
static struct sp_now since[SP_SOURCES];

#ifdef CONFIG_X86
static u64 cycles(void)
{
	return rdtsc_ordered();
}

static u64 cycles_of_ns(u64 ns)
{
	return mul_u64_u32_div(ns, tsc_khz, NSEC_PER_MSEC);
}

static bool unstable(void)
{
	return check_tsc_unstable();
}
#else
/* sp_source_get() refuses it. */
static u64 cycles(void)
{
	return 0;
}

static u64 cycles_of_ns(u64 ns)
{
	return ns;
}

static bool unstable(void)
{
	return false;
}
#endif

/* As sp_now_read(), but all of them. */
void sp_now_read_all(struct sp_now *now)
{
	now->at[SP_SOURCE_MONO] = ktime_get_mono_fast_ns();
	now->at[SP_SOURCE_BOOT] = ktime_get_boot_fast_ns();
	now->at[SP_SOURCE_TSC] = cycles();
}

/* A length of time in a source's own unit. Context: any. */
u64 sp_source_of_ns(enum sp_source source, u64 ns)
{
	return source == SP_SOURCE_TSC ? cycles_of_ns(ns) : ns;
}

/* How names of columns end. */
const char *sp_source_unit(enum sp_source source)
{
	return source == SP_SOURCE_TSC ? "cycles" : "ns";
}

/* What a user should know about a source; "" if there is nothing. */
const char *sp_source_remark(enum sp_source source)
{
	if (source != SP_SOURCE_TSC)
		return "";
	return unstable() ? " tsc=unstable" : " tsc=stable";
}

/**
 * sp_source_since() - when was it, as told by another source?
 * @source: one that is in use, not SP_SOURCE_MONO
 * @mono: ns; when it was by the monotonic clock; if later than @now, it is @now
 * @now: this moment
 *
 * Context: any, also a hook.
 * Return: exact, if it was before the source came into use: then that moment.
 */
u64 sp_source_since(enum sp_source source, u64 mono, const struct sp_now *now)
{
	u64 ago;

	/* A waker on another CPU may have stamped since. */
	mono = min(mono, now->at[SP_SOURCE_MONO]);
	ago = now->at[SP_SOURCE_MONO] - mono;
	if (mono <= since[source].at[SP_SOURCE_MONO])
		return since[source].at[source];
	return now->at[source] - sp_source_of_ns(source, ago);
}

/* A source that nobody used is used from now on. Context: the mutex of its users is held. */
void sp_source_begin(enum sp_source source)
{
	sp_now_read_all(&since[source]);
	/* Whoever sees the bit sees all that it needs. */
	smp_store_release(&sp_sources, sp_sources | BIT(source));
}

/* Nobody uses it any more; hooks may still do. Context: as above. */
void sp_source_end(enum sp_source source)
{
	WRITE_ONCE(sp_sources, sp_sources & ~BIT(source));
}

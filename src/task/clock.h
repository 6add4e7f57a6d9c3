/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_CLOCK_H
#define SP_TASK_CLOCK_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

/* What time is measured with; the order of the attribute's words. */
enum sp_source {
	SP_SOURCE_MONO,		/* ns, stands still while suspended */
	SP_SOURCE_BOOT,		/* ns, goes on */
	SP_SOURCE_TSC,		/* cycles of the CPU's time stamp counter */
	SP_SOURCES
};

/* One moment, as told by every source that is in use. */
struct sp_now {
	u64 at[SP_SOURCES];
};

/* A bit for each source but the first that some session uses. */
extern unsigned int sp_sources;

#define for_each_extra_source(source, bits)				\
	for ((source) = SP_SOURCE_BOOT; (source) < SP_SOURCES; (source)++) \
		if ((bits) & BIT(source))

void sp_now_read_all(struct sp_now *now);

/**
 * sp_now_read() - what time is it?
 * @now: at[SP_SOURCE_MONO] is filled, and the others if any of them is asked for
 * @sources: bits of the others
 *
 * Context: any, also a hook: ktime_get_mono_fast_ns() and its sister are made
 * for NMIs and take no lock.
 */
static __always_inline void sp_now_read(struct sp_now *now, unsigned int sources)
{
	if (unlikely(sources))
		sp_now_read_all(now);
	else
		now->at[SP_SOURCE_MONO] = ktime_get_mono_fast_ns();
}

/* From one look at a source to the next: one that stepped back took no time. */
static inline u64 sp_time_between(u64 then, u64 now)
{
	return now > then ? now - then : 0;
}

u64 sp_source_of_ns(enum sp_source source, u64 ns);
extern const char *const sp_source_names[];	/* NULL-terminated */
const char *sp_source_unit(enum sp_source source);
const char *sp_source_remark(enum sp_source source);
void sp_source_begin(enum sp_source source);
void sp_source_end(enum sp_source source);
u64 sp_source_since(enum sp_source source, u64 mono, const struct sp_now *now);

/* What rows of histograms and values in folded stacks are made of. */
static inline u64 sp_source_row_unit(enum sp_source source, u64 time)
{
	return source == SP_SOURCE_TSC ? time : div_u64(time, NSEC_PER_USEC);
}

#endif

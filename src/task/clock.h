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
enum sp_clock_id {
	SP_CLOCK_MONO,		/* ns, stands still while suspended */
	SP_CLOCK_BOOT,		/* ns, goes on */
	SP_CLOCK_TSC,		/* cycles of the CPU's time stamp counter */
	SP_CLOCKS
};

/* One moment, as told by every clock that is in use. */
struct sp_now {
	u64 at[SP_CLOCKS];
};

/* A bit for each clock but the first that some session uses. */
extern unsigned int sp_clocks;

#define for_each_extra_clock(clock_id, bits)				\
	for ((clock_id) = SP_CLOCK_BOOT; (clock_id) < SP_CLOCKS; (clock_id)++) \
		if ((bits) & BIT(clock_id))

void sp_now_read_all(struct sp_now *now);

/**
 * sp_now_read() - what time is it?
 * @now: at[SP_CLOCK_MONO] is filled, and the others if any of them is asked for
 * @clocks: bits of the others
 *
 * Context: any, also a hook: ktime_get_mono_fast_ns() and its sister are made
 * for NMIs and take no lock.
 */
static __always_inline void sp_now_read(struct sp_now *now, unsigned int clocks)
{
	if (unlikely(clocks))
		sp_now_read_all(now);
	else
		now->at[SP_CLOCK_MONO] = ktime_get_mono_fast_ns();
}

/* From one look at a clock to the next: one that stepped back took no time. */
static inline u64 sp_time_between(u64 then, u64 now)
{
	return now > then ? now - then : 0;
}

u64 sp_clock_id_of_ns(enum sp_clock_id clock_id, u64 ns);
extern const char *const sp_clock_id_names[];	/* NULL-terminated */
const char *sp_clock_id_unit(enum sp_clock_id clock_id);
const char *sp_clock_id_remark(enum sp_clock_id clock_id);
void sp_clock_id_begin(enum sp_clock_id clock_id);
void sp_clock_id_end(enum sp_clock_id clock_id);
u64 sp_clock_id_since(enum sp_clock_id clock_id, u64 mono, const struct sp_now *now);

/* What rows of histograms and values in folded stacks are made of. */
static inline u64 sp_clock_id_row_unit(enum sp_clock_id clock_id, u64 time)
{
	return clock_id == SP_CLOCK_TSC ? time : div_u64(time, NSEC_PER_USEC);
}

#endif

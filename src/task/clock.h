/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_CLOCK_H
#define SP_TASK_CLOCK_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#endif

struct sp_why;
struct timekeeper;

/* What time is measured with; the order of the attribute's words. */
enum sp_clock_id {
	SP_CLOCK_MONO,		/* ns, stands still while suspended */
	SP_CLOCK_BOOT,		/* ns, goes on */
	SP_CLOCK_TSC,		/* cycles of the CPU's time stamp counter */
	SP_CLOCKS
};

/* How hooks tell the time; see task/clock.c, which alone writes it. */
struct sp_timebase {
	u64 mult;		/* ns of a cycle, times 2^32; 0: CLOCK_MONOTONIC counts */
	u64 cycles;		/* the counter at some moment, */
	u64 ns;			/* and what time it was; or what is added to that clock */
};

extern const struct sp_timebase *sp_timebase;

/* When the kernel's time last moved on; written under the lock. */
struct sp_clock_last {
	raw_spinlock_t lock;
	bool kernel_has_tsc;
	bool left_tsc;		/* since sp_clock_settle() looked */
	u64 ns, mono;		/* that moment, by sp_time() and by CLOCK_MONOTONIC */
	u64 ahead;		/* ns; by how far the time was ahead of that; READ_ONCE */
} ____cacheline_aligned_in_smp;

extern struct sp_clock_last sp_clock_last;

/*
 * As mul_u64_u64_shr() on x86-64; but a variable of 128 bits has the compiler align the stack, and
 * keep a register for it, in each hook that asks for the time.
 */
static __always_inline u64 sp_timebase_ns(const struct sp_timebase *base, u64 cycles)
{
	u64 ns = cycles - base->cycles;
#ifdef CONFIG_X86_64
	u64 high;

	asm("mulq %[mult]\n\tshrdq $32, %[high], %[ns]"
	    : [ns] "+a" (ns), [high] "=&d" (high) : [mult] "rm" (base->mult) : "cc");
	return base->ns + ns;
#else
	return base->ns + mul_u64_u64_shr(ns, base->mult, 32);
#endif
}

/**
 * sp_time() - what time is it?
 *
 * The one clock of all hooks and readers. It runs as CLOCK_MONOTONIC does, but where
 * the kernel trusts the TSC, at that counter's own rate, which nobody adjusts; so the
 * two drift apart, see sp_moment_map() and sp_time_of_mono().
 *
 * Context: any, also a hook; ktime_get_mono_fast_ns() is made for NMIs and takes no lock.
 * Return: ns.
 */
static __always_inline u64 sp_time(void)
{
	const struct sp_timebase *base = READ_ONCE(sp_timebase);

#ifdef CONFIG_X86
	if (likely(base->mult))
		return sp_timebase_ns(base, rdtsc());
#endif
	return ktime_get_mono_fast_ns() + READ_ONCE(base->ns);
}

/**
 * sp_time_now() - the same, for those that can be preempted
 *
 * While its parts are read, they may become those of another time.
 */
static inline u64 sp_time_now(void)
{
	u64 now;

	preempt_disable();
	now = sp_time();
	preempt_enable();
	return now;
}

/*
 * What sp_time() told when CLOCK_MONOTONIC said that; of late, that is since hooks were armed.
 * When the machine began ours may not have begun.
 */
static inline u64 sp_time_of_mono(u64 mono)
{
	s64 ns = mono + READ_ONCE(sp_clock_last.ahead);

	return max_t(s64, ns, 0);
}

/* From one look at a clock to the next: one that stepped back took no time. */
static inline u64 sp_time_between(u64 then, u64 now)
{
	return now > then ? now - then : 0;
}

u64 sp_time_by_other(enum sp_clock_id clock_id, u64 ns);

/**
 * sp_time_by() - when was it, by a session's clock?
 * @clock_id: of the session
 * @ns: as sp_time() told
 *
 * What is later by the one is not earlier by the other: so all times of a task are the
 * time from its first event to its last in every clock.
 *
 * Context: any, also a hook.
 */
static __always_inline u64 sp_time_by(enum sp_clock_id clock_id, u64 ns)
{
	return likely(clock_id == SP_CLOCK_MONO) ? ns : sp_time_by_other(clock_id, ns);
}

/* One moment, as told by sp_time() and by the kernel's own clocks. */
struct sp_moment {
	u64 ns;
	u64 kernel[SP_CLOCKS];
};

void sp_moment_read(struct sp_moment *moment);
void sp_moment_move(struct sp_moment *moment, u64 ns);
u64 sp_moment_map(enum sp_clock_id clock_id, u64 at, const struct sp_moment *from,
		  const struct sp_moment *to);

bool sp_moment_agrees(const struct sp_moment *moment, const struct sp_moment *from,
		      const struct sp_moment *to);

/* What the kernel's timekeeper knows when it has moved on. */
struct sp_kernel_time {
	bool tsc;		/* its clocksource is the TSC */
	u64 cycles;		/* what that counted */
	u64 mono;		/* ns; when CLOCK_MONOTONIC said this */
	u64 boot_offset;	/* ns; how much CLOCK_BOOTTIME is ahead */
};

void sp_clock_follow(const struct sp_kernel_time *kernel);
void sp_clock_follow_timekeeper(const struct timekeeper *timekeeper);
void sp_clock_start_following(void);
void sp_clock_stop_following(void);
bool sp_clock_settle(void);
const char *sp_clock_source(void);

int sp_clock_id_check(enum sp_clock_id clock_id, struct sp_why *why);
u64 sp_clock_id_of_ns(enum sp_clock_id clock_id, u64 ns);
u64 sp_clock_id_bound(enum sp_clock_id clock_id, u64 ns);
extern const char *const sp_clock_id_names[];	/* NULL-terminated */
const char *sp_clock_id_unit(enum sp_clock_id clock_id);
const char *sp_clock_id_remark(enum sp_clock_id clock_id);

/* What rows of histograms and values in folded stacks are made of. */
static inline u64 sp_clock_id_row_unit(enum sp_clock_id clock_id, u64 time)
{
	return clock_id == SP_CLOCK_TSC ? time : div_u64(time, NSEC_PER_USEC);
}

#endif

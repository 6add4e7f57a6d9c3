// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock: what time is measured with.
 *
 * Hooks ask for the time at each switch. While the kernel's clocksource is the TSC, which
 * it then watches, they read that and multiply once (9 instructions on 6.1 instead of
 * 45); else, and on other architectures, CLOCK_MONOTONIC. While hooks are armed, the
 * timekeeper calls us whenever it moves on, so a change is followed at once: of the
 * clocksource, because the kernel found the TSC unstable or somebody chose another one, or
 * of what the counter counts, because the machine was suspended. Then CLOCK_MONOTONIC is
 * read with an offset, so that the time goes on where it was. A thread that looks now and
 * then (sp_clock_settle()) goes back to the TSC.
 *
 * The other clocks of sessions follow from this one: the time since boot by how long the
 * machine has slept, which is remembered for so many times; cycles by the TSC's rate.
 *
 * A raw lock, a leaf, for all that is written. Of the two bases hooks may read either: the
 * one of CLOCK_MONOTONIC has one word that changes, and that of the TSC is written only when
 * it was not in use for a grace period. Sleeps are only ever added: their number is
 * written last.
 */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/pvclock_gtod.h>
#include <linux/rcupdate.h>
#include <linux/timekeeper_internal.h>
#include <asm/barrier.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/why.h"
#include "lib/widen.h"
#include "task/clock.h"

/*
 * Farther apart than any adjustment of the kernel's clock brings them, ns: of its tick, a tenth,
 * and of its frequency.
 */
#define APART_NS	NSEC_PER_MSEC
#define APART_SHARE	8
/* Other CPUs may be behind by less, in cycles. */
#define BEHIND_CYCLES	BIT_ULL(32)
/* A moment is read so often, until that takes no longer. */
#define MOMENT_TRIES	4
#define MOMENT_NS	(2 * NSEC_PER_USEC)
/* So many times the machine may sleep until the first is forgotten. */
#define MAX_SLEEPS	256

static struct sp_timebase by_kernel __read_mostly, by_tsc __read_mostly;
const struct sp_timebase *sp_timebase __read_mostly = &by_kernel;
SP_EXPORT_FOR_KUNIT(sp_timebase);

/* What the timekeeper writes at each tick, off the lines that each switch reads. */
struct sp_clock_last sp_clock_last = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(sp_clock_last.lock),
};
SP_EXPORT_FOR_KUNIT(sp_clock_last);

/* From @since on, boot time is ahead by that; oldest first. */
static struct sleep {
	u64 since;
	u64 offset;
} sleeps[MAX_SLEEPS];
static u32 slept;		/* times in all; the slots are used again in turn */

static u64 cycles_mult __read_mostly;	/* cycles of a ns, times 2^32 */

const char *const sp_clock_id_names[] = {
	[SP_CLOCK_MONO] = "mono",
	[SP_CLOCK_BOOT] = "boot",
	[SP_CLOCK_TSC] = "tsc",
	NULL
};

#ifdef CONFIG_X86
static u64 tsc_cycles(void)
{
	return rdtsc_ordered();
}

static u32 tsc_rate_khz(void)
{
	return tsc_khz;
}

static bool tsc_unstable(void)
{
	return check_tsc_unstable();
}
#else
/* sp_clock_id_check() refuses it. */
static u64 tsc_cycles(void)
{
	return 0;
}

static u32 tsc_rate_khz(void)
{
	return 0;
}

static bool tsc_unstable(void)
{
	return true;
}
#endif

/* A length of time in a clock's own unit. */
u64 sp_clock_id_of_ns(enum sp_clock_id clock_id, u64 ns)
{
	return clock_id == SP_CLOCK_TSC ? mul_u64_u64_shr(ns, cycles_mult, 32) : ns;
}

/* The same of what a user wrote, which may be any number: no more than the unit has. */
u64 sp_clock_id_bound(enum sp_clock_id clock_id, u64 ns)
{
	if (clock_id == SP_CLOCK_TSC && mul_u64_u64_shr(ns, cycles_mult, 64) >> 32)
		return U64_MAX;
	return sp_clock_id_of_ns(clock_id, ns);
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

/* Can a session measure with it? Returns 0 or -EOPNOTSUPP. */
int sp_clock_id_check(enum sp_clock_id clock_id, struct sp_why *why)
{
	if (clock_id == SP_CLOCK_TSC && !tsc_rate_khz())
		return sp_refuse(why, -EOPNOTSUPP, "there is no time stamp counter but on x86; set clock to mono or boot");
	return 0;
}

/* How much boot time was ahead at a moment; what is forgotten counts as the oldest known. */
static u64 boot_offset(u64 ns)
{
	/* Pairs with note_sleep_locked(). */
	u32 n = smp_load_acquire(&slept), i;
	u64 offset = 0;

	/* One slot is left out: it may just be written. */
	for (i = n; i && n - i < MAX_SLEEPS - 1; i--) {
		const struct sleep *sleep = &sleeps[(i - 1) % MAX_SLEEPS];

		offset = READ_ONCE(sleep->offset);
		sp_window();
		if (READ_ONCE(sleep->since) <= ns)
			break;
	}
	return offset;
}

/* See sp_time_by(), which has the frequent case. */
u64 sp_time_by_other(enum sp_clock_id clock_id, u64 ns)
{
	if (clock_id == SP_CLOCK_BOOT)
		return ns + boot_offset(ns);
	return sp_clock_id_of_ns(clock_id, ns);
}
SP_EXPORT_FOR_KUNIT(sp_time_by_other);

/**
 * sp_moment_read() - what time is it, by all clocks?
 * @moment: filled
 *
 * A host may stop this CPU between two readings, so that they are of two moments. The
 * shortest of some tries is taken.
 */
void sp_moment_read(struct sp_moment *moment)
{
	u64 shortest = U64_MAX, took;
	struct sp_moment now;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < MOMENT_TRIES && shortest > MOMENT_NS; i++) {
		local_irq_save(flags);
		now.ns = sp_time();
		now.kernel[SP_CLOCK_MONO] = ktime_get_mono_fast_ns();
		now.kernel[SP_CLOCK_BOOT] = ktime_get_boot_fast_ns();
		now.kernel[SP_CLOCK_TSC] = tsc_cycles();
		took = sp_time_between(now.ns, sp_time());
		local_irq_restore(flags);
		if (took < shortest) {
			shortest = took;
			*moment = now;
		}
	}
}

/**
 * sp_moment_move() - another moment, from one that was read
 * @moment: changed; the kernel's clocks go on as they did
 * @ns: when that is, a little later
 */
void sp_moment_move(struct sp_moment *moment, u64 ns)
{
	u64 later = sp_time_between(moment->ns, ns);

	moment->ns += later;
	moment->kernel[SP_CLOCK_MONO] += later;
	moment->kernel[SP_CLOCK_BOOT] += later;
	moment->kernel[SP_CLOCK_TSC] += sp_clock_id_of_ns(SP_CLOCK_TSC, later);
}

/**
 * sp_moment_map() - when was it, by the kernel's clock of that name?
 * @clock_id: of a session
 * @at: when it was, by that
 * @from: one moment
 * @to: a later one
 *
 * How far the two are apart is known of the two moments; in between as much of the
 * difference has come as time has passed.
 */
u64 sp_moment_map(enum sp_clock_id clock_id, u64 at, const struct sp_moment *from,
		  const struct sp_moment *to)
{
	u64 begin = sp_time_by(clock_id, from->ns), end = sp_time_by(clock_id, to->ns);
	s64 first = from->kernel[clock_id] - begin, last = to->kernel[clock_id] - end;
	u64 grown = abs(last - first);

	if (at > begin && end > begin)
		grown = mul_u64_u64_div_u64(grown, min(at, end) - begin, end - begin);
	else
		grown = 0;
	return at + first + (last > first ? grown : -grown);
}
SP_EXPORT_FOR_KUNIT(sp_moment_map);

/**
 * sp_moment_agrees() - does what was known some time ago tell this moment, to the us?
 * @moment: as it was read
 * @from: for sp_moment_map(), as
 * @to: this
 */
bool sp_moment_agrees(const struct sp_moment *moment, const struct sp_moment *from,
		      const struct sp_moment *to)
{
	u64 map = sp_moment_map(SP_CLOCK_MONO, moment->ns, from, to);
	u64 kernel = moment->kernel[SP_CLOCK_MONO];

	return max(map, kernel) - min(map, kernel) <= NSEC_PER_USEC;
}

static void note_sleep_locked(u64 since, u64 offset)
{
	struct sleep *sleep = &sleeps[slept % MAX_SLEEPS];

	lockdep_assert_held(&sp_clock_last.lock);
	if (slept && sleeps[(slept - 1) % MAX_SLEEPS].offset == offset)
		return;
	WRITE_ONCE(sleep->since, slept ? since : 0);
	WRITE_ONCE(sleep->offset, offset);
	/* Pairs with boot_offset(). */
	smp_store_release(&slept, slept + 1);
}

/* Has the TSC lost, or gained, what no adjustment explains? */
static bool far_apart(u64 ns, u64 mono)
{
	u64 ours = ns - sp_clock_last.ns, kernels = mono - sp_clock_last.mono;

	return max(ours, kernels) - min(ours, kernels) > APART_NS + kernels / APART_SHARE;
}

/* The time goes on where it was, as CLOCK_MONOTONIC counts. */
static void leave_tsc_locked(u64 mono)
{
	lockdep_assert_held(&sp_clock_last.lock);
	WRITE_ONCE(by_kernel.ns, sp_clock_last.ns - sp_clock_last.mono);
	sp_window();
	/* Whoever sees the base sees its word. */
	smp_store_release(&sp_timebase, &by_kernel);
	sp_clock_last.left_tsc = true;
}

/**
 * sp_clock_follow() - the kernel's time has moved on
 * @kernel: to there
 *
 * Context: any, interrupts off; the timekeeper holds its locks.
 */
void sp_clock_follow(const struct sp_kernel_time *kernel)
{
	unsigned long flags;
	bool had_tsc;
	u64 ns;

	sp_lock_irqsave(&sp_clock_last.lock, flags);
	had_tsc = sp_timebase == &by_tsc;
	ns = had_tsc ? sp_timebase_ns(&by_tsc, kernel->cycles) : kernel->mono + by_kernel.ns;
	if (had_tsc && (!kernel->tsc || far_apart(ns, kernel->mono))) {
		leave_tsc_locked(kernel->mono);
		ns = kernel->mono + by_kernel.ns;
	}
	sp_clock_last.ns = ns;
	sp_clock_last.mono = kernel->mono;
	WRITE_ONCE(sp_clock_last.ahead, ns - kernel->mono);
	sp_clock_last.kernel_has_tsc = kernel->tsc;
	note_sleep_locked(ns, kernel->boot_offset);
	sp_unlock_irqrestore(&sp_clock_last.lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_clock_follow);

/**
 * sp_clock_follow_timekeeper() - the same, as the kernel tells it
 * @timekeeper: the kernel's
 *
 * Context: as sp_clock_follow().
 */
void sp_clock_follow_timekeeper(const struct timekeeper *timekeeper)
{
	const struct tk_read_base *read = &timekeeper->tkr_mono;
	static const struct clocksource *asked;
	static bool is_tsc;

	if (unlikely(read->clock != asked)) {
		asked = read->clock;
		/* Not tsc-early, whose rate is not known well. */
		is_tsc = IS_ENABLED(CONFIG_X86) && !strcmp(asked->name, "tsc");
	}
	sp_clock_follow(&(struct sp_kernel_time) {
		.tsc = is_tsc,
		.cycles = read->cycle_last,
		.mono = ktime_to_ns(read->base) + (read->xtime_nsec >> read->shift),
		.boot_offset = ktime_to_ns(timekeeper->offs_boot),
	});
}
SP_EXPORT_FOR_KUNIT(sp_clock_follow_timekeeper);

static int on_timekeeper(struct notifier_block *block, unsigned long was_set, void *timekeeper)
{
	sp_clock_follow_timekeeper(timekeeper);
	return NOTIFY_OK;
}

static struct notifier_block timekeeper_block = { .notifier_call = on_timekeeper };

/*
 * A moment by the counter, which is read first, so that the time does not step back, and by
 * the time as it goes on now. As in sp_moment_read() a host may stop this CPU between the two.
 */
static u64 read_with_counter(u64 *cycles)
{
	u64 shortest = U64_MAX, ns = 0;
	unsigned int i;

	for (i = 0; i < MOMENT_TRIES; i++) {
		u64 begin = tsc_cycles(), now = sp_time(), took = tsc_cycles() - begin;

		if (took < shortest) {
			shortest = took;
			*cycles = begin;
			ns = now;
		}
	}
	return ns;
}

/**
 * sp_clock_settle() - read the TSC, if that can be trusted and is not read
 *
 * Context: process, may sleep for a grace period; one caller at a time, while hooks
 * are armed.
 * Return: false if the kernel stopped trusting the TSC since the last call: what was
 * measured since then is in doubt.
 */
bool sp_clock_settle(void)
{
	unsigned long flags;
	bool trusted;
	u64 ns;

	if (READ_ONCE(sp_timebase) == &by_kernel && READ_ONCE(sp_clock_last.kernel_has_tsc) &&
	    !tsc_unstable()) {
		/* Nobody reads the base any more that was left. */
		synchronize_rcu();
		sp_lock_irqsave(&sp_clock_last.lock, flags);
		if (sp_clock_last.kernel_has_tsc) {
			by_tsc.mult = div64_u64((u64)NSEC_PER_MSEC << 32, tsc_rate_khz());
			ns = read_with_counter(&by_tsc.cycles);
			by_tsc.cycles -= BEHIND_CYCLES;
			by_tsc.ns = ns - mul_u64_u64_shr(BEHIND_CYCLES, by_tsc.mult, 32);
			/* Whoever sees the base sees what is in it. */
			smp_store_release(&sp_timebase, &by_tsc);
		}
		sp_unlock_irqrestore(&sp_clock_last.lock, flags);
	}
	sp_lock_irqsave(&sp_clock_last.lock, flags);
	trusted = !sp_clock_last.left_tsc || !tsc_unstable();
	sp_clock_last.left_tsc = false;
	sp_unlock_irqrestore(&sp_clock_last.lock, flags);
	return trusted;
}
SP_EXPORT_FOR_KUNIT(sp_clock_settle);

/* What the time comes from, one word. */
const char *sp_clock_source(void)
{
	return READ_ONCE(sp_timebase) == &by_tsc ? "tsc" : "kernel";
}
SP_EXPORT_FOR_KUNIT(sp_clock_source);

/**
 * sp_clock_start_following() - hooks are about to be armed
 *
 * Context: process, may sleep for a grace period.
 */
void sp_clock_start_following(void)
{
	cycles_mult = tsc_rate_khz() ? div_u64((u64)tsc_rate_khz() << 32, NSEC_PER_MSEC) : 0;
	/* Calls us at once. */
	pvclock_gtod_register_notifier(&timekeeper_block);
	sp_clock_settle();
}

/**
 * sp_clock_stop_following() - hooks were disarmed
 *
 * Context: process.
 */
void sp_clock_stop_following(void)
{
	unsigned long flags;

	pvclock_gtod_unregister_notifier(&timekeeper_block);
	sp_lock_irqsave(&sp_clock_last.lock, flags);
	WRITE_ONCE(by_kernel.ns, 0);
	/* Nobody follows what would tell of a change. */
	smp_store_release(&sp_timebase, &by_kernel);
	sp_clock_last.kernel_has_tsc = false;
	sp_unlock_irqrestore(&sp_clock_last.lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_clock_stop_following);

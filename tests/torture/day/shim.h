/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shim: as much of the kernel as src/task/clock.c, src/lib/task_clock.c,
 * src/lib/ledger.c and src/record/interval.h need to be built in user space, and the
 * machine that they read the time of. Every header that they include is this one. One
 * thread, so locks are nothing.
 */
#ifndef DAY_SHIM_H
#define DAY_SHIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long u64;
typedef long s64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
#define u128			__uint128_t
#define ktime_t			u64

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define U64_MAX			(~0UL)
#define S64_MAX			((s64)(U64_MAX >> 1))
#define NSEC_PER_USEC		1000L
#define NSEC_PER_MSEC		1000000L
#define NSEC_PER_SEC		1000000000L

#define __read_mostly
#define ____cacheline_aligned_in_smp
#define ____cacheline_aligned
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define noinline		__attribute__((noinline))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		(*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
/* One thread: what comes first in the program comes first. */
#define smp_wmb()		do { } while (0)
/* As above. */
#define smp_load_acquire(p)	READ_ONCE(*(p))
/* As above. */
#define smp_store_release(p, v)	WRITE_ONCE(*(p), v)
#define IS_ENABLED(CONFIG_x)	1
#define CONFIG_X86		1

#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define max3(a, b, c)		max(max(a, b), c)
#define abs(x)			((x) < 0 ? -(x) : (x))
#define clamp(v, low, high)	min(max(v, low), high)
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)((u128)a * b >> shift);
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)((u128)a * b / c);
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 div_u64(u64 a, u32 b)
{
	return a / b;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

#define preempt_disable()	do { } while (0)
#define preempt_enable()	do { } while (0)
#define local_irq_save(flags)	((flags) = 0)
#define local_irq_restore(flags) ((void)(flags))
#define synchronize_rcu()	do { } while (0)
#define raw_spinlock_t				int
#define __RAW_SPIN_LOCK_UNLOCKED(lock)		0
#define lockdep_assert_held(lock) ((void)(lock))
#define sp_lock_irqsave(lock, flags)		((void)(lock), (flags) = 0)
#define sp_unlock_irqrestore(lock, flags)	((void)(lock), (void)(flags))

/* The machine: see day.c. */
u64 rdtsc(void);
u64 ktime_get_mono_fast_ns(void);
u64 ktime_get_boot_fast_ns(void);
bool check_tsc_unstable(void);
extern unsigned int tsc_khz;
#define rdtsc_ordered()		rdtsc()

/* The timekeeper's own structures are not used: sp_clock_follow() is called. */
struct clocksource {
	const char *name;
};

struct tk_read_base {
	struct clocksource *clock;
	u64 cycle_last;
	u64 xtime_nsec;
	u32 shift;
	ktime_t base;
};

struct timekeeper {
	struct tk_read_base tkr_mono;
	ktime_t offs_boot;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long what, void *data);
};

#define NOTIFY_OK		1
#define ktime_to_ns(time)	(time)
#define pvclock_gtod_register_notifier(block)	((void)(block))
#define pvclock_gtod_unregister_notifier(block)	((void)(block))

/* What the kernel counts of its tasks is not asked for here. */
struct task_struct {
	struct {
		u64 sum_exec_runtime;
	} se;
	u64 nvcsw, nivcsw;
};

/* Of lib/why.h. */
struct sp_why {
	char text[1];
};

static inline int sp_refuse(struct sp_why *why, int err, const char *format, ...)
{
	(void)why;
	(void)format;
	return err;
}

#define EOPNOTSUPP		95

#endif

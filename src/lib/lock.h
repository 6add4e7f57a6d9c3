/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock: raw spinlocks that a hook may take.
 *
 * Each is a leaf, held for a short time with interrupts off. But while a CPU has one,
 * or spins for it, functions of the kernel may run that a session instruments: the slow
 * paths of paravirtual locks, or what reads a clocksource. Their handlers would want the
 * same lock. So the CPU sets sp_locks_held, and handlers of functions back off
 * (sp_hot_call_begin()). Hooks of the scheduler need not ask: nothing is switched or
 * woken there.
 */
#ifndef SP_LIB_LOCK_H
#define SP_LIB_LOCK_H

#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>

/* Locks of ours that this CPU has or waits for. */
DECLARE_PER_CPU(unsigned int, sp_locks_held);

/*
 * Built with SCHEDPROF_CONTENTION, for bench/storms only, each CPU counts when it had to wait
 * for another one, or to read again what a hook had written meanwhile.
 */
#ifdef SP_COUNT_CONTENTION
struct sp_contention {
	unsigned long taken;	/* locks of ours, */
	unsigned long waited;	/* and of these, such as somebody else had */
	unsigned long repeats;	/* of readers: each time that somebody wrote meanwhile, however
				 * often they looked until that was over
				 */
};

DECLARE_PER_CPU(struct sp_contention, sp_contention);
#define sp_count_contention(what)	this_cpu_inc(sp_contention.what)

static __always_inline bool sp_raw_lock_at_once(raw_spinlock_t *lock)
{
	sp_count_contention(taken);
	if (raw_spin_trylock(lock))
		return true;
	sp_count_contention(waited);
	return false;
}

/* A reader looks again. @told: SP_NO_REPEAT before it looks first */
static inline void sp_count_repeat(unsigned long sequence, unsigned long *told)
{
	if (*told != sequence)
		sp_count_contention(repeats);
	*told = sequence;
}
#else
#define sp_count_contention(what)	do { } while (0)
#define sp_count_repeat(sequence, told)	do { (void)(sequence); (void)(told); } while (0)
#define sp_raw_lock_at_once(lock)	false
#endif

#define SP_NO_REPEAT	ULONG_MAX

/* Context: interrupts off. */
static __always_inline bool sp_lock_is_held(void)
{
	return raw_cpu_read(sp_locks_held);
}

/*
 * For lockdep, the handler of a kprobe that is a breakpoint runs in an NMI, where nobody may
 * wait for a lock. It does not interrupt those who have ours: none of them comes by there.
 */
static __always_inline void sp_raw_lock(raw_spinlock_t *lock)
{
	if (sp_raw_lock_at_once(lock))
		return;
	if (!in_nmi())
		raw_spin_lock(lock);
	else
		while (!raw_spin_trylock(lock))
			cpu_relax();
}

/* Context: any but a real NMI. */
#define sp_lock_irqsave(lock, flags)			\
do {							\
	local_irq_save(flags);				\
	__this_cpu_inc(sp_locks_held);			\
	/* Interrupts are off, a handler runs on this CPU. */	\
	barrier();					\
	sp_raw_lock(lock);				\
} while (0)

#define sp_unlock_irqrestore(lock, flags)		\
do {							\
	raw_spin_unlock(lock);				\
	/* As in sp_lock_irqsave(). */			\
	barrier();					\
	__this_cpu_dec(sp_locks_held);			\
	local_irq_restore(flags);			\
} while (0)

#endif

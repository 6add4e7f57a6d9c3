/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hooks count on each CPU, and what they hand to each other there. Written by the
 * CPU alone with interrupts off; readers try again, see sp_cpu_read().
 */
#ifndef SP_TASK_PERCPU_H
#define SP_TASK_PERCPU_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "lib/irq_time.h"
#include "lib/lock.h"
#include "lib/nosched_span.h"
#include "lib/run_ring.h"
#include "lib/throttle.h"
#include "lib/task_clock.h"
#include "lib/widen.h"
#include "task/clock.h"
#include "task/task_table.h"
#include "unwind/unwind.h"

/* Every so many entries the hook measures itself. */
#define SP_OVERHEAD_SAMPLE 1024

/* Softirqs, and where hard interrupts come from: enum source in hook/irq.c. */
#define SP_IRQ_SOURCES	24

struct pt_regs;
struct sp_cpu;
struct sp_task;

/* One of a task's stacks, looked for once for all recordings of a switch. */
struct sp_known {
	bool looked;		/* for one that is stored */
	bool unwound;		/* the CPU's sp_callchain holds it */
	const struct sp_stack *stack;	/* it stands where this one did; NULL: it does not */
};

/* Where the intervals of recordings beyond are none, no switch is plain: record/plain.h. */
#define SP_MAX_MISFITS	64

/* What became of an interval, for the next switch. */
struct sp_learnt {
	bool whole;		/* nothing else became of it */
	bool more;		/* some recording asks for more than lengths off the CPU, */
	bool asks;		/* and for some it is to be asked first if that fits */
	bool beyond;		/* it is known, but a plain switch would not do all of it */
	unsigned int n;
	u32 out_depth;		/* so much of what it leaves with is asked for where it was none */
	u64 misfits;		/* recordings, by bit, in which it was none */
	const struct sp_stack *kernel, *user;	/* the deepest that were kept */
	struct sp_entry *entry[SP_MAX_ENABLED];	/* where it was added */
};

/* Nothing is known of what becomes of it. @whole: nothing else may become of it so far */
static inline void sp_learnt_begin(struct sp_learnt *learnt, bool whole)
{
	learnt->whole = whole;
	learnt->more = false;
	learnt->asks = false;
	learnt->out_depth = 0;
	learnt->beyond = false;
	learnt->n = 0;
	learnt->misfits = 0;
	learnt->kernel = NULL;
	learnt->user = NULL;
}

/* What happened to a task, on its way to every recording that wants it. */
struct sp_switch {
	struct sp_cpu *cpu;
	u64 now;		/* ns; when it happened */
	struct sp_task *st;
	struct task_struct *task;
	/* At a switch, as sp_hot_switch() got them; the place follows from them. */
	const struct pt_regs *regs;
	struct sp_place place;
	struct sp_clock before;	/* its clock before */
	bool migrated;		/* it came in on another CPU than before */
	bool woken;		/* it slept, and somebody woke it */
	bool exited;		/* the task is gone, and its stack with it */
	struct sp_known kernel, user;
};

/* Tasks that came in; which of their times have ended follows, see sp_clock_times(). */
struct sp_returns {
	u64 sleepers;		/* they were asleep, */
	u64 woken_sleepers;	/* and woken; */
	u64 runnables;		/* they were not */
	u64 newcomers;		/* of all these, not seen on a CPU before */
};

#ifdef SP_VERIFY_STACKS
/* Stacks that record/verify.h compares. */
enum sp_verify { SP_VERIFY_KERNEL, SP_VERIFY_USER, SP_VERIFY_WAKER, SP_VERIFIES };

/* One that was taken for another one. */
struct sp_mistake {
	enum sp_verify kind;
	pid_t pid;		/* of current */
	u16 known, walked;	/* frames; 0: there was no mistake */
	u16 known_flags, walked_flags;
	unsigned int at;	/* the first that differs, */
	u64 ip;			/* the innermost of the one that was known, */
	u64 frame[2];		/* and that frame there, and as it was found */
};
#endif

/* Counters of one CPU, running since the module was loaded. */
struct sp_counts {
	u64 switches;		/* one task left, another came in */
	u64 wakeups;
	u64 samples;		/* looks of hook/sampler.c */
	u64 intervals[SP_TIMES];	/* that ended, but for those of returns */
	u64 filtered[SP_CLOCK_TIMES];	/* of these, of tasks that nobody wanted */
	struct sp_returns wanted;	/* of tasks that some recording wants */
	struct sp_returns unwanted;	/* of all others: each recording filters them */
	u64 clock_steps;	/* the clock went back */
	u64 blind_ns;		/* time in which the hooks saw nothing */
	u64 overhead_ns;	/* inside the hook of switches, extrapolated from samples */
	u64 look_ns;		/* the same, in looks */
#ifdef SP_VERIFY_STACKS
	u64 verified[SP_VERIFIES];	/* walked although they were recognised, */
	u64 mistaken[SP_VERIFIES];	/* and were others */
	u64 absent;		/* user stacks of which a walk could not tell */
#endif
};

/* A look of hook/sampler.c. The next one finds the same if no switch was seen in between. */
struct sp_last_look {
	unsigned long entries;	/* into the hook of switches, until then */
	const struct task_struct *task;	/* who ran; only compared */
	u32 switches;		/* how often it has left a CPU, as the kernel counts */
};

/* Written by its CPU alone with interrupts off; readers retry on sequence. */
struct sp_cpu {
	unsigned long sequence;	/* odd while a hook runs: entries + exits */
	unsigned long calls;	/* the same while a function's entry or exit runs */
	/* Clocks of the task that came in last, and of the one that left; else sp_nobody. */
	struct sp_task *running;
	struct sp_task *left;
	struct sp_counts counts;
	/* Of the switch that is handed on, here to spare the stack. */
	u64 now;		/* ns */
	struct sp_switch sw;
	u32 plain_gen;		/* sp_plain_gen as the switch began that is not plain */
	struct sp_learnt learnt;	/* of that switch */
	struct sp_task idle;	/* of the idle task: nobody wants it */
	struct sp_callchain kernel;	/* what the walk of this event found */
	struct sp_callchain user;
	struct sp_callchain waker;
	struct sp_callchain waker_user;	/* without frames: not walked for this wakeup */
	struct sp_nosched_span span;	/* what hook/sampler.c saw of this CPU */
	struct sp_last_look look;
	/* While a recording has interrupts; written by hook/irq.c, too: */
	struct sp_irq_time irq_time;
	u64 irqs[SP_IRQ_SOURCES];	/* enum source there; how many began */
	/* ns; not of a task: the CPU idled, or the task has no clock. */
	u64 foreign_idle[SP_FOREIGNS];
	u64 foreign_lost[SP_FOREIGNS];
	u64 ring_since;		/* sp_lives.blamed_since when the ring began; 0: it is empty */
	struct sp_run_ring ring;	/* who ran, while a recording has blame */
	struct sp_throttles throttles;	/* of the task that comes in */
#ifdef SP_VERIFY_STACKS
	struct sp_mistake mistake;	/* the last one here */
#endif
};

/* Not static: all modules share 8 KB for that on x86-64. */
extern struct sp_cpu __percpu *sp_cpu;

/* Whose clock is not known; never plain, and of no task. */
extern struct sp_task sp_nobody;

/*
 * What the hypervisor took from a CPU so far, as the kernel knows since its last tick; 0 where
 * no hypervisor tells. Nothing that is finer is exported.
 */
static inline u64 sp_cpu_stolen_of(int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

/* The same of this CPU. Context: interrupts off. */
static __always_inline u64 sp_cpu_stolen(void)
{
	return __this_cpu_read(kernel_cpustat.cpustat[CPUTIME_STEAL]);
}

void sp_cpu_take_some_foreign(struct sp_cpu *cpu, struct sp_task *out, u64 stolen);

/**
 * sp_cpu_take_foreign() - a task leaves a CPU; of a span that is open, what is to come is not its
 * @cpu: this one's
 * @out: its clock, or that of the idle task
 */
static __always_inline void sp_cpu_take_foreign(struct sp_cpu *cpu, struct sp_task *out)
{
	u64 stolen = sp_cpu_stolen();

	/* Most stays are short, and nothing comes. */
	if (unlikely(sp_irq_time_came(&cpu->irq_time, stolen) || out->has_foreign))
		sp_cpu_take_some_foreign(cpu, out, stolen);
}

/* What interrupts had of this CPU's time by now, for rings and those who wait. */
static __always_inline u64 sp_cpu_foreign(const struct sp_cpu *cpu, u64 now)
{
	return sp_irq_time_foreign(&cpu->irq_time, now);
}

/* Does a recording with interrupts ask when waits began? */
static __always_inline bool sp_cpu_notes_waits(void)
{
	const u32 both = SP_PLAIN_BLAMES | SP_PLAIN_INTERRUPTS;

	return unlikely((READ_ONCE(sp_plain_gen) & both) == both);
}

/**
 * sp_cpu_note_wait() - a task begins to wait for a CPU, in the midst of what runs there
 * @st: its clock
 * @cpu: the CPU
 * @since: ns; what is stamped in the clock
 *
 * So its wait can be split from there on. Wakers may be several at a time: one word is of the
 * other's then, and some nanoseconds are in another row.
 *
 * Context: a hook in whoever wakes or moves it, if sp_cpu_notes_waits().
 */
static inline void sp_cpu_note_wait(struct sp_task *st, int cpu, u64 since)
{
	WRITE_ONCE(st->waits_foreign, sp_cpu_foreign(per_cpu_ptr(sp_cpu, cpu), since));
	/* Who finds since when, finds this. Pairs with sp_blame_split() and whoever copies it. */
	smp_wmb();
	sp_window();
	WRITE_ONCE(st->waits_since, since);
}

/* At a switch: is the task that leaves still there, and its user memory loaded? */
static inline bool sp_switch_leaving(const struct sp_switch *sw)
{
	return !sw->regs;
}

/* Nothing of its task's stacks is known. */
static __always_inline void sp_switch_forget_stacks(struct sp_switch *sw)
{
	sw->kernel = (struct sp_known) { };
	sw->user = (struct sp_known) { };
}

/* With these times having ended, did the task sleep, and did somebody wake it? */
static inline bool sp_switch_woken(unsigned int times)
{
	return times & BIT(SP_TIME_BLOCKED) && times & BIT(SP_TIME_RUN_QUEUE);
}

/* One more with each arming of hook/irq.c, times SP_SPANS. */
extern u32 sp_irq_armings;

/* ns; of one CPU, or of all of them. Nothing but u64. */
struct sp_foreign_sums {
	u64 all[SP_FOREIGNS];		/* whatever it came into: */
	u64 idle[SP_FOREIGNS];		/* of it, while the CPU idled; */
	u64 lost[SP_FOREIGNS];		/* of tasks without a clock */
	u64 open[SP_FOREIGNS];		/* of the task that runs now, since it came in */
};

int sp_hot_init(void);
void sp_hot_exit(void);
u64 sp_hot_mean_ns(void);
void sp_hot_blind(u64 ns);
void sp_foreign_read(struct sp_foreign_sums *sums, int cpu);
void sp_foreign_open(u64 *foreign, int cpu);
void sp_cpu_read(int cpu, void (*copy)(int cpu, void *data), void *data);
unsigned long sp_cpu_entries(int cpu);
unsigned long sp_cpu_exits(int cpu);

/**
 * sp_hot_call_begin() - an instrumented function is entered or left here
 *
 * Context: interrupts off.
 * Return: this CPU's, for sp_hot_call_end(); NULL where nothing may be touched: in an
 * NMI, inside of a hook, while this CPU has or waits for a lock of ours, and while the
 * hooks are shut.
 */
static __always_inline struct sp_cpu *sp_hot_call_begin(void)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (unlikely(in_nmi() || (cpu->sequence | cpu->calls) & 1 || sp_lock_is_held() ||
		     sp_hot_is_shut()))
		return NULL;
	cpu->calls++;
	/* Pairs with sp_cpu_read(). */
	smp_wmb();
	return cpu;
}

static __always_inline void sp_hot_call_end(struct sp_cpu *cpu)
{
	/* As in sp_hot_call_begin(). */
	smp_wmb();
	cpu->calls++;
}

#endif

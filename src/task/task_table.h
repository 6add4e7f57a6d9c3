/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_TASK_TASK_TABLE_H
#define SP_TASK_TASK_TABLE_H

#include <linux/bitmap.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include "compat/compat.h"

#include "lib/irq_time.h"
#include "lib/limits.h"
#include "lib/stack_table.h"
#include "task/clock.h"
#include "lib/task_clock.h"
#include "task/traits.h"

struct sp_entry;
struct sp_stack;

/*
 * One observed task. After it is made, it is written by the CPU that switches the
 * task, with interrupts off; the scheduler orders those writes from one CPU to the
 * next, and where that CPU's timer or a function that is instrumented finds the task. Others
 * write single words: wakers the stamps woken and tried of the clock, and since when it waits
 * and what interrupts had until then; whoever moves it to another CPU moved,
 * sp_task_mark_undecided() undecided, the parent at fork heir_gen and the bits of heir, who takes
 * it off the heirs these, and who sees it die that it is leaving; and whoever restarts or removes
 * it, under the lock of its part, the sequence count. Readers take a copy under that.
 */
struct sp_task {
	/* What each switch needs: two cache lines. */
	struct task_struct *task;	/* the key; immutable while listed */
	u64 start_time;			/* proves that the key was not reused */
	struct sp_clock clock;
	u32 plain;			/* sp_plain_gen, if its switches may be plain */
	u32 nvcsw;			/* voluntary ones, as the kernel counts */
	seqcount_t seq;			/* of the clock */
	u32 switches;			/* times it left the CPU */
	u32 cpu;			/* where it came in last */
	u32 exec_id;			/* which program it runs */
	bool wanted;			/* some bit is set in match */
	bool unwanted;			/* some live recording's bit is not */
	bool announced;			/* recordings know its program */
	bool has_foreign;		/* foreign is not all 0 */
	u32 place_gen;			/* sp_plain_gen when place was set */
	u32 learnt;			/* so many times all of it was learnt anew */
	u32 inside;			/* of what it left its CPU: see hook/switch.c; 0: nothing */
	struct sp_entry *place;		/* where it stood last; NULL: not known */
	/* Where user memory is in reach on the way out only: */
	const struct sp_stack *out_user;	/* what it left with, */
	u32 out_seq;			/* and when: the count of its clock */
	u32 filter_gen;			/* when match was decided; 0: never */
	u64 misfits;			/* recordings, by bit, in which its interval was none */

	/* While a recording has interrupts: */
	u64 foreign[SP_FOREIGNS];	/* ns; of its last time on a CPU that is over */
	u64 serial;			/* of this task in this place, never reused */
	u32 number;			/* of the place; immutable */
	bool has_fresh;			/* some bit is set in fresh */
	bool alive;			/* for sp_task_table_restart() */
	u8 astray;			/* times in a row, see sp_plain_elsewhere() */
	bool kthread;			/* it was one when all filters were asked */
	struct sp_passed passed;	/* where it switches */
	u64 undecided;			/* ns; since when filters may want it; 0: decided */
	u64 wanted_since;		/* ns; for the recordings in fresh */
	struct sp_look look;		/* of the task when filters were asked */
	struct hlist_node node;		/* RCU; changed under the lock of its part */
	DECLARE_BITMAP(match, SP_MAX_ENABLED);	/* sessions that want it */
	DECLARE_BITMAP(fresh, SP_MAX_ENABLED);	/* of these, from wanted_since on */
	/* And those for which it descends from a listed task; atomic. */
	DECLARE_BITMAP(heir, SP_MAX_ENABLED);
	u32 passed_waking;		/* its words, where it wakes others */
	union {
		u32 heir_gen;		/* when heir was found at its birth; 0: never */
		u32 next_free;		/* of those that are retired, or free; in the pool */
	};
	u64 moved;			/* ns; when it was moved last while it waited; READ_ONCE */
	/* The same, or when it was woken, and of its CPU then: see sp_cpu_note_wait() */
	u64 waits_since;
	u64 waits_foreign;
	u64 leaving;			/* ns; see sp_throttle_note_leaving(); READ_ONCE */
	u64 born;			/* ns; immutable: sp_time_of_mono() tells another later */
} ____cacheline_aligned;

/* ns; since when the hook of switches is believed, set before. */
extern u64 sp_armed_at;

/* What the hooks look into is made anew: they do nothing meanwhile. */
extern bool sp_hot_shut;

/* How often that was over. What a hook saw before it did nothing may be over, too. */
extern u32 sp_hot_openings;

/*
 * Context: a hook, interrupts off; who shut them, under the hook mutex; a reader, for which it may
 * change at any time.
 */
static __always_inline bool sp_hot_is_shut(void)
{
	/* Pairs with open_hooks() in hook/switch.c. */
	return smp_load_acquire(&sp_hot_shut);
}

/* For sp_task_add(): since its birth, or since hooks were believed, if that was later. */
#define SP_SINCE_BIRTH	0

/* In sp_task.filter_gen: some filter asked for traits then. Alone it is no generation. */
#define SP_LIVE_ASKED	1U

/* Changes whenever anything does that plain switches take for granted; never 0. */
extern u32 sp_plain_gen;

/* In sp_plain_gen: some filter asks for traits, so looks are compared; */
#define SP_PLAIN_ASKS	1U
/* some recording has blame, so each CPU remembers who ran; */
#define SP_PLAIN_BLAMES	2U
/* some recording has interrupts, so each task is told what of its time was not its own. */
#define SP_PLAIN_INTERRUPTS	4U
#define SP_PLAIN_MORE	(SP_PLAIN_ASKS | SP_PLAIN_BLAMES | SP_PLAIN_INTERRUPTS)

void sp_plain_bump(void);
void sp_plain_bump_with(u32 more);

/* As ps has them; a lock of PREEMPT_RT counts as D. */
static inline enum sp_state sp_state_of(unsigned int state)
{
	if (!state)
		return SP_STATE_R;
	if (state & (__TASK_STOPPED | __TASK_TRACED | TASK_PARKED))
		return SP_STATE_T;
	if (state & TASK_NOLOAD)
		return SP_STATE_I;
	return state & (TASK_UNINTERRUPTIBLE | TASK_RTLOCK_WAIT | TASK_FROZEN) ?
	       SP_STATE_D : SP_STATE_S;
}

/*
 * What a task does, by the scheduler's own word, which may change meanwhile. A newborn waits for
 * a CPU also while its parent has not said so yet.
 */
static inline enum sp_phase sp_task_phase(const struct task_struct *task)
{
	unsigned int state = sp_task_state(task);

	if (sp_task_on_cpu(task))
		return SP_PHASE_ON_CPU;
	if (!state || state == TASK_WAKING || state == TASK_NEW)
		return SP_PHASE_RUNNABLE;
	return SP_PHASE_ASLEEP;
}

/*
 * What did a task do that has just come in, and has no clock? It waited for its first CPU; or it
 * had one before, when no hook saw that, and nobody knows. The scheduler counts before it switches.
 */
static inline enum sp_phase sp_task_phase_before(const struct task_struct *task)
{
	return task->nvcsw || task->nivcsw ? SP_PHASE_UNKNOWN : SP_PHASE_RUNNABLE;
}

/*
 * How often has a task left by itself that is on a CPU, for sp_plain_how()? One that is about to
 * leave so may be counted already, which is before its hook.
 */
static inline u32 sp_task_left_before(const struct task_struct *task)
{
	u32 left = (u32)READ_ONCE(task->nvcsw);

	/* It sets its state before it is counted. */
	smp_rmb();
	return left - !!sp_task_state(task);
}

/* Does it wait for its first CPU? If it has one by now, nothing of that is told yet. */
static inline bool sp_task_never_ran(const struct task_struct *task)
{
	return sp_task_phase_before(task) == SP_PHASE_RUNNABLE &&
	       sp_task_phase(task) == SP_PHASE_RUNNABLE;
}

/**
 * sp_state_left() - the state in which a task left that gave its CPU up
 * @task: the task
 * @state: of it, as sp_task_state() has it now
 * @stamped: somebody woke it, or tried to, since it came in
 *
 * A waker may have been faster than who asks. Then only the bit that __schedule() leaves
 * behind for the load average tells a wait for a disk from another sleep; wakers read it.
 * A task that is running again, and was stamped, may not have slept at all, because of a
 * signal: then that bit is of another time.
 */
static inline enum sp_state sp_state_left(const struct task_struct *task, unsigned int state,
					  bool stamped)
{
	if (state == TASK_WAKING)
		return task->sched_contributes_to_load ? SP_STATE_D : SP_STATE_S;
	return !state && stamped ? SP_STATE_S : sp_state_of(state);
}

int sp_task_table_init(u32 slots);
void sp_task_table_destroy(void);
void sp_task_table_restart(void);
void sp_task_table_trust(void);
bool sp_task_table_is_trusted(void);
u32 sp_tasks_room(void);
u32 sp_task_table_room(void);
void sp_task_table_recycle(void);
void sp_task_table_keep_slots(void);
void sp_task_table_give_slots(void);
u32 sp_task_table_slots(void);
u32 sp_task_table_count(void);
struct sp_task *sp_task_find(struct task_struct *task);
struct sp_task *sp_task_add(struct task_struct *task, enum sp_phase phase,
			    u64 since);
void sp_task_add_living(struct task_struct *task, enum sp_phase phase, u64 since);
bool sp_task_may_have_been_refused(const struct task_struct *task);
bool sp_task_stamp_woken(struct task_struct *task, u64 before, u64 now);
void sp_task_disinherit(unsigned int bit);
void sp_task_mark_undecided(u64 now);
void sp_task_notice_exec(struct sp_task *st, const struct task_struct *task);
void sp_task_remove(struct sp_task *st);
bool sp_task_copy(struct task_struct *task, struct sp_task *copy, u32 *slot);
bool sp_task_add_newborn(struct task_struct *task);
u64 sp_task_table_bytes(u32 slots);
#if defined(SCHEDPROF_KUNIT) || IS_ENABLED(CONFIG_SCHEDPROF_KUNIT_TEST)
raw_spinlock_t *sp_task_table_lock(unsigned int part);
#endif

/**
 * sp_task_is() - is this still the clock of that task?
 * @st: a clock, which may have been given to another task since
 * @task: the task
 *
 * A task at the address of one that is gone started later. One that started
 * earlier is the same: a thread that execs takes the place of its leader, and gets
 * the leader's start time (de_thread() in fs/exec.c).
 *
 * Context: a hook that switches @task, so nobody takes its clock away.
 */
static __always_inline bool sp_task_is(const struct sp_task *st,
				       const struct task_struct *task)
{
	/* Pairs with sp_task_add(). */
	return smp_load_acquire(&st->task) == task &&
	       st->start_time >= task->start_time;
}

/**
 * sp_task_other_program() - does a task run another program than its clock knows?
 * @st: its clock
 * @task: the task
 */
static __always_inline bool sp_task_other_program(const struct sp_task *st,
						  const struct task_struct *task)
{
	return st->exec_id != (u32)task->self_exec_id;
}

/* Its user addresses mean something else after exec. Context: a hook that switches @task. */
static __always_inline void sp_task_follow_exec(struct sp_task *st,
						const struct task_struct *task)
{
	if (unlikely(sp_task_other_program(st, task)))
		sp_task_notice_exec(st, task);
}

/* Number of a task's place, below sp_task_table_slots(). */
static inline u32 sp_task_slot(const struct sp_task *st)
{
	return st->number;
}

/*
 * Where a time of a task was: one on a CPU on that one, which is its last one until it comes in;
 * any other where it ends.
 */
static __always_inline unsigned int sp_task_where(enum sp_time time, const struct sp_task *st,
						  unsigned int here)
{
	return time == SP_TIME_ON_CPU ? st->cpu : here;
}

/* Who wants it, or what it runs, is another. */
static inline void sp_task_forget_place(struct sp_task *st)
{
	st->plain = 0;
	st->place = NULL;
	st->out_seq = 0;
	st->passed = (struct sp_passed){};
	st->passed_waking = 0;
	/* Entries remember what followed then. At the end of the numbers nothing is learnt. */
	if (st->learnt != U32_MAX)
		st->learnt++;
}

#endif

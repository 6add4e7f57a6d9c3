// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_table: the clocks of all tasks, shared by all sessions.
 *
 * A hash table of fixed size keyed by task_struct. Look-up takes no lock; it runs
 * with interrupts off or in an RCU read side section. Adding (a task's birth),
 * removing (its last switch), and what process context does with a slot (copy, restart)
 * take a raw spinlock with interrupts off: that of the part of the table in which the
 * task's chain is. So births and deaths on several CPUs seldom meet.
 *
 * Whoever looks up may stand on a slot that is just being removed. So a slot keeps
 * its place in the chain, and is retired: it changes hands only after a grace period
 * (sp_task_table_recycle()), and then remembers nothing of its task before. A look-up
 * therefore never leaves its chain, and needs no second try.
 *
 * A slot is free in the part where its last task died, see lib/pool.h: a birth finds it, and
 * there are never more clocks than slots. Whoever goes over all slots meets such as have no
 * task yet, or none any more; what it writes there is forgotten when a task gets the slot, or
 * means nothing to one for which nothing was decided.
 *
 * The table exists while hooks are armed. It is made before and destroyed
 * after them, with all that is retired then: the watching thread, which alone gives such slots
 * back, has ended before. What the next table has follows from its own size.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/longest.h"
#include "lib/memory.h"
#include "lib/pool.h"
#include "task/task_table.h"
#include "lib/widen.h"

/* Taken for writing by who gives slots back, for reading by who needs them to be kept. */
static DECLARE_RWSEM(keeping);

/* Changed under bump_lock. */
u32 sp_plain_gen __read_mostly = SP_PLAIN_MORE + 1;
static DEFINE_MUTEX(bump_lock);

u64 sp_armed_at __read_mostly;
SP_EXPORT_FOR_KUNIT(sp_armed_at);
bool sp_hot_shut __read_mostly;
SP_EXPORT_FOR_KUNIT(sp_hot_shut);
u32 sp_hot_openings __read_mostly;

/* By part: given there, under its lock; they go on in the next table. */
static struct {
	u64 last;
} ____cacheline_aligned_in_smp serials[SP_PARTS];

static struct {
	/* Immutable while hooks are armed. */
	u32 slots;
	u32 bits;
	struct hlist_head *heads;
	struct sp_task *tasks;
	struct sp_pool pool;	/* of slots; a chain tells its part */
	/* Written when tasks found no room. */
	u64 refused_until;	/* ns; they did not before; 0: they always did; READ_ONCE */
	bool trusted;		/* a hook sees all who come in since then; READ_ONCE */
} table;

static void bump_locked(u32 more)
{
	u32 step = SP_PLAIN_MORE + 1, next = (sp_plain_gen & ~SP_PLAIN_MORE) + step ?: step;

	lockdep_assert_held(&bump_lock);
	/* Pairs with long_switch() in hook/switch.c. */
	smp_store_release(&sp_plain_gen, next | more);
}

/**
 * sp_plain_bump_with() - no switch is plain until the long way has seen its tasks again
 * @more: of SP_PLAIN_MORE, what is to be done at each switch from then on
 *
 * Context: process, may sleep, behind what has changed.
 */
void sp_plain_bump_with(u32 more)
{
	mutex_lock(&bump_lock);
	bump_locked(more);
	mutex_unlock(&bump_lock);
}

/* The same, and no more is to be done than before. */
void sp_plain_bump(void)
{
	mutex_lock(&bump_lock);
	bump_locked(sp_plain_gen & SP_PLAIN_MORE);
	mutex_unlock(&bump_lock);
}

/* Nothing is shifted by all of its bits, see hash_ptr(). */
static u32 bits_for(u32 slots)
{
	return max_t(u32, order_base_2(slots), 1);
}

/**
 * sp_task_table_bytes() - memory that the table will take
 * @slots: tasks it can hold
 */
u64 sp_task_table_bytes(u32 slots)
{
	return (sizeof(*table.heads) << bits_for(slots)) +
	       (u64)slots * sizeof(*table.tasks) + sp_parts_bytes();
}

/**
 * sp_task_table_init() - make the empty table
 * @slots: tasks it can hold, 1 to SP_MAX_TABLE
 *
 * Context: process, may sleep, no hook is armed.
 * Return: 0 or -ENOMEM.
 */
int sp_task_table_init(u32 slots)
{
	table.slots = slots;
	table.refused_until = 0;
	table.trusted = false;
	table.bits = bits_for(slots);
	if (sp_task_table_bytes(slots) >> PAGE_SHIFT >= si_mem_available())
		return -ENOMEM;
	table.heads = sp_alloc(sizeof(*table.heads) << table.bits);
	table.tasks = sp_alloc((size_t)slots * sizeof(*table.tasks));
	if (sp_pool_init(&table.pool, slots, SP_POOL_OF(table.tasks, next_free)) ||
	    !table.heads || !table.tasks) {
		sp_task_table_destroy();
		return -ENOMEM;
	}
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_task_table_init);

/**
 * sp_task_table_destroy() - give the memory back
 *
 * Context: process, may sleep, no hook is armed and no reader is inside.
 */
void sp_task_table_destroy(void)
{
	sp_pool_destroy(&table.pool);
	vfree(table.heads);
	vfree(table.tasks);
	table.heads = NULL;
	table.tasks = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_task_table_destroy);

/* Places in all. */
u32 sp_task_table_slots(void)
{
	return table.slots;
}

/* Places that were ever in use; there are never more clocks. */
u32 sp_task_table_count(void)
{
	return sp_pool_end(&table.pool);
}
SP_EXPORT_FOR_KUNIT(sp_task_table_count);

/* Tasks that are born between counting and looking. */
#define BORN_MEANWHILE	64

/**
 * sp_tasks_room() - for how many tasks a reader needs room
 *
 * Those there are, and some of who is born meanwhile.
 *
 * Context: process.
 */
u32 sp_tasks_room(void)
{
	struct task_struct *process, *task;
	u32 living = 0;

	rcu_read_lock();
	for_each_process_thread(process, task)
		living++;
	rcu_read_unlock();
	return living + BORN_MEANWHILE;
}

/**
 * sp_task_table_room() - for how many clocks a reader needs room
 *
 * Those there are, those that readers give to newborns, and some of who is born meanwhile.
 *
 * Context: process.
 */
u32 sp_task_table_room(void)
{
	return min(max(sp_tasks_room(), sp_pool_count(&table.pool) + BORN_MEANWHILE), table.slots);
}

static struct hlist_head *head_of(struct task_struct *task)
{
	return &table.heads[hash_ptr(task, table.bits)];
}

static u32 part_of(struct task_struct *task)
{
	return hash_ptr(task, table.bits) % SP_PARTS;
}

static raw_spinlock_t *lock_of(struct task_struct *task)
{
	return &table.pool.parts[part_of(task)].lock;
}

/**
 * sp_task_find() - the clock of a task
 * @task: the task
 *
 * Chains are short: there are at least as many heads as slots, and nobody chooses
 * the addresses of tasks.
 *
 * Context: interrupts off, or an RCU read side section, or the lock of its part held. The
 * clock stays the task's in a hook that switches the task, and under the lock.
 * Return: the clock, or NULL if there is none.
 */
struct sp_task *sp_task_find(struct task_struct *task)
{
	unsigned int steps = 0;
	struct sp_task *st;

	hlist_for_each_entry_rcu(st, head_of(task), node, true) {
		sp_longest_note(tasks, ++steps);
		if (sp_task_is(st, task))
			return st;
		sp_window();
	}
	return NULL;
}
SP_EXPORT_FOR_KUNIT(sp_task_find);

/* Those who look up may stand on it: its way to the next one in the chain stays. */
static void remove_locked(struct sp_task *st)
{
	u32 at = part_of(st->task);

	hlist_del_init_rcu(&st->node);
	sp_window();
	WRITE_ONCE(st->task, NULL);
	/*
	 * Only the hook of its own task may be writing it, which goes on to the end of that
	 * on this CPU: nobody gets the slot before.
	 */
	WRITE_ONCE(st->seq.sequence, st->seq.sequence + 2);
	sp_pool_retire_locked(&table.pool, at, st->number);
}

/**
 * sp_task_table_recycle() - let slots of tasks that are gone be used again
 *
 * Called now and then while hooks are armed. Until then a burst of births and deaths
 * takes slots that were never used; a table without any says so, see no_slot() in hook/switch.c.
 *
 * Context: process, sleeps for a grace period.
 */
void sp_task_table_recycle(void)
{
	if (!down_write_trylock(&keeping))
		return;
	sp_pool_recycle(&table.pool);
	up_write(&keeping);
}
SP_EXPORT_FOR_KUNIT(sp_task_table_recycle);

/**
 * sp_task_table_keep_slots() - no slot shall change hands
 *
 * For who tells by their numbers which tasks he has had. To be undone, soon, by
 * sp_task_table_give_slots().
 *
 * Context: process, may sleep for a grace period.
 */
void sp_task_table_keep_slots(void)
{
	down_read(&keeping);
}

/* Undoes sp_task_table_keep_slots(). Context: process. */
void sp_task_table_give_slots(void)
{
	up_read(&keeping);
}

/* Whatever the slot knew of a task goes; the sequence count only ever grows. */
static void forget_task(struct sp_task *st)
{
	seqcount_t seq = st->seq;

	memset(st, 0, sizeof(*st));
	st->seq = seq;
	st->number = st - table.tasks;
}

/*
 * A task that was there already may have lived for long without a clock. All CPUs share
 * this, and a full table is asked at each switch, so it is written once a millisecond,
 * for the next one, too. ktime_get_mono_fast_ns() is made for NMIs and takes no lock.
 */
static void note_refusal(void)
{
	u64 now = ktime_get_mono_fast_ns();

	if (now >= READ_ONCE(table.refused_until))
		WRITE_ONCE(table.refused_until, now + NSEC_PER_MSEC);
}

/**
 * sp_task_may_have_been_refused() - was a task there when there was no room for it?
 * @task: the task
 *
 * Both are of the kernel's clock. Those that were born before it ran have a start time of 0.
 *
 * Context: any.
 * Return: true also if it had a clock then, or was born in the millisecond after.
 */
bool sp_task_may_have_been_refused(const struct task_struct *task)
{
	u64 until = READ_ONCE(table.refused_until);

	return unlikely(until) && task->start_time <= until;
}

/*
 * As sp_task_add(), but nobody takes notice if there is no room. @reads: it is not a hook that
 * asks. Then the task may have lived all of its life on another CPU since it was looked at. The
 * hook of its last switch, which takes its clock away, comes behind this, or was here before
 * with the lock, and then it is seen to be dead; unless that found no room for a clock, and
 * then this one doubts all that was.
 */
static struct sp_task *add_clock(struct task_struct *task, enum sp_phase phase, u64 since,
				 bool reads)
{
	u32 at = part_of(task), slot = sp_pool_take(&table.pool, at);
	bool on_cpu = phase == SP_PHASE_ON_CPU || task == current;
	struct sp_task *st, *other;
	unsigned long flags;

	if (slot == SP_POOL_NONE)
		return NULL;
	st = &table.tasks[slot];
	sp_window();
	forget_task(st);
	sp_lock_irqsave(lock_of(task), flags);
	if (reads && unlikely(sp_task_state(task) == TASK_DEAD)) {
		sp_pool_put_locked(&table.pool, at, slot);
		st = NULL;
		goto out;
	}
	hlist_for_each_entry(other, head_of(task), node) {
		if (other->task != task)
			continue;
		if (sp_task_is(other, task)) {
			sp_pool_put_locked(&table.pool, at, slot);
			st = other;
			goto out;
		}
		remove_locked(other);
		phase = SP_PHASE_UNKNOWN;
		break;
	}
	if (sp_task_may_have_been_refused(task))
		phase = SP_PHASE_UNKNOWN;
	st->start_time = task->start_time;
	st->born = min(sp_time_of_mono(task->start_time), sp_time());
	/* Whoever gives all tasks a clock may have looked at the time before this one was born. */
	since = max(since == SP_SINCE_BIRTH ? READ_ONCE(sp_armed_at) : since, st->born);
	/* Each part has others. */
	st->serial = ++serials[at].last * SP_PARTS + at;
	st->nvcsw = on_cpu ? sp_task_left_before(task) : (u32)READ_ONCE(task->nvcsw);
	st->exec_id = (u32)task->self_exec_id;
	sp_clock_start(&st->clock, phase, since);
	if (phase == SP_PHASE_ASLEEP)
		st->clock.state = sp_state_of(sp_task_state(task));
	st->cpu = task_cpu(task);
	st->seq.sequence += 2;
	/* Pairs with sp_task_is(). */
	smp_store_release(&st->task, task);
	hlist_add_head_rcu(&st->node, head_of(task));
out:
	sp_unlock_irqrestore(lock_of(task), flags);
	return st;
}

/**
 * sp_task_add() - the clock of a task that has none
 * @task: the task; the caller keeps it from going away
 * @phase: what it does, if its clock is new
 * @since: ns; when that began, or SP_SINCE_BIRTH
 *
 * A clock under the same key whose task is gone (its last switch was missed)
 * is replaced. Where the past of the task is in doubt, no interval is made
 * up: its clock starts with the next event.
 *
 * Return: the clock, or NULL if the table is full.
 */
struct sp_task *sp_task_add(struct task_struct *task, enum sp_phase phase,
			    u64 since)
{
	struct sp_task *st = add_clock(task, phase, since, false);

	if (unlikely(!st))
		note_refusal();
	return st;
}
SP_EXPORT_FOR_KUNIT(sp_task_add);

/**
 * sp_task_add_living() - the same, of a task that may be on its way out on another CPU
 * @task: as for sp_task_add()
 * @phase: as for sp_task_add()
 * @since: as for sp_task_add()
 *
 * Behind its last switch, which takes its clock away, it gets none: nobody would take that away.
 *
 * Context: no hook.
 */
void sp_task_add_living(struct task_struct *task, enum sp_phase phase, u64 since)
{
	if (unlikely(!add_clock(task, phase, since, true)) && sp_task_state(task) != TASK_DEAD)
		note_refusal();
}

/**
 * sp_task_add_newborn() - a clock for who waits for its first CPU
 * @task: a task without one; the caller keeps it from going away
 *
 * The same that the hook would give it there, if a hook is trusted to see it come in.
 *
 * Context: no hook; interrupts off, and hooks are not shut.
 * Return: whether it has a clock now.
 */
bool sp_task_add_newborn(struct task_struct *task)
{
	return READ_ONCE(table.trusted) && sp_task_never_ran(task) &&
	       !sp_task_may_have_been_refused(task) &&
	       add_clock(task, SP_PHASE_RUNNABLE, SP_SINCE_BIRTH, true);
}

/**
 * sp_task_table_trust() - a hook sees whoever comes in
 *
 * Context: process; all who came in before have a clock. Until sp_task_table_restart().
 */
void sp_task_table_trust(void)
{
	WRITE_ONCE(table.trusted, true);
}

/**
 * sp_task_table_is_trusted() - does a hook see whoever comes in?
 *
 * Else a clock that is made now may not be moved on when its task does something.
 *
 * Context: any; with interrupts off it stays as it is unless the hooks are shut.
 */
bool sp_task_table_is_trusted(void)
{
	return READ_ONCE(table.trusted);
}

/**
 * sp_task_stamp_woken() - a wakeup that no hook saw
 * @task: the task; the caller keeps it from going away
 * @before: ns; what the stamp says, or nothing is done: a waker that was seen knows better
 * @now: ns; or 0: it was not woken
 *
 * Context: process.
 * Return: whether that was done.
 */
bool sp_task_stamp_woken(struct task_struct *task, u64 before, u64 now)
{
	struct sp_task *st;
	unsigned long flags;
	bool done;

	sp_lock_irqsave(lock_of(task), flags);
	st = sp_task_find(task);
	sp_window();
	done = st && cmpxchg(&st->clock.woken, before, now) == before;
	sp_unlock_irqrestore(lock_of(task), flags);
	return done;
}

/**
 * sp_task_disinherit() - nobody is an heir for a session
 * @bit: of its recording, which is not live yet
 *
 * Context: process.
 */
void sp_task_disinherit(unsigned int bit)
{
	u32 i, used = sp_task_table_count();

	for (i = 0; i < used; i++) {
		clear_bit(bit, table.tasks[i].heir);
		cond_resched();
	}
}

/**
 * sp_task_mark_undecided() - filters may want tasks from now on that they did not want
 * @now: ns
 *
 * What such a task is at began before; whoever wants it shall not be told of that.
 *
 * Context: process, while hooks are armed.
 */
void sp_task_mark_undecided(u64 now)
{
	u32 i, used = sp_task_table_count();

	/* Whoever takes a mark that is there already shall see what was written before this. */
	smp_mb();
	for (i = 0; i < used; i++) {
		u64 *undecided = &table.tasks[i].undecided;
		u64 found, since = READ_ONCE(*undecided);

		/* Until the task is decided the earliest counts. */
		for (; !since || now < since; since = found) {
			found = cmpxchg64(undecided, since, now);
			if (found == since)
				break;
		}
		cond_resched();
	}
}
SP_EXPORT_FOR_KUNIT(sp_task_mark_undecided);

/* Whoever wants it only when filters are asked again has not seen it until now. */
static void ask_anew(struct sp_task *st, u64 now)
{
	if (!st->filter_gen)
		return;
	WRITE_ONCE(st->filter_gen, SP_LIVE_ASKED);
	cmpxchg64(&st->undecided, 0, now);
}

/**
 * sp_task_notice_exec() - a task runs another program
 * @st: its clock
 * @task: the task
 *
 * Nothing that was known of its user addresses holds. And a thread that took its leader's
 * place, as its start time tells, has another TID now, which other filters list; and before
 * 5.19, who is started by the kernel is a kernel thread up to its exec.
 *
 * Context: a hook on the CPU of @task, interrupts off.
 */
void sp_task_notice_exec(struct sp_task *st, const struct task_struct *task)
{
	WRITE_ONCE(st->exec_id, (u32)task->self_exec_id);
	st->announced = false;
	sp_task_forget_place(st);
	if (unlikely(st->start_time != task->start_time ||
		     st->kthread != !!(task->flags & PF_KTHREAD)))
		ask_anew(st, st->clock.in_ts ?: sp_time());
}
SP_EXPORT_FOR_KUNIT(sp_task_notice_exec);

/**
 * sp_task_remove() - forget a task
 * @st: its clock; the caller is the hook that saw its last switch
 */
void sp_task_remove(struct sp_task *st)
{
	raw_spinlock_t *lock = lock_of(st->task);
	unsigned long flags;

	sp_lock_irqsave(lock, flags);
	remove_locked(st);
	sp_unlock_irqrestore(lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_task_remove);

/* Nobody adds or removes meanwhile, so the slot is its task's; or nobody's, and knows nothing. */
static void restart_slot(struct sp_task *st, u64 now)
{
	raw_spinlock_t *lock;
	unsigned long flags;

	if (!st->task)
		return;
	lock = lock_of(st->task);
	sp_lock_irqsave(lock, flags);
	sp_clock_start(&st->clock, SP_PHASE_UNKNOWN, 0);
	sp_window();
	ask_anew(st, now);
	/* Nobody saw when the softirq ended that it left its CPU in. */
	st->inside = 0;
	sp_task_forget_place(st);
	/* No stack that was taken on the way out belongs to what comes. */
	WRITE_ONCE(st->seq.sequence, st->seq.sequence + 2);
	st->alive = false;
	sp_unlock_irqrestore(lock, flags);
}

/**
 * sp_task_table_restart() - forget what every task did
 *
 * The clocks start with the next event of their tasks. Those whose tasks are
 * gone are removed; one that is on its way out gets a new clock.
 *
 * Context: process, may sleep, while no hook looks into the table: see
 * sp_hot_restart().
 */
void sp_task_table_restart(void)
{
	struct task_struct *process, *task;
	struct sp_task *st;
	u32 i, used = sp_task_table_count();
	u64 now = sp_time_now();

	/* Hooks of forks, functions, moves and samples look into the table, too. */
	WARN_ON_ONCE(!sp_hot_is_shut());
	WRITE_ONCE(table.trusted, false);
	for (i = 0; i < used; i++) {
		restart_slot(&table.tasks[i], now);
		cond_resched();
	}
	rcu_read_lock();
	for_each_process_thread(process, task) {
		/* Some are listed until somebody has waited for them. */
		if (sp_task_state(task) == TASK_DEAD && !sp_task_on_cpu(task))
			continue;
		st = sp_task_find(task);
		if (st)
			st->alive = true;
	}
	rcu_read_unlock();
	for (i = 0; i < used; i++) {
		if (table.tasks[i].task && !table.tasks[i].alive)
			sp_task_remove(&table.tasks[i]);
		cond_resched();
	}
}

/* A hook that writes a clock is done within microseconds. */
#define COPY_TRIES	10000

static u64 woken_since_it_left(const struct sp_clock *clock, const struct task_struct *task)
{
	unsigned int state = sp_task_state(task);
	bool awake = !state || state == TASK_WAKING;
	bool gone = !sp_task_on_cpu(task);

	/* Wakers stamp first. */
	smp_rmb();
	return sp_clock_woken_yet(clock, awake, gone);
}

static bool copy_locked(struct sp_task *found, struct sp_task *copy)
{
	lockdep_assert_held(lock_of(found->task));
	copy->seq.sequence = raw_read_seqcount(&found->seq);
	copy->serial = found->serial;
	copy->born = found->born;
	copy->clock = found->clock;
	copy->cpu = found->cpu;
	copy->has_foreign = found->has_foreign;
	memcpy(copy->foreign, found->foreign, sizeof(copy->foreign));
	sp_window();
	copy->exec_id = READ_ONCE(found->exec_id);
	copy->switches = READ_ONCE(found->switches);
	copy->filter_gen = READ_ONCE(found->filter_gen);
	copy->undecided = READ_ONCE(found->undecided);
	copy->wanted_since = found->wanted_since;
	copy->moved = READ_ONCE(found->moved);
	copy->waits_since = READ_ONCE(found->waits_since);
	/* Pairs with sp_cpu_note_wait(). */
	smp_rmb();
	copy->waits_foreign = READ_ONCE(found->waits_foreign);
	copy->has_fresh = found->has_fresh;
	bitmap_copy(copy->match, found->match, SP_MAX_ENABLED);
	bitmap_copy(copy->fresh, found->fresh, SP_MAX_ENABLED);
	if (copy->clock.phase == SP_PHASE_ASLEEP)
		copy->clock.woken = woken_since_it_left(&found->clock, found->task);
	if (read_seqcount_retry(&found->seq, copy->seq.sequence) || copy->seq.sequence & 1)
		return false;
	return true;
}

/**
 * sp_task_copy() - the clock of any task, at one moment
 * @task: the task; the caller keeps it from going away
 * @copy: filled; its phase is not known if the task is never left alone
 * @slot: gets its place
 *
 * Context: process.
 * Return: false if the task has no clock.
 */
bool sp_task_copy(struct task_struct *task, struct sp_task *copy, u32 *slot)
{
	unsigned long told = SP_NO_REPEAT;
	unsigned int tries = COPY_TRIES;
	struct sp_task *found;
	unsigned long flags;
	bool good;

	do {
		sp_lock_irqsave(lock_of(task), flags);
		found = sp_task_find(task);
		good = !found || copy_locked(found, copy);
		/* Without the lock, for which the hook may be waiting. */
		sp_unlock_irqrestore(lock_of(task), flags);
		if (good)
			break;
		sp_count_repeat(copy->seq.sequence, &told);
		cpu_relax();
	} while (--tries);
	if (!found)
		return false;
	*slot = sp_task_slot(found);
	if (!good)
		copy->clock = (struct sp_clock) { .phase = SP_PHASE_UNKNOWN };
	return true;
}
SP_EXPORT_FOR_KUNIT(sp_task_copy);

#if defined(SCHEDPROF_KUNIT) || IS_ENABLED(CONFIG_SCHEDPROF_KUNIT_TEST)
/* For a test that somebody else has it. Return: NULL behind the last part. */
raw_spinlock_t *sp_task_table_lock(unsigned int part)
{
	return part < SP_PARTS ? &table.pool.parts[part].lock : NULL;
}
SP_EXPORT_FOR_KUNIT(sp_task_table_lock);
#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_table: the clocks of all tasks, shared by all sessions.
 *
 * A hash table of fixed size keyed by task_struct. Look-up takes no lock; it runs
 * with interrupts off or in an RCU read side section. Adding (a task's birth),
 * removing (its last switch), and what process context does with a slot (copy, restart)
 * take a raw spinlock with interrupts off.
 *
 * Whoever looks up may stand on a slot that is just being removed. So a slot keeps
 * its place in the chain, and is retired: it changes hands only after a grace period
 * (sp_task_table_recycle()), and then remembers nothing of its task before. A look-up
 * therefore never leaves its chain, and needs no second try.
 *
 * The table exists while hooks are armed. It is made before and destroyed
 * after them.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "lib/export.h"
#include "lib/lock.h"
#include "lib/memory.h"
#include "task/task_table.h"
#include "lib/widen.h"

/* Changed under bump_lock. */
u32 sp_plain_gen __read_mostly = 2;
static DEFINE_MUTEX(bump_lock);

static struct {
	raw_spinlock_t lock;	/* adding and removing; hooks, irqs off */
	struct sp_pool pool;	/* of places; under lock */
	struct sp_task *retired;	/* last of those that may be looked at, under lock */
	struct sp_task *retired_first;	/* and the first, which ends that list */
	u32 retired_count;
	u64 serial;		/* last one given, under lock */
	u64 refused_until;	/* ns; tasks found no room before, 0: none; READ_ONCE */
	u32 bits;		/* immutable while hooks are armed, as below */
	struct hlist_head *heads;
	struct sp_task *tasks;
} table = { .lock = __RAW_SPIN_LOCK_UNLOCKED(table.lock) };

#define POOL	SP_POOL_OF(table.tasks, next_free)

static void bump_locked(bool asks)
{
	u32 next = (sp_plain_gen & ~SP_PLAIN_ASKS) + 2 ?: 2;

	lockdep_assert_held(&bump_lock);
	/* Pairs with long_switch() in hook/switch.c. */
	smp_store_release(&sp_plain_gen, next | (asks ? SP_PLAIN_ASKS : 0));
}

/**
 * sp_plain_bump_asking() - no switch is plain until the long way has seen its tasks again
 * @asks: some filter asks for traits
 *
 * Context: process, may sleep, behind what has changed.
 */
void sp_plain_bump_asking(bool asks)
{
	mutex_lock(&bump_lock);
	bump_locked(asks);
	mutex_unlock(&bump_lock);
}

/* The same, and as many filters ask as before. */
void sp_plain_bump(void)
{
	mutex_lock(&bump_lock);
	bump_locked(sp_plain_gen & SP_PLAIN_ASKS);
	mutex_unlock(&bump_lock);
}

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
	       (u64)slots * sizeof(*table.tasks);
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
	table.pool = (struct sp_pool){ .max = slots };
	table.retired = NULL;
	table.retired_count = 0;
	table.refused_until = 0;
	table.bits = bits_for(slots);
	table.heads = sp_alloc(sizeof(*table.heads) << table.bits);
	table.tasks = sp_alloc((size_t)slots * sizeof(*table.tasks));
	if (!table.heads || !table.tasks) {
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
	vfree(table.heads);
	vfree(table.tasks);
	table.heads = NULL;
	table.tasks = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_task_table_destroy);

/* Places in all. */
u32 sp_task_table_slots(void)
{
	return table.pool.max;
}

/* Places that were ever in use; there are never more clocks. */
u32 sp_task_table_count(void)
{
	return sp_pool_end(&table.pool);
}

static struct hlist_head *head_of(struct task_struct *task)
{
	return &table.heads[hash_ptr(task, table.bits)];
}

/**
 * sp_task_find() - the clock of a task
 * @task: the task
 *
 * Chains are short: there are at least as many heads as slots, and nobody chooses
 * the addresses of tasks.
 *
 * Context: interrupts off, or an RCU read side section, or the table's lock held. The
 * clock stays the task's in a hook that switches the task, and under the lock.
 * Return: the clock, or NULL if there is none.
 */
struct sp_task *sp_task_find(struct task_struct *task)
{
	struct sp_task *st;

	hlist_for_each_entry_rcu(st, head_of(task), node, true) {
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
	lockdep_assert_held(&table.lock);
	hlist_del_init_rcu(&st->node);
	sp_window();
	WRITE_ONCE(st->task, NULL);
	/*
	 * Only the hook of its own task may be writing it, which goes on to the end of that
	 * on this CPU: nobody gets the slot before.
	 */
	WRITE_ONCE(st->seq.sequence, st->seq.sequence + 2);
	if (table.retired)
		st->next_free = table.retired->number + 1;
	else
		table.retired_first = st;
	table.retired = st;
	table.retired_count++;
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
	struct sp_task *last, *first;
	unsigned long flags;
	u32 count;

	sp_lock_irqsave(&table.lock, flags);
	last = table.retired;
	first = table.retired_first;
	count = table.retired_count;
	table.retired = NULL;
	table.retired_count = 0;
	sp_unlock_irqrestore(&table.lock, flags);
	if (!last)
		return;
	/* Hooks run with interrupts off, others in read side sections. */
	synchronize_rcu();
	sp_lock_irqsave(&table.lock, flags);
	sp_pool_put_list(&table.pool, POOL, last->number, first->number, count);
	sp_unlock_irqrestore(&table.lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_task_table_recycle);

/* Whatever the slot knew of a task goes; the sequence count only ever grows. */
static void forget_task(struct sp_task *st)
{
	seqcount_t seq = st->seq;

	memset(st, 0, sizeof(*st));
	st->seq = seq;
}

static struct sp_task *take_locked(void)
{
	struct sp_task *st;
	u32 i;

	lockdep_assert_held(&table.lock);
	i = sp_pool_take(&table.pool, POOL);
	if (i == SP_POOL_NONE)
		return NULL;
	st = &table.tasks[i];
	sp_window();
	forget_task(st);
	st->number = i;
	return st;
}

/*
 * A task that was there already may have lived for long without a clock. All CPUs share
 * this, and a full table is asked at each switch, so it is written once a millisecond,
 * for the next one, too.
 */
static void note_refusal(void)
{
	u64 now = sp_time();

	if (now >= READ_ONCE(table.refused_until))
		WRITE_ONCE(table.refused_until, now + NSEC_PER_MSEC);
}

/**
 * sp_task_add() - the clock of a task that has none
 * @task: the task; the caller keeps it from going away
 * @phase: what it does, if its clock is new
 * @since: ns; when that began
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
	struct sp_task *st;
	unsigned long flags;

	/* Without the lock, which would otherwise be taken at every switch then. */
	if (sp_pool_is_empty(&table.pool)) {
		note_refusal();
		return NULL;
	}
	sp_lock_irqsave(&table.lock, flags);
	hlist_for_each_entry(st, head_of(task), node) {
		if (st->task != task)
			continue;
		if (sp_task_is(st, task))
			goto out;
		remove_locked(st);
		phase = SP_PHASE_UNKNOWN;
		break;
	}
	st = take_locked();
	if (!st) {
		note_refusal();
	} else {
		if (task->start_time <= READ_ONCE(table.refused_until))
			phase = SP_PHASE_UNKNOWN;
		st->start_time = task->start_time;
		st->serial = ++table.serial;
		st->nvcsw = (u32)task->nvcsw;
		st->exec_id = (u32)task->self_exec_id;
		sp_clock_start(&st->clock, phase, since);
		if (phase == SP_PHASE_ASLEEP)
			st->clock.state = sp_state_of(sp_task_state(task));
		st->cpu = task_cpu(task);
		st->seq.sequence += 2;
		/* Pairs with sp_task_is(). */
		smp_store_release(&st->task, task);
		hlist_add_head_rcu(&st->node, head_of(task));
	}
out:
	sp_unlock_irqrestore(&table.lock, flags);
	return st;
}
SP_EXPORT_FOR_KUNIT(sp_task_add);

/**
 * sp_task_was_woken() - a wakeup that no hook saw
 * @task: the task; the caller keeps it from going away
 * @now: ns
 *
 * Context: process.
 */
void sp_task_was_woken(struct task_struct *task, u64 now)
{
	struct sp_task *st;
	unsigned long flags;

	sp_lock_irqsave(&table.lock, flags);
	st = sp_task_find(task);
	if (st && !READ_ONCE(st->clock.woken))
		sp_clock_wake(&st->clock, now);
	sp_unlock_irqrestore(&table.lock, flags);
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

	for (i = 0; i < used; i++) {
		/* The first counts, until the task is decided. */
		cmpxchg64(&table.tasks[i].undecided, 0, now);
		cond_resched();
	}
}

/**
 * sp_task_notice_exec() - a task runs another program
 * @st: its clock
 * @task: the task
 *
 * Nothing that was known of its user addresses holds.
 *
 * Context: a hook that switches @task.
 */
void sp_task_notice_exec(struct sp_task *st, const struct task_struct *task)
{
	WRITE_ONCE(st->exec_id, (u32)task->self_exec_id);
	st->announced = false;
	sp_task_forget_place(st);
}

/**
 * sp_task_remove() - forget a task
 * @st: its clock; the caller is the hook that saw its last switch
 */
void sp_task_remove(struct sp_task *st)
{
	unsigned long flags;

	sp_lock_irqsave(&table.lock, flags);
	remove_locked(st);
	sp_unlock_irqrestore(&table.lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_task_remove);

static void restart_slot(struct sp_task *st)
{
	unsigned long flags;

	sp_lock_irqsave(&table.lock, flags);
	sp_clock_start(&st->clock, SP_PHASE_UNKNOWN, 0);
	sp_window();
	st->filter_gen = 0;
	sp_task_forget_place(st);
	/* No stack that was taken on the way out belongs to what comes. */
	WRITE_ONCE(st->seq.sequence, st->seq.sequence + 2);
	st->alive = false;
	sp_unlock_irqrestore(&table.lock, flags);
}

static void mark_alive(struct task_struct *task)
{
	struct sp_task *st;
	unsigned long flags;

	sp_lock_irqsave(&table.lock, flags);
	st = sp_task_find(task);
	if (st)
		st->alive = true;
	sp_unlock_irqrestore(&table.lock, flags);
}

static void sweep_slot(struct sp_task *st)
{
	unsigned long flags;

	sp_lock_irqsave(&table.lock, flags);
	if (st->task && !st->alive)
		remove_locked(st);
	sp_unlock_irqrestore(&table.lock, flags);
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
	u32 i;

	for (i = 0; i < table.pool.used; i++) {
		restart_slot(&table.tasks[i]);
		cond_resched();
	}
	rcu_read_lock();
	for_each_process_thread(process, task)
		mark_alive(task);
	rcu_read_unlock();
	for (i = 0; i < table.pool.used; i++) {
		sweep_slot(&table.tasks[i]);
		cond_resched();
	}
}

/* A hook that writes a clock is done within microseconds. */
#define COPY_TRIES	10000

static bool copy_locked(struct task_struct *task, struct sp_task *found,
			struct sp_task *copy)
{
	lockdep_assert_held(&table.lock);
	copy->seq.sequence = raw_read_seqcount(&found->seq);
	copy->serial = found->serial;
	copy->clock = found->clock;
	sp_window();
	copy->exec_id = READ_ONCE(found->exec_id);
	copy->switches = READ_ONCE(found->switches);
	copy->filter_gen = READ_ONCE(found->filter_gen);
	copy->undecided = READ_ONCE(found->undecided);
	copy->wanted_since = found->wanted_since;
	copy->has_fresh = found->has_fresh;
	bitmap_copy(copy->match, found->match, SP_MAX_ENABLED);
	bitmap_copy(copy->fresh, found->fresh, SP_MAX_ENABLED);
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
	unsigned int tries = COPY_TRIES;
	struct sp_task *found;
	unsigned long flags;
	bool good;

	do {
		sp_lock_irqsave(&table.lock, flags);
		found = sp_task_find(task);
		good = !found || copy_locked(task, found, copy);
		/* Without the lock, for which the hook may be waiting. */
		sp_unlock_irqrestore(&table.lock, flags);
		if (good)
			break;
		sp_count_contention(repeats);
		cpu_relax();
	} while (--tries);
	if (!found)
		return false;
	*slot = sp_task_slot(found);
	if (!good)
		copy->clock = (struct sp_clock) { .phase = SP_PHASE_UNKNOWN };
	return true;
}

#if defined(SCHEDPROF_KUNIT) || IS_ENABLED(CONFIG_SCHEDPROF_KUNIT_TEST)
/* For a test that somebody else has it. */
raw_spinlock_t *sp_task_table_lock(void)
{
	return &table.lock;
}
SP_EXPORT_FOR_KUNIT(sp_task_table_lock);
#endif

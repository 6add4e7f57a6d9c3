// SPDX-License-Identifier: GPL-2.0-only
/*
 * live: the recordings that hooks see, and which tasks each one wants.
 *
 * Every live recording has a bit. The clock of a task keeps the bits of those
 * that want it and the generation in which that was decided; any change of a
 * filter or of the set of recordings starts a new generation. The array is
 * changed under a mutex and read by hooks, which are RCU read side sections
 * because interrupts are off: whoever takes a recording out waits for a grace
 * period before the memory goes.
 */
#include <linux/mutex.h>
#include <linux/sched.h>

#include "compat/compat.h"
#include "record/live.h"
#include "record/recording.h"
#include "task/percpu.h"
#include "task/traits.h"
#include "lib/widen.h"

/* Longer lines of ancestors are not followed. */
#define MAX_GENERATIONS 64

static DEFINE_MUTEX(mutex);	/* changes */
struct sp_lives sp_lives = { .generation = 2 };

static bool asks_for_traits(const struct sp_recording *recording)
{
	const struct sp_traits *traits;
	bool asks;

	rcu_read_lock();
	traits = rcu_dereference(recording->filter->traits);
	asks = sp_traits_ask(traits);
	rcu_read_unlock();
	return asks;
}

/* The filter's bounds, as hooks compare them: at once. They are not of one moment for a hook. */
static void take_bounds_locked(struct sp_recording *recording)
{
	u64 min = READ_ONCE(recording->filter->min);
	u64 max = READ_ONCE(recording->filter->max) ?: U64_MAX;

	lockdep_assert_held(&mutex);
	WRITE_ONCE(recording->too_short, min);
	WRITE_ONCE(recording->min, max < min ? U64_MAX : min);
	WRITE_ONCE(recording->range, max < min ? 0 : max - min);
}

/* None is 0, or has the bit SP_LIVE_ASKED. */
static u32 next_generation(void)
{
	return sp_lives.generation + 2 ?: 2;
}

/* A switch that a hook saw before @now is judged by the filters as they were. */
static void next_generation_locked(u64 now)
{
	u32 next = next_generation();
	unsigned int bit, count = 0, wakers = 0, users = 0, splits = 0, blames = 0;

	lockdep_assert_held(&mutex);
	for (bit = 0; bit < sp_lives.end; bit++) {
		struct sp_recording *recording =
			rcu_dereference_protected(sp_lives.recording[bit], true);

		if (!recording)
			continue;
		count += asks_for_traits(recording);
		take_bounds_locked(recording);
		wakers += !!(recording->config.stack & SP_WANT_WAKER);
		users += !!(recording->config.stack & SP_WANT_USER);
		splits += recording->config.interrupts;
		blames += !!recording->blamed;
	}
	WRITE_ONCE(sp_lives.traits, count);
	WRITE_ONCE(sp_lives.wakers, wakers);
	WRITE_ONCE(sp_lives.user_stacks, users);
	if (blames && !sp_lives.blames)
		WRITE_ONCE(sp_lives.blamed_since, now);
	sp_lives.blames = blames;
	sp_window();
	sp_task_mark_undecided(now);
	sp_lives.changed = now;
	/* Pairs with sp_live_stale() and sp_live_decide(). */
	smp_store_release(&sp_lives.generation, next);
	sp_plain_bump_with((count ? SP_PLAIN_ASKS : 0) | (blames ? SP_PLAIN_BLAMES : 0) |
			   (splits ? SP_PLAIN_INTERRUPTS : 0));
}

/**
 * sp_live_add() - let hooks see a recording
 * @recording: complete but for when it begins, nobody else writes it
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOSPC if SP_MAX_ENABLED are live already.
 */
int sp_live_add(struct sp_recording *recording)
{
	unsigned int bit;

	mutex_lock(&mutex);
	for (bit = 0; bit < SP_MAX_ENABLED; bit++)
		if (!rcu_access_pointer(sp_lives.recording[bit]))
			break;
	if (bit == SP_MAX_ENABLED) {
		mutex_unlock(&mutex);
		return -ENOSPC;
	}
	recording->bit = bit;
	/*
	 * Not before the mutex was waited for: nothing is recorded until hooks see the
	 * recording.
	 */
	sp_recording_begins(recording);
	/* Those of the recording that had it before. */
	sp_task_disinherit(bit);
	recording->filter_gen = next_generation();
	rcu_assign_pointer(sp_lives.recording[bit], recording);
	if (bit >= sp_lives.end)
		WRITE_ONCE(sp_lives.end, bit + 1);
	next_generation_locked(recording->begin.ns);
	mutex_unlock(&mutex);
	return 0;
}

/**
 * sp_live_del() - hide a recording from hooks
 * @recording: a live one
 *
 * On return no hook uses it any more.
 *
 * Context: process, may sleep.
 */
void sp_live_del(struct sp_recording *recording)
{
	u64 now;

	mutex_lock(&mutex);
	now = sp_time_now();
	RCU_INIT_POINTER(sp_lives.recording[recording->bit], NULL);
	while (sp_lives.end && !rcu_access_pointer(sp_lives.recording[sp_lives.end - 1]))
		WRITE_ONCE(sp_lives.end, sp_lives.end - 1);
	next_generation_locked(now);
	/* Under the mutex: the bit must not be given away before. */
	synchronize_rcu();
	recording->bit = -1;
	mutex_unlock(&mutex);
}

/**
 * sp_live_walk_anew() - unwind tables have changed: no stack that they found is believed
 * @from: as for sp_stack_table_walk_anew()
 * @last: as for sp_stack_table_walk_anew()
 *
 * Context: process, may sleep, a grace period after the change.
 */
void sp_live_walk_anew(u64 from, u64 last)
{
	struct sp_recording *recording;
	unsigned int bit;

	mutex_lock(&mutex);
	for (bit = 0; bit < sp_lives.end; bit++) {
		recording = rcu_dereference_protected(sp_lives.recording[bit],
						      lockdep_is_held(&mutex));
		if (recording)
			sp_stack_table_walk_anew(&recording->stacks, from, last);
	}
	mutex_unlock(&mutex);
}

/**
 * sp_live_change_begin() - a filter is about to change
 *
 * Readers ask the new one at once, hooks from the next generation on: for neither a task is
 * wanted since before this, unless another change since it came in was earlier, or no hook has
 * decided about it yet. No recording comes or goes until sp_live_change_end().
 *
 * Context: process, may sleep.
 */
void sp_live_change_begin(void)
{
	mutex_lock(&mutex);
	/* First: whom a hook decides from now on by the filter as it was is no longer marked. */
	WRITE_ONCE(sp_lives.changing, sp_time_now());
	sp_task_mark_undecided(sp_lives.changing);
}

/**
 * sp_live_change_end() - it has changed: ask for every task again
 * @recording: a live one, whose filter that is
 *
 * Context: process, may sleep, behind sp_live_change_begin().
 */
void sp_live_change_end(struct sp_recording *recording)
{
	sp_window();
	/* Before that generation, which is stored with release. */
	WRITE_ONCE(recording->filter_gen, next_generation());
	next_generation_locked(sp_lives.changing);
	WRITE_ONCE(sp_lives.changing, 0);
	mutex_unlock(&mutex);
}

/**
 * sp_live_take_bounds() - the bounds of a filter changed
 * @recording: a live one
 *
 * Context: process, may sleep.
 */
void sp_live_take_bounds(struct sp_recording *recording)
{
	mutex_lock(&mutex);
	take_bounds_locked(recording);
	mutex_unlock(&mutex);
}

/**
 * sp_live_get() - a live recording, for a reader
 * @bit: below sp_live_end()
 *
 * Context: process, may sleep. It may end before the reader has locked it.
 * Return: a reference, or NULL if there is none.
 */
struct sp_recording *sp_live_get(unsigned int bit)
{
	struct sp_recording *recording;

	mutex_lock(&mutex);
	recording = rcu_dereference_protected(sp_lives.recording[bit], lockdep_is_held(&mutex));
	if (recording)
		sp_recording_get(recording);
	mutex_unlock(&mutex);
	return recording;
}

/*
 * Does it still hold that a task is no heir, which was found in a generation of filters? Ancestors
 * that it gets later, in another PID namespace or as a thread of its parent exits, do not count
 * until filters change. While one does, or not all CPUs know of a recording yet, the answer may be
 * of before; who ends a recording has the one that hooks had.
 */
static bool still_holds(const struct sp_recording *recording, u32 generation)
{
	return generation == READ_ONCE(sp_lives.generation) && !READ_ONCE(sp_lives.changing) &&
	       (READ_ONCE(recording->settled) || READ_ONCE(recording->closing));
}

/* Is the bit in heir the answer, also if it is not set? To be asked before that is read. */
static bool is_decided(const struct sp_recording *recording, const struct sp_task *st)
{
	/* Pairs with sp_live_decide(). */
	return st && still_holds(recording, smp_load_acquire(&st->filter_gen) & ~SP_LIVE_ASKED);
}

/*
 * Is a task, or the process that it is of, known to be an heir? What is not alive any
 * more may have lost its leader. RCU: places that were found change hands only behind that, so
 * what is remembered is of this task, also if it exits meanwhile.
 */
static bool is_known_heir(const struct sp_task *st, struct task_struct *task, int bit)
{
	struct task_struct *leader;

	if (st && test_bit(bit, st->heir))
		return true;
	if (!pid_alive(task))
		return false;
	leader = READ_ONCE(task->group_leader);
	if (leader == task)
		return false;
	st = sp_task_find(leader);
	return st && test_bit(bit, st->heir);
}

/*
 * Does a task descend from a listed one? Its parent may have exited, and init may have
 * got the task since. So a task that once was found to descend from a listed one keeps
 * that answer, and its children get it from there. So do they of one that does not, until filters
 * change: anybody can have many ancestors, and children all the time. Of a task that was released
 * real_parent may be freed, so the search ends there.
 */
static bool is_heir(const struct sp_recording *recording, struct task_struct *task)
{
	unsigned int generations;
	const struct sp_task *st;
	bool is = false, decided;

	if (!recording->config.inherit)
		return false;
	rcu_read_lock();
	for (generations = 0; !is && generations < MAX_GENERATIONS; generations++) {
		st = sp_task_find(task);
		decided = is_decided(recording, st);
		sp_window();
		is = is_known_heir(st, task, recording->bit);
		if (is || decided || !pid_alive(task))
			break;
		task = rcu_dereference(task->real_parent);
		if (task->pid <= 1)
			break;
		is = sp_filter_listed(recording->filter, task);
	}
	rcu_read_unlock();
	return is;
}

/**
 * sp_live_wants() - does a live recording want a task?
 * @recording: the recording
 * @task: the task; it cannot go away meanwhile
 */
bool sp_live_wants(const struct sp_recording *recording, struct task_struct *task)
{
	return sp_filter_match(recording->filter, task, is_heir(recording, task));
}

/**
 * sp_live_watched_since() - from when on does a recording watch a task?
 * @recording: a live one that wants the task
 * @copy: of the task's clock
 *
 * For readers, who may be faster than the hook that decides.
 *
 * Return: ns; as sp_live_begin() will for the hook.
 */
u64 sp_live_watched_since(const struct sp_recording *recording, const struct sp_task *copy)
{
	u64 since;

	if (test_bit(recording->bit, copy->match) || !copy->filter_gen)
		return sp_live_begin(recording, copy);
	since = copy->has_fresh ? copy->wanted_since : copy->undecided;
	return max(recording->begin.ns, since ?: READ_ONCE(sp_lives.changing));
}

/**
 * sp_live_inherit() - remember whose heir a task is
 * @st: its clock
 * @parent: who made it; not always its parent: a thread's is that of its process
 *
 * Context: a hook in the context of @parent.
 */
void sp_live_inherit(struct sp_task *st, struct task_struct *parent)
{
	/* Pairs with next_generation_locked(). */
	u32 now = smp_load_acquire(&sp_lives.generation);
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && recording->config.inherit &&
		    (sp_filter_listed(recording->filter, parent) ||
		     is_heir(recording, parent)))
			set_bit(bit, st->heir);
	}
	st->heir_gen = now;
}

/*
 * Who is released, which it may be before it leaves for the last time, has no PID any more, and
 * is in no list. Was it let in by the list as it is?
 */
static bool was_let_in(const struct sp_recording *recording, const struct sp_task *st,
		       const struct task_struct *task)
{
	u32 asked = st->filter_gen & ~SP_LIVE_ASKED;

	return !pid_alive(task) && asked && (s32)(asked - READ_ONCE(recording->filter_gen)) >= 0 &&
	       test_bit(recording->bit, st->match);
}

/* Returns whether a recording wants the task; what it descends from is kept. */
static bool decide_one(const struct sp_recording *recording, struct sp_task *st,
		       struct task_struct *task, bool again)
{
	unsigned int bit = recording->bit;
	bool heir;

	/* Only its look has changed, for which not everybody asks. */
	if (again && !asks_for_traits(recording))
		return test_bit(bit, st->match);
	heir = again || still_holds(recording, st->heir_gen) ? test_bit(bit, st->heir) :
							       is_heir(recording, task);
	/* Also if it is not wanted: its children may be. */
	if (heir)
		set_bit(bit, st->heir);
	return sp_filter_match(recording->filter, task,
			       heir || was_let_in(recording, st, task));
}

/*
 * Whoever wakes it now is not noted. Should it be wanted later, or its place be another
 * task's, then an older one, or the other task's, is not taken for its own.
 */
static void forget_waker(struct sp_recording *recording, const struct sp_task *st)
{
	u32 *waker = recording->wakers ? &recording->wakers[sp_task_slot(st)] : NULL;

	if (waker && READ_ONCE(*waker) != SP_STACK_NONE)
		WRITE_ONCE(*waker, SP_STACK_NONE);
}

/**
 * sp_live_forget_waker() - a task was woken, and no hook saw by whom
 * @task: the task, whose clock has a stamp of that, so that later tries are not noted
 *
 * Who woke it the time before shall not be taken for that. A hook that saw who did at the same
 * moment may be forgotten as well, and then it is not known, either.
 *
 * Context: process; the caller keeps the task from going away.
 */
void sp_live_forget_waker(struct task_struct *task)
{
	unsigned int bit, last;
	struct sp_task *st;

	rcu_read_lock_sched();
	st = sp_task_find(task);
	last = sp_live_end();
	for (bit = 0; st && bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording)
			forget_waker(recording, st);
	}
	rcu_read_unlock_sched();
}

/* Whoever wants the task now, and did not, watches it from when the filters changed: ns. */
static u64 note_since(struct sp_task *st)
{
	u64 since = xchg(&st->undecided, 0) ?: READ_ONCE(sp_lives.changed);

	/* It has not come in since it was let in before. */
	if (st->has_fresh)
		return since;
	st->wanted_since = since;
	bitmap_zero(st->fresh, SP_MAX_ENABLED);
	return since;
}

/*
 * A recording that samples looks at times on a CPU while they go on, of which several may be
 * let in one after the other: what was before is not its, wherever that was.
 */
static void watch_since(struct sp_recording *recording, const struct sp_task *st, u64 since)
{
	struct sp_sampled *sampled;

	if (!recording->sampled)
		return;
	sampled = &recording->sampled[sp_task_slot(st)];
	WRITE_ONCE(sampled->exec_id, ~st->exec_id);
	WRITE_ONCE(sampled->at, max(sampled->at, since));
}

/* What was told was of the task that had the slot before. */
static void forget_sampled(struct sp_recording *recording, const struct sp_task *st)
{
	if (recording->sampled)
		WRITE_ONCE(recording->sampled[sp_task_slot(st)].at, 0);
}

/* Since when is the task at what it is at? ns; if nobody knows, it is about to begin. */
static u64 began(const struct sp_clock *clock)
{
	return clock->in_ts ?: clock->out_ts ?: sp_time();
}

/* Is that stack, which was there at that time (ns), one of a recording that is live? */
static bool is_stored(const struct sp_stack *stack, u64 at)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last && stack; bit++) {
		const struct sp_recording *recording = sp_live(bit);

		/* Memory of one that is gone by now may be of one that began since. */
		if (recording && recording->begin.ns <= at &&
		    sp_stack_table_number(&recording->stacks, stack) != SP_STACK_NONE)
			return true;
	}
	return false;
}

/**
 * sp_live_decide() - find out which recordings want a task
 * @st: its clock
 * @task: the task
 *
 * Ancestors are looked at once per task and generation, and when a program execs whose leader
 * was replaced by a thread, or that was a kernel thread until then; but not those of a task whose
 * birth was seen in this generation. What a task can bring about more often, by changing its name,
 * is that those who ask for traits compare them.
 *
 * Context: a hook on the CPU of @task. At most SP_MAX_ENABLED filters, each two
 * bisections; those that inherit, as many again for each of MAX_GENERATIONS ancestors.
 */
void sp_live_decide(struct sp_task *st, struct task_struct *task)
{
	/* Pairs with next_generation_locked(). */
	u32 now = smp_load_acquire(&sp_lives.generation);
	bool asking = READ_ONCE(sp_lives.traits);
	/* And no filter is about to change, or has, with the next generation to come. */
	bool again = (st->filter_gen & ~SP_LIVE_ASKED) == now && !READ_ONCE(st->undecided);
	unsigned int bit, last;
	u64 since = 0;
	u32 out_seq;

	st->wanted = false;
	st->unwanted = false;
	/* First: what changes from now on is a change. */
	if (asking)
		sp_look_take(&st->look, task);
	if (!again) {
		since = note_since(st);
		st->kthread = task->flags & PF_KTHREAD;
	}
	/* Behind that: who is live by then wants the task since then, or is met the next time. */
	last = sp_live_end();
	sp_window();
	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (!recording) {
			__clear_bit(bit, st->match);
		} else if (decide_one(recording, st, task, again)) {
			/*
			 * Whose traits are others now is wanted for all that it is at, and who was
			 * never asked about for all that is missed of it.
			 */
			if (!st->filter_gen) {
				forget_sampled(recording, st);
			} else if (again && !test_bit(bit, st->match)) {
				watch_since(recording, st, began(&st->clock));
			} else if (!test_bit(bit, st->match)) {
				__set_bit(bit, st->fresh);
				st->has_fresh = true;
				watch_since(recording, st, since);
			}
			__set_bit(bit, st->match);
			st->wanted = true;
		} else {
			__clear_bit(bit, st->match);
			st->unwanted = true;
			forget_waker(recording, st);
		}
	}
	bitmap_clear(st->match, last, SP_MAX_ENABLED - last);
	st->announced = false;
	out_seq = st->out_seq;
	sp_task_forget_place(st);
	/* With the tracepoint, what it left with was seen then, and is nowhere else. */
	if (out_seq && is_stored(st->out_user, st->clock.out_ts))
		st->out_seq = out_seq;
	/* Pairs with is_decided(). */
	smp_store_release(&st->filter_gen, now | (asking ? SP_LIVE_ASKED : 0));
}

/**
 * sp_live_refresh() - find out which recordings want a task, if that is not known any more
 * @st: its clock, which does not change now
 * @task: the task
 *
 * As at a switch, readers see all of the answer, or none.
 *
 * Context: a hook on the CPU of @task, interrupts off, outside of changes of @st.
 */
void sp_live_refresh(struct sp_task *st, struct task_struct *task)
{
	if (likely(!sp_live_stale(st, task)))
		return;
	raw_write_seqcount_begin(&st->seq);
	sp_live_decide(st, task);
	raw_write_seqcount_end(&st->seq);
}

/*
 * A task that nobody has seen: it comes in for the first time, and functions are called before
 * the hook sees it; or it ran when the hooks were armed, or they are blind.
 */
static noinline struct sp_task *find_current(void)
{
	struct task_struct *task = current;
	struct sp_task *st = sp_task_find(task);
	enum sp_phase phase = SP_PHASE_UNKNOWN;

	/* Buried already, on its way to the next task. */
	if (st || sp_task_state(task) == TASK_DEAD)
		return st;
	if (sp_task_table_is_trusted())
		phase = sp_task_phase_before(task);
	return sp_task_add(task, phase, SP_SINCE_BIRTH);
}

/**
 * sp_live_current() - the clock of the task that runs here
 * @cpu: this CPU's
 *
 * The filters are asked about the task, if they were not yet.
 *
 * Context: interrupts off, between sp_hot_call_begin() and sp_hot_call_end().
 * Return: the clock, or NULL if there is none.
 */
struct sp_task *sp_live_current(struct sp_cpu *cpu)
{
	struct sp_task *st = cpu->running;

	if (unlikely(!sp_task_is(st, current)))
		st = find_current();
	if (unlikely(!st))
		return NULL;
	sp_task_follow_exec(st, current);
	sp_live_refresh(st, current);
	return st;
}

/**
 * sp_live_knows() - has a task a clock?
 * @task: the task
 *
 * Whoever waits for its first CPU gets the clock that it would get there: births are seen only
 * where a recording inherits. As in hooks, interrupts are off: whoever forgets all clocks waits
 * for a grace period behind shutting these.
 *
 * Context: process, an RCU read side section, while hooks are armed.
 */
bool sp_live_knows(struct task_struct *task)
{
	unsigned long flags;
	bool known = sp_task_find(task);

	if (known)
		return true;
	local_irq_save(flags);
	known = !sp_hot_is_shut() && sp_task_add_newborn(task);
	local_irq_restore(flags);
	return known;
}

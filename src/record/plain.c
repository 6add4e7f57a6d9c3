// SPDX-License-Identifier: GPL-2.0-only
/*
 * plain: what few plain switches need, and what is learnt from others; see record/plain.h,
 * which says how it is locked.
 */
#include <linux/log2.h>

#include "record/books.h"
#include "record/plain.h"
#include "record/trace_record.h"

/*
 * What else there is to do where a task stands, from its recording's store: as many words
 * as there is room, and two.
 */
struct sp_also {
	u64 misfits;			/* recordings, by bit, in which the interval was none */
	u32 room;			/* for entries, */
	bool beyond;			/* a plain switch does not do all there is to do */
	struct sp_entry *entry[];	/* the same stacks in others, up to a NULL */
};

/* Of a place that has none of its own. Not written. */
static struct sp_also beyond_plain = { .beyond = true };

/*
 * So many steps from where a task stood are followed to find where it stands. Who was not found
 * there eight times in a row is better walked at once: then it is one step for 56 times, unless
 * that finds it. (A task that stands where it was expected is not looked for.)
 */
#define STEPS		4
#define ASTRAY		8	/* times of */
#define ASTRAY_ROUND	64

/**
 * sp_plain_how() - how does a task leave that does not just sleep?
 * @st: its clock
 * @task: the task
 * @state: of it
 *
 * Voluntary switches also count those in which a signal kept the task from sleeping: then its
 * state is running. So it is if a waker was faster than this hook: then there is its stamp.
 * (6.12 leaves sleeping tasks in the run queue for a while, so on_rq would not tell.)
 *
 * Return: for struct sp_clock; 0 for the idle task, and for one that ends: TASK_DEAD is set
 * by do_task_dead(), nobody can wake it, so that value is final.
 */
noinline u32 sp_plain_how(const struct sp_task *st, const struct task_struct *task,
			  unsigned int state)
{
	enum sp_state left;

	if (unlikely(state == TASK_DEAD || !task->pid))
		return 0;
	if (st->nvcsw == (u32)task->nvcsw)
		return SP_HOW(SP_STATE_R, SP_LEFT_INVOLUNTARILY);
	left = sp_state_left(task, state, READ_ONCE(st->clock.woken) || READ_ONCE(st->clock.tried));
	return SP_HOW(left, SP_LEFT_VOLUNTARILY);
}

/**
 * sp_plain_looks_other() - have the name of a task, or who it runs as, changed?
 * @st: its clock
 * @task: the task
 */
noinline bool sp_plain_looks_other(const struct sp_task *st, struct task_struct *task)
{
	return task->pid && sp_look_changed(&st->look, task);
}

/* As sp_plain_stands(), once in the code. */
static noinline bool stands_there(const struct sp_entry *to, struct sp_task *st,
				  struct task_struct *task, const struct pt_regs *regs)
{
	return sp_plain_stands(to, st, task, regs, regs);
}

/**
 * sp_plain_elsewhere() - a task is not where it was expected, but perhaps somewhere around
 * @st: its clock, with a place
 * @regs: as for sp_hot_switch()
 * @asked: it is known that it is not where it was expected; else that is found out
 *
 * Return: one of the entries around its last place, or NULL.
 */
noinline struct sp_entry *sp_plain_elsewhere(struct sp_task *st, const struct pt_regs *regs,
					     bool asked)
{
	unsigned int i, steps = st->astray < ASTRAY ? STEPS : 1;
	const struct sp_entry *at = st->place;
	struct sp_entry *to = NULL;

	if (!asked && stands_there(at->follow.next, st, st->task, regs))
		return at->follow.next;
	for (i = 0; i < steps && !to; i++) {
		if (i && stands_there(at->follow.next, st, st->task, regs))
			to = at->follow.next;
		else if (at->other && stands_there(at->other, st, st->task, regs))
			to = at->other;
		at = at->follow.next;
	}
	if (!to)
		st->astray = (st->astray + 1) % ASTRAY_ROUND;
	else if (st->astray)
		st->astray = 0;
	return to;
}

/**
 * sp_plain_move() - a task stands there, and not where it was expected
 * @st: its clock, with a place
 * @to: an entry of the same generation
 */
noinline void sp_plain_move(struct sp_task *st, struct sp_entry *to)
{
	struct sp_entry *from = st->place;

	if (from->follow.next != to) {
		from->other = from->follow.next;
		from->follow.next = to;
	}
	st->place = to;
}

/*
 * An interval of a recording's time, by its own clock; false if there is none now. It began
 * behind a switch that took the long way, and so while the recording was live.
 */
static __always_inline bool ended(const struct sp_recording *recording,
				  const struct sp_clock *clock, u64 woken, u64 now,
				  struct sp_interval *interval)
{
	enum sp_time time = recording->mode->time;

	if (!(sp_clock_times(clock, woken) & BIT(time)))
		return false;
	sp_clock_bounds(clock, woken, time, now, &interval->start, &interval->end);
	if (unlikely(recording->config.clock != SP_CLOCK_MONO))
		*interval = sp_interval_by(recording, interval, 0);
	return true;
}

/* Is there one now that it records? */
static __always_inline bool fits_now(const struct sp_recording *recording,
				     const struct sp_clock *clock, u64 woken, u64 now)
{
	struct sp_interval interval;

	if (likely(!recording->more))
		return sp_record_fits(recording, now - clock->out_ts);
	return sp_filter_state(&recording->config, recording->mode->time, clock->state) &&
	       ended(recording, clock, woken, now, &interval) &&
	       sp_record_fits(recording, interval.end - interval.start);
}

/* Those of some recordings, by bit: the next one of these. */
static struct sp_recording *next_of(u64 *bits)
{
	struct sp_recording *recording = NULL;

	while (*bits && !recording) {
		recording = sp_live(__ffs64(*bits));
		*bits &= *bits - 1;
	}
	return recording;
}

/*
 * If they are one, and all it asks is how long the task was off the CPU: that one, which is what
 * most sessions with bounds are. Else NULL.
 */
static __always_inline struct sp_recording *the_only_one(u64 bits)
{
	struct sp_recording *recording = bits & (bits - 1) ? NULL : sp_live(__ffs64(bits));

	return recording && !recording->more ? recording : NULL;
}

static noinline bool all_misfit(u64 misfits, const struct sp_clock *clock, u64 woken, u64 now)
{
	struct sp_recording *recording;

	while ((recording = next_of(&misfits)))
		if (fits_now(recording, clock, woken, now))
			return false;
	return true;
}

/**
 * sp_plain_misfits() - is it still none in these recordings?
 * @misfits: the recordings, by bit
 * @clock: of a task that comes in
 * @woken: ns; when it was woken
 * @now: ns
 */
noinline bool sp_plain_misfits(u64 misfits, const struct sp_clock *clock, u64 woken, u64 now)
{
	const struct sp_recording *recording = the_only_one(misfits);

	if (likely(recording))
		return !sp_record_fits(recording, now - clock->out_ts);
	return all_misfit(misfits, clock, woken, now);
}

static noinline void count_misfits(const struct sp_clock *clock, u64 misfits, u64 woken, u64 now)
{
	struct sp_recording *recording;
	struct sp_interval interval;

	while ((recording = next_of(&misfits))) {
		struct sp_recording_cpu *part = this_cpu_ptr(recording->cpu);

		if (!recording->more) {
			++*sp_record_misfit(recording, part, now - clock->out_ts);
			continue;
		}
		if (!ended(recording, clock, woken, now, &interval))
			continue;
		if (!sp_filter_state(&recording->config, recording->mode->time, clock->state))
			part->fates.filtered++;
		else
			++*sp_record_misfit(recording, part, interval.end - interval.start);
	}
}

/**
 * sp_plain_count_misfits() - then count it there
 * @st: of the task, whose clock is as it was
 * @misfits: as above, as all
 * @woken: ns
 * @now: ns
 */
noinline void sp_plain_count_misfits(const struct sp_task *st, u64 misfits, u64 woken, u64 now)
{
	struct sp_recording *recording = the_only_one(misfits);

	if (likely(recording))
		++*sp_record_misfit(recording, this_cpu_ptr(recording->cpu),
				    now - st->clock.out_ts);
	else
		count_misfits(&st->clock, misfits, woken, now);
}

/**
 * sp_plain_filter() - recordings that do not want a task count its times
 * @st: its clock
 * @times: which have ended
 */
noinline void sp_plain_filter(const struct sp_task *st, unsigned int times)
{
	unsigned int bit, last = sp_live_end();

	for (bit = 0; bit < last; bit++) {
		struct sp_recording *recording = sp_live(bit);

		if (recording && !test_bit(bit, st->match) &&
		    this_cpu_ptr(recording->cpu)->live)
			this_cpu_ptr(recording->cpu)->fates.filtered +=
				hweight32(times & sp_time_parts(recording->mode->time));
	}
}

/* Only who slept was woken. A stack of none was not seen: the long way has one for that. */
static bool same_waker(const struct sp_recording *recording, const struct sp_entry *entry,
		       const struct sp_task *st, u64 woken)
{
	if (!(recording->config.stack & SP_WANT_WAKER))
		return true;
	if (!woken || st->clock.phase != SP_PHASE_ASLEEP)
		return entry->key.waker == SP_STACK_NONE;
	return entry->key.waker != SP_STACK_NONE &&
	       entry->key.waker == sp_record_waker_id(recording, st);
}

static bool more_fits(const struct sp_entry *entry, const struct sp_task *st, u64 woken)
{
	const struct sp_recording *recording = entry->follow.recording;

	return same_waker(recording, entry, st, woken) &&
	       (!recording->ledger || recording->ledger[entry->key.thread].based);
}

/**
 * sp_plain_rare_fits() - is all as expected that not each entry has?
 * @to: where the task stands
 * @st: its clock
 * @woken: ns; when it was woken
 * @now: ns
 */
noinline bool sp_plain_rare_fits(const struct sp_entry *to, const struct sp_task *st, u64 woken,
				 u64 now)
{
	struct sp_entry **entry;

	if (!more_fits(to, st, woken))
		return false;
	if (!to->also)
		return true;
	if (to->also->beyond)
		return false;
	for (entry = to->also->entry; *entry; entry++)
		if (!more_fits(*entry, st, woken))
			return false;
	return !to->also->misfits ||
	       sp_plain_misfits(to->also->misfits, &st->clock, woken, now);
}

/* In a recording that asks for more than how long it was off the CPU. */
static void book_more(struct sp_recording *recording, struct sp_recording_cpu *part,
		      const struct sp_task *st, struct task_struct *task, struct sp_entry *entry,
		      u64 woken, u64 now)
{
	unsigned int cpu = sp_task_where(recording->mode->time, st, raw_smp_processor_id());
	struct sp_interval interval;
	u64 length;

	if (recording->ledger)
		sp_record_books(recording, entry->key.thread, st, &st->clock, woken, now,
				st->cpu != raw_smp_processor_id(), recording->begin.ns);
	if (!ended(recording, &st->clock, woken, now, &interval))
		return;
	length = interval.end - interval.start;
	if (!sp_filter_state(&recording->config, recording->mode->time, st->clock.state)) {
		part->fates.filtered++;
		return;
	}
	if (!sp_record_fits(recording, length)) {
		++*sp_record_misfit(recording, part, length);
		return;
	}
	sp_record_length(recording, part, length);
	sp_tally_add(entry, length, interval.end, cpu);
	part->fates.recorded++;
	if (recording->events.ring) {
		const struct sp_ending ending = {
			.length = length, .at = interval.end, .cpu = cpu, .task = task,
		};

		sp_record_event(recording, part, &recording->threads.list[entry->key.thread],
				&entry->key, &ending);
	}
}

/**
 * sp_plain_book_rare() - a task comes in from where there is more to do than for most
 * @st: its clock, as it was before
 * @task: the task
 * @to: where it stood
 * @woken: ns; when it was woken
 * @now: ns
 */
noinline void sp_plain_book_rare(struct sp_task *st, struct task_struct *task,
				 struct sp_entry *to, u64 woken, u64 now)
{
	struct sp_entry *entry = to, **also = to->also ? to->also->entry : NULL;
	u64 length = now - st->clock.out_ts;

	if (st->unwanted)
		sp_plain_filter(st, sp_clock_times(&st->clock, woken));
	do {
		struct sp_recording *recording = entry->follow.recording;

		if (recording->more)
			book_more(recording, this_cpu_ptr(recording->cpu), st, task, entry,
				  woken, now);
		else if (sp_record_fits(recording, length))
			sp_plain_book(entry, length, now);
		else
			sp_plain_book_misfit(entry, length);
		entry = also ? *also++ : NULL;
	} while (entry);
	if (to->also && to->also->misfits)
		sp_plain_count_misfits(st, to->also->misfits, woken, now);
}

/*
 * Room for the entries of others. Nothing is given back until the recording ends, and sessions
 * are mostly switched on one by one: so there is some to spare each time.
 */
static bool make_room(struct sp_entry *head, const struct sp_learnt *learnt)
{
	struct sp_recording *recording = head->follow.recording;
	u32 words, at, room = roundup_pow_of_two(learnt->n);

	BUILD_BUG_ON(sizeof(struct sp_also) % sizeof(u64));
	if (head->also ? head->also->room >= learnt->n : learnt->n == 1 && !learnt->misfits)
		return true;
	words = sizeof(struct sp_also) / sizeof(u64) + room;
	if (atomic_read(&recording->also_used) + words > recording->also_words)
		return false;
	at = atomic_fetch_add(words, &recording->also_used);
	if (at + words > recording->also_words)
		return false;
	head->also = (void *)(recording->also + at);
	head->also->room = room;
	return true;
}

/* Will a plain switch do all that was learnt, and is there room to say what that is? */
static bool learn_also(struct sp_entry *head, const struct sp_learnt *learnt)
{
	unsigned int i;

	/* What was there belonged to other stacks, or sessions. */
	if (head->also == &beyond_plain)
		head->also = NULL;
	if (learnt->beyond || !make_room(head, learnt))
		return false;
	if (!head->also)
		return true;
	for (i = 1; i < learnt->n; i++)
		head->also->entry[i - 1] = learnt->entry[i];
	head->also->entry[i - 1] = NULL;
	head->also->misfits = learnt->misfits;
	head->also->beyond = false;
	return true;
}

/* No plain switch goes by what is known of that place; but its stacks are not walked again. */
static void put_beyond(struct sp_entry *head)
{
	if (head->also)
		head->also->beyond = true;
	else
		head->also = &beyond_plain;
}

/* What follow will not tell. Not @plain: what is asked is refused. */
static u32 what_is_rare(const struct sp_learnt *learnt, const struct sp_task *st, bool plain)
{
	if (!plain || learnt->misfits || learnt->asks)
		return SP_RARE_BOOKS | SP_RARE_ASKS;
	return learnt->n > 1 || learnt->more || st->unwanted ? SP_RARE_BOOKS : 0;
}

/* Has it less than so many frames, although there were more? */
static bool is_cut_below(const struct sp_stack *stack, u32 depth)
{
	return stack->flags & SP_STACK_CUT && stack->n < depth;
}

/**
 * sp_plain_learn() - what is to be compared at the next switch of a task
 * @cpu: with what became of the interval that ended now
 * @st: the clock of a task that has come in
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_plain_learn(struct sp_cpu *cpu, struct sp_task *st)
{
	const struct sp_learnt *learnt = &cpu->learnt;
	struct sp_entry *head = learnt->n ? learnt->entry[0] : NULL;
	const struct sp_stack *user;
	u32 gen = cpu->plain_gen;
	bool plain = !learnt->beyond;

	st->plain = 0;
	if (!learnt->whole || !st->clock.in_ts)
		return;
	if (st->place_gen != gen) {
		/* What was known may be of recordings that are gone. */
		sp_task_forget_place(st);
		st->out_user = NULL;
		st->place_gen = gen;
	}
	if (unlikely(st->learnt == U32_MAX))
		return;
	/* Of those that are left, none may keep a user stack now, but one the next time. */
	user = learnt->user ?: learnt->out_depth ? st->out_user : NULL;
	/* Of those that are left, one may keep more. */
	if (user && is_cut_below(user, learnt->out_depth))
		user = st->out_user;
	/* Then the way out is the long one, too. */
	if (learnt->out_depth && (!user || is_cut_below(user, learnt->out_depth)))
		return;
	if (head) {
		if (head->learnt != st->learnt) {
			head->learnt = st->learnt;
			head->follow.next = head;
			head->other = NULL;
		}
		plain = learn_also(head, learnt);
		if (!plain)
			put_beyond(head);
		head->follow.kernel = learnt->kernel;
		head->follow.user = user;
		head->rare = what_is_rare(learnt, st, plain);
		if (st->place)
			sp_plain_move(st, head);
		st->place = head;
	}
	st->misfits = learnt->misfits;
	/* The long way finds the stacks of that place again. */
	st->plain = plain ? gen : 0;
}

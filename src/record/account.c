// SPDX-License-Identifier: GPL-2.0-only
/*
 * account: what one recording does with one interval. Runs inside hooks, with
 * interrupts off, mostly with a run queue lock held: nothing here allocates, waits,
 * wakes or prints. Nothing that is shared between CPUs is written unless a task, a
 * stack or a key is new; then a raw spinlock is taken. What runs elsewhere (in the
 * waker, in a timer's interrupt, at the end of a recording) says so.
 */
#include <linux/bitops.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task_stack.h>

#include "lib/address_space.h"
#include "record/live.h"
#include "record/account.h"
#include "record/books.h"
#include "record/open_intervals.h"
#include "task/task_table.h"
#include "record/trace_record.h"
#include "record/compact.h"
#include "record/recording.h"
#include "record/verify.h"
#include "unwind/spaces.h"

/**
 * sp_record_ask_for_mappings() - tell the worker to look at the mappings of a thread
 * @recording: a live recording
 * @thread: one of its threads
 */
void sp_record_ask_for_mappings(struct sp_recording *recording, const struct sp_thread *thread)
{
	set_bit(sp_threads_number(&recording->threads, thread),
		recording->threads.wanted);
	/* Either it is seen here that the worker has begun, or it sees the bit. */
	smp_mb__after_atomic();
	sp_recording_kick(recording);
}

/* Somebody will ask for its name. */
static void note_cgroup(struct sp_recording *recording, struct task_struct *task)
{
	if (likely(!sp_cgroups_note(&recording->cgroups, task)))
		return;
	/* Either it is seen here that the worker has begun, or it sees the group. */
	smp_mb();
	sp_recording_kick(recording);
}

static struct sp_thread *make_thread(struct sp_recording *recording, u32 slot, u64 serial,
				     u32 exec_id, struct task_struct *task)
{
	struct sp_thread *thread = sp_threads_make(&recording->threads, slot, serial, exec_id,
						   task);

	if (thread)
		note_cgroup(recording, task);
	return thread;
}

/**
 * sp_record_new_thread() - add the task of a switch to the threads
 * @recording: a live recording
 * @sw: of a task
 *
 * Return: the thread, or NULL if there is no room.
 */
struct sp_thread *sp_record_new_thread(struct sp_recording *recording,
				       const struct sp_switch *sw)
{
	const struct sp_task *st = sw->st;
	struct sp_thread *thread = make_thread(recording, sp_task_slot(st), st->serial,
					       st->exec_id, sw->task);

	/* The end of whoever had the place before may not have been seen. */
	if (!thread)
		sp_threads_leave(&recording->threads, sp_task_slot(st), st->serial);
	else
		thread->wanted = true;
	if (thread && recording->config.stack & SP_WANT_USER && !thread->who.kthread)
		sp_record_ask_for_mappings(recording, thread);
	else if (sp_recording_wants_room(recording))
		sp_recording_kick(recording);
	return thread;
}

/**
 * sp_record_know() - a task that is switched may be blamed, so who it is has to be known
 * @recording: a live recording with blame
 * @sw: of the task
 * @wanted: the filter lets it in
 *
 * Then it is among the threads. One that is not wanted has one thread, whatever it runs: nobody
 * looks at its mappings. But what it did while it was wanted keeps the name that it had.
 *
 * Return: false if there is no room. The caller counts that, as it is told to all.
 */
bool sp_record_know(struct sp_recording *recording, const struct sp_switch *sw, bool wanted)
{
	struct sp_threads *threads = &recording->threads;
	const struct sp_task *st = sw->st;
	u32 slot = sp_task_slot(st);
	struct sp_thread *thread = NULL;

	if (wanted) {
		thread = sp_record_thread(recording, sw);
		if (thread && unlikely(!thread->wanted))
			thread->wanted = true;
	} else {
		struct sp_thread *known = sp_threads_of(threads, slot, st->serial);

		if (likely(known && (!known->wanted || known->exec_id == st->exec_id)))
			return true;
		/* The rest is for those that the filter lets in: others may have any number. */
		if (!sp_threads_crowded(threads))
			thread = make_thread(recording, slot, st->serial, st->exec_id, sw->task);
		if (!thread && known)
			return true;
		if (!thread)
			sp_threads_leave(threads, slot, st->serial);
		if (sp_recording_wants_room(recording))
			sp_recording_kick(recording);
	}
	return thread;
}

/*
 * A process has the name of its main thread, also when one of its threads is over. What was found
 * is kept, as the process may be gone the next time. RCU, and the reading mutex
 */
static void look_at_process(struct sp_recording *recording, const struct sp_thread *thread,
			    struct sp_who *who)
{
	u32 number = sp_threads_number(&recording->threads, thread);
	struct sp_thread *over = &recording->threads.list[number];
	const struct task_struct *leader = pid_task(find_pid_ns(who->tgid, &init_pid_ns),
						    PIDTYPE_PID);

	if (!leader || leader->start_time != who->leader_start)
		return;
	memcpy(who->leader_comm, leader->comm, TASK_COMM_LEN - 1);
	if (READ_ONCE(thread->over))
		memcpy(over->who.leader_comm, who->leader_comm, TASK_COMM_LEN);
}

static void look_at(struct sp_recording *recording, const struct sp_thread *thread,
		    bool any_program, struct sp_who *who)
{
	struct task_struct *task = NULL;

	/* Its exit, or its next program, may be writing names: some of either are no harm. */
	data_race(*who = thread->who);
	rcu_read_lock();
	if (!READ_ONCE(thread->over))
		task = sp_who_task(&thread->who);
	if (task && (any_program || (u32)task->self_exec_id == thread->exec_id)) {
		sp_who_is_called(who, task);
		sp_cgroups_note(&recording->cgroups, task);
	} else {
		look_at_process(recording, thread, who);
	}
	rcu_read_unlock();
}

static void refresh(struct sp_recording *recording, const struct sp_thread *thread,
		    bool any_program, struct sp_who *who)
{
	/* What tasks are called since is none of it. */
	if (sp_recording_over(recording))
		*who = thread->who;
	else
		look_at(recording, thread, any_program, who);
}

/**
 * sp_record_keep_names() - keep what all tasks are called at the end
 * @recording: one that ends, into which no hook writes any more; the caller holds its reading mutex
 *
 * Context: process, may sleep.
 */
void sp_record_keep_names(struct sp_recording *recording)
{
	struct sp_threads *threads = &recording->threads;
	u32 number, end = sp_threads_end(threads);

	lockdep_assert_held(&recording->reading);
	for (number = SP_THREAD_FIRST; number < end; number++) {
		struct sp_thread *thread = &threads->list[number];
		struct sp_who who;

		/* Not the program, which the worker may just find. */
		look_at(recording, thread, false, &who);
		memcpy(thread->who.comm, who.comm, TASK_COMM_LEN);
		memcpy(thread->who.leader_comm, who.leader_comm, TASK_COMM_LEN);
		thread->who.cgroup = who.cgroup;
		cond_resched();
	}
}

/**
 * sp_record_who() - who a thread is
 * @recording: a recording; the caller holds its reading mutex
 * @thread: one of its threads
 * @who: filled; while the task runs that program, it has the name and the control group of now
 *
 * Context: process.
 */
void sp_record_who(struct sp_recording *recording, const struct sp_thread *thread,
		   struct sp_who *who)
{
	refresh(recording, thread, false, who);
}

/**
 * sp_record_who_now() - who the task of a thread is, whichever program it runs
 * @recording: as sp_record_who(), as all
 * @thread: the last one of the task
 * @who: filled
 */
void sp_record_who_now(struct sp_recording *recording, const struct sp_thread *thread,
		       struct sp_who *who)
{
	refresh(recording, thread, true, who);
}

/* Has current, which is not an interrupt, come from a place in its program? */
static bool has_user_stack(void)
{
	struct pt_regs *regs = task_pt_regs(current);
	const struct mm_struct *mm = current->mm;

	/* While it exits, what is loaded is not its memory any more. */
	return !sp_runs_no_program(current) && mm && sp_mm_has_begun(mm) &&
	       user_mode(regs) && instruction_pointer(regs);
}

static bool is_stack_id(u32 id)
{
	return id != SP_STACK_NONE && id != SP_STACK_LOST;
}

static u32 no_stack(struct sp_recording *recording, struct sp_callchain *callchain, u16 why)
{
	callchain->n = 0;
	memset(&callchain->waker, 0, sizeof(callchain->waker));
	callchain->flags = why;
	callchain->span = 0;
	callchain->fp = 0;
	return sp_stack_table_put(&recording->stacks, callchain);
}

static bool still_stands(const struct sp_stack *stack, const struct sp_switch *sw, bool user)
{
	if (!stack)
		return false;
	if (user) {
		if (!sp_unwind_user_same(stack, task_pt_regs(sw->task), &sw->st->passed))
			return false;
		sp_verify_user(stack, task_pt_regs(sw->task));
		return true;
	}
	if (!sp_unwind_kernel_same(stack, sw->task, &sw->place))
		return false;
	sp_verify_kernel(stack, sw->task, &sw->place);
	return true;
}

static const struct sp_stack *stack_of(const struct sp_entry *entry, bool user)
{
	return user ? entry->follow.user : entry->follow.kernel;
}

/* One of the task's stacks, where both are not as the plain way expected them. */
static const struct sp_stack *find_stored(const struct sp_switch *sw, bool user)
{
	const struct sp_entry *at = sw->st->place;
	const struct sp_stack *stack;

	/* Entries of another generation may lead to what is gone; those of this one last. */
	if (!at || sw->st->place_gen != READ_ONCE(sp_plain_gen))
		return NULL;
	stack = stack_of(at->follow.next, user);
	if (still_stands(stack, sw, user))
		return stack;
	stack = at->other ? stack_of(at->other, user) : NULL;
	return still_stands(stack, sw, user) ? stack : NULL;
}

/* What a walk would have found. */
static void copy_stack(struct sp_callchain *callchain, const struct sp_stack *stack)
{
	u8 seen = READ_ONCE(stack->seen);

	callchain->n = stack->n;
	callchain->flags = stack->flags;
	callchain->span = stack->span;
	callchain->fp = stack->fp;
	memcpy(callchain->frame, stack->frame, stack->n * sizeof(u64));
	memcpy(callchain->link, stack->frame + stack->n,
	       sp_stack_links(stack->flags, stack->span) * sizeof(u64));
	/* In a user's, what its walks have seen is not among the flags. */
	if (!(stack->flags & SP_STACK_USER))
		return;
	callchain->flags &= ~SP_STACK_CHECKABLE;
	if (seen & SP_SEEN_CALL)
		callchain->flags |= SP_STACK_CHECKABLE;
	/* If tables change just now, its own recording has been told, and this one not. */
	if (!seen || callchain->flags & SP_STACK_PLACED)
		callchain->flags |= SP_STACK_ABSENT;
}

/* Returns the number of a stack that the task stands on, or SP_STACK_NONE: it must be walked. */
static u32 known_stack(struct sp_recording *recording, struct sp_switch *sw,
		       struct sp_known *known, struct sp_callchain *callchain, bool user)
{
	const struct sp_stack *stack;
	u32 number;

	if (known->unwound)
		return SP_STACK_NONE;
	if (!known->looked)
		known->stack = find_stored(sw, user);
	known->looked = true;
	stack = known->stack;
	if (!stack)
		return SP_STACK_NONE;
	number = sp_stack_table_number(&recording->stacks, stack);
	if (number != SP_STACK_NONE)
		return number;
	/* Of another recording, which may keep less of it. */
	if (stack->flags & SP_STACK_CUT && recording->stacks.stack_depth > stack->n)
		return SP_STACK_NONE;
	copy_stack(callchain, stack);
	return sp_stack_table_put(&recording->stacks, callchain);
}

static u32 kernel_stack(struct sp_recording *recording, struct sp_switch *sw)
{
	struct sp_callchain *callchain = &sw->cpu->kernel;
	u32 id;

	if (unlikely(sw->exited))
		return no_stack(recording, callchain, SP_STACK_EXITED);
	id = known_stack(recording, sw, &sw->kernel, callchain, false);
	if (id != SP_STACK_NONE)
		return id;
	if (!sw->kernel.unwound)
		sp_unwind_kernel(callchain, sw->task, &sw->place);
	sw->kernel.unwound = true;
	return sp_stack_table_put(&recording->stacks, callchain);
}

/**
 * sp_record_user_stack() - where a task is in its program
 * @recording: a live recording
 * @sw: of the task, which is current, and whose user memory is loaded
 *
 * Return: the stack's number, or SP_STACK_NONE or SP_STACK_LOST.
 */
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_switch *sw)
{
	struct pt_regs *regs = task_pt_regs(sw->task);
	struct sp_callchain *callchain = &sw->cpu->user;
	u32 id;

	if (!has_user_stack())
		return SP_STACK_NONE;
	id = known_stack(recording, sw, &sw->user, callchain, true);
	if (id != SP_STACK_NONE)
		return id;
	if (!sw->user.unwound)
		sp_unwind_user(callchain, regs);
	sw->user.unwound = true;
	return sp_stack_table_put(&recording->stacks, callchain);
}

/*
 * User memory is not reachable now: the stack was taken on the way out, unless
 * the task left before the recording wanted it.
 */
static u32 user_stack_left_with(struct sp_recording *recording,
				const struct sp_thread *thread, struct sp_switch *sw)
{
	const struct sp_task *st = sw->st;

	/* It was odd then, and is again: no other switch was between. */
	if (thread->out_seq + 2 == st->seq.sequence)
		return thread->out_user;
	if (sp_runs_no_program(sw->task))
		return SP_STACK_NONE;
	if (st->out_seq + 2 == st->seq.sequence && st->out_user) {
		u32 number = sp_stack_table_number(&recording->stacks, st->out_user);

		if (number != SP_STACK_NONE)
			return number;
		copy_stack(&sw->cpu->user, st->out_user);
		return sp_stack_table_put(&recording->stacks, &sw->cpu->user);
	}
	return no_stack(recording, &sw->cpu->user,
			SP_STACK_USER | SP_STACK_UNSEEN);
}

static u32 user_stack(struct sp_recording *recording, struct sp_thread *thread,
		      struct sp_switch *sw)
{
	if (unlikely(sw->exited))
		return SP_STACK_NONE;
	if (sp_switch_leaving(sw))
		return user_stack_left_with(recording, thread, sw);
	return sp_record_user_stack(recording, sw);
}

static u32 waker_of(const struct sp_recording *recording, const struct sp_switch *sw)
{
	return sp_record_waker_id(recording, sw->st) ?: recording->unseen_waker;
}

/*
 * The worker shall look at the program of a waker: not from the wakeup, whose probe misses
 * what an interrupt wakes that comes in at its end.
 */
static void ask_for_program_of(struct sp_recording *recording, u32 waker)
{
	const struct sp_stack *stack = sp_stack_table_get(&recording->stacks, waker);

	if (sp_stack_waker(stack)->user == SP_STACK_NONE)
		return;
	set_bit(waker - 1, recording->new_wakers);
	/* Whoever sees the bit sees the stack; and as sp_record_ask_for_mappings(). */
	smp_mb__after_atomic();
	sp_recording_kick(recording);
	sp_unwind_spaces_ask();
}

/* Returns the entry, or NULL if the counter at @fate says that there is none. */
static struct sp_entry *charge_entry(struct sp_recording *recording,
				     struct sp_recording_cpu *cpu, struct sp_thread *thread,
				     struct sp_key key, const struct sp_ending *ending, u64 **fate)
{
	bool lost = key.kernel == SP_STACK_LOST || key.user == SP_STACK_LOST ||
		    key.waker == SP_STACK_LOST;
	struct sp_entry *entry;

	key.thread = sp_threads_number(&recording->threads, thread);
	if (lost) {
		key.kernel = SP_STACK_LOST;
		key.user = SP_STACK_LOST;
		key.waker = SP_STACK_NONE;
	}
	entry = sp_tally_put(&recording->tally, &key);
	/* Code that was mapped since the program started may be in it. */
	if (entry && !entry->count && is_stack_id(key.user))
		sp_record_ask_for_mappings(recording, thread);
	if (entry && !entry->count && is_stack_id(key.waker))
		ask_for_program_of(recording, key.waker);
	if (entry)
		sp_tally_add(entry, ending->length, ending->at, ending->cpu);
	else
		sp_record_lost(cpu, ending->length, ending->at);
	if (unlikely(recording->events.ring))
		sp_record_event(recording, cpu, thread, &key, ending);
	*fate = lost ? &cpu->fates.lost_stacks :
		entry ? &cpu->fates.recorded : &cpu->fates.lost_entries;
	return lost ? NULL : entry;
}

static const struct sp_stack *deeper(struct sp_recording *recording, u32 id,
				     const struct sp_stack *other)
{
	const struct sp_stack *stack = sp_stack_table_known(&recording->stacks, id);

	return stack && (!other || stack->n > other->n ||
			 (stack->n == other->n && other->flags & SP_STACK_CUT)) ? stack : other;
}

/* An interval was added to an entry: so is the next one, if the task stands there then. */
static void learn_entry(struct sp_recording *recording, struct sp_switch *sw,
			struct sp_entry *entry)
{
	bool should = recording->config.stack & SP_WANT_USER && !sp_runs_no_program(sw->task);
	struct sp_learnt *learnt = &sw->cpu->learnt;

	/* Whoever has no user stack, and should, may have one then. */
	if (learnt->n == SP_MAX_ENABLED || (should && entry->key.user == SP_STACK_NONE)) {
		learnt->whole = false;
		return;
	}
	entry->follow.recording = recording;
	learnt->entry[learnt->n++] = entry;
	learnt->kernel = deeper(recording, entry->key.kernel, learnt->kernel);
	learnt->user = deeper(recording, entry->key.user, learnt->user);
	learnt->more |= recording->more;
	learnt->asks |= recording->asks;
}

static u64 *put_interval(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			 struct sp_switch *sw, u64 length, u64 at)
{
	const struct sp_ending ending = {
		.length = length, .at = at, .task = sw->task,
		.cpu = sp_task_where(recording->mode->time, sw->st, raw_smp_processor_id()),
	};
	u32 kinds = recording->config.stack;
	struct sp_thread *thread = sp_record_thread(recording, sw);
	struct sp_key key = { };
	struct sp_entry *entry;
	u64 *fate;

	if (unlikely(!thread)) {
		sp_record_lost(cpu, length, at);
		sw->cpu->learnt.whole = false;
		return &cpu->fates.lost_tasks;
	}
	if (kinds & SP_WANT_KERNEL)
		key.kernel = kernel_stack(recording, sw);
	if (kinds & SP_WANT_USER)
		key.user = user_stack(recording, thread, sw);
	if (kinds & SP_WANT_WAKER && sw->woken)
		key.waker = waker_of(recording, sw);
	entry = charge_entry(recording, cpu, thread, key, &ending, &fate);
	if (likely(entry))
		learn_entry(recording, sw, entry);
	else
		sw->cpu->learnt.whole = false;
	return fate;
}

/* There is none of this recording's now: so it will be, if it is not longer then. */
static void learn_misfit(struct sp_recording *recording, struct sp_switch *sw)
{
	struct sp_learnt *learnt = &sw->cpu->learnt;

	/* Its books are to be kept all the same. */
	if (recording->bit >= SP_MAX_MISFITS || recording->ledger)
		learnt->beyond = true;
	else
		learnt->misfits |= BIT_ULL(recording->bit);
	/* The next interval may be one, and then it is out of reach. */
	if (sp_switch_leaving(sw) && recording->config.stack & SP_WANT_USER &&
	    !sp_runs_no_program(sw->task))
		learnt->out_depth = max(learnt->out_depth, recording->stacks.stack_depth);
}

/*
 * Between the end of this CPU's part and that of the recording: one interval of each
 * task is still to be kept, until the end. Whoever is the first hands it on: this hook,
 * or sp_open_intervals_find(). Its count is not in that of the CPU's part, which is over.
 */
static noinline bool closes_open_interval(struct sp_recording *recording,
					  struct sp_recording_cpu *cpu,
					  const struct sp_switch *sw,
					  struct sp_interval *interval, enum sp_time time)
{
	u64 end;

	if (!cpu->closing)
		return false;
	/* What is before the end is over before clocks are looked at, see publish_end(). */
	if (sp_recording_closes(recording, sw->now, &end)) {
		if (interval->start >= end ||
		    !sp_recording_claim(recording, sp_task_slot(sw->st)))
			return false;
		interval->end = min(interval->end, end);
	}
	cpu->kept.intervals[time]++;
	return true;
}

/*
 * Each process that wakes is a stack more, and an entry more of each task that it wakes, and
 * anybody can start many: their programs are left out from where half of the stacks or of the
 * entries are in use.
 */
static bool has_room_for_wakers(const struct sp_recording *recording)
{
	return sp_stack_table_half_empty(&recording->stacks) &&
	       sp_tally_count(&recording->tally) < recording->config.max_entries / 2;
}

/* Who ran while a task waited, in the place of its waker: a name, which anybody can choose. */
static u32 culprit_stack(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			 struct sp_callchain *callchain, const struct sp_share *share)
{
	char *comm = callchain->waker.comm;
	u64 who = share->who;

	if (who >= SP_CULPRITS && unlikely(!has_room_for_wakers(recording))) {
		cpu->lost_blame++;
		who = SP_CULPRIT_LOST;
	}
	callchain->n = 0;
	callchain->flags = SP_STACK_WAKER | SP_STACK_CULPRIT;
	callchain->span = 0;
	callchain->fp = 0;
	memset(&callchain->waker, 0, sizeof(callchain->waker));
	if (who < SP_CULPRITS) {
		strscpy(comm, sp_culprit_names[who], TASK_COMM_LEN);
	} else {
		/* Behind its end may be what it was before. And no task passes for what is none. */
		memcpy(comm, share->comm, strnlen(share->comm, TASK_COMM_LEN - 1));
		if (*comm == '[')
			*comm = '(';
	}
	return sp_stack_table_put(&recording->stacks, callchain);
}

/* The same stack, or none, with what the task did there. */
static u32 marked_stack(struct sp_recording *recording, struct sp_cpu *cpu, u32 number, u16 mark)
{
	const struct sp_stack *stack = sp_stack_table_known(&recording->stacks, number);

	if (number == SP_STACK_LOST)
		return number;
	if (!stack)
		return no_stack(recording, &cpu->waker, mark);
	copy_stack(&cpu->waker, stack);
	cpu->waker.flags |= mark;
	return sp_stack_table_put(&recording->stacks, &cpu->waker);
}

/* Where a task is all the time that is not sampled: where it left the CPU. */
static struct sp_key key_of_part(struct sp_recording *recording, struct sp_switch *sw,
				 struct sp_thread *thread, enum sp_time part)
{
	u16 mark = sp_recording_mark(recording, part);
	u32 kinds = recording->config.stack;
	struct sp_key key = { };

	if (kinds & SP_WANT_KERNEL)
		key.kernel = kernel_stack(recording, sw);
	if (mark)
		key.kernel = marked_stack(recording, sw->cpu, key.kernel, mark);
	else if (kinds & SP_WANT_WAKER && sw->woken)
		key.waker = waker_of(recording, sw);
	if (kinds & SP_WANT_USER)
		key.user = user_stack(recording, thread, sw);
	return key;
}

/* As put_interval(). @sampled: where it was seen on the CPU; NULL: it was not */
static u64 *put_part(struct sp_recording *recording, struct sp_recording_cpu *cpu,
		     struct sp_switch *sw, enum sp_time part, const struct sp_ending *ending,
		     const struct sp_sampled *sampled)
{
	struct sp_thread *thread = sp_record_thread(recording, sw);
	struct sp_entry *entry;
	struct sp_key key = { };
	u64 *fate;

	if (unlikely(!thread)) {
		sp_record_lost(cpu, ending->length, ending->at);
		return &cpu->fates.lost_tasks;
	}
	/* After exec it is another thread, whose program has other places. */
	if (sampled && sampled->exec_id == sw->st->exec_id) {
		key.kernel = sampled->kernel;
		key.user = sampled->user;
	} else {
		key = key_of_part(recording, sw, thread, part);
	}
	entry = charge_entry(recording, cpu, thread, key, ending, &fate);
	/* Its stacks are as they are, and so they may stand the next time. */
	if (entry && part == SP_TIME_BLOCKED)
		learn_entry(recording, sw, entry);
	return fate;
}

/* Of an interval, beyond the piece that has its fate: it is not lost unseen. */
static void put_piece(struct sp_recording *recording, struct sp_recording_cpu *cpu,
		      struct sp_thread *thread, struct sp_key key,
		      const struct sp_ending *ending)
{
	u64 *fate;

	charge_entry(recording, cpu, thread, key, ending, &fate);
	cpu->pieces++;
	cpu->lost_pieces += fate != &cpu->fates.recorded;
}

/*
 * A wait for a CPU, by who ran there meanwhile. @until: ns; when it ended, or is cut
 * Its shares are as those of blame. Not of no length.
 */
static u64 *put_wait(struct sp_recording *recording, struct sp_recording_cpu *cpu,
		     struct sp_switch *sw, struct sp_ending ending, u64 begin, u64 until)
{
	struct sp_run_walk walk = sp_blame_walk(&sw->cpu->ring, true, sw->st, &sw->before,
						sw->before.woken, until, begin);
	struct sp_thread *thread = sp_record_thread(recording, sw);
	u64 left = ending.length, ended = ending.at, *fate = NULL;
	struct sp_share share;
	struct sp_key key;

	if (unlikely(!thread)) {
		sp_record_lost(cpu, ending.length, ending.at);
		return &cpu->fates.lost_tasks;
	}
	sp_blame_throttled(&walk, &sw->cpu->throttles, sw->st, &sw->before,
			   sw->before.woken);
	/* How much they had by the end of a recording nobody noted. */
	if (recording->config.interrupts && until == sw->now)
		sp_blame_split(&walk, sw->st, sp_run_ring_foreign(&sw->cpu->ring));
	key = key_of_part(recording, sw, thread, SP_TIME_RUN_QUEUE);
	while (sp_blame_next(recording, &walk, &left, &share, &ending.length)) {
		key.waker = culprit_stack(recording, cpu, &sw->cpu->waker, &share);
		/* They came all along the wait. */
		ending.at = share.who == SP_CULPRIT_INTERRUPTS ? ended :
			    sp_time_by(recording->config.clock, share.to);
		if (fate)
			put_piece(recording, cpu, thread, key, &ending);
		else
			charge_entry(recording, cpu, thread, key, &ending, &fate);
	}
	return fate;
}

/*
 * What interrupts had of a time on a CPU since a task came in: of all that came there, that is
 * what came since the part of that CPU began. In the unit of the recording's clock.
 */
static u64 foreign_since(const struct sp_recording *recording, const u64 *foreign, int cpu,
			 const struct sp_clock *clock, u64 begin)
{
	const struct sp_recording_cpu *part = per_cpu_ptr(recording->cpu, cpu);
	u64 since = READ_ONCE(part->since), sum = 0, before = 0;
	unsigned int i;

	/* As sp_foreign_book(): where it was watched in part, nobody knows when they came. */
	if (!since || (sp_phase_off_cpu(clock->phase) && clock->out_ts <= since) ||
	    (begin > recording->begin.ns && clock->in_ts < begin))
		return 0;
	for (i = 0; i < SP_FOREIGNS; i++) {
		sum += foreign[i];
		before += part->foreign_base.open[i];
	}
	if (clock->in_ts < since)
		sum -= min(sum, before);
	return sp_clock_id_of_ns(recording->config.clock, sum);
}

/* What of a time on a CPU was theirs is theirs: returns what is left. */
static u64 put_interrupts(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			  struct sp_switch *sw, struct sp_ending ending, u64 foreign)
{
	struct sp_thread *thread = sp_record_thread(recording, sw);
	u64 length = ending.length;
	struct sp_key key = { };

	ending.length = min(foreign, length);
	if (!ending.length || unlikely(!thread))
		return length;
	key.kernel = no_stack(recording, &sw->cpu->waker, SP_STACK_INTERRUPTS);
	put_piece(recording, cpu, thread, key, &ending);
	return length - ending.length;
}

static bool splits_interrupts(const struct sp_recording *recording)
{
	return recording->config.interrupts && recording->mode->time == SP_TIME_WALL;
}

/* Was the task seen on the CPU in the time there that has ended? */
static bool was_sampled(const struct sp_recording *recording, const struct sp_switch *sw,
			u64 begin)
{
	return recording->sampled[sp_task_slot(sw->st)].at > max(sw->before.in_ts, begin);
}

/*
 * An interval of a task, up to where its end is known. What was handed on of one on a CPU, when
 * the task was seen there, is part of its length only. @part: which of a task's times
 */
static noinline void record_rest(struct sp_recording *recording, struct sp_recording_cpu *cpu,
				 struct sp_switch *sw, enum sp_time part,
				 const struct sp_interval *whole, u64 begin)
{
	const struct sp_sampled *sampled = &recording->sampled[sp_task_slot(sw->st)];
	struct sp_interval interval = sp_interval_by(recording, whole, begin);
	u64 length = interval.end - interval.start, rest = max(whole->start, begin), *fate;
	struct sp_ending ending = { .at = interval.end, .task = sw->task };
	u64 foreign;

	ending.cpu = sp_task_where(part, sw->st, raw_smp_processor_id());
	if (part != SP_TIME_ON_CPU || !was_sampled(recording, sw, begin))
		sampled = NULL;
	else
		rest = min(sampled->at, whole->end);
	ending.length = interval.end - sp_time_by(recording->config.clock, rest);
	fate = sp_record_fate(recording, cpu, length);
	if (fate)
		goto out;
	sp_record_length(recording, cpu, length);
	if (unlikely(splits_interrupts(recording)) && part == SP_TIME_ON_CPU) {
		foreign = foreign_since(recording, sw->st->foreign, sw->st->cpu, &sw->before,
					begin);
		foreign = sp_time_between(sampled ? sampled->foreign : 0, foreign);
		ending.length = put_interrupts(recording, cpu, sw, ending, foreign);
	}
	if (unlikely(recording->blamed) && part == SP_TIME_RUN_QUEUE && ending.length)
		fate = put_wait(recording, cpu, sw, ending, begin, whole->end);
	else
		fate = put_part(recording, cpu, sw, part, &ending, sampled);
out:
	++*fate;
}

/* One of the task's times has ended. */
static __always_inline void record_interval(struct sp_recording *recording,
					    struct sp_switch *sw, enum sp_time time)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_clock *before = &sw->before;
	u64 now = sw->now, begin = sp_live_begin(recording, sw->st);
	struct sp_interval interval = { before->out_ts, now };
	u64 *fate = NULL, length;

	/* What most want to know ends now. Others may have ended before. */
	if (unlikely(time != SP_TIME_OFF_CPU || now < before->out_ts) &&
	    /* The clock is told of every event, so there always is one. */
	    unlikely(!sp_clock_time(before, time, now, &interval)))
		interval = (struct sp_interval) { now, now, false };
	if (unlikely(!cpu->live)) {
		sw->cpu->learnt.whole = false;
		if (!closes_open_interval(recording, cpu, sw, &interval, time))
			return;
	}
	/* One that was over before is none of this recording's. */
	if (unlikely(interval.end <= begin)) {
		sw->cpu->learnt.whole = false;
		cpu->fates.filtered++;
		return;
	}
	/* Where it left is not where it was, and this is not what becomes of the next one. */
	if (unlikely(recording->sampled && was_sampled(recording, sw, begin))) {
		sw->cpu->learnt.whole = false;
		record_rest(recording, cpu, sw, time, &interval, begin);
		return;
	}
	interval = sp_interval_by(recording, &interval, begin);
	length = interval.end - interval.start;
	if (sp_record_fits(recording, length)) {
		sp_record_length(recording, cpu, length);
		fate = put_interval(recording, cpu, sw, length, interval.end);
	} else {
		fate = sp_record_misfit(recording, cpu, length);
		learn_misfit(recording, sw);
	}
	++*fate;
}

/* One of the parts of a task's time, up to @now. */
static void record_part(struct sp_recording *recording, struct sp_recording_cpu *cpu,
			struct sp_switch *sw, enum sp_time part, u64 now)
{
	u64 begin = sp_live_begin(recording, sw->st);
	const struct sp_clock *before = &sw->before;
	struct sp_interval interval;

	if (unlikely(!sp_clock_time(before, part, now, &interval)))
		interval = (struct sp_interval) { now, now, false };
	if (unlikely(!cpu->live)) {
		if (interval.start >= now)
			return;
		interval.end = min(interval.end, now);
		cpu->kept.intervals[SP_TIME_WALL]++;
	}
	if (unlikely(interval.end <= begin) ||
	    !sp_filter_state(&recording->config, part, before->state)) {
		cpu->fates.filtered++;
		return;
	}
	record_rest(recording, cpu, sw, part, &interval, begin);
}

/*
 * It is told for how long it is not known what a task did: until it came in where that CPU's
 * part had not begun, but the recording had, or while no hook saw it. @at: up to when all of its
 * time was handed on
 */
static noinline void record_missed(struct sp_recording *recording, struct sp_recording_cpu *cpu,
				   struct sp_switch *sw, u64 at, u64 known_since)
{
	struct sp_interval missed = {
		sp_live_missed_since(sp_live_begin(recording, sw->st), sw->st, at),
		known_since,
	};
	struct sp_ending ending = { .cpu = raw_smp_processor_id(), .task = sw->task };
	struct sp_thread *thread;
	struct sp_key key = { };

	if (missed.start >= missed.end || !sp_record_is_unbounded(recording))
		return;
	missed = sp_interval_by(recording, &missed, missed.start);
	ending.at = missed.end;
	ending.length = missed.end - missed.start;
	thread = sp_record_thread(recording, sw);
	if (unlikely(!thread)) {
		sp_record_lost(cpu, ending.length, ending.at);
		return;
	}
	key.kernel = no_stack(recording, &sw->cpu->waker, SP_STACK_MOVED);
	put_piece(recording, cpu, thread, key, &ending);
}

/*
 * As closes_open_interval(), for all parts at once: whoever is the first hands them on, up to
 * the end, and nobody anything after this switch. @now: when they end
 */
static bool closes_wall(struct sp_recording *recording, const struct sp_recording_cpu *cpu,
			const struct sp_switch *sw, u64 *now)
{
	if (!cpu->closing)
		return false;
	return !sp_recording_closes(recording, sw->now, now) ||
	       sp_recording_claim(recording, sp_task_slot(sw->st));
}

/*
 * All of a task's time since it came in before: on the CPU, asleep, and waiting for one. Each
 * part has an entry of its own.
 */
static noinline void record_wall(struct sp_recording *recording, struct sp_switch *sw,
				 unsigned int times)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	unsigned int learnt = sw->cpu->learnt.n;
	u64 now = sw->now, known_since = sw->before.in_ts ?: sw->before.out_ts ?: now;
	struct sp_sampled *sampled = &recording->sampled[sp_task_slot(sw->st)];
	enum sp_time part;

	if (likely(cpu->live) || closes_wall(recording, cpu, sw, &now)) {
		if (unlikely(sampled->at < known_since))
			record_missed(recording, cpu, sw, sampled->at, min(known_since, now));
		for (part = 0; part < SP_CLOCK_TIMES; part++)
			if (times & sp_time_parts(SP_TIME_WALL) & BIT(part))
				record_part(recording, cpu, sw, part, now);
		/* Whatever is missed from now on, this is not told again. */
		WRITE_ONCE(sampled->at, now);
	}
	sw->cpu->learnt.beyond = true;
	sw->cpu->learnt.whole &= cpu->live && sw->cpu->learnt.n > learnt;
}

/* Account the time of a task that comes in, or ends. */
static noinline void record_ledger(struct sp_recording *recording,
				   struct sp_switch *sw)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_kernel_books kernel;
	struct sp_ledger *ledger;
	struct sp_thread *thread;
	u32 number;

	if (unlikely(!cpu->live))
		return;
	thread = sp_record_thread(recording, sw);
	if (!thread) {
		cpu->unbooked++;
		return;
	}
	number = sp_threads_number(&recording->threads, thread);
	ledger = &recording->ledger[number];
	sp_record_books(recording, number, sw->st, &sw->before, sw->before.woken, sw->now,
			sw->migrated, sp_live_begin(recording, sw->st));
	ledger->voluntary += sw->exited;
	if (likely(ledger->based && !sw->exited))
		return;
	sp_kernel_books_read(&kernel, sw->task);
	if (!ledger->based) {
		/* The tracepoint fires before the kernel counts this wait. */
		if (sp_switch_leaving(sw))
			kernel.waited_ns += ledger->ns[SP_ACCOUNT_RUN_QUEUE];
		sp_ledger_base(ledger, &kernel);
	}
	if (unlikely(sw->exited)) {
		ledger->end = kernel;
		ledger->over = true;
	}
}

/*
 * A task that comes in for the first time since it is watched may never be off its CPU until it
 * ends, and is released by then: it has no process any more that could be asked who that is. It may
 * have nothing to record, so the rest of the room is for others.
 */
static noinline void know_newcomer(struct sp_recording *recording, const struct sp_switch *sw)
{
	if (sp_time_parts(recording->mode->time) & BIT(SP_TIME_ON_CPU) &&
	    this_cpu_ptr(recording->cpu)->live && !sp_threads_crowded(&recording->threads))
		sp_record_thread(recording, sw);
}

/**
 * sp_deliver() - hand what has ended to every recording that wants the task
 * @sw: of a task that comes in, or that left for the last time
 * @times: which of its times have ended, bits of enum sp_time
 *
 * Context: a hook, while the task's clock is being written.
 */
void sp_deliver(struct sp_switch *sw, unsigned int times)
{
	struct sp_wanting wanting = sp_wanting(sw->st);
	enum sp_state state = sw->before.state;
	struct sp_recording *recording;
	enum sp_time time;

	sw->woken = sp_switch_woken(times);
	if (likely(!sw->exited))
		sp_place_of_coming(&sw->place, sw->task, sw->regs);
	while ((recording = sp_next_wanting(&wanting))) {
		if (unlikely(recording->ledger))
			record_ledger(recording, sw);
		if (unlikely(sw->before.in_ts < sp_live_begin(recording, sw->st) && !sw->exited))
			know_newcomer(recording, sw);
		time = recording->mode->time;
		sw->cpu->learnt.whole &= READ_ONCE(recording->settled);
		if (unlikely(time == SP_TIME_WALL)) {
			record_wall(recording, sw, times);
		} else if (unlikely(time >= SP_CLOCK_TIMES)) {
			/* What ends at other events than switches; but books are kept. */
			sw->cpu->learnt.beyond |= !!recording->ledger;
		} else if (unlikely(!(times & BIT(time)))) {
			learn_misfit(recording, sw);
		} else if (likely(sp_filter_state(&recording->config, time, state))) {
			record_interval(recording, sw, time);
		} else {
			sp_record_filtered(recording, 1);
			learn_misfit(recording, sw);
		}
	}
}

/**
 * sp_record_inside() - the stack inside a time without a switch
 * @recording: a live recording of such a mode whose filter lets the task in
 * @sw: of the current task
 * @since: ns; when it began
 * @ns: how long it will have lasted at the next sample
 * @regs: of the kernel where it was interrupted; NULL: user mode was
 * @irqs_off: the sample was late
 *
 * It is taken once, as soon as that time may be recorded.
 *
 * Context: a timer's interrupt while the task runs.
 */
void sp_record_inside(struct sp_recording *recording, struct sp_switch *sw,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	u32 kinds = recording->config.stack;
	struct sp_callchain *callchain = &sw->cpu->waker;
	struct sp_thread *thread;

	if (!cpu->live)
		return;
	/* After exec it is another thread, and the old one may be compacted. */
	if (cpu->inside_since == since && cpu->inside_exec == sw->st->exec_id) {
		/* It may have been let in again. */
		cpu->inside_begin = sp_live_begin(recording, sw->st);
		return;
	}
	if (sp_clock_id_of_ns(recording->config.clock, ns) < READ_ONCE(recording->min))
		return;
	thread = sp_record_thread(recording, sw);
	if (!thread)
		return;
	cpu->inside_since = since;
	cpu->inside_begin = sp_live_begin(recording, sw->st);
	cpu->inside_exec = sw->st->exec_id;
	cpu->inside_thread = sp_threads_number(&recording->threads, thread);
	cpu->inside_kernel = SP_STACK_NONE;
	cpu->inside_user = SP_STACK_NONE;
	if (kinds & SP_WANT_KERNEL) {
		callchain->n = 0;
		callchain->flags = 0;
		if (regs)
			sp_unwind_interrupted(callchain, regs);
		callchain->flags |= irqs_off ? SP_STACK_IRQS_OFF : 0;
		cpu->inside_kernel = sp_stack_table_put(&recording->stacks, callchain);
	}
	if (kinds & SP_WANT_USER)
		cpu->inside_user = sp_record_user_stack(recording, sw);
}

/* Where current is, in the kernel, of a timer's interrupt: walked once for all recordings. */
static u32 sampled_kernel_stack(struct sp_recording *recording, struct sp_switch *sw,
				struct pt_regs *regs)
{
	u16 mark = sp_recording_mark(recording, SP_TIME_ON_CPU);
	struct sp_callchain *callchain = &sw->cpu->kernel;

	if (!(recording->config.stack & SP_WANT_KERNEL))
		return mark ? no_stack(recording, &sw->cpu->waker, mark) : SP_STACK_NONE;
	if (!sw->kernel.unwound) {
		callchain->n = 0;
		callchain->flags = 0;
		callchain->span = 0;
		callchain->fp = 0;
		if (regs)
			sp_unwind_interrupted(callchain, regs);
		sw->kernel.unwound = true;
	}
	callchain->flags = (callchain->flags & ~SP_STACK_ON_CPU) | mark;
	/* In user mode there is none. */
	return mark || callchain->n ? sp_stack_table_put(&recording->stacks, callchain) :
				      SP_STACK_NONE;
}

/**
 * sp_record_sample() - where a task is on its CPU: so it was since the last look
 * @recording: a live recording that samples stacks, and wants the task
 * @sw: of the current task
 * @regs: of the kernel where it was interrupted; NULL: user mode was
 *
 * What it does until it leaves is taken for the same, as nobody looks any more. How long it will
 * have been on the CPU is not known, so with bounds for lengths nothing is sampled.
 *
 * Context: a timer's interrupt while the task runs.
 */
void sp_record_sample(struct sp_recording *recording, struct sp_switch *sw, struct pt_regs *regs)
{
	struct sp_sampled *sampled = &recording->sampled[sp_task_slot(sw->st)];
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_clock *clock = &sw->st->clock;
	u64 watched = sp_live_begin(recording, sw->st), at = sampled->at, begin = max(watched, at);
	struct sp_interval piece = { clock->in_ts, sw->now };
	struct sp_ending ending = { .cpu = raw_smp_processor_id(), .task = sw->task };
	u64 foreign[SP_FOREIGNS], all = 0, had = 0;
	struct sp_thread *thread;
	struct sp_key key = { };

	if (!cpu->live || clock->phase != SP_PHASE_ON_CPU || !clock->in_ts ||
	    piece.end <= max(piece.start, begin) || !sp_record_is_unbounded(recording))
		return;
	/* It slept meanwhile, and no hook saw that: they are blind. */
	if (unlikely(sw->st->nvcsw != (u32)sw->task->nvcsw))
		return;
	thread = sp_record_thread(recording, sw);
	/* Without room it is told when it leaves. */
	if (!thread)
		return;
	piece = sp_interval_by(recording, &piece, begin);
	ending.length = piece.end - piece.start;
	ending.at = piece.end;
	if (unlikely(splits_interrupts(recording))) {
		sp_foreign_open(foreign, ending.cpu);
		all = foreign_since(recording, foreign, ending.cpu, clock, watched);
		had = at > clock->in_ts ? sampled->foreign : 0;
		/* This interrupt's own beginning is told the next time; so is what was too much. */
		all = clamp(all, had, had + ending.length);
		sampled->foreign = all;
	}
	key.kernel = sampled_kernel_stack(recording, sw, regs);
	if (recording->config.stack & SP_WANT_USER)
		key.user = sp_record_user_stack(recording, sw);
	WRITE_ONCE(sampled->kernel, key.kernel);
	WRITE_ONCE(sampled->user, key.user);
	WRITE_ONCE(sampled->exec_id, sw->st->exec_id);
	/* The rest of this time is for the long way, which knows that. */
	sw->st->plain = 0;
	WRITE_ONCE(sampled->at, sw->now);
	/* Whoever copied entries finds what they have handed on. Pairs with handed_on_until(). */
	smp_wmb();
	if (unlikely(recording->mode->time == SP_TIME_WALL && at < clock->in_ts))
		record_missed(recording, cpu, sw, at, clock->in_ts);
	if (all > had)
		ending.length = put_interrupts(recording, cpu, sw, ending, all - had);
	put_piece(recording, cpu, thread, key, &ending);
}

/**
 * sp_record_nosched_span() - a time without a switch is over
 * @recording: a live recording of such a mode whose filter lets the task in
 * @sw: of the task
 * @ended: when it began and ended
 *
 * Context: a hook or a timer's interrupt on the CPU where it was.
 */
void sp_record_nosched_span(struct sp_recording *recording, struct sp_switch *sw,
			    const struct sp_nosched_span_end *ended)
{
	enum sp_clock_id clock_id = recording->config.clock;
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	struct sp_interval interval = { ended->since, ended->until };
	struct sp_ending ending = {
		.at = sp_time_by(clock_id, sw->now), .cpu = raw_smp_processor_id(),
		.irqs_off = ended->irqs_off, .task = sw->task,
	};
	u64 begin = sp_live_begin(recording, sw->st);
	struct sp_key key = { };
	struct sp_thread *thread;
	u64 *fate, length;

	if (!cpu->live)
		return;
	if (interval.end <= begin) {
		cpu->fates.filtered++;
		return;
	}
	interval = sp_interval_by(recording, &interval, begin);
	length = interval.end - interval.start;
	ending.length = length;
	/* Short ones, too: they are what long ones are compared with. */
	sp_record_length(recording, cpu, length);
	fate = sp_record_fate(recording, cpu, length);
	if (fate)
		goto out;
	thread = sp_record_thread(recording, sw);
	if (!thread) {
		sp_record_lost(cpu, length, ending.at);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (cpu->inside_since == ended->since) {
		key.kernel = cpu->inside_kernel;
		/* Of another program, before an exec, it has addresses of that one. */
		if (cpu->inside_exec == sw->st->exec_id)
			key.user = cpu->inside_user;
	} else if (recording->config.stack & SP_WANT_KERNEL) {
		key.kernel = no_stack(recording, &sw->cpu->waker, SP_STACK_UNSEEN);
	}
	charge_entry(recording, cpu, thread, key, &ending, &fate);
out:
	++*fate;
}

/**
 * sp_record_cut_nosched_span() - keep a time without a switch that goes on at the end
 * @recording: not live on this CPU any more
 *
 * Context: on the CPU, interrupts off.
 */
void sp_record_cut_nosched_span(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);
	const struct sp_nosched_span *span = &this_cpu_ptr(sp_cpu)->span;
	struct sp_ending ending = { };
	struct sp_key key = { };
	struct sp_thread *thread;
	struct sp_interval interval;
	u64 now, length, *fate;

	if (!sp_mode_samples(recording->mode) || !span->since ||
	    cpu->inside_since != span->since)
		return;
	now = sp_time();
	ending.irqs_off = sp_nosched_span_irqs_off(span, now);
	ending.cpu = raw_smp_processor_id();
	ending.at = sp_time_by(recording->config.clock, now);
	cpu->kept.intervals[SP_TIME_NOSCHED]++;
	interval = (struct sp_interval) { span->since, now };
	interval = sp_interval_by(recording, &interval, cpu->inside_begin);
	length = interval.end - interval.start;
	ending.length = length;
	sp_record_length(recording, cpu, length);
	fate = sp_record_fate(recording, cpu, length);
	if (!fate) {
		thread = &recording->threads.list[cpu->inside_thread];
		key.kernel = cpu->inside_kernel;
		key.user = cpu->inside_user;
		charge_entry(recording, cpu, thread, key, &ending, &fate);
	}
	++*fate;
}

/**
 * sp_record_cut() - keep an interval that no hook handed on before the end
 * @recording: not live any more, so nobody else writes to it
 * @open: the interval and its task
 *
 * Context: process.
 */
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *open)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);
	struct sp_threads *threads = &recording->threads;
	u64 length = open->until - open->began, ns = open->until - open->since;
	const struct sp_ending ending = {
		.length = ns, .at = open->until, .task = open->task,
		.cpu = open->cpu,
	};
	struct sp_key key = {
		.kernel = open->seen_kernel, .user = open->seen_user, .waker = open->waker,
	};
	struct sp_thread *thread;
	u64 *fate;

	cpu->kept.intervals[recording->mode->time]++;
	fate = sp_record_fate(recording, cpu, length);
	if (fate)
		goto out;
	sp_record_length(recording, cpu, length);
	thread = sp_threads_find(threads, open->slot, open->serial,
				 open->exec_id);
	if (!thread)
		thread = make_thread(recording, open->slot, open->serial,
				     open->exec_id, open->task);
	if (!thread) {
		sp_record_lost(cpu, ns, open->until);
		fate = &cpu->fates.lost_tasks;
		goto out;
	}
	if (open->kernel)
		key.kernel = sp_stack_table_put(&recording->stacks, open->kernel);
	if (open->user)
		key.user = sp_stack_table_put(&recording->stacks, open->user);
	charge_entry(recording, cpu, thread, key, &ending, &fate);
out:
	++*fate;
}

/**
 * sp_record_leave() - a task leaves the CPU
 * @recording: a live recording whose filter lets the task in
 * @sw: without an interval
 *
 * A program that was not announced yet is added to the threads now, so that the worker
 * can look at its mappings while it is off the CPU. Where user memory is out
 * of reach on the way in, the user stack is taken here.
 */
void sp_record_leave(struct sp_recording *recording, struct sp_switch *sw)
{
	struct sp_thread *thread;

	if (!(recording->config.stack & SP_WANT_USER) ||
	    unlikely(!this_cpu_ptr(recording->cpu)->live))
		return;
	thread = sp_record_thread(recording, sw);
	if (thread && sp_switch_leaving(sw) &&
	    sp_time_parts(recording->mode->time)) {
		thread->out_user = sp_record_user_stack(recording, sw);
		thread->out_seq = sw->st->seq.sequence;
		sw->st->out_user = deeper(recording, thread->out_user, sw->st->out_user);
	}
}

static void count_cut_waker(const struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	cpu->cut_wakers += cpu->live;
}

/*
 * The leader of the process whose program current runs. A child of vfork() has its parent's,
 * and wakes it on the way to another. RCU: interrupts are off.
 */
static const struct task_struct *runs_program_of(void)
{
	const struct task_struct *parent = rcu_dereference_raw(current->real_parent);

	return READ_ONCE(parent->mm) == current->mm ? parent->group_leader :
						      current->group_leader;
}

/* Is current where that waker was in its program? Else SP_STACK_NONE. */
static u32 place_again(const struct sp_recording *recording, const struct sp_waker *waker)
{
	const struct task_struct *leader = runs_program_of();
	struct sp_task *st = this_cpu_ptr(sp_cpu)->running;
	struct pt_regs *regs = task_pt_regs(current);
	struct sp_passed passed = {};
	const struct sp_stack *user;
	bool same;

	if (waker->user == SP_STACK_NONE || waker->tgid != leader->tgid ||
	    waker->exec_id != (u32)leader->self_exec_id ||
	    waker->start_time != leader->start_time)
		return SP_STACK_NONE;
	user = sp_stack_table_get(&recording->stacks, waker->user);
	/* What this CPU knows of the task that it runs nobody else writes now. */
	if (st->task == current)
		passed.words = st->passed_waking;
	same = sp_unwind_user_same(user, regs, &passed);
	/* Readers copy it meanwhile. */
	if (st->task == current && st->passed_waking != passed.words)
		WRITE_ONCE(st->passed_waking, passed.words);
	if (!same)
		return SP_STACK_NONE;
	sp_verify_user(user, regs);
	return waker->user;
}

/* Is the waker, which is current and whose name is @stack's, also there in its program? */
static bool is_there_again(const struct sp_recording *recording, const struct sp_stack *stack)
{
	const struct sp_waker *waker = sp_stack_waker(stack);
	bool placed;

	if (!(recording->config.stack & SP_WANT_USER))
		return true;
	placed = has_user_stack() && sp_user_in_call(task_pt_regs(current));
	if (waker->user == SP_STACK_NONE) {
		if (placed && has_room_for_wakers(recording))
			return false;
		if (placed)
			count_cut_waker(recording);
		return true;
	}
	return placed && place_again(recording, waker) != SP_STACK_NONE;
}

/* What a walk would find in the kernel, of a waker that is elsewhere in a program. */
static void take_kernel_part(struct sp_cpu *cpu, struct sp_waking *waking,
			     const struct sp_stack *stack)
{
	if (waking->walked || stack->flags & SP_STACK_CUT ||
	    sp_stack_waker(stack)->user == SP_STACK_NONE)
		return;
	copy_stack(&cpu->waker, stack);
	memset(&cpu->waker.waker, 0, sizeof(cpu->waker.waker));
	memcpy(cpu->waker.waker.comm, sp_stack_waker(stack)->comm, TASK_COMM_LEN);
	cpu->waker_user.n = 0;
	waking->walked = true;
	waking->called = true;
}

/**
 * sp_record_waker_again() - is it the waker that is known already?
 * @recording: a live recording that wants to know
 * @st: the task's clock
 * @cpu: this CPU's
 * @waking: where the waker is now; if only its place in the kernel is known, that is
 *	in @cpu then, as after a walk
 *
 * Return: true if nothing is left to do.
 */
bool sp_record_waker_again(const struct sp_recording *recording, const struct sp_task *st,
			   struct sp_cpu *cpu, struct sp_waking *waking)
{
	u32 id = sp_record_waker_id(recording, st);
	const struct sp_stack *stack;

	if (!is_stack_id(id))
		return false;
	stack = sp_stack_table_get(&recording->stacks, id);
	if (!sp_unwind_waker_same(stack, waking))
		return false;
	/* It walks into what a walk for another recording has filled. */
	if (!waking->walked)
		sp_verify_waker(stack, waking);
	if (is_there_again(recording, stack))
		return true;
	take_kernel_part(cpu, waking, stack);
	return false;
}

/* Where in its program the waker is, which is current: a walk, unless it is the last one. */
static u32 place_of_waker(struct sp_recording *recording, struct sp_cpu *cpu, u32 last)
{
	u32 id = SP_STACK_NONE;

	if (is_stack_id(last))
		id = place_again(recording,
				 sp_stack_waker(sp_stack_table_get(&recording->stacks, last)));
	if (id != SP_STACK_NONE)
		return id;
	if (!cpu->waker_user.n)
		sp_unwind_user(&cpu->waker_user, task_pt_regs(current));
	return sp_stack_table_put(&recording->stacks, &cpu->waker_user);
}

/* The waker with that. @last: who woke the task before. SP_STACK_LOST: there is no room. */
static u32 put_placed_waker(struct sp_recording *recording, struct sp_cpu *cpu, u32 last)
{
	const struct task_struct *leader = runs_program_of();
	struct sp_waker *waker = &cpu->waker.waker;
	u32 id = place_of_waker(recording, cpu, last);

	if (id == SP_STACK_LOST)
		return id;
	waker->user = id;
	waker->start_time = leader->start_time;
	waker->tgid = leader->tgid;
	waker->exec_id = leader->self_exec_id;
	return sp_stack_table_put(&recording->stacks, &cpu->waker);
}

/**
 * sp_record_waker() - somebody wakes a task
 * @recording: a live recording that wants to know
 * @st: the task's clock
 * @cpu: this CPU's, with who, and where; its user stack is walked if it is needed
 * @called: as sp_unwind_waker() said
 *
 * Context: a hook in the waker's context, interrupts off. The last one counts,
 * as for the stamp of the wakeup.
 */
void sp_record_waker(struct sp_recording *recording, const struct sp_task *st,
		     struct sp_cpu *cpu, bool called)
{
	struct sp_waker *waker = &cpu->waker.waker;
	u32 id = SP_STACK_LOST;

	if (called && recording->config.stack & SP_WANT_USER && has_user_stack()) {
		if (has_room_for_wakers(recording))
			id = put_placed_waker(recording, cpu, sp_record_waker_id(recording, st));
		if (id == SP_STACK_LOST)
			count_cut_waker(recording);
	}
	/* A name at least. What is there now is of a program, perhaps for another recording. */
	if (id == SP_STACK_LOST) {
		memset((void *)waker + TASK_COMM_LEN, 0, sizeof(*waker) - TASK_COMM_LEN);
		id = sp_stack_table_put(&recording->stacks, &cpu->waker);
	}
	/* Another CPU that finds the number finds the stack. */
	smp_store_release(&recording->wakers[sp_task_slot(st)], id);
}

/**
 * sp_record_exit() - a task left the CPU for the last time
 * @recording: a live recording, whether its filter lets the task in or not
 * @st: its clock
 * @task: the task
 */
void sp_record_exit(struct sp_recording *recording, struct sp_task *st,
		    struct task_struct *task)
{
	/* Or the one that it had when it ran another program. */
	struct sp_thread *thread = sp_threads_of(&recording->threads, sp_task_slot(st),
						 st->serial);
	bool other;

	if (!thread)
		return;
	/*
	 * What it did as another program keeps that name, also if it is not wanted any more. One
	 * that never was has but one thread.
	 */
	other = thread->exec_id != st->exec_id &&
		(!recording->blamed || thread->wanted || test_bit(recording->bit, st->match));
	sp_thread_exited(&recording->threads, thread, other ? NULL : task);
	note_cgroup(recording, task);
	if (sp_recording_wants_room(recording))
		sp_recording_kick(recording);
}

/**
 * sp_record_no_slot() - intervals of unknown length ended, because the
 * table of task clocks is full
 * @recording: a live recording whose filter lets the task in
 * @intervals: so many
 */
void sp_record_no_slot(struct sp_recording *recording, unsigned int intervals)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->fates.lost_tasks += intervals;
}

/**
 * sp_record_no_books() - a switch of a task without a clock, of which this mode has no intervals
 * @recording: a live recording with books whose filter lets the task in
 */
void sp_record_no_books(struct sp_recording *recording)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->unbooked++;
}

/**
 * sp_record_filtered() - intervals that the filter does not let in
 * @recording: a live recording
 * @intervals: so many
 */
void sp_record_filtered(struct sp_recording *recording, unsigned int intervals)
{
	struct sp_recording_cpu *cpu = this_cpu_ptr(recording->cpu);

	if (cpu->live)
		cpu->fates.filtered += intervals;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger_snapshot: where the time of every task of a recording went, up to now.
 *
 * The ledger of a thread has what the hooks have handed on; what the task does now, and
 * did before if it is off the CPU, is in its clock. The two belong together if
 * the clock has not turned while both were copied. Each task is looked at in a
 * moment of its own, in which all its times add up.
 *
 * Process context, under the recording's reading mutex.
 */
#include <linux/bitmap.h>
#include <linux/sched/signal.h>
#include <linux/sort.h>

#include "record/foreign.h"
#include "record/live.h"
#include "lib/memory.h"
#include "lib/lock.h"
#include "lib/readers.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "record/interval.h"
#include "record/ledger_snapshot.h"

/* A task that is switched all the time is tried so often. */
#define TRIES 1000
/* Room for tasks that are born between counting and looking. */
#define BORN_MEANWHILE 64

struct taking {
	struct sp_recording *recording;
	struct sp_ledger_snapshot *ledgers;
	u32 room;
	unsigned long *done;	/* threads whose tasks were looked at */
};

static struct sp_task_ledger *next_ledger(struct taking *taking)
{
	return taking->ledgers->count < taking->room ?
	       &taking->ledgers->list[taking->ledgers->count] : NULL;
}

/* Returns the number of the thread, or SP_THREAD_NONE if it has none yet. */
static u32 copy_ledger(struct sp_recording *recording, u32 slot,
		       const struct sp_task *copy, struct sp_ledger *ledger)
{
	struct sp_thread *thread = sp_threads_find(&recording->threads, slot,
						   copy->serial, copy->exec_id);
	u32 number;

	memset(ledger, 0, sizeof(*ledger));
	if (!thread)
		return SP_THREAD_NONE;
	number = sp_threads_number(&recording->threads, thread);
	*ledger = recording->ledger[number];
	return number;
}

/* While no switch is under way there: it zeroes them before the clock of its task turns. */
static void copy_open(int cpu, void *data)
{
	sp_foreign_open(data, cpu);
}

static void look_at(struct taking *taking, struct task_struct *task)
{
	struct sp_recording *recording = taking->recording;
	struct sp_task_ledger *of_task = next_ledger(taking);
	struct sp_task before = { }, after;
	unsigned int tries;
	u32 slot, number;
	u64 now, on, begin;

	if (!of_task || !sp_live_wants(recording, task))
		return;
	for (tries = 0; tries < TRIES; tries++) {
		if (!sp_task_copy(task, &before, &slot))
			return;
		number = copy_ledger(recording, slot, &before, &of_task->ledger);
		/* Before the time: what came since is not in that. */
		if (recording->config.interrupts && before.clock.phase == SP_PHASE_ON_CPU)
			sp_cpu_read(before.cpu, copy_open, before.foreign);
		now = sp_time_now();
		sp_kernel_books_read(&of_task->now, task);
		if (!sp_task_copy(task, &after, &slot))
			return;
		if (before.seq.sequence == after.seq.sequence && before.serial == after.serial)
			break;
		sp_count_contention(repeats);
	}
	if (number != SP_THREAD_NONE)
		set_bit(number, taking->done);
	on = of_task->ledger.ns[SP_ACCOUNT_ON_CPU];
	begin = sp_live_watched_since(recording, &before);
	sp_record_account_time(recording, &of_task->ledger, &before.clock, before.clock.woken,
			       now, false, begin);
	if (recording->config.interrupts && before.clock.phase != SP_PHASE_UNKNOWN)
		sp_foreign_book(recording, &of_task->ledger, &before.clock, before.cpu,
				before.foreign, of_task->ledger.ns[SP_ACCOUNT_ON_CPU] - on,
				begin, &taking->ledgers->rest);
	sp_who_is(&of_task->who, task);
	of_task->serial = before.serial;
	of_task->off_cpu = sp_phase_off_cpu(before.clock.phase);
	of_task->lives = true;
	taking->ledgers->count++;
}

/* Tasks that ended, and what tasks did while they ran another program. */
static void add_thread(struct taking *taking, u32 number)
{
	struct sp_recording *recording = taking->recording;
	struct sp_task_ledger *of_task = next_ledger(taking);
	const struct sp_thread *thread = &recording->threads.list[number];

	if (!of_task || test_bit(number, taking->done) ||
	    !READ_ONCE(recording->ledger[number].since))
		return;
	/* Pairs with sp_threads_make(). */
	smp_rmb();
	of_task->who = thread->who;
	of_task->serial = thread->serial;
	of_task->ledger = recording->ledger[number];
	taking->ledgers->count++;
}

static int by_task(const void *a, const void *b)
{
	const struct sp_who *x = &((const struct sp_task_ledger *)a)->who;
	const struct sp_who *y = &((const struct sp_task_ledger *)b)->who;

	sp_readers_yield();
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->start_time != y->start_time)
		return x->start_time < y->start_time ? -1 : 1;
	return 0;
}

/* Programs of one task come together, one after the other. */
static int by_task_and_clock(const void *a, const void *b)
{
	const struct sp_task_ledger *x = a, *y = b;

	if (by_task(a, b))
		return by_task(a, b);
	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return x->ledger.since < y->ledger.since ? -1 : x->ledger.since > y->ledger.since;
}

static void merge_programs(struct sp_ledger_snapshot *ledgers)
{
	u32 i, n = 0;

	sort(ledgers->list, ledgers->count, sizeof(*ledgers->list), by_task_and_clock, NULL);
	for (i = 0; i < ledgers->count; i++) {
		struct sp_task_ledger *from = &ledgers->list[i], *to = &ledgers->list[n - 1];

		sp_readers_yield();
		if (!n || by_task(to, from)) {
			ledgers->list[n++] = *from;
			continue;
		}
		/* Its name is the last one. */
		if (from->ledger.until > to->ledger.until) {
			to->who = from->who;
			to->now = from->now;
			to->off_cpu = from->off_cpu;
			to->lives = from->lives;
		}
		if (from->serial == to->serial)
			sp_ledger_merge(&to->ledger, &from->ledger);
		else
			sp_ledger_merge_other(&to->ledger, &from->ledger);
		to->serial = from->serial;
	}
	ledgers->count = n;
}

/**
 * sp_ledger_snapshot_take() - the ledgers of all tasks, as of now
 * @recording: a live one with a ledger; the caller holds its reading mutex
 * @memory: whose it is; also for freeing it
 *
 * Return: the ledgers, sorted by TID, or NULL if there is no memory for them.
 */
struct sp_ledger_snapshot *sp_ledger_snapshot_take(struct sp_recording *recording,
						   const struct sp_memory *memory)
{
	u32 number, end = sp_threads_end(&recording->threads);
	struct taking taking = {
		.recording = recording,
		.room = end + sp_task_table_count() + BORN_MEANWHILE,
	};
	struct task_struct *process, *task;

	lockdep_assert_held(&recording->reading);
	taking.ledgers = memory->alloc(struct_size(taking.ledgers, list, taking.room));
	taking.done = memory->alloc(BITS_TO_LONGS(recording->threads.pool.max + SP_THREAD_FIRST) *
				   sizeof(long));
	if (!taking.ledgers || !taking.done) {
		memory->free(taking.ledgers);
		memory->free(taking.done);
		return NULL;
	}
	rcu_read_lock();
	for_each_process_thread(process, task)
		look_at(&taking, task);
	rcu_read_unlock();
	for (number = SP_THREAD_EXITED; number < end; number++) {
		add_thread(&taking, number);
		sp_readers_yield();
	}
	memory->free(taking.done);
	merge_programs(taking.ledgers);
	return taking.ledgers;
}

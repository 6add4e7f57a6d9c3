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
#include <linux/bsearch.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sort.h>

#include "compat/compat.h"
#include "record/account.h"
#include "record/blame.h"
#include "record/foreign.h"
#include "record/live.h"
#include "lib/export.h"
#include "lib/memory.h"
#include "lib/lock.h"
#include "lib/readers.h"
#include "lib/widen.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "record/interval.h"
#include "record/ledger_snapshot.h"

/* A task that is switched all the time is tried so often. */
#define TRIES 1000
/* So many rows of it are read at most, in all these tries and one more. */
#define MAX_READ 16384

/* Who has a serial, by thread. */
struct known {
	u64 serial;
	u32 exec_id;
	u32 number;
};

struct taking {
	struct sp_recording *recording;
	struct sp_ledger_snapshot *ledgers;
	u32 room;
	unsigned long *done;	/* threads whose tasks were looked at, and free ones */
	u32 row_room;
	u32 read;		/* rows, of one task */
	u32 *moved_to;		/* by the number of a task: where it is in the list */
	struct sp_run_ring *ring;	/* a copy, */
	u64 foreign;		/* and what interrupts had taken of that CPU's time */
	struct task_struct **tasks;	/* to be looked at; references */
	u32 count;
	struct known *known;	/* who has a serial, for the names of culprits */
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
	/* A hook may write it: it is closed then, unless the task's clock did not turn. */
	data_race(*ledger = recording->ledger[number]);
	return number;
}

/* While no switch is under way there: it zeroes them before the clock of its task turns. */
static void copy_open(int cpu, void *data)
{
	sp_foreign_open(data, cpu);
}

/* Of the task that is next in the list. The row of the next share, of whoever it is. */
static void add_row(struct taking *taking, u64 who, const struct sp_sum *sum)
{
	struct sp_ledger_snapshot *ledgers = taking->ledgers;

	ledgers->blame[ledgers->rows++] = (struct sp_blame_row) {
		.task = ledgers->count, .who = who, .total = sum->total, .count = sum->count,
		.longest = sum->max,
	};
}

/*
 * The same, if that one has no row yet of those from @first on, which are few. There is room for
 * all that is stored, and some; should that not do, a row of each task is [lost].
 */
static void add_share(struct taking *taking, u32 first, u64 who, const struct sp_sum *sum)
{
	struct sp_ledger_snapshot *ledgers = taking->ledgers;
	struct sp_blame_row *row;
	u32 i;

	if (ledgers->rows >= taking->row_room)
		who = SP_CULPRIT_LOST;
	for (i = first; i < ledgers->rows; i++) {
		row = &ledgers->blame[i];
		if (row->who != who)
			continue;
		row->total += sum->total;
		row->count += sum->count;
		row->longest = max(row->longest, sum->max);
		return;
	}
	add_row(taking, who, sum);
}

/* All that is stored of a thread, each culprit once. There may be very many. */
static void copy_blame(struct taking *taking, u32 number)
{
	struct sp_recording *recording = taking->recording;
	struct sp_blamed *blamed = &recording->blamed[number];
	struct sp_entry *row;
	struct sp_sum sum, lost;
	struct sp_key key;

	/* As the ledger: rows of who turns meanwhile are closed. */
	data_race(lost = blamed->lost);
	/* Pairs with find_row() in record/blame.c. */
	for (row = smp_load_acquire(&blamed->rows); row; row = row->other) {
		sp_readers_yield();
		if (!sp_tally_read(&recording->blame, row, &key, &sum))
			continue;
		/* Some may be new since the room was taken. */
		if (taking->ledgers->rows < taking->row_room)
			add_row(taking, sp_blame_who(&key), &sum);
		else
			sp_sum_merge(&lost, &sum);
		taking->read++;
	}
	if (blamed->exited.count && taking->ledgers->rows < taking->row_room)
		add_row(taking, SP_CULPRIT_EXITED, &blamed->exited);
	else
		sp_sum_merge(&lost, &blamed->exited);
	if (lost.count)
		add_row(taking, SP_CULPRIT_LOST, &lost);
}

static int by_who(const void *a, const void *b)
{
	const struct sp_blame_row *x = a, *y = b;

	return cmp_int(x->who, y->who);
}

/**
 * sp_blame_rows_merge() - each culprit once
 * @rows: of one task; of the first ones each is of another culprit, and so it is of the others
 * @first: so many are the first ones
 * @count: so many are all; the others are few
 *
 * Return: how many are left.
 */
u32 sp_blame_rows_merge(struct sp_blame_row *rows, u32 first, u32 count)
{
	struct sp_blame_row *other;
	u32 i, n = first;

	sort(&rows[first], count - first, sizeof(*rows), by_who, NULL);
	for (i = 0; i < first; i++) {
		sp_readers_yield();
		other = bsearch(&rows[i], &rows[first], count - first, sizeof(*rows), by_who);
		if (!other)
			continue;
		rows[i].total += other->total;
		rows[i].count += other->count;
		rows[i].longest = max(rows[i].longest, other->longest);
		other->count = 0;
	}
	for (i = first; i < count; i++)
		if (rows[i].count)
			rows[n++] = rows[i];
	return n;
}
SP_EXPORT_FOR_KUNIT(sp_blame_rows_merge);

/* Of the task that is next in the list: what is stored begins at @first, and the rest at @open. */
static void merge_rows(struct taking *taking, u32 first, u32 open)
{
	struct sp_ledger_snapshot *ledgers = taking->ledgers;

	ledgers->rows = first + sp_blame_rows_merge(&ledgers->blame[first], open - first,
						    ledgers->rows - first);
}

static void copy_ring(int cpu, void *data)
{
	const struct sp_cpu *from = per_cpu_ptr(sp_cpu, cpu);
	struct taking *taking = data;
	u64 now = sp_time_now();

	*taking->ring = from->ring;
	/* Behind the time: so it is not more than they will have had of what the task waits. */
	taking->foreign = sp_cpu_foreign(from, now);
	if (from->ring_since != READ_ONCE(sp_lives.blamed_since))
		sp_run_ring_clear(taking->ring);
}

/* What the task waits now, if it does: its books have that already, and the ring is copied. */
static void split_open_wait(struct taking *taking, const struct sp_task *copy, u32 open,
			    u64 waited, u64 now)
{
	struct sp_recording *recording = taking->recording;
	u64 left = waited, length;
	struct sp_run_walk walk;
	struct sp_share share;

	if (!waited)
		return;
	walk = sp_blame_walk(taking->ring, false, copy, &copy->clock, copy->clock.woken, now,
			     sp_live_watched_since(recording, copy));
	if (recording->config.interrupts)
		sp_blame_split(&walk, copy, taking->foreign);
	while (sp_blame_next(recording, &walk, &left, &share, &length)) {
		const struct sp_sum sum = { .total = length, .count = 1, .max = length };

		add_share(taking, open, share.who, &sum);
	}
}

/* A task that turned in all tries: rows and books are of different moments. */
static void close_rows(struct taking *taking, u32 first, u64 waited)
{
	struct sp_ledger_snapshot *ledgers = taking->ledgers;
	u64 missing = sp_blame_rows_trim(&ledgers->blame[first], ledgers->rows - first, &waited);
	const struct sp_sum sum = { .total = missing, .count = 1, .max = missing };

	if (missing)
		add_share(taking, ledgers->rows, SP_CULPRIT_LOST, &sum);
	/* What was too much. */
	if (missing || waited)
		taking->recording->unplaced_blame++;
}

/*
 * Who is not listed any more is a thread that is over, or soon will be. Not under RCU: there may be
 * very many rows.
 */
static void look_at(struct taking *taking, struct task_struct *task)
{
	struct sp_recording *recording = taking->recording;
	struct sp_task_ledger *of_task = next_ledger(taking);
	struct sp_task before = { }, after;
	u32 slot, number, open, first = taking->ledgers->rows;
	unsigned int tries, cpu;
	bool whole = false;
	u64 now, on, waited, begin;

	if (!of_task || !pid_alive(task) || !sp_live_wants(recording, task))
		return;
	taking->read = 0;
	for (tries = 0; tries < TRIES && taking->read < MAX_READ; tries++) {
		if (!sp_task_copy(task, &before, &slot))
			goto gone;
		number = copy_ledger(recording, slot, &before, &of_task->ledger);
		taking->ledgers->rows = first;
		if (recording->blamed && number != SP_THREAD_NONE)
			copy_blame(taking, number);
		/* Who moves the task stamps its clock, and then it has another CPU. */
		cpu = task_cpu(task);
		if (recording->blamed && sp_phase_off_cpu(before.clock.phase))
			sp_cpu_read(cpu, copy_ring, taking);
		/* Before the time: what came since is not in that. */
		if (recording->config.interrupts && before.clock.phase == SP_PHASE_ON_CPU)
			sp_cpu_read(before.cpu, copy_open, before.foreign);
		now = sp_time_now();
		sp_kernel_books_read(&of_task->now, task);
		/* What was copied above is of before that. */
		smp_rmb();
		if (!sp_task_copy(task, &after, &slot))
			goto gone;
		/* A hook that is stopped in the middle has booked some of it. */
		whole = !(before.seq.sequence & 1) &&
			before.seq.sequence == after.seq.sequence &&
			before.serial == after.serial && before.moved == after.moved &&
			before.waits_since == after.waits_since &&
			cpu == task_cpu(task);
		if (whole)
			break;
		sp_count_contention(repeats);
		/* A hook may be stopped there for as long as a host likes. */
		sp_readers_yield();
	}
	sp_who_is(&of_task->who, task);
	/* Who has gone meanwhile has no process any more, which is a part of that. */
	if (!pid_alive(task))
		goto gone;
	if (number != SP_THREAD_NONE)
		set_bit(number, taking->done);
	open = taking->ledgers->rows;
	if (!whole)
		sp_ledger_close(&of_task->ledger);
	on = of_task->ledger.ns[SP_ACCOUNT_ON_CPU];
	waited = of_task->ledger.ns[SP_ACCOUNT_RUN_QUEUE];
	begin = sp_live_watched_since(recording, &before);
	if (recording->blamed && !whole)
		close_rows(taking, first, waited);
	sp_record_account_time(recording, &of_task->ledger, &before.clock, before.clock.woken,
			       now, false, begin);
	if (recording->config.interrupts && before.clock.phase != SP_PHASE_UNKNOWN)
		sp_foreign_book(recording, &of_task->ledger, &before.clock, before.cpu,
				before.foreign, of_task->ledger.ns[SP_ACCOUNT_ON_CPU] - on,
				begin, &taking->ledgers->rest);
	if (recording->blamed) {
		split_open_wait(taking, &before, open,
				of_task->ledger.ns[SP_ACCOUNT_RUN_QUEUE] - waited, now);
		merge_rows(taking, first, open);
	}
	sp_cgroups_note(&recording->cgroups, task);
	of_task->serial = before.serial;
	of_task->off_cpu = sp_phase_off_cpu(before.clock.phase);
	of_task->lives = true;
	of_task->number = taking->ledgers->count++;
	return;

gone:
	taking->ledgers->rows = first;
}

/* All that have a clock, so that others may run between two of them. */
static void list_tasks(struct taking *taking)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (taking->count == taking->room || !sp_live_knows(task))
			continue;
		get_task_struct(task);
		taking->tasks[taking->count++] = task;
	}
	rcu_read_unlock();
}

static void look_at_tasks(struct taking *taking)
{
	u32 i;

	list_tasks(taking);
	for (i = 0; i < taking->count; i++) {
		look_at(taking, taking->tasks[i]);
		put_task_struct(taking->tasks[i]);
		sp_readers_yield();
	}
}

/* Tasks that ended, and what tasks did while they ran another program. */
static void add_thread(struct taking *taking, u32 number)
{
	struct sp_recording *recording = taking->recording;
	struct sp_task_ledger *of_task = next_ledger(taking);
	const struct sp_thread *thread = &recording->threads.list[number];
	u32 open, first = taking->ledgers->rows;
	bool over;

	if (!of_task || test_bit(number, taking->done) ||
	    !READ_ONCE(recording->ledger[number].since))
		return;
	/* Pairs with sp_threads_make(). */
	smp_rmb();
	/* Pairs with end_thread_locked() in record/threads.c: nothing is added any more. */
	over = smp_load_acquire(&thread->over);
	sp_window();
	/* Whose task was born since they were listed, or is not wanted any more, may go on. */
	data_race(of_task->who = thread->who);
	of_task->serial = thread->serial;
	/* As above; and then it is closed. */
	data_race(of_task->ledger = recording->ledger[number]);
	if (!over)
		sp_ledger_close(&of_task->ledger);
	if (recording->blamed) {
		copy_blame(taking, number);
		open = taking->ledgers->rows;
		if (!over)
			close_rows(taking, first, of_task->ledger.ns[SP_ACCOUNT_RUN_QUEUE]);
		merge_rows(taking, first, open);
	}
	of_task->number = taking->ledgers->count++;
}

/*
 * A number that is free now may be given away while tasks are looked at: to one that had no thread
 * when it was looked at, or another program, and then what it has by now is in its books already.
 * Compacting, which frees them, is kept away.
 */
static void leave_out_free(struct taking *taking, u32 end)
{
	const struct sp_threads *threads = &taking->recording->threads;
	u32 number;

	for (number = SP_THREAD_FIRST; number < end; number++) {
		u64 serial = READ_ONCE(threads->list[number].serial);

		if (!serial || serial == U64_MAX)
			set_bit(number, taking->done);
		sp_readers_yield();
	}
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

static void merge_programs(struct sp_ledger_snapshot *ledgers, u32 *moved_to)
{
	u32 i, n = 0;

	sort(ledgers->list, ledgers->count, sizeof(*ledgers->list), by_task_and_clock, NULL);
	for (i = 0; i < ledgers->count; i++) {
		struct sp_task_ledger *from = &ledgers->list[i], *to = &ledgers->list[n - 1];

		sp_readers_yield();
		moved_to[from->number] = n - 1;
		if (!n || by_task(to, from)) {
			moved_to[from->number] = n;
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

static int by_serial(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	sp_readers_yield();
	return cmp_int(x->serial, y->serial);
}

static int by_serial_and_program(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return by_serial(a, b) ?: cmp_int(x->exec_id, y->exec_id);
}

/* Of the programs that a task ran, the last one is left. Return: how many there are. */
static u32 keep_last_programs(struct known *known, u32 count)
{
	u32 i, n = 0;

	sort(known, count, sizeof(*known), by_serial_and_program, NULL);
	for (i = 0; i < count; i++) {
		if (n && known[n - 1].serial == known[i].serial)
			n--;
		known[n++] = known[i];
	}
	return n;
}

/* Its name is the last one, as in the books: of the program that it runs now. */
static void name_culprit(struct sp_recording *recording, const struct known *known,
			 struct sp_who *who)
{
	const struct sp_threads *threads = &recording->threads;
	const struct sp_thread *thread = &threads->list[known->number];
	const struct sp_thread *now = &threads->list[READ_ONCE(threads->of_slot[thread->slot])];

	if (now->serial == thread->serial)
		thread = now;
	sp_record_who_now(recording, thread, who);
}

/* Beside the rows are now the waiters, where they are in the list, and who is to be blamed. */
static void name_rows(struct taking *taking)
{
	const struct sp_threads *threads = &taking->recording->threads;
	struct sp_ledger_snapshot *ledgers = taking->ledgers;
	/* Whoever came later than there was room for has not kept anybody waiting for long. */
	u32 number, i, n = 0, end = min(sp_threads_end(threads), taking->room);
	struct known *known = taking->known, *found;

	if (!ledgers->rows)
		return;
	for (number = SP_THREAD_FIRST; number < end; number++) {
		/* One that is being made just now is not to be blamed yet. */
		known[n++] = (struct known) {
			.serial = READ_ONCE(threads->list[number].serial),
			.exec_id = READ_ONCE(threads->list[number].exec_id),
			.number = number,
		};
		sp_readers_yield();
	}
	n = keep_last_programs(known, n);
	for (i = 0; i < ledgers->rows; i++) {
		struct sp_blame_row *row = &ledgers->blame[i];
		const struct known key = { .serial = row->who };

		row->task = taking->moved_to[row->task];
		found = row->who < SP_CULPRITS ? NULL :
			bsearch(&key, known, n, sizeof(*known), by_serial);
		if (found)
			name_culprit(taking->recording, found, &row->culprit);
		sp_readers_yield();
	}
}

/* All that is stored, what is open, and rows [exited] and [lost] for each task. */
static u32 rows_for(const struct sp_recording *recording, u32 tasks)
{
	return recording->blamed ? sp_pool_end(&recording->blame.pool) + 9 * tasks + 1024 : 0;
}

static int take_memory(struct taking *taking, const struct sp_memory *memory)
{
	const struct sp_recording *recording = taking->recording;
	u32 rows = rows_for(recording, taking->room);
	size_t list = struct_size(taking->ledgers, list, taking->room);

	taking->row_room = rows;
	/* Beyond the room, each task needs one row at most, and the one at hand another one. */
	if (rows)
		rows += taking->room + 1;
	taking->ledgers = memory->alloc(list + rows * sizeof(struct sp_blame_row));
	taking->done = memory->alloc(BITS_TO_LONGS(recording->threads.pool.max +
						   SP_THREAD_FIRST) * sizeof(long));
	taking->moved_to = memory->alloc(taking->room * sizeof(u32));
	taking->ring = memory->alloc(sizeof(*taking->ring));
	taking->tasks = memory->alloc(taking->room * sizeof(*taking->tasks));
	taking->known = memory->alloc(taking->room * sizeof(*taking->known));
	if (!taking->ledgers || !taking->done || !taking->moved_to || !taking->ring ||
	    !taking->tasks || !taking->known)
		return -ENOMEM;
	taking->ledgers->blame = (void *)taking->ledgers + list;
	taking->ledgers->bytes = list + rows * sizeof(struct sp_blame_row);
	return 0;
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
		.room = end + sp_task_table_room(),
	};
	int err = take_memory(&taking, memory);

	lockdep_assert_held(&recording->reading);
	if (err)
		goto out;
	leave_out_free(&taking, end);
	look_at_tasks(&taking);
	for (number = SP_THREAD_EXITED; number < end; number++) {
		add_thread(&taking, number);
		sp_readers_yield();
	}
	merge_programs(taking.ledgers, taking.moved_to);
	name_rows(&taking);
out:
	memory->free(taking.done);
	memory->free(taking.moved_to);
	memory->free(taking.ring);
	memory->free(taking.tasks);
	memory->free(taking.known);
	if (!err)
		return taking.ledgers;
	memory->free(taking.ledgers);
	return NULL;
}

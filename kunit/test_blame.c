// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of blame: what compacting does with rows of tasks that are gone, and with what else
 * they had. Made-up tasks wait for and blame each other on a ring of their own; whatever is
 * merged, nobody's time is lost, and no row is left whose culprit nobody knows any more.
 *
 * Run: make kunit
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "record/blame.h"
#include "record/compact.h"
#include "record/ledger_snapshot.h"
#include "suites.h"

#define TASKS	16
#define ROWS	64
#define MANY_ENTRIES	65536

struct fixture {
	struct sp_recording recording;
	struct task_struct *task;
	struct sp_run_ring ring;
	u64 now;
	u64 serial[TASKS];	/* by slot: of who has it now */
	u64 waited[TASKS];	/* the same, of all that had it */
	unsigned int kicks;	/* of the worker */
};

static void count_kick(struct irq_work *kick)
{
	struct sp_recording *recording = container_of(kick, struct sp_recording, kick);

	container_of(recording, struct fixture, recording)->kicks++;
}

static struct sp_run_ring *ring_of_this_machine(void)
{
	return &per_cpu_ptr(sp_cpu, cpumask_first(cpu_online_mask))->ring;
}

static int set_up(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->task = kunit_kzalloc(test, sizeof(*f->task), GFP_KERNEL);
	f->recording.cpu = alloc_percpu(struct sp_recording_cpu);
	if (!f->task || !f->recording.cpu)
		return -ENOMEM;
	f->task->group_leader = f->task;
	RCU_INIT_POINTER(f->task->cgroups, rcu_access_pointer(current->cgroups));
	sp_run_ring_clear(&f->ring);
	f->now = 1000;
	init_irq_work(&f->recording.kick, count_kick);
	mutex_init(&f->recording.reading);
	mutex_init(&f->recording.looking);
	return 0;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	irq_work_sync(&f->recording.kick);
	sp_run_ring_clear(ring_of_this_machine());
	if (f->recording.blamed)
		sp_blame_destroy(&f->recording);
	if (f->recording.threads.list)
		sp_threads_destroy(&f->recording.threads);
	if (f->recording.tally.entries)
		sp_tally_destroy(&f->recording.tally);
	free_percpu(f->recording.cpu);
}

static void start(struct kunit *test, u32 rows)
{
	struct fixture *f = test->priv;

	f->recording.config = (struct sp_config) {
		.blame = true, .max_tasks = TASKS, .max_entries = rows,
	};
	KUNIT_ASSERT_EQ(test, sp_threads_init(&f->recording.threads, TASKS, TASKS), 0);
	KUNIT_ASSERT_EQ(test, sp_tally_init(&f->recording.tally, rows, false), 0);
	KUNIT_ASSERT_EQ(test, sp_blame_init(&f->recording), 0);
}

/* A task gets this place. Returns the number of its thread. */
static u32 make_task(struct kunit *test, u32 slot)
{
	struct fixture *f = test->priv;
	struct sp_thread *thread;

	f->serial[slot] = f->serial[slot] ? f->serial[slot] + TASKS : 100 + slot;
	thread = sp_threads_make(&f->recording.threads, slot, f->serial[slot], 1, f->task);
	KUNIT_ASSERT_NOT_NULL(test, thread);
	return sp_threads_number(&f->recording.threads, thread);
}

static void end_task(struct fixture *f, u32 number)
{
	sp_thread_exited(&f->recording.threads, &f->recording.threads.list[number], f->task);
}

/* It waits while another task runs. */
static void wait_for(struct fixture *f, u32 number, u32 slot, u64 length)
{
	struct sp_run_walk walk;
	unsigned long flags;

	sp_run_ring_push(&f->ring, f->serial[slot], f->now, 0);
	f->now += length;
	sp_run_ring_push(&f->ring, U64_MAX, f->now, 0);
	walk = sp_run_walk(&f->ring, true, f->now - length, 0, f->now);
	local_irq_save(flags);
	sp_blame_wait(&f->recording, number, &walk, length);
	local_irq_restore(flags);
	f->waited[f->recording.threads.list[number].slot] += length;
}

/* What the row has of a culprit; 0: there is none. */
static u64 row_of(struct fixture *f, u32 number, u64 who)
{
	struct sp_entry *row;
	struct sp_key key;
	struct sp_sum sum;

	for (row = f->recording.blamed[number].rows; row; row = row->other)
		if (sp_tally_read(&f->recording.blame, row, &key, &sum) &&
		    sp_blame_who(&key) == who)
			return sum.total;
	return 0;
}

static u64 sum_of(struct fixture *f, u32 number)
{
	const struct sp_blamed *blamed = &f->recording.blamed[number];
	u64 total = blamed->lost.total + blamed->exited.total;
	struct sp_entry *row;
	struct sp_key key;
	struct sp_sum sum;

	for (row = blamed->rows; row; row = row->other)
		if (sp_tally_read(&f->recording.blame, row, &key, &sum))
			total += sum.total;
	return total;
}

static bool is_known(const struct fixture *f, u64 who)
{
	const struct sp_threads *threads = &f->recording.threads;
	u32 number;

	for (number = SP_THREAD_FIRST; number < sp_threads_end(threads); number++)
		if (threads->list[number].serial == who)
			return true;
	return false;
}

/* Whoever is blamed in a row has a thread, or nobody could merge it. */
static void expect_known(struct kunit *test, u32 number)
{
	struct fixture *f = test->priv;
	struct sp_entry *row;

	for (row = f->recording.blamed[number].rows; row; row = row->other)
		KUNIT_EXPECT_TRUE(test, is_known(f, sp_blame_who(&row->key)));
}

static void gone_are_merged(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter, gone, lives;

	start(test, ROWS);
	waiter = make_task(test, 0);
	gone = make_task(test, 1);
	lives = make_task(test, 2);
	wait_for(f, waiter, 1, 10);
	wait_for(f, waiter, 2, 5);
	wait_for(f, gone, 2, 3);
	wait_for(f, gone, 0, 4);
	wait_for(f, lives, 1, 7);
	wait_for(f, lives, 0, 1);
	end_task(f, gone);
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[1]), 0ULL);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[waiter].exited.total, 10ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[2]), 5ULL);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[lives].exited.total, 7ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, SP_THREAD_EXITED, f->serial[2]), 3ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, SP_THREAD_EXITED, f->serial[0]), 4ULL);
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->recording.blame), 4);
	/* And then the one who was blamed by that. */
	end_task(f, lives);
	wait_for(f, waiter, 0, 1);
	sp_compact(&f->recording);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[waiter].exited.total, 15ULL);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), f->waited[0]);
	KUNIT_EXPECT_EQ(test, sum_of(f, SP_THREAD_EXITED), f->waited[1] + f->waited[2]);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[SP_THREAD_EXITED].exited.total, 10ULL);
	expect_known(test, waiter);
	expect_known(test, SP_THREAD_EXITED);
}

/* A wait of @ns for the CPU of the ring, from 1000 on, of which interrupts are told. */
static void split_wait(struct fixture *f, u32 waiter, u64 until, u64 ns)
{
	struct sp_run_walk walk = sp_run_walk(&f->ring, true, 1000, 0, until);
	unsigned long flags;

	sp_run_walk_split(&walk, SP_RUN_UNKNOWN, sp_run_ring_foreign(&f->ring));
	local_irq_save(flags);
	sp_blame_wait(&f->recording, waiter, &walk, ns);
	local_irq_restore(flags);
}

/* What interrupts had of a wait is a row of it, once, and nothing is without an owner. */
static void interrupts_have_a_row(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter;

	start(test, ROWS);
	waiter = make_task(test, 0);
	sp_run_ring_push(&f->ring, 101, 1000, 500);
	sp_run_ring_push(&f->ring, 102, 1100, 507);
	/* Nothing is left to this one. */
	sp_run_ring_push(&f->ring, 103, 1300, 557);
	sp_run_ring_push(&f->ring, 104, 1310, 567);
	/* 5 that no segment has. */
	split_wait(f, waiter, 1310, 315);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, 101), 93ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, 102), 150ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, 103), 0ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, SP_CULPRIT_INTERRUPTS), 67ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, SP_CULPRIT_EARLIER), 5ULL);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), 315ULL);
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->recording.blame), 4);
}

/* Books that have less than the clocks tell get no more than that. */
static void interrupts_of_a_shorter_wait(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter;

	start(test, ROWS);
	waiter = make_task(test, 0);
	sp_run_ring_push(&f->ring, 101, 1000, 500);
	sp_run_ring_push(&f->ring, 102, 1100, 560);
	sp_run_ring_push(&f->ring, 103, 1200, 590);
	split_wait(f, waiter, 1200, 130);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, 102), 70ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, SP_CULPRIT_INTERRUPTS), 60ULL);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), 130ULL);
}

/* It may be blamed once more: it is merged when the ring has lost it. */
static void who_is_in_a_ring_is_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter, gone, other;

	start(test, ROWS);
	waiter = make_task(test, 0);
	gone = make_task(test, 1);
	other = make_task(test, 2);
	wait_for(f, waiter, 1, 10);
	wait_for(f, waiter, 2, 5);
	wait_for(f, gone, 2, 3);
	sp_run_ring_clear(ring_of_this_machine());
	sp_run_ring_push(ring_of_this_machine(), f->serial[1], 1, 0);
	end_task(f, gone);
	sp_compact(&f->recording);
	KUNIT_EXPECT_TRUE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[1]), 10ULL);
	KUNIT_EXPECT_EQ(test, row_of(f, gone, f->serial[2]), 3ULL);
	/* A waiter that is over: its first row is nobody's any more. */
	end_task(f, other);
	wait_for(f, waiter, 0, 1);
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[2]));
	KUNIT_EXPECT_EQ(test, row_of(f, gone, f->serial[2]), 0ULL);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[gone].exited.total, 3ULL);
	wait_for(f, waiter, 1, 2);
	sp_run_ring_clear(ring_of_this_machine());
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[1]), 0ULL);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), f->waited[0]);
	KUNIT_EXPECT_EQ(test, sum_of(f, SP_THREAD_EXITED), f->waited[1]);
}

/* A hook may put another one in front at any time. */
static void the_first_row_is_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter, gone;

	start(test, ROWS);
	waiter = make_task(test, 0);
	gone = make_task(test, 1);
	wait_for(f, waiter, 1, 10);
	end_task(f, gone);
	sp_compact(&f->recording);
	KUNIT_EXPECT_TRUE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[1]), 10ULL);
	make_task(test, 2);
	wait_for(f, waiter, 2, 5);
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, row_of(f, waiter, f->serial[1]), 0ULL);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), f->waited[0]);
	expect_known(test, waiter);
}

/* Where there is no row for [exited], either. */
static void full_rows_are_merged(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter, gone, i;

	start(test, 2);
	waiter = make_task(test, 0);
	gone = make_task(test, 1);
	make_task(test, 2);
	wait_for(f, waiter, 1, 10);
	wait_for(f, waiter, 2, 5);
	for (i = 0; i < 3; i++)
		wait_for(f, waiter, 0, 1);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[waiter].lost.count, 3ULL);
	KUNIT_EXPECT_EQ(test, f->kicks, 0);
	end_task(f, gone);
	/* Who finds no room asks for some, once there is somebody to be merged. */
	wait_for(f, waiter, 0, 1);
	irq_work_sync(&f->recording.kick);
	KUNIT_EXPECT_EQ(test, f->kicks, 1);
	sp_compact(&f->recording);
	KUNIT_EXPECT_EQ(test, f->recording.blamed[waiter].exited.total, 10ULL);
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->recording.blame), 1);
	KUNIT_EXPECT_EQ(test, sum_of(f, waiter), f->waited[0]);
}

/* Of a task that execs there are several threads, and all stay as long as it may be blamed. */
static void threads_of_one_task_are_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_thread *after;
	u32 before;

	start(test, ROWS);
	before = make_task(test, 1);
	after = sp_threads_make(&f->recording.threads, 1, f->serial[1], 2, f->task);
	KUNIT_ASSERT_NOT_NULL(test, after);
	end_task(f, sp_threads_number(&f->recording.threads, after));
	sp_run_ring_clear(ring_of_this_machine());
	sp_run_ring_push(ring_of_this_machine(), f->serial[1], 1, 0);
	sp_compact(&f->recording);
	KUNIT_EXPECT_EQ(test, f->recording.threads.list[before].serial, f->serial[1]);
	KUNIT_EXPECT_EQ(test, after->serial, f->serial[1]);
	sp_run_ring_clear(ring_of_this_machine());
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[1]));
	KUNIT_EXPECT_EQ(test, sp_threads_count(&f->recording.threads), 0);
}

/* Who asks again and again for what has no effect is told to wait. */
static void asking_without_effect_ends(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, number = 0;

	start(test, ROWS);
	for (i = 0; i < TASKS; i++)
		number = make_task(test, i);
	KUNIT_EXPECT_FALSE(test, sp_recording_wants_room(&f->recording));
	end_task(f, number);
	KUNIT_EXPECT_TRUE(test, sp_recording_wants_room(&f->recording));
	sp_run_ring_clear(ring_of_this_machine());
	sp_run_ring_push(ring_of_this_machine(), f->serial[TASKS - 1], 1, 0);
	sp_compact(&f->recording);
	f->recording.compacted = jiffies;
	KUNIT_EXPECT_FALSE(test, sp_recording_wants_room(&f->recording));
	f->recording.compacted = jiffies - 2 * HZ;
	KUNIT_EXPECT_TRUE(test, sp_recording_wants_room(&f->recording));
	f->recording.compacted = jiffies;
	end_task(f, number - 1);
	KUNIT_EXPECT_TRUE(test, sp_recording_wants_room(&f->recording));
}

/* Where those who live keep it crowded, a fork loop would have all of a processor. */
static void crowded_ones_rest(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_key key = { };
	u32 i, number = 0;

	start(test, MANY_ENTRIES);
	for (i = 0; i < TASKS; i++)
		number = make_task(test, i);
	key.thread = number - 1;
	for (key.kernel = 0; key.kernel < MANY_ENTRIES; key.kernel++)
		KUNIT_ASSERT_NOT_NULL(test, sp_tally_put(&f->recording.tally, &key));
	end_task(f, number);
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, is_known(f, f->serial[TASKS - 1]));
	KUNIT_EXPECT_TRUE(test, time_after(f->recording.rests_until, f->recording.compacted));
	end_task(f, number - 1);
	f->recording.rests_until = jiffies + 10 * HZ;
	KUNIT_EXPECT_FALSE(test, sp_recording_wants_room(&f->recording));
	f->recording.rests_until = jiffies - 1;
	KUNIT_EXPECT_TRUE(test, sp_recording_wants_room(&f->recording));
	/* And with room for others it need not. */
	for (i = 2; i < TASKS / 2; i++)
		end_task(f, number - i);
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, time_after(f->recording.rests_until, f->recording.compacted));
}

/* Few tasks may have many rows. */
static void full_rows_ask_for_room(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 waiter, gone, i;

	start(test, 8);
	waiter = make_task(test, 0);
	gone = make_task(test, 1);
	for (i = 2; i < 8; i++)
		make_task(test, i);
	for (i = 1; i < 6; i++)
		wait_for(f, waiter, i, 1);
	end_task(f, gone);
	KUNIT_EXPECT_FALSE(test, sp_recording_wants_room(&f->recording));
	wait_for(f, waiter, 6, 1);
	KUNIT_EXPECT_TRUE(test, sp_recording_wants_room(&f->recording));
	sp_compact(&f->recording);
	KUNIT_EXPECT_FALSE(test, sp_recording_wants_room(&f->recording));
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->recording.blame), 5);
}

/* Tasks come, wait for each other and go; whatever is merged when, the sums stay. */
static void nothing_is_lost(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 numbers[TASKS / 2] = { }, step, slot, other;
	u64 waited = 0, had = 0;
	struct rnd_state random;

	start(test, 24);
	sp_random_start(test, &random);
	for (step = 0; step < 3000; step++) {
		u64 length = 1 + sp_random_below(&random, 100);

		slot = sp_random_below(&random, TASKS / 2);
		other = sp_random_below(&random, TASKS / 2);
		if (!numbers[slot]) {
			numbers[slot] = make_task(test, slot);
		} else if (!sp_random_below(&random, 16)) {
			end_task(f, numbers[slot]);
			numbers[slot] = 0;
			sp_compact(&f->recording);
		} else if (numbers[other]) {
			wait_for(f, numbers[slot], other, length);
			waited += length;
		}
		if (numbers[slot])
			expect_known(test, numbers[slot]);
	}
	for (slot = 0; slot < sp_threads_end(&f->recording.threads); slot++)
		had += sum_of(f, slot);
	KUNIT_EXPECT_EQ(test, had, waited);
	KUNIT_EXPECT_GT(test, f->recording.blamed[SP_THREAD_EXITED].exited.total, 0ULL);
}

/* What a task spent with one of so many kernel stacks, and on a CPU by its books. */
#define KERNELS	3

struct spent {
	u64 total[KERNELS], count[KERNELS], max[KERNELS];
	u64 on;
};

static void spend(struct kunit *test, u32 number, u32 kernel, u64 length, struct spent *spent)
{
	struct fixture *f = test->priv;
	struct sp_key key = { .thread = number, .kernel = 1 + kernel, .user = 5 + number % 2 };
	struct sp_entry *entry = sp_tally_put(&f->recording.tally, &key);

	KUNIT_ASSERT_NOT_NULL(test, entry);
	sp_tally_add(entry, length, f->now, 0);
	f->recording.ledger[number].ns[SP_ACCOUNT_ON_CPU] += length;
	spent->total[kernel] += length;
	spent->count[kernel]++;
	spent->max[kernel] = max(spent->max[kernel], length);
	spent->on += length;
}

static void expect_spent(struct kunit *test, u32 number, const struct spent *spent)
{
	struct fixture *f = test->priv;
	struct sp_tally *tally = &f->recording.tally;
	struct spent found = { .on = f->recording.ledger[number].ns[SP_ACCOUNT_ON_CPU] };
	struct sp_key key;
	struct sp_sum sum;
	u32 i;

	for (i = 0; i < sp_pool_end(&tally->pool); i++) {
		if (!sp_tally_read(tally, &tally->entries[i], &key, &sum) || key.thread != number)
			continue;
		KUNIT_ASSERT_TRUE(test, key.kernel >= 1 && key.kernel <= KERNELS);
		KUNIT_EXPECT_EQ(test, key.user, number == SP_THREAD_EXITED ? 0 : 5 + number % 2);
		found.total[key.kernel - 1] += sum.total;
		found.count[key.kernel - 1] += sum.count;
		found.max[key.kernel - 1] = max(found.max[key.kernel - 1], sum.max);
	}
	KUNIT_EXPECT_EQ(test, memcmp(&found, spent, sizeof(found)), 0);
}

static void start_with_books(struct kunit *test, u32 rows)
{
	struct fixture *f = test->priv;

	start(test, rows);
	f->recording.ledger = kunit_kcalloc(test, TASKS + SP_THREAD_FIRST,
					    sizeof(*f->recording.ledger), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f->recording.ledger);
}

/* Of those that are gone all is under [exited]; who lives has what it had, and nothing else. */
static void what_they_spent_is_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 numbers[TASKS / 2] = { }, step, slot, kernel;
	struct spent spent[TASKS / 2] = { }, exited = { };
	struct rnd_state random;

	/* A row for each that there may be, and for each twice while they are merged. */
	start_with_books(test, 2 * (TASKS / 2 + 1) * KERNELS);
	sp_random_start(test, &random);
	for (step = 0; step < 3000; step++) {
		slot = sp_random_below(&random, TASKS / 2);
		if (!numbers[slot]) {
			numbers[slot] = make_task(test, slot);
			memset(&spent[slot], 0, sizeof(spent[slot]));
		} else if (sp_random_below(&random, 16)) {
			spend(test, numbers[slot], sp_random_below(&random, KERNELS),
			      1 + sp_random_below(&random, 100), &spent[slot]);
			continue;
		} else {
			end_task(f, numbers[slot]);
			numbers[slot] = 0;
			for (kernel = 0; kernel < KERNELS; kernel++) {
				exited.total[kernel] += spent[slot].total[kernel];
				exited.count[kernel] += spent[slot].count[kernel];
				exited.max[kernel] = max(exited.max[kernel],
							 spent[slot].max[kernel]);
			}
			exited.on += spent[slot].on;
			sp_compact(&f->recording);
			expect_spent(test, SP_THREAD_EXITED, &exited);
		}
		for (slot = 0; slot < TASKS / 2; slot++)
			if (numbers[slot])
				expect_spent(test, numbers[slot], &spent[slot]);
	}
	KUNIT_EXPECT_GT(test, exited.on, 0ULL);
	KUNIT_EXPECT_EQ(test, f->recording.unplaced.count, 0ULL);
}

/* A table without room for [exited] has none, and what it would have had is told apart. */
static void what_finds_no_place_is_told(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct spent spent = { }, none = { };
	u32 gone;

	start_with_books(test, KERNELS);
	gone = make_task(test, 0);
	spend(test, gone, 0, 10, &spent);
	spend(test, gone, 1, 5, &spent);
	spend(test, gone, 2, 7, &spent);
	end_task(f, gone);
	sp_compact(&f->recording);
	none.on = 22;
	expect_spent(test, SP_THREAD_EXITED, &none);
	KUNIT_EXPECT_EQ(test, f->recording.unplaced.total, 22ULL);
	KUNIT_EXPECT_EQ(test, f->recording.unplaced.count, 3ULL);
	KUNIT_EXPECT_EQ(test, f->recording.unplaced.max, 10ULL);
	/* All its places are free again. */
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->recording.tally), 0);
	gone = make_task(test, 0);
	memset(&spent, 0, sizeof(spent));
	spend(test, gone, 0, 3, &spent);
	expect_spent(test, gone, &spent);
}

/* A reader that was too slow for its task: the rows are what the books say all the same. */
static void rows_of_several_moments_close(struct kunit *test)
{
	struct sp_blame_row rows[] = {
		{ .total = 10, .longest = 10 }, { .total = 5, .longest = 3 },
		{ .total = 7, .longest = 7 },
	};
	u64 waited = 22;

	KUNIT_EXPECT_EQ(test, sp_blame_rows_trim(rows, 3, &waited), 0ULL);
	KUNIT_EXPECT_EQ(test, waited, 0ULL);
	waited = 25;
	KUNIT_EXPECT_EQ(test, sp_blame_rows_trim(rows, 3, &waited), 3ULL);
	KUNIT_EXPECT_EQ(test, waited, 0ULL);
	KUNIT_EXPECT_EQ(test, rows[2].total, 7ULL);
	waited = 12;
	KUNIT_EXPECT_EQ(test, sp_blame_rows_trim(rows, 3, &waited), 0ULL);
	KUNIT_EXPECT_EQ(test, waited, 10ULL);
	KUNIT_EXPECT_EQ(test, rows[0].total, 10ULL);
	KUNIT_EXPECT_EQ(test, rows[1].total, 2ULL);
	KUNIT_EXPECT_EQ(test, rows[1].longest, 2ULL);
	KUNIT_EXPECT_EQ(test, rows[2].total, 0ULL);
	waited = 0;
	KUNIT_EXPECT_EQ(test, sp_blame_rows_trim(rows, 3, &waited), 0ULL);
	KUNIT_EXPECT_EQ(test, rows[0].total, 0ULL);
	waited = 4;
	KUNIT_EXPECT_EQ(test, sp_blame_rows_trim(rows, 0, &waited), 4ULL);
}

#define STORED	500
#define OPEN	70

/* What a task waits now joins what is stored of it, and whoever reads very much gives way. */
static void open_shares_have_one_row_each(struct kunit *test)
{
	struct sp_blame_row *rows, *wanted;
	struct rnd_state random;
	u32 i, n, left, all = 0;
	u64 yields;

	sp_random_start(test, &random);
	rows = kunit_kzalloc(test, (STORED + OPEN) * sizeof(*rows), GFP_KERNEL);
	wanted = kunit_kzalloc(test, 2 * STORED * sizeof(*wanted), GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, rows && wanted);
	/* Culprits have numbers up to 2 * STORED, of which each second one is stored. */
	for (i = 0; i < STORED + OPEN; i++) {
		do {
			n = i < STORED ? i * 1009 % STORED * 2 :
					 sp_random_below(&random, 2 * STORED);
			/* There it says that a share of it is open. */
		} while (wanted[n].task);
		wanted[n].task = i >= STORED;
		all += !wanted[n].count;
		rows[i].who = n;
		rows[i].total = 1 + sp_random_below(&random, 1000);
		rows[i].count = 1 + sp_random_below(&random, 3);
		rows[i].longest = 1 + sp_random_below(&random, 1000);
		wanted[n].total += rows[i].total;
		wanted[n].count += rows[i].count;
		wanted[n].longest = max(wanted[n].longest, rows[i].longest);
	}
	yields = atomic_long_read(&sp_readers_yields);
	left = sp_blame_rows_merge(rows, STORED, STORED + OPEN);
	KUNIT_EXPECT_GE(test, atomic_long_read(&sp_readers_yields) - yields, (u64)STORED);
	KUNIT_ASSERT_EQ(test, left, all);
	for (i = 0; i < left; i++) {
		struct sp_blame_row *want = &wanted[rows[i].who];

		KUNIT_EXPECT_EQ(test, rows[i].total, want->total);
		KUNIT_EXPECT_EQ(test, rows[i].count, want->count);
		KUNIT_EXPECT_EQ(test, rows[i].longest, want->longest);
		/* Nor is it there twice. */
		want->total = U64_MAX;
	}
	KUNIT_EXPECT_EQ(test, sp_blame_rows_merge(rows, 0, 0), 0u);
	KUNIT_EXPECT_EQ(test, sp_blame_rows_merge(rows, left, left), left);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(interrupts_have_a_row),
	KUNIT_CASE(interrupts_of_a_shorter_wait),
	KUNIT_CASE(gone_are_merged),
	KUNIT_CASE(who_is_in_a_ring_is_kept),
	KUNIT_CASE(the_first_row_is_kept),
	KUNIT_CASE(full_rows_are_merged),
	KUNIT_CASE(threads_of_one_task_are_kept),
	KUNIT_CASE(asking_without_effect_ends),
	KUNIT_CASE(crowded_ones_rest),
	KUNIT_CASE(full_rows_ask_for_room),
	KUNIT_CASE(nothing_is_lost),
	KUNIT_CASE(what_they_spent_is_kept),
	KUNIT_CASE(what_finds_no_place_is_told),
	KUNIT_CASE(rows_of_several_moments_close),
	KUNIT_CASE(open_shares_have_one_row_each),
	{ }
};

struct kunit_suite sp_blame_suite = {
	.name = "schedprof_blame",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

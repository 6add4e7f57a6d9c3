// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the tally between threads: nobody gets a second entry for a key, a
 * reader never sees half of a change and awaits who is stopped in one, and what is
 * removed is used again only after a grace period.
 *
 * Run: make kunit
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "crew.h"
#include "lib/memory.h"
#include "suites.h"
#include "lib/tally.h"
#include "test_tally.h"

struct fixture {
	struct sp_tally tally;
	struct crew_shared *shared;
};

static int set_up(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void tear_down(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f)
		return;
	sp_tally_destroy(&f->tally);
	vfree(f->shared);
}

static void start(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;

	sp_tally_destroy(&f->tally);
	KUNIT_ASSERT_EQ(test, sp_tally_init(&f->tally, max, false), 0);
}

#define CREW		4
#define CREW_KEYS	3000

struct crew_shared {
	struct sp_tally *tally;
	atomic_t busy;		/* members for whom the others go on */
	u32 lost[CREW];
	u32 wrong[CREW];
	u32 seen[CREW];
	u32 round[CREW];	/* which keys a member has in the table */
	u32 adds[CREW];
	struct sp_entry *entry[CREW][CREW_KEYS];
};

static struct crew_shared *start_crew(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;

	f->shared = sp_alloc(sizeof(*f->shared));
	KUNIT_ASSERT_NOT_NULL(test, f->shared);
	start(test, max);
	f->shared->tally = &f->tally;
	return f->shared;
}

/* The same keys by all: half of the crew begins at the other end. */
static void put_the_same(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	u32 i, at;

	for (i = 0; i < CREW_KEYS; i++) {
		struct sp_entry *entry;
		struct sp_key key;

		at = number & 2 ? CREW_KEYS - 1 - i : i;
		key = make_key(at);
		entry = put(shared->tally, &key);
		shared->entry[number][at] = entry;
		if (!entry)
			shared->lost[number]++;
		else if (!same(&entry->key, &key))
			shared->wrong[number]++;
		if (!(i % 64))
			cond_resched();
	}
}

static void same_keys_from_many_threads(struct kunit *test)
{
	/* Each member may have room for a key that another one puts there. */
	struct crew_shared *shared = start_crew(test, CREW_KEYS + CREW);
	unsigned int m;
	u32 i;

	sp_crew_run(test, CREW, put_the_same, shared);
	KUNIT_EXPECT_EQ(test, sp_tally_count(shared->tally), CREW_KEYS);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->lost[m], 0);
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
		for (i = 0; i < CREW_KEYS; i++)
			KUNIT_ASSERT_PTR_EQ(test, shared->entry[m][i],
					    shared->entry[0][i]);
	}
}

static void put_own(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	u32 i;

	for (i = 0; i < CREW_KEYS; i++) {
		struct sp_key key = make_key(i * CREW + number);

		shared->entry[number][i] = put(shared->tally, &key);
		if (!shared->entry[number][i])
			shared->lost[number]++;
		if (!(i % 64))
			cond_resched();
	}
}

static void full_table_loses_exactly_the_rest(struct kunit *test)
{
	static const u32 max = 2 * CREW_KEYS + 7;
	struct crew_shared *shared = start_crew(test, max);
	u32 stored = 0, lost = 0;
	unsigned int m;
	u32 i;

	sp_crew_run(test, CREW, put_own, shared);
	for (m = 0; m < CREW; m++) {
		lost += shared->lost[m];
		for (i = 0; i < CREW_KEYS; i++) {
			struct sp_key key = make_key(i * CREW + m);
			struct sp_entry *entry = find(shared->tally, &key);

			KUNIT_ASSERT_PTR_EQ(test, entry, shared->entry[m][i]);
			if (!entry)
				continue;
			stored++;
			KUNIT_ASSERT_TRUE(test, same(&entry->key, &key));
		}
	}
	KUNIT_EXPECT_EQ(test, sp_tally_count(shared->tally), max);
	KUNIT_EXPECT_EQ(test, stored, max);
	KUNIT_EXPECT_EQ(test, lost, CREW * CREW_KEYS - max);
}

#define CHANGES	2000
#define PATIENCE (10 * HZ)

/* Interval n is n long, so that all figures follow from the count. */
static bool is_after(const struct sp_sum *sum, u64 n)
{
	return sum->count == n && sum->total == n * (n + 1) / 2 &&
	       sum->max == n && sum->max_at == n * 3 && sum->max_cpu == (u32)n;
}

static void add_figures(struct crew_shared *shared, unsigned int number)
{
	struct sp_key key = make_key(number);
	struct sp_entry *entry = put(shared->tally, &key);
	struct sp_sum sum = { .count = 1 };
	unsigned long flags;
	u32 n = 0;

	shared->entry[number][0] = entry;
	if (!entry)
		return;
	do {
		n++;
		/* As in a hook. */
		local_irq_save(flags);
		if (n & 1) {
			sp_tally_add(entry, n, n * 3ULL, n);
		} else {
			sum.total = n;
			sum.max = n;
			sum.max_at = n * 3ULL;
			sum.max_cpu = n;
			sp_tally_merge(shared->tally, entry, &sum);
		}
		local_irq_restore(flags);
		if (!(n % 64))
			cond_resched();
	} while (atomic_read(&shared->busy));
	shared->adds[number] = n;
}

static void read_figures(struct crew_shared *shared, unsigned int number)
{
	unsigned long end = jiffies + PATIENCE;
	u64 before[CREW] = {};
	struct sp_sum sum;
	struct sp_key key;
	u32 i = 0;

	while (shared->seen[number] < CHANGES && time_before(jiffies, end)) {
		i = (i + 1) % CREW;
		if (!i)
			cond_resched();
		if (!sp_tally_read(shared->tally, &shared->tally->entries[i], &key, &sum))
			continue;
		if (!is_after(&sum, sum.count) || sum.count < before[i])
			shared->wrong[number]++;
		if (sum.count > before[i])
			shared->seen[number]++;
		before[i] = sum.count;
	}
	atomic_dec(&shared->busy);
}

static void write_or_read(unsigned int number, void *data)
{
	if (number & 1)
		read_figures(data, number);
	else
		add_figures(data, number);
}

static void readers_see_whole_changes(struct kunit *test)
{
	struct crew_shared *shared = start_crew(test, CREW);
	struct sp_sum sum;
	struct sp_key key;
	unsigned int m;

	atomic_set(&shared->busy, CREW / 2);
	sp_crew_run(test, CREW, write_or_read, shared);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
		if (m & 1) {
			KUNIT_EXPECT_GT(test, shared->seen[m], 0);
			continue;
		}
		KUNIT_ASSERT_NOT_NULL(test, shared->entry[m][0]);
		KUNIT_EXPECT_TRUE(test, sp_tally_read(shared->tally, shared->entry[m][0],
						      &key, &sum));
		KUNIT_EXPECT_TRUE(test, is_after(&sum, shared->adds[m]));
	}
}

/* As a hypervisor stops a CPU: far longer than a hook takes. */
#define STOPPED_MS	20

static void stop_or_await(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	struct sp_entry *entry = shared->entry[0][0];
	unsigned long end = jiffies + PATIENCE;
	struct sp_sum sum;
	struct sp_key key;
	int found;

	if (!number) {
		raw_write_seqcount_begin(&entry->seq);
		atomic_dec(&shared->busy);
		msleep(STOPPED_MS);
		sp_entry_add(entry, 3, 4, 5);
		raw_write_seqcount_end(&entry->seq);
		return;
	}
	while (atomic_read(&shared->busy))
		cond_resched();
	/* Its host may have stopped the writer's CPU for longer than anybody waits. */
	do {
		found = sp_tally_await(shared->tally, entry, &key, &sum);
	} while (found == -EBUSY && time_before(jiffies, end));
	if (found == 1)
		shared->seen[number] = sum.count;
}

static void reader_awaits_who_is_stopped(struct kunit *test)
{
	struct crew_shared *shared = start_crew(test, 1);
	const struct sp_key one = make_key(0);
	struct sp_entry *entry = put(shared->tally, &one);
	struct sp_sum sum;
	struct sp_key key;

	KUNIT_ASSERT_NOT_NULL(test, entry);
	sp_tally_add(entry, 1, 2, 3);
	shared->entry[0][0] = entry;
	atomic_set(&shared->busy, 1);
	sp_crew_run(test, 2, stop_or_await, shared);
	KUNIT_EXPECT_EQ(test, shared->seen[1], 2);
	/* Not for ever. */
	entry->seq.sequence++;
	KUNIT_EXPECT_EQ(test, sp_tally_await(shared->tally, entry, &key, &sum), -EBUSY);
	entry->seq.sequence++;
	KUNIT_EXPECT_EQ(test, sp_tally_await(shared->tally, entry, &key, &sum), 1);
}

#define STAY	24	/* keys that are never removed */
#define GO	8	/* keys that come and go, per member */
#define ROUNDS	30

static struct sp_key going_key(unsigned int number, u32 round, u32 i)
{
	/* A new key every round, so that an entry changes what it is for. */
	struct sp_key key = {
		.thread = 1000 + number, .kernel = round + 1, .user = i,
	};

	return key;
}

/* What a reader must find in the entry of a going key, whole. */
static u64 figure_of(const struct sp_key *key)
{
	return key->thread * 1000000ULL + key->kernel * 1000 + key->user;
}

/*
 * Time for others to look at them. The first are there until the reader next
 * to this writer saw some, however slow the machine is; the later ones may go
 * while it looks.
 */
static void wait_for_looks(struct crew_shared *shared, unsigned int number,
			   u32 round)
{
	unsigned long end = jiffies + PATIENCE;

	do {
		usleep_range(500, 1000);
	} while (!round && !READ_ONCE(shared->seen[number + 1]) &&
		 time_before(jiffies, end));
}

static void come_and_go(struct crew_shared *shared, unsigned int number)
{
	struct sp_entry **entries = shared->entry[number];
	u32 round, i;

	for (round = 0; round < ROUNDS; round++) {
		WRITE_ONCE(shared->round[number], round);
		for (i = 0; i < GO; i++) {
			struct sp_key key = going_key(number, round, i);
			unsigned long flags;

			entries[i] = put(shared->tally, &key);
			if (!entries[i]) {
				shared->lost[number]++;
				continue;
			}
			local_irq_save(flags);
			sp_tally_add(entries[i], figure_of(&key), 0, 0);
			local_irq_restore(flags);
		}
		wait_for_looks(shared, number, round);
		for (i = 0; i < GO; i++)
			if (entries[i])
				sp_tally_remove(shared->tally, entries[i]);
		synchronize_rcu();
		for (i = 0; i < GO; i++)
			if (entries[i])
				sp_tally_recycle(shared->tally, entries[i]);
	}
	atomic_dec(&shared->busy);
}

static void find_both(struct crew_shared *shared, unsigned int number)
{
	struct sp_entry *entry;
	struct sp_sum sum;
	struct sp_key key;
	u32 i, round, spin;

	while (atomic_read(&shared->busy)) {
		for (i = 0; i < STAY; i++) {
			key = make_key(i);
			if (!find(shared->tally, &key))
				shared->wrong[number]++;
		}
		round = READ_ONCE(shared->round[number - 1]);
		for (i = 0; i < GO; i++) {
			key = going_key(number - 1, round, i);
			rcu_read_lock();
			entry = sp_tally_find(shared->tally, &key);
			/* Removed meanwhile perhaps, but not used again. */
			for (spin = 0; entry && spin < 1000; spin++) {
				if (!same(&entry->key, &key))
					shared->wrong[number]++;
				cpu_relax();
			}
			shared->seen[number] += !!entry;
			rcu_read_unlock();
		}
		for (i = STAY; i < shared->tally->pool.max; i++)
			if (sp_tally_read(shared->tally, &shared->tally->entries[i],
					  &key, &sum) &&
			    (sum.count != 1 || sum.total != figure_of(&key)))
				shared->wrong[number]++;
		cond_resched();
	}
}

static void change_or_find(unsigned int number, void *data)
{
	if (number & 1)
		find_both(data, number);
	else
		come_and_go(data, number);
}

static void removed_entries_rest_before_reuse(struct kunit *test)
{
	/* Room for nothing more: one that did not come back would be missed. */
	static const u32 max = STAY + GO * CREW / 2;
	struct crew_shared *shared = start_crew(test, max);
	struct fixture *f = test->priv;
	unsigned int m;
	u32 i;

	/* Long chains, through keys that stay and keys that go. */
	f->tally.mask = 1;
	for (i = 0; i < STAY; i++) {
		struct sp_key key = make_key(i);

		KUNIT_ASSERT_NOT_NULL(test, put(&f->tally, &key));
	}
	atomic_set(&shared->busy, CREW / 2);
	sp_crew_run(test, CREW, change_or_find, shared);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->lost[m], 0);
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
		if (m & 1)
			KUNIT_EXPECT_GT(test, shared->seen[m], 0);
	}
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), STAY);
	KUNIT_EXPECT_EQ(test, sp_pool_end(&f->tally.pool), max);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(same_keys_from_many_threads),
	KUNIT_CASE(full_table_loses_exactly_the_rest),
	KUNIT_CASE(readers_see_whole_changes),
	KUNIT_CASE(reader_awaits_who_is_stopped),
	KUNIT_CASE(removed_entries_rest_before_reuse),
	{}
};

struct kunit_suite sp_tally_threads_suite = {
	.name = "schedprof_tally_threads",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

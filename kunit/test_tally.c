// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the tally: every key has one entry, its figures add up, and what
 * does not fit is lost to the last. test_tally_threads.c has what several do
 * at a time.
 *
 * Run: make kunit
 */
#include <linux/rcupdate.h>

#include "lib/limits.h"
#include "lib/memory.h"
#include "suites.h"
#include "lib/tally.h"
#include "test_tally.h"

struct fixture {
	struct sp_tally tally;
	struct rnd_state random;
	void *model;
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
	vfree(f->model);
}

static void start(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;

	sp_tally_destroy(&f->tally);
	KUNIT_ASSERT_EQ(test, sp_tally_init(&f->tally, max, true), 0);
}

static bool equal(const struct sp_sum *a, const struct sp_sum *b)
{
	return a->total == b->total && a->count == b->count &&
	       a->max == b->max && a->max_at == b->max_at &&
	       a->max_cpu == b->max_cpu && a->inclusive == b->inclusive &&
	       a->longest == b->longest;
}

static void fill_to_the_brim(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;
	struct sp_entry *entry;
	u32 beyond = max + 3;
	struct sp_key key;
	u32 lost = 0;
	u32 i;

	start(test, max);
	for (i = 0; i < beyond; i++) {
		key = make_key(i);
		KUNIT_ASSERT_NULL(test, find(&f->tally, &key));
		entry = put(&f->tally, &key);
		if (!entry) {
			lost++;
			continue;
		}
		KUNIT_ASSERT_TRUE(test, same(&entry->key, &key));
		sp_tally_add(entry, i, i, i);
	}
	KUNIT_EXPECT_EQ(test, lost, beyond - max);
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), max);
	for (i = 0; i < beyond; i++) {
		key = make_key(i);
		entry = find(&f->tally, &key);
		KUNIT_ASSERT_EQ(test, !!entry, i < max);
		KUNIT_ASSERT_PTR_EQ(test, put(&f->tally, &key), entry);
		if (!entry)
			continue;
		KUNIT_ASSERT_TRUE(test, same(&entry->key, &key));
		KUNIT_ASSERT_EQ(test, entry->total, i);
		KUNIT_ASSERT_EQ(test, entry->count, 1);
	}
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), max);
}

static void sizes_at_the_edges(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63,
				     64, 65, 127, 128, 129, 1023, 1024, 1025 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		fill_to_the_brim(test, sizes[i]);
}

static void memory_is_what_it_says(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 1023, 1024, 1025 };
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const struct sp_tally *tally = &f->tally;

		start(test, sizes[i]);
		KUNIT_EXPECT_EQ(test, sp_tally_bytes(sizes[i], true),
				sizes[i] * (sizeof(*tally->entries) +
					    sizeof(*tally->inclusive)) +
				(tally->mask + 1) * sizeof(*tally->heads) + sp_parts_bytes());
	}
	KUNIT_EXPECT_EQ(test, sp_tally_bytes(SP_MAX_TABLE, false), (u64)SP_MAX_TABLE *
			(sizeof(struct sp_entry) + sizeof(struct hlist_head)) + sp_parts_bytes());
}

static void chain_has_an_end(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_entry *entry;
	struct sp_key key;
	u32 i;

	start(test, 4 * SP_MAX_CHAIN);
	/* As if every hash were the same. */
	f->tally.mask = 0;
	for (i = 0; i < SP_MAX_CHAIN; i++) {
		key = make_key(i);
		KUNIT_ASSERT_NOT_NULL(test, put(&f->tally, &key));
	}
	for (i = 0; i < SP_MAX_CHAIN; i++) {
		key = make_key(i);
		entry = find(&f->tally, &key);
		KUNIT_ASSERT_NOT_NULL(test, entry);
		KUNIT_ASSERT_PTR_EQ(test, put(&f->tally, &key), entry);
	}
	/* A key that nobody would find again gets no entry, however often. */
	for (; i < 2 * SP_MAX_CHAIN; i++) {
		key = make_key(i % 2 ? i : 2 * SP_MAX_CHAIN);
		KUNIT_ASSERT_NULL(test, put(&f->tally, &key));
		KUNIT_ASSERT_NULL(test, find(&f->tally, &key));
	}
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), SP_MAX_CHAIN);
}

static void figures_add_up(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct sp_sum sum = {}, half[2] = {}, merged = {};
	struct sp_sum expected = {};
	unsigned int i;

	/* An interval of no length is one, too. */
	sp_sum_add(&sum, 0, 10, 3);
	KUNIT_EXPECT_EQ(test, sum.count, 1);
	KUNIT_EXPECT_EQ(test, sum.max, 0);
	KUNIT_EXPECT_EQ(test, sum.max_at, 10);
	KUNIT_EXPECT_EQ(test, sum.max_cpu, 3);
	/* Of two equal ones the first is remembered. */
	sp_sum_add(&sum, 7, 20, 4);
	sp_sum_add(&sum, 7, 30, 5);
	KUNIT_EXPECT_EQ(test, sum.total, 14);
	KUNIT_EXPECT_EQ(test, sum.max_at, 20);
	KUNIT_EXPECT_EQ(test, sum.max_cpu, 4);

	memset(&sum, 0, sizeof(sum));
	sp_random_start(test, &f->random);
	for (i = 0; i < 1000; i++) {
		/* Odd and even ones, so that no two maxima are equal. */
		u64 ns = (sp_random_u64(&f->random) >> 20) * 2 + (i & 1);

		sp_sum_add(&sum, ns, i, i % 7);
		sp_sum_add(&half[i & 1], ns, i, i % 7);
		sum.inclusive += 3 * ns;
		half[i & 1].inclusive += 3 * ns;
		sum.longest = max(sum.longest, ns + 7);
		half[i & 1].longest = max(half[i & 1].longest, ns + 7);
		expected.inclusive += 3 * ns;
		expected.longest = max(expected.longest, ns + 7);
		expected.total += ns;
		expected.count++;
		if (ns > expected.max) {
			expected.max = ns;
			expected.max_at = i;
			expected.max_cpu = i % 7;
		}
	}
	sp_sum_merge(&merged, &half[0]);
	sp_sum_merge(&merged, &half[1]);
	KUNIT_EXPECT_TRUE(test, equal(&sum, &expected));
	KUNIT_EXPECT_TRUE(test, equal(&merged, &expected));
}

static void merge_with_nothing(struct kunit *test)
{
	struct sp_sum nothing = {}, zero = {}, some = {}, sum = {};

	sp_sum_add(&zero, 0, 10, 1);
	sp_sum_add(&some, 5, 20, 2);

	sp_sum_merge(&sum, &nothing);
	KUNIT_EXPECT_TRUE(test, equal(&sum, &nothing));
	sp_sum_merge(&sum, &zero);
	KUNIT_EXPECT_TRUE(test, equal(&sum, &zero));
	sp_sum_merge(&sum, &nothing);
	KUNIT_EXPECT_TRUE(test, equal(&sum, &zero));
	sp_sum_merge(&sum, &some);
	KUNIT_EXPECT_EQ(test, sum.count, 2);
	KUNIT_EXPECT_EQ(test, sum.max_at, 20);
	KUNIT_EXPECT_EQ(test, sum.max_cpu, 2);
	sp_sum_merge(&sum, &zero);
	KUNIT_EXPECT_EQ(test, sum.count, 3);
	KUNIT_EXPECT_EQ(test, sum.total, 5);
	KUNIT_EXPECT_EQ(test, sum.max_at, 20);
}

static void nothing_to_read(struct kunit *test)
{
	const struct sp_follow nothing = { };
	struct fixture *f = test->priv;
	struct sp_key key = make_key(0), read;
	struct sp_entry *entry;
	struct sp_sum sum;

	start(test, 1);
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, f->tally.entries, &read, &sum));
	entry = put(&f->tally, &key);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	sp_tally_add(entry, 3, 4, 5);
	KUNIT_EXPECT_TRUE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	KUNIT_EXPECT_TRUE(test, same(&read, &key));
	KUNIT_EXPECT_EQ(test, sum.total, 3);

	/* A writer that does not get on must not hold a reader up. */
	entry->seq.sequence++;
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	entry->seq.sequence++;
	KUNIT_EXPECT_TRUE(test, sp_tally_read(&f->tally, entry, &read, &sum));

	/* What is known of it, and of those whom it is followed by, is of this key. */
	memset(&entry->follow, 0xff, sizeof(entry->follow));
	entry->other = entry;
	entry->learnt = 7;
	entry->rare = 7;
	f->tally.inclusive[sp_tally_number(&f->tally, entry)] = (struct sp_inclusive) { 9, 9 };
	sp_tally_remove(&f->tally, entry);
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	KUNIT_EXPECT_NULL(test, find(&f->tally, &key));
	/* Somebody may still be looking at it. */
	KUNIT_EXPECT_NULL(test, put(&f->tally, &key));
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), 1);

	synchronize_rcu();
	sp_tally_recycle(&f->tally, entry);
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), 0);

	key = make_key(1);
	KUNIT_EXPECT_PTR_EQ(test, put(&f->tally, &key), entry);
	KUNIT_EXPECT_FALSE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	KUNIT_EXPECT_EQ(test, sp_tally_count(&f->tally), 1);
	KUNIT_EXPECT_EQ(test, memcmp(&entry->follow, &nothing, sizeof(nothing)), 0);
	KUNIT_EXPECT_NULL(test, entry->other);
	KUNIT_EXPECT_EQ(test, entry->learnt, 0U);
	KUNIT_EXPECT_EQ(test, entry->rare, 0U);
	sp_tally_add(entry, 6, 7, 8);
	KUNIT_EXPECT_TRUE(test, sp_tally_read(&f->tally, entry, &read, &sum));
	KUNIT_EXPECT_TRUE(test, same(&read, &key));
	KUNIT_EXPECT_EQ(test, sum.total, 6);
	KUNIT_EXPECT_EQ(test, sum.count, 1);
	KUNIT_EXPECT_EQ(test, sum.inclusive, 0ULL);
	KUNIT_EXPECT_EQ(test, sum.longest, 0ULL);
}

#define MODEL_KEYS	64
#define MODEL_MAX	40
#define MODEL_STEPS	8000

/* The reference: a place for each key that can be. */
struct model {
	u32 live;
	u32 waiting;
	struct sp_entry *removed[MODEL_MAX];
	struct {
		struct sp_entry *entry;
		struct sp_sum sum;
	} key[MODEL_KEYS];
};

static struct sp_key model_key(u32 i)
{
	struct sp_key key = {
		.thread = i & 3, .kernel = i >> 2 & 3, .user = i >> 4 & 1,
		.waker = i >> 5,
	};

	return key;
}

static void model_put(struct kunit *test, struct model *model, u32 i)
{
	struct fixture *f = test->priv;
	u64 ns = prandom_u32_state(&f->random);
	struct sp_key key = model_key(i);
	struct sp_entry *entry = put(&f->tally, &key);
	bool full = model->live + model->waiting == MODEL_MAX;

	if (model->key[i].entry) {
		KUNIT_ASSERT_PTR_EQ(test, entry, model->key[i].entry);
	} else {
		KUNIT_ASSERT_EQ(test, !entry, full);
		if (!entry)
			return;
		model->key[i].entry = entry;
		model->live++;
	}
	/* Some are made, and nothing is added yet. */
	if (ns & 7) {
		sp_tally_add(entry, ns, ns / 2, ns % 5);
		sp_sum_add(&model->key[i].sum, ns, ns / 2, ns % 5);
	}
}

static void model_remove(struct kunit *test, struct model *model, u32 i)
{
	struct fixture *f = test->priv;

	if (!model->key[i].entry)
		return;
	sp_tally_remove(&f->tally, model->key[i].entry);
	model->removed[model->waiting++] = model->key[i].entry;
	memset(&model->key[i], 0, sizeof(model->key[i]));
	model->live--;
}

static void model_recycle(struct kunit *test, struct model *model)
{
	struct fixture *f = test->priv;

	synchronize_rcu();
	while (model->waiting)
		sp_tally_recycle(&f->tally, model->removed[--model->waiting]);
}

static void model_compare(struct kunit *test, struct model *model)
{
	struct fixture *f = test->priv;
	u32 expected = 0, seen = 0;
	struct sp_sum sum;
	struct sp_key key;
	u32 i, at;

	for (i = 0; i < MODEL_KEYS; i++) {
		key = model_key(i);
		KUNIT_ASSERT_PTR_EQ(test, find(&f->tally, &key),
				    model->key[i].entry);
		expected += !!model->key[i].sum.count;
	}
	for (i = 0; i < sp_pool_end(&f->tally.pool); i++) {
		if (!sp_tally_read(&f->tally, &f->tally.entries[i], &key, &sum))
			continue;
		at = key.thread | key.kernel << 2 | key.user << 4 | key.waker << 5;
		KUNIT_ASSERT_LT(test, at, MODEL_KEYS);
		KUNIT_ASSERT_TRUE(test, equal(&sum, &model->key[at].sum));
		seen++;
	}
	KUNIT_ASSERT_EQ(test, seen, expected);
	KUNIT_ASSERT_EQ(test, sp_tally_count(&f->tally),
			model->live + model->waiting);
}

static void like_an_array(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct model *model;
	unsigned int step;
	u32 key, what;

	f->model = sp_alloc(sizeof(*model));
	KUNIT_ASSERT_NOT_NULL(test, f->model);
	model = f->model;
	sp_random_start(test, &f->random);
	start(test, MODEL_MAX);
	for (step = 0; step < MODEL_STEPS; step++) {
		key = sp_random_below(&f->random, MODEL_KEYS);
		what = sp_random_below(&f->random, 100);
		if (what < 80)
			model_put(test, model, key);
		else if (what < 99)
			model_remove(test, model, key);
		else
			model_recycle(test, model);
		if (!(step % 50))
			model_compare(test, model);
	}
	model_compare(test, model);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sizes_at_the_edges),
	KUNIT_CASE(memory_is_what_it_says),
	KUNIT_CASE(chain_has_an_end),
	KUNIT_CASE(figures_add_up),
	KUNIT_CASE(merge_with_nothing),
	KUNIT_CASE(nothing_to_read),
	KUNIT_CASE(like_an_array),
	{}
};

struct kunit_suite sp_tally_suite = {
	.name = "schedprof_tally",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

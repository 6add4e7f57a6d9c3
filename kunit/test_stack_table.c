// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the stack table: every stack once, none mistaken for another, and
 * the lost ones counted to the last, also when several threads insert.
 *
 * Run: make kunit
 */
#include <linux/mm.h>
#include <linux/sched.h>

#include "crew.h"
#include "lib/memory.h"
#include "lib/stack_table.h"
#include "suites.h"

#define CODE 0xffffffff81000000UL

struct fixture {
	struct sp_stack_table table;
	struct sp_callchain walk;
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
	sp_stack_table_destroy(&f->table);
	vfree(f->model);
}

static void start(struct kunit *test, u32 max, u32 depth)
{
	struct fixture *f = test->priv;

	sp_stack_table_destroy(&f->table);
	KUNIT_ASSERT_EQ(test, sp_stack_table_init(&f->table, max, depth), 0);
}

/* Number i: like every other of this length, except for one frame. */
static void make_callchain(struct sp_callchain *callchain, u32 i, u16 n)
{
	unsigned int at;

	memset(callchain, 0, sizeof(*callchain));
	callchain->n = n;
	for (at = 0; at < n; at++)
		callchain->frame[at] = sp_frame(CODE + 0x100 * at, at);
	callchain->frame[i % n] = sp_frame(CODE + 0x100000 + i, i % n);
}

static bool holds(const struct sp_stack_table *table, u32 id,
		  const struct sp_callchain *callchain)
{
	const struct sp_stack *stack = sp_stack_table_get(table, id);
	unsigned int i;

	if (stack->n != min_t(u32, callchain->n, table->stack_depth))
		return false;
	for (i = 0; i < stack->n; i++)
		if ((stack->frame[i] ^ callchain->frame[i]) & SP_FRAME_MASK)
			return false;
	return true;
}

static void frame_keeps_address_and_place(struct kunit *test)
{
	unsigned long kernel[] = { CODE, ULONG_MAX, 0xffff800000000000UL };
	unsigned long user[] = { 0, 1, 0x400000, 0x00007fffffffffffUL };
	unsigned int where[] = { 0, 1, 127, 0x7fff, 0x8000, 0xffff };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(where); i++) {
		for (j = 0; j < ARRAY_SIZE(kernel); j++) {
			u64 frame = sp_frame(kernel[j], where[i]);

			KUNIT_EXPECT_EQ(test, sp_frame_kernel(frame), kernel[j]);
			KUNIT_EXPECT_EQ(test, sp_frame_where(frame), where[i]);
		}
		for (j = 0; j < ARRAY_SIZE(user); j++) {
			u64 frame = sp_frame(user[j], where[i]);

			KUNIT_EXPECT_EQ(test, sp_frame_user(frame), user[j]);
			KUNIT_EXPECT_EQ(test, sp_frame_where(frame), where[i]);
		}
	}
}

static void fill_to_the_brim(struct kunit *test, u32 max, u32 depth)
{
	struct fixture *f = test->priv;
	u32 beyond = max + 3;
	u32 lost = 0;
	u32 i, id;

	start(test, max, depth);
	for (i = 0; i < beyond; i++) {
		make_callchain(&f->walk, i, depth);
		KUNIT_ASSERT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
				SP_STACK_NONE);
		id = sp_stack_table_put(&f->table, &f->walk);
		if (id == SP_STACK_LOST)
			lost++;
		else
			KUNIT_ASSERT_EQ(test, id, i + 1);
	}
	KUNIT_EXPECT_EQ(test, lost, beyond - max);
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), max);
	for (i = 0; i < beyond; i++) {
		make_callchain(&f->walk, i, depth);
		id = sp_stack_table_find(&f->table, &f->walk);
		KUNIT_ASSERT_EQ(test, id, i < max ? i + 1 : SP_STACK_NONE);
		if (id)
			KUNIT_ASSERT_TRUE(test, holds(&f->table, id, &f->walk));
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				id ?: SP_STACK_LOST);
	}
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), max);
}

static void sizes_at_the_edges(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63,
				     64, 65, 127, 128, 129, 1023, 1024, 1025 };
	static const u32 depths[] = { 1, 2, SP_STACK_MEAN_DEPTH - 1, SP_STACK_MEAN_DEPTH };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		fill_to_the_brim(test, sizes[i], 3);
	for (i = 0; i < ARRAY_SIZE(depths); i++)
		fill_to_the_brim(test, 17, depths[i]);
}

/* Of any lengths: what is stored is as long as it is, and what is not had no room. */
static void no_word_is_wasted(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, id, words = 0, stored = 0, lost = 0;

	sp_random_start(test, &f->random);
	start(test, 200, SP_MAX_DEPTH);
	KUNIT_ASSERT_EQ(test, f->table.words,
			200 * (sp_stack_words(SP_STACK_MEAN_DEPTH, 0, 0) + TASK_COMM_LEN / 8));
	for (i = 0; i < 1000; i++) {
		u32 n = 1 + sp_random_below(&f->random, SP_MAX_DEPTH);
		u32 left = f->table.words - words;
		u16 flags = i % 3 ? 0 : SP_STACK_WAKER;
		u32 head = sizeof(struct sp_stack) / 8, tail = sizeof(struct sp_waker) / 8;
		u32 takes = head + n + (flags ? tail : 0);

		/* One word more than is left. */
		if (left >= head && left - head < SP_MAX_DEPTH) {
			make_callchain(&f->walk, 1000000 + i, left - head + 1);
			KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
					SP_STACK_LOST);
		}
		make_callchain(&f->walk, 1000 * n + i, n);
		f->walk.flags = flags;
		id = sp_stack_table_put(&f->table, &f->walk);
		if (takes > left || stored == 200) {
			KUNIT_ASSERT_EQ(test, id, SP_STACK_LOST);
			lost++;
			continue;
		}
		KUNIT_ASSERT_EQ(test, id, stored + 1);
		KUNIT_ASSERT_TRUE(test, holds(&f->table, id, &f->walk));
		KUNIT_ASSERT_EQ(test, sp_stack_table_number(&f->table,
							    sp_stack_table_get(&f->table, id)), id);
		words += takes;
		stored++;
		KUNIT_ASSERT_EQ(test, sp_stack_table_words(&f->table), words);
	}
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), stored);
	KUNIT_EXPECT_GT(test, lost, 0);
	KUNIT_EXPECT_LT(test, stored, 200);
}

/* The deepest has room where there is room for one only. */
static void one_of_any_depth_fits(struct kunit *test)
{
	struct fixture *f = test->priv;

	start(test, 1, SP_MAX_DEPTH);
	make_callchain(&f->walk, 0, SP_MAX_DEPTH);
	f->walk.flags = SP_STACK_WAKER;
	strscpy(f->walk.waker.comm, "it is 15 long..", sizeof(f->walk.waker.comm));
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_STREQ(test, sp_stack_waker(sp_stack_table_get(&f->table, 1))->comm,
			   f->walk.waker.comm);
}

/* What walks have seen does not tell stacks apart, but is known of the stack. */
static void what_walks_have_seen_adds_up(struct kunit *test)
{
	static const struct {
		u16 flags;
		u8 seen;
	} walks[] = {
		{ SP_STACK_ABSENT, 0 },
		{ SP_STACK_ABSENT | SP_STACK_CHECKABLE, 0 },
		{ 0, SP_SEEN_OTHER },
		{ SP_STACK_ABSENT, SP_SEEN_OTHER },
		{ SP_STACK_CHECKABLE, SP_SEEN_OTHER | SP_SEEN_CALL },
		{ SP_STACK_ABSENT, SP_SEEN_OTHER | SP_SEEN_CALL },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	start(test, 3, 4);
	make_callchain(&f->walk, 0, 4);
	for (i = 0; i < ARRAY_SIZE(walks); i++) {
		f->walk.flags = SP_STACK_USER | walks[i].flags;
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
		KUNIT_EXPECT_EQ(test, sp_stack_table_get(&f->table, 1)->seen, walks[i].seen);
	}
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), 1);
}

/* The same frames, which lie elsewhere, are the same stack, but not recognised by it. */
static void other_places_are_not_seen(struct kunit *test)
{
	const u16 placed = SP_STACK_USER | SP_STACK_PLACED | SP_STACK_CHECKABLE;
	struct fixture *f = test->priv;
	const struct sp_stack *stack;
	u64 frame;
	s64 fp;

	start(test, 4, 4);
	make_callchain(&f->walk, 1, 4);
	f->walk.flags = placed;
	f->walk.span = 1;
	f->walk.link[0] = sp_frame(5, 6);
	f->walk.fp = SP_STACK_ANY_FP;
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	stack = sp_stack_table_get(&f->table, 1);
	sp_stack_table_walk_anew(&f->table, 0, U64_MAX);
	frame = f->walk.frame[2];
	f->walk.frame[2] = frame ^ BIT_ULL(SP_FRAME_BITS);
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	f->walk.frame[2] = frame;
	f->walk.link[0] = sp_frame(5, 7);
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	f->walk.link[0] = sp_frame(5, 6);
	f->walk.span = 0;
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	f->walk.span = 1;
	fp = f->walk.fp;
	f->walk.fp = 16;
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	f->walk.fp = fp;
	f->walk.flags = placed & ~SP_STACK_PLACED;
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	f->walk.flags = placed;
	/* A reader may have walked by the tables of before. */
	KUNIT_ASSERT_EQ(test, sp_stack_table_find(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, 0);
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, stack->seen, SP_SEEN_CALL);
}

/* Only what tables found, and only until a walk finds it again. */
static void changed_tables_are_walked_anew(struct kunit *test)
{
	const u16 placed = SP_STACK_USER | SP_STACK_PLACED | SP_STACK_CHECKABLE;
	static const u16 others[] = { SP_STACK_USER | SP_STACK_CHECKABLE, SP_STACK_TOP };
	struct fixture *f = test->priv;
	const struct sp_stack *stack;
	const u64 from = sp_frame_user(sp_frame(CODE + 0x100000 + 50, 0));
	u32 i, n = ARRAY_SIZE(others);
	u8 seen[ARRAY_SIZE(others)];

	start(test, 100, 4);
	for (i = 0; i < n; i++) {
		make_callchain(&f->walk, i, 4);
		f->walk.flags = others[i];
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), i + 1);
		seen[i] = sp_stack_table_get(&f->table, i + 1)->seen;
		KUNIT_EXPECT_NE(test, seen[i], 0);
	}
	for (i = n; i < 100; i++) {
		make_callchain(&f->walk, i, 4);
		f->walk.flags = placed;
		f->walk.span = 0;
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), i + 1);
	}
	/* Those two have a frame there. */
	sp_stack_table_walk_anew(&f->table, from, from + 1);
	for (i = n; i < 100; i++) {
		stack = sp_stack_table_get(&f->table, i + 1);
		KUNIT_EXPECT_EQ(test, stack->seen, i == 50 || i == 51 ? 0 : SP_SEEN_CALL);
	}
	sp_stack_table_walk_anew(&f->table, 0, U64_MAX);
	for (i = 0; i < 100; i++) {
		stack = sp_stack_table_get(&f->table, i + 1);
		KUNIT_EXPECT_EQ(test, stack->seen, i < n ? seen[i] : 0);
	}
	KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 100);
	KUNIT_EXPECT_EQ(test, sp_stack_table_get(&f->table, 100)->seen, SP_SEEN_CALL);
	KUNIT_EXPECT_EQ(test, sp_stack_table_get(&f->table, 99)->seen, 0);
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), 100);
}

static void memory_is_what_it_says(struct kunit *test)
{
	static const u32 sizes[] = { 1, 2, 3, 1023, 1024, 1025 };
	struct fixture *f = test->priv;
	u64 largest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const struct sp_stack_table *table = &f->table;

		start(test, sizes[i], 64);
		KUNIT_EXPECT_EQ(test, sp_stack_table_bytes(sizes[i], 64),
				(table->words + 1ULL) * sizeof(*table->arena) +
				sizes[i] * sizeof(*table->at) +
				(table->mask + 1) * sizeof(*table->heads) + sp_parts_bytes());
		/* The last stack may have no frame: its first one is looked at all the same. */
		KUNIT_EXPECT_EQ(test, READ_ONCE(table->arena[table->words]), 0ULL);
	}
	/* More than 32 bits can tell. */
	largest = sp_stack_table_bytes(SP_MAX_TABLE, SP_MAX_DEPTH);
	KUNIT_EXPECT_EQ(test, largest, (u64)SP_MAX_TABLE *
			(sizeof(struct sp_stack) + SP_STACK_MEAN_DEPTH * sizeof(u64) +
			 TASK_COMM_LEN + sizeof(u32) + sizeof(struct hlist_head)) +
			sizeof(u64) + sp_parts_bytes());
}

static void no_memory_leaves_nothing(struct kunit *test)
{
	struct fixture *f = test->priv;
	u64 bytes = sp_stack_table_bytes(SP_MAX_TABLE, SP_MAX_DEPTH);

	if (bytes <= (u64)totalram_pages() << PAGE_SHIFT)
		kunit_skip(test, "this machine has memory for every table");
	KUNIT_EXPECT_EQ(test, sp_stack_table_init(&f->table, SP_MAX_TABLE,
						  SP_MAX_DEPTH), -ENOMEM);
	KUNIT_EXPECT_NULL(test, f->table.heads);
	KUNIT_EXPECT_NULL(test, f->table.at);
	KUNIT_EXPECT_NULL(test, f->table.arena);
	KUNIT_EXPECT_NULL(test, f->table.parts);
}

/*
 * A user stack by tables has links behind its frames: all of them if it is whole, and if it is
 * cut those that lie below the outermost frame that is kept. Why it ends is told of whole ones.
 */
static void links_are_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	const struct sp_stack *stack;
	u32 depth, i, below, id;

	for (depth = 1; depth <= 40; depth++) {
		start(test, 16, depth);
		make_callchain(&f->walk, 0, 20);
		/* A frame each four words, and between two of them a link, each other time. */
		for (i = 1; i < 20; i++)
			f->walk.frame[i] = sp_frame(0x400000 + i, 4 * i);
		for (i = 0; i < 9; i++)
			f->walk.link[i] = sp_frame(0x1000 + i, 8 * i + 6);
		f->walk.span = 9;
		f->walk.flags = SP_STACK_USER | SP_STACK_PLACED | SP_STACK_CHECKABLE |
				sp_stack_ended(SP_STACK_END_COMPLETE);
		id = sp_stack_table_put(&f->table, &f->walk);
		stack = sp_stack_table_get(&f->table, id);
		KUNIT_EXPECT_EQ(test, (u32)stack->n, min(depth, 20U));
		for (below = 0; below < 9; below++)
			if (depth < 20 && 8 * below + 6 > 4 * (depth - 1))
				break;
		KUNIT_EXPECT_EQ_MSG(test, sp_stack_links(stack->flags, stack->span), below,
				    "depth %u", depth);
		KUNIT_EXPECT_EQ(test, memcmp(stack->frame + stack->n, f->walk.link,
					     below * sizeof(u64)), 0);
		KUNIT_EXPECT_TRUE(test, stack->flags & SP_STACK_PLACED);
		KUNIT_EXPECT_EQ(test, (int)sp_stack_end(stack->flags), depth < 20 ?
				SP_STACK_END_NOT : SP_STACK_END_COMPLETE);
		KUNIT_EXPECT_EQ(test, !(stack->flags & SP_STACK_CUT), depth >= 20);
		/* The next one begins behind the links. */
		f->walk.frame[0]++;
		id = sp_stack_table_put(&f->table, &f->walk);
		KUNIT_EXPECT_PTR_EQ(test, (u64 *)sp_stack_table_get(&f->table, id),
				    (u64 *)stack + sp_stack_words(stack->n, stack->flags,
								  stack->span));
	}
}

static void too_deep_is_cut(struct kunit *test)
{
	static const u32 depths[] = { 1, 2, 64, SP_MAX_DEPTH - 1 };
	struct fixture *f = test->priv;
	const struct sp_stack *stack;
	u32 exact, cut, depth;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(depths); i++) {
		depth = depths[i];
		start(test, 16, depth);

		make_callchain(&f->walk, 0, depth);
		f->walk.flags = SP_STACK_TOP | SP_STACK_CHECKABLE;
		exact = sp_stack_table_put(&f->table, &f->walk);
		stack = sp_stack_table_get(&f->table, exact);
		KUNIT_EXPECT_EQ(test, stack->n, depth);
		KUNIT_EXPECT_EQ(test, stack->flags,
				SP_STACK_TOP | SP_STACK_CHECKABLE);
		KUNIT_EXPECT_EQ(test, atomic_read(&f->table.cut), 0);

		/* The same frames, but more were there: not the same stack. */
		f->walk.n = depth + 1;
		f->walk.frame[depth] = sp_frame(CODE, 0);
		cut = sp_stack_table_put(&f->table, &f->walk);
		KUNIT_EXPECT_NE(test, cut, exact);
		stack = sp_stack_table_get(&f->table, cut);
		KUNIT_EXPECT_EQ(test, stack->n, depth);
		/* The outermost frame is among those that were left out. */
		KUNIT_EXPECT_EQ(test, stack->flags,
				SP_STACK_CUT | SP_STACK_CHECKABLE);
		KUNIT_EXPECT_EQ(test, atomic_read(&f->table.cut), 1);

		/* What was left out does not tell stacks apart. */
		f->walk.n = SP_MAX_DEPTH;
		f->walk.frame[depth] = sp_frame(CODE + 1, 0);
		KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				cut);
		KUNIT_EXPECT_EQ(test, atomic_read(&f->table.cut), 1);
		KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), 2);
	}
}

static void key_is_flags_and_addresses(struct kunit *test)
{
	static const u16 kinds[] = {
		0, SP_STACK_CUT, SP_STACK_USER, SP_STACK_USER | SP_STACK_CUT,
		SP_STACK_USER | SP_STACK_NO_FP, SP_STACK_USER | SP_STACK_COMPAT,
		SP_STACK_MOVED,
	};
	struct fixture *f = test->priv;
	const struct sp_stack *stack;
	unsigned int i;

	start(test, ARRAY_SIZE(kinds), 4);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		make_callchain(&f->walk, 0, 4);
		f->walk.flags = kinds[i];
		f->walk.span = 100;
		f->walk.fp = -8;
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				i + 1);

		f->walk.flags |= SP_STACK_CHECKABLE | SP_STACK_TOP;
		f->walk.span = 200;
		f->walk.fp = 16;
		f->walk.frame[1] = sp_frame(sp_frame_kernel(f->walk.frame[1]),
					    0xffff);
		KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				i + 1);
		KUNIT_EXPECT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
				i + 1);

		/* How it was walked first is what stays. */
		stack = sp_stack_table_get(&f->table, i + 1);
		KUNIT_EXPECT_EQ(test, stack->flags, kinds[i]);
		KUNIT_EXPECT_EQ(test, stack->span, 100);
		KUNIT_EXPECT_EQ(test, stack->fp, -8);
		KUNIT_EXPECT_EQ(test, sp_frame_where(stack->frame[1]), 1);
	}
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), ARRAY_SIZE(kinds));
}

static void waker_is_part_of_the_key(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 of_a, of_b;

	start(test, 8, 8);
	make_callchain(&f->walk, 1, 4);
	f->walk.flags = SP_STACK_WAKER;
	strscpy(f->walk.waker.comm, "a", sizeof(f->walk.waker.comm));
	of_a = sp_stack_table_put(&f->table, &f->walk);
	strscpy(f->walk.waker.comm, "b", sizeof(f->walk.waker.comm));
	of_b = sp_stack_table_put(&f->table, &f->walk);
	KUNIT_EXPECT_NE(test, of_a, of_b);
	KUNIT_EXPECT_STREQ(test, sp_stack_waker(sp_stack_table_get(&f->table, of_a))->comm,
			   "a");
	KUNIT_EXPECT_EQ(test, sp_stack_table_find(&f->table, &f->walk), of_b);
	/* One name, but another place in its program, another program, or process. */
	f->walk.waker.user = 1;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), of_b + 1);
	f->walk.waker.exec_id = 1;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), of_b + 2);
	f->walk.waker.start_time = 1;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), of_b + 3);
	f->walk.waker.tgid = 1;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), of_b + 4);
	KUNIT_EXPECT_EQ(test, sp_stack_waker(sp_stack_table_get(&f->table, of_b + 3))->tgid, 0);
	KUNIT_EXPECT_EQ(test, sp_stack_waker(sp_stack_table_get(&f->table, of_b + 4))->tgid, 1);
	/* In other stacks it means nothing. */
	f->walk.flags = 0;
	of_b = sp_stack_table_put(&f->table, &f->walk);
	strscpy(f->walk.waker.comm, "a", sizeof(f->walk.waker.comm));
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), of_b);
}

static void empty_stack_is_one(struct kunit *test)
{
	struct fixture *f = test->priv;

	start(test, 3, 4);
	KUNIT_EXPECT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
			SP_STACK_NONE);
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 1);
	f->walk.flags = SP_STACK_USER;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 2);
	/* One frame of nothing is not no frame. */
	f->walk.n = 1;
	KUNIT_EXPECT_EQ(test, sp_stack_table_put(&f->table, &f->walk), 3);
}

static void chain_has_an_end(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i;

	start(test, 4 * SP_MAX_CHAIN, 2);
	/* As if every hash were the same. */
	f->table.mask = 0;
	for (i = 0; i < 2 * SP_MAX_CHAIN; i++) {
		make_callchain(&f->walk, i, 2);
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				i < SP_MAX_CHAIN ? i + 1 : SP_STACK_LOST);
	}
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), SP_MAX_CHAIN);
	for (i = 0; i < 2 * SP_MAX_CHAIN; i++) {
		make_callchain(&f->walk, i, 2);
		KUNIT_ASSERT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
				i < SP_MAX_CHAIN ? i + 1 : SP_STACK_NONE);
	}
}

#define MODEL_MAX	200
#define MODEL_DEPTH	4
#define MODEL_STEPS	6000

/* The reference: a list, searched from its beginning. */
struct model {
	u32 used;
	u32 cut;
	struct {
		u16 n;
		u16 flags;
		unsigned long address[MODEL_DEPTH];
	} stack[MODEL_MAX];
};

static u32 model_put(struct model *model, const struct sp_callchain *callchain, bool add)
{
	u16 n = min_t(u16, callchain->n, MODEL_DEPTH);
	u16 flags = callchain->flags & SP_STACK_KEY;
	unsigned int i, at;

	if (n < callchain->n)
		flags |= SP_STACK_CUT;
	for (i = 0; i < model->used; i++) {
		if (model->stack[i].n != n || model->stack[i].flags != flags)
			continue;
		for (at = 0; at < n; at++)
			if (model->stack[i].address[at] !=
			    sp_frame_kernel(callchain->frame[at]))
				break;
		if (at == n)
			return i + 1;
	}
	if (!add)
		return SP_STACK_NONE;
	if (model->used == MODEL_MAX)
		return SP_STACK_LOST;
	model->stack[i].n = n;
	model->stack[i].flags = flags;
	for (at = 0; at < n; at++)
		model->stack[i].address[at] = sp_frame_kernel(callchain->frame[at]);
	model->used++;
	model->cut += !!(flags & SP_STACK_CUT);
	return model->used;
}

/* From so few frames and flags that most walks resemble one another. */
static void make_any(struct sp_callchain *callchain, struct rnd_state *random)
{
	static const u16 flags[] = {
		0, SP_STACK_CUT, SP_STACK_CHECKABLE, SP_STACK_USER,
		SP_STACK_USER | SP_STACK_NO_FP, SP_STACK_TOP,
	};
	unsigned int i;

	callchain->n = sp_random_below(random, MODEL_DEPTH + 3);
	callchain->flags = flags[sp_random_below(random, ARRAY_SIZE(flags))];
	callchain->span = prandom_u32_state(random);
	callchain->fp = sp_random_u64(random);
	for (i = 0; i < callchain->n; i++)
		callchain->frame[i] = sp_frame(CODE + sp_random_below(random, 3),
					       sp_random_below(random, 0x10000));
}

static void like_a_list(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct model *model;
	unsigned int step;
	u32 lost = 0;

	f->model = sp_alloc(sizeof(*model));
	KUNIT_ASSERT_NOT_NULL(test, f->model);
	model = f->model;
	sp_random_start(test, &f->random);
	start(test, MODEL_MAX, MODEL_DEPTH);
	for (step = 0; step < MODEL_STEPS; step++) {
		u32 expected;

		make_any(&f->walk, &f->random);
		KUNIT_ASSERT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
				model_put(model, &f->walk, false));
		if (step & 1)
			continue;
		expected = model_put(model, &f->walk, true);
		KUNIT_ASSERT_EQ(test, sp_stack_table_put(&f->table, &f->walk),
				expected);
		KUNIT_ASSERT_EQ(test, sp_stack_table_count(&f->table), model->used);
		KUNIT_ASSERT_EQ(test, atomic_read(&f->table.cut), model->cut);
		lost += expected == SP_STACK_LOST;
	}
	/* Else the steps were too few to get there. */
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), MODEL_MAX);
	KUNIT_EXPECT_GT(test, lost, 0);
}

#define CREW		4
#define CREW_STACKS	3000
#define CREW_DEPTH	8

struct crew_shared {
	struct sp_stack_table *table;
	u32 base;		/* of each member's random numbers */
	u32 lost[CREW];
	u32 wrong[CREW];
	u32 id[CREW][CREW_STACKS];
	struct sp_callchain walk[CREW];
};

static struct crew_shared *start_crew(struct kunit *test, u32 max)
{
	struct fixture *f = test->priv;
	struct crew_shared *shared;

	f->model = sp_alloc(sizeof(*shared));
	KUNIT_ASSERT_NOT_NULL(test, f->model);
	sp_random_start(test, &f->random);
	start(test, max, CREW_DEPTH);
	shared = f->model;
	shared->table = &f->table;
	shared->base = prandom_u32_state(&f->random);
	return shared;
}

/* The same ones by all: forwards, backwards, and in the middle both. */
static void put_the_same(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	struct sp_callchain *callchain = &shared->walk[number];
	u32 i, at, id;

	for (i = 0; i < CREW_STACKS; i++) {
		at = number & 2 ? CREW_STACKS - 1 - i : i;
		make_callchain(callchain, at, CREW_DEPTH);
		id = sp_stack_table_put(shared->table, callchain);
		shared->id[number][at] = id;
		if (id == SP_STACK_LOST)
			shared->lost[number]++;
		else if (!holds(shared->table, id, callchain))
			shared->wrong[number]++;
		if (!(i % 64))
			cond_resched();
	}
}

static void same_stacks_from_many_threads(struct kunit *test)
{
	/* One too many, as a table that just became full looks no further. */
	struct crew_shared *shared = start_crew(test, CREW_STACKS + 1);
	struct fixture *f = test->priv;
	unsigned int m;
	u32 i;

	sp_crew_run(test, CREW, put_the_same, shared);
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), CREW_STACKS);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->lost[m], 0);
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
		for (i = 0; i < CREW_STACKS; i++)
			KUNIT_ASSERT_EQ(test, shared->id[m][i],
					shared->id[0][i]);
	}
	for (i = 0; i < CREW_STACKS; i++) {
		make_callchain(&f->walk, i, CREW_DEPTH);
		KUNIT_ASSERT_EQ(test, sp_stack_table_find(&f->table, &f->walk),
				shared->id[0][i]);
	}
}

static void put_own(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	struct sp_callchain *callchain = &shared->walk[number];
	u32 i, id;

	for (i = 0; i < CREW_STACKS; i++) {
		make_callchain(callchain, i * CREW + number, CREW_DEPTH);
		id = sp_stack_table_put(shared->table, callchain);
		shared->id[number][i] = id;
		if (id == SP_STACK_LOST)
			shared->lost[number]++;
		if (!(i % 64))
			cond_resched();
	}
}

static void full_table_loses_exactly_the_rest(struct kunit *test)
{
	static const u32 max = 2 * CREW_STACKS + 7;
	struct crew_shared *shared = start_crew(test, max);
	struct fixture *f = test->priv;
	u32 stored = 0, lost = 0;
	unsigned int m;
	u32 i, id;

	sp_crew_run(test, CREW, put_own, shared);
	KUNIT_EXPECT_EQ(test, sp_stack_table_count(&f->table), max);
	for (m = 0; m < CREW; m++) {
		lost += shared->lost[m];
		for (i = 0; i < CREW_STACKS; i++) {
			make_callchain(&f->walk, i * CREW + m, CREW_DEPTH);
			id = sp_stack_table_find(&f->table, &f->walk);
			KUNIT_ASSERT_EQ(test, id ?: SP_STACK_LOST,
					shared->id[m][i]);
			if (!id)
				continue;
			stored++;
			KUNIT_ASSERT_TRUE(test, holds(&f->table, id, &f->walk));
		}
	}
	KUNIT_EXPECT_EQ(test, stored, max);
	KUNIT_EXPECT_EQ(test, lost, CREW * CREW_STACKS - max);
}

/* Half of them look up, without a lock, what the other half inserts. */
static void put_or_find(unsigned int number, void *data)
{
	struct crew_shared *shared = data;
	struct sp_callchain *callchain = &shared->walk[number];
	struct rnd_state random;
	u32 i, at, id;

	if (!(number & 1)) {
		put_the_same(number, data);
		return;
	}
	prandom_seed_state(&random, shared->base + number);
	for (i = 0; i < 3 * CREW_STACKS; i++) {
		at = sp_random_below(&random, CREW_STACKS);
		make_callchain(callchain, at, CREW_DEPTH);
		id = sp_stack_table_find(shared->table, callchain);
		if (id && !holds(shared->table, id, callchain))
			shared->wrong[number]++;
		/* What was seen once stays, and under its number. */
		if (shared->id[number][at] && shared->id[number][at] != id)
			shared->wrong[number]++;
		shared->id[number][at] = id;
		if (!(i % 64))
			cond_resched();
	}
}

static void look_up_needs_no_lock(struct kunit *test)
{
	struct crew_shared *shared = start_crew(test, CREW_STACKS + 1);
	unsigned int m;

	sp_crew_run(test, CREW, put_or_find, shared);
	for (m = 0; m < CREW; m++) {
		KUNIT_EXPECT_EQ(test, shared->lost[m], 0);
		KUNIT_EXPECT_EQ(test, shared->wrong[m], 0);
	}
}

/*
 * What a program can make that knows how the table hashes, but not its seed. Stacks
 * that differ by multiples of (x^2 - 1)^9 times 2^37 are the same polynomial of 64 bits
 * at every odd x. No chain may become longer than anyone walks.
 */
#define HOSTILE_STACKS	500

static void make_hostile_callchain(struct sp_callchain *callchain, u32 number)
{
	static const s64 binomial[] = { 1, -9, 36, -84, 126, -126, 84, -36, 9, -1 };
	unsigned int at, group, i;

	memset(callchain, 0, sizeof(*callchain));
	callchain->n = SP_MAX_DEPTH;
	callchain->flags = SP_STACK_USER;
	for (at = 0; at < callchain->n; at++)
		callchain->frame[at] = sp_frame(BIT(46), 0);
	/* Two bits of the number for each group of frames: every other one of twenty. */
	for (group = 0; group < 12; group++, number >>= 2)
		for (i = 0; i < ARRAY_SIZE(binomial); i++)
			callchain->frame[group / 2 * 20 + group % 2 + 2 * i] +=
				(number & 3) * binomial[i] * (s64)BIT(37);
}

static void programs_cannot_make_long_chains(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 i, tries, lost = 0;

	for (tries = 0; tries < 4; tries++) {
		start(test, 8 * HOSTILE_STACKS, SP_MAX_DEPTH);
		for (i = 0; i < HOSTILE_STACKS; i++) {
			make_hostile_callchain(&f->walk, i);
			lost += sp_stack_table_put(&f->table, &f->walk) == SP_STACK_LOST;
		}
	}
	KUNIT_EXPECT_EQ(test, lost, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(frame_keeps_address_and_place),
	KUNIT_CASE(sizes_at_the_edges),
	KUNIT_CASE(no_word_is_wasted),
	KUNIT_CASE(one_of_any_depth_fits),
	KUNIT_CASE(what_walks_have_seen_adds_up),
	KUNIT_CASE(changed_tables_are_walked_anew),
	KUNIT_CASE(other_places_are_not_seen),
	KUNIT_CASE(memory_is_what_it_says),
	KUNIT_CASE(no_memory_leaves_nothing),
	KUNIT_CASE(too_deep_is_cut),
	KUNIT_CASE(key_is_flags_and_addresses),
	KUNIT_CASE(waker_is_part_of_the_key),
	KUNIT_CASE(empty_stack_is_one),
	KUNIT_CASE(chain_has_an_end),
	KUNIT_CASE(programs_cannot_make_long_chains),
	KUNIT_CASE(links_are_kept),
	KUNIT_CASE(like_a_list),
	KUNIT_CASE(same_stacks_from_many_threads),
	KUNIT_CASE(full_table_loses_exactly_the_rest),
	KUNIT_CASE(look_up_needs_no_lock),
	{}
};

struct kunit_suite sp_stack_table_suite = {
	.name = "schedprof_stack_table",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of the calls of a task: whatever is entered, left, or never left, times
 * are those of a model that keeps every activation.
 *
 * Run: make kunit
 */
#include "lib/calls.h"
#include "suites.h"

static int set_up(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct sp_calls), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void inclusive_and_exclusive(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call outer, first, second;
	struct sp_ended_call ended;

	KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, 1, 1000, &outer));
	KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, 2, 1100, &first));
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &first, 1300, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 200);
	KUNIT_EXPECT_EQ(test, ended.exclusive, 200);
	KUNIT_EXPECT_EQ(test, ended.depth, 1);
	KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, 3, 1500, &second));
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &second, 1510, &ended));
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &outer, 2000, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 1000);
	KUNIT_EXPECT_EQ(test, ended.exclusive, 790);
	KUNIT_EXPECT_EQ(test, ended.dropped, 0);
	KUNIT_EXPECT_FALSE(test, sp_calls_pop_top(calls, 3000, &ended));
}

static void recursion_is_marked(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	static const u16 functions[] = { 5, 6, 5, 7, 6 };
	static const bool again[] = { false, false, true, false, true };
	struct sp_call call;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, functions[i], i, &call));
		KUNIT_EXPECT_EQ(test, calls->frame[i].again, again[i]);
	}
}

static void who_never_returned_is_dropped(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call outer, lost, inner;
	struct sp_ended_call ended;

	sp_calls_push(calls, 1, 100, &outer);
	sp_calls_push(calls, 2, 200, &lost);
	sp_calls_push(calls, 3, 300, &inner);
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &outer, 1100, &ended));
	KUNIT_EXPECT_EQ(test, ended.dropped, 2);
	KUNIT_EXPECT_EQ(test, ended.inclusive, 1000);
	/* None of them ends anything any more, also where another one is now. */
	KUNIT_EXPECT_FALSE(test, sp_calls_pop(calls, &inner, 1200, &ended));
	KUNIT_EXPECT_FALSE(test, sp_calls_pop(calls, &outer, 1200, &ended));
	sp_calls_push(calls, 1, 1300, &outer);
	sp_calls_push(calls, 2, 1400, &inner);
	KUNIT_EXPECT_FALSE(test, sp_calls_pop(calls, &lost, 1500, &ended));
	KUNIT_EXPECT_TRUE(test, sp_calls_pop(calls, &inner, 1500, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 100);
}

static void full_is_said(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call call[SP_CALL_DEPTH], more;
	struct sp_ended_call ended;
	unsigned int i;

	for (i = 0; i < SP_CALL_DEPTH; i++)
		KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, i, i, &call[i]));
	KUNIT_EXPECT_FALSE(test, sp_calls_push(calls, 99, 100, &more));
	while (i--) {
		KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &call[i], 200, &ended));
		KUNIT_EXPECT_EQ(test, ended.inclusive, 200 - i);
		KUNIT_EXPECT_EQ(test, ended.exclusive, i == SP_CALL_DEPTH - 1 ? 200 - i : 1);
	}
	KUNIT_EXPECT_EQ(test, calls->depth, 0);
}

/* Also if somebody else pushed what this one does not know of. */
static void more_than_full_is_said(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call more;

	calls->depth = SP_CALL_DEPTH + 1;
	KUNIT_EXPECT_FALSE(test, sp_calls_push(calls, 99, 100, &more));
	KUNIT_EXPECT_EQ(test, calls->depth, SP_CALL_DEPTH + 1);
}

static void clocks_that_step_back_are_no_time(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call outer, inner;
	struct sp_ended_call ended;

	sp_calls_push(calls, 1, 1000, &outer);
	sp_calls_push(calls, 2, 990, &inner);
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &inner, 1010, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 20);
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &outer, 1005, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 5);
	KUNIT_EXPECT_EQ(test, ended.exclusive, 0);
	sp_calls_push(calls, 1, 1000, &outer);
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &outer, 900, &ended));
	KUNIT_EXPECT_EQ(test, ended.inclusive, 0);
}

static void paths_hold_while_they_are_the_same(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_ended_call ended;
	struct sp_call call;

	sp_calls_push(calls, 1, 0, &call);
	sp_calls_push(calls, 2, 0, &call);
	calls->frame[0].path = 10;
	calls->frame[0].entry = 11;
	calls->frame[1].path = 20;
	calls->frame[1].entry = 21;
	/* The same function again, at the same place. */
	sp_calls_pop_top(calls, 1, &ended);
	sp_calls_push(calls, 2, 2, &call);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 20);
	KUNIT_EXPECT_EQ(test, calls->frame[1].entry, 21);
	/* Another thread: paths stay what they are. */
	sp_calls_forget_entries(calls);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 20);
	KUNIT_EXPECT_EQ(test, calls->frame[1].entry, 0);
	/* Under another one, it is another path. */
	sp_calls_pop_top(calls, 3, &ended);
	sp_calls_pop_top(calls, 3, &ended);
	sp_calls_push(calls, 3, 4, &call);
	KUNIT_EXPECT_EQ(test, calls->frame[0].path, 0);
	sp_calls_push(calls, 2, 4, &call);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 0);
	sp_calls_pop_top(calls, 5, &ended);
	sp_calls_pop_top(calls, 5, &ended);
	/* And under the first one again, that is not known any more. */
	calls->frame[1].path = 30;
	sp_calls_push(calls, 1, 6, &call);
	sp_calls_push(calls, 2, 6, &call);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 0);
}

static void restart_counts_from_then_on(struct kunit *test)
{
	struct sp_calls *calls = test->priv;
	struct sp_call outer, inner, done;
	struct sp_ended_call ended;

	sp_calls_push(calls, 1, 100, &outer);
	sp_calls_push(calls, 2, 200, &done);
	sp_calls_pop(calls, &done, 300, &ended);
	sp_calls_push(calls, 3, 400, &inner);
	calls->frame[1].path = 7;
	sp_calls_restart(calls, 1000);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 0);
	sp_calls_pop(calls, &inner, 1100, &ended);
	KUNIT_EXPECT_EQ(test, ended.inclusive, 100);
	sp_calls_pop(calls, &outer, 1150, &ended);
	KUNIT_EXPECT_EQ(test, ended.inclusive, 150);
	KUNIT_EXPECT_EQ(test, ended.exclusive, 50);
	/* What was remembered of a deeper place is gone as well. */
	calls->frame[1].path = 7;
	sp_calls_restart(calls, 2000);
	sp_calls_push(calls, 1, 2100, &outer);
	sp_calls_push(calls, 3, 2200, &inner);
	KUNIT_EXPECT_EQ(test, calls->frame[1].path, 0);
}

#define FUNCTIONS	5
#define ACTIVATIONS	20000

/* The model: every open activation with all that is known of it. */
struct open_call {
	struct sp_call call;
	u16 function;
	u64 since, inside, path;
};

struct model {
	struct open_call open[SP_CALL_DEPTH];
	u64 inclusive[FUNCTIONS], exclusive[FUNCTIONS];
	u64 seen_inclusive[FUNCTIONS], seen_exclusive[FUNCTIONS];
	u64 total;			/* of outermost activations */
	unsigned int depth;
};

static bool is_open(const struct model *model, u16 function, unsigned int below)
{
	while (below--)
		if (model->open[below].function == function)
			return true;
	return false;
}

static void enter(struct kunit *test, struct model *model, u16 function, u64 now)
{
	struct sp_calls *calls = test->priv;
	struct open_call *open = &model->open[model->depth];
	struct sp_activation *activation = &calls->frame[model->depth];

	*open = (struct open_call) { .function = function, .since = now };
	open->path = (model->depth ? open[-1].path * 7919 : 1) + function;
	KUNIT_ASSERT_TRUE(test, sp_calls_push(calls, function, now, &open->call));
	/* What is remembered is what was there. */
	if (activation->path)
		KUNIT_ASSERT_EQ(test, activation->path, (u32)open->path ?: 1);
	activation->path = (u32)open->path ?: 1;
	KUNIT_ASSERT_EQ(test, activation->again, is_open(model, function, model->depth));
	model->depth++;
}

/* Those that are further in never return. */
static void leave(struct kunit *test, struct model *model, unsigned int at, u64 now)
{
	struct sp_calls *calls = test->priv;
	struct open_call *open = &model->open[at];
	u64 inclusive = now - open->since;
	struct sp_ended_call ended;
	unsigned int i;

	for (i = at + 1; i < model->depth; i++)
		open->inside += model->open[i].inside;
	KUNIT_ASSERT_TRUE(test, sp_calls_pop(calls, &open->call, now, &ended));
	KUNIT_ASSERT_EQ(test, ended.dropped, model->depth - 1 - at);
	KUNIT_ASSERT_EQ(test, ended.inclusive, inclusive);
	KUNIT_ASSERT_EQ(test, ended.exclusive, inclusive - open->inside);
	model->depth = at;
	if (at)
		open[-1].inside += inclusive;
	else
		model->total += inclusive;
	if (!is_open(model, open->function, at))
		model->inclusive[open->function] += inclusive;
	model->exclusive[open->function] += inclusive - open->inside;
	if (!calls->frame[at].again)
		model->seen_inclusive[open->function] += ended.inclusive;
	model->seen_exclusive[open->function] += ended.exclusive;
}

static void as_the_model_says(struct kunit *test)
{
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	struct rnd_state random;
	unsigned int i, done = 0;
	u64 now = 1000, exclusive = 0;

	KUNIT_ASSERT_NOT_NULL(test, model);
	sp_random_start(test, &random);
	while (done < ACTIVATIONS || model->depth) {
		now += sp_random_below(&random, 1000);
		if (done < ACTIVATIONS && model->depth < SP_CALL_DEPTH &&
		    (!model->depth || sp_random_below(&random, 2))) {
			enter(test, model, sp_random_below(&random, FUNCTIONS), now);
			done++;
		} else if (model->depth > 1 && !sp_random_below(&random, 50)) {
			leave(test, model, sp_random_below(&random, model->depth), now);
		} else {
			leave(test, model, model->depth - 1, now);
		}
	}
	for (i = 0; i < FUNCTIONS; i++) {
		KUNIT_EXPECT_EQ(test, model->seen_inclusive[i], model->inclusive[i]);
		KUNIT_EXPECT_EQ(test, model->seen_exclusive[i], model->exclusive[i]);
		KUNIT_EXPECT_GT(test, model->inclusive[i], model->exclusive[i]);
		exclusive += model->seen_exclusive[i];
	}
	/* All of the outermost time is somewhere, and in one place. */
	KUNIT_EXPECT_EQ(test, exclusive, model->total);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(inclusive_and_exclusive),
	KUNIT_CASE(recursion_is_marked),
	KUNIT_CASE(who_never_returned_is_dropped),
	KUNIT_CASE(full_is_said),
	KUNIT_CASE(more_than_full_is_said),
	KUNIT_CASE(clocks_that_step_back_are_no_time),
	KUNIT_CASE(paths_hold_while_they_are_the_same),
	KUNIT_CASE(restart_counts_from_then_on),
	KUNIT_CASE(as_the_model_says),
	{}
};

struct kunit_suite sp_calls_suite = {
	.name = "schedprof_calls",
	.init = set_up,
	.test_cases = cases,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suite of interrupt time: each nanosecond is that of the innermost span, and of the task
 * that it came into, against a model that labels every nanosecond by itself.
 *
 * Run: make kunit
 */
#include <linux/percpu.h>
#include <linux/vmalloc.h>

#include "lib/irq_time.h"
#include "lib/ledger.h"
#include "record/foreign.h"
#include "record/recording.h"
#include "suites.h"
#include "task/percpu.h"

#define ROUNDS	2000
#define STEPS	150
#define TASKS	3
#define NEST	(SP_SPAN_DEPTH + 3)

/* What others read, while nothing is open. */
#define EXPECT_FOREIGN(test, time)					\
	KUNIT_EXPECT_EQ(test, sp_irq_time_foreign(time, 0),		\
			(time)->total[SP_SPAN_IRQ] + (time)->total[SP_SPAN_SOFTIRQ])

/* Tasks, where only this tells one from another. */
static char runs, other;

/* What is open is kept by task, as nobody can take along another one's. */
struct model {
	u64 now;
	unsigned int task;
	unsigned int depth[TASKS];
	enum sp_span open[TASKS][NEST];
	u64 sum[TASKS][SP_SPANS];
};

static enum sp_span innermost(const struct model *model)
{
	unsigned int depth = min(model->depth[model->task], SP_SPAN_DEPTH);

	return depth ? model->open[model->task][depth - 1] : SP_SPAN_TASK;
}

static void let_pass(struct model *model, u64 ns)
{
	while (ns--) {
		model->sum[model->task][innermost(model)]++;
		model->now++;
	}
}

/* Of all tasks. */
static u64 foreign_of(const struct model *model)
{
	unsigned int task;
	u64 ns = 0;

	for (task = 0; task < TASKS; task++)
		ns += model->sum[task][SP_SPAN_IRQ] + model->sum[task][SP_SPAN_SOFTIRQ];
	return ns;
}

static void begin_span(struct model *model, struct sp_irq_time *time, enum sp_span span)
{
	model->open[model->task][model->depth[model->task]++] = span;
	sp_irq_time_enter(time, span, &model->sum[model->task], model->now);
}

static void end_span(struct model *model, struct sp_irq_time *time)
{
	enum sp_span span = model->open[model->task][--model->depth[model->task]];

	sp_irq_time_leave(time, span == SP_SPAN_IRQ, model->now);
}

/* As hook/switch.c does. */
static void change_task(struct model *model, struct sp_cpu *cpu, struct sp_task *tasks,
			u64 (*told)[SP_FOREIGNS], unsigned int task)
{
	struct sp_irq_time *time = &cpu->irq_time;
	struct sp_task *leaves = &tasks[model->task];
	unsigned int i;

	leaves->inside = time->depth ?
			 sp_irq_time_suspend(time, &model->sum[model->task], model->now) :
			 SP_SPAN_TASK;
	preempt_disable();
	sp_cpu_take_foreign(cpu, leaves);
	preempt_enable();
	for (i = 0; i < SP_FOREIGNS; i++)
		told[model->task][i] += leaves->foreign[i];
	model->task = task;
	if (tasks[task].inside != SP_SPAN_TASK)
		sp_irq_time_enter(time, tasks[task].inside, &model->sum[task], model->now);
}

static bool may_switch(const struct model *model)
{
	unsigned int depth = model->depth[model->task];

	return !depth || (depth == 1 && model->open[model->task][0] != SP_SPAN_IRQ);
}

static void one_round(struct kunit *test, struct rnd_state *random, struct sp_cpu *cpu)
{
	static struct sp_task tasks[TASKS];
	struct sp_irq_time *time = &cpu->irq_time;
	u64 told[TASKS][SP_FOREIGNS] = { };
	struct model model = { .now = 1000 };
	unsigned int i, task;

	memset(tasks, 0, sizeof(tasks));
	for (task = 0; task < TASKS; task++)
		tasks[task].inside = SP_SPAN_TASK;
	sp_irq_time_begin(time, 0);
	for (i = 0; i < STEPS; i++) {
		unsigned int depth = model.depth[model.task];

		let_pass(&model, sp_random_below(random, 10));
		/* Also of what is open. */
		KUNIT_EXPECT_EQ(test, sp_irq_time_foreign(time, model.now), foreign_of(&model));
		switch (sp_random_below(random, 8)) {
		case 0:
		case 1:
		case 2:
			if (depth < NEST)
				begin_span(&model, time, SP_SPAN_IRQ);
			break;
		case 3:
			if (!depth)
				begin_span(&model, time, sp_random_below(random, 2) ?
					   SP_SPAN_SOFTIRQ : SP_SPAN_SOFTIRQ_THREAD);
			break;
		case 4:
			if (may_switch(&model))
				change_task(&model, cpu, tasks, told,
					    sp_random_below(random, TASKS));
			break;
		default:
			if (depth)
				end_span(&model, time);
		}
	}
	KUNIT_EXPECT_EQ(test, time->depth, model.depth[model.task]);
	while (model.depth[model.task])
		end_span(&model, time);
	change_task(&model, cpu, tasks, told, model.task);
	for (task = 0; task < TASKS; task++) {
		KUNIT_EXPECT_EQ(test, told[task][SP_FOREIGN_IRQ], model.sum[task][SP_SPAN_IRQ]);
		KUNIT_EXPECT_EQ(test, told[task][SP_FOREIGN_SOFTIRQ],
				model.sum[task][SP_SPAN_SOFTIRQ]);
	}
	KUNIT_EXPECT_EQ(test, time->total[SP_SPAN_SOFTIRQ_THREAD],
			model.sum[0][SP_SPAN_SOFTIRQ_THREAD] +
			model.sum[1][SP_SPAN_SOFTIRQ_THREAD] +
			model.sum[2][SP_SPAN_SOFTIRQ_THREAD]);
	KUNIT_EXPECT_EQ(test, time->unmatched, 0);
	KUNIT_EXPECT_EQ(test, time->steps, 0);
}

static void as_a_model_says(struct kunit *test)
{
	/* Some kilobytes, most of which nobody looks at. */
	struct sp_cpu *cpu = vzalloc(sizeof(*cpu));
	struct rnd_state random;
	unsigned int i;

	KUNIT_ASSERT_FALSE(test, !cpu);
	sp_random_start(test, &random);
	for (i = 0; i < ROUNDS; i++)
		one_round(test, &random, cpu);
	vfree(cpu);
}

static void ends_that_nobody_saw_begin(struct kunit *test)
{
	struct sp_irq_time time;

	sp_irq_time_begin(&time, 0);
	sp_irq_time_leave(&time, true, 100);
	sp_irq_time_leave(&time, false, 110);
	KUNIT_EXPECT_EQ(test, time.unmatched, 2);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 120);
	/* Of the softirq that the interrupt came into. */
	sp_irq_time_leave(&time, false, 130);
	sp_irq_time_leave(&time, true, 150);
	KUNIT_EXPECT_EQ(test, time.unmatched, 3);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 30);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_SOFTIRQ], 0);
	KUNIT_EXPECT_EQ(test, time.depth, 0);
}

static void what_is_too_deep_belongs_to_what_it_came_into(struct kunit *test)
{
	struct sp_irq_time time;
	unsigned int i;

	sp_irq_time_begin(&time, 0);
	sp_irq_time_enter(&time, SP_SPAN_SOFTIRQ, &runs, 100);
	for (i = 1; i < SP_SPAN_DEPTH + 2; i++)
		sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 100 + i);
	KUNIT_EXPECT_EQ(test, time.too_deep, 2);
	for (; i > 1; i--)
		sp_irq_time_leave(&time, true, 200);
	sp_irq_time_leave(&time, false, 300);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 99);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_SOFTIRQ], 101);
	KUNIT_EXPECT_EQ(test, time.depth, 0);
	KUNIT_EXPECT_EQ(test, time.unmatched, 0);
	EXPECT_FOREIGN(test, &time);
}

static void a_clock_that_steps_back_takes_no_time(struct kunit *test)
{
	struct sp_irq_time time;

	sp_irq_time_begin(&time, 0);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 1000);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 1010);
	sp_irq_time_leave(&time, true, 990);
	sp_irq_time_leave(&time, true, 1030);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 30);
	KUNIT_EXPECT_EQ(test, time.steps, 1);
	/* Back at the beginning, and at the end. */
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 1020);
	sp_irq_time_leave(&time, true, 1010);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 30);
	KUNIT_EXPECT_EQ(test, time.steps, 3);
	EXPECT_FOREIGN(test, &time);
}

/* Whose end was missed: it is not the next task's, which did not begin it. */
static void nothing_hard_is_open_at_a_switch(struct kunit *test)
{
	struct sp_irq_time time;
	u64 foreign[SP_FOREIGNS];

	sp_irq_time_begin(&time, 0);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 1000);
	KUNIT_EXPECT_EQ(test, sp_irq_time_suspend(&time, &runs, 1100), SP_SPAN_TASK);
	sp_irq_time_take(&time, 0, foreign);
	KUNIT_EXPECT_EQ(test, foreign[SP_FOREIGN_IRQ], 100);
	KUNIT_EXPECT_EQ(test, time.unmatched, 1);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 2000);
	sp_irq_time_leave(&time, true, 2005);
	sp_irq_time_take(&time, 0, foreign);
	KUNIT_EXPECT_EQ(test, foreign[SP_FOREIGN_IRQ], 5);
	EXPECT_FOREIGN(test, &time);
}

/* Nobody looked at switches when the one that began it left: now somebody else does. */
static void a_softirq_is_not_the_next_task_s(struct kunit *test)
{
	struct sp_irq_time time;
	u64 foreign[SP_FOREIGNS];

	sp_irq_time_begin(&time, 0);
	sp_irq_time_enter(&time, SP_SPAN_SOFTIRQ, &other, 1000);
	KUNIT_EXPECT_EQ(test, sp_irq_time_suspend(&time, &runs, 5000), SP_SPAN_TASK);
	sp_irq_time_take(&time, 0, foreign);
	KUNIT_EXPECT_EQ(test, foreign[SP_FOREIGN_SOFTIRQ], 0);
	KUNIT_EXPECT_EQ(test, time.depth, 0);
	KUNIT_EXPECT_EQ(test, time.unmatched, 1);
	/* It is back; nobody knows that it goes on. */
	sp_irq_time_leave(&time, false, 6000);
	KUNIT_EXPECT_EQ(test, time.unmatched, 2);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_SOFTIRQ], 0);
	EXPECT_FOREIGN(test, &time);
}

static void an_interrupt_tells_that_a_softirq_is_another_task_s(struct kunit *test)
{
	struct sp_irq_time time;

	sp_irq_time_begin(&time, 0);
	sp_irq_time_enter(&time, SP_SPAN_SOFTIRQ, &other, 1000);
	sp_irq_time_enter(&time, SP_SPAN_IRQ, &runs, 5000);
	sp_irq_time_leave(&time, true, 5010);
	KUNIT_EXPECT_EQ(test, sp_irq_time_inside(&time), SP_SPAN_TASK);
	/* Nor does it go on for those who look at the whole CPU. */
	KUNIT_EXPECT_EQ(test, sp_irq_time_foreign(&time, 9000), 10);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 10);
	KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_SOFTIRQ], 0);
	KUNIT_EXPECT_EQ(test, time.unmatched, 1);
}

/* Neither of the same task, nor in a handler of an interrupt. */
static void softirqs_begin_in_nothing(struct kunit *test)
{
	static const enum sp_span before[] = { SP_SPAN_SOFTIRQ, SP_SPAN_SOFTIRQ_THREAD,
					      SP_SPAN_IRQ };
	struct sp_irq_time time;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(before); i++) {
		sp_irq_time_begin(&time, 0);
		sp_irq_time_enter(&time, before[i], &runs, 1000);
		sp_irq_time_enter(&time, SP_SPAN_SOFTIRQ, &runs, 2000);
		KUNIT_EXPECT_EQ(test, time.depth, 1);
		KUNIT_EXPECT_EQ(test, time.unmatched, 1);
		sp_irq_time_leave(&time, false, 2100);
		KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_SOFTIRQ], 100);
		KUNIT_EXPECT_EQ(test, time.ns[SP_SPAN_IRQ], 0);
		KUNIT_EXPECT_EQ(test, time.depth, 0);
	}
}

/* By a counter that only moves with ticks, as the kernel's does. */
static void stolen_time_is_the_counter_s(struct kunit *test)
{
	static const u64 counter[] = { 5000, 5000, 9000, 9000, 9100 };
	u64 foreign[SP_FOREIGNS], sum = 0;
	struct sp_irq_time time;
	unsigned int i;

	sp_irq_time_begin(&time, 4000);
	for (i = 0; i < ARRAY_SIZE(counter); i++) {
		sp_irq_time_take(&time, counter[i], foreign);
		KUNIT_EXPECT_EQ(test, foreign[SP_FOREIGN_STOLEN],
				counter[i] - (i ? counter[i - 1] : 4000));
		KUNIT_EXPECT_EQ(test, foreign[SP_FOREIGN_IRQ], 0);
		sum += foreign[SP_FOREIGN_STOLEN];
	}
	KUNIT_EXPECT_EQ(test, sum, 5100);
}

static void own_time_is_never_below_0(struct kunit *test)
{
	static const u64 little[SP_FOREIGNS] = { 10, 20, 30 };
	static const u64 much[SP_FOREIGNS] = { 60, 50, 40 };
	struct sp_ledger ledger = { .ns = { [SP_ACCOUNT_ON_CPU] = 100 } };

	KUNIT_EXPECT_EQ(test, sp_ledger_add_foreign(&ledger, little, 100), 0);
	KUNIT_EXPECT_EQ(test, sp_ledger_own(&ledger), 40);
	ledger.ns[SP_ACCOUNT_ON_CPU] += 100;
	KUNIT_EXPECT_EQ(test, sp_ledger_add_foreign(&ledger, much, 100), 50);
	KUNIT_EXPECT_EQ(test, sp_ledger_own(&ledger), 40);
	KUNIT_EXPECT_EQ(test, ledger.foreign[SP_FOREIGN_IRQ], 70);
	KUNIT_EXPECT_EQ(test, ledger.foreign[SP_FOREIGN_SOFTIRQ], 60);
	KUNIT_EXPECT_EQ(test, ledger.foreign[SP_FOREIGN_STOLEN], 30);
}

/* A time from 1000 to 1500, with 30 ns of interrupts and 4 of softirqs. */
static const u64 came[SP_FOREIGNS] = { 30, 4 };
static const struct sp_clock stay = {
	.in_ts = 1000, .out_ts = 1500, .phase = SP_PHASE_ASLEEP,
};

struct booking {
	struct sp_recording recording;
	struct sp_ledger ledger;
	struct sp_foreign_rest rest;
};

/* The part of the CPU began at @since, when it had 10 ns and 3 of the time that was open. */
static void book(struct kunit *test, struct booking *b, u64 since, u64 begin, u64 on)
{
	struct sp_recording_cpu *part;

	memset(b, 0, sizeof(*b));
	b->recording.begin.ns = 900;
	b->recording.cpu = alloc_percpu(struct sp_recording_cpu);
	KUNIT_ASSERT_FALSE(test, !b->recording.cpu);
	part = per_cpu_ptr(b->recording.cpu, 0);
	part->since = since;
	part->foreign_base.open[SP_FOREIGN_IRQ] = 10;
	part->foreign_base.open[SP_FOREIGN_SOFTIRQ] = 3;
	sp_foreign_book(&b->recording, &b->ledger, &stay, 0, came, on, begin, &b->rest);
	free_percpu(b->recording.cpu);
}

static void what_came_goes_to_the_books_it_lies_in(struct kunit *test)
{
	static const struct {
		u64 since, begin, on, irq, softirq, unsplit;
	} stays[] = {
		/* all of it; */
		{ 950, 900, 500, 30, 4, 0 },
		/* since the part began; */
		{ 1200, 900, 300, 20, 1, 0 },
		/* what was over when it began, or when the task was let in; */
		{ 1500, 900, 0, 0, 0, 0 },
		{ 950, 1500, 0, 0, 0, 0 },
		/* it was let in while it ran: nobody knows when they came; */
		{ 950, 1200, 300, 0, 0, 34 },
		/* and after it was let in; */
		{ 950, 1000, 500, 30, 4, 0 },
		/* an event was missed; */
		{ 950, 900, 0, 0, 0, 34 },
		/* no part of that CPU has begun yet, which will not tell of them. */
		{ 0, 900, 500, 0, 0, 0 },
	};
	/* Recordings are aligned to cache lines. */
	static struct booking booking;
	struct booking *b = &booking;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(stays); i++) {
		book(test, b, stays[i].since, stays[i].begin, stays[i].on);
		KUNIT_EXPECT_EQ_MSG(test, b->ledger.foreign[SP_FOREIGN_IRQ], stays[i].irq,
				    "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, b->ledger.foreign[SP_FOREIGN_SOFTIRQ],
				    stays[i].softirq, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, b->rest.unsplit_ns, stays[i].unsplit, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, b->rest.excess, 0, "case %u", i);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(as_a_model_says),
	KUNIT_CASE(ends_that_nobody_saw_begin),
	KUNIT_CASE(what_is_too_deep_belongs_to_what_it_came_into),
	KUNIT_CASE(a_clock_that_steps_back_takes_no_time),
	KUNIT_CASE(nothing_hard_is_open_at_a_switch),
	KUNIT_CASE(a_softirq_is_not_the_next_task_s),
	KUNIT_CASE(an_interrupt_tells_that_a_softirq_is_another_task_s),
	KUNIT_CASE(softirqs_begin_in_nothing),
	KUNIT_CASE(stolen_time_is_the_counter_s),
	KUNIT_CASE(own_time_is_never_below_0),
	KUNIT_CASE(what_came_goes_to_the_books_it_lies_in),
	{ }
};

struct kunit_suite sp_irq_time_suite = {
	.name = "schedprof_irq_time",
	.test_cases = cases,
};

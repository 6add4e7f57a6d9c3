// SPDX-License-Identifier: GPL-2.0-only
/*
 * model: figures of tasks, their order, and finding them. Functions without state, so
 * nothing is locked.
 */
#include <stdlib.h>

#include "model.h"

static int compare(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

static int compare_tids(int32_t x, int32_t y)
{
	return x < y ? -1 : x > y;
}

/**
 * top_less() - what is left
 * @a: of that
 * @b: without that
 *
 * Return: 0 if @b is more.
 */
uint64_t top_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Does @what with each pair of figures. */
static void each_figure(struct top_figures *to, const struct top_figures *from,
			uint64_t (*what)(uint64_t a, uint64_t b))
{
	unsigned int i;

	for (i = 0; i < TOP_TIMES; i++)
		to->time[i] = what(to->time[i], from->time[i]);
	to->switches = what(to->switches, from->switches);
	to->wakeups = what(to->wakeups, from->wakeups);
	to->waits = what(to->waits, from->waits);
	to->waited = what(to->waited, from->waited);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b;
}

/**
 * top_figures_add() - have both together
 * @to: one; gets the sum
 * @from: the other
 */
void top_figures_add(struct top_figures *to, const struct top_figures *from)
{
	each_figure(to, from, sum);
}

/**
 * top_figures_take_off() - what was not there before
 * @to: as it is now; gets the difference, which is never less than 0
 * @from: as it was
 */
void top_figures_take_off(struct top_figures *to, const struct top_figures *from)
{
	each_figure(to, from, top_less);
}

/**
 * top_observed() - for how long that was looked at
 * @figures: of a task, or of several
 */
uint64_t top_observed(const struct top_figures *figures)
{
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < TOP_TIMES; i++)
		all += figures->time[i];
	return all;
}

/* The order of tasks: for qsort(3). */
int top_by_task(const void *a, const void *b)
{
	const struct top_task *x = a, *y = b;

	return compare_tids(x->tid, y->tid) ?: compare(x->start_ns, y->start_ns);
}

/* The order of waiters and their culprits: for qsort(3). */
int top_by_pair(const void *a, const void *b)
{
	const struct schedprof_blame *x = a, *y = b;

	return compare_tids(x->tid, y->tid) ?: compare(x->start_ns, y->start_ns) ?:
	       compare(x->culprit, y->culprit) ?:
	       compare_tids(x->culprit_tid, y->culprit_tid) ?:
	       compare(x->culprit_start_ns, y->culprit_start_ns) ?:
	       compare(x->self, y->self);
}

/**
 * top_find_task() - look a task up
 * @tasks: sorted
 * @n: how many there are
 * @tid: its number; 0: those that exited
 * @start_ns: when it began
 *
 * Return: it, or NULL.
 */
struct top_task *top_find_task(const struct top_task *tasks, size_t n, int32_t tid,
			       uint64_t start_ns)
{
	const struct top_task key = { .tid = tid, .start_ns = start_ns };

	/* As bsearch() was until C23: what is found is the caller's, to be written or not. */
	return n ? bsearch(&key, (void *)tasks, n, sizeof(key), top_by_task) : NULL;
}

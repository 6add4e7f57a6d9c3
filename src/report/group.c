// SPDX-License-Identifier: GPL-2.0-only
/*
 * group: makes one line of a view out of those of several threads, if they have
 * the same stacks. Frames in user stacks mean something only with the program,
 * so lines of different programs stay apart. Views only; no lock.
 */
#include <linux/sort.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/readers.h"
#include "report/view.h"

/**
 * sp_group_who() - whose row is it?
 * @who: a thread; becomes its process, or all of its name or control group
 * @by: what is a group
 */
void sp_group_who(struct sp_who *who, enum sp_group by)
{
	/* What was lost or compacted is nobody's. */
	if (!who->tid || by == SP_GROUP_THREAD)
		return;
	if (by == SP_GROUP_PROCESS) {
		/* A thread that outlived its process: it stays on its own. */
		if (!who->leader_start)
			return;
		who->tid = who->tgid;
		who->start_time = who->leader_start;
		memcpy(who->comm, who->leader_comm, sizeof(who->comm));
	} else if (by == SP_GROUP_CGROUP) {
		*who = (struct sp_who) {
			.tid = SP_TID_CGROUP, .tgid = SP_TID_CGROUP,
			/* That is what tells them apart. */
			.start_time = who->cgroup, .cgroup = who->cgroup,
			.program = who->program,
		};
	} else {
		who->tid = SP_TID_COMM;
		who->tgid = SP_TID_COMM;
		who->start_time = 0;
	}
}

/* What is open now has stacks of its own, be they the same as another one's. */
static int by_stack(const struct sp_stack *x, const struct sp_stack *y)
{
	int order;
	u32 i;

	if (x == y || !x || !y)
		return cmp_int(x, y);
	order = cmp_int(x->n, y->n) ?:
		cmp_int(x->flags & SP_STACK_KEY, y->flags & SP_STACK_KEY);
	for (i = 0; i < x->n && !order; i++)
		order = cmp_int(x->frame[i] & SP_FRAME_MASK, y->frame[i] & SP_FRAME_MASK);
	return order;
}

static int by_key(const void *a, const void *b, const void *data)
{
	const struct sp_view *view = data;
	const struct sp_report_entry *x = &view->lines[*(const u32 *)a];
	const struct sp_report_entry *y = &view->lines[*(const u32 *)b];

	sp_readers_yield();
	return sp_view_compare_tasks(&x->who, &y->who) ?:
	       by_stack(x->kernel, y->kernel) ?: by_stack(x->user, y->user) ?:
	       cmp_int(x->waker, y->waker) ?:
	       cmp_int(x->user ? x->who.program : 0, y->user ? y->who.program : 0) ?:
	       cmp_int(x->lost, y->lost);
}

/**
 * sp_group() - let the lines of a group share one
 * @view: a fresh view; its lines are changed
 * @by: what is a group
 *
 * Return: 0 or -ENOMEM.
 */
int sp_group(struct sp_view *view, enum sp_group by)
{
	u32 *order, i, n, first = 0;

	if (by == SP_GROUP_THREAD || !view->count)
		return 0;
	order = sp_view_order(view, &n);
	if (!order)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		sp_group_who(&view->lines[order[i]].who, by);
		sp_readers_yield();
	}
	sort_r(order, n, sizeof(*order), by_key, NULL, view);
	for (i = 1; i < n; i++) {
		struct sp_report_entry *to = &view->lines[order[first]];
		struct sp_report_entry *from = &view->lines[order[i]];

		sp_readers_yield();
		if (!to->who.tid || by_key(&order[first], &order[i], view)) {
			first = i;
			continue;
		}
		sp_sum_merge(&to->sum, &from->sum);
		to->open |= from->open;
		from->sum.count = 0;
	}
	sp_readers_free(order);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_group);

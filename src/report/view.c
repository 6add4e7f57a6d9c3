// SPDX-License-Identifier: GPL-2.0-only
/*
 * view: what files of results are made of, see report/view.h, and what those who fill
 * it and those who print it have in common.
 *
 * Process context only; a view has one owner at a time, so there is no lock.
 */
#include <linux/bitmap.h>
#include <linux/pid.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/readers.h"
#include "lib/text.h"
#include "report/view.h"

/**
 * sp_view_show_name() - of a row
 * @s: where to
 * @view: the view
 * @who: whose row it is
 * @show: how names are written
 */
void sp_view_show_name(struct seq_buf *s, const struct sp_view *view, const struct sp_who *who,
		       void (*show)(struct seq_buf *s, const char *name))
{
	const char *path;

	/* What is no task has a word of ours. */
	if (!who->tid) {
		show(s, who->comm);
		return;
	}
	if (who->tid != SP_TID_CGROUP) {
		sp_text_name(s, who->comm, show);
		return;
	}
	path = sp_cgroups_path(&view->recording->cgroups, who->cgroup);
	if (path)
		sp_text_name(s, path, show);
	else
		seq_buf_printf(s, "[cgroup_%llu]", who->cgroup);
}

/* A task that is no thread of the recording: nobody else in this view is it. */
u32 sp_view_stranger(struct sp_view *view)
{
	return view->recording->threads.pool.max + SP_THREAD_FIRST + view->strangers++;
}

void sp_view_set_task(struct sp_report_entry *line, const struct sp_threads *threads,
		      const struct sp_thread *thread)
{
	line->task = sp_threads_number(threads, thread);
	line->exec_id = thread->exec_id;
	line->over = READ_ONCE(thread->over);
}

/**
 * sp_view_bits() - memory for a bit for each of something
 * @count: of what; not 0
 *
 * Return: for sp_readers_free(), or NULL.
 */
unsigned long *sp_view_bits(u32 count)
{
	return sp_readers_alloc(BITS_TO_LONGS((size_t)count) * sizeof(long));
}

/**
 * sp_view_order() - the lines that there are
 * @view: with lines
 * @count: set to how many
 *
 * Return: their numbers, with room for as many as the view has, for
 * sp_readers_free(); or NULL.
 */
u32 *sp_view_order(const struct sp_view *view, u32 *count)
{
	u32 i, *order = sp_readers_alloc(view->count * sizeof(*order));

	*count = 0;
	for (i = 0; order && i < view->count; i++) {
		if (view->lines[i].sum.count)
			order[(*count)++] = i;
		sp_readers_yield();
	}
	return order;
}
SP_EXPORT_FOR_KUNIT(sp_view_order);

/**
 * sp_view_compare_tasks() - for sort(): rows of one task are neighbours
 * @x: whose row it is; what stands for many tasks, or none, has a name
 * @y: and the other one
 */
int sp_view_compare_tasks(const struct sp_who *x, const struct sp_who *y)
{
	return cmp_int(x->tid, y->tid) ?: cmp_int(x->start_time, y->start_time) ?:
	       (x->tid > 0 ? 0 : strcmp(x->comm, y->comm));
}

/**
 * sp_view_stack_number() - what a stack is called
 * @view: the view
 * @stack: one of its; may be NULL
 *
 * Return: its number; 0: there is none.
 */
u32 sp_view_stack_number(const struct sp_view *view, const struct sp_stack *stack)
{
	const struct sp_stack_table *table = &view->recording->stacks;

	if (!stack)
		return 0;
	return sp_stack_table_number(table, stack) ?: table->max + 1 + stack->hash;
}

/**
 * sp_view_is_idle() - does a task that stands there wait for work?
 * @view: the view
 * @kernel: one of its stacks; may be NULL
 */
bool sp_view_is_idle(const struct sp_view *view, const struct sp_stack *kernel)
{
	return kernel && view->idle_stacks &&
	       test_bit(sp_view_stack_number(view, kernel), view->idle_stacks);
}
SP_EXPORT_FOR_KUNIT(sp_view_is_idle);

/**
 * sp_view_program() - the program that an event's user stack is of
 * @view: the view
 * @record: the event
 *
 * Return: its number; 0: there is none.
 */
u32 sp_view_program(struct sp_view *view, const struct sp_trace_record *record)
{
	if (record->user == SP_STACK_NONE || record->user == SP_STACK_LOST)
		return 0;
	return sp_mappings_find(&view->recording->mappings, record->tgid, record->exec_id,
				record->start_time);
}

/**
 * sp_view_waker_user() - where a waker was in its program
 * @view: the view
 * @waker: stack of who woke a task; may be NULL
 * @program: set to the number of the program; 0: it is not known
 *
 * Return: the user stack, or NULL.
 */
const struct sp_stack *sp_view_waker_user(const struct sp_view *view,
					  const struct sp_stack *waker, u32 *program)
{
	struct sp_recording *recording = view->recording;
	const struct sp_waker *who;

	*program = 0;
	if (!waker)
		return NULL;
	who = sp_stack_waker(waker);
	if (who->user == SP_STACK_NONE)
		return NULL;
	*program = sp_mappings_find(&recording->mappings, who->tgid, who->exec_id,
				    who->start_time);
	return sp_stack_table_get(&recording->stacks, who->user);
}

/* Which programs the events at hand are of. */
void sp_view_find_programs(struct sp_view *view)
{
	struct sp_events_copy *events = &view->events;
	u32 i;

	for (i = 0; i < events->count; i++) {
		events->list[events->order[i]].program =
			sp_view_program(view, &events->list[events->order[i]]);
		sp_readers_yield();
	}
}

/**
 * sp_view_reach() - have an event at hand, for sp_events_at()
 * @view: the view
 * @number: which one, by time; nothing is done if there is none
 *
 * Return: 0, or -ENOMEM or -EIO.
 */
int sp_view_reach(struct sp_view *view, u32 number)
{
	int err;

	if (number >= view->events.total)
		return 0;
	err = sp_events_reach(&view->events, number);
	if (err > 0)
		sp_view_find_programs(view);
	return min(err, 0);
}

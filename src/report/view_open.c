// SPDX-License-Identifier: GPL-2.0-only
/*
 * view_open: intervals that are open now, in a view: those of tasks off the CPU, of
 * CPUs that are kept in the kernel, and of functions that have not returned. They are
 * added to the entry of the same task and stacks if there is one.
 *
 * Process context; the caller holds the recording's reading mutex, and in mode function
 * the session's.
 */
#include <linux/pid.h>

#include "lib/readers.h"
#include "record/lifecycle.h"
#include "record/open_intervals.h"
#include "task/task_table.h"
#include "report/view.h"
#include "record/account.h"

/* Tasks whose stacks are unwound from one look for memory to the next. */
#define WALKED_AT_ONCE		64
/* Room is made for so many times more, as most stacks are short. */
#define ROOM_FOR		4

/* Memory for stacks, which stay where they are. */
struct sp_view_stacks {
	struct sp_view_stacks *next;
	size_t used, room;
	char stacks[] __aligned(sizeof(u64));
};

static size_t stack_bytes(u32 n)
{
	return offsetof(struct sp_stack, frame) + n * sizeof(u64);
}

/* For so many stacks, as long as they may be. Of the reader, so not by a visit. */
static int make_room(struct sp_view *view, u32 stacks)
{
	size_t bytes = stacks * stack_bytes(view->recording->config.stack_depth);
	struct sp_view_stacks *arena = view->arena;

	if (arena && arena->room - arena->used >= bytes)
		return 0;
	bytes *= ROOM_FOR;
	arena = sp_readers_alloc(struct_size(arena, stacks, bytes));
	if (!arena)
		return -ENOMEM;
	arena->room = bytes;
	arena->next = view->arena;
	view->arena = arena;
	return 0;
}

/* A stack that no finished interval has: it belongs to the view. There is room. */
static const struct sp_stack *keep_callchain(struct sp_view *view,
					     const struct sp_callchain *callchain)
{
	u32 n = min_t(u32, callchain->n, view->recording->config.stack_depth);
	struct sp_view_stacks *arena = view->arena;
	struct sp_stack *stack = (void *)(arena->stacks + arena->used);

	arena->used += stack_bytes(n);
	stack->hash = view->own_stacks++;
	stack->n = n;
	stack->flags = callchain->flags;
	if (n < callchain->n)
		stack->flags = sp_stack_cut_short(stack->flags);
	memcpy(stack->frame, callchain->frame, n * sizeof(u64));
	return stack;
}

/* Where the task's finished intervals with these stacks are, if there are any. */
static struct sp_report_entry *line_of(struct sp_view *view, const struct sp_thread *thread,
				       const struct sp_open_interval *open)
{
	struct sp_recording *recording = view->recording;
	struct sp_key key = {
		.thread = sp_threads_number(&recording->threads, thread),
		.kernel = open->seen_kernel, .user = open->seen_user, .waker = open->waker,
	};
	struct sp_entry *entry;
	u32 number;

	if (open->kernel) {
		key.kernel = sp_stack_table_find(&recording->stacks, open->kernel);
		if (key.kernel == SP_STACK_NONE)
			return NULL;
	}
	if (open->user) {
		key.user = sp_stack_table_find(&recording->stacks, open->user);
		if (key.user == SP_STACK_NONE)
			return NULL;
	}
	rcu_read_lock();
	entry = sp_tally_find(&recording->tally, &key);
	rcu_read_unlock();
	if (!entry)
		return NULL;
	/* The reading mutex keeps it in the table, but it may be a new one. */
	number = entry - recording->tally.entries;
	if (number >= view->copied || !view->lines[number].sum.count)
		return NULL;
	return &view->lines[number];
}

struct opening {
	struct sp_view *view;
	struct sp_look_times times;	/* one look at a program does for all its threads */
};

static u32 program_of(struct opening *opening, const struct sp_open_interval *open,
		      const struct sp_who *who)
{
	struct pid *pid;
	u32 program;

	if (!open->user && open->seen_user == SP_STACK_NONE)
		return 0;
	pid = get_task_pid(open->task, PIDTYPE_PID);
	sp_mappings_look(&opening->view->recording->mappings, pid, who, open->exec_id,
			 &opening->times, &program);
	put_pid(pid);
	return program;
}

/* An interval that is open now. Returns false if it is too short or too long. */
static bool count_open(struct sp_view *view, u64 length)
{
	enum sp_clock_id clock_id = view->recording->config.clock;

	if (!sp_record_fits(view->recording, length))
		return false;
	view->open++;
	sp_histogram_add(&view->totals.histogram, sp_clock_id_row_unit(clock_id, length));
	return true;
}

static void add_open(const struct sp_open_interval *open, void *data)
{
	struct opening *opening = data;
	struct sp_view *view = opening->view;
	struct sp_recording *recording = view->recording;
	u64 ns = open->until - open->since;
	struct sp_report_entry *line = NULL;
	struct sp_thread *thread;

	if (!count_open(view, open->until - open->began))
		return;
	thread = sp_threads_find(&recording->threads, open->slot, open->serial,
				 open->exec_id);
	if (thread)
		line = line_of(view, thread, open);
	if (!line) {
		line = &view->lines[view->count++];
		sp_who_is(&line->who, open->task);
		sp_cgroups_note(&recording->cgroups, open->task);
		line->task = thread ? sp_threads_number(&recording->threads, thread) :
				   sp_view_stranger(view);
		line->exec_id = open->exec_id;
		line->who.program = thread && thread->who.program ? thread->who.program :
				  program_of(opening, open, &line->who);
		line->kernel = sp_stack_table_known(&recording->stacks, open->seen_kernel);
		line->user = sp_stack_table_known(&recording->stacks, open->seen_user);
		if (open->seen_kernel == SP_STACK_LOST)
			line->lost = "[lost stack]";
		if (open->kernel)
			line->kernel = keep_callchain(view, open->kernel);
		line->waker = sp_stack_table_known(&recording->stacks, open->waker);
		sp_recording_look_at_waker(recording, line->waker, &opening->times);
		if (open->user)
			line->user = keep_callchain(view, open->user);
	}
	line->open |= open->open;
	sp_sum_add(&line->sum, ns, open->until, open->cpu);
}

/**
 * sp_view_add_open() - lines of tasks that are off the CPU
 * @view: the entries are copied
 * @intervals: all of them
 *
 * Return: 0 or -ENOMEM.
 */
int sp_view_add_open(struct sp_view *view, const struct sp_open_intervals *intervals)
{
	u64 now = ktime_get_ns();
	struct opening opening = {
		.view = view,
		.times = { .since = now, .eager_until = now + SP_EAGER_NS },
	};
	struct sp_open_intervals some = *intervals;
	int err = 0;

	/* In batches, so that what their stacks take can be taken by the reader. */
	for (; some.list < intervals->list + intervals->count && !err;
	     some.list += some.count) {
		some.count = min_t(u32, WALKED_AT_ONCE,
				   intervals->list + intervals->count - some.list);
		err = make_room(view, 2 * some.count);
		if (!err)
			sp_open_intervals_visit(&some, view->recording->config.stack,
						add_open, &opening);
	}
	return err;
}

/* As many are open, but nobody asks where. */
void sp_view_count_open(struct sp_view *view, const struct sp_open_intervals *intervals)
{
	u32 i;

	for (i = 0; i < intervals->count; i++) {
		count_open(view, intervals->list[i].until - intervals->list[i].began);
		sp_readers_yield();
	}
}

/* What a CPU does in the kernel now, for so long that it is recorded. */
struct inside {
	struct sp_recording *recording;
	u64 since;			/* ns; 0: nothing */
	u64 begin;			/* ns; since when the task is watched */
	struct sp_key key;
};

static void copy_inside(int cpu, void *data)
{
	struct inside *inside = data;
	const struct sp_recording_cpu *part = per_cpu_ptr(inside->recording->cpu, cpu);
	u64 since = per_cpu_ptr(sp_cpu, cpu)->span.since;

	inside->since = part->live && part->inside_since == since ? since : 0;
	inside->begin = part->inside_begin;
	inside->key.thread = part->inside_thread;
	inside->key.kernel = part->inside_kernel;
	inside->key.user = part->inside_user;
}

static void add_nosched_span(struct sp_view *view, const struct inside *inside, int cpu)
{
	struct sp_recording *recording = view->recording;
	struct sp_report_entry *line = &view->lines[view->count];
	const struct sp_thread *thread;
	/* The clock of the CPU that was looked at may be ahead of this one's. */
	struct sp_interval span = { inside->since, sp_time_now() };
	u64 length;

	span = sp_interval_by(recording, &span, inside->begin);
	length = span.end - span.start;
	if (!count_open(view, length) || !view->lines)
		return;
	view->count++;
	line->open = true;
	thread = &recording->threads.list[inside->key.thread];
	sp_record_who(recording, thread, &line->who);
	sp_view_set_task(line, &recording->threads, thread);
	line->kernel = sp_stack_table_known(&recording->stacks, inside->key.kernel);
	line->user = sp_stack_table_known(&recording->stacks, inside->key.user);
	sp_sum_add(&line->sum, length, span.end, cpu);
}

/**
 * sp_view_add_nosched_spans() - lines of CPUs that are kept in the kernel
 * @view: without lines, they are only counted
 */
void sp_view_add_nosched_spans(struct sp_view *view)
{
	struct inside inside = { .recording = view->recording };
	int cpu;

	if (!sp_mode_samples(view->recording->mode))
		return;
	for_each_possible_cpu(cpu) {
		sp_cpu_read(cpu, copy_inside, &inside);
		if (inside.since)
			add_nosched_span(view, &inside, cpu);
	}
}

struct calling {
	struct sp_view *view;
	u32 room;			/* lines that are left */
	int err;
};

/* A function that has not returned. Where the program called it is not known. */
static void add_call(struct sp_calls *calls, const struct sp_ended_call *call, void *data)
{
	struct calling *calling = data;
	struct sp_view *view = calling->view;
	struct sp_recording *recording = view->recording;
	const struct sp_thread *thread = &recording->threads.list[calls->thread];
	struct sp_open_interval open = { .kernel = &recording->functions->callchain };
	struct sp_report_entry *line;

	/* Of a thread that is being replaced. */
	if (thread->serial != calls->serial)
		return;
	if (!count_open(view, call->inclusive) || !view->lines)
		return;
	calling->err = calling->err ?: make_room(view, 1);
	if (calling->err)
		return;
	sp_record_path(recording, calls, call->depth, &recording->functions->callchain);
	line = line_of(view, thread, &open);
	if (!line && !calling->room) {
		calling->err = -EAGAIN;
		return;
	}
	if (!line) {
		calling->room--;
		line = &view->lines[view->count++];
		sp_record_who(recording, thread, &line->who);
		sp_view_set_task(line, &recording->threads, thread);
		line->kernel = keep_callchain(view, open.kernel);
	}
	line->open = true;
	sp_sum_add(&line->sum, call->exclusive, sp_time_by(recording->config.clock, sp_time_now()),
		   raw_smp_processor_id());
	if (!calls->frame[call->depth].again)
		line->sum.inclusive += call->inclusive;
	line->sum.longest = max(line->sum.longest, call->inclusive);
}

/**
 * sp_view_add_calls() - lines of functions that have not returned
 * @view: without lines, they are only counted
 * @room: for so many
 *
 * Return: 0, -ENOMEM, or -EAGAIN: there are more, as more were entered since they were counted.
 */
int sp_view_add_calls(struct sp_view *view, u32 room)
{
	struct calling calling = { .view = view, .room = room };
	struct sp_recording *recording = view->recording;

	if (!recording->functions)
		return 0;
	sp_functions_visit_open(recording->functions, recording,
				sp_time_by(recording->config.clock, sp_time_now()), add_call,
				&calling);
	return calling.err;
}

/* Stacks that only this view has. */
void sp_view_free_stacks(struct sp_view *view)
{
	struct sp_view_stacks *arena, *next;

	for (arena = view->arena; arena; arena = next) {
		next = arena->next;
		sp_readers_free(arena);
	}
	view->arena = NULL;
}

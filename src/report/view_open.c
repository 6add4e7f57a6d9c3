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
#include "record/open_intervals.h"
#include "task/task_table.h"
#include "report/view_open.h"
#include "record/account.h"

/* Tasks whose stacks are walked from one look for memory to the next. */
#define WALKED_AT_ONCE		64
/* Room is made for so many times more, as most stacks are short. */
#define ROOM_FOR		4

/* Memory for stacks, which stay where they are. */
struct sp_walked {
	struct sp_walked *next;
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
	size_t bytes = stacks * stack_bytes(view->recording->settings.depth);
	struct sp_walked *walked = view->walked;

	if (walked && walked->room - walked->used >= bytes)
		return 0;
	bytes *= ROOM_FOR;
	walked = sp_readers_alloc(struct_size(walked, stacks, bytes));
	if (!walked)
		return -ENOMEM;
	walked->room = bytes;
	walked->next = view->walked;
	view->walked = walked;
	return 0;
}

/* A stack that no finished interval has: it belongs to the view. There is room. */
static const struct sp_stack *keep_walk(struct sp_view *view,
					const struct sp_walk *walk)
{
	u32 n = min_t(u32, walk->n, view->recording->settings.depth);
	struct sp_walked *walked = view->walked;
	struct sp_stack *stack = (void *)(walked->stacks + walked->used);

	walked->used += stack_bytes(n);
	stack->hash = view->walks++;
	stack->n = n;
	stack->flags = walk->flags | (n < walk->n ? SP_STACK_CUT : 0);
	memcpy(stack->frame, walk->frame, n * sizeof(u64));
	return stack;
}

/* Where the task's finished intervals with these stacks are, if there are any. */
static struct sp_report_entry *line_of(struct sp_view *view, const struct sp_thread *row,
				       const struct sp_open_interval *sleeper)
{
	struct sp_recording *recording = view->recording;
	struct sp_key key = {
		.row = sp_threads_number(&recording->roster, row),
		.waker = sleeper->waker,
	};
	struct sp_entry *entry;
	u32 number;

	if (sleeper->kernel) {
		key.kernel = sp_stack_table_find(&recording->stacks, sleeper->kernel);
		if (key.kernel == SP_STACK_NONE)
			return NULL;
	}
	if (sleeper->user) {
		key.user = sp_stack_table_find(&recording->stacks, sleeper->user);
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
	/* Program of the last one, because threads come together. */
	pid_t tgid;
	u32 exec_id;
	u32 image;
};

static u32 image_of(struct opening *opening, const struct sp_open_interval *sleeper,
		    const struct sp_who *who)
{
	struct pid *pid;

	if (!sleeper->user)
		return 0;
	if (who->tgid != opening->tgid || sleeper->exec_id != opening->exec_id) {
		opening->tgid = who->tgid;
		opening->exec_id = sleeper->exec_id;
		opening->image = 0;
		pid = get_task_pid(sleeper->task, PIDTYPE_PID);
		sp_mappings_look(&opening->view->recording->images, pid, who,
				 sleeper->exec_id, &opening->image);
		put_pid(pid);
	}
	return opening->image;
}

/* An interval that is open now. Returns false if it is too short or too long. */
static bool count_open(struct sp_view *view, u64 length)
{
	enum sp_source source = view->recording->settings.source;

	if (!sp_record_fits(view->recording, length))
		return false;
	view->open++;
	sp_histogram_add(&view->totals.histogram, sp_source_row_unit(source, length));
	return true;
}

static void add_sleeper(const struct sp_open_interval *sleeper, void *data)
{
	struct opening *opening = data;
	struct sp_view *view = opening->view;
	struct sp_recording *recording = view->recording;
	u64 ns = sleeper->until - sleeper->since;
	struct sp_report_entry *line = NULL;
	struct sp_thread *row;

	if (!count_open(view, ns))
		return;
	row = sp_threads_find(&recording->roster, sleeper->slot, sleeper->serial,
			      sleeper->exec_id);
	if (row)
		line = line_of(view, row, sleeper);
	if (!line) {
		line = &view->lines[view->count++];
		sp_who_is(&line->who, sleeper->task);
		line->task = row ? sp_threads_number(&recording->roster, row) :
				   sp_view_stranger(view);
		line->exec_id = sleeper->exec_id;
		line->who.image = row && row->who.image ? row->who.image :
				  image_of(opening, sleeper, &line->who);
		if (sleeper->kernel)
			line->kernel = keep_walk(view, sleeper->kernel);
		line->waker = sp_stack_table_known(&recording->stacks, sleeper->waker);
		if (sleeper->user)
			line->user = keep_walk(view, sleeper->user);
	}
	line->open |= sleeper->open;
	sp_sum_add(&line->sum, ns, sleeper->until, task_cpu(sleeper->task));
}

/**
 * sp_view_add_sleepers() - lines of tasks that are off the CPU
 * @view: the entries are copied
 * @sleepers: all of them
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_view_add_sleepers(struct sp_view *view, const struct sp_open_intervals *sleepers)
{
	struct opening opening = { .view = view };
	struct sp_open_intervals some = *sleepers;
	int err = 0;

	/* In batches, so that what their stacks take can be taken by the reader. */
	for (; some.list < sleepers->list + sleepers->count && !err;
	     some.list += some.count) {
		some.count = min_t(u32, WALKED_AT_ONCE,
				   sleepers->list + sleepers->count - some.list);
		err = make_room(view, 2 * some.count);
		if (!err)
			sp_open_intervals_visit(&some, view->recording->settings.stacks,
						add_sleeper, &opening);
	}
	return err;
}

/* As many are open, but nobody asks where. Context: process. */
void sp_view_count_sleepers(struct sp_view *view, const struct sp_open_intervals *sleepers)
{
	u32 i;

	for (i = 0; i < sleepers->count; i++) {
		count_open(view, sleepers->list[i].until - sleepers->list[i].since);
		sp_readers_yield();
	}
}

/* What a CPU does in the kernel now, for so long that it is recorded. */
struct inside {
	struct sp_recording *recording;
	u64 since;			/* ns; 0: nothing */
	struct sp_key key;
};

static void copy_inside(int cpu, void *data)
{
	struct inside *inside = data;
	const struct sp_recording_cpu *part = per_cpu_ptr(inside->recording->cpu, cpu);
	u64 since = per_cpu_ptr(sp_cpu, cpu)->stretch.since;

	inside->since = part->live && part->inside_since == since ? since : 0;
	inside->key.row = part->inside_row;
	inside->key.kernel = part->inside_kernel;
	inside->key.user = part->inside_user;
}

static void add_stretch(struct sp_view *view, const struct inside *inside, int cpu)
{
	struct sp_recording *recording = view->recording;
	enum sp_source source = recording->settings.source;
	struct sp_report_entry *line = &view->lines[view->count];
	const struct sp_thread *row;
	struct sp_now now;
	u64 since, length;

	sp_now_read_all(&now);
	since = max(inside->since, recording->begin.at[SP_SOURCE_MONO]);
	/* The clock of the CPU that was looked at may be ahead of this one's. */
	length = sp_source_of_ns(source, sp_time_between(since, now.at[SP_SOURCE_MONO]));
	if (!count_open(view, length) || !view->lines)
		return;
	view->count++;
	line->open = true;
	row = &recording->roster.rows[inside->key.row];
	line->who = row->who;
	sp_view_refresh_name(&line->who, row);
	sp_view_set_task(line, &recording->roster, row);
	line->kernel = sp_stack_table_known(&recording->stacks, inside->key.kernel);
	line->user = sp_stack_table_known(&recording->stacks, inside->key.user);
	sp_sum_add(&line->sum, length, now.at[source], cpu);
}

/**
 * sp_view_add_stretches() - lines of CPUs that are kept in the kernel
 * @view: without lines, they are only counted
 *
 * Context: process.
 */
void sp_view_add_stretches(struct sp_view *view)
{
	struct inside inside = { .recording = view->recording };
	int cpu;

	if (!sp_mode_samples(view->recording->settings.mode))
		return;
	for_each_possible_cpu(cpu) {
		sp_cpu_read(cpu, copy_inside, &inside);
		if (inside.since)
			add_stretch(view, &inside, cpu);
	}
}

struct calling {
	struct sp_view *view;
	u32 room;			/* lines that are left */
	int err;
};

/* A function that has not returned. Where the program called it is not known. */
static void add_call(struct sp_calls *calls, const struct sp_ended_call *open, void *data)
{
	struct calling *calling = data;
	struct sp_view *view = calling->view;
	struct sp_recording *recording = view->recording;
	const struct sp_thread *row = &recording->roster.rows[calls->row];
	struct sp_open_interval sleeper = { .kernel = &recording->functions->walk };
	struct sp_now now;
	struct sp_report_entry *line;

	/* Of a row that is being replaced, or entered since lines were counted. */
	if (row->serial != calls->serial || !calling->room)
		return;
	if (!count_open(view, open->inclusive) || !view->lines)
		return;
	calling->err = calling->err ?: make_room(view, 1);
	if (calling->err)
		return;
	sp_record_path(recording, calls, open->depth, &recording->functions->walk);
	line = line_of(view, row, &sleeper);
	if (!line) {
		calling->room--;
		line = &view->lines[view->count++];
		line->who = row->who;
		sp_view_refresh_name(&line->who, row);
		sp_view_set_task(line, &recording->roster, row);
		line->kernel = keep_walk(view, sleeper.kernel);
	}
	sp_now_read_all(&now);
	line->open = true;
	sp_sum_add(&line->sum, open->exclusive, now.at[recording->settings.source],
		   raw_smp_processor_id());
	if (!calls->frame[open->depth].again)
		line->sum.inclusive += open->inclusive;
	line->sum.longest = max(line->sum.longest, open->inclusive);
}

/**
 * sp_view_add_calls() - lines of functions that have not returned
 * @view: without lines, they are only counted
 * @room: for so many
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_view_add_calls(struct sp_view *view, u32 room)
{
	struct calling calling = { .view = view, .room = room };
	struct sp_recording *recording = view->recording;
	struct sp_now now;

	if (!recording->functions)
		return 0;
	sp_now_read_all(&now);
	sp_functions_visit_open(recording->functions, recording,
				now.at[recording->settings.source], add_call, &calling);
	return calling.err;
}

/* Stacks that only this view has. Context: process. */
void sp_view_free_walked(struct sp_view *view)
{
	struct sp_walked *walked, *next;

	for (walked = view->walked; walked; walked = next) {
		next = walked->next;
		sp_readers_free(walked);
	}
	view->walked = NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * view: a copy of a recording's figures, taken when a reader opens a file.
 *
 * Entries are copied one by one, each consistent in itself, while hooks go on
 * writing. Intervals that are open now are added: to the entry of the same
 * task and stacks if there is one. Stacks are not copied: they never change
 * and live as long as the recording, to which the view holds a reference.
 *
 * Process context only; the recording's reading mutex keeps folding and the
 * end of the recording away while the copy is taken.
 */
#include <linux/bitmap.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "about.h"
#include "hook.h"
#include "names.h"
#include "raw_view.h"
#include "readers.h"
#include "session.h"
#include "sleepers.h"
#include "view.h"

/* Functions that are entered between counting and looking. */
#define ENTERED_MEANWHILE	256
/* Tasks whose stacks are walked from one look for memory to the next. */
#define WALKED_AT_ONCE		64
/* Room is made for so many times more, as most stacks are short. */
#define ROOM_FOR		4

/* The thread may have been given another name since its row was made. */
static void refresh_name(struct sp_who *who, const struct sp_row *row)
{
	struct task_struct *task;

	if (!row->pid || READ_ONCE(row->over))
		return;
	rcu_read_lock();
	task = pid_task(row->pid, PIDTYPE_PID);
	if (task && (u32)task->self_exec_id == row->exec_id)
		memcpy(who->comm, task->comm, TASK_COMM_LEN - 1);
	rcu_read_unlock();
}

/* A task that has no row: nobody else in this view is it. */
static u32 stranger(struct sp_view *view)
{
	return view->recording->roster.max + SP_ROW_FIRST + view->strangers++;
}

static void set_task(struct sp_line *line, const struct sp_roster *roster,
		     const struct sp_row *row)
{
	line->task = sp_roster_number(roster, row);
	line->exec_id = row->exec_id;
	line->over = READ_ONCE(row->over);
}

static void set_stack(const struct sp_stack **stack,
		      const struct sp_stack_table *table, u32 id)
{
	*stack = sp_stack_table_known(table, id);
}

static void copy_entry(struct sp_view *view, u32 number)
{
	struct sp_recording *recording = view->recording;
	struct sp_line *line = &view->lines[number];
	const struct sp_row *row;
	struct sp_key key;

	if (!sp_tally_read(&recording->tally.entries[number], &key, &line->sum)) {
		line->sum.count = 0;
		return;
	}
	row = &recording->roster.rows[key.row];
	line->who = row->who;
	refresh_name(&line->who, row);
	set_task(line, &recording->roster, row);
	set_stack(&line->kernel, &recording->stacks, key.kernel);
	set_stack(&line->user, &recording->stacks, key.user);
	set_stack(&line->waker, &recording->stacks, key.waker);
	if (key.kernel == SP_STACK_LOST)
		line->lost = "[lost stack]";
}

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
static struct sp_line *line_of(struct sp_view *view, const struct sp_row *row,
			       const struct sp_sleeper *sleeper)
{
	struct sp_recording *recording = view->recording;
	struct sp_key key = {
		.row = sp_roster_number(&recording->roster, row),
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

static u32 image_of(struct opening *opening, const struct sp_sleeper *sleeper,
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
		sp_images_look(&opening->view->recording->images, pid, who,
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

static void add_sleeper(const struct sp_sleeper *sleeper, void *data)
{
	struct opening *opening = data;
	struct sp_view *view = opening->view;
	struct sp_recording *recording = view->recording;
	u64 ns = sleeper->until - sleeper->since;
	struct sp_line *line = NULL;
	struct sp_row *row;

	if (!count_open(view, ns))
		return;
	row = sp_roster_find(&recording->roster, sleeper->slot, sleeper->serial,
			     sleeper->exec_id);
	if (row)
		line = line_of(view, row, sleeper);
	if (!line) {
		line = &view->lines[view->count++];
		sp_who_is(&line->who, sleeper->task);
		line->task = row ? sp_roster_number(&recording->roster, row) :
				   stranger(view);
		line->exec_id = sleeper->exec_id;
		line->who.image = row && row->who.image ? row->who.image :
				  image_of(opening, sleeper, &line->who);
		if (sleeper->kernel)
			line->kernel = keep_walk(view, sleeper->kernel);
		set_stack(&line->waker, &recording->stacks, sleeper->waker);
		if (sleeper->user)
			line->user = keep_walk(view, sleeper->user);
	}
	line->open |= sleeper->open;
	sp_sum_add(&line->sum, ns, sleeper->until, task_cpu(sleeper->task));
}

/* In batches, so that what their stacks take can be taken by the reader. */
static int visit_sleepers(struct sp_view *view, struct sp_sleepers *sleepers)
{
	struct opening opening = { .view = view };
	struct sp_sleepers some = *sleepers;
	int err = 0;

	for (; some.list < sleepers->list + sleepers->count && !err;
	     some.list += some.count) {
		some.count = min_t(u32, WALKED_AT_ONCE,
				   sleepers->list + sleepers->count - some.list);
		err = make_room(view, 2 * some.count) ?:
		      sp_sleepers_visit(&some, view->recording->settings.stacks,
					add_sleeper, &opening);
	}
	return err;
}

static void count_sleepers(struct sp_view *view, const struct sp_sleepers *sleepers)
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
	u64 since = per_cpu(sp_cpu, cpu).stretch.since;

	inside->since = part->live && part->inside_since == since ? since : 0;
	inside->key.row = part->inside_row;
	inside->key.kernel = part->inside_kernel;
	inside->key.user = part->inside_user;
}

static void add_stretch(struct sp_view *view, const struct inside *inside, int cpu)
{
	struct sp_recording *recording = view->recording;
	enum sp_source source = recording->settings.source;
	struct sp_line *line = &view->lines[view->count];
	const struct sp_row *row;
	struct sp_now now;
	u64 since, length;

	sp_now_read_all(&now);
	since = max(inside->since, recording->begin.at[SP_SOURCE_MONO]);
	/* The clock of the CPU that was looked at may be ahead of this one's. */
	length = sp_source_of_ns(source, now.at[SP_SOURCE_MONO] > since ?
					 now.at[SP_SOURCE_MONO] - since : 0);
	if (!count_open(view, length) || !view->lines)
		return;
	view->count++;
	line->open = true;
	row = &recording->roster.rows[inside->key.row];
	line->who = row->who;
	refresh_name(&line->who, row);
	set_task(line, &recording->roster, row);
	set_stack(&line->kernel, &recording->stacks, inside->key.kernel);
	set_stack(&line->user, &recording->stacks, inside->key.user);
	sp_sum_add(&line->sum, length, now.at[source], cpu);
}

static void add_stretches(struct sp_view *view)
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
	const struct sp_row *row = &recording->roster.rows[calls->row];
	struct sp_sleeper sleeper = { .kernel = &recording->functions->walk };
	struct sp_now now;
	struct sp_line *line;

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
		refresh_name(&line->who, row);
		set_task(line, &recording->roster, row);
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

static int add_calls(struct sp_view *view, u32 room)
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

static void add_lost(struct sp_view *view)
{
	struct sp_line *line = &view->lines[view->count];
	struct sp_sum lost = view->totals.lost;

	sp_sum_merge(&lost, &view->recording->unplaced);
	if (!lost.count)
		return;
	line->sum = lost;
	strscpy(line->who.comm, "[lost]", sizeof(line->who.comm));
	line->lost = "[lost]";
	line->task = stranger(view);
	view->count++;
}

static void add_up(struct sp_view *view)
{
	u32 i;

	for (i = 0; i < view->count; i++) {
		const struct sp_line *line = &view->lines[i];

		view->total_ns += line->sum.total;
		if (line->lost)
			view->lost_ns += line->sum.total;
		sp_readers_yield();
	}
}

/* What is told of a recording beside its lines. */
static int count_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;

	view->tasks = sp_roster_count(&recording->roster);
	view->stacks = READ_ONCE(recording->stacks.used);
	view->cut_stacks = READ_ONCE(recording->stacks.cut);
	view->entries = sp_tally_count(&recording->tally);
	if (recording->functions)
		sp_functions_totals(recording->functions, &view->functions);
	return sp_recording_totals(recording, &view->totals);
}

/* One line more for what was lost, one for each open interval or CPU. */
static int copy_entries(struct sp_view *view, u64 open)
{
	u32 i, used = READ_ONCE(view->recording->tally.used);

	view->lines = sp_readers_alloc((used + 1ULL + num_possible_cpus() + open) *
				       sizeof(*view->lines));
	if (!view->lines)
		return -ENOMEM;
	for (i = 0; i < used; i++) {
		copy_entry(view, i);
		sp_readers_yield();
	}
	view->copied = used;
	view->count = used;
	return 0;
}

static int take_lines_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	struct sp_sleepers sleepers = { };
	u32 calls = 0;
	int err = 0;

	if (!view->over) {
		err = sp_sleepers_init(&sleepers);
		if (recording->functions)
			calls = sp_functions_open(recording->functions) + ENTERED_MEANWHILE;
	}
	err = err ?: copy_entries(view, (u64)sleepers.max + calls);
	/* After the entries: an interval that ends meanwhile is in neither,
	 * never in both.
	 */
	if (!err && !view->over) {
		sp_sleepers_find(&sleepers, recording);
		err = visit_sleepers(view, &sleepers);
		add_stretches(view);
		err = err ?: add_calls(view, calls);
	}
	sp_sleepers_free(&sleepers);
	if (!err)
		add_lost(view);
	return err;
}

/* Time that has no stack or no row. */
static void count_lost(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	u32 i, used = READ_ONCE(recording->tally.used);
	struct sp_key key;
	struct sp_sum sum;

	view->lost_ns = view->totals.lost.total + recording->unplaced.total;
	if (!view->totals.fates.lost_stacks)
		return;
	for (i = 0; i < used; i++) {
		if (sp_tally_read(&recording->tally.entries[i], &key, &sum) &&
		    key.kernel == SP_STACK_LOST)
			view->lost_ns += sum.total;
		sp_readers_yield();
	}
}

/* As many are open, but nobody asks where. */
static int take_counts_locked(struct sp_view *view)
{
	struct sp_sleepers sleepers = { };
	int err;

	count_lost(view);
	if (view->over)
		return 0;
	err = sp_sleepers_init(&sleepers);
	if (err)
		return err;
	sp_sleepers_find(&sleepers, view->recording);
	count_sleepers(view, &sleepers);
	sp_sleepers_free(&sleepers);
	add_stretches(view);
	return add_calls(view, U32_MAX);
}

/* The books of a recording that has ended live as long as it does. */
static int take_books_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;

	if (!recording->ledger)
		return 0;
	if (view->over) {
		view->books = recording->books;
		return 0;
	}
	view->own_books = sp_books_read(recording);
	view->books = view->own_books;
	return view->books ? 0 : -ENOMEM;
}

/* All of it while it either goes on, or has ended and has what was cut. */
static int take_locked(struct sp_view *view, enum sp_view_kind kind)
{
	struct sp_recording *recording = view->recording;
	int err;

	lockdep_assert_held(&recording->reading);
	view->over = sp_recording_over(recording);
	err = count_locked(view);
	if (!err && (kind == SP_VIEW_LINES || kind == SP_VIEW_ALL))
		err = take_lines_locked(view);
	if (!err && kind == SP_VIEW_COUNTS)
		err = take_counts_locked(view);
	if (!err && (kind == SP_VIEW_BOOKS || kind == SP_VIEW_ALL))
		err = take_books_locked(view);
	if (!err && (kind == SP_VIEW_EVENTS || kind == SP_VIEW_ALL))
		err = sp_events_copy(&recording->events, &view->events, view->over);
	return err;
}

static void find_images(struct sp_view *view)
{
	struct sp_events_copy *events = &view->events;
	u32 i;

	for (i = 0; i < events->count; i++) {
		events->list[events->order[i]].image =
			sp_view_image(view, &events->list[events->order[i]]);
		sp_readers_yield();
	}
}

static int take(struct sp_view *view, enum sp_view_kind kind)
{
	struct sp_recording *recording = view->recording;
	int err;

	/* Programs that hooks asked to be looked at. */
	sp_recording_catch_up(recording);
	mutex_lock(&recording->reading);
	err = take_locked(view, kind);
	mutex_unlock(&recording->reading);
	sp_images_counts(&recording->images, &view->missed_programs,
			 &view->lost_mappings);
	if (kind != SP_VIEW_COUNTS)
		add_up(view);
	find_images(view);
	if (!err && kind == SP_VIEW_LINES)
		err = sp_group(view, view->group_by);
	return err;
}

static void print_config(struct seq_buf *s, void *data)
{
	struct sp_session *session = data;

	session->show_config(s, session);
}

/* What the session says, while it does not change. */
static int ask_locked(struct sp_view *view, struct sp_session *session,
		      enum sp_view_kind kind)
{
	const struct sp_about *about = session->about;
	struct seq_buf filter;

	lockdep_assert_held(&session->mutex);
	view->session = session->name;
	view->top_n = session->config.top_n;
	view->group_by = session->config.group_by;
	if (session->recording)
		view->recording = sp_recording_get(session->recording);
	/* While the session holds the hooks, if it does. */
	view->backend = sp_hook_in_effect();
	view->misses = sp_hook_misses();
	sp_now_read_all(&view->taken);
	view->taken_realtime_ns = ktime_get_real_ns();
	/* Since it was recorded, attributes may have changed. */
	if (about) {
		strscpy(view->filter, about->filter, SP_ABOUT_FILTER);
	} else {
		seq_buf_init(&filter, view->filter, SP_ABOUT_FILTER - 1);
		sp_about_filter(&filter, session);
	}
	if (kind != SP_VIEW_ALL)
		return 0;
	return about ? sp_blob_add(&view->config, about->config, about->bytes) :
		       sp_blob_print(&view->config, print_config, session);
}

/**
 * sp_view_create() - a copy of what a session has recorded
 * @session: the session
 * @kind: of what
 *
 * Context: process, may sleep. Memory in proportion to the entries in use.
 * Return: the view, or ERR_PTR(-ENOMEM).
 */
struct sp_view *sp_view_create(struct sp_session *session, enum sp_view_kind kind)
{
	struct sp_view *view = kzalloc(sizeof(*view), GFP_KERNEL_ACCOUNT);
	bool locked = true;
	int err;

	if (!view)
		return ERR_PTR(-ENOMEM);
	view->filter = kzalloc(SP_ABOUT_FILTER, GFP_KERNEL_ACCOUNT);
	if (!view->filter) {
		kfree(view);
		return ERR_PTR(-ENOMEM);
	}
	mutex_lock(&session->mutex);
	err = ask_locked(view, session, kind);
	/*
	 * That can take long, so others may have the session meanwhile; but for
	 * calls of functions, of which it has one copy for readers.
	 */
	if (!view->recording || !view->recording->functions) {
		mutex_unlock(&session->mutex);
		locked = false;
	}
	if (!err && view->recording)
		err = take(view, kind);
	if (locked)
		mutex_unlock(&session->mutex);
	if (err) {
		sp_view_free(view);
		return ERR_PTR(err);
	}
	return view;
}

/**
 * sp_view_bits() - memory for a bit for each of something
 * @count: of what; not 0
 *
 * Context: process, may sleep.
 * Return: for sp_readers_free(), or NULL.
 */
unsigned long *sp_view_bits(u32 count)
{
	return sp_readers_alloc(BITS_TO_LONGS((size_t)count) * sizeof(long));
}

/**
 * sp_view_stack_number() - what a stack is called
 * @view: the view
 * @stack: one of its; may be NULL
 *
 * Context: any.
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
 * sp_view_image() - the program that an event's user stack is of
 * @view: the view
 * @what: the event
 *
 * Context: process, may sleep.
 * Return: its number; 0: there is none.
 */
u32 sp_view_image(struct sp_view *view, const struct sp_happening *what)
{
	if (what->user == SP_STACK_NONE || what->user == SP_STACK_LOST)
		return 0;
	return sp_images_find(&view->recording->images, what->tgid, what->exec_id,
			      what->start_time);
}

/**
 * sp_view_reach() - have an event at hand, for sp_events_at()
 * @view: the view
 * @number: which one, by time; nothing is done if there is none
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM or -EIO.
 */
int sp_view_reach(struct sp_view *view, u32 number)
{
	int err;

	if (number >= view->events.total)
		return 0;
	err = sp_events_reach(&view->events, number);
	if (err > 0)
		find_images(view);
	return min(err, 0);
}

/**
 * sp_view_free() - give memory and reference back
 * @view: the view
 *
 * Context: process, may sleep.
 */
void sp_view_free(struct sp_view *view)
{
	struct sp_walked *walked, *next;

	for (walked = view->walked; walked; walked = next) {
		next = walked->next;
		sp_readers_free(walked);
	}
	sp_raw_free(view->raw);
	if (view->names)
		sp_names_free(view->names);
	kfree(view->names);
	sp_blob_free(&view->config);
	sp_blob_free(&view->text);
	sp_events_free(&view->events);
	sp_readers_free(view->own_books);
	sp_readers_free(view->lines);
	sp_readers_free(view->order);
	if (view->recording)
		sp_recording_put(view->recording);
	kfree(view->filter);
	kfree(view);
}

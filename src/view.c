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
#include <linux/pid.h>
#include <linux/slab.h>

#include "hook.h"
#include "memory.h"
#include "pid_set.h"
#include "raw_view.h"
#include "session.h"
#include "sleepers.h"
#include "task_table.h"
#include "traits.h"
#include "view.h"

/* Processes that the headline names one by one. */
#define FILTER_NAMES	8
#define FILTER_BYTES	512
/* Functions that are entered between counting and looking. */
#define ENTERED_MEANWHILE	256

static void list_some(struct seq_buf *s, const char *what,
		      const struct sp_pid_set *set)
{
	u32 i;

	if (set->all)
		return;
	seq_buf_printf(s, "%s%s", s->len ? ", " : "", what);
	for (i = 0; i < min_t(u32, set->count, FILTER_NAMES); i++)
		seq_buf_printf(s, " %d", pid_nr(set->pid[i]));
	if (!set->count)
		sp_puts(s, " none");
	if (set->count > FILTER_NAMES)
		seq_buf_printf(s, " and %u more", set->count - FILTER_NAMES);
}

static void describe_traits(struct seq_buf *s, const struct sp_traits *traits)
{
	if (traits->comm[0])
		seq_buf_printf(s, "%scomm %*pEp", s->len ? ", " : "",
			       (int)strlen(traits->comm), traits->comm);
	if (uid_valid(traits->uid))
		seq_buf_printf(s, "%suid %u", s->len ? ", " : "",
			       from_kuid_munged(&init_user_ns, traits->uid));
	if (traits->cgroup)
		seq_buf_printf(s, "%scgroup %s", s->len ? ", " : "",
			       traits->cgroup_path);
}

static void describe_filter(struct seq_buf *s, struct sp_session *session)
{
	const struct sp_filter *filter = &session->filter;

	if (filter->kind != SP_KIND_ALL)
		sp_puts(s, filter->kind == SP_KIND_USER ? "user tasks" :
						  "kernel threads");
	describe_traits(s, sp_session_asked(session));
	list_some(s, "pids", sp_session_listed(session, &filter->pids));
	list_some(s, "tids", sp_session_listed(session, &filter->tids));
	if (!s->len)
		sp_puts(s, "all tasks");
	if (sp_session_least_us(session))
		seq_buf_printf(s, ", from %llu us", sp_session_least_us(session));
	if (session->config.max_us)
		seq_buf_printf(s, ", up to %llu us", session->config.max_us);
}

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

/* A stack that no finished interval has: it belongs to the view. */
static const struct sp_stack *keep_walk(struct sp_view *view,
					const struct sp_walk *walk)
{
	u32 n = min_t(u32, walk->n, view->recording->settings.depth);
	struct sp_stack *stack;

	stack = kmalloc(struct_size(stack, frame, n), GFP_KERNEL);
	if (!stack)
		return NULL;
	stack->hash = view->walks++;
	stack->n = n;
	stack->flags = walk->flags | (n < walk->n ? SP_STACK_CUT : 0);
	memcpy(stack->frame, walk->frame, n * sizeof(u64));
	hlist_add_head(&stack->node, &view->walked);
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

static void add_sleeper(const struct sp_sleeper *sleeper, void *data)
{
	struct opening *opening = data;
	struct sp_view *view = opening->view;
	struct sp_recording *recording = view->recording;
	u64 ns = sleeper->until - sleeper->since;
	struct sp_line *line = NULL;
	struct sp_row *row;

	if (!sp_record_fits(recording, ns))
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
	view->open++;
	sp_sum_add(&line->sum, ns, sleeper->until, task_cpu(sleeper->task));
	sp_histogram_add(&view->totals.histogram,
			 sp_source_row_unit(recording->settings.source, ns));
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
	if (!sp_record_fits(recording, length))
		return;
	view->count++;
	view->open++;
	line->open = true;
	row = &recording->roster.rows[inside->key.row];
	line->who = row->who;
	refresh_name(&line->who, row);
	set_task(line, &recording->roster, row);
	set_stack(&line->kernel, &recording->stacks, inside->key.kernel);
	set_stack(&line->user, &recording->stacks, inside->key.user);
	sp_sum_add(&line->sum, length, now.at[source], cpu);
	sp_histogram_add(&view->totals.histogram, sp_source_row_unit(source, length));
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
	if (!sp_record_fits(recording, open->inclusive) || row->serial != calls->serial ||
	    !calling->room)
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
	view->open++;
	sp_sum_add(&line->sum, open->exclusive, now.at[recording->settings.source],
		   raw_smp_processor_id());
	if (!calls->frame[open->depth].again)
		line->sum.inclusive += open->inclusive;
	line->sum.longest = max(line->sum.longest, open->inclusive);
	sp_histogram_add(&view->totals.histogram,
			 sp_source_row_unit(recording->settings.source, open->inclusive));
}

static void add_calls(struct sp_view *view, u32 room)
{
	struct calling calling = { .view = view, .room = room };
	struct sp_recording *recording = view->recording;
	struct sp_now now;

	if (!recording->functions)
		return;
	sp_now_read_all(&now);
	sp_functions_visit_open(recording->functions, recording,
				now.at[recording->settings.source], add_call, &calling);
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
	}
}

static int take_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	u32 i, used = READ_ONCE(recording->tally.used);
	struct sp_sleepers sleepers = { };
	struct opening opening = { .view = view };
	u32 calls = 0;
	int err = 0;

	lockdep_assert_held(&recording->reading);
	if (!sp_recording_over(recording))
		err = sp_sleepers_init(&sleepers);
	if (!err)
		err = sp_recording_totals(recording, &view->totals);
	if (err)
		goto out;
	view->tasks = sp_roster_count(&recording->roster);
	view->stacks = READ_ONCE(recording->stacks.used);
	view->cut_stacks = READ_ONCE(recording->stacks.cut);
	view->entries = sp_tally_count(&recording->tally);
	if (recording->functions) {
		sp_functions_totals(recording->functions, &view->functions);
		if (!sp_recording_over(recording))
			calls = sp_functions_open(recording->functions) + ENTERED_MEANWHILE;
	}
	/* One line more for what was lost, one for each open interval or CPU. */
	view->lines = sp_alloc((used + 1ULL + sleepers.max + num_possible_cpus() + calls) *
			       sizeof(*view->lines));
	if (!view->lines) {
		err = -ENOMEM;
		goto out;
	}
	for (i = 0; i < used; i++)
		copy_entry(view, i);
	view->copied = used;
	view->count = used;
	/* After the entries: an interval that ends meanwhile is in neither,
	 * never in both.
	 */
	if (!sp_recording_over(recording)) {
		sp_sleepers_find(&sleepers, recording);
		err = sp_sleepers_visit(&sleepers, recording->settings.stacks,
					add_sleeper, &opening);
		add_stretches(view);
		add_calls(view, calls);
	}
	add_lost(view);
out:
	sp_sleepers_free(&sleepers);
	return err;
}

/* The books of a recording that has ended live as long as it does. */
static int take_books(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;

	if (!recording->ledger)
		return 0;
	mutex_lock(&recording->reading);
	if (sp_recording_over(recording)) {
		view->books = recording->books;
	} else {
		view->own_books = sp_books_take(recording);
		view->books = view->own_books;
	}
	mutex_unlock(&recording->reading);
	return view->books || sp_recording_over(recording) ? 0 : -ENOMEM;
}

/* The trace as it is now, and the programs that its user stacks are of. */
static int take_events(struct sp_view *view, enum sp_view_kind kind)
{
	struct sp_recording *recording = view->recording;
	struct sp_happening *what;
	u32 i;
	int err = 0;

	/* It either goes on, or has ended and has what was cut. */
	mutex_lock(&recording->reading);
	if (kind == SP_VIEW_EVENTS)
		err = sp_recording_totals(recording, &view->totals);
	if (!err)
		err = sp_events_copy(&recording->events, &view->events);
	mutex_unlock(&recording->reading);
	for (i = 0; i < view->events.count && !err; i++) {
		what = &view->events.list[i];
		if (what->user != SP_STACK_NONE && what->user != SP_STACK_LOST)
			what->image = sp_images_find(&recording->images, what->tgid,
						     what->exec_id, what->start_time);
		if (!(i % 1024))
			cond_resched();
	}
	return err;
}

static int take_lines(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	int err;

	/* Programs that hooks asked to be looked at. */
	sp_recording_catch_up(recording);
	mutex_lock(&recording->reading);
	err = take_locked(view);
	mutex_unlock(&recording->reading);
	sp_images_counts(&recording->images, &view->missed_programs,
			 &view->lost_mappings);
	add_up(view);
	return err;
}

static int take(struct sp_view *view, enum sp_view_kind kind)
{
	int err = 0;

	if (kind == SP_VIEW_LINES || kind == SP_VIEW_ALL)
		err = take_lines(view);
	if (!err && kind == SP_VIEW_LINES)
		err = sp_group(view, view->group_by);
	if (!err && (kind == SP_VIEW_BOOKS || kind == SP_VIEW_ALL))
		err = take_books(view);
	if (!err && (kind == SP_VIEW_EVENTS || kind == SP_VIEW_ALL))
		err = take_events(view, kind);
	return err;
}

static void print_config(struct seq_buf *s, void *data)
{
	struct sp_session *session = data;

	session->show_config(s, session);
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
	struct sp_view *view = kzalloc(sizeof(*view), GFP_KERNEL);
	struct seq_buf filter;
	int err = 0;

	if (!view)
		return ERR_PTR(-ENOMEM);
	view->filter = kzalloc(FILTER_BYTES, GFP_KERNEL);
	if (!view->filter) {
		kfree(view);
		return ERR_PTR(-ENOMEM);
	}
	seq_buf_init(&filter, view->filter, FILTER_BYTES - 1);
	mutex_lock(&session->mutex);
	view->session = session->name;
	view->top_n = session->config.top_n;
	view->group_by = session->config.group_by;
	if (session->recording)
		view->recording = sp_recording_get(session->recording);
	describe_filter(&filter, session);
	/* While the session holds the hooks, if it does. */
	view->backend = sp_hook_in_effect();
	view->misses = sp_hook_misses();
	sp_now_read_all(&view->taken);
	view->taken_realtime_ns = ktime_get_real_ns();
	if (view->recording) {
		view->over = sp_recording_over(view->recording);
		err = take(view, kind);
	}
	if (!err && kind == SP_VIEW_ALL)
		err = sp_blob_print(&view->config, print_config, session);
	mutex_unlock(&session->mutex);
	if (err) {
		sp_view_free(view);
		return ERR_PTR(err);
	}
	return view;
}

/**
 * sp_view_free() - give memory and reference back
 * @view: the view
 *
 * Context: process, may sleep.
 */
void sp_view_free(struct sp_view *view)
{
	struct sp_stack *stack;
	struct hlist_node *next;

	hlist_for_each_entry_safe(stack, next, &view->walked, node)
		kfree(stack);
	sp_raw_free(view->raw);
	vfree(view->config.data);
	vfree(view->events.list);
	vfree(view->events.order);
	vfree(view->text.data);
	vfree(view->own_books);
	vfree(view->lines);
	vfree(view->order);
	if (view->recording)
		sp_recording_put(view->recording);
	kfree(view->filter);
	kfree(view);
}

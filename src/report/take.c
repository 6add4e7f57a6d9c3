// SPDX-License-Identifier: GPL-2.0-only
/*
 * take: a copy of a recording's figures, taken when a reader opens a file.
 *
 * Entries are copied one by one, each consistent in itself, while hooks go on
 * writing. Intervals that are open now are added: to the entry of the same
 * task and stacks if there is one. Stacks are not copied: they never change
 * and live as long as the recording, to which the view holds a reference.
 *
 * Process context only; the recording's reading mutex keeps compacting and the
 * end of the recording away while the copy is taken.
 */
#include <linux/slab.h>

#include "lib/idle_waits.h"
#include "report/idle.h"
#include "report/names.h"
#include "report/raw_view.h"
#include "lib/readers.h"
#include "session.h"
#include "record/account.h"
#include "record/open_intervals.h"
#include "report/view.h"
#include "record/lifecycle.h"
#include "record/totals.h"
#include "record/ledger_snapshot.h"
#include "lib/widen.h"

/* A copy is taken so often, at most, */
#define ATTEMPTS	6
/* each time with room for four times as many functions entered between counting and looking. */
#define ENTERED_MEANWHILE	256

static int copy_entry(struct sp_view *view, u32 number)
{
	struct sp_recording *recording = view->recording;
	struct sp_report_entry *line = &view->lines[number];
	const struct sp_thread *thread;
	struct sp_key key;
	int found = sp_tally_await(&recording->tally, &recording->tally.entries[number], &key,
				   &line->sum);

	if (found <= 0) {
		line->sum.count = 0;
		return found;
	}
	thread = &recording->threads.list[key.thread];
	sp_record_who(recording, thread, &line->who);
	sp_view_set_task(line, &recording->threads, thread);
	line->kernel = sp_stack_table_known(&recording->stacks, key.kernel);
	line->user = sp_stack_table_known(&recording->stacks, key.user);
	line->waker = sp_stack_table_known(&recording->stacks, key.waker);
	if (key.kernel == SP_STACK_LOST)
		line->lost = "[lost stack]";
	return 0;
}

static void add_lost(struct sp_view *view)
{
	struct sp_report_entry *line = &view->lines[view->count];
	struct sp_sum lost = view->totals.lost;

	sp_sum_merge(&lost, &view->recording->unplaced);
	if (!lost.count)
		return;
	line->sum = lost;
	strscpy(line->who.comm, "[lost]", sizeof(line->who.comm));
	line->lost = "[lost]";
	line->task = sp_view_stranger(view);
	view->count++;
}

static void add_up(struct sp_view *view)
{
	u32 i;

	for (i = 0; i < view->count; i++) {
		const struct sp_report_entry *line = &view->lines[i];

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
	unsigned int i;

	view->tasks = sp_threads_count(&recording->threads);
	view->stacks = sp_stack_table_count(&recording->stacks);
	view->cut_stacks = atomic_read(&recording->stacks.cut);
	for (i = 0; i < SP_STACK_ENDS; i++)
		view->ended_stacks[i] = atomic_read(&recording->stacks.ended[i]);
	view->entries = sp_tally_count(&recording->tally);
	if (sp_recording_totals(recording, &view->totals))
		return -ENOMEM;
	if (!recording->functions)
		return 0;
	sp_functions_totals(recording->functions, &view->functions);
	/* Who silences the hooks on switches silences functions, too, and for longer. */
	view->totals.counts.blind_ns = max(view->totals.counts.blind_ns,
					   view->functions.blind_ns);
	return 0;
}

/* One line more for what was lost, one for each open interval or CPU. */
static int copy_entries(struct sp_view *view, u64 open)
{
	u32 i, used = sp_pool_end(&view->recording->tally.pool);
	int err;

	view->lines = sp_readers_alloc((used + 1ULL + num_possible_cpus() + open) *
				       sizeof(*view->lines));
	if (!view->lines)
		return -ENOMEM;
	for (i = 0; i < used; i++) {
		err = copy_entry(view, i);
		if (err)
			return err;
		sp_readers_yield();
	}
	view->copied = used;
	view->count = used;
	return 0;
}

static int take_lines_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	struct sp_open_intervals intervals = { };
	u32 calls = 0;
	int err = 0;

	if (!view->over) {
		err = sp_open_intervals_init(&intervals, recording, &sp_reader_memory);
		if (recording->functions)
			calls = sp_functions_open(recording->functions) +
				(ENTERED_MEANWHILE << 2 * view->attempt);
	}
	err = err ?: copy_entries(view, (u64)intervals.max + calls);
	/* After the entries: an interval that ends meanwhile is in neither,
	 * never in both.
	 */
	if (!err && !view->over) {
		sp_open_intervals_find(&intervals, recording);
		err = sp_view_add_open(view, &intervals);
		sp_view_add_nosched_spans(view);
		err = err ?: sp_view_add_calls(view, calls);
	}
	sp_open_intervals_free(&intervals);
	if (!err)
		add_lost(view);
	return err;
}

/* Time without a stack or a thread. */
static int count_lost(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;
	u32 i, used = sp_pool_end(&recording->tally.pool);
	struct sp_key key;
	struct sp_sum sum;
	int found;

	view->lost_ns = view->totals.lost.total + recording->unplaced.total;
	if (!view->totals.fates.lost_stacks && !view->totals.lost_pieces)
		return 0;
	for (i = 0; i < used; i++) {
		found = sp_tally_await(&recording->tally, &recording->tally.entries[i], &key, &sum);
		if (found < 0)
			return found;
		if (found && key.kernel == SP_STACK_LOST)
			view->lost_ns += sum.total;
		sp_readers_yield();
	}
	return 0;
}

static int take_counts_locked(struct sp_view *view)
{
	struct sp_open_intervals intervals = { };
	int err = count_lost(view);

	if (err)
		return err;
	/* Theirs are closed: what is in none of them can be told. */
	if (view->over) {
		view->ledgers = view->recording->ledgers;
		return 0;
	}
	/* Gone on return, and stats can be read whatever other readers hold. */
	err = sp_open_intervals_init(&intervals, view->recording, &sp_module_memory);
	if (err)
		return err;
	sp_open_intervals_find(&intervals, view->recording);
	sp_view_count_open(view, &intervals);
	sp_open_intervals_free(&intervals);
	sp_view_add_nosched_spans(view);
	return sp_view_add_calls(view, U32_MAX);
}

/* The ledgers of a recording that has ended live as long as it does. */
static int take_ledgers_locked(struct sp_view *view)
{
	struct sp_recording *recording = view->recording;

	if (!recording->ledger)
		return 0;
	if (view->over) {
		view->ledgers = recording->ledgers;
		return 0;
	}
	view->own_ledgers = sp_ledger_snapshot_take(recording, &sp_reader_memory);
	view->ledgers = view->own_ledgers;
	return view->ledgers ? 0 : -ENOMEM;
}

/* All of it while it either goes on, or has ended and has what was cut. */
static int take_locked(struct sp_view *view, enum sp_view_kind kind)
{
	struct sp_recording *recording = view->recording;
	int err;

	lockdep_assert_held(&recording->reading);
	if (recording->dropped)
		return -EAGAIN;
	view->over = sp_recording_over(recording);
	err = count_locked(view);
	if (!err && (kind == SP_VIEW_LINES || kind == SP_VIEW_RANKED || kind == SP_VIEW_ALL))
		err = take_lines_locked(view);
	if (!err && kind == SP_VIEW_COUNTS)
		err = take_counts_locked(view);
	if (!err && (kind == SP_VIEW_LEDGERS || kind == SP_VIEW_ALL ||
		     (kind == SP_VIEW_RANKED && sp_view_tells_culprits(recording))))
		err = take_ledgers_locked(view);
	if (!err && (kind == SP_VIEW_EVENTS || kind == SP_VIEW_ALL))
		err = sp_events_copy(&recording->events, &view->events, view->over);
	return err;
}

static int take_view(struct sp_view *view, enum sp_view_kind kind,
		     const struct sp_idle_waits *idle_waits)
{
	struct sp_recording *recording = view->recording;
	int err;

	/* Programs that hooks asked to be looked at. */
	sp_recording_run_work(recording);
	sp_window();
	mutex_lock(&recording->reading);
	atomic_inc(&recording->views);
	view->names_programs = true;
	view->told = *sp_recording_tell(recording, &view->taken);
	err = take_locked(view, kind);
	mutex_unlock(&recording->reading);
	sp_cgroups_find_paths(&recording->cgroups);
	sp_mappings_counts(&recording->mappings, &view->missed_programs,
			   &view->lost_mappings);
	if (kind != SP_VIEW_COUNTS)
		add_up(view);
	sp_view_find_programs(view);
	if (!err && kind != SP_VIEW_COUNTS && kind != SP_VIEW_LEDGERS)
		err = sp_idle_find(view, idle_waits);
	if (!err && (kind == SP_VIEW_LINES || kind == SP_VIEW_RANKED))
		err = sp_group(view, view->group_by);
	return err;
}

static void print_config(struct seq_buf *s, void *data)
{
	sp_about_config(s, data);
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
	view->backend = sp_session_hook(session);
	view->misses = sp_session_misses(session);
	sp_moment_read(&view->taken);
	/* Of that very moment, whatever stops this task since. */
	view->taken_realtime_ns =
		ktime_to_ns(ktime_mono_to_real(ns_to_ktime(view->taken.kernel[SP_CLOCK_MONO])));
	/* Since it was recorded, attributes may have changed. */
	if (about) {
		strscpy(view->filter, about->filter, SP_ABOUT_FILTER);
	} else {
		seq_buf_init(&filter, view->filter, SP_ABOUT_FILTER - 1);
		sp_about_filter(&filter, session);
	}
	return kind == SP_VIEW_ALL ? sp_blob_print(&view->config, print_config, session) : 0;
}

/* But for the first attempt, nobody else has the session while it is taken. */
static struct sp_view *create_view(struct sp_session *session, enum sp_view_kind kind,
				   unsigned int attempt)
{
	struct sp_view *view = kzalloc(sizeof(*view), GFP_KERNEL_ACCOUNT);
	struct sp_idle_waits *idle_waits;
	bool alone = attempt;
	int err;

	if (!view)
		return ERR_PTR(-ENOMEM);
	view->filter = kzalloc(SP_ABOUT_FILTER, GFP_KERNEL_ACCOUNT);
	if (!view->filter) {
		kfree(view);
		return ERR_PTR(-ENOMEM);
	}
	view->attempt = attempt;
	mutex_lock(&session->mutex);
	err = ask_locked(view, session, kind);
	idle_waits = sp_idle_waits_get(session->idle_waits);
	/* Of calls of functions the session has one copy for readers. */
	alone |= view->recording && view->recording->functions;
	if (!alone)
		mutex_unlock(&session->mutex);
	if (!err && view->recording)
		err = take_view(view, kind, idle_waits);
	if (alone)
		mutex_unlock(&session->mutex);
	sp_idle_waits_put(idle_waits);
	if (err) {
		sp_view_free(view);
		return ERR_PTR(err);
	}
	return view;
}

/**
 * sp_view_create() - a copy of what a session has recorded
 * @session: the session
 * @kind: of what
 *
 * That can take long, so others may have the session meanwhile. If one of them throws the
 * recording away, the copy is of the next one, and nobody has the session before it is taken.
 * It is taken anew, too, if there was no room for all functions that were entered meanwhile.
 *
 * Context: process, may sleep. Memory in proportion to the entries in use.
 * Return: the view, or ERR_PTR(-ENOMEM); -EBUSY: a hook is stopped in its midst; -EAGAIN: each
 *	time more was entered than there was room for.
 */
struct sp_view *sp_view_create(struct sp_session *session, enum sp_view_kind kind)
{
	struct sp_view *view = ERR_PTR(-EAGAIN);
	unsigned int attempt;

	for (attempt = 0; attempt < ATTEMPTS && PTR_ERR(view) == -EAGAIN; attempt++)
		view = create_view(session, kind, attempt);
	return view;
}

/**
 * sp_view_free() - give memory and reference back
 * @view: the view
 */
void sp_view_free(struct sp_view *view)
{
	sp_view_free_stacks(view);
	sp_raw_free(view->raw);
	if (view->names)
		sp_names_free(view->names);
	kfree(view->names);
	sp_blob_free(&view->config);
	sp_events_free(&view->events);
	sp_readers_free(view->own_ledgers);
	sp_readers_free(view->blame);
	sp_readers_free(view->lines);
	sp_readers_free(view->order);
	sp_readers_free(view->idle_stacks);
	sp_readers_free(view->throttled);
	if (view->names_programs)
		atomic_dec(&view->recording->views);
	if (view->recording)
		sp_recording_put(view->recording);
	kfree(view->filter);
	kfree(view);
}

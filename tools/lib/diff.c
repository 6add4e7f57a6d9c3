// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * diff: two recordings side by side. Rows belong together if what can be read is the
 * same: the task, and the names in the stacks. Recordings do not change, so nothing
 * is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "arena.h"
#include "buffer.h"
#include "error.h"
#include "frame.h"
#include "frame_text.h"
#include "group.h"
#include "keys.h"
#include "merge.h"
#include "recording.h"
#include "schedprof.h"

struct schedprof_diff {
	struct libsp_arena arena;
	struct libsp_keys keys;
	struct libsp_rows rows;	/* struct schedprof_diff_row */
};

/* A row is found by this, the name of the task or group, and the text of its stack. */
struct row_key {
	int32_t tid;
	uint32_t special;
	size_t name_bytes;
};

static struct schedprof_diff_row *find_row(struct schedprof_diff *diff,
					   const struct row_key *key,
					   const struct libsp_buffer *text)
{
	size_t stack_at = sizeof(*key) + key->name_bytes;
	struct schedprof_diff_row *row;
	bool fresh;

	row = libsp_key_row(&diff->keys, &diff->rows, text->at, text->size, &fresh);
	if (!row || !fresh)
		return row;
	row->tid = key->tid;
	row->flags = key->special;
	row->comm = libsp_arena_text(&diff->arena, text->at + sizeof(*key), key->name_bytes);
	/* The text without the semicolon that the first frame has before it. */
	row->stack = text->size == stack_at ? libsp_arena_text(&diff->arena, "", 0) :
		libsp_arena_text(&diff->arena, text->at + stack_at + 1,
				 text->size - stack_at - 1);
	return row->comm && row->stack ? row : NULL;
}

static bool same_meta(const struct schedprof_recording *a,
		      const struct schedprof_recording *b, const char *name)
{
	const char *x = schedprof_meta(a, name), *y = schedprof_meta(b, name);

	return x && y && *x && !strcmp(x, y);
}

static bool has_folded(const struct schedprof_recording *recording)
{
	const struct schedprof_task *tasks = recording->tasks.at;
	size_t i;

	for (i = 0; i < recording->tasks.count; i++)
		if (tasks[i].flags & SCHEDPROF_TASK_FOLDED)
			return true;
	return false;
}

/* Are both of one session, so that tasks of @before may be folded in @after? */
static bool may_have_folded(const struct schedprof_recording *before,
			    const struct schedprof_recording *after)
{
	uint64_t begin;

	return same_meta(before, after, "session") &&
	       same_meta(before, after, "hostname") &&
	       same_meta(before, after, "begin_ns") &&
	       schedprof_meta_number(after, "begin_ns", &begin) && begin &&
	       has_folded(after);
}

/*
 * Once a task is folded, the time that it spent before the first snapshot and the time
 * after that are in one figure: in the row [exited], by kernel stack only. So the first
 * part has to be in that row, too. Tasks never go away, so one that is missing was folded.
 */
static bool was_folded(const struct schedprof_recording *later,
		       const struct schedprof_task *task)
{
	return !(task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST |
				SCHEDPROF_TASK_GROUP)) &&
	       !libsp_find_task(later, task->tid, task->start_ns, task->exec_id);
}

static struct schedprof_entry fold_entry(const struct schedprof_entry *entry)
{
	static const struct schedprof_task exited = {
		.flags = SCHEDPROF_TASK_FOLDED, .comm = "[exited]", .leader_comm = "",
	};
	struct schedprof_entry folded = *entry;

	folded.task = &exited;
	folded.user = NULL;
	folded.waker = NULL;
	return folded;
}

/* @later: a snapshot of the same recording in which tasks may be folded, or NULL */
static bool add_recording(struct schedprof_diff *diff,
			  const struct schedprof_recording *recording, int by,
			  const struct schedprof_names *names,
			  const struct schedprof_recording *later, bool after)
{
	const struct schedprof_entry *entries = recording->entries.at;
	struct schedprof_figures *figures;
	struct schedprof_diff_row *row;
	struct libsp_buffer text = { };
	struct libsp_who who;
	size_t i;

	for (i = 0; i < recording->entries.count; i++) {
		struct schedprof_entry entry = entries[i];
		struct row_key key = { };

		if (later && was_folded(later, entry.task))
			entry = fold_entry(&entry);
		libsp_who_of(entry.task, by, &who);
		key.tid = who.tid;
		key.special = who.special;
		key.name_bytes = strlen(who.comm);
		text.size = 0;
		libsp_buffer_add(&text, &key, sizeof(key));
		libsp_buffer_add(&text, who.comm, key.name_bytes);
		libsp_put_stacks(&text, recording, &entry, names);
		row = text.failed ? NULL : find_row(diff, &key, &text);
		if (!row)
			break;
		figures = after ? &row->after : &row->before;
		figures->total += entry.total;
		figures->count += entry.count;
		figures->inclusive += entry.inclusive;
		if (entry.max > figures->max)
			figures->max = entry.max;
	}
	libsp_buffer_free(&text);
	return i == recording->entries.count;
}

static uint64_t change_of(const struct schedprof_diff_row *row)
{
	return row->after.total > row->before.total ?
	       row->after.total - row->before.total :
	       row->before.total - row->after.total;
}

static int by_change(const void *a, const void *b)
{
	uint64_t x = change_of(a), y = change_of(b);
	const struct schedprof_diff_row *p = a, *q = b;

	if (x != y)
		return x > y ? -1 : 1;
	if (p->tid != q->tid)
		return p->tid < q->tid ? -1 : 1;
	return strcmp(p->comm, q->comm) ?: strcmp(p->stack, q->stack);
}

LIBSP_EXPORT void schedprof_diff_free(struct schedprof_diff *diff)
{
	if (!diff)
		return;
	libsp_keys_free(&diff->keys);
	libsp_buffer_free(&diff->rows.buffer);
	libsp_arena_free(&diff->arena);
	free(diff);
}

LIBSP_EXPORT struct schedprof_diff *
schedprof_diff(const struct schedprof_recording *before,
	       const struct schedprof_recording *after, int by,
	       const struct schedprof_names *names, struct schedprof_error *error)
{
	bool folded = may_have_folded(before, after);
	struct schedprof_diff *diff;

	if (libsp_check_units(before, after, by, error))
		return NULL;
	diff = calloc(1, sizeof(*diff));
	if (diff) {
		diff->keys.arena = &diff->arena;
		diff->rows.size = sizeof(struct schedprof_diff_row);
		if (add_recording(diff, before, by, names, folded ? after : NULL,
				  false) &&
		    add_recording(diff, after, by, names, NULL, true)) {
			if (diff->rows.buffer.size)
				qsort(diff->rows.buffer.at, libsp_row_count(&diff->rows),
				      diff->rows.size, by_change);
			return diff;
		}
	}
	schedprof_diff_free(diff);
	libsp_no_memory(error);
	return NULL;
}

LIBSP_EXPORT size_t schedprof_diff_count(const struct schedprof_diff *diff)
{
	return libsp_row_count(&diff->rows);
}

LIBSP_EXPORT const struct schedprof_diff_row *
schedprof_diff_at(const struct schedprof_diff *diff, size_t index)
{
	const void *rows = diff->rows.buffer.at;

	return index < libsp_row_count(&diff->rows) ?
	       (const struct schedprof_diff_row *)rows + index : NULL;
}

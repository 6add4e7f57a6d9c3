// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * merge: several recordings become one. It is encoded, and read again by the same
 * parser as everything else. Recordings do not change, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "arena.h"
#include "buffer.h"
#include "encode.h"
#include "error.h"
#include "keys.h"
#include "merge.h"
#include "merge_books.h"
#include "merge_stacks.h"
#include "merge_state.h"
#include "raw_format.h"
#include "recording.h"
#include "schedprof.h"

static bool merge_task(struct libsp_merge *merge, const struct schedprof_task *task,
		       uint32_t *number)
{
	struct sp_raw_task raw = { };
	struct schedprof_task group;
	bool fresh;

	schedprof_task_group(task, merge->by, &group, sizeof(group));
	raw.tid = group.tid;
	raw.tgid = group.tgid;
	raw.flags = group.flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST);
	memcpy(raw.comm, group.comm, strlen(group.comm));
	if (merge->by == SCHEDPROF_BY_CGROUP)
		raw.cgroup = libsp_merge_cgroup(merge, group.cgroup);
	/* The fields that are set up to here say which task that is. */
	*number = libsp_key_number(&merge->keys[LIBSP_MERGE_TASK],
				   &raw, sizeof(raw), &fresh);
	if (!fresh)
		return *number;
	raw.number = *number;
	raw.image = 1;
	if (merge->by == SCHEDPROF_BY_THREAD)
		raw.cgroup = libsp_merge_cgroup(merge, group.cgroup);
	raw.flags = group.flags;
	raw.start_ns = group.start_ns;
	raw.exec_id = group.exec_id;
	/* The result can be grouped again with these. */
	raw.leader_start_ns = task->leader_start_ns;
	memcpy(raw.leader_comm, task->leader_comm, strlen(task->leader_comm));
	libsp_encode(&merge->tasks, SP_RAW_TASK, &raw, sizeof(raw), NULL, 0);
	return true;
}

static bool merge_entry(struct libsp_merge *merge,
			const struct schedprof_recording *recording,
			const struct schedprof_entry *entry)
{
	struct sp_raw_entry key = {
		.flags = entry->flags & SCHEDPROF_ENTRY_LOST_STACK,
	}, *row;
	bool fresh;

	if (!merge_task(merge, entry->task, &key.task) ||
	    !libsp_merge_stack(merge, recording, entry->task, entry->kernel,
			       &key.kernel) ||
	    !libsp_merge_stack(merge, recording, entry->task, entry->user, &key.user) ||
	    !libsp_merge_stack(merge, recording, entry->task, entry->waker, &key.waker))
		return false;
	row = libsp_key_row(&merge->keys[LIBSP_MERGE_ENTRY], &merge->entries, &key,
			    sizeof(key), &fresh);
	if (!row)
		return false;
	if (fresh)
		*row = key;
	row->total += entry->total;
	row->count += entry->count;
	row->inclusive += entry->inclusive;
	row->flags |= entry->flags;
	if (fresh || entry->max > row->max) {
		row->max = entry->max;
		row->max_at = entry->max_at;
		row->max_cpu = entry->max_cpu;
	}
	return true;
}

static bool merge_recording(struct libsp_merge *merge,
			    const struct schedprof_recording *recording)
{
	const struct schedprof_entry *entries = recording->entries.at;
	size_t i;

	for (i = 0; i < recording->entries.count; i++)
		if (!merge_entry(merge, recording, &entries[i]))
			return false;
	return libsp_merge_books(merge, recording) && libsp_merge_meta(merge, recording);
}

static int by_low(const void *a, const void *b)
{
	const struct sp_raw_histogram *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

/* Appends records that are made already. */
static void append_records(struct libsp_encoder *to, const struct libsp_encoder *from)
{
	libsp_buffer_add(&to->out, from->out.at, from->out.size);
	to->out.failed |= from->out.failed;
	to->records += from->records;
}

static void append_rows(struct libsp_encoder *to, enum sp_raw_kind kind,
			struct libsp_rows *rows)
{
	uint32_t i;

	for (i = 1; i <= libsp_row_count(rows); i++)
		libsp_encode(to, kind, libsp_row(rows, i), rows->size, NULL, 0);
	to->out.failed |= rows->buffer.failed;
}

static void append_functions(struct libsp_encoder *to, struct libsp_rows *rows)
{
	const struct libsp_merged_function *row;
	uint32_t i;

	for (i = 1; i <= libsp_row_count(rows); i++) {
		row = libsp_row(rows, i);
		libsp_encode(to, SP_RAW_FUNCTION, &row->raw, sizeof(row->raw), row->name,
			     strlen(row->name));
	}
}

/* A record of facts has whole lines, and about that many bytes. */
#define META_BYTES 65536

static void append_meta(struct libsp_encoder *to, struct libsp_merge *merge, size_t count)
{
	struct libsp_buffer text = { };
	size_t at, end;

	libsp_merge_meta_text(merge, count, &text);
	to->out.failed |= text.failed;
	for (at = 0; at < text.size && !text.failed; at = end) {
		const unsigned char *line = NULL;

		if (text.size - at > META_BYTES)
			line = memchr(text.at + at + META_BYTES, '\n',
				      text.size - at - META_BYTES);
		end = line ? (size_t)(line + 1 - text.at) : text.size;
		libsp_encode(to, SP_RAW_META, text.at + at, end - at, NULL, 0);
	}
	libsp_buffer_free(&text);
}

/* A record that says of which files mappings are is about so many mappings. */
#define FILES_AT_ONCE 16384

static void append_region_files(struct libsp_encoder *to, struct libsp_merge *merge)
{
	uint32_t count = libsp_row_count(&merge->region_files);
	struct sp_raw_files files;
	uint32_t at;

	for (at = 0; at < count; at += files.count) {
		/* The mappings of lost addresses come first, and are of no file. */
		files.first = (uint32_t)merge->lost.records + at;
		files.count = count - at < FILES_AT_ONCE ? count - at : FILES_AT_ONCE;
		libsp_encode(to, SP_RAW_FILES, &files, sizeof(files),
			     libsp_row(&merge->region_files, at + 1),
			     files.count * sizeof(uint32_t));
	}
	to->out.failed |= merge->region_files.buffer.failed;
}

static struct schedprof_recording *encode_result(struct libsp_merge *merge, size_t count)
{
	struct libsp_encoder out = { };

	if (merge->histogram.buffer.size)
		qsort(merge->histogram.buffer.at, libsp_row_count(&merge->histogram),
		      sizeof(struct sp_raw_histogram), by_low);
	libsp_encode_begin(&out);
	append_meta(&out, merge, count);
	append_records(&out, &merge->symbols);
	append_records(&out, &merge->files);
	/* Lost addresses come before regions, which may hold the same addresses. */
	append_records(&out, &merge->lost);
	append_records(&out, &merge->regions);
	append_region_files(&out, merge);
	append_records(&out, &merge->stacks);
	append_records(&out, &merge->wakers);
	append_records(&out, &merge->cgroups);
	append_records(&out, &merge->tasks);
	append_rows(&out, SP_RAW_ENTRY, &merge->entries);
	append_rows(&out, SP_RAW_LEDGER, &merge->ledgers);
	append_rows(&out, SP_RAW_BLAME, &merge->blames);
	append_rows(&out, SP_RAW_HISTOGRAM, &merge->histogram);
	append_functions(&out, &merge->functions);
	return libsp_encode_end(&out, merge->error);
}

static void init_merge(struct libsp_merge *merge)
{
	unsigned int i;

	for (i = 0; i < LIBSP_MERGE_KEYS; i++)
		merge->keys[i].arena = &merge->arena;
	merge->entries.size = sizeof(struct sp_raw_entry);
	merge->ledgers.size = sizeof(struct sp_raw_ledger);
	merge->blames.size = sizeof(struct sp_raw_blame);
	merge->histogram.size = sizeof(struct sp_raw_histogram);
	merge->functions.size = sizeof(struct libsp_merged_function);
	merge->meta.size = sizeof(struct libsp_merged_meta);
	merge->region_files.size = sizeof(uint32_t);
}

static void free_merge(struct libsp_merge *merge)
{
	unsigned int i;

	for (i = 0; i < LIBSP_MERGE_KEYS; i++)
		libsp_keys_free(&merge->keys[i]);
	libsp_buffer_free(&merge->entries.buffer);
	libsp_buffer_free(&merge->ledgers.buffer);
	libsp_buffer_free(&merge->blames.buffer);
	libsp_buffer_free(&merge->histogram.buffer);
	libsp_buffer_free(&merge->functions.buffer);
	libsp_buffer_free(&merge->meta.buffer);
	libsp_buffer_free(&merge->region_files.buffer);
	libsp_buffer_free(&merge->symbols.out);
	libsp_buffer_free(&merge->files.out);
	libsp_buffer_free(&merge->lost.out);
	libsp_buffer_free(&merge->regions.out);
	libsp_buffer_free(&merge->stacks.out);
	libsp_buffer_free(&merge->wakers.out);
	libsp_buffer_free(&merge->cgroups.out);
	libsp_buffer_free(&merge->tasks.out);
	libsp_arena_free(&merge->arena);
}

int libsp_check_units(const struct schedprof_recording *a,
		      const struct schedprof_recording *b, int by,
		      struct schedprof_error *error)
{
	if (by < SCHEDPROF_BY_THREAD || by > SCHEDPROF_BY_CGROUP)
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "%d is nothing to group by; use an enum schedprof_by", by);
	if (strcmp(schedprof_unit(a), schedprof_unit(b)))
		return libsp_fail(error, SCHEDPROF_INVALID,
				  "one of the recordings is in ns and the other one in cycles; record both with the same clock");
	return 0;
}

LIBSP_EXPORT struct schedprof_recording *
schedprof_merge(const struct schedprof_recording *const *recordings, size_t count,
		int by, struct schedprof_error *error)
{
	struct schedprof_recording *result = NULL;
	struct libsp_merge merge = { .by = by, .error = error };
	size_t i;

	if (!count) {
		libsp_fail(error, SCHEDPROF_INVALID,
			   "there is no recording to be merged; give at least one");
		return NULL;
	}
	for (i = 0; i < count; i++)
		if (libsp_check_units(recordings[0], recordings[i], by, error))
			return NULL;
	init_merge(&merge);
	for (i = 0; i < count; i++)
		if (!merge_recording(&merge, recordings[i]))
			break;
	if (i == count)
		result = encode_result(&merge, count);
	else
		libsp_no_memory(error);
	free_merge(&merge);
	return result;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * parse: from the bytes of a whole sequence, whose records are complete and have the
 * right checksums, to a recording. No other thread knows the recording yet, so
 * nothing is locked.
 *
 * The first pass counts the records, so that the arrays are made in their final
 * size; the second pass fills the arrays. Entries and events then point to tasks and
 * stacks, whose records have to come first: a number that is not known yet is
 * damage.
 */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "error.h"
#include "parse.h"
#include "parse_rows.h"
#include "pieces.h"
#include "raw_format.h"
#include "record.h"
#include "recording.h"
#include "schedprof.h"

/* A walk over the records of a sequence, all of which the reader has checked. */
struct walk {
	const struct schedprof_recording *recording;
	size_t at;			/* of the next record, in the bytes */
	struct libsp_record record;	/* the last one that was there */
};

/* @offset: where the sequence stood in the data */
static struct walk begin_walk(const struct schedprof_recording *recording,
			      uint64_t offset, bool swap)
{
	return (struct walk){
		.recording = recording,
		.record = { .swap = swap, .offset = offset },
	};
}

/* Return: false if there is no other record. */
static bool next_record(struct walk *walk)
{
	const unsigned char *header = walk->recording->bytes + walk->at;
	struct libsp_record *record = &walk->record;

	if (walk->at >= walk->recording->size)
		return false;
	if (walk->at)
		record->offset += LIBSP_HEADER + libsp_padded(record->bytes);
	/* The header was right when the reader had it, so it is right now. */
	libsp_record_header(record, header, NULL);
	record->body = header + LIBSP_HEADER;
	walk->at += LIBSP_HEADER + libsp_padded(record->bytes);
	return true;
}

static struct libsp_list *list_of(struct schedprof_recording *recording, uint32_t kind,
				  size_t *size)
{
	switch (kind) {
	case SP_RAW_SYMBOL:
		*size = sizeof(struct schedprof_symbol);
		return &recording->symbols;
	case SP_RAW_MAPPING:
		*size = sizeof(struct schedprof_mapping);
		return &recording->mappings;
	case SP_RAW_STACK:
		*size = sizeof(struct schedprof_stack);
		return &recording->stacks;
	case SP_RAW_CGROUP:
		*size = sizeof(const char *);
		return &recording->cgroups;
	case SP_RAW_TASK:
		*size = sizeof(struct schedprof_task);
		return &recording->tasks;
	case SP_RAW_WAKER:
		*size = sizeof(struct schedprof_task);
		return &recording->wakers;
	case SP_RAW_ENTRY:
		*size = sizeof(struct schedprof_entry);
		return &recording->entries;
	case SP_RAW_LEDGER:
		*size = sizeof(struct schedprof_ledger);
		return &recording->ledgers;
	case SP_RAW_BLAME:
		*size = sizeof(struct schedprof_blame);
		return &recording->blames;
	case SP_RAW_HISTOGRAM:
		*size = sizeof(struct schedprof_histogram);
		return &recording->histogram;
	case SP_RAW_FUNCTION:
		*size = sizeof(struct schedprof_function);
		return &recording->functions;
	case SP_RAW_EVENT:
		*size = sizeof(struct schedprof_event);
		return &recording->events;
	case SP_RAW_FILE:
		*size = sizeof(struct schedprof_file);
		return &recording->files;
	default:
		return NULL;
	}
}

/* Makes room for as many elements as there are records. */
static int make_lists(struct schedprof_recording *recording,
		      const size_t counts[LIBSP_KINDS], struct schedprof_error *error)
{
	struct libsp_list *list;
	uint32_t kind;
	size_t size;

	for (kind = 0; kind < LIBSP_KINDS; kind++) {
		list = list_of(recording, kind, &size);
		if (!list || !counts[kind])
			continue;
		list->at = libsp_arena_get(&recording->arena, counts[kind] * size);
		if (!list->at)
			return libsp_no_memory(error);
	}
	return 0;
}

/* The text of a kind of records, which may be in several of them. */
static char *join_text(struct schedprof_recording *recording, uint32_t kind, bool swap)
{
	struct walk walk = begin_walk(recording, 0, swap);
	char *text, *end;
	size_t size = 0;

	while (next_record(&walk))
		if (walk.record.kind == kind)
			size += walk.record.bytes;
	text = libsp_arena_get(&recording->arena, size + 1);
	if (!text)
		return NULL;
	walk = begin_walk(recording, 0, swap);
	for (end = text; next_record(&walk); ) {
		if (walk.record.kind != kind)
			continue;
		memcpy(end, walk.record.body, walk.record.bytes);
		end += walk.record.bytes;
	}
	return text;
}

/* Makes facts from lines "name value". The text is cut up. */
static int make_meta(struct schedprof_recording *recording, char *text,
		     struct schedprof_error *error)
{
	struct libsp_meta *meta;
	size_t lines = 1;
	char *c, *rest;

	for (c = text; *c; c++)
		lines += *c == '\n';
	meta = libsp_arena_get(&recording->arena, lines * sizeof(*meta));
	if (!meta)
		return libsp_no_memory(error);
	recording->meta.at = meta;
	for (c = strtok_r(text, "\n", &rest); c; c = strtok_r(NULL, "\n", &rest)) {
		char *blank = strchr(c, ' ');

		if (blank)
			*blank = '\0';
		meta->name = c;
		meta->value = blank ? blank + 1 : "";
		meta++;
		recording->meta.count++;
	}
	return 0;
}

static int make_texts(struct schedprof_recording *recording, bool swap,
		      struct schedprof_error *error)
{
	char *meta;

	recording->schema = join_text(recording, SP_RAW_SCHEMA, swap);
	meta = join_text(recording, SP_RAW_META, swap);
	if (!recording->schema || !meta)
		return libsp_no_memory(error);
	return make_meta(recording, meta, error);
}

/* Of the same name, the one that comes first in the array is the first one. */
static int by_name(const void *a, const void *b)
{
	const struct libsp_meta *x = *(const struct libsp_meta *const *)a;
	const struct libsp_meta *y = *(const struct libsp_meta *const *)b;

	return libsp_by_name(x, y) ?: (x < y ? -1 : x > y);
}

static int order_meta(struct schedprof_recording *recording, struct schedprof_error *error)
{
	size_t i, count = recording->meta.count, kept = 0;
	struct libsp_meta *meta = recording->meta.at, *sorted, **order;

	sorted = libsp_arena_get(&recording->arena, (count + 1) * sizeof(*sorted));
	order = calloc(count + 1, sizeof(*order));
	if (!sorted || !order) {
		free(order);
		return libsp_no_memory(error);
	}
	for (i = 0; i < count; i++)
		order[i] = &meta[i];
	qsort(order, count, sizeof(*order), by_name);
	for (i = 0; i < count; i++)
		if (!kept || libsp_by_name(&sorted[kept - 1], order[i]))
			sorted[kept++] = *order[i];
	free(order);
	recording->by_name = (struct libsp_list){ sorted, kept };
	return 0;
}

static int order_tasks(struct schedprof_recording *recording,
		       struct schedprof_error *error)
{
	struct schedprof_task *tasks = recording->tasks.at;
	size_t i, count = recording->tasks.count;

	recording->by_task = libsp_arena_get(&recording->arena,
					     (count + 1) * sizeof(*recording->by_task));
	if (!recording->by_task)
		return libsp_no_memory(error);
	for (i = 0; i < count; i++)
		recording->by_task[i] = &tasks[i];
	qsort(recording->by_task, count, sizeof(*recording->by_task), libsp_by_task);
	return 0;
}

static int make_order(struct schedprof_recording *recording,
		      struct schedprof_error *error)
{
	if (recording->symbols.count)
		qsort(recording->symbols.at, recording->symbols.count,
		      sizeof(struct schedprof_symbol), libsp_by_address);
	return order_meta(recording, error) ?: libsp_pieces_make(recording, error) ?:
	       order_tasks(recording, error);
}

static int check_end(const struct libsp_record *record, uint64_t records,
		     struct schedprof_error *error)
{
	if (record->bytes < sizeof(struct sp_raw_end))
		return libsp_record_damaged(record, "it is too short", error);
	if (libsp_u64(record, offsetof(struct sp_raw_end, records)) != records)
		return libsp_record_damaged(record,
					    "there are more or fewer records than it says",
					    error);
	return 0;
}

/* The first pass. @counts: zero; filled in by kind */
static int count_records(struct schedprof_recording *recording, uint64_t offset,
			 bool swap, size_t counts[LIBSP_KINDS],
			 struct schedprof_error *error)
{
	struct walk walk = begin_walk(recording, offset, swap);
	const struct libsp_record *record = &walk.record;
	uint64_t records = 0;

	while (next_record(&walk)) {
		if (record->kind < LIBSP_KINDS)
			counts[record->kind]++;
		if ((record->kind == SP_RAW_META || record->kind == SP_RAW_SCHEMA) &&
		    memchr(record->body, '\0', record->bytes))
			return libsp_record_damaged(record, "its text has a NUL", error);
		records++;
	}
	return check_end(record, records, error);
}

/* The second pass. */
static int parse_records(struct schedprof_recording *recording, uint64_t offset,
			 bool swap, const size_t counts[LIBSP_KINDS],
			 struct schedprof_error *error)
{
	struct libsp_parser parser = { .recording = recording };
	struct walk walk = begin_walk(recording, offset, swap);
	int result = libsp_parser_init(&parser, counts, error);
	size_t size;

	while (!result && next_record(&walk))
		if (list_of(recording, walk.record.kind, &size) ||
		    walk.record.kind == SP_RAW_FILES)
			result = libsp_parse_row(&parser, &walk.record, error);
	libsp_parser_free(&parser);
	return result;
}

static int parse_recording(struct schedprof_recording *recording, uint64_t offset,
			   struct schedprof_error *error)
{
	size_t counts[LIBSP_KINDS] = { };
	bool swap;

	return libsp_record_order(recording->bytes, recording->size, offset, &swap,
				  error) ?:
	       count_records(recording, offset, swap, counts, error) ?:
	       make_lists(recording, counts, error) ?:
	       make_texts(recording, swap, error) ?:
	       parse_records(recording, offset, swap, counts, error) ?:
	       make_order(recording, error);
}

/*
 * Takes @bytes over, also if it fails; @offset is where they stood in the data.
 * Return: the recording, or NULL.
 */
struct schedprof_recording *libsp_parse(unsigned char *bytes, size_t size,
					uint64_t offset, struct schedprof_error *error)
{
	struct schedprof_recording *recording = calloc(1, sizeof(*recording));

	if (!recording) {
		free(bytes);
		libsp_no_memory(error);
		return NULL;
	}
	recording->bytes = bytes;
	recording->size = size;
	if (!parse_recording(recording, offset, error)) {
		recording->alive = libsp_arena_get(&recording->arena,
						   recording->tasks.count +
						   recording->wakers.count + 1);
		if (recording->alive)
			return recording;
		libsp_no_memory(error);
	}
	schedprof_recording_free(recording);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * events_copy: what a reader has of a trace, in the order of time. No lock: the copy
 * is its reader's.
 *
 * Of a trace that is still written it is all that there was when the reader came.
 * One that has ended stays what it is, so only a part of it is copied at a time: the
 * trace is gone through again for each, and those are taken that come next. So it can
 * be read however much memory it has itself.
 *
 * Not sorted by the kernel's sort(): runs are merged, as a trace is nearly sorted.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "record/events.h"
#include "lib/export.h"
#include "lib/readers.h"

/* So many are taken at a time, or a part of the trace, if that is more. */
#define AT_ONCE		65536
#define PARTS		16
/* With less memory it is not worth while. */
#define LEAST		1024

/* Where an event stands among all. */
static bool event_before(const struct sp_trace_record *a, const struct sp_trace_record *b)
{
	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void merge_events(struct sp_events_copy *copy, u32 start, u32 middle, u32 end)
{
	const struct sp_trace_record *list = copy->list;
	const u32 *from = copy->order;
	u32 left = start, right = middle, i;

	for (i = start; i < end; i++) {
		if (left < middle &&
		    (right == end || !event_before(&list[from[right]], &list[from[left]])))
			copy->spare[i] = from[left++];
		else
			copy->spare[i] = from[right++];
		sp_readers_yield();
	}
}

/**
 * sp_events_sort() - bring what is copied into order
 * @copy: its order names each place of its list once
 */
void sp_events_sort(struct sp_events_copy *copy)
{
	u64 width, i, n = copy->count;

	for (width = 1; width < n; width *= 2) {
		for (i = 0; i < n; i += 2 * width)
			merge_events(copy, i, min(i + width, n), min(i + 2 * width, n));
		/* Places behind those that are in use. */
		memcpy(copy->spare + n, copy->order + n,
		       (copy->room - n) * sizeof(*copy->spare));
		swap(copy->order, copy->spare);
	}
}
SP_EXPORT_FOR_KUNIT(sp_events_sort);

/**
 * sp_events_free() - give the memory back
 * @copy: may be all 0, and is all 0 then
 */
void sp_events_free(struct sp_events_copy *copy)
{
	sp_readers_free(copy->list);
	sp_readers_free(copy->order);
	sp_readers_free(copy->spare);
	kfree(copy->extent);
	memset(copy, 0, sizeof(*copy));
}
SP_EXPORT_FOR_KUNIT(sp_events_free);

/**
 * sp_events_make_room() - for some events
 * @copy: all 0, or what could not be made
 * @room: for how many; it is at least two, so that one can give way
 *
 * Return: 0 or -ENOMEM.
 */
int sp_events_make_room(struct sp_events_copy *copy, u32 room)
{
	room = max_t(u32, room, 2);
	copy->list = sp_readers_alloc(room * sizeof(*copy->list));
	copy->order = sp_readers_alloc(room * sizeof(*copy->order));
	copy->spare = sp_readers_alloc(room * sizeof(*copy->spare));
	if (copy->list && copy->order && copy->spare) {
		copy->room = room;
		return 0;
	}
	sp_readers_free(copy->list);
	sp_readers_free(copy->order);
	sp_readers_free(copy->spare);
	copy->list = NULL;
	copy->order = NULL;
	copy->spare = NULL;
	return -ENOMEM;
}
SP_EXPORT_FOR_KUNIT(sp_events_make_room);

struct taking {
	struct sp_events_copy *copy;
	u32 number;			/* of the next one that is seen */
	bool after, until;		/* only what comes after, or not later */
	struct sp_trace_record last, bound;	/* than these */
};

/* All places are taken: the later half gives way to what may come before it. */
static void drop_half(struct taking *taking)
{
	struct sp_events_copy *copy = taking->copy;

	sp_events_sort(copy);
	copy->count /= 2;
	taking->bound = copy->list[copy->order[copy->count - 1]];
	taking->until = true;
}

static void take_event(const struct sp_trace_record *record, void *data)
{
	struct taking *taking = data;
	struct sp_events_copy *copy = taking->copy;
	struct sp_trace_record *to, here = *record;

	here.number = taking->number++;
	if (taking->after && !event_before(&taking->last, &here))
		return;
	if (copy->count == copy->room)
		drop_half(taking);
	if (taking->until && event_before(&taking->bound, &here))
		return;
	to = &copy->list[copy->order[copy->count++]];
	*to = here;
}

/* Those that come next, or first. */
static int take_part(struct sp_events_copy *copy, bool first)
{
	struct taking taking = { .copy = copy, .after = !first };
	u64 missing = 0;
	int err;
	u32 i;

	if (first) {
		copy->first = 0;
	} else {
		taking.last = copy->list[copy->order[copy->count - 1]];
		copy->first += copy->count;
	}
	for (i = 0; i < copy->room; i++)
		copy->order[i] = i;
	copy->count = 0;
	err = sp_events_visit(copy->events, copy->extent, take_event, &taking, &missing);
	if (err)
		goto err;
	sp_events_sort(copy);
	if (first) {
		if (!copy->total)
			copy->missing += missing;
		copy->total = taking.number;
	}
	return 0;

err:
	/* The next one that asks begins again. */
	copy->first = 0;
	copy->count = 0;
	return err;
}

/* How many to copy at a time of a trace that does not change any more. */
static u32 part_of(u32 all)
{
	u64 fits = sp_readers_room() / 4 / sizeof(struct sp_trace_record);

	return min_t(u64, all, clamp_t(u64, fits, LEAST, max_t(u32, AT_ONCE, all / PARTS)));
}

/**
 * sp_events_copy() - what is known now, or the first of it, in order
 * @events: with a ring or without; stays until the copy is freed
 * @copy: all 0; the caller frees it, also on failure
 * @over: nothing is written any more
 *
 * Return: 0 or -ENOMEM.
 */
int sp_events_copy(const struct sp_events *events, struct sp_events_copy *copy, bool over)
{
	u64 all;
	u32 room;
	int err;

	copy->events = events;
	if (!events->ring)
		return 0;
	copy->extent = sp_events_extent(events, &all, &copy->missing);
	if (!copy->extent || all > U32_MAX)
		return -ENOMEM;
	if (!all)
		return 0;
	room = over ? part_of(all) : all;
	do {
		err = sp_events_make_room(copy, room);
		room /= 2;
	} while (err && over && room >= LEAST);
	return err ?: take_part(copy, true);
}
SP_EXPORT_FOR_KUNIT(sp_events_copy);

/**
 * sp_events_reach() - have an event at hand
 * @copy: of a trace
 * @number: which one, by time; below its total
 *
 * Return: 1 if others are at hand now, 0 if they are the same; -ENOMEM, or -EIO if it
 * is not there any more.
 */
int sp_events_reach(struct sp_events_copy *copy, u32 number)
{
	int err, changed = 0;

	while (number < copy->first || number - copy->first >= copy->count) {
		err = take_part(copy, !copy->count || number < copy->first);
		if (err)
			return err;
		if (!copy->count)
			return -EIO;
		changed = 1;
	}
	return changed;
}
SP_EXPORT_FOR_KUNIT(sp_events_reach);

/**
 * sp_events_each() - look at all of them, in any order
 * @copy: of a trace
 * @visit: called for each
 * @data: for @visit
 *
 * Return: 0 or -ENOMEM.
 */
int sp_events_each(const struct sp_events_copy *copy,
		   void (*visit)(const struct sp_trace_record *record, void *data), void *data)
{
	u64 missing = 0;
	u32 i;

	if (copy->count < copy->total)
		return sp_events_visit(copy->events, copy->extent, visit, data, &missing);
	for (i = 0; i < copy->count; i++) {
		visit(&copy->list[i], data);
		sp_readers_yield();
	}
	return 0;
}

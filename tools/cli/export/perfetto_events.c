// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfetto_events: events as slices of Perfetto, on the tracks of their threads. A slice is
 * two packets, for its beginning and its end; an end is that of the slice of its track that
 * began last. Intervals of a thread are within each other (functions) or have nothing in
 * common; if two of them overlap all the same, they are on two tracks. Of a thread with many
 * tracks only some are asked whether there is room, so that there may be more than it takes.
 *
 * One thread, so nothing is locked.
 */
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "facts.h"
#include "perfetto_trace.h"

enum track_event {
	EVENT_CATEGORY = 3, EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_NAME = 10,
	EVENT_TRACK = 11, EVENT_CALLSTACK = 56,
};

enum event_type { TYPE_BEGIN = 1, TYPE_END = 2 };

enum annotation {
	ANNOTATION_NAME = 1, ANNOTATION_TRUTH = 2, ANNOTATION_NUMBER = 3,
	ANNOTATION_TEXT = 17,
};

/* What was told is written before all slices, so that these need not be in any order. */
#define TOLD	65536

/* Whoever makes a file may want as many tracks of a thread as there are events. */
#define LANES_ASKED	64

struct slice {
	uint64_t begin, end;
	struct cli_perfetto_thread *thread;
	size_t thread_number;
	size_t index;		/* of the event: whatever is around it ended later */
	uint32_t depth;		/* functions around it */
	size_t at, size;	/* of what it is, in bodies */
};

/* A packet that is to be written. */
struct point {
	uint64_t time, track;
	const struct slice *begins;	/* NULL: a slice ends */
	size_t index;		/* those of a thread are in the order of their times */
};

struct events {
	struct cli_perfetto *p;
	struct slice *slices;
	struct point *points;
	size_t count, room, point_count;
	struct cli_message bodies, annotation;
};

static void put_annotation(struct events *e, const char *name, uint32_t field,
			   uint64_t value)
{
	cli_put_number(&e->annotation, ANNOTATION_NAME,
		       cli_perfetto_text(e->p, PERFETTO_KEY, name));
	cli_put_any_number(&e->annotation, field, value);
	cli_put_message(&e->bodies, EVENT_ANNOTATION, &e->annotation);
}

static void put_text(struct events *e, const char *name, const char *text)
{
	put_annotation(e, name, ANNOTATION_TEXT,
		       cli_perfetto_text(e->p, PERFETTO_VALUE, text));
}

static void put_waker(struct events *e, const struct schedprof_event *event)
{
	char *text = cli_event_waker_stack(e->p->report, event);
	char name[CLI_NAME];

	put_annotation(e, event->waker->flags & SCHEDPROF_STACK_RUNNING ? "because_of" : "waker",
		       ANNOTATION_TEXT,
		       cli_perfetto_plain_text(e->p, PERFETTO_VALUE,
					       cli_waker_name(event->waker, name)));
	if (text && *text)
		put_text(e, "waker_stack", text);
	e->p->failed |= !text;
	free(text);
}

/* What an event is, without its track. */
static void put_event(struct events *e, const struct cli_stack *stack,
		      const struct cli_perfetto_thread *thread)
{
	const struct schedprof_event *event = stack->event;
	const char *time = cli_time_name(e->p->report);
	const char *function = cli_event_function(e->p->report, event);

	cli_put_number(&e->bodies, EVENT_TYPE, TYPE_BEGIN);
	cli_put_number(&e->bodies, EVENT_CATEGORY,
		       cli_perfetto_text(e->p, PERFETTO_CATEGORY, time));
	cli_put_number(&e->bodies, EVENT_NAME,
		       cli_perfetto_plain_text(e->p, PERFETTO_EVENT_NAME,
					       function ? function : time));
	cli_put_number(&e->bodies, EVENT_CALLSTACK, cli_perfetto_callstack(e->p, stack));
	put_annotation(e, "cpu", ANNOTATION_NUMBER, event->cpu);
	if (strcmp(thread->comm, stack->comm))
		put_text(e, "comm", stack->comm);
	if (schedprof_event_is_idle(e->p->report->recording, event, &e->p->report->names))
		put_annotation(e, "waiting_for_work", ANNOTATION_TRUTH, true);
	if (event->waker)
		put_waker(e, event);
	if (event->flags & SCHEDPROF_EVENT_IRQS_OFF)
		put_annotation(e, "irqs_off", ANNOTATION_TRUTH, true);
	if (event->flags & SCHEDPROF_EVENT_LOST_STACK)
		put_annotation(e, "lost_stack", ANNOTATION_TRUTH, true);
}

static struct slice *add_slice(struct events *e)
{
	struct slice *slices;
	size_t room;

	if (e->count == e->room) {
		room = e->room ? 2 * e->room : 64;
		slices = realloc(e->slices, room * sizeof(*slices));
		if (!slices)
			return NULL;
		e->slices = slices;
		e->room = room;
	}
	return &e->slices[e->count++];
}

static int take_event(const struct cli_report *report, const struct cli_stack *stack,
		      void *data)
{
	const struct schedprof_event *event = stack->event;
	struct events *e = data;
	struct slice *slice = add_slice(e);

	(void)report;
	if (!slice)
		return cli_no_memory();
	*slice = (struct slice){
		.begin = event->at > event->length ? event->at - event->length : 0,
		.end = event->at, .index = e->count, .depth = event->depth,
		.at = e->bodies.size,
		.thread = cli_perfetto_thread(e->p, stack->task, stack->comm),
	};
	if (!slice->thread)
		return cli_no_memory();
	slice->thread_number = slice->thread->lanes[0].track;
	put_event(e, stack, slice->thread);
	slice->size = e->bodies.size - slice->at;
	if (e->p->interned.size > TOLD)
		cli_perfetto_put_packet(e->p, PERFETTO_NO_TIME, PERFETTO_NO_MESSAGE);
	return CLI_OK;
}

/* By thread; what begins first, and what is around others, comes first. */
static int by_begin(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->thread_number != y->thread_number)
		return x->thread_number < y->thread_number ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static int by_time(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void add_point(struct events *e, const struct cli_perfetto_lane *lane,
		      uint64_t time, const struct slice *begins)
{
	e->points[e->point_count] = (struct point){
		.time = time, .track = lane->track, .begins = begins, .index = e->point_count,
	};
	e->point_count++;
}

static void end_innermost(struct events *e, struct cli_perfetto_lane *lane)
{
	lane->depth--;
	add_point(e, lane, lane->open[lane->depth].end, NULL);
}

/* Is the slice within what is open, though that ends at the moment at which it begins. */
static bool is_within(const struct slice *slice, const struct cli_perfetto_open *open)
{
	return open->end == slice->begin && open->index > slice->index &&
	       open->depth < slice->depth;
}

/* Ends what had ended when the slice began. */
static void end_before(struct events *e, struct cli_perfetto_lane *lane,
		       const struct slice *slice)
{
	while (lane->depth) {
		const struct cli_perfetto_open *open = &lane->open[lane->depth - 1];

		if (open->end > slice->begin || is_within(slice, open))
			return;
		end_innermost(e, lane);
	}
}

static void end_all(struct events *e, struct cli_perfetto_thread *thread)
{
	size_t i;

	for (i = 0; i < thread->lane_count; i++)
		while (thread->lanes[i].depth)
			end_innermost(e, &thread->lanes[i]);
}

/* Is there nothing on it that ends while the slice goes on. */
static bool fits(const struct cli_perfetto_lane *lane, const struct slice *slice)
{
	return !lane->depth || lane->open[lane->depth - 1].end >= slice->end;
}

/*
 * The lane to be asked as number @i: the thread's own track first, and then all in order, or,
 * if they are too many, those that were not asked for the longest time.
 */
static struct cli_perfetto_lane *lane_to_ask(struct cli_perfetto_thread *thread, size_t i)
{
	if (i && thread->lane_count > LANES_ASKED)
		i = 1 + thread->asked++ % (thread->lane_count - 1);
	return &thread->lanes[i];
}

static struct cli_perfetto_lane *lane_for(struct events *e, const struct slice *slice)
{
	struct cli_perfetto_thread *thread = slice->thread;
	struct cli_perfetto_lane *lane;
	size_t i;

	for (i = 0; i < thread->lane_count && i < LANES_ASKED; i++) {
		lane = lane_to_ask(thread, i);
		end_before(e, lane, slice);
		if (fits(lane, slice))
			return lane;
	}
	return cli_perfetto_lane(e->p, thread);
}

static bool begin_slice(struct events *e, const struct slice *slice)
{
	struct cli_perfetto_lane *lane = lane_for(e, slice);
	struct cli_perfetto_open *open;
	size_t room;

	if (!lane)
		return false;
	if (lane->depth == lane->room) {
		room = lane->room ? 2 * lane->room : 4;
		open = realloc(lane->open, room * sizeof(*open));
		if (!open)
			return false;
		lane->open = open;
		lane->room = room;
	}
	add_point(e, lane, slice->begin, slice);
	lane->open[lane->depth++] = (struct cli_perfetto_open){
		.end = slice->end, .index = slice->index, .depth = slice->depth,
	};
	return true;
}

/* Finds out when something begins or ends on which track. */
static bool add_points(struct events *e)
{
	struct cli_perfetto_thread *before = NULL;
	size_t i;

	for (i = 0; i < e->count; i++) {
		struct cli_perfetto_thread *thread = e->slices[i].thread;

		if (before && before != thread)
			end_all(e, before);
		before = thread;
		if (!begin_slice(e, &e->slices[i]))
			return false;
	}
	if (before)
		end_all(e, before);
	return true;
}

static void put_point(struct events *e, const struct point *point)
{
	struct cli_perfetto *p = e->p;
	struct cli_message body = { };

	if (point->begins) {
		body.at = e->bodies.at + point->begins->at;
		body.size = point->begins->size;
		cli_add_message(&p->body, &body);
	} else {
		cli_put_number(&p->body, EVENT_TYPE, TYPE_END);
	}
	cli_put_number(&p->body, EVENT_TRACK, point->track);
	cli_perfetto_put_packet(p, point->time, PERFETTO_PACKET_TRACK_EVENT);
}

static int put_slices(struct events *e)
{
	size_t i;

	if (!e->count)
		return CLI_OK;
	e->points = calloc(e->count, 2 * sizeof(*e->points));
	if (!e->points || e->bodies.failed)
		return cli_no_memory();
	cli_perfetto_put_packet(e->p, PERFETTO_NO_TIME, PERFETTO_NO_MESSAGE);
	qsort(e->slices, e->count, sizeof(*e->slices), by_begin);
	if (!add_points(e))
		return cli_no_memory();
	qsort(e->points, e->point_count, sizeof(*e->points), by_time);
	for (i = 0; i < e->point_count; i++)
		put_point(e, &e->points[i]);
	return CLI_OK;
}

/**
 * cli_perfetto_events() - add slices for all events
 * @p: the trace, with an empty body
 *
 * Return: CLI_OK, or what the program ends with, after saying why.
 */
int cli_perfetto_events(struct cli_perfetto *p)
{
	struct events e = { .p = p };
	int err = cli_walk_events(p->report, SCHEDPROF_NAMED, take_event, &e);

	if (!err)
		err = put_slices(&e);
	free(e.slices);
	free(e.points);
	cli_message_free(&e.bodies);
	cli_message_free(&e.annotation);
	return err;
}

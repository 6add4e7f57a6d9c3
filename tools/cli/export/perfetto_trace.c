// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfetto_trace: the packets of a trace of Perfetto, and what they refer to by number. A
 * number is told in the packet that is the first to refer to it, or before. One thread, so
 * nothing is locked.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "perfetto_trace.h"
#include "places.h"

/* The numbers of fields, of messages below protos/perfetto/trace. */
enum trace { TRACE_PACKET = 1 };

enum packet {
	PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_INTERNED = 12, PACKET_FLAGS = 13,
};

enum interned_data {
	INTERNED_MAPPINGS = 19, INTERNED_FRAMES = 6, INTERNED_CALLSTACKS = 7,
};

/* InternedString, EventName, EventCategory and DebugAnnotationName have the same. */
enum text { TEXT_IID = 1, TEXT_TEXT = 2 };
enum mapping { MAPPING_IID = 1, MAPPING_BUILD_ID = 2, MAPPING_PATH = 7 };

enum frame {
	FRAME_IID = 1, FRAME_FUNCTION = 2, FRAME_MAPPING = 3, FRAME_ADDRESS = 4,
	FRAME_SOURCE = 5, FRAME_LINE = 6, FRAME_KIND = 7,
};

enum frame_kind { FRAME_NATIVE = 1, FRAME_KERNEL = 2, FRAME_JIT = 4 };
enum callstack { CALLSTACK_IID = 1, CALLSTACK_FRAME = 2 };

enum track {
	TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4,
	TRACK_PARENT = 5, TRACK_MERGING = 15,
};

enum process { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum thread { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

/* Flags: forget numbers that were told before; and: there has to be a packet with that. */
enum { STATE_CLEARED = 1, STATE_NEEDED = 2 };

#define NOT_MERGED	2	/* a track is not that of the same name */

/*
 * Who wrote the packets, and the tracks from there on: both should be nobody else's, if
 * files are put together.
 */
#define SEQUENCE	0x7363686dU
#define TRACKS		0x736368656d000000ULL

static const uint32_t text_fields[PERFETTO_TEXTS] = {
	[PERFETTO_CATEGORY] = 1,
	[PERFETTO_EVENT_NAME] = 2,
	[PERFETTO_KEY] = 3,
	[PERFETTO_VALUE] = 29,
	[PERFETTO_FUNCTION] = 5,
	[PERFETTO_BUILD_ID] = 16,
	[PERFETTO_PATH] = 17,
	[PERFETTO_SOURCE] = 18,
};

/**
 * cli_perfetto_put_packet() - add a packet, with the numbers that were not told yet
 * @p: its body is empty then
 * @time: PERFETTO_NO_TIME: none
 * @field: what the body is; PERFETTO_NO_MESSAGE: there is none
 */
void cli_perfetto_put_packet(struct cli_perfetto *p, uint64_t time, uint32_t field)
{
	if (time != PERFETTO_NO_TIME)
		cli_put_any_number(&p->packet, PACKET_TIMESTAMP, time);
	cli_put_number(&p->packet, PACKET_SEQUENCE, SEQUENCE);
	cli_put_number(&p->packet, PACKET_FLAGS,
		       field == PERFETTO_PACKET_DEFAULTS ? STATE_CLEARED : STATE_NEEDED);
	if (p->interned.size)
		cli_put_message(&p->packet, PACKET_INTERNED, &p->interned);
	if (field != PERFETTO_NO_MESSAGE)
		cli_put_message(&p->packet, field, &p->body);
	cli_put_message(&p->trace, TRACE_PACKET, &p->packet);
}

/* A build-id, which is hexadecimal, is told as bytes. */
static void put_build_id(struct cli_message *message, const char *text)
{
	size_t size = 0, count = strlen(text) / 2;
	uint8_t bytes[64];

	while (size < count && size < sizeof(bytes) &&
	       sscanf(text + 2 * size, "%2hhx", &bytes[size]) == 1)
		size++;
	cli_put_bytes(message, TEXT_TEXT, bytes, size);
}

/**
 * cli_perfetto_text() - the number of a text
 * @p: the trace
 * @kind: what it is; numbers are told apart by that, too
 * @text: UTF-8
 *
 * Return: the number, which is told in the next packet if it is new.
 */
uint64_t cli_perfetto_text(struct cli_perfetto *p, enum cli_perfetto_text kind,
			   const char *text)
{
	size_t before = p->texts[kind].count;
	uint64_t iid = cli_number(&p->texts[kind], text)->number + 1;

	if (p->texts[kind].count == before)
		return iid;
	cli_put_number(&p->part, TEXT_IID, iid);
	if (kind == PERFETTO_BUILD_ID)
		put_build_id(&p->part, text);
	else
		cli_put_text(&p->part, TEXT_TEXT, text);
	cli_put_message(&p->interned, text_fields[kind], &p->part);
	return iid;
}

/* As cli_perfetto_text(), of a name that somebody else chose. */
uint64_t cli_perfetto_plain_text(struct cli_perfetto *p, enum cli_perfetto_text kind,
				 const char *name)
{
	char *text = cli_plain(name);
	uint64_t iid = cli_perfetto_text(p, kind, text ? text : "");

	p->failed |= !text;
	free(text);
	return iid;
}

/* 0: it is not known what has the code. */
static uint64_t mapping_iid(struct cli_perfetto *p, const struct schedprof_frame *frame)
{
	const char *path = cli_place_object(frame), *build_id = frame->build_id;
	size_t before = p->mappings.count;
	uint64_t iid, path_iid, build_iid = 0;

	if (!path)
		return 0;
	iid = cli_number_of(&p->mappings, "%s\n%s", build_id ? build_id : "", path)->number + 1;
	if (p->mappings.count == before)
		return iid;
	path_iid = cli_perfetto_plain_text(p, PERFETTO_PATH, path);
	if (build_id)
		build_iid = cli_perfetto_text(p, PERFETTO_BUILD_ID, build_id);
	cli_put_number(&p->part, MAPPING_IID, iid);
	cli_put_number(&p->part, MAPPING_BUILD_ID, build_iid);
	cli_put_number(&p->part, MAPPING_PATH, path_iid);
	cli_put_message(&p->interned, INTERNED_MAPPINGS, &p->part);
	return iid;
}

static uint64_t kind_of(const struct schedprof_frame *frame)
{
	switch (frame->kind) {
	case SCHEDPROF_FRAME_KERNEL:
		return FRAME_KERNEL;
	case SCHEDPROF_FRAME_ANON:
		return FRAME_JIT;
	default:
		return FRAME_NATIVE;
	}
}

static uint64_t frame_iid(struct cli_perfetto *p, const struct cli_level *level)
{
	const struct schedprof_frame *frame = &level->frame;
	uint64_t function, mapping = 0, address = 0, source = 0, iid;
	size_t before = p->frames.count;

	function = cli_perfetto_text(p, PERFETTO_FUNCTION, level->name);
	if (level->is_frame)
		mapping = mapping_iid(p, frame);
	if (mapping)
		address = cli_place_address(frame);
	if (frame->source)
		source = cli_perfetto_plain_text(p, PERFETTO_SOURCE, frame->source);
	iid = cli_number_of(&p->frames, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u",
			    function, mapping, address, source, frame->line)->number + 1;
	if (p->frames.count == before)
		return iid;
	cli_put_number(&p->part, FRAME_IID, iid);
	cli_put_number(&p->part, FRAME_FUNCTION, function);
	if (mapping) {
		cli_put_number(&p->part, FRAME_MAPPING, mapping);
		cli_put_any_number(&p->part, FRAME_ADDRESS, address);
	}
	cli_put_number(&p->part, FRAME_SOURCE, source);
	cli_put_number(&p->part, FRAME_LINE, frame->line);
	if (level->is_frame)
		cli_put_number(&p->part, FRAME_KIND, kind_of(frame));
	cli_put_message(&p->interned, INTERNED_FRAMES, &p->part);
	return iid;
}

/**
 * cli_perfetto_callstack() - the number of a stack
 * @p: the trace
 * @stack: the stack
 *
 * Return: the number, which is told in the next packet if it is new; 0: it is empty.
 */
uint64_t cli_perfetto_callstack(struct cli_perfetto *p, const struct cli_stack *stack)
{
	size_t before = p->callstacks.count, size, i;
	uint64_t iid, frame;
	char *text = NULL;
	FILE *key;

	if (!stack->count)
		return 0;
	key = open_memstream(&text, &size);
	if (!key) {
		p->failed = true;
		return 0;
	}
	/* The outermost first, as here. */
	for (i = 0; i < stack->count; i++) {
		frame = frame_iid(p, &stack->levels[i]);
		cli_put_number(&p->list, CALLSTACK_FRAME, frame);
		fprintf(key, " %" PRIx64, frame);
	}
	p->failed |= fclose(key);
	iid = cli_number(&p->callstacks, text ? text : "")->number + 1;
	free(text);
	if (p->callstacks.count > before) {
		cli_put_number(&p->part, CALLSTACK_IID, iid);
		cli_add_message(&p->part, &p->list);
		cli_put_message(&p->interned, INTERNED_CALLSTACKS, &p->part);
	}
	p->list.size = 0;
	return iid;
}

static uint64_t add_track(struct cli_perfetto *p)
{
	uint64_t track = TRACKS + ++p->tracks;

	cli_put_number(&p->body, TRACK_UUID, track);
	return track;
}

/* Of any process: by the first of its threads that tells. */
static void note_names(struct cli_perfetto *p)
{
	const struct schedprof_task *task;
	struct cli_numbered *process;
	size_t i;

	for (i = 0; (task = schedprof_task_at(p->report->recording, i)); i++) {
		if (!*task->leader_comm)
			continue;
		process = cli_number_of(&p->names, "%" PRId32, task->tgid);
		if (!process->data && !p->names.failed)
			process->data = cli_plain(task->leader_comm);
	}
}

/**
 * cli_perfetto_process() - tell of a process, if that is not done yet
 * @p: the trace, with an empty body
 * @task: any of its threads
 */
void cli_perfetto_process(struct cli_perfetto *p, const struct schedprof_task *task)
{
	size_t before = p->processes.count;
	const char *name;
	char *own;

	cli_number_of(&p->processes, "%" PRId32, task->tgid);
	if (p->processes.count == before)
		return;
	if (!before)
		note_names(p);
	own = *task->leader_comm ? cli_plain(task->leader_comm) : NULL;
	name = own ? own : cli_number_of(&p->names, "%" PRId32, task->tgid)->data;
	add_track(p);
	cli_put_any_number(&p->part, PROCESS_PID, (uint64_t)task->tgid);
	if (name)
		cli_put_text(&p->part, PROCESS_NAME, name);
	free(own);
	cli_put_message(&p->body, TRACK_PROCESS, &p->part);
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_TRACK_DESCRIPTOR);
}

/* Where intervals of a thread go that overlap with those that have a track. */
static void put_lane(struct cli_perfetto *p, const struct cli_perfetto_thread *thread,
		     struct cli_perfetto_lane *lane)
{
	lane->track = add_track(p);
	cli_put_number(&p->body, TRACK_PARENT, thread->lanes[0].track);
	cli_put_text(&p->body, TRACK_NAME, cli_time_name(p->report));
	cli_put_number(&p->body, TRACK_MERGING, NOT_MERGED);
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_TRACK_DESCRIPTOR);
}

static void put_thread(struct cli_perfetto *p, const struct schedprof_task *task,
		       const char *comm, struct cli_perfetto_lane *lane)
{
	lane->track = add_track(p);
	cli_put_any_number(&p->part, THREAD_PID, (uint64_t)task->tgid);
	cli_put_any_number(&p->part, THREAD_TID, (uint64_t)task->tid);
	cli_put_text(&p->part, THREAD_NAME, comm);
	cli_put_message(&p->body, TRACK_THREAD, &p->part);
	cli_perfetto_put_packet(p, PERFETTO_NO_TIME, PERFETTO_PACKET_TRACK_DESCRIPTOR);
}

/* One more, which has no track yet. */
static struct cli_perfetto_lane *add_lane(struct cli_perfetto *p,
					  struct cli_perfetto_thread *thread)
{
	struct cli_perfetto_lane *lanes;

	lanes = realloc(thread->lanes, (thread->lane_count + 1) * sizeof(*lanes));
	if (!lanes) {
		p->failed = true;
		return NULL;
	}
	thread->lanes = lanes;
	lanes += thread->lane_count++;
	memset(lanes, 0, sizeof(*lanes));
	return lanes;
}

/**
 * cli_perfetto_lane() - one more track of a thread
 * @p: the trace, with an empty body
 * @thread: of which a pointer to a lane may not be valid any more
 *
 * Return: its lane; NULL if there is no memory.
 */
struct cli_perfetto_lane *cli_perfetto_lane(struct cli_perfetto *p,
					    struct cli_perfetto_thread *thread)
{
	struct cli_perfetto_lane *lane = add_lane(p, thread);

	if (lane)
		put_lane(p, thread, lane);
	return lane;
}

/**
 * cli_perfetto_thread() - a thread and its track
 * @p: the trace, with an empty body
 * @task: which it is: whoever gets its number later is another
 * @comm: its name, UTF-8; the first one counts
 *
 * Return: the thread; NULL if there is no memory.
 */
struct cli_perfetto_thread *cli_perfetto_thread(struct cli_perfetto *p,
						const struct schedprof_task *task,
						const char *comm)
{
	struct cli_perfetto_thread *thread;
	struct cli_perfetto_lane *lane;
	struct cli_numbered *numbered;

	numbered = cli_number_of(&p->threads, "%" PRId32 " %" PRId32 " %" PRIu64, task->tid,
				 task->tgid, task->start_ns);
	if (numbered->data)
		return numbered->data;
	thread = p->threads.failed ? NULL : calloc(1, sizeof(*thread));
	if (!thread) {
		p->failed = true;
		return NULL;
	}
	numbered->data = thread;
	thread->comm = strdup(comm);
	lane = add_lane(p, thread);
	if (!thread->comm || !lane) {
		p->failed = true;
		return NULL;
	}
	cli_perfetto_process(p, task);
	put_thread(p, task, comm, lane);
	return thread;
}

/* Was there no memory for something that nobody asked after. */
bool cli_perfetto_failed(const struct cli_perfetto *p)
{
	bool failed = p->failed || p->trace.failed || p->interned.failed || p->body.failed ||
		      p->packet.failed || p->part.failed || p->list.failed ||
		      p->mappings.failed || p->frames.failed || p->callstacks.failed ||
		      p->threads.failed || p->processes.failed || p->contexts.failed ||
		      p->names.failed;
	int i;

	for (i = 0; i < PERFETTO_TEXTS; i++)
		failed |= p->texts[i].failed;
	return failed;
}

static void free_thread(struct cli_perfetto_thread *thread)
{
	size_t i;

	for (i = 0; i < thread->lane_count; i++)
		free(thread->lanes[i].open);
	free(thread->lanes);
	free(thread->comm);
}

/* Frees what a trace has. */
void cli_perfetto_free(struct cli_perfetto *p)
{
	struct cli_numbered *numbered;
	int i;

	for (numbered = p->threads.first; numbered; numbered = numbered->next)
		if (numbered->data)
			free_thread(numbered->data);
	for (i = 0; i < PERFETTO_TEXTS; i++)
		cli_numbers_free(&p->texts[i]);
	cli_numbers_free(&p->mappings);
	cli_numbers_free(&p->frames);
	cli_numbers_free(&p->callstacks);
	cli_numbers_free(&p->threads);
	cli_numbers_free(&p->processes);
	cli_numbers_free(&p->contexts);
	cli_numbers_free(&p->names);
	cli_message_free(&p->trace);
	cli_message_free(&p->interned);
	cli_message_free(&p->body);
	cli_message_free(&p->packet);
	cli_message_free(&p->part);
	cli_message_free(&p->list);
}

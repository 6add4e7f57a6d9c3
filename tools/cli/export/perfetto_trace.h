/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfetto_trace: what the parts of a trace of Perfetto share: its packets, and what these
 * refer to by number: texts, stacks, and tracks of threads and processes. One thread, so
 * nothing is locked.
 */
#ifndef CLI_EXPORT_PERFETTO_TRACE_H
#define CLI_EXPORT_PERFETTO_TRACE_H

#include "message.h"
#include "numbers.h"
#include "walk.h"

/* The numbers of the fields of TracePacket that have a message of one of these files. */
enum cli_perfetto_packet {
	PERFETTO_PACKET_CLOCK_SNAPSHOT = 6, PERFETTO_PACKET_TRACK_EVENT = 11,
	PERFETTO_PACKET_DEFAULTS = 59, PERFETTO_PACKET_TRACK_DESCRIPTOR = 60,
	PERFETTO_PACKET_TRACE_ATTRIBUTES = 126, PERFETTO_PACKET_STACK_SAMPLE = 135,
};

/* Texts have numbers of their own in each of these. */
enum cli_perfetto_text {
	PERFETTO_CATEGORY, PERFETTO_EVENT_NAME, PERFETTO_KEY, PERFETTO_VALUE,
	PERFETTO_FUNCTION, PERFETTO_BUILD_ID, PERFETTO_PATH, PERFETTO_SOURCE,
	PERFETTO_TEXTS
};

/* An interval that goes on. */
struct cli_perfetto_open {
	uint64_t end;
	size_t index;		/* of the event: what ended later has a greater one */
	uint32_t depth;		/* functions around it */
};

/* Intervals that are within each other, or have nothing in common. */
struct cli_perfetto_lane {
	uint64_t track;
	struct cli_perfetto_open *open;		/* the innermost last */
	size_t depth, room;
};

struct cli_perfetto_thread {
	char *comm;
	struct cli_perfetto_lane *lanes;	/* the first one is the thread's track */
	size_t lane_count;
	size_t asked;		/* how often for a slice, but for the first one */
};

struct cli_perfetto {
	const struct cli_report *report;
	struct cli_message trace;	/* the packets so far */
	struct cli_message interned;	/* what the next one is the first to refer to */
	struct cli_message body;	/* what is put into the next one */
	struct cli_message packet, part, list;	/* empty between two calls */
	struct cli_numbers texts[PERFETTO_TEXTS];
	struct cli_numbers mappings, frames, callstacks;
	struct cli_numbers threads, processes, contexts;
	struct cli_numbers names;	/* of processes, by their numbers; data: char[] */
	uint64_t tracks;		/* how many there are */
	bool failed;
};

/* None: a packet without a time, or without a message. */
#define PERFETTO_NO_TIME	UINT64_MAX
#define PERFETTO_NO_MESSAGE	0

void cli_perfetto_put_packet(struct cli_perfetto *p, uint64_t time, uint32_t field);
uint64_t cli_perfetto_text(struct cli_perfetto *p, enum cli_perfetto_text kind,
			   const char *text);
uint64_t cli_perfetto_plain_text(struct cli_perfetto *p, enum cli_perfetto_text kind,
				 const char *name);
uint64_t cli_perfetto_callstack(struct cli_perfetto *p, const struct cli_stack *stack);
void cli_perfetto_process(struct cli_perfetto *p, const struct schedprof_task *task);
struct cli_perfetto_thread *cli_perfetto_thread(struct cli_perfetto *p,
						const struct schedprof_task *task,
						const char *comm);
struct cli_perfetto_lane *cli_perfetto_lane(struct cli_perfetto *p,
					    struct cli_perfetto_thread *thread);
bool cli_perfetto_failed(const struct cli_perfetto *p);
void cli_perfetto_free(struct cli_perfetto *p);

/* In another file each. */
int cli_perfetto_events(struct cli_perfetto *p);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * frame: what an address in a stack is. A recording does not change, and a
 * symbolizer has a lock of its own, so nothing is locked here.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "alive.h"
#include "frame.h"
#include "pieces.h"
#include "schedprof.h"
#include "symbolize.h"

const struct schedprof_kernel *libsp_names_kernel(const struct schedprof_names *names)
{
	return names && LIBSP_HAS(names->size, struct schedprof_names, kernel) ?
	       names->kernel : NULL;
}

struct schedprof_symbolizer *libsp_names_user(const struct schedprof_names *names)
{
	return names && LIBSP_HAS(names->size, struct schedprof_names, user) ?
	       names->user : NULL;
}

const struct schedprof_mapping *
libsp_mapping_at(const struct schedprof_recording *recording, uint32_t image,
		 uint64_t address)
{
	const struct schedprof_mapping *mapping;

	mapping = libsp_piece_find(recording, image, address);
	return mapping && mapping->kind <= SCHEDPROF_MAPPING_ANON ? mapping : NULL;
}

/*
 * A return address belongs to the call before it, which may end the function. The innermost
 * frame of a program is where it goes on: behind a system call, which ends no function, or at
 * the very instruction at which it was interrupted.
 */
static uint64_t call_distance(const struct schedprof_stack *stack, size_t index)
{
	if (stack->flags & SCHEDPROF_STACK_USER)
		return index ? 1 : 0;
	return stack->flags & SCHEDPROF_STACK_CALLS ? 0 : 1;
}

static void kernel_frame(const struct schedprof_recording *recording,
			 const struct schedprof_names *names,
			 struct schedprof_frame *frame)
{
	const struct schedprof_kernel *table = libsp_names_kernel(names);
	const struct schedprof_symbol *known;
	const char *addresses = schedprof_meta(recording, "addresses");
	struct schedprof_symbol symbol;

	known = schedprof_symbol_find(recording, frame->address);
	if (known && known->function) {
		symbol = *known;
	} else {
		/* Hidden addresses are numbers, which no table knows. */
		if (!table || (addresses && !strcmp(addresses, "hidden")) ||
		    !schedprof_kernel_find(table, frame->address - frame->returns,
					   &symbol, sizeof(symbol)))
			return;
		symbol.offset += frame->returns;
	}
	frame->function = symbol.function;
	frame->module = symbol.module;
	frame->offset = symbol.offset;
	frame->size = symbol.size;
}

static void name_user_frame(const struct schedprof_recording *recording,
			    const struct schedprof_task *task,
			    const struct schedprof_mapping *mapping,
			    const struct schedprof_names *names,
			    struct schedprof_frame *frame)
{
	struct schedprof_symbolizer *symbolizer = libsp_names_user(names);
	struct schedprof_place place;
	int pid;

	if (!symbolizer)
		return;
	if (!mapping->file) {
		frame->missing = SCHEDPROF_MISSING_IDENTITY;
		return;
	}
	pid = libsp_living_pid(recording, task);
	frame->missing = libsp_symbolize_mapping(symbolizer, pid, mapping,
						 frame->file_offset - frame->returns,
						 &place);
	if (frame->missing)
		return;
	frame->function = place.function;
	frame->offset = place.offset + frame->returns;
	frame->source = place.source;
	frame->line = place.line;
}

/* Files without a name, which some programs take as memory for code. */
static bool is_memory(const char *path)
{
	static const char *const memories[] = {
		"/memfd:", "/dev/zero", "/anon_hugepage", "/SYSV",
	};
	size_t i;

	for (i = 0; i < sizeof(memories) / sizeof(memories[0]); i++)
		if (!strncmp(path, memories[i], strlen(memories[i])))
			return true;
	return false;
}

/* @time: when it was there, by CLOCK_MONOTONIC in ns; 0: before the recording was taken. */
static void name_generated_frame(const struct schedprof_recording *recording,
				 const struct schedprof_task *task, uint32_t image,
				 uint64_t time,
				 const struct schedprof_names *names,
				 struct schedprof_frame *frame)
{
	struct schedprof_symbolizer *symbolizer = libsp_names_user(names);
	struct libsp_generated_place place;
	struct libsp_process process;
	struct libsp_generator generator = {
		.process = &process, .recording = recording, .image = image,
	};

	if (!symbolizer)
		return;
	libsp_process_of(recording, task, &process);
	frame->missing = SCHEDPROF_MISSING_FILE;
	if (!process.pid)
		return;
	frame->missing = libsp_symbolize_generated(symbolizer, &generator,
						   frame->address - frame->returns,
						   time ? time : process.taken_ns, &place);
	if (frame->missing)
		return;
	frame->function = place.name;
	frame->offset = place.offset + frame->returns;
	frame->size = place.size;
	frame->source = place.source;
	frame->line = place.line;
}

static void user_frame(const struct schedprof_recording *recording,
		       const struct schedprof_task *task, uint32_t image,
		       uint64_t time, const struct schedprof_names *names,
		       struct schedprof_frame *frame)
{
	const struct schedprof_mapping *mapping;

	mapping = libsp_mapping_at(recording, image, frame->address);
	if (!mapping) {
		frame->kind = SCHEDPROF_FRAME_UNKNOWN;
		return;
	}
	frame->file_offset = frame->address - mapping->start + mapping->offset;
	switch (mapping->kind) {
	case SCHEDPROF_MAPPING_FILE:
		frame->kind = SCHEDPROF_FRAME_FILE;
		frame->path = mapping->path;
		frame->build_id = mapping->file ? mapping->file->build_id : NULL;
		if (is_memory(mapping->path))
			name_generated_frame(recording, task, image, time, names, frame);
		else
			name_user_frame(recording, task, mapping, names, frame);
		break;
	case SCHEDPROF_MAPPING_VDSO:
		frame->kind = SCHEDPROF_FRAME_VDSO;
		break;
	default:
		frame->kind = SCHEDPROF_FRAME_ANON;
		name_generated_frame(recording, task, image, time, names, frame);
	}
}

static bool fill_frame(const struct schedprof_recording *recording,
		       const struct schedprof_task *task, uint32_t image,
		       const struct schedprof_stack *stack, size_t index, uint64_t time,
		       const struct schedprof_names *names, struct schedprof_frame *frame)
{
	if (index >= stack->frame_count)
		return false;
	memset(frame, 0, sizeof(*frame));
	frame->address = stack->frames[index];
	frame->returns = call_distance(stack, index);
	if (stack->flags & SCHEDPROF_STACK_USER)
		user_frame(recording, task, image, time, names, frame);
	else
		kernel_frame(recording, names, frame);
	return true;
}

LIBSP_EXPORT bool schedprof_frame(const struct schedprof_recording *recording,
				  const struct schedprof_task *task,
				  const struct schedprof_stack *stack, size_t index,
				  const struct schedprof_names *names,
				  struct schedprof_frame *frame, size_t size)
{
	struct schedprof_frame filled;

	if (!fill_frame(recording, task, task->image, stack, index, 0, names, &filled))
		return false;
	libsp_copy_struct(frame, size, &filled, sizeof(filled));
	return true;
}

/* A task that runs one program; NULL if the recording has no record of it. */
const struct schedprof_task *
libsp_find_task(const struct schedprof_recording *recording, int32_t tid,
		uint64_t start_ns, uint32_t exec_id)
{
	const struct schedprof_task wanted = {
		.tid = tid, .start_ns = start_ns, .exec_id = exec_id,
	}, *key = &wanted;
	const struct schedprof_task **found;

	found = bsearch(&key, recording->by_task, recording->tasks.count,
			sizeof(*recording->by_task), libsp_by_task);
	return found ? *found : NULL;
}

LIBSP_EXPORT bool schedprof_event_frame(const struct schedprof_recording *recording,
					const struct schedprof_event *event,
					const struct schedprof_stack *stack,
					size_t index,
					const struct schedprof_names *names,
					struct schedprof_frame *frame, size_t size)
{
	/* The task is looked for only if user frames are to be named. */
	bool named = libsp_names_user(names) && stack->flags & SCHEDPROF_STACK_USER;
	const char *clock = schedprof_meta(recording, "clock");
	struct schedprof_frame filled;

	if (!fill_frame(recording,
			named ? libsp_find_task(recording, event->tid, event->start_ns,
						event->exec_id) : NULL,
			event->image, stack, index,
			clock && !strcmp(clock, "mono") ? event->at : 0, names,
			&filled))
		return false;
	libsp_copy_struct(frame, size, &filled, sizeof(filled));
	return true;
}

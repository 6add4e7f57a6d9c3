// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame: what an address in a stack is. A recording does not change; the
 * symbolizer has a lock of its own.
 */
#include <string.h>

#include "internal.h"

/* Where the mappings of an image begin. */
static size_t first_of(const struct schedprof_recording *recording, uint32_t image)
{
	size_t low = 0, high = recording->mappings.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (recording->by_image[middle]->image < image)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first one that holds the address counts: it was mapped last. */
static const struct schedprof_mapping *
mapping_at(const struct schedprof_recording *recording, uint32_t image,
	   uint64_t address)
{
	size_t i = image ? first_of(recording, image) : recording->mappings.count;

	for (; i < recording->mappings.count; i++) {
		const struct schedprof_mapping *mapping = recording->by_image[i];

		if (mapping->image != image)
			break;
		if (address >= mapping->start && address < mapping->end)
			return mapping->kind <= SCHEDPROF_MAPPING_ANON ? mapping : NULL;
	}
	return NULL;
}

/* A return address belongs to the call before it, which may end the function. */
static uint64_t back(const struct schedprof_stack *stack)
{
	return stack->flags & SCHEDPROF_STACK_CALLS ? 0 : 1;
}

static void kernel_frame(const struct schedprof_recording *recording,
			 const struct schedprof_stack *stack,
			 const struct schedprof_names *names,
			 struct schedprof_frame *frame)
{
	const struct schedprof_symbol *known;
	const char *addresses = schedprof_meta(recording, "addresses");
	struct schedprof_symbol symbol;

	known = schedprof_symbol_find(recording, frame->address);
	if (known && known->function) {
		symbol = *known;
	} else {
		/* Numbers in place of addresses mean nothing to a table. */
		if (!names || !names->kernel ||
		    (addresses && !strcmp(addresses, "hidden")) ||
		    !schedprof_kernel_find(names->kernel, frame->address - back(stack),
					   &symbol))
			return;
		symbol.offset += back(stack);
	}
	frame->function = symbol.function;
	frame->module = symbol.module;
	frame->offset = symbol.offset;
	frame->size = symbol.size;
}

static void name_user(const struct schedprof_recording *recording,
		      const struct schedprof_task *task,
		      const struct schedprof_stack *stack,
		      const struct schedprof_names *names,
		      struct schedprof_frame *frame)
{
	struct schedprof_place place;

	if (!names || !names->user ||
	    schedprof_symbolize(names->user, sp_living_pid(recording, task),
				frame->path, frame->file_offset - back(stack), &place,
				NULL))
		return;
	frame->function = place.function;
	frame->offset = place.offset + back(stack);
	frame->source = place.source;
	frame->line = place.line;
}

static void user_frame(const struct schedprof_recording *recording,
		       const struct schedprof_task *task, uint32_t image,
		       const struct schedprof_stack *stack,
		       const struct schedprof_names *names,
		       struct schedprof_frame *frame)
{
	const struct schedprof_mapping *mapping;

	mapping = mapping_at(recording, image, frame->address);
	if (!mapping) {
		frame->kind = SCHEDPROF_FRAME_UNKNOWN;
		return;
	}
	frame->file_offset = frame->address - mapping->start + mapping->offset;
	switch (mapping->kind) {
	case SCHEDPROF_MAPPING_FILE:
		frame->kind = SCHEDPROF_FRAME_FILE;
		frame->path = mapping->path;
		name_user(recording, task, stack, names, frame);
		break;
	case SCHEDPROF_MAPPING_VDSO:
		frame->kind = SCHEDPROF_FRAME_VDSO;
		break;
	default:
		frame->kind = SCHEDPROF_FRAME_ANON;
	}
}

static bool fill(const struct schedprof_recording *recording,
		 const struct schedprof_task *task, uint32_t image,
		 const struct schedprof_stack *stack, size_t index,
		 const struct schedprof_names *names, struct schedprof_frame *frame)
{
	if (index >= stack->frame_count)
		return false;
	memset(frame, 0, sizeof(*frame));
	frame->address = stack->frames[index];
	if (stack->flags & SCHEDPROF_STACK_USER)
		user_frame(recording, task, image, stack, names, frame);
	else
		kernel_frame(recording, stack, names, frame);
	return true;
}

SP_EXPORT bool schedprof_frame(const struct schedprof_recording *recording,
			       const struct schedprof_task *task,
			       const struct schedprof_stack *stack, size_t index,
			       const struct schedprof_names *names,
			       struct schedprof_frame *frame)
{
	return fill(recording, task, task->image, stack, index, names, frame);
}

/* The task that an event is of, if it has a record. */
static const struct schedprof_task *
task_of(const struct schedprof_recording *recording,
	const struct schedprof_event *event)
{
	const struct schedprof_task *const *tasks = recording->by_tid;
	size_t low = 0, high = recording->tasks.count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (tasks[middle]->tid < event->tid)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < recording->tasks.count && tasks[low]->tid == event->tid; low++)
		if (tasks[low]->start_ns == event->start_ns &&
		    tasks[low]->exec_id == event->exec_id)
			return tasks[low];
	return NULL;
}

SP_EXPORT bool schedprof_event_frame(const struct schedprof_recording *recording,
				     const struct schedprof_event *event,
				     const struct schedprof_stack *stack,
				     size_t index,
				     const struct schedprof_names *names,
				     struct schedprof_frame *frame)
{
	/* A task is looked for only where it matters: names of user frames. */
	bool named = names && names->user && stack->flags & SCHEDPROF_STACK_USER;

	return fill(recording, named ? task_of(recording, event) : NULL, event->image,
		    stack, index, names, frame);
}

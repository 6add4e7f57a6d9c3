// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * merge_stacks: the same stacks of different recordings become one. Kernel addresses
 * become numbers of symbols. User addresses become addresses of one program, which
 * has every file mapped, in parts of 4 GiB, where no real program has anything. The
 * state of a merge is used by one thread.
 */
#include <string.h>

#include "buffer.h"
#include "encode.h"
#include "frame.h"
#include "hex.h"
#include "keys.h"
#include "merge_stacks.h"
#include "merge_state.h"
#include "raw_format.h"
#include "schedprof.h"

/* Where the first part of a file is mapped, and how large a part is. */
#define REGIONS		0x4000000000000000ULL
#define REGION_BITS	32
#define IMAGE		1

/* A part of a file; its path follows. All bytes are compared: there is no padding. */
struct region_key {
	uint64_t part;
	uint32_t kind;
	uint32_t file;
};

bool libsp_merge_symbol(struct libsp_merge *merge,
			const struct schedprof_recording *recording, uint64_t address,
			uint64_t *number)
{
	const struct schedprof_symbol *symbol = schedprof_symbol_find(recording, address);
	const char *text = symbol ? symbol->text : "[unknown]";
	struct sp_raw_symbol raw;
	bool fresh;

	raw.address = libsp_key_number(&merge->keys[LIBSP_MERGE_SYMBOL],
				       text, strlen(text), &fresh);
	*number = raw.address;
	if (fresh)
		libsp_encode(&merge->symbols, SP_RAW_SYMBOL, &raw, sizeof(raw), text,
			     strlen(text));
	return raw.address;
}

/* @number: of the file, or 0 if it is not known which file it was */
static bool merge_file(struct libsp_merge *merge, const struct schedprof_file *file,
		       uint32_t *number)
{
	struct sp_raw_file raw = { };
	bool fresh;

	*number = 0;
	if (!file)
		return true;
	/* With a build-id, the rest does not count: it differs from host to host. */
	if (file->build_id) {
		raw.build_id_bytes = (uint32_t)libsp_unhex(file->build_id, raw.build_id,
							   sizeof(raw.build_id));
	} else {
		raw.generation = file->generation;
		raw.inode = file->inode;
		raw.mtime_ns = (uint64_t)file->mtime_ns;
		raw.device_major = file->device_major;
		raw.device_minor = file->device_minor;
	}
	*number = libsp_key_number(&merge->keys[LIBSP_MERGE_FILE],
				   &raw, sizeof(raw), &fresh);
	raw.number = *number;
	if (fresh)
		libsp_encode(&merge->files, SP_RAW_FILE, &raw, sizeof(raw), NULL, 0);
	return *number;
}

static bool merge_region(struct libsp_merge *merge, const struct schedprof_frame *frame,
			 const struct schedprof_file *file, uint64_t *address)
{
	const char *path = frame->path ? frame->path : "";
	struct sp_raw_mapping raw = { .image = IMAGE };
	struct libsp_buffer key = { };
	struct region_key head = {
		.part = frame->file_offset >> REGION_BITS,
		.kind = frame->kind == SCHEDPROF_FRAME_FILE ? SP_RAW_MAPPING_FILE :
			frame->kind == SCHEDPROF_FRAME_VDSO ? SP_RAW_MAPPING_VDSO :
							      SP_RAW_MAPPING_ANON,
	};
	uint32_t *region_file;
	uint64_t number = 0;
	bool fresh = false;

	if (!merge_file(merge, file, &head.file))
		return false;
	libsp_buffer_add(&key, &head, sizeof(head));
	libsp_buffer_text(&key, path);
	if (!key.failed)
		number = libsp_key_number(&merge->keys[LIBSP_MERGE_REGION],
					  key.at, key.size, &fresh);
	libsp_buffer_free(&key);
	raw.start = REGIONS + (number << REGION_BITS);
	raw.end = raw.start + (1ULL << REGION_BITS);
	raw.offset = head.part << REGION_BITS;
	raw.kind = head.kind;
	if (fresh) {
		region_file = libsp_row_add(&merge->region_files);
		if (!region_file)
			return false;
		*region_file = head.file;
		libsp_encode(&merge->regions, SP_RAW_MAPPING, &raw, sizeof(raw), path,
			     strlen(path));
	}
	*address = raw.start + (frame->file_offset - raw.offset);
	return number;
}

/* The address stays; if a region may hold it, a lost mapping says that none does. */
static bool merge_unknown(struct libsp_merge *merge, uint64_t address)
{
	struct sp_raw_mapping raw = {
		.start = address,
		.end = address + 1,
		.image = IMAGE,
		.kind = SP_RAW_MAPPING_LOST,
	};
	bool fresh;

	if (address < REGIONS || address == UINT64_MAX)
		return true;
	if (!libsp_key_number(&merge->keys[LIBSP_MERGE_LOST],
			      &address, sizeof(address), &fresh))
		return false;
	if (fresh)
		libsp_encode(&merge->lost, SP_RAW_MAPPING, &raw, sizeof(raw), NULL, 0);
	return true;
}

static bool merge_frame(struct libsp_merge *merge,
			const struct schedprof_recording *recording,
			const struct schedprof_task *task,
			const struct schedprof_stack *stack, size_t index,
			uint64_t *address)
{
	const struct schedprof_mapping *mapping;
	struct schedprof_frame frame;

	schedprof_frame(recording, task, stack, index, NULL, &frame, sizeof(frame));
	*address = frame.address;
	switch (frame.kind) {
	case SCHEDPROF_FRAME_KERNEL:
		return libsp_merge_symbol(merge, recording, frame.address, address);
	case SCHEDPROF_FRAME_UNKNOWN:
		return merge_unknown(merge, frame.address);
	default:
		mapping = libsp_mapping_at(recording, task->image, frame.address);
		return merge_region(merge, &frame, mapping ? mapping->file : NULL,
				    address);
	}
}

/* Where a waker was in its program. Of the process no more is said: there may be several. */
static void encode_waker(struct libsp_merge *merge, uint32_t stack, uint32_t user)
{
	const struct sp_raw_waker raw = { .stack = stack, .user = user, .image = IMAGE };

	libsp_encode(&merge->wakers, SP_RAW_WAKER, &raw, sizeof(raw), NULL, 0);
}

bool libsp_merge_stack(struct libsp_merge *merge,
		       const struct schedprof_recording *recording,
		       const struct schedprof_task *task,
		       const struct schedprof_stack *stack, uint32_t *number)
{
	struct sp_raw_stack *raw;
	struct libsp_buffer key = { };
	uint32_t user = 0;
	uint64_t *frames;
	bool fresh = false;
	size_t i;

	*number = 0;
	if (!stack)
		return true;
	if (stack->user &&
	    !libsp_merge_stack(merge, recording, stack->program, stack->user, &user))
		return false;
	raw = libsp_buffer_grow(&key, sizeof(*raw) +
				(stack->frame_count + !!user) * sizeof(*frames));
	if (!raw)
		return false;
	memset(raw, 0, sizeof(*raw));
	raw->flags = stack->flags;
	raw->frames = (uint32_t)stack->frame_count;
	raw->guessed = stack->guessed;
	memcpy(raw->waker, stack->waker, strlen(stack->waker));
	frames = (uint64_t *)(raw + 1);
	for (i = 0; i < stack->frame_count; i++)
		if (!merge_frame(merge, recording, task, stack, i, &frames[i]))
			break;
	if (user)
		frames[stack->frame_count] = user;
	if (i == stack->frame_count)
		*number = libsp_key_number(&merge->keys[LIBSP_MERGE_STACK],
					   key.at, key.size, &fresh);
	raw->number = *number;
	if (fresh)
		libsp_encode(&merge->stacks, SP_RAW_STACK, raw, sizeof(*raw), frames,
			     stack->frame_count * sizeof(*frames));
	if (fresh && user)
		encode_waker(merge, *number, user);
	libsp_buffer_free(&key);
	return *number;
}

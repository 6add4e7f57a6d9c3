// SPDX-License-Identifier: GPL-2.0-only
/*
 * places: what formats say of where a frame is. Pure functions of frames, so nothing is
 * locked.
 */
#include <stddef.h>

#include "places.h"

/**
 * cli_place_object() - what has the code of a frame
 * @frame: the frame
 *
 * Return: a path, a module, or a name in brackets; NULL if it is not known.
 */
const char *cli_place_object(const struct schedprof_frame *frame)
{
	switch (frame->kind) {
	case SCHEDPROF_FRAME_KERNEL:
		/* As perf calls it, and after it other programs. */
		return frame->module ? frame->module : "[kernel.kallsyms]";
	case SCHEDPROF_FRAME_FILE:
		return frame->path;
	case SCHEDPROF_FRAME_VDSO:
		return "[vdso]";
	case SCHEDPROF_FRAME_ANON:
		return "[anon]";
	default:
		return NULL;
	}
}

/* The source of a frame, or else what has its code; NULL if neither is known. */
const char *cli_place_file(const struct schedprof_frame *frame)
{
	return frame->source ? frame->source : cli_place_object(frame);
}

/**
 * cli_place_address() - where in its object a frame is
 * @frame: the frame
 *
 * An offset in the file, so that one mapping stands for all processes that have the file
 * mapped; in the kernel, and if nothing is mapped any more, the address itself. Of user
 * frames that are calls, it is that of the call, as other programs expect, while a recording
 * has where it returns to.
 */
uint64_t cli_place_address(const struct schedprof_frame *frame)
{
	if (frame->kind == SCHEDPROF_FRAME_KERNEL || frame->kind == SCHEDPROF_FRAME_UNKNOWN)
		return frame->address;
	return frame->file_offset ? frame->file_offset - frame->returns : 0;
}

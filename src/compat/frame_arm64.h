/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an exception came into the kernel, pt_regs has a frame record. It holds the
 * frame pointer and the instruction that were interrupted; since 6.13 it is empty,
 * a word behind it says what it is the record of, and both are among the registers.
 */
#ifndef SP_FRAME_ARM64_H
#define SP_FRAME_ARM64_H

#include <linux/ptrace.h>
#include <linux/types.h>

#ifdef SP_HAS_frame_record_meta
#include <asm/stacktrace/frame.h>

#define SP_FRAME_TYPE_OFFSET	offsetof(struct frame_record_meta, type)
#define SP_FRAME_OF_REGS	FRAME_META_TYPE_PT_REGS
#define SP_FRAMES_TELL_TYPE	true
#else
#define SP_FRAME_TYPE_OFFSET	0
#define SP_FRAME_OF_REGS	0
#define SP_FRAMES_TELL_TYPE	false
#endif

/* The registers around the record at @at. */
static inline unsigned long sp_frame_regs(unsigned long at)
{
	return at - offsetof(struct pt_regs, stackframe);
}

#endif

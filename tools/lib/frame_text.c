// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * frame_text: how frames and stacks read, the way the files of the module do.
 *
 * Whoever ran programs on the recorded machine chose the names: whatever could forge
 * a line, a frame or a control sequence of a terminal is made visible. Pure
 * functions.
 */
#include <inttypes.h>
#include <string.h>

#include "../shared/utf8.h"
#include "abi.h"
#include "buffer.h"
#include "frame_text.h"
#include "group.h"

static void put_plain(struct libsp_buffer *buffer, const char *name)
{
	size_t length;

	for (; *name; name += length ? length : 1) {
		length = utf8_printable(name);
		if (length)
			libsp_buffer_add(buffer, name, length);
		else
			libsp_buffer_print(buffer, "\\x%02x", (unsigned char)*name);
	}
}

static void put_folded(struct libsp_buffer *buffer, const char *name)
{
	for (; *name; name++)
		libsp_buffer_add(buffer, utf8_forges(name) ? "_" : name, 1);
}

static void put_name(struct libsp_buffer *buffer, const char *name, bool folded)
{
	if (folded)
		put_folded(buffer, name);
	else
		put_plain(buffer, name);
}

static void put_kernel(struct libsp_buffer *buffer, const struct schedprof_frame *frame,
		       bool folded)
{
	put_name(buffer, frame->function ? frame->function : "[unknown]", folded);
	if (folded) {
		libsp_buffer_text(buffer, "_[k]");
		return;
	}
	if (!frame->function)
		return;
	libsp_buffer_print(buffer, "+0x%" PRIx64, frame->offset);
	if (frame->size)
		libsp_buffer_print(buffer, "/0x%" PRIx64, frame->size);
	if (frame->module) {
		libsp_buffer_text(buffer, " [");
		put_plain(buffer, frame->module);
		libsp_buffer_text(buffer, "]");
	}
}

static void put_user(struct libsp_buffer *buffer, const struct schedprof_frame *frame,
		     bool folded)
{
	static const char *const words[] = {
		[SCHEDPROF_FRAME_VDSO] = "[vdso]",
		[SCHEDPROF_FRAME_ANON] = "[anon]",
	};

	if (frame->kind == SCHEDPROF_FRAME_UNKNOWN) {
		libsp_buffer_print(buffer, "[exited]+0x%" PRIx64, frame->address);
		return;
	}
	if (frame->function) {
		put_name(buffer, frame->function, folded);
		if (!folded && frame->kind == SCHEDPROF_FRAME_ANON) {
			libsp_buffer_print(buffer, "+0x%" PRIx64 " %s", frame->offset,
					   words[frame->kind]);
		} else if (!folded) {
			libsp_buffer_print(buffer, "+0x%" PRIx64 " [", frame->offset);
			put_plain(buffer, frame->path ? frame->path : "");
			libsp_buffer_text(buffer, "]");
		}
		return;
	}
	if (frame->kind == SCHEDPROF_FRAME_FILE)
		put_name(buffer, frame->path ? frame->path : "", folded);
	else
		libsp_buffer_text(buffer, words[frame->kind]);
	libsp_buffer_print(buffer, "+0x%" PRIx64, frame->file_offset);
}

static void put_frame(struct libsp_buffer *buffer, const struct schedprof_frame *frame,
		      bool folded)
{
	if (frame->kind == SCHEDPROF_FRAME_KERNEL)
		put_kernel(buffer, frame, folded);
	else
		put_user(buffer, frame, folded);
}

LIBSP_EXPORT size_t schedprof_frame_text(const struct schedprof_frame *frame,
					 size_t frame_size, int style, char *text,
					 size_t size)
{
	struct schedprof_frame whole;
	struct libsp_buffer buffer = { };
	size_t length, kept;

	if (size)
		*text = '\0';
	libsp_copy_struct(&whole, sizeof(whole), frame, frame_size);
	if (whole.kind < 0 || whole.kind > SCHEDPROF_FRAME_UNKNOWN)
		return 0;
	put_frame(&buffer, &whole, style == SCHEDPROF_FOLDED);
	length = buffer.size;
	if (size && length && !buffer.failed) {
		kept = length < size ? length : size - 1;
		memcpy(text, buffer.at, kept);
		text[kept] = '\0';
	}
	libsp_buffer_free(&buffer);
	return length;
}

LIBSP_EXPORT const char *schedprof_stack_remark(const struct schedprof_stack *stack,
						size_t index)
{
	static const struct {
		uint32_t mask;
		uint32_t flags;	/* those of mask are as in flags */
		const char *text;
	} remarks[] = {
#define FLAG(name)	SCHEDPROF_STACK_##name, SCHEDPROF_STACK_##name
#define END(why)	SCHEDPROF_STACK_END, SCHEDPROF_STACK_##why
		{ FLAG(MOVED), "[task moved]" },
		{ FLAG(RUNNING), "[on the CPU now]" },
		{ FLAG(EXITED), "[exit]" },
		{ FLAG(IRQS_OFF), "[irqs off]" },
		{ FLAG(CUT), "[cut]" },
		{ FLAG(NO_FP), "[no frame pointer]" },
		{ END(NO_TABLE), "[no unwind table]" },
		{ END(NO_RULE), "[no unwind rule]" },
		{ END(ABSENT), "[caller not in memory]" },
#undef END
#undef FLAG
	};
	bool user = stack->flags & SCHEDPROF_STACK_USER;
	size_t i;

	if (stack->flags & SCHEDPROF_STACK_UNSEEN && !index--)
		return user ? "[user stack not seen]" : "[not seen]";
	for (i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++)
		if ((stack->flags & remarks[i].mask) == remarks[i].flags && !index--)
			return remarks[i].text;
	return NULL;
}

LIBSP_EXPORT const char *schedprof_waker_name(const struct schedprof_stack *stack)
{
	if (stack->flags & SCHEDPROF_STACK_UNSEEN)
		return "[not seen]";
	if (stack->flags & SCHEDPROF_STACK_IRQ)
		return "[interrupt]";
	return stack->flags & SCHEDPROF_STACK_SOFTIRQ ? "[softirq]" : stack->waker;
}

static void put_remarks(struct libsp_buffer *buffer, const struct schedprof_stack *stack,
			const char *mark)
{
	const char *remark;
	size_t i;

	for (i = 0; (remark = schedprof_stack_remark(stack, i)); i++) {
		libsp_buffer_text(buffer, ";");
		put_folded(buffer, remark);
		libsp_buffer_text(buffer, mark);
	}
}

static void put_frame_at(struct libsp_buffer *buffer,
			 const struct schedprof_recording *recording,
			 const struct schedprof_task *task,
			 const struct schedprof_stack *stack, size_t index,
			 const struct schedprof_names *names)
{
	struct schedprof_frame frame;

	schedprof_frame(recording, task, stack, index, names, &frame, sizeof(frame));
	libsp_buffer_text(buffer, ";");
	put_frame(buffer, &frame, true);
}

static void put_stack(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_stack *stack, const char *mark,
		      const struct schedprof_names *names)
{
	size_t i;

	if (!stack)
		return;
	put_remarks(buffer, stack, mark);
	for (i = stack->frame_count; i--; )
		put_frame_at(buffer, recording, entry->task, stack, i, names);
}

static void put_waker(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_names *names)
{
	const struct schedprof_stack *stack = entry->waker, *user;
	size_t i;

	if (!stack)
		return;
	libsp_buffer_text(buffer, ";--");
	for (i = 0; i < stack->frame_count; i++)
		put_frame_at(buffer, recording, entry->task, stack, i, names);
	if (stack->flags & SCHEDPROF_STACK_CUT)
		libsp_buffer_text(buffer, ";[cut]_[k]");
	user = stack->user;
	for (i = 0; user && i < user->frame_count; i++)
		put_frame_at(buffer, recording, stack->program, user, i, names);
	if (user)
		put_remarks(buffer, user, "");
	libsp_buffer_text(buffer, ";");
	put_folded(buffer, schedprof_waker_name(stack));
}

/* The folded stacks of an entry, without its task: a semicolon before each frame. */
void libsp_put_stacks(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_names *names)
{
	if (schedprof_entry_is_idle(recording, entry, names))
		libsp_buffer_text(buffer, ";[waiting_for_work]");
	if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK &&
	    !(entry->task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST)))
		libsp_buffer_text(buffer, ";[lost_stack]");
	put_stack(buffer, recording, entry, entry->user, "", names);
	put_stack(buffer, recording, entry, entry->kernel, "_[k]", names);
	put_waker(buffer, recording, entry, names);
}

LIBSP_EXPORT char *schedprof_entry_folded(const struct schedprof_recording *recording,
					  const struct schedprof_entry *entry, int by,
					  const struct schedprof_names *names,
					  struct schedprof_error *error)
{
	struct libsp_buffer buffer = { };
	struct libsp_who who;

	libsp_who_of(entry->task, by, &who);
	put_folded(&buffer, who.comm);
	if (who.tid > 0)
		libsp_buffer_print(&buffer, "-%d", who.tid);
	libsp_put_stacks(&buffer, recording, entry, names);
	return libsp_buffer_take(&buffer, NULL, error);
}

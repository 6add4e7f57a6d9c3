// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * frame_text: how frames and stacks read, the way the files of the module do, but with whole paths.
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
#include "raw_format.h"

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
	size_t length;

	for (; *name; name += length ? length : 1) {
		length = utf8_foldable(name);
		libsp_buffer_add(buffer, length ? name : "_", length ? length : 1);
	}
}

static void put_name(struct libsp_buffer *buffer, const char *name, int style)
{
	if (style == SCHEDPROF_FOLDED)
		put_folded(buffer, name);
	else
		put_plain(buffer, name);
}

/* What anybody can choose passes for no word of ours, and for no frame of the kernel. */
static char without_bracket(char c)
{
	return c == '[' ? '(' : c;
}

static void put_chosen(struct libsp_buffer *buffer, const char *name, int style)
{
	size_t at = buffer->size;

	put_name(buffer, name, style);
	for (; at < buffer->size && !buffer->failed; at++)
		buffer->at[at] = (unsigned char)without_bracket((char)buffer->at[at]);
}

/*
 * Names of functions have brackets, in C++ and in Go. Whoever made the program chose them, so
 * there is none where it would make a word of ours, or a frame of the kernel; nor is one what
 * stands before a waker.
 */
static void put_function(struct libsp_buffer *buffer, const char *name, int style)
{
	size_t at = buffer->size, length;
	unsigned char *text;

	put_name(buffer, name, style);
	if (buffer->failed || buffer->size == at)
		return;
	text = buffer->at + at;
	length = buffer->size - at;
	*text = (unsigned char)without_bracket((char)*text);
	if (length >= 4 && !memcmp(text + length - 4, "_[k]", 4))
		text[length - 3] = '(';
	if (length == 2 && !memcmp(text, "--", 2))
		*text = '(';
}

static void put_kernel(struct libsp_buffer *buffer, const struct schedprof_frame *frame,
		       int style)
{
	put_name(buffer, frame->function ? frame->function : "[unknown]", style);
	if (style != SCHEDPROF_PLAIN) {
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
		     int style)
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
		put_function(buffer, frame->function, style);
		if (style != SCHEDPROF_PLAIN)
			return;
		if (frame->kind == SCHEDPROF_FRAME_ANON) {
			libsp_buffer_print(buffer, "+0x%" PRIx64 " %s", frame->offset,
					   words[frame->kind]);
		} else {
			libsp_buffer_print(buffer, "+0x%" PRIx64 " [", frame->offset);
			put_plain(buffer, frame->path ? frame->path : "");
			libsp_buffer_text(buffer, "]");
		}
		return;
	}
	if (frame->kind == SCHEDPROF_FRAME_FILE)
		put_name(buffer, frame->path ? frame->path : "", style);
	else
		libsp_buffer_text(buffer, words[frame->kind]);
	libsp_buffer_print(buffer, "+0x%" PRIx64, frame->file_offset);
}

static void put_frame(struct libsp_buffer *buffer, const struct schedprof_frame *frame,
		      int style)
{
	if (frame->kind == SCHEDPROF_FRAME_KERNEL)
		put_kernel(buffer, frame, style);
	else
		put_user(buffer, frame, style);
}

/* Copies what fits, with a NUL; frees the buffer. Return: the whole length. */
static size_t copy_text(struct libsp_buffer *buffer, char *text, size_t size)
{
	size_t length = buffer->size, kept;

	if (size)
		*text = '\0';
	if (size && length && !buffer->failed) {
		kept = length < size ? length : size - 1;
		memcpy(text, buffer->at, kept);
		text[kept] = '\0';
	}
	libsp_buffer_free(buffer);
	return length;
}

LIBSP_EXPORT size_t schedprof_frame_text(const struct schedprof_frame *frame,
					 size_t frame_size, int style, char *text,
					 size_t size)
{
	struct schedprof_frame whole;
	struct libsp_buffer buffer = { };

	libsp_copy_struct(&whole, sizeof(whole), frame, frame_size);
	if (whole.kind >= 0 && whole.kind <= SCHEDPROF_FRAME_UNKNOWN)
		put_frame(&buffer, &whole, style);
	return copy_text(&buffer, text, size);
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
#define PART		(SCHEDPROF_STACK_ON_CPU | SCHEDPROF_STACK_QUEUED)
#define END(why)	SCHEDPROF_STACK_END, SCHEDPROF_STACK_##why
		{ FLAG(MOVED), "[task moved]" },
		{ SCHEDPROF_STACK_RUNNING | SCHEDPROF_STACK_WAKER, SCHEDPROF_STACK_RUNNING,
		  "[on the CPU now]" },
		{ FLAG(EXITED), "[exit]" },
		{ PART | SCHEDPROF_STACK_RUNNING, SCHEDPROF_STACK_ON_CPU, "[on a CPU]" },
		{ PART, SCHEDPROF_STACK_QUEUED, "[waiting for a CPU]" },
		{ PART, PART, "[interrupts]" },
		{ FLAG(IRQS_OFF), "[irqs off]" },
		{ FLAG(CUT), "[cut]" },
		{ FLAG(NO_FP), "[no frame pointer]" },
		{ END(NO_TABLE), "[no unwind table]" },
		{ END(NO_RULE), "[no unwind rule]" },
		{ END(ABSENT), "[caller not in memory]" },
#undef END
#undef PART
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

/* Who is told of each level of the stacks of an entry. */
struct walk {
	const struct schedprof_recording *recording;
	const struct schedprof_names *names;
	schedprof_level_visit visit;
	void *data;
};

static void tell_text(const struct walk *walk, const char *text, bool kernel)
{
	struct schedprof_level level = { .text = text, .kernel = kernel };

	walk->visit(&level, sizeof(level), walk->data);
}

static void tell_frame(const struct walk *walk, const struct schedprof_task *task,
		       const struct schedprof_stack *stack, size_t index)
{
	struct schedprof_frame frame;
	struct schedprof_level level = { .frame = &frame };

	schedprof_frame(walk->recording, task, stack, index, walk->names, &frame,
			sizeof(frame));
	level.kernel = frame.kind == SCHEDPROF_FRAME_KERNEL;
	walk->visit(&level, sizeof(level), walk->data);
}

static void tell_remarks(const struct walk *walk, const struct schedprof_stack *stack)
{
	const char *remark;
	size_t i;

	for (i = 0; (remark = schedprof_stack_remark(stack, i)); i++)
		tell_text(walk, remark, !(stack->flags & SCHEDPROF_STACK_USER));
}

static void tell_stack(const struct walk *walk, const struct schedprof_task *task,
		       const struct schedprof_stack *stack)
{
	size_t i;

	if (!stack)
		return;
	tell_remarks(walk, stack);
	for (i = stack->frame_count; i--; )
		tell_frame(walk, task, stack, i);
}

static void tell_waker_name(const struct walk *walk, const struct schedprof_stack *stack)
{
	const char *told = schedprof_waker_name(stack);
	char name[sizeof(((struct sp_raw_stack *)NULL)->waker)] = "";
	size_t i;

	/* No culprit's own name begins so: the module takes care of that. */
	if (told != stack->waker || (stack->flags & SCHEDPROF_STACK_RUNNING && *told == '[')) {
		tell_text(walk, told, false);
		return;
	}
	for (i = 0; i < sizeof(name) - 1 && told[i]; i++)
		name[i] = without_bracket(told[i]);
	tell_text(walk, name, false);
}

static void tell_waker(const struct walk *walk, const struct schedprof_entry *entry)
{
	const struct schedprof_stack *stack = entry->waker, *user;
	size_t i;

	if (!stack)
		return;
	tell_text(walk, stack->flags & SCHEDPROF_STACK_RUNNING ? "[because of]" : "--", false);
	for (i = 0; i < stack->frame_count; i++)
		tell_frame(walk, entry->task, stack, i);
	if (stack->flags & SCHEDPROF_STACK_CUT)
		tell_text(walk, "[cut]", true);
	user = stack->user;
	for (i = 0; user && i < user->frame_count; i++)
		tell_frame(walk, stack->program, user, i);
	if (user)
		tell_remarks(walk, user);
	tell_waker_name(walk, stack);
}

LIBSP_EXPORT void schedprof_entry_levels(const struct schedprof_recording *recording,
					 const struct schedprof_entry *entry,
					 const struct schedprof_names *names,
					 schedprof_level_visit visit, void *data)
{
	const struct walk walk = {
		.recording = recording, .names = names, .visit = visit, .data = data,
	};

	if (schedprof_entry_is_idle(recording, entry, names))
		tell_text(&walk, "[waiting_for_work]", false);
	if (entry->flags & SCHEDPROF_ENTRY_LOST_STACK &&
	    !(entry->task->flags & (SCHEDPROF_TASK_FOLDED | SCHEDPROF_TASK_LOST)))
		tell_text(&walk, "[lost_stack]", false);
	tell_stack(&walk, entry->task, entry->user);
	tell_stack(&walk, entry->task, entry->kernel);
	tell_waker(&walk, entry);
}

static void put_level(struct libsp_buffer *buffer, const struct schedprof_level *level,
		      int style)
{
	if (level->frame) {
		put_frame(buffer, level->frame, style);
		return;
	}
	put_name(buffer, level->text, style);
	if (level->kernel && style != SCHEDPROF_PLAIN)
		libsp_buffer_text(buffer, "_[k]");
}

LIBSP_EXPORT size_t schedprof_level_text(const struct schedprof_level *level,
					 size_t level_size, int style, char *text,
					 size_t size)
{
	struct schedprof_level whole;
	struct libsp_buffer buffer = { };

	libsp_copy_struct(&whole, sizeof(whole), level, level_size);
	put_level(&buffer, &whole, style);
	return copy_text(&buffer, text, size);
}

static void put_folded_level(const struct schedprof_level *level, size_t size, void *data)
{
	struct libsp_buffer *buffer = data;

	(void)size;
	libsp_buffer_text(buffer, ";");
	put_level(buffer, level, SCHEDPROF_FOLDED);
}

/* The folded stacks of an entry, without its task: a semicolon before each frame. */
void libsp_put_stacks(struct libsp_buffer *buffer,
		      const struct schedprof_recording *recording,
		      const struct schedprof_entry *entry,
		      const struct schedprof_names *names)
{
	schedprof_entry_levels(recording, entry, names, put_folded_level, buffer);
}

static void put_task(struct libsp_buffer *buffer, const struct schedprof_task *task,
		     int by, int style)
{
	struct libsp_who who;

	libsp_who_of(task, by, &who);
	if (who.special || (by == SCHEDPROF_BY_CGROUP && !task->cgroup))
		put_name(buffer, who.comm, style);
	else
		put_chosen(buffer, who.comm, style);
	if (who.tid > 0)
		libsp_buffer_print(buffer, "-%d", who.tid);
}

LIBSP_EXPORT size_t schedprof_task_text(const struct schedprof_task *task, int by,
					int style, char *text, size_t size)
{
	struct libsp_buffer buffer = { };

	put_task(&buffer, task, by, style);
	return copy_text(&buffer, text, size);
}

LIBSP_EXPORT char *schedprof_entry_folded(const struct schedprof_recording *recording,
					  const struct schedprof_entry *entry, int by,
					  const struct schedprof_names *names,
					  struct schedprof_error *error)
{
	struct libsp_buffer buffer = { };

	put_task(&buffer, entry->task, by, SCHEDPROF_FOLDED);
	libsp_put_stacks(&buffer, recording, entry, names);
	return libsp_buffer_take(&buffer, NULL, error);
}

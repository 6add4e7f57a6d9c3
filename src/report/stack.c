// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack: how stacks are printed, for people (top) and for flame graphs (folded): the
 * frames, what is said in place of some, and what a stack lacks. Reads views only.
 */
#include <linux/kernel.h>

#include "lib/text.h"
#include "report/report.h"

#define ENDED(why)	(SP_STACK_USER | SP_STACK_END_##why * SP_STACK_IRQ)
/* Where no waker is, nor a user; and it is not said in another way. */
#define KERNEL(is)	SP_STACK_INTERRUPTS | SP_STACK_USER | SP_STACK_WAKER | SP_STACK_RUNNING, \
			SP_STACK_##is

/* Something that a stack's flags tell, beside its frames. */
static const struct mark {
	u16 mask, flags;	/* those of mask are as in flags */
	bool outer;		/* beyond the outermost frame, else before the innermost */
	const char *people, *folded;
} marks[] = {
	{ SP_STACK_UNSEEN | SP_STACK_USER, SP_STACK_UNSEEN, false,
	  "[not seen: over before the next sample]", "[not_seen]" },
	{ SP_STACK_UNSEEN | SP_STACK_USER, SP_STACK_UNSEEN | SP_STACK_USER, false,
	  "[user stack not seen: left before recording]", "[user_stack_not_seen]" },
	{ SP_STACK_MOVED, SP_STACK_MOVED, false, "[task moved]", "[task_moved]" },
	{ SP_STACK_RUNNING, SP_STACK_RUNNING, false, "[on the CPU now]", "[on_the_CPU_now]" },
	{ SP_STACK_EXITED, SP_STACK_EXITED, false, "[exit]", "[exit]" },
	{ KERNEL(ON_CPU), false, "[on a CPU]", "[on_a_CPU]" },
	{ KERNEL(QUEUED), false, "[waiting for a CPU]", "[waiting_for_a_CPU]" },
	{ KERNEL(INTERRUPTS), false, "[interrupts]", "[interrupts]" },
	{ SP_STACK_IRQS_OFF | SP_STACK_USER, SP_STACK_IRQS_OFF, false,
	  "[irqs off] until here", "[irqs_off]" },
	{ SP_STACK_CUT, SP_STACK_CUT, true, "[cut: deeper than stack_depth]", "[cut]" },
	{ SP_STACK_NO_FP, SP_STACK_NO_FP, true, "[no frame pointer]", "[no_frame_pointer]" },
	{ SP_STACK_USER | SP_STACK_END, ENDED(TABLE), true,
	  "[no unwind table for the function above]", "[no_unwind_table]" },
	{ SP_STACK_USER | SP_STACK_END, ENDED(RULE), true,
	  "[no unwind rule in the function above]", "[no_unwind_rule]" },
	{ SP_STACK_USER | SP_STACK_END, ENDED(MEMORY), true,
	  "[caller not in memory]", "[caller_not_in_memory]" },
};

/* The table has the order of folded, outermost first; for people it is the other one. */
static void show_marks(struct seq_buf *s, const struct sp_stack *stack, bool outer)
{
	unsigned int i;

	for (i = ARRAY_SIZE(marks); i--; )
		if (marks[i].outer == outer && (stack->flags & marks[i].mask) == marks[i].flags)
			seq_buf_printf(s, "        %s\n", marks[i].people);
}

/* @program: that a user stack is of */
static void show_frame(struct seq_buf *s, const struct sp_view *view, u32 program,
		       const struct sp_stack *stack, unsigned int i)
{
	sp_puts(s, "        ");
	/* As the kernel marks what may not be true in its own stacks. */
	if (stack->flags & SP_STACK_USER && stack->frame[i] & SP_FRAME_GUESSED)
		sp_puts(s, "? ");
	if (stack->flags & SP_STACK_USER)
		sp_report_user(s, view, program, sp_frame_user(stack->frame[i]), sp_text_plain);
	else
		sp_report_symbol(s, view, sp_frame_kernel(stack->frame[i]), sp_text_symbol);
	sp_putc(s, '\n');
}

/* Innermost frame first, a line each. */
static void show_stack(struct seq_buf *s, const struct sp_view *view, u32 program,
		       const struct sp_stack *stack)
{
	unsigned int i;

	/* What a waker's flags tell is its name. */
	if (!(stack->flags & SP_STACK_WAKER))
		show_marks(s, stack, false);
	for (i = 0; i < stack->n; i++)
		show_frame(s, view, program, stack, i);
	show_marks(s, stack, true);
}

/* Who woke a task, from where in the kernel, and in the program that called it. */
static void show_waker(struct seq_buf *s, const struct sp_view *view,
		       const struct sp_stack *stack)
{
	const struct sp_stack *user;
	u32 program;

	sp_puts(s, stack->flags & SP_STACK_CULPRIT ? "        -- because of " :
						     "        -- woken by ");
	sp_report_waker(s, stack, sp_text_plain);
	sp_putc(s, '\n');
	show_stack(s, view, 0, stack);
	user = sp_view_waker_user(view, stack, &program);
	if (!user)
		return;
	sp_puts(s, "        --\n");
	show_stack(s, view, program, user);
}

/**
 * sp_report_stacks() - the stacks of a line, for people
 * @s: where to
 * @view: the view
 * @line: whose stacks they are
 */
void sp_report_stacks(struct seq_buf *s, const struct sp_view *view,
		      const struct sp_report_entry *line)
{
	if (line->lost && line->who.tid)
		seq_buf_printf(s, "        %s\n", line->lost);
	if (line->kernel)
		show_stack(s, view, 0, line->kernel);
	if (line->user) {
		sp_puts(s, "        --\n");
		show_stack(s, view, line->who.program, line->user);
	}
	if (line->waker)
		show_waker(s, view, line->waker);
}

static void fold_marks(struct seq_buf *s, const struct sp_stack *stack, u16 among)
{
	const struct mark *mark;

	for (mark = marks; mark < marks + ARRAY_SIZE(marks); mark++)
		if (mark->flags & among && (stack->flags & mark->mask) == mark->flags)
			seq_buf_printf(s, ";%s%s", mark->folded,
				       stack->flags & SP_STACK_USER ? "" : "_[k]");
}

static void fold_frame(struct seq_buf *s, const struct sp_view *view, u32 program,
		       const struct sp_stack *stack, unsigned int i)
{
	sp_putc(s, ';');
	if (stack->flags & SP_STACK_USER)
		sp_report_user(s, view, program, sp_frame_user(stack->frame[i]), sp_text_folded);
	else
		sp_report_symbol(s, view, sp_frame_kernel(stack->frame[i]), sp_text_function);
}

/* Outermost frame first, behind what it lacks. */
static void fold_stack(struct seq_buf *s, const struct sp_view *view, u32 program,
		       const struct sp_stack *stack)
{
	unsigned int i;

	fold_marks(s, stack, U16_MAX);
	for (i = stack->n; i--; )
		fold_frame(s, view, program, stack, i);
}

/* On top of the stack that it woke, so the other way round, and its name last. */
static void fold_waker(struct seq_buf *s, const struct sp_view *view,
		       const struct sp_stack *stack)
{
	u32 program;
	const struct sp_stack *user = sp_view_waker_user(view, stack, &program);
	unsigned int i;

	sp_puts(s, stack->flags & SP_STACK_CULPRIT ? ";[because_of]" : ";--");
	for (i = 0; i < stack->n; i++)
		fold_frame(s, view, 0, stack, i);
	fold_marks(s, stack, SP_STACK_CUT);
	if (user) {
		for (i = 0; i < user->n; i++)
			fold_frame(s, view, program, user, i);
		fold_marks(s, user, U16_MAX);
	}
	sp_putc(s, ';');
	sp_report_waker(s, stack, sp_text_folded);
}

/**
 * sp_report_stacks_folded() - the stacks of a line, as flame graph programs read them
 * @s: where to; a semicolon before each frame
 * @view: the view
 * @line: with a TID, unless it is nobody's
 */
void sp_report_stacks_folded(struct seq_buf *s, const struct sp_view *view,
			     const struct sp_report_entry *line)
{
	if (sp_view_is_idle(view, line->kernel))
		sp_puts(s, ";[waiting_for_work]");
	if (line->lost && line->who.tid)
		sp_puts(s, ";[lost_stack]");
	if (line->user)
		fold_stack(s, view, line->who.program, line->user);
	if (line->kernel)
		fold_stack(s, view, 0, line->kernel);
	if (line->waker)
		fold_waker(s, view, line->waker);
}

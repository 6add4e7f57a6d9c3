// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle: which stacks of a view are those of tasks that wait for work. Found out when a file
 * is opened, once for each stack, by the names of its innermost frames: hooks know nothing of
 * it. Only time off the CPU is waited, so other modes have no such stacks.
 *
 * A stack says where a task left the CPU, and a task that was preempted stands in
 * functions of the scheduler that do not sleep for their callers. So being preempted in
 * ep_poll() is no wait for work, nor is a lock or a page fault in there.
 *
 * Process context; owned by one reader, so there is no lock.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>

#include "lib/export.h"
#include "lib/idle_waits.h"
#include "lib/readers.h"
#include "report/idle.h"

/* Frames whose names are remembered: few functions call the scheduler. */
#define KNOWN_BITS	9

/* What all stacks of a view are asked with. */
struct asking {
	struct sp_view *view;
	const struct sp_idle_waits *list;
	unsigned long *asked;		/* stacks, by number */
	struct {
		unsigned long address;	/* 0: nothing is here */
		enum sp_idle_frame tells;
	} known[1 << KNOWN_BITS];
};

/* Names are there whatever kptr_restrict and lockdown hide: addresses are not shown. */
static enum sp_idle_frame ask_frame(struct asking *asking, unsigned long address)
{
	u32 place = hash_long(address, KNOWN_BITS);
	char symbol[KSYM_SYMBOL_LEN];

	if (asking->known[place].address == address)
		return asking->known[place].tells;
	/* It is a return address: the call lies before it. */
	snprintf(symbol, sizeof(symbol), "%ps", (void *)(address - 1));
	asking->known[place].address = address;
	asking->known[place].tells = sp_idle_waits_frame(asking->list, symbol);
	return asking->known[place].tells;
}

/* What says that it is no place where a task sleeps, or that it is not a kernel stack. */
#define NOT_ASLEEP	(SP_STACK_USER | SP_STACK_WAKER | SP_STACK_CALLS | SP_STACK_MOVED | \
			 SP_STACK_RUNNING | SP_STACK_UNSEEN | SP_STACK_EXITED |		\
			 SP_STACK_ON_CPU | SP_STACK_QUEUED)

static bool ask_frames(struct asking *asking, const struct sp_stack *stack)
{
	enum sp_idle_frame tells = SP_IDLE_CALLER;
	u32 i;

	if (stack->flags & NOT_ASLEEP)
		return false;
	for (i = 0; i < stack->n && tells == SP_IDLE_CALLER; i++)
		tells = ask_frame(asking, sp_frame_kernel(stack->frame[i]));
	return tells == SP_IDLE_YES;
}

static void ask_stack(struct asking *asking, const struct sp_stack *stack)
{
	u32 number = sp_view_stack_number(asking->view, stack);

	if (stack && !__test_and_set_bit(number, asking->asked) && ask_frames(asking, stack))
		__set_bit(number, asking->view->idle_stacks);
}

static void ask_event(const struct sp_trace_record *record, void *data)
{
	struct asking *asking = data;

	ask_stack(asking, sp_stack_table_known(&asking->view->recording->stacks,
					       record->kernel));
}

static int ask_all(struct asking *asking)
{
	struct sp_view *view = asking->view;
	u32 i, stacks = view->recording->stacks.max + 1 + view->own_stacks;

	view->idle_stacks = sp_view_bits(stacks);
	asking->asked = sp_view_bits(stacks);
	if (!view->idle_stacks || !asking->asked)
		return -ENOMEM;
	for (i = 0; i < view->count; i++) {
		struct sp_report_entry *line = &view->lines[i];

		if (line->sum.count)
			ask_stack(asking, line->kernel);
		if (sp_view_is_idle(view, line->kernel))
			view->idle_ns += line->sum.total;
		sp_readers_yield();
	}
	return sp_events_each(&view->events, ask_event, asking);
}

/**
 * sp_idle_find() - find the stacks of those who wait for work
 * @view: taken, with all of its lines
 * @list: the functions that they wait in
 *
 * Return: 0, or -ENOMEM, or what sp_events_each() says.
 */
int sp_idle_find(struct sp_view *view, const struct sp_idle_waits *list)
{
	struct asking *asking;
	int err;

	if (!sp_mode_sleeps(view->recording->mode))
		return 0;
	asking = sp_readers_alloc(sizeof(*asking));
	if (!asking)
		return -ENOMEM;
	asking->view = view;
	asking->list = list;
	err = ask_all(asking);
	sp_readers_free(asking->asked);
	sp_readers_free(asking);
	return err;
}
SP_EXPORT_FOR_KUNIT(sp_idle_find);

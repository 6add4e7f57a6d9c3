// SPDX-License-Identifier: GPL-2.0-only
/*
 * events: where single intervals were. Reads reports and has no state, so nothing is
 * locked.
 */
#include <stdio.h>

#include "events.h"

#define FRAME	4096

/* Prints the frames, the outermost first; @whose they are, or NULL: the event's. */
static void print_event_stack(const struct cli_report *report,
			      const struct schedprof_event *event,
			      const struct schedprof_task *whose,
			      const struct schedprof_stack *stack, FILE *out)
{
	struct schedprof_frame frame;
	char text[FRAME];
	size_t i;
	bool known;

	if (!stack)
		return;
	for (i = stack->frame_count; i--; ) {
		if (whose)
			known = schedprof_frame(report->recording, whose, stack, i,
						&report->names, &frame, sizeof(frame));
		else
			known = schedprof_event_frame(report->recording, event, stack, i,
						      &report->names, &frame, sizeof(frame));
		if (!known)
			continue;
		schedprof_frame_text(&frame, sizeof(frame), SCHEDPROF_FOLDED, text,
				     sizeof(text));
		fprintf(out, "%s%s", ftell(out) ? ";" : "", text);
	}
}

/**
 * cli_event_stack() - where it was
 * @report: the report
 * @event: one of its recording's
 *
 * Return: "outermost;...;innermost", to be freed; NULL if there is no memory.
 */
char *cli_event_stack(const struct cli_report *report,
		      const struct schedprof_event *event)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (schedprof_event_is_idle(report->recording, event, &report->names))
		fputs("[waiting_for_work]", out);
	print_event_stack(report, event, NULL, event->user, out);
	print_event_stack(report, event, NULL, event->kernel, out);
	return fclose(out) ? NULL : text;
}

/**
 * cli_event_waker_stack() - where it was that woke the task
 * @report: the report
 * @event: one of its recording's, with a waker
 *
 * Return: as cli_event_stack().
 */
char *cli_event_waker_stack(const struct cli_report *report,
			    const struct schedprof_event *event)
{
	const struct schedprof_stack *waker = event->waker;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print_event_stack(report, event, waker->program, waker->user, out);
	print_event_stack(report, event, NULL, waker, out);
	return fclose(out) ? NULL : text;
}

/**
 * cli_event_function() - which function it is about, in mode function
 * @report: the report
 * @event: one of its recording's
 *
 * Return: its name; NULL in other modes.
 */
const char *cli_event_function(const struct cli_report *report,
			       const struct schedprof_event *event)
{
	const struct schedprof_symbol *symbol = NULL;

	if (event->function)
		symbol = schedprof_symbol_find(report->recording, event->function);
	return symbol ? symbol->function : NULL;
}

/**
 * cli_event_task() - who it was, for whatever takes a task
 * @event: the event, whose name it borrows
 *
 * Return: what is known of it; the task need not have a record.
 */
struct schedprof_task cli_event_task(const struct schedprof_event *event)
{
	return (struct schedprof_task){
		.tid = event->tid, .tgid = event->tgid, .start_ns = event->start_ns,
		.comm = event->comm, .leader_comm = "",
	};
}

/**
 * cli_events_have_threads() - is there a place for events beside the rows
 * @report: the report
 *
 * They are of threads, so there is one only if the rows are.
 */
bool cli_events_have_threads(const struct cli_report *report)
{
	const struct cli_options *o = report->o;

	return o->group == SCHEDPROF_BY_THREAD &&
	       (o->by == CLI_BY_ENTRY || o->by == CLI_BY_TASK);
}

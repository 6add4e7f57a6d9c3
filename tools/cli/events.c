// SPDX-License-Identifier: GPL-2.0-only
/*
 * events: where single intervals were. Reads reports and has no state, so nothing is
 * locked.
 */
#include <stdio.h>

#include "events.h"

#define FRAME	4096

/* Prints the frames, the outermost first. */
static void print_event_stack(const struct cli_report *report,
			      const struct schedprof_event *event,
			      const struct schedprof_stack *stack, FILE *out)
{
	struct schedprof_frame frame;
	char text[FRAME];
	size_t i;

	if (!stack)
		return;
	for (i = stack->frame_count; i--; ) {
		if (!schedprof_event_frame(report->recording, event, stack, i,
					   &report->names, &frame,
					   sizeof(frame)))
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
	if (event->kernel && event->kernel->flags & SCHEDPROF_STACK_IDLE)
		fputs("[waiting_for_work]", out);
	print_event_stack(report, event, event->user, out);
	print_event_stack(report, event, event->kernel, out);
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

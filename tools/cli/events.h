/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events: where single intervals were. Functions without state, so nothing is
 * locked.
 */
#ifndef CLI_EVENTS_H
#define CLI_EVENTS_H

#include "rows.h"

char *cli_event_stack(const struct cli_report *report,
		      const struct schedprof_event *event);
const char *cli_event_function(const struct cli_report *report,
			       const struct schedprof_event *event);
char *cli_event_waker_stack(const struct cli_report *report,
			    const struct schedprof_event *event);
struct schedprof_task cli_event_task(const struct schedprof_event *event);
bool cli_events_have_threads(const struct cli_report *report);

#endif

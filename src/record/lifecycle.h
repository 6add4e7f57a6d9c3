/* SPDX-License-Identifier: GPL-2.0-only */
/* Birth, start, end and death of a recording. Process context, the session's mutex held. */
#ifndef SP_RECORD_LIFECYCLE_H
#define SP_RECORD_LIFECYCLE_H

#include "record/recording.h"

struct sp_why;

int sp_recording_init(void);
void sp_recording_exit(void);
struct sp_recording *sp_recording_create(const char *name,
					 const struct sp_config *config,
					 const struct sp_filter *filter,
					 struct sp_functions *functions,
					 const struct sp_function_ops *ops,
					 struct sp_why *why);
void sp_recording_put(struct sp_recording *recording);
int sp_recording_start(struct sp_recording *recording, struct sp_why *why);
int sp_recording_stop(struct sp_recording *recording, bool keep, struct sp_why *why);
void sp_recording_run_work(struct sp_recording *recording);
void sp_recording_look_at_waker(struct sp_recording *recording, const struct sp_stack *stack,
				const struct sp_look_times *times);
void sp_recording_flush(struct sp_recording *recording);

#endif

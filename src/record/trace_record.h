/* SPDX-License-Identifier: GPL-2.0-only */
/* An interval on its way into the event trace. Hooks, interrupts off. */
#ifndef SP_RECORD_TRACE_RECORD_H
#define SP_RECORD_TRACE_RECORD_H

#include "record/recording.h"

/* One interval that is recorded now, as sp_record_event() wants it. */
struct sp_ending {
	u64 length;
	u64 at;			/* when it ended */
	u32 cpu;
	bool irqs_off;
	u16 depth;		/* mode function: functions around it */
	u64 function;		/* mode function: its entry */
	const struct task_struct *task;	/* NULL: not at hand */
};

void sp_record_event(struct sp_recording *recording, struct sp_recording_cpu *part,
		     const struct sp_thread *thread, const struct sp_key *key,
		     const struct sp_ending *ending);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_record: an interval that was recorded, into the event trace. Runs inside
 * hooks as record/account.c does; see record/events.c for why it may.
 */
#include "record/recording.h"
#include "record/trace_record.h"

/**
 * sp_record_event() - keep an interval as an event
 * @recording: one with a trace
 * @part: of it, where the interval is counted
 * @thread: whose interval it was
 * @key: its stacks
 * @ending: the interval
 *
 * Context: a hook; or process, once no hook sees the recording.
 */
void sp_record_event(struct sp_recording *recording, struct sp_recording_cpu *part,
		     const struct sp_thread *thread, const struct sp_key *key,
		     const struct sp_ending *ending)
{
	struct sp_trace_record record = {
		.at = ending->at,
		.length = ending->length,
		.function = ending->function,
		.depth = ending->depth,
		.start_time = thread->who.start_time,
		.tid = thread->who.tid,
		.tgid = thread->who.tgid,
		.exec_id = thread->exec_id,
		.kernel = key->kernel,
		.user = key->user,
		.waker = key->waker,
		.cpu = ending->cpu,
		.flags = ending->irqs_off ? SP_HAPPENING_IRQS_OFF : 0,
	};

	/* The name that it has now; the thread has the one that it had at first. */
	memcpy(record.comm, ending->task ? ending->task->comm : thread->who.comm,
	       sizeof(record.comm) - 1);
	if (!sp_events_add(&recording->events, &record))
		part->refused_events++;
}

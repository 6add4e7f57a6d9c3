/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of one interval in one recording. In hooks, but for what says something
 * else; see record/account.c.
 */
#ifndef SP_RECORD_ACCOUNT_H
#define SP_RECORD_ACCOUNT_H

#include "record/interval.h"
#include "record/recording.h"
#include "task/task_table.h"

struct sp_open_interval;

void sp_deliver(struct sp_switch *sw, unsigned int times);
void sp_record_leave(struct sp_recording *recording, struct sp_switch *sw);
void sp_record_waker(struct sp_recording *recording, const struct sp_task *st,
		     struct sp_cpu *cpu, bool called);
bool sp_record_waker_again(const struct sp_recording *recording, const struct sp_task *st,
			   struct sp_cpu *cpu, struct sp_waking *waking);
void sp_record_inside(struct sp_recording *recording, struct sp_switch *sw,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off);
void sp_record_sample(struct sp_recording *recording, struct sp_switch *sw,
		      struct pt_regs *regs);
void sp_record_nosched_span(struct sp_recording *recording, struct sp_switch *sw,
			    const struct sp_nosched_span_end *ended);
void sp_record_exit(struct sp_recording *recording, struct sp_task *st,
		    struct task_struct *task);
void sp_record_who(struct sp_recording *recording, const struct sp_thread *thread,
		   struct sp_who *who);
void sp_record_who_now(struct sp_recording *recording, const struct sp_thread *thread,
		       struct sp_who *who);
bool sp_record_know(struct sp_recording *recording, const struct sp_switch *sw, bool wanted);
void sp_record_keep_names(struct sp_recording *recording);
void sp_record_no_books(struct sp_recording *recording);
void sp_record_no_slot(struct sp_recording *recording, unsigned int intervals);
void sp_record_filtered(struct sp_recording *recording, unsigned int intervals);

/* In process context: */
void sp_record_cut(struct sp_recording *recording, const struct sp_open_interval *open);

void sp_record_cut_nosched_span(struct sp_recording *recording);

/* For those that record: */
struct sp_thread *sp_record_new_thread(struct sp_recording *recording,
				       const struct sp_switch *sw);
void sp_record_ask_for_mappings(struct sp_recording *recording, const struct sp_thread *thread);
u32 sp_record_user_stack(struct sp_recording *recording, struct sp_switch *sw);

/**
 * sp_record_thread() - the thread of a task that is switched, added if it is new
 * @recording: a live recording
 * @sw: of a task
 *
 * Return: the thread, or NULL if there is no room.
 */
static __always_inline struct sp_thread *sp_record_thread(struct sp_recording *recording,
							  const struct sp_switch *sw)
{
	const struct sp_task *st = sw->st;
	struct sp_thread *thread = sp_threads_find(&recording->threads, sp_task_slot(st),
						   st->serial, st->exec_id);

	return likely(thread) ? thread : sp_record_new_thread(recording, sw);
}

#endif

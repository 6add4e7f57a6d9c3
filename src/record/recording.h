/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_RECORD_RECORDING_H
#define SP_RECORD_RECORDING_H

#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "record/events.h"
#include "task/filter.h"
#include "lib/histogram.h"
#include "hook/switch.h"
#include "record/mappings.h"
#include "lib/ledger.h"
#include "task/mode.h"
#include "record/threads.h"
#include "task/clock.h"
#include "lib/stack_table.h"
#include "lib/tally.h"

struct sp_functions;
struct sp_sleeper;
struct sp_why;

enum sp_stack_kinds {
	SP_WANT_KERNEL	= 1 << 0,
	SP_WANT_USER	= 1 << 1,
	SP_WANT_WAKER	= 1 << 2,
};

/* What a recording is made with; a copy, immutable. */
struct sp_settings {
	const struct sp_mode *mode;
	u32 stacks;		/* enum sp_stack_kinds */
	u32 depth;
	u32 max_tasks;
	u32 max_stacks;
	u32 max_entries;
	u32 trace_kb;		/* event trace, for each CPU; 0: none */
	u64 period_ns;		/* of samples */
	const char *name;	/* of the session; valid when it is made */
	struct sp_functions *functions;	/* NULL: none are profiled; the same */
	bool ledger;
	enum sp_source source;
};

/*
 * What became of the intervals of the mode that tasks finished: each is in exactly
 * one of these. Those of tasks that no recording wants are counted by the CPU, for all
 * recordings at once (struct sp_counts).
 */
struct sp_fates {
	u64 filtered;		/* another task, or another state; over before begin */
	u64 below_min;
	u64 above_max;
	u64 lost_tasks;
	u64 lost_stacks;
	u64 lost_entries;
	u64 recorded;
};

/* Of one CPU: written by it alone with interrupts off, under its sequence. */
struct sp_recording_cpu {
	bool live;
	bool closing;		/* not live any more: what is handed on is claimed */
	struct sp_counts base;	/* the CPU's counts when this part began */
	struct sp_counts kept;	/* once it is over: counts since then */
	struct sp_fates fates;
	u64 unbooked;		/* events of tasks without a row for their books */
	u64 refused_events;	/* that the trace did not take */
	u64 calls;		/* of functions, that ended or were not wanted */
	u64 call_ns;		/* spent on them by us, extrapolated from samples */
	u32 call_sample;	/* calls until the next sample */
	struct sp_histogram histogram;
	struct sp_sum lost;	/* time that has no row to be in */
	/* Stacks that were taken inside the stretch that began then, if any. */
	u64 inside_since;
	u32 inside_exec;	/* which program the task ran */
	u32 inside_row;
	u32 inside_kernel;
	u32 inside_user;
};

/*
 * All that is recorded from one start to the next. Readers hold a reference
 * and may outlive the session.
 */
struct sp_recording {
	struct kref kref;
	struct sp_settings settings;
	char name[64];		/* of the session, cut if it is longer */
	const struct sp_filter *filter;	/* the session's; while live only */
	struct sp_now begin;	/* immutable while live */
	struct sp_now end;	/* all 0 until it is being stopped */
	u64 bytes;		/* memory held */
	int bit;		/* in sp_task.match; -1 while not live */
	bool closing;		/* it is being stopped: no short ways; READ_ONCE */
	/* While it is closing: tasks whose last interval was handed on, by clock; atomic. */
	unsigned long *claimed;
	struct sp_recording_cpu __percpu *cpu;
	struct sp_stack_table stacks;
	struct sp_tally tally;
	struct sp_roster roster;
	bool extras;		/* it has a ledger, or wants to know wakers */
	struct sp_ledger *ledger;	/* by row; NULL unless wanted */
	struct sp_events events;	/* the trace, if it has one */
	u32 *wakers;		/* stacks, by task clock; NULL unless wanted */
	struct sp_functions *functions;	/* reference; NULL unless wanted */
	u64 epoch;		/* of functions: counts the session's recordings */
	struct sp_books *books;	/* once it has ended; under reading */
	struct sp_images images;
	struct mutex reading;	/* a reader's view against folding and the end */
	struct sp_sum unplaced;	/* folded, but no entry was free; under reading */
	struct irq_work kick;	/* from a hook: there is work */
	bool kicked;		/* and the worker has not begun; READ_ONCE */
	struct delayed_work work;	/* images and folding, process context */
};

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

/* When it began, by its own source. */
static inline u64 sp_recording_begin(const struct sp_recording *recording)
{
	return recording->begin.at[recording->settings.source];
}

/* When it ended, by its own source; 0 until it is being stopped. */
static inline u64 sp_recording_end(const struct sp_recording *recording)
{
	return recording->end.at[recording->settings.source];
}

/* Has it ended? Under its reading mutex, or when it does not matter. */
static inline bool sp_recording_over(const struct sp_recording *recording)
{
	return READ_ONCE(recording->end.at[SP_SOURCE_MONO]);
}

int sp_recording_init(void);
void sp_recording_exit(void);
struct sp_recording *sp_recording_create(const struct sp_settings *settings,
					 const struct sp_filter *filter,
					 struct sp_why *why);
struct sp_recording *sp_recording_get(struct sp_recording *recording);
void sp_recording_put(struct sp_recording *recording);
int sp_recording_start(struct sp_recording *recording, struct sp_why *why);
int sp_recording_stop(struct sp_recording *recording, bool keep, struct sp_why *why);
bool sp_recording_claim(struct sp_recording *recording, u32 slot);
void sp_recording_catch_up(struct sp_recording *recording);
void sp_recording_flush(struct sp_recording *recording);
u64 sp_recording_bytes(const struct sp_settings *settings);

/* Where the time of every task went; owned by whoever took it, vfree(). */
struct sp_books {
	u32 count;
	struct sp_book {
		struct sp_who who;
		u64 serial;			/* of the task's clock */
		struct sp_ledger ledger;
		struct sp_kernel_books now;	/* unless it has ended */
		bool off_cpu;			/* and now is exact */
		bool lives;			/* and now is filled */
	} list[];
};

/* What a reader gets of all CPUs together. */
struct sp_totals {
	struct sp_counts counts;
	struct sp_fates fates;
	u64 unbooked;
	u64 refused_events;
	u64 overwritten_events;
	u64 call_ns;
	struct sp_histogram histogram;
	struct sp_sum lost;
	u64 enabled_ns;
};

u64 sp_recording_ns(const struct sp_recording *recording);
int sp_recording_totals(struct sp_recording *recording, struct sp_totals *totals);

/* record/account.c: hooks only */
void sp_deliver(struct sp_event *event, unsigned int times);
void sp_record_leave(struct sp_recording *recording, struct sp_event *event);
void sp_record_waker(struct sp_recording *recording, const struct sp_task *slot,
		     const struct sp_walk *walk);
bool sp_record_waker_again(const struct sp_recording *recording,
			   const struct sp_task *slot, const struct sp_waking *waking);
void sp_record_inside(struct sp_recording *recording, struct sp_event *event,
		      u64 since, u64 ns, struct pt_regs *regs, bool irqs_off);
void sp_record_stretch(struct sp_recording *recording, struct sp_event *event,
		       const struct sp_stretched *stretched);
void sp_record_exit(struct sp_recording *recording, struct sp_task *slot,
		    struct task_struct *task);
void sp_record_no_slot(struct sp_recording *recording);
void sp_record_filtered(struct sp_recording *recording);

/* record/account.c: process context */
bool sp_record_fits(const struct sp_recording *recording, u64 ns);
void sp_record_cut(struct sp_recording *recording, const struct sp_sleeper *sleeper);

void sp_record_cut_stretch(struct sp_recording *recording);

/* record/trace_record.c */
void sp_record_event(struct sp_recording *recording, struct sp_recording_cpu *part,
		     const struct sp_row *row, const struct sp_key *key,
		     const struct sp_ending *ending);

/* record/ledger_snapshot.c */
struct sp_books *sp_books_take(struct sp_recording *recording);
struct sp_books *sp_books_read(struct sp_recording *recording);

/* record/compact.c */
bool sp_recording_wants_fold(const struct sp_recording *recording);
void sp_recording_fold(struct sp_recording *recording);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording: all that one session keeps from one start to the next, and its
 * birth, start, end and death.
 *
 * Memory is taken when it is created and never grows. Hooks see it from
 * sp_live_add() to sp_live_del(). What a CPU counts belongs to that CPU: it is
 * switched on and off there, with interrupts off, so that counts agree to the
 * last event. Readers hold references and may outlive the session.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "function.h"
#include "live.h"
#include "memory.h"
#include "recording.h"
#include "sleepers.h"
#include "task_table.h"
#include "why.h"
#include "widen.h"

/* When a program is looked at again that was too busy. */
#define RETRY_JIFFIES (HZ / 20)

static struct workqueue_struct *workqueue;

/* Context: process, at load. Return: 0 or -ENOMEM. */
int sp_recording_init(void)
{
	workqueue = alloc_workqueue("schedprof", WQ_UNBOUND, 0);
	return workqueue ? 0 : -ENOMEM;
}

/* Context: process, at unload: no recording is left. */
void sp_recording_exit(void)
{
	destroy_workqueue(workqueue);
}

static u32 programs_of(const struct sp_settings *settings)
{
	return settings->stacks & SP_WANT_USER ? settings->max_tasks : 0;
}

static u64 ledger_bytes(const struct sp_settings *settings)
{
	return (settings->max_tasks + SP_ROW_FIRST) * sizeof(struct sp_ledger);
}

static u64 claimed_bytes(void)
{
	return BITS_TO_LONGS(sp_task_table_slots()) * sizeof(long);
}

static u64 wakers_bytes(void)
{
	return sp_task_table_slots() * sizeof(u32);
}

/**
 * sp_recording_bytes() - memory that a recording takes, all of it at creation
 * @settings: what it would be made with
 */
u64 sp_recording_bytes(const struct sp_settings *settings)
{
	return sizeof(struct sp_recording) +
	       claimed_bytes() +
	       num_possible_cpus() * sizeof(struct sp_recording_cpu) +
	       sp_stack_table_bytes(settings->max_stacks, settings->depth) +
	       sp_tally_bytes(settings->max_entries) +
	       sp_roster_bytes(settings->max_tasks, sp_task_table_slots()) +
	       sp_images_bytes(programs_of(settings)) +
	       (settings->ledger ? ledger_bytes(settings) : 0) +
	       (settings->stacks & SP_WANT_WAKER ? wakers_bytes() : 0) +
	       (settings->functions ?
		sp_functions_bytes(settings->functions->list, settings) : 0) +
	       sp_events_bytes(settings->trace_kb);
}

/* Returns false if a program's mappings are being changed: it stays wanted. */
static bool look(struct sp_recording *recording)
{
	bool all = true;
	struct sp_roster *roster = &recording->roster;
	u32 end = sp_roster_end(roster), number, image = 0, exec_id = 0;
	pid_t tgid = 0;

	for_each_set_bit(number, roster->wanted, end) {
		struct sp_row *row = &roster->rows[number];

		/* The worker and a reader may be here at the same time. */
		if (!test_and_clear_bit(number, roster->wanted))
			continue;
		/* Rows of one process often come together: look once. */
		if ((row->who.tgid != tgid || row->exec_id != exec_id || !image) &&
		    !sp_images_look(&recording->images, row->pid, &row->who,
				    row->exec_id, &image)) {
			set_bit(number, roster->wanted);
			tgid = 0;
			all = false;
			continue;
		}
		tgid = row->who.tgid;
		exec_id = row->exec_id;
		if (image)
			WRITE_ONCE(row->who.image, image);
		cond_resched();
	}
	return all;
}

static void work(struct work_struct *work)
{
	struct sp_recording *recording =
		container_of(to_delayed_work(work), struct sp_recording, work);

	WRITE_ONCE(recording->kicked, false);
	/* Pairs with sp_record_want(). */
	smp_mb();
	/* Nothing may be queued any more once the recording has ended. */
	if (programs_of(&recording->settings) && !look(recording) &&
	    !sp_recording_over(recording))
		queue_delayed_work(workqueue, &recording->work, RETRY_JIFFIES);
	if (sp_recording_wants_fold(recording))
		sp_recording_fold(recording);
}

/* In a hard interrupt right behind the hook, which could not do this itself. */
static void kick(struct irq_work *kick)
{
	struct sp_recording *recording =
		container_of(kick, struct sp_recording, kick);

	mod_delayed_work(workqueue, &recording->work, 0);
}

static void destroy(struct sp_recording *recording)
{
	sp_functions_put(recording->functions);
	vfree(recording->books);
	vfree(recording->ledger);
	vfree(recording->wakers);
	vfree(recording->claimed);
	sp_events_destroy(&recording->events);
	sp_images_destroy(&recording->images);
	sp_roster_destroy(&recording->roster);
	sp_tally_destroy(&recording->tally);
	sp_stack_table_destroy(&recording->stacks);
	free_percpu(recording->cpu);
	mutex_destroy(&recording->reading);
	kfree(recording);
}

static int take_memory(struct sp_recording *recording)
{
	const struct sp_settings *settings = &recording->settings;

	recording->cpu = alloc_percpu(struct sp_recording_cpu);
	if (!recording->cpu ||
	    sp_stack_table_init(&recording->stacks, settings->max_stacks,
				settings->depth) ||
	    sp_tally_init(&recording->tally, settings->max_entries) ||
	    sp_roster_init(&recording->roster, settings->max_tasks,
			   sp_task_table_slots()) ||
	    sp_images_init(&recording->images, programs_of(settings)) ||
	    sp_events_init(&recording->events, settings->trace_kb))
		return -ENOMEM;
	recording->claimed = sp_alloc(claimed_bytes());
	if (!recording->claimed)
		return -ENOMEM;
	if (settings->ledger)
		recording->ledger = sp_alloc(ledger_bytes(settings));
	if (settings->stacks & SP_WANT_WAKER)
		recording->wakers = sp_alloc(wakers_bytes());
	if ((settings->ledger && !recording->ledger) ||
	    (settings->stacks & SP_WANT_WAKER && !recording->wakers))
		return -ENOMEM;
	return 0;
}

/**
 * sp_recording_create() - make an empty recording
 * @settings: copied
 * @filter: outlives the time in which the recording is live
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed: it has a place for each
 * task clock.
 * Return: the recording with one reference, or ERR_PTR(-ENOMEM).
 */
struct sp_recording *sp_recording_create(const struct sp_settings *settings,
					 const struct sp_filter *filter,
					 struct sp_why *why)
{
	u64 bytes = sp_recording_bytes(settings);
	struct sp_recording *recording = NULL;

	if (bytes >> PAGE_SHIFT < si_mem_available())
		recording = kzalloc(sizeof(*recording), GFP_KERNEL);
	if (!recording)
		goto err_memory;
	kref_init(&recording->kref);
	mutex_init(&recording->reading);
	init_irq_work(&recording->kick, kick);
	INIT_DELAYED_WORK(&recording->work, work);
	recording->settings = *settings;
	recording->extras = settings->ledger || settings->stacks & SP_WANT_WAKER;
	strscpy(recording->name, settings->name, sizeof(recording->name));
	recording->settings.name = recording->name;
	if (settings->functions)
		recording->functions = sp_functions_get(settings->functions);
	recording->filter = filter;
	recording->bytes = bytes;
	recording->bit = -1;
	if (take_memory(recording))
		goto err_destroy;
	return recording;

err_destroy:
	destroy(recording);
err_memory:
	return ERR_PTR(sp_refuse(why, -ENOMEM,
		"recording needs %llu bytes, which are not free; lower trace_kb, max_stacks, max_entries, max_tasks or stack_depth",
		bytes));
}

struct sp_recording *sp_recording_get(struct sp_recording *recording)
{
	kref_get(&recording->kref);
	return recording;
}

static void release(struct kref *kref)
{
	destroy(container_of(kref, struct sp_recording, kref));
}

/**
 * sp_recording_put() - drop a reference
 * @recording: not live
 *
 * Context: process, may sleep.
 */
void sp_recording_put(struct sp_recording *recording)
{
	kref_put(&recording->kref, release);
}

static void subtract_returns(struct sp_returns *returns, const struct sp_returns *base)
{
	returns->sleepers -= base->sleepers;
	returns->woken_sleepers -= base->woken_sleepers;
	returns->runnables -= base->runnables;
	returns->newcomers -= base->newcomers;
}

static void subtract(struct sp_counts *counts, const struct sp_counts *base)
{
	unsigned int time;

	counts->switches -= base->switches;
	counts->wakeups -= base->wakeups;
	counts->samples -= base->samples;
	for (time = 0; time < SP_TIMES; time++)
		counts->intervals[time] -= base->intervals[time];
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		counts->filtered[time] -= base->filtered[time];
	subtract_returns(&counts->wanted, &base->wanted);
	subtract_returns(&counts->unwanted, &base->unwanted);
	counts->clock_steps -= base->clock_steps;
	counts->no_slot -= base->no_slot;
	counts->blind_ns -= base->blind_ns;
	counts->overhead_ns -= base->overhead_ns;
}

static void part_on(struct sp_recording_cpu *part, const struct sp_counts *counts)
{
	part->base = *counts;
	part->live = true;
}

static void part_off(struct sp_recording_cpu *part, const struct sp_counts *counts)
{
	part->live = false;
	part->kept = *counts;
	subtract(&part->kept, &part->base);
}

/* The same, but tasks that come in still hand on what they did until the end. */
static void part_closing(struct sp_recording_cpu *part, const struct sp_counts *counts)
{
	part_off(part, counts);
	part->closing = true;
}

struct turn {
	struct sp_recording *recording;
	void (*part)(struct sp_recording_cpu *part, const struct sp_counts *counts);
};

static void turn_here(void *data)
{
	struct turn *turn = data;

	turn->part(this_cpu_ptr(turn->recording->cpu), &this_cpu_ptr(sp_cpu)->counts);
	if (turn->part != part_on)
		sp_record_cut_stretch(turn->recording);
}

/* On every CPU with interrupts off there, so that no hook runs meanwhile. */
static void turn_all(struct sp_recording *recording,
		     void (*part)(struct sp_recording_cpu *part,
				  const struct sp_counts *counts))
{
	struct turn turn = { .recording = recording, .part = part };
	int cpu;

	cpus_read_lock();
	on_each_cpu(turn_here, &turn, 1);
	/* No hook runs on the others, and the lock keeps them off. */
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			part(per_cpu_ptr(recording->cpu, cpu),
			     &per_cpu_ptr(sp_cpu, cpu)->counts);
	cpus_read_unlock();
}

/**
 * sp_recording_start() - let hooks fill a recording
 * @recording: fresh
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or -ENOSPC if too many recordings are live.
 */
int sp_recording_start(struct sp_recording *recording, struct sp_why *why)
{
	int err;

	err = sp_live_add(recording);
	if (err)
		return sp_refuse(why, err, "%d sessions are enabled already; disable one first",
				 SP_MAX_ENABLED);
	turn_all(recording, part_on);
	return 0;
}

static void cut_one(const struct sp_sleeper *sleeper, void *data)
{
	sp_record_cut(data, sleeper);
}

/**
 * sp_recording_catch_up() - do what hooks asked the worker for
 * @recording: a recording; the caller does not hold its reading mutex
 *
 * The worker may wait for a CPU that somebody keeps busy, which is what the
 * caller wants to see. So it is waited for only if it is at work already.
 *
 * Context: process, may sleep.
 */
void sp_recording_catch_up(struct sp_recording *recording)
{
	if (programs_of(&recording->settings))
		look(recording);
	if (sp_recording_wants_fold(recording))
		sp_recording_fold(recording);
	if (work_busy(&recording->work.work) & WORK_BUSY_RUNNING)
		flush_delayed_work(&recording->work);
}

/**
 * sp_recording_flush() - wait until what hooks asked for is done
 * @recording: a recording
 *
 * Context: process, may sleep.
 */
void sp_recording_flush(struct sp_recording *recording)
{
	mod_delayed_work(workqueue, &recording->work, 0);
	flush_delayed_work(&recording->work);
}

/**
 * sp_recording_claim() - hand on the last interval of a task, if nobody has
 * @recording: one that is being stopped
 * @slot: place of the task's clock
 *
 * Context: any, also a hook.
 * Return: false if it was handed on.
 */
bool sp_recording_claim(struct sp_recording *recording, u32 slot)
{
	return !test_and_set_bit(slot, recording->claimed);
}

static void publish_end(struct sp_recording *recording)
{
	enum sp_source source;
	unsigned long flags;
	struct sp_now now;

	/* Between reading the clocks and telling, hooks hand on what is later. */
	local_irq_save(flags);
	sp_now_read_all(&now);
	for (source = 0; source < SP_SOURCES; source++)
		WRITE_ONCE(recording->end.at[source], now.at[source]);
	local_irq_restore(flags);
	/* Before clocks of tasks are looked at. Pairs with closes() in record.c. */
	smp_mb();
}

/* What is still open ends here, and nothing is to be handed on but that. */
static void close(struct sp_recording *recording, struct sp_sleepers *sleepers)
{
	/* Hooks go the long way from now on: the next generation forgets short ones. */
	WRITE_ONCE(recording->closing, true);
	sp_live_refilter();
	turn_all(recording, part_closing);
	sp_window();
	publish_end(recording);
	sp_sleepers_find(sleepers, recording);
}

/* There was no room: they were born after the list was made, and before the end. */
static void count_missed(struct sp_recording *recording, u32 missed)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);

	cpu->kept.intervals[recording->settings.mode->time] += missed;
	cpu->fates.lost_tasks += missed;
}

/*
 * Until sp_live_del() hooks hand on what they claim. Then no other writes to the
 * recording.
 */
static void cut(struct sp_recording *recording, struct sp_sleepers *sleepers)
{
	close(recording, sleepers);
	sp_live_del(recording);
	sp_sleepers_visit(sleepers, recording->settings.stacks, cut_one, recording);
	count_missed(recording, sleepers->missed);
	if (recording->functions)
		sp_record_cut_calls(recording);
}

/* All memory that the end needs: it cannot fail half-way. */
static int prepare_cut(struct sp_recording *recording, struct sp_sleepers *sleepers,
		       struct sp_why *why)
{
	int err = sp_sleepers_init(sleepers);

	/* Each task's books are closed at a moment of its own. */
	if (!err && recording->ledger) {
		recording->books = sp_books_take(recording);
		if (!recording->books) {
			sp_sleepers_free(sleepers);
			err = -ENOMEM;
		}
	}
	if (!err)
		return 0;
	return sp_refuse(why, err, "there is not enough memory to keep what is still open; the session goes on recording, try again, or remove it");
}

/**
 * sp_recording_stop() - hooks shall not fill it any more
 * @recording: a live one
 * @keep: keep the intervals that are open now; else the result is of no
 *	interest to anybody
 * @why: filled on failure
 *
 * On return no hook, interrupt or worker touches it.
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0; only with @keep also -ENOMEM, and then it goes on.
 */
int sp_recording_stop(struct sp_recording *recording, bool keep, struct sp_why *why)
{
	struct sp_sleepers sleepers = { };
	int err = 0;

	/* A reader either sees it live with its sleepers, or ended with all. */
	mutex_lock(&recording->reading);
	if (keep)
		err = prepare_cut(recording, &sleepers, why);
	if (err) {
		mutex_unlock(&recording->reading);
		return err;
	}
	if (keep) {
		cut(recording, &sleepers);
	} else {
		turn_all(recording, part_off);
		sp_now_read_all(&recording->end);
		sp_live_del(recording);
	}
	sp_sleepers_free(&sleepers);
	mutex_unlock(&recording->reading);
	irq_work_sync(&recording->kick);
	sp_recording_flush(recording);
	return 0;
}

/* Intervals of a time that ended when tasks came in, see sp_clock_times(). */
static u64 returned(const struct sp_returns *returns, enum sp_time time)
{
	switch (time) {
	case SP_TIME_ON_CPU:
		return returns->sleepers + returns->runnables - returns->newcomers;
	case SP_TIME_OFF_CPU:
		return returns->sleepers + returns->runnables;
	case SP_TIME_BLOCKED:
		return returns->sleepers;
	case SP_TIME_RUN_QUEUE:
		return returns->woken_sleepers + returns->runnables;
	default:
		return 0;
	}
}

static void add_counts(struct sp_counts *to, const struct sp_counts *from)
{
	unsigned int time;

	to->switches += from->switches;
	to->wakeups += from->wakeups;
	to->samples += from->samples;
	for (time = 0; time < SP_TIMES; time++)
		to->intervals[time] += from->intervals[time] +
				       returned(&from->wanted, time) +
				       returned(&from->unwanted, time);
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		to->filtered[time] += from->filtered[time] + returned(&from->unwanted, time);
	to->clock_steps += from->clock_steps;
	to->no_slot += from->no_slot;
	to->blind_ns += from->blind_ns;
	to->overhead_ns += from->overhead_ns;
}

static void add_fates(struct sp_fates *to, const struct sp_fates *from)
{
	to->filtered += from->filtered;
	to->below_min += from->below_min;
	to->above_max += from->above_max;
	to->lost_tasks += from->lost_tasks;
	to->lost_stacks += from->lost_stacks;
	to->lost_entries += from->lost_entries;
	to->recorded += from->recorded;
}

struct part {
	struct sp_recording *recording;
	struct sp_recording_cpu cpu;
};

static void copy_part(int cpu, void *data)
{
	struct part *part = data;

	part->cpu = *per_cpu_ptr(part->recording->cpu, cpu);
	if (part->cpu.live) {
		part->cpu.kept = per_cpu_ptr(sp_cpu, cpu)->counts;
		subtract(&part->cpu.kept, &part->cpu.base);
	}
}

/* For how long it was or is live. Context: process. */
u64 sp_recording_ns(const struct sp_recording *recording)
{
	return sp_time_between(recording->begin.at[SP_SOURCE_MONO],
			       recording->end.at[SP_SOURCE_MONO] ?:
			       ktime_get_mono_fast_ns());
}

/**
 * sp_recording_totals() - what all CPUs counted
 * @recording: a recording; the caller holds its reading mutex
 * @totals: filled; of each CPU consistent in itself
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_recording_totals(struct sp_recording *recording, struct sp_totals *totals)
{
	struct part *part = kmalloc(sizeof(*part), GFP_KERNEL);
	int cpu;

	lockdep_assert_held(&recording->reading);
	if (!part)
		return -ENOMEM;
	memset(totals, 0, sizeof(*totals));
	part->recording = recording;
	for_each_possible_cpu(cpu) {
		sp_cpu_read(cpu, copy_part, part);
		add_counts(&totals->counts, &part->cpu.kept);
		add_fates(&totals->fates, &part->cpu.fates);
		totals->unbooked += part->cpu.unbooked;
		totals->refused_events += part->cpu.refused_events;
		totals->counts.intervals[SP_TIME_FUNCTION] += part->cpu.calls;
		totals->call_ns += part->cpu.call_ns;
		sp_histogram_merge(&totals->histogram, &part->cpu.histogram);
		sp_sum_merge(&totals->lost, &part->cpu.lost);
	}
	if (recording->settings.mode->time < SP_CLOCK_TIMES)
		totals->fates.filtered +=
			totals->counts.filtered[recording->settings.mode->time];
	totals->overwritten_events = sp_events_overwritten(&recording->events);
	totals->enabled_ns = sp_recording_ns(recording);
	kfree(part);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * totals: what all CPUs counted for a recording.
 *
 * Each CPU counts on its own; a part is copied while no hook runs there, and all parts
 * are added up. The caller holds the recording's reading mutex.
 */
#include <linux/slab.h>

#include "record/totals.h"

static void subtract_returns(struct sp_returns *returns, const struct sp_returns *base)
{
	returns->sleepers -= base->sleepers;
	returns->woken_sleepers -= base->woken_sleepers;
	returns->runnables -= base->runnables;
	returns->newcomers -= base->newcomers;
}

/* What was counted since then. Context: any. */
void sp_counts_subtract(struct sp_counts *counts, const struct sp_counts *base)
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
		sp_counts_subtract(&part->cpu.kept, &part->cpu.base);
	}
}

/**
 * sp_recording_totals() - what all CPUs counted
 * @recording: a recording; the caller holds its reading mutex
 * @totals: filled; of each CPU consistent in itself
 *
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
	if (recording->mode->time < SP_CLOCK_TIMES)
		totals->fates.filtered +=
			totals->counts.filtered[recording->mode->time];
	totals->overwritten_events = sp_events_overwritten(&recording->events);
	totals->enabled_ns = sp_recording_ns(recording);
	kfree(part);
	return 0;
}

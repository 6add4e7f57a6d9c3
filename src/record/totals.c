// SPDX-License-Identifier: GPL-2.0-only
/*
 * totals: what all CPUs counted for a recording.
 *
 * Each CPU counts on its own; a part is copied while no hook runs there, and all parts
 * are added up. The caller holds the recording's reading mutex.
 */
#include <linux/build_bug.h>
#include <linux/slab.h>

#include "record/totals.h"

/* Counters are structs of nothing but u64, so none is forgotten where they are added up. */
#define WORDS(counters)	(sizeof(counters) / sizeof(u64))

static_assert(sizeof(struct sp_counts) % sizeof(u64) == 0);
static_assert(sizeof(struct sp_fates) % sizeof(u64) == 0);
static_assert(sizeof(struct sp_foreign_rest) % sizeof(u64) == 0);
static_assert(sizeof(struct sp_foreign_sums) % sizeof(u64) == 0);

static void add_words(void *to, const void *from, size_t words)
{
	u64 *sum = to;
	const u64 *part = from;

	while (words--)
		*sum++ += *part++;
}

static void subtract_words(void *from, const void *base, size_t words)
{
	u64 *sum = from;
	const u64 *part = base;

	while (words--)
		*sum++ -= *part++;
}

/**
 * sp_recording_cpu_count() - what a CPU counted since the recording began on it
 * @part: the recording's part of that CPU, or a copy: kept and foreign are filled
 * @cpu: the CPU
 *
 * Context: that CPU's hook, or in sp_cpu_read().
 */
void sp_recording_cpu_count(struct sp_recording_cpu *part, int cpu)
{
	part->kept = per_cpu_ptr(sp_cpu, cpu)->counts;
	subtract_words(&part->kept, &part->base, WORDS(part->kept));
	sp_foreign_read(&part->foreign, cpu);
	subtract_words(&part->foreign, &part->foreign_base, WORDS(part->foreign));
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

	add_words(to, from, WORDS(*to));
	for (time = 0; time < SP_TIMES; time++)
		to->intervals[time] += returned(&from->wanted, time) +
				       returned(&from->unwanted, time);
	for (time = 0; time < SP_CLOCK_TIMES; time++)
		to->filtered[time] += returned(&from->unwanted, time);
}

/* What CPUs count by the times of tasks' clocks is of a time that is made up of them. */
static void add_parts(struct sp_totals *totals, enum sp_time time)
{
	unsigned int part, parts = sp_time_parts(time);

	for (part = 0; part < SP_CLOCK_TIMES; part++) {
		if (!(parts & BIT(part)))
			continue;
		totals->fates.filtered += totals->counts.filtered[part];
		if (part != time)
			totals->counts.intervals[time] += totals->counts.intervals[part];
	}
}

struct part {
	struct sp_recording *recording;
	struct sp_recording_cpu cpu;
};

static void copy_part(int cpu, void *data)
{
	struct part *part = data;

	part->cpu = *per_cpu_ptr(part->recording->cpu, cpu);
	if (part->cpu.live)
		sp_recording_cpu_count(&part->cpu, cpu);
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
		add_words(&totals->fates, &part->cpu.fates, WORDS(totals->fates));
		totals->unbooked += part->cpu.unbooked;
		totals->refused_events += part->cpu.refused_events;
		totals->cut_wakers += part->cpu.cut_wakers;
		add_words(&totals->foreign, &part->cpu.foreign, WORDS(totals->foreign));
		add_words(&totals->rest, &part->cpu.rest, WORDS(totals->rest));
		totals->lost_blame += part->cpu.lost_blame;
		totals->pieces += part->cpu.pieces;
		totals->lost_pieces += part->cpu.lost_pieces;
		totals->counts.intervals[SP_TIME_FUNCTION] += part->cpu.calls;
		totals->call_ns += part->cpu.call_ns;
		sp_histogram_merge(&totals->histogram, &part->cpu.histogram);
		sp_sum_merge(&totals->lost, &part->cpu.lost);
	}
	add_parts(totals, recording->mode->time);
	totals->lost_blame += recording->unplaced_blame;
	totals->overwritten_events = sp_events_overwritten(&recording->events);
	totals->enabled_ns = sp_recording_ns(recording);
	/* A stretch may have begun before the recording. */
	totals->counts.blind_ns = min(totals->counts.blind_ns, totals->enabled_ns);
	kfree(part);
	return 0;
}

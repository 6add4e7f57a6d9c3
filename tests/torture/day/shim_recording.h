/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shim_recording: stands for src/record/recording.h, with what src/record/interval.h asks of
 * a recording: a clock, and bounds.
 */
#ifndef DAY_RECORDING_H
#define DAY_RECORDING_H

#include "lib/histogram.h"
#include "lib/ledger.h"
#include "lib/task_clock.h"
#include "task/clock.h"

struct sp_sum {
	u64 total;
};

static inline void sp_sum_add(struct sp_sum *sum, u64 length, u64 at, u32 cpu)
{
	(void)at;
	(void)cpu;
	sum->total += length;
}

#define raw_smp_processor_id()	0

struct sp_recording {
	struct {
		enum sp_clock_id clock;
	} config;
	u64 min, range;
	u64 too_short;
	u64 *wakers;
};

struct sp_recording_cpu {
	struct sp_histogram histogram;
	struct sp_sum lost;
	struct {
		u64 below_min, above_max;
	} fates;
};

struct sp_task;

static inline u32 sp_task_slot(const struct sp_task *st)
{
	(void)st;
	return 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What all CPUs counted for a recording, added up. Under its reading mutex. */
#ifndef SP_RECORD_TOTALS_H
#define SP_RECORD_TOTALS_H

#include "record/recording.h"

/* What a reader gets of all CPUs together. */
struct sp_totals {
	struct sp_counts counts;
	struct sp_fates fates;
	u64 unbooked;
	u64 refused_events;
	u64 cut_wakers;
	struct sp_foreign_sums foreign;
	struct sp_foreign_rest rest;
	u64 lost_blame;
	u64 pieces;
	u64 lost_pieces;
	u64 overwritten_events;
	u64 call_ns;
	struct sp_histogram histogram;
	struct sp_sum lost;
	u64 enabled_ns;
};

void sp_recording_cpu_count(struct sp_recording_cpu *part, int cpu);
int sp_recording_totals(struct sp_recording *recording, struct sp_totals *totals);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the suites share.
 */
#ifndef SP_SUITES_H
#define SP_SUITES_H

#include <linux/prandom.h>
#include <linux/types.h>
#include <kunit/test.h>

extern struct kunit_suite sp_blame_suite;
extern struct kunit_suite sp_events_suite;
extern struct kunit_suite sp_cgroups_suite;
extern struct kunit_suite sp_calls_suite;
extern struct kunit_suite sp_group_suite;
extern struct kunit_suite sp_clock_suite;
extern struct kunit_suite sp_histogram_suite;
extern struct kunit_suite sp_idle_waits_suite;
extern struct kunit_suite sp_irq_time_suite;
extern struct kunit_suite sp_mappings_suite;
extern struct kunit_suite sp_ledger_suite;
extern struct kunit_suite sp_kretprobe_suite;
extern struct kunit_suite sp_lock_suite;
extern struct kunit_suite sp_parse_suite;
extern struct kunit_suite sp_pid_set_suite;
extern struct kunit_suite sp_pool_suite;
extern struct kunit_suite sp_rank_suite;
extern struct kunit_suite sp_readers_suite;
extern struct kunit_suite sp_threads_suite;
extern struct kunit_suite sp_run_ring_suite;
extern struct kunit_suite sp_stack_table_suite;
extern struct kunit_suite sp_nosched_span_suite;
extern struct kunit_suite sp_tally_suite;
extern struct kunit_suite sp_tally_threads_suite;
extern struct kunit_suite sp_task_clock_suite;
extern struct kunit_suite sp_task_table_suite;
extern struct kunit_suite sp_text_suite;
extern struct kunit_suite sp_throttle_suite;
extern struct kunit_suite sp_ending_suite;
extern struct kunit_suite sp_unwind_tables_suite;

void sp_random_start(struct kunit *test, struct rnd_state *random);
u32 sp_rounds(u32 all);

static inline u32 sp_random_below(struct rnd_state *random, u32 limit)
{
	return prandom_u32_state(random) % limit;
}

static inline u64 sp_random_u64(struct rnd_state *random)
{
	u64 high = prandom_u32_state(random);

	return high << 32 | prandom_u32_state(random);
}

#endif

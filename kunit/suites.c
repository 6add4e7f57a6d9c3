// SPDX-License-Identifier: GPL-2.0-only
/*
 * suites: the module that runs all of them as it is loaded.
 *
 * Run: make kunit
 */
#include <linux/module.h>
#include <sp_kunit.h>

#include "suites.h"

static unsigned int seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "what the random tests start from");
static bool brief;
module_param(brief, bool, 0444);
MODULE_PARM_DESC(brief, "a tenth of the rounds, of those tests that have many");

/**
 * sp_random_start() - random numbers that are the same in the next run
 * @test: the log names the seed there
 * @random: to be filled
 */
void sp_random_start(struct kunit *test, struct rnd_state *random)
{
	kunit_info(test, "seed=%u\n", seed);
	prandom_seed_state(random, seed);
}

/**
 * sp_rounds() - how often something is tried
 * @all: as often as that, unless it shall be brief
 */
u32 sp_rounds(u32 all)
{
	return brief ? DIV_ROUND_UP(all, 10) : all;
}

#ifdef SP_KUNIT_KRETPROBE
#define FUNCTION_SUITES	&sp_lock_suite, &sp_kretprobe_suite
#else
#define FUNCTION_SUITES	&sp_lock_suite
#endif

sp_kunit_suites(&sp_pool_suite, &sp_stack_table_suite, &sp_tally_suite,
		&sp_tally_threads_suite, &sp_rank_suite, &sp_pid_set_suite,
		&sp_task_clock_suite, &sp_clock_suite,
		&sp_task_table_suite, &sp_ledger_suite, &sp_irq_time_suite, &sp_run_ring_suite,
		&sp_throttle_suite,
		&sp_ending_suite,
		&sp_blame_suite, &sp_cgroups_suite, &sp_histogram_suite,
		&sp_nosched_span_suite, &sp_events_suite, &sp_readers_suite,
		&sp_calls_suite, &sp_group_suite, &sp_parse_suite, &sp_text_suite,
		&sp_threads_suite, &sp_mappings_suite, &sp_unwind_tables_suite,
		&sp_idle_waits_suite,
		FUNCTION_SUITES);

MODULE_DESCRIPTION("KUnit suites of schedprof");
MODULE_LICENSE("GPL");

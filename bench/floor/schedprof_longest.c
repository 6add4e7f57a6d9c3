// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedprof_longest: how long the hook on a context switch takes, seen from outside.
 *
 * A kretprobe on sp_hot_switch() reads the time stamp counter at its entry and its
 * return; what the kretprobe itself takes is mostly outside. While it is loaded,
 * hooks must not be kprobes, in which no other kprobe fires. Reading the parameter
 * "figures" prints what was seen on all CPUs since the last reading.
 */
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/timex.h>

/* Four rows for each power of two. */
#define ROWS	256

struct seen {
	u64 longest;
	u64 rows[ROWS];
};

/* Written by its CPU with interrupts off; readers do not mind a mix. */
static DEFINE_PER_CPU(struct seen, seen);

static unsigned int row_of(u64 cycles)
{
	unsigned int power = ilog2(cycles | 4);

	return power * 4 + ((cycles >> (power - 2)) & 3);
}

static u64 lowest_of(unsigned int row)
{
	return (u64)(4 + row % 4) << row / 4 >> 2;
}

static int on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(u64 *)instance->data = get_cycles();
	return 0;
}

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u64 took = get_cycles() - *(u64 *)instance->data;
	struct seen *here = this_cpu_ptr(&seen);

	here->longest = max(here->longest, took);
	here->rows[row_of(took)]++;
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "sp_hot_switch",
	.entry_handler = on_entry,
	.handler = on_return,
	.data_size = sizeof(u64),
	.maxactive = 64,
};

/* The row that this many of a million are at or below. */
static u64 quantile(const u64 *rows, u64 all, u64 of_million)
{
	u64 below = 0;
	unsigned int row;

	for (row = 0; row < ROWS - 1; row++) {
		below += rows[row];
		if (below * 1000000 >= all * of_million)
			break;
	}
	return lowest_of(row);
}

static int show(char *text, const struct kernel_param *param)
{
	static u64 rows[ROWS];	/* readers take turns under the lock of parameters */
	u64 all = 0, longest = 0;
	unsigned int row;
	int cpu;

	memset(rows, 0, sizeof(rows));
	for_each_possible_cpu(cpu) {
		struct seen *there = per_cpu_ptr(&seen, cpu);

		longest = max(longest, there->longest);
		for (row = 0; row < ROWS; row++) {
			rows[row] += there->rows[row];
			all += there->rows[row];
		}
		memset(there, 0, sizeof(*there));
	}
	return sysfs_emit(text, "%llu %llu %llu %llu\n", all, quantile(rows, all, 500000),
			  quantile(rows, all, 999000), longest);
}

static const struct kernel_param_ops figures = { .get = show };
module_param_cb(figures, &figures, NULL, 0400);
MODULE_PARM_DESC(figures, "switches, cycles of the median one, of the 999th of 1000, of the longest");

static int __init longest_init(void)
{
	return register_kretprobe(&probe);
}
module_init(longest_init);

static void __exit longest_exit(void)
{
	unregister_kretprobe(&probe);
}
module_exit(longest_exit);

MODULE_DESCRIPTION("How long the hook takes, for the benchmark of schedprof");
MODULE_LICENSE("GPL");

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attributes of a session that are words or numbers, as README.md has them: what each
 * is at first, and which values are good and which are not. For attributes.c, and for the
 * row `writes` of tests/torture.
 */
#ifndef ATTRIBUTE_TABLE_H
#define ATTRIBUTE_TABLE_H

#include <errno.h>
#include <stdint.h>

#include "attribute_check.h"

struct attribute {
	const char *name;
	const char *initial;
	bool live;		/* may change while the session is enabled */
	/* Words: each is good; what it reads back as follows after '='. */
	const char *const *good;
	const struct bad *bad;
	/* Numbers, instead of words. */
	bool is_number;
	uint64_t min, max;
};

static const char *const good_mode[] = {
	"blocked", "runqueue", "oncpu", "wall", "nosched", "function", "offcpu", NULL
};

static const struct bad bad_mode[] = {
	{ TEXT("nosch"), EINVAL }, { TEXT("functions"), EINVAL },
	{ TEXT("oncpu blocked"), EINVAL }, { TEXT("runqueu"), EINVAL },
	{ TEXT("OFFCPU"), EINVAL }, { TEXT("offcp"), EINVAL },
	{ TEXT("offcpux"), EINVAL }, { TEXT("offcpu offcpu"), EINVAL },
	{ TEXT("offcpu,"), EINVAL }, { TEXT("offcpu" "\0" "x"), EINVAL },
	{ }
};

static const char *const good_group[] = { "process", "comm", "cgroup", "thread", NULL };
static const struct bad bad_group[] = {
	{ TEXT("threads"), EINVAL }, { TEXT("pid"), EINVAL }, { TEXT("tid"), EINVAL },
	{ TEXT("Process"), EINVAL }, { TEXT("process comm"), EINVAL },
	{ TEXT("none"), EINVAL }, { TEXT("all"), EINVAL }, { TEXT("com"), EINVAL },
	{ TEXT("comm,"), EINVAL }, { TEXT("comm" "\0" "x"), EINVAL },
	{ }
};

static const char *const good_clock[] = { "boot", "tsc", "mono", NULL };
static const struct bad bad_clock[] = {
	{ TEXT("monotonic"), EINVAL }, { TEXT("boottime"), EINVAL },
	{ TEXT("TSC"), EINVAL }, { TEXT("rdtsc"), EINVAL }, { TEXT("all"), EINVAL },
	{ TEXT("mono boot"), EINVAL }, { TEXT("none"), EINVAL },
	{ TEXT("tsc" "\0" "x"), EINVAL },
	{ }
};

static const char *const good_kind[] = { "user", "kernel", "all", NULL };
static const struct bad bad_kind[] = {
	{ TEXT("none"), EINVAL }, { TEXT("User"), EINVAL },
	{ TEXT("user kernel"), EINVAL }, { TEXT("user,kernel"), EINVAL },
	{ TEXT("kthread"), EINVAL }, { TEXT("al"), EINVAL },
	{ TEXT("alll"), EINVAL }, { TEXT("all" "\0" "x"), EINVAL },
	{ TEXT("all\n\nuser"), EINVAL },
	{ }
};

static const char *const good_stack[] = {
	"kernel", "user", "waker", "none", "user kernel=kernel user",
	"waker user=user waker", "waker,kernel,user=kernel user waker", "kernel user", NULL
};

static const struct bad bad_stack[] = {
	{ TEXT("wakers"), EINVAL }, { TEXT("kernel wake"), EINVAL },
	{ TEXT("all"), EINVAL }, { TEXT("none kernel"), EINVAL },
	{ TEXT("kernel none"), EINVAL }, { TEXT("kerneluser"), EINVAL },
	{ TEXT("kernel;user"), EINVAL }, { TEXT("Kernel"), EINVAL },
	{ TEXT("kernel user nonsense"), EINVAL },
	{ TEXT("kernel" "\0" "user"), EINVAL },
	{ TEXT("-user"), EINVAL },
	{ }
};

static const char *const good_state[] = {
	"S", "D", "I", "T", "R", "S D=S D", "R S=S R", "all", NULL
};

static const struct bad bad_state[] = {
	{ TEXT("none"), EINVAL }, { TEXT("X"), EINVAL }, { TEXT("s"), EINVAL },
	{ TEXT("SD"), EINVAL }, { TEXT("S,D,Q"), EINVAL }, { TEXT("all S"), EINVAL },
	{ TEXT("S all"), EINVAL }, { TEXT("ALL"), EINVAL }, { TEXT("-S"), EINVAL },
	{ TEXT("S" "\0" "D"), EINVAL },
	{ }
};

static const struct attribute attributes[] = {
	{ .name = "mode", .initial = "offcpu", .good = good_mode, .bad = bad_mode },
	{ .name = "tasks_kind", .initial = "all", .good = good_kind, .bad = bad_kind },
	{ .name = "state", .initial = "all", .good = good_state, .bad = bad_state },
	{ .name = "group_by", .initial = "thread", .good = good_group, .bad = bad_group },
	{ .name = "clock", .initial = "mono", .good = good_clock, .bad = bad_clock },
	{ .name = "stack", .initial = "kernel user", .good = good_stack, .bad = bad_stack },
	{ .name = "stack_depth", .initial = "64", .is_number = true, .min = 1, .max = 127 },
	{ .name = "duration_ms", .initial = "0", .live = true, .is_number = true,
	  .min = 0, .max = 2147483647 },
	{ .name = "trace_kb", .initial = "0", .is_number = true,
	  .min = 0, .max = 1048576 },
	{ .name = "period_us", .initial = "1000", .is_number = true,
	  .min = 100, .max = 1000000 },
	{ .name = "inherit", .initial = "0", .is_number = true, .min = 0, .max = 1 },
	{ .name = "ledger", .initial = "0", .is_number = true, .min = 0, .max = 1 },
	{ .name = "interrupts", .initial = "0", .is_number = true, .min = 0, .max = 1 },
	{ .name = "blame", .initial = "0", .is_number = true, .min = 0, .max = 1 },
	{ .name = "throttle", .initial = "0", .is_number = true, .min = 0, .max = 1 },
	{ .name = "min_us", .initial = "0", .live = true, .is_number = true,
	  .min = 0, .max = 9223372036854775 },
	{ .name = "max_us", .initial = "0", .live = true, .is_number = true,
	  .min = 0, .max = 9223372036854775 },
	{ .name = "top_n", .initial = "20", .live = true, .is_number = true,
	  .min = 1, .max = 100000 },
	{ .name = "max_tasks", .initial = "16384", .is_number = true, .min = 1, .max = 4194304 },
	{ .name = "max_stacks", .initial = "16384", .is_number = true, .min = 1, .max = 4194304 },
	{ .name = "max_entries", .initial = "65536", .is_number = true, .min = 1, .max = 4194304 },
	{ }
};

#endif

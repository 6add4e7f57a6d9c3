// SPDX-License-Identifier: GPL-2.0-only
/*
 * in_tree: what the tested parts of schedprof refer to but no suite calls, for a
 * kernel tree, in which the suites are built with the tested parts alone.
 *
 * Results that suites print are texts, of sessions without functions and with the
 * first clock id only; the rest needs probes, or a module. A call of something
 * here says so in the log, which fails the run.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/module.h>

#include "func/function.h"
#include "report/report.h"
#include "task/percpu.h"

/* As main.c does. KUnit runs the suites after that, built in and, since 5.19, as a module. */
static int __init prepare(void)
{
	return sp_hot_init();
}
module_init(prepare);

static void __exit clean_up(void)
{
	sp_hot_exit();
}
module_exit(clean_up);

int sp_raw_prepare(struct sp_view *view)
{
	WARN_ON_ONCE(1);
	return -EOPNOTSUPP;
}

void sp_raw_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	WARN_ON_ONCE(1);
}

bool sp_functions_distort(const struct sp_functions *functions, u32 number,
			  enum sp_clock_id clock_id, struct sp_function_use *use)
{
	WARN_ON_ONCE(1);
	return false;
}

int sp_raw_reach(struct sp_view *view, u32 row)
{
	WARN_ON_ONCE(1);
	return -EOPNOTSUPP;
}

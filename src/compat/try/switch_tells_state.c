// SPDX-License-Identifier: GPL-2.0-only
/* Since 5.18: sched_switch hands over the state that prev leaves with. */
#include <linux/sched.h>
#include <trace/events/sched.h>

static void probe(void *data, bool preempt, struct task_struct *prev,
		  struct task_struct *next, unsigned int prev_state)
{
}

void sp_try(void)
{
	check_trace_callback_type_sched_switch(probe);
}

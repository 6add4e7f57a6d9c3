/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 5.18 the probe of sched_switch is called without prev_state. */
#include_next <trace/events/sched.h>

#ifndef FACT_SWITCH_WITHOUT_STATE
#define FACT_SWITCH_WITHOUT_STATE

static inline void fact_switch_probe(void (*probe)(void *data, bool preempt,
						   struct task_struct *prev,
						   struct task_struct *next))
{
}

#define check_trace_callback_type_sched_switch fact_switch_probe

#endif

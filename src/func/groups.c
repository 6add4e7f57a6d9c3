// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups: names for many functions at once. Constant, so there is
 * nothing to lock.
 *
 * Kernels call some of them otherwise or lack them, so of the globs of a group
 * only one has to match. doc/function.md says what is in them.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "func/list.h"

/* Name, globs. */
#define GROUPS(G)							\
	G("@sched", "schedule", "schedule_*timeout*", "schedule_preempt*", \
	  "try_to_wake_up", "wake_up_new_task", "scheduler_tick", "sched_tick", \
	  "sched_exec", "do_sched_yield", "load_balance", "sched_balance_*", \
	  "pick_next_task*", "enqueue_task_*", "dequeue_task_*")	\
	G("@irq", "handle_irq_event", "handle_*_irq", "__do_softirq",	\
	  "handle_softirqs", "run_timer_softirq", "tasklet_action*",	\
	  "net_rx_action", "net_tx_action", "hrtimer_interrupt",	\
	  "irq_work_run_list")						\
	G("@syscall", "__x64_sys_*", "__arm64_sys_*")			\
	G("@tcp", "tcp_*")						\
	G("@signal", "get_signal", "dequeue_signal", "complete_signal",	\
	  "send_signal*", "__send_signal*", "do_send_sig_info",		\
	  "group_send_sig_info", "kill_pid_info*", "send_sigqueue",	\
	  "force_sig*", "signal_wake_up_state", "arch_do_signal*",	\
	  "do_signal*", "do_sigaction", "do_group_exit")

#define IN_TABLE(id, ...) { .name = id, .globs = { __VA_ARGS__, NULL } },

static const struct {
	const char *name;
	const char *globs[20];
} groups[] = { GROUPS(IN_TABLE) };

#define IN_SENTENCE(id, ...) " " id

const char sp_function_group_names[] = GROUPS(IN_SENTENCE);

/**
 * sp_function_group() - what a group is
 * @name: with its @
 *
 * Return: its globs, NULL behind the last one; or NULL if there is no such group.
 */
const char *const *sp_function_group(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(groups[i].name, name))
			return groups[i].globs;
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork: births, for sessions that inherit.
 *
 * A parent may be gone before its child runs for the first time, and the child
 * is init's then. So heirs are known from their fork: the tracepoint fires in
 * the parent's context, before the child runs for the first time. It is armed only
 * while such a session is enabled, whatever backend sees the switches.
 *
 * One mutex, for users.
 */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "hook/fork.h"
#include "hook/switch.h"
#include "lib/tracepoint.h"
#include "lib/why.h"

static DEFINE_MUTEX(mutex);
static unsigned int users;
static struct tracepoint *armed;	/* while there are users */

static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	sp_hot_fork(parent, child);
}

static int arm_fork(void)
{
	armed = sp_tracepoint_find("sched_process_fork");
	return armed ? tracepoint_probe_register(armed, on_fork, NULL) : -ENOENT;
}

/**
 * sp_fork_get() - a session needs to know of births
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or what the kernel says.
 */
int sp_fork_get(struct sp_why *why)
{
	int err = 0;

	mutex_lock(&mutex);
	if (!users)
		err = arm_fork();
	if (!err)
		users++;
	mutex_unlock(&mutex);
	if (err)
		sp_refuse(why, err, "the tracepoint sched_process_fork cannot be used (error %d); set inherit to 0",
			  -err);
	return err;
}

/**
 * sp_fork_put() - a session needs it no longer
 *
 * Context: process, may sleep; on return no probe of the last user runs.
 */
void sp_fork_put(void)
{
	mutex_lock(&mutex);
	if (!--users) {
		tracepoint_probe_unregister(armed, on_fork, NULL);
		tracepoint_synchronize_unregister();
	}
	mutex_unlock(&mutex);
}

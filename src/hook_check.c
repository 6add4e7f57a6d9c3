// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook_check: does a probe see what happens?
 *
 * A probe can register without an error and never fire (its function was
 * inlined, or probes were switched off), or hand over the wrong argument. So a
 * thread of our own sleeps and is woken a known number of times, and what the
 * hook saw of that very thread is compared with what the scheduler counted.
 *
 * One check at a time, under the hook mutex.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>

#include "hook.h"
#include "task_table.h"

/* Whose wakeups are counted; NULL while no check runs. */
static struct task_struct *checked;
static atomic_t woken;

struct check {
	struct completion done;
	unsigned int seen;
	unsigned int real;
};

/**
 * sp_check_wakeup() - a wakeup hook fired
 * @task: who is woken
 *
 * Context: a hook.
 */
void sp_check_wakeup(const struct task_struct *task)
{
	if (unlikely(task == READ_ONCE(checked)))
		atomic_inc(&woken);
}

struct reading {
	unsigned int seen;
	unsigned long real;
};

/* Not preemptible: a switch between the two would make them differ. */
static struct reading read_both(void)
{
	struct sp_task copy = { };
	struct reading reading;
	u32 slot;

	preempt_disable();
	reading.seen = sp_task_copy(current, &copy, &slot) ? copy.switches : 0;
	reading.real = current->nvcsw + current->nivcsw;
	preempt_enable();
	return reading;
}

static int sleep_often(void *data)
{
	struct check *check = data;
	struct reading first, last;
	unsigned int i;

	/* The first sleep makes the clock known; it is not part of the check. */
	usleep_range(20, 50);
	first = read_both();
	atomic_set(&woken, 0);
	WRITE_ONCE(checked, current);
	for (i = 0; i < SP_CHECK_SLEEPS; i++)
		usleep_range(20, 50);
	WRITE_ONCE(checked, NULL);
	last = read_both();
	check->seen = last.seen - first.seen;
	check->real = last.real - first.real;
	complete(&check->done);
	return 0;
}

/**
 * sp_hook_check() - let an armed role prove itself
 * @role: the role; for wakeups as for switches
 * @verdict: filled
 *
 * Every switch of the thread must have been seen, no more and no fewer. A
 * wakeup that comes in an interrupt while a handler runs is dropped by kprobes
 * (and counted), so a few of those may be missing.
 *
 * Context: process, sleeps for some milliseconds.
 * Return: 0 if the check took place, whatever its outcome; -ENOMEM.
 */
int sp_hook_check(enum sp_role role, struct sp_verdict *verdict)
{
	struct check check = { };
	struct task_struct *thread;

	init_completion(&check.done);
	thread = kthread_run(sleep_often, &check, "schedprof_check");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&check.done);
	if (role == SP_ROLE_SWITCH) {
		verdict->seen = check.seen;
		verdict->real = check.real;
		verdict->passed = check.real && check.seen == check.real;
	} else {
		verdict->seen = atomic_read(&woken);
		verdict->real = SP_CHECK_SLEEPS;
		verdict->passed = verdict->seen >= SP_CHECK_SLEEPS / 2 &&
				  verdict->seen <= SP_CHECK_SLEEPS * 2;
	}
	return 0;
}

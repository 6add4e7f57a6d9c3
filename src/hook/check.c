// SPDX-License-Identifier: GPL-2.0-only
/*
 * check: does a probe see what happens?
 *
 * A probe can register without an error and never fire (its function was
 * inlined, or probes were switched off), or hand over the wrong argument: the
 * compiler passes those of a static function as it likes. So a thread of our
 * own sleeps and is woken a known number of times, and what the probe handed
 * over of that very thread is compared with what the scheduler counted. Until
 * that has succeeded nobody follows a pointer that came from the probe.
 *
 * One check at a time, under the hook mutex.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>

#include "hook/check.h"

/* Written under the hook mutex, while no probe of the role is armed or trusted. */
bool sp_unproved[SP_ROLES];

/* The thread whose events are counted; NULL while it does not sleep. */
static struct task_struct *checked;
/* Of that thread. The scheduler orders its switches, whichever CPU has them. */
static unsigned int left, came;
static atomic_t woken;

/**
 * sp_check_switch() - an unproved switch probe fired
 * @prev: who left, if the probe is right
 * @next: who came
 *
 * Context: a hook.
 */
void sp_check_switch(const struct task_struct *prev,
		     const struct task_struct *next)
{
	const struct task_struct *thread = READ_ONCE(checked);

	/* A function that is called with the caller as its argument. */
	if (!thread || prev == next)
		return;
	if (prev == thread)
		WRITE_ONCE(left, left + 1);
	if (next == thread)
		WRITE_ONCE(came, came + 1);
}

/**
 * sp_check_wakeup() - an unproved wakeup probe fired
 * @task: who is woken, if the probe is right
 *
 * Context: a hook.
 */
void sp_check_wakeup(const struct task_struct *task)
{
	if (task && task == READ_ONCE(checked))
		atomic_inc(&woken);
}

struct check {
	struct completion done;
	unsigned long real;
};

/* Of current, voluntary and not. */
static unsigned long switches(void)
{
	return current->nvcsw + current->nivcsw;
}

/*
 * A sleep that is over before the task has left is none: so are short ones where each
 * timer takes longer, as in a virtual machine whose host has no time for it.
 */
static void sleep_a_moment(unsigned int *us)
{
	unsigned long before = switches();

	usleep_range(*us, 2 * *us);
	if (switches() == before)
		*us = min(2 * *us, SP_CHECK_MAX_US / 2u);
}

static int sleep_often(void *data)
{
	struct check *check = data;
	unsigned int i, us = 20;
	unsigned long before;

	/* Not preemptible: a switch between the two lines would be missed. */
	preempt_disable();
	before = switches();
	WRITE_ONCE(checked, current);
	preempt_enable();
	for (i = 0; i < SP_CHECK_SLEEPS; i++)
		sleep_a_moment(&us);
	preempt_disable();
	WRITE_ONCE(checked, NULL);
	check->real = switches() - before;
	preempt_enable();
	complete(&check->done);
	/* Whoever asked waits until no code of the module runs here any more. */
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/**
 * sp_check_begin() - candidates are about to be tried
 * @role: for which role
 *
 * Context: process, no probe of the role is armed.
 */
void sp_check_begin(enum sp_role role)
{
	WRITE_ONCE(sp_unproved[role], true);
}

/**
 * sp_check() - let an armed candidate prove itself
 * @role: the role, after sp_check_begin()
 * @verdict: filled
 *
 * Every switch of the thread must have been seen from both sides, no more and
 * no fewer. A wakeup that comes in an interrupt while a handler runs is
 * dropped by kprobes (and counted), so a few of those may be missing.
 *
 * Context: process, sleeps for some milliseconds; about a second, where sleeps are none.
 * Return: 0 if the check took place, whatever its outcome; -ENOMEM.
 */
int sp_check(enum sp_role role, struct sp_verdict *verdict)
{
	struct check check = { };
	struct task_struct *thread;

	WRITE_ONCE(left, 0);
	WRITE_ONCE(came, 0);
	atomic_set(&woken, 0);
	init_completion(&check.done);
	thread = kthread_run(sleep_often, &check, "schedprof_check");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&check.done);
	kthread_stop(thread);
	if (role == SP_ROLE_SWITCH) {
		verdict->seen = came == check.real ? left : came;
		verdict->real = check.real;
		verdict->passed = check.real && came == check.real &&
				  left == check.real;
	} else {
		verdict->seen = atomic_read(&woken);
		verdict->real = SP_CHECK_SLEEPS;
		verdict->passed = verdict->seen >= SP_CHECK_SLEEPS / 2 &&
				  verdict->seen <= SP_CHECK_SLEEPS * 2;
	}
	return 0;
}

/**
 * sp_check_end() - from now on the events are real
 * @role: the role whose probe is proved, or disarmed
 */
void sp_check_end(enum sp_role role)
{
	/* A hook that sees this also sees what was prepared for it. */
	smp_store_release(&sp_unproved[role], false);
}

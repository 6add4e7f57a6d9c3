// SPDX-License-Identifier: GPL-2.0-only
/*
 * migrate: when a task that waits for a CPU is moved to another one, for sessions with blame.
 *
 * Who ran on the CPU where it comes in did not keep it waiting before it was moved there. The
 * tracepoint fires where the move is decided, in whoever moves, with interrupts off and the
 * task's lock or that of its run queue held. It is armed only while such a session is enabled,
 * whatever backend sees the switches.
 *
 * One mutex, for users.
 */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_buf.h>
#include <linux/tracepoint.h>

#include "compat/compat.h"
#include "hook/migrate.h"
#include "lib/tracepoint.h"
#include "lib/why.h"
#include "lib/widen.h"
#include "task/percpu.h"
#include "task/task_table.h"

static DEFINE_MUTEX(mutex);
static unsigned int users;
static struct tracepoint *armed;	/* while there are users */

/*
 * Who is woken goes to its CPU at once, and waits for that one. Its clock may be removed
 * meanwhile, but not given away: interrupts are off.
 */
static void on_migrate(void *data, struct task_struct *task, int to)
{
	bool waking = sp_task_state(task) == TASK_WAKING;
	struct sp_task *st;
	unsigned long flags;
	u64 since;

	local_irq_save(flags);
	if (likely(!sp_hot_is_shut())) {
		st = sp_task_find(task);
		sp_window();
		if (likely(st)) {
			since = waking ? sp_clock_woken(&st->clock) : sp_time();
			if (!waking)
				WRITE_ONCE(st->moved, since);
			if (sp_cpu_notes_waits())
				sp_cpu_note_wait(st, to, since);
		}
	}
	local_irq_restore(flags);
}

static int arm_migrate(void)
{
	armed = sp_tracepoint_find("sched_migrate_task");
	return armed ? tracepoint_probe_register(armed, on_migrate, NULL) : -ENOENT;
}

/**
 * sp_migrate_get() - a session needs to know of moves
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or what the kernel says.
 */
int sp_migrate_get(struct sp_why *why)
{
	int err = 0;

	mutex_lock(&mutex);
	if (!users)
		err = arm_migrate();
	if (!err)
		users++;
	mutex_unlock(&mutex);
	if (err)
		sp_refuse(why, err, "the tracepoint sched_migrate_task cannot be used (error %d); set blame to 0",
			  -err);
	return err;
}

/**
 * sp_migrate_put() - a session needs it no longer
 *
 * Context: process, may sleep; on return no probe of the last user runs.
 */
void sp_migrate_put(void)
{
	mutex_lock(&mutex);
	if (!--users) {
		tracepoint_probe_unregister(armed, on_migrate, NULL);
		tracepoint_synchronize_unregister();
	}
	mutex_unlock(&mutex);
}

/**
 * sp_migrate_status() - what is known of moves
 * @s: where to
 */
void sp_migrate_status(struct seq_buf *s)
{
	mutex_lock(&mutex);
	if (sp_tracepoint_find("sched_migrate_task"))
		seq_buf_printf(s, "feature=moves symbol=sched_migrate_task armed=%s\n",
			       users ? "yes" : "no");
	else
		seq_buf_printf(s, "feature=%s missing=%s\n", "moves", "sched_migrate_task");
	mutex_unlock(&mutex);
}

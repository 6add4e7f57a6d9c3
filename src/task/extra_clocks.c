// SPDX-License-Identifier: GPL-2.0-only
/*
 * extra_clocks: sessions that measure with another clock than the monotonic one.
 *
 * The first one that asks for a clock id gives each task a struct sp_clock for it, the last
 * one takes them away again. One mutex.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "lib/why.h"
#include "task/extra_clocks.h"
#include "task/task_table.h"

static DEFINE_MUTEX(mutex);		/* protects users and changes of sp_clocks */
static unsigned int users[SP_CLOCKS];

/**
 * sp_clock_id_get() - somebody wants to measure with it
 * @clock_id: with what
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, -EOPNOTSUPP if there is none, or -ENOMEM.
 */
int sp_clock_id_get(enum sp_clock_id clock_id, struct sp_why *why)
{
	int err = 0;

	if (clock_id == SP_CLOCK_MONO)
		return 0;
	if (clock_id == SP_CLOCK_TSC && !IS_ENABLED(CONFIG_X86))
		return sp_refuse(why, -EOPNOTSUPP, "there is no time stamp counter but on x86; set clock to mono or boot");
	mutex_lock(&mutex);
	if (!users[clock_id]) {
		err = sp_task_table_add_clock(clock_id);
		if (err)
			sp_refuse(why, err, "clocks of another source need memory that is not free; set clock to mono, or load the module with a smaller task_slots");
		else
			sp_clock_id_begin(clock_id);
	}
	if (!err)
		users[clock_id]++;
	mutex_unlock(&mutex);
	return err;
}

/**
 * sp_clock_id_put() - somebody has measured
 * @clock_id: with what
 *
 * Context: process, may sleep, while hooks are armed.
 */
void sp_clock_id_put(enum sp_clock_id clock_id)
{
	if (clock_id == SP_CLOCK_MONO)
		return;
	mutex_lock(&mutex);
	if (!--users[clock_id]) {
		sp_clock_id_end(clock_id);
		/* Hooks run with interrupts off: that is a read side section. */
		synchronize_rcu();
		sp_task_table_del_clock(clock_id);
	}
	mutex_unlock(&mutex);
}

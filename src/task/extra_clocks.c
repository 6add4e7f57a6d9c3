// SPDX-License-Identifier: GPL-2.0-only
/*
 * extra_clocks: sessions that measure with another source than the monotonic clock.
 *
 * The first one that asks for a source gives each task another clock, the last one
 * takes them away again. One mutex.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "lib/why.h"
#include "task/extra_clocks.h"
#include "task/task_table.h"

static DEFINE_MUTEX(mutex);		/* protects users and changes of sp_sources */
static unsigned int users[SP_SOURCES];

/**
 * sp_source_get() - somebody wants to measure with it
 * @source: with what
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, -EOPNOTSUPP if there is none, or -ENOMEM.
 */
int sp_source_get(enum sp_source source, struct sp_why *why)
{
	int err = 0;

	if (source == SP_SOURCE_MONO)
		return 0;
	if (source == SP_SOURCE_TSC && !IS_ENABLED(CONFIG_X86))
		return sp_refuse(why, -EOPNOTSUPP, "there is no time stamp counter but on x86; set clock to mono or boot");
	mutex_lock(&mutex);
	if (!users[source]) {
		err = sp_task_table_add_source(source);
		if (err)
			sp_refuse(why, err, "clocks of another source need memory that is not free; set clock to mono, or load the module with a smaller task_slots");
		else
			sp_source_begin(source);
	}
	if (!err)
		users[source]++;
	mutex_unlock(&mutex);
	return err;
}

/**
 * sp_source_put() - somebody has measured
 * @source: with what
 *
 * Context: process, may sleep, while hooks are armed.
 */
void sp_source_put(enum sp_source source)
{
	if (source == SP_SOURCE_MONO)
		return;
	mutex_lock(&mutex);
	if (!--users[source]) {
		sp_source_end(source);
		/* Hooks run with interrupts off: that is a read side section. */
		synchronize_rcu();
		sp_task_table_del_source(source);
	}
	mutex_unlock(&mutex);
}

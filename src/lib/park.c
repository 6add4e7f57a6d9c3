// SPDX-License-Identifier: GPL-2.0-only
/*
 * park: while ftrace is off, a probe that is part of it cannot be removed without
 * leaving a mark that breaks it (lib/canary.c). It is parked: its handlers do nothing,
 * the module stays loaded, and a worker looks once a second whether it can go.
 *
 * One mutex, taken before those of whatever has the probes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "lib/canary.h"
#include "lib/park.h"

static DEFINE_MUTEX(mutex);	/* protects all_parked */
static LIST_HEAD(all_parked);	/* each holds the module */

static void unpark_work(struct work_struct *work)
{
	sp_unpark();
}

static DECLARE_DELAYED_WORK(unpark, unpark_work);

/**
 * sp_park() - remove probes as soon as ftrace is on
 * @parked: its remove() is called then, once; the caller keeps it until that
 * @what: it is, for people
 * @where: the probes are
 */
void sp_park(struct sp_parked *parked, const char *what, const char *where)
{
	__module_get(THIS_MODULE);
	mutex_lock(&mutex);
	list_add_tail(&parked->node, &all_parked);
	mutex_unlock(&mutex);
	schedule_delayed_work(&unpark, HZ);
	pr_warn("ftrace is off, so the %s on %s cannot be removed yet; the module stays loaded until sysctl kernel.ftrace_enabled=1\n",
		what, where);
}

/**
 * sp_unpark() - remove what is parked, if that is possible now
 */
void sp_unpark(void)
{
	struct sp_parked *parked, *next;

	mutex_lock(&mutex);
	list_for_each_entry_safe(parked, next, &all_parked, node) {
		/* Each time: removing many probes takes long. */
		if (sp_canary_ftrace_is_off()) {
			schedule_delayed_work(&unpark, HZ);
			break;
		}
		list_del(&parked->node);
		parked->remove(parked);
		module_put(THIS_MODULE);
	}
	mutex_unlock(&mutex);
}

/*
 * At unload: what the worker does behind its last module_put() must be over. Nothing is parked
 * then, but where it is not loaded at all, for another reason: then the module goes whoever
 * holds it, and a mark in ftrace is better than handlers that are no more.
 */
void sp_park_exit(void)
{
	struct sp_parked *parked, *next;

	cancel_delayed_work_sync(&unpark);
	mutex_lock(&mutex);
	list_for_each_entry_safe(parked, next, &all_parked, node) {
		list_del(&parked->node);
		parked->remove(parked);
		module_put(THIS_MODULE);
	}
	mutex_unlock(&mutex);
}

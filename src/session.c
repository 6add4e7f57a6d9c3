// SPDX-License-Identifier: GPL-2.0-only
/*
 * session: one directory of the user's, from mkdir to rmdir.
 *
 * Holds the configuration and the recording, and switches it on and off. One
 * mutex per session covers both, so nothing can change while it is being
 * switched on. Order of switching on: hooks, memory, live, functions; of switching off:
 * recording, functions, hooks. The memory stays, with the results.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "func/function.h"
#include "func/probe.h"
#include "hook/fork.h"
#include "hook/hook.h"
#include "hook/irq.h"
#include "hook/migrate.h"
#include "record/live.h"
#include "lib/idle_waits.h"
#include "lib/pid_set.h"
#include "lib/limits.h"
#include "record/recording.h"
#include "hook/sampler.h"
#include "hook/switch.h"
#include "hook/throttling.h"
#include "session.h"
#include "task/traits.h"
#include "record/lifecycle.h"

/* Of what a user wrote, in a message. */
#define QUOTED 48

static const struct sp_config defaults = {
	.tasks_kind = SP_KIND_ALL,
	.states = SP_STATES_ALL,
	.stack = SP_WANT_KERNEL | SP_WANT_USER,
	.stack_depth = 64,
	.top_n = 20,
	.period_us = 1000,
	.max_tasks = 16384,
	.max_stacks = 16384,
	.max_entries = 65536,
};

/* Nothing that this depends on changes while the session is enabled. */
static bool needs_wakeups(const struct sp_session *session)
{
	return sp_config_keeps_books(&session->config) || session->config.stack & SP_WANT_WAKER ||
	       sp_mode_needs_wakeups(&sp_modes[session->config.mode]);
}

static bool needs_timer(const struct sp_session *session)
{
	const struct sp_mode *mode = &sp_modes[session->config.mode];

	return sp_mode_samples(mode) || sp_mode_samples_stacks(mode);
}

/* What the session needs of others while it is enabled. */
static int take_hold(const struct sp_session *session, struct sp_why *why)
{
	int err = sp_clock_id_check(session->config.clock, why);

	err = err ?: sp_hook_get(needs_wakeups(session), why);
	if (err)
		return err;
	if (session->config.inherit) {
		err = sp_fork_get(why);
		if (err)
			goto err_hook;
	}
	if (session->config.interrupts) {
		err = sp_irq_get(why);
		if (err)
			goto err_fork;
	}
	if (session->config.blame) {
		err = sp_migrate_get(why);
		if (err)
			goto err_irq;
		err = sp_throttling_get(why);
		if (err)
			goto err_migrate;
	}
	if (needs_timer(session)) {
		err = sp_sampler_get(session->config.period_us * NSEC_PER_USEC,
				     sp_mode_samples(&sp_modes[session->config.mode]),
				     sp_hot_sample, why);
		if (err)
			goto err_throttling;
	}
	return 0;

err_throttling:
	if (session->config.blame)
		sp_throttling_put();
err_migrate:
	if (session->config.blame)
		sp_migrate_put();
err_irq:
	if (session->config.interrupts)
		sp_irq_put();
err_fork:
	if (session->config.inherit)
		sp_fork_put();
err_hook:
	sp_hook_put(needs_wakeups(session));
	return err;
}

static void let_go(const struct sp_session *session)
{
	if (needs_timer(session))
		sp_sampler_put(session->config.period_us * NSEC_PER_USEC,
			       sp_mode_samples(&sp_modes[session->config.mode]));
	if (session->config.blame) {
		sp_throttling_put();
		sp_migrate_put();
	}
	if (session->config.interrupts)
		sp_irq_put();
	if (session->config.inherit)
		sp_fork_put();
	sp_hook_put(needs_wakeups(session));
}

/**
 * sp_session_misses() - how often a probe was missed while the session recorded
 * @session: the caller holds its mutex
 */
unsigned long sp_session_misses(const struct sp_session *session)
{
	unsigned long all = sp_hook_misses();

	if (!session->enabled)
		return session->misses;
	/* Some may turn out to be none, see sp_kprobe_misses(). */
	return all - min(all, session->misses);
}

/**
 * sp_session_hook() - what the results were recorded with; without any, what is in effect
 * @session: the caller holds its mutex
 */
const char *sp_session_hook(const struct sp_session *session)
{
	return session->enabled || !session->recording ? sp_hook_in_effect() : session->hook;
}

/* Fails only if results are to be kept, and there is no memory for that. */
static int stop_session(struct sp_session *session, bool keep, struct sp_why *why)
{
	int err;

	lockdep_assert_held(&session->mutex);
	if (keep)
		sp_hook_tell_blind();
	err = sp_recording_stop(session->recording, keep, why);
	if (err)
		return err;
	/* If it runs already, it waits for the mutex and finds nothing to do. */
	cancel_delayed_work(&session->expiry);
	if (session->recording->functions)
		sp_functions_disarm(session->recording->functions);
	session->misses = sp_session_misses(session);
	session->hook = sp_session_hook(session);
	session->enabled = false;
	let_go(session);
	return 0;
}

/* The session's time is over, counted from its start or its last reset. */
static void session_expire(struct work_struct *work)
{
	struct sp_session *session =
		container_of(to_delayed_work(work), struct sp_session, expiry);
	struct sp_why why = { };

	mutex_lock(&session->mutex);
	if (session->enabled && session->config.duration_ms &&
	    time_after_eq(jiffies, session->deadline)) {
		session->expired = !stop_session(session, true, &why);
		/* Perhaps there is memory for the end in a while. */
		if (session->enabled) {
			pr_warn_ratelimited("session %s: %s\n", session->name, why.text);
			schedule_delayed_work(&session->expiry, HZ);
		}
	}
	mutex_unlock(&session->mutex);
}

static void set_deadline(struct sp_session *session)
{
	u64 ns = sp_recording_ns(session->recording);
	u64 duration_ns = session->config.duration_ms * NSEC_PER_MSEC;
	unsigned long rest = 0;

	lockdep_assert_held(&session->mutex);
	cancel_delayed_work(&session->expiry);
	if (!session->config.duration_ms)
		return;
	if (duration_ns > ns)
		rest = nsecs_to_jiffies64(duration_ns - ns) + 1;
	session->deadline = jiffies + rest;
	schedule_delayed_work(&session->expiry, rest);
}

/**
 * sp_session_create() - a disabled session, which nobody sees yet
 * @name: of its directory
 * @show_config: prints every attribute; the control plane knows them
 *
 * Return: the session or an ERR_PTR(): -ENOMEM, or what debugfs says.
 */
struct sp_session *sp_session_create(const char *name,
				     void (*show_config)(struct seq_buf *s,
							 struct sp_session *session))
{
	struct sp_session *session;
	struct sp_pid_set *pids, *tids;
	struct sp_traits *traits;

	session = kzalloc(struct_size(session, name, strlen(name) + 1), GFP_KERNEL);
	if (!session)
		return ERR_PTR(-ENOMEM);
	strcpy(session->name, name);
	mutex_init(&session->mutex);
	INIT_DELAYED_WORK(&session->expiry, session_expire);
	session->config = defaults;
	session->filter.config = &session->config;
	session->idle_waits = sp_idle_waits_default();
	session->show_config = show_config;
	pids = sp_pid_set_make(true, NULL, 0);
	tids = sp_pid_set_make(true, NULL, 0);
	traits = sp_traits_make(NULL);
	RCU_INIT_POINTER(session->filter.traits, traits);
	RCU_INIT_POINTER(session->filter.pids, pids);
	RCU_INIT_POINTER(session->filter.tids, tids);
	if (!IS_ERR(pids) && !IS_ERR(tids) && traits)
		return session;
	sp_session_free(session);
	return ERR_PTR(-ENOMEM);
}

/**
 * sp_session_drop() - the directory is going away
 * @session: the session
 *
 * Nobody can open its results any more.
 */
void sp_session_drop(struct sp_session *session)
{
	mutex_lock(&session->mutex);
	if (session->enabled)
		stop_session(session, false, NULL);
	mutex_unlock(&session->mutex);
	cancel_delayed_work_sync(&session->expiry);
}

/* The recording goes that it is about. */
static void forget_about(struct sp_session *session)
{
	if (session->about)
		kvfree(session->about->config);
	kfree(session->about);
	session->about = NULL;
}

/**
 * sp_session_free() - give the memory back
 * @session: dropped; nobody uses it
 */
void sp_session_free(struct sp_session *session)
{
	if (session->recording)
		sp_recording_put(session->recording);
	forget_about(session);
	sp_pid_set_free(rcu_dereference_protected(session->filter.pids, true));
	sp_pid_set_free(rcu_dereference_protected(session->filter.tids, true));
	sp_traits_free(rcu_dereference_protected(session->filter.traits, true));
	sp_function_list_put(session->functions);
	sp_idle_waits_put(session->idle_waits);
	mutex_destroy(&session->mutex);
	kfree(session);
}

/* With the functions that are armed, or will be; NULL if the mode wants none. */
static struct sp_recording *make_recording(struct sp_session *session,
					   struct sp_functions *functions, struct sp_why *why)
{
	struct sp_recording *recording;
	int err;

	recording = sp_recording_create(session->name, &session->config, &session->filter,
					functions, &sp_function_ops, why);
	if (IS_ERR(recording))
		return recording;
	err = sp_recording_start(recording, why);
	if (err) {
		sp_recording_put(recording);
		return ERR_PTR(err);
	}
	if (functions)
		sp_functions_fill(functions, recording);
	return recording;
}

/* As make_recording(), and instruments the functions once it is live. */
static struct sp_recording *make_with_functions(struct sp_session *session,
						struct sp_why *why)
{
	struct sp_functions *functions;
	struct sp_recording *recording;
	int err;

	functions = sp_functions_create(session->functions, &session->config, why);
	if (IS_ERR(functions))
		return ERR_CAST(functions);
	recording = make_recording(session, functions, why);
	/* The recording has its own. */
	sp_functions_put(functions);
	if (IS_ERR(recording))
		return recording;
	err = sp_functions_arm(functions, why);
	if (err) {
		sp_recording_stop(recording, false, NULL);
		sp_recording_put(recording);
		return ERR_PTR(err);
	}
	return recording;
}

static void replace_recording(struct sp_session *session, struct sp_recording *by)
{
	if (session->recording)
		sp_recording_put(session->recording);
	session->recording = by;
	forget_about(session);
}

static struct sp_traits *exchange_traits(struct sp_session *session, struct sp_traits *traits)
{
	return rcu_replace_pointer(session->filter.traits, traits,
				   lockdep_is_held(&session->mutex));
}

/*
 * The path may have another control group by now, as when a service was started again.
 * Returns what is to be asked then, NULL if that is as before, or an ERR_PTR().
 */
static struct sp_traits *find_cgroup_again(const struct sp_session *session,
					   struct sp_why *why)
{
	const struct sp_traits *asked = sp_session_asked(session);
	struct sp_traits *traits;
	struct cgroup *cgroup;

	if (!sp_traits_cgroup_is_gone(asked))
		return NULL;
	cgroup = sp_traits_find_cgroup(asked->cgroup_path);
	if (IS_ERR(cgroup) && PTR_ERR(cgroup) != -ENOMEM)
		return ERR_PTR(sp_refuse(why, -ENOENT, "the control group '%*pEhp' is gone; write another one to cgroup, or enable the session when it is there again",
					 (int)min_t(size_t, strlen(asked->cgroup_path), QUOTED),
					 asked->cgroup_path));
	traits = IS_ERR(cgroup) ? NULL : sp_traits_make(asked);
	if (!traits) {
		if (!IS_ERR(cgroup))
			cgroup_put(cgroup);
		sp_refuse(why, -ENOMEM, "there is not enough memory for the filter; try again");
		return ERR_PTR(-ENOMEM);
	}
	swap(traits->cgroup, cgroup);
	cgroup_put(cgroup);
	return traits;
}

static int start_session(struct sp_session *session, struct sp_why *why)
{
	const struct sp_mode *mode = &sp_modes[session->config.mode];
	bool calls = sp_mode_profiles_functions(mode);
	struct sp_traits *again, *before = NULL;
	struct sp_recording *recording;
	unsigned long misses;
	int err;

	if (calls && !session->functions)
		return sp_refuse(why, -EINVAL, "no function is to be profiled; write some to functions first, as in: vfs_read, 'tcp_*' or @syscall");
	if (session->config.stack & SP_WANT_WAKER &&
	    (mode->time == SP_TIME_ON_CPU || !sp_time_parts(mode->time)))
		return sp_refuse(why, -EINVAL, "nobody wakes a task that is on a CPU; take waker out of stack, or set mode to offcpu, blocked, runqueue or wall");
	again = find_cgroup_again(session, why);
	if (IS_ERR(again))
		return PTR_ERR(again);
	err = take_hold(session, why);
	if (err) {
		sp_traits_free(again);
		return err;
	}
	/* No hook asks the filter of a session that is off. */
	if (again)
		before = exchange_traits(session, again);
	misses = sp_hook_misses();
	recording = calls ? make_with_functions(session, why) :
			    make_recording(session, NULL, why);
	if (IS_ERR(recording)) {
		/* Hooks that asked it, if it was live, were waited for. */
		if (before)
			sp_traits_free(exchange_traits(session, before));
		let_go(session);
		return PTR_ERR(recording);
	}
	sp_traits_free(before);
	replace_recording(session, recording);
	session->misses = misses;
	session->enabled = true;
	session->expired = false;
	return 0;
}

/**
 * sp_session_enable() - switch recording on or off
 * @session: the caller holds its mutex
 * @on: on, else off
 * @why: filled on failure
 *
 * Return: 0, or what sp_hook_get(), sp_recording_create() or sp_recording_stop() say;
 * then everything is as before, old results included.
 */
int sp_session_enable(struct sp_session *session, bool on, struct sp_why *why)
{
	lockdep_assert_held(&session->mutex);
	if (on == session->enabled)
		return 0;
	if (on)
		return start_session(session, why);
	return stop_session(session, true, why);
}

/**
 * sp_session_reset() - forget what was recorded, keep recording
 * @session: the caller holds its mutex
 * @why: filled on failure
 *
 * Readers may still look at the old recording, so a new one takes its place.
 *
 * Return: 0; -ENOMEM, or -ENOSPC if as many sessions are enabled as may be: the new
 * recording is there before the old one goes. Then nothing was cleared.
 */
int sp_session_reset(struct sp_session *session, struct sp_why *why)
{
	struct sp_recording *fresh = NULL;
	unsigned long misses = 0;

	lockdep_assert_held(&session->mutex);
	if (session->enabled) {
		misses = sp_hook_misses();
		fresh = make_recording(session, session->recording->functions, why);
		if (IS_ERR(fresh))
			return PTR_ERR(fresh);
		sp_recording_stop(session->recording, false, NULL);
	}
	replace_recording(session, fresh);
	session->misses = misses;
	session->expired = false;
	return 0;
}

/**
 * sp_session_configured() - config has changed
 * @session: the caller holds its mutex
 */
void sp_session_configured(struct sp_session *session)
{
	const struct sp_config *config = &session->config;
	struct sp_filter *filter = &session->filter;

	lockdep_assert_held(&session->mutex);
	if (session->enabled)
		set_deadline(session);
	WRITE_ONCE(filter->min, sp_clock_id_bound(config->clock,
						  sp_config_min_us(config) * NSEC_PER_USEC));
	WRITE_ONCE(filter->max, sp_clock_id_bound(config->clock,
						  config->max_us * NSEC_PER_USEC));
	if (session->enabled)
		sp_live_take_bounds(session->recording);
}

/* Another filter is about to be in effect. */
static void change_begins(const struct sp_session *session)
{
	if (session->enabled)
		sp_live_change_begin();
}

/* It is. On return no hook asks the one before. */
static void change_ends(const struct sp_session *session)
{
	if (session->enabled) {
		sp_live_change_end(session->recording);
		synchronize_rcu();
	}
}

/**
 * sp_session_list() - put another list of processes or threads into effect
 * @session: the caller holds its mutex
 * @which: the list, in the session's filter
 * @set: owned by the session from now on
 */
void sp_session_list(struct sp_session *session,
		     struct sp_pid_set __rcu **which, struct sp_pid_set *set)
{
	struct sp_pid_set *old;

	change_begins(session);
	old = rcu_replace_pointer(*which, set, lockdep_is_held(&session->mutex));
	change_ends(session);
	sp_pid_set_free(old);
}

/**
 * sp_session_ask() - put other traits into effect
 * @session: the caller holds its mutex
 * @traits: owned by the session from now on
 */
void sp_session_ask(struct sp_session *session, struct sp_traits *traits)
{
	struct sp_traits *old;

	change_begins(session);
	old = exchange_traits(session, traits);
	change_ends(session);
	sp_traits_free(old);
}

/* What is asked now. The caller holds the session's mutex. */
const struct sp_traits *sp_session_asked(const struct sp_session *session)
{
	return rcu_dereference_protected(session->filter.traits,
					 lockdep_is_held(&session->mutex));
}

/**
 * sp_session_listed() - a list that is in effect
 * @session: the caller holds its mutex
 * @which: the list, in the session's filter
 */
struct sp_pid_set *sp_session_listed(struct sp_session *session,
				     struct sp_pid_set __rcu *const *which)
{
	return rcu_dereference_protected(*which, lockdep_is_held(&session->mutex));
}

/**
 * sp_session_instrument() - profile other functions from the next start on
 * @session: the caller holds its mutex
 * @functions: owned by the session from now on; NULL: none
 */
void sp_session_instrument(struct sp_session *session,
			   struct sp_function_list *functions)
{
	lockdep_assert_held(&session->mutex);
	sp_function_list_put(session->functions);
	session->functions = functions;
}

/**
 * sp_session_status() - the status attribute
 * @s: where to
 * @session: the caller holds its mutex
 */
void sp_session_status(struct seq_buf *s, const struct sp_session *session)
{
	const struct sp_recording *recording = session->recording;
	u64 ns = 0;
	u32 rest;

	if (recording)
		ns = sp_recording_ns(recording);
	rest = do_div(ns, NSEC_PER_SEC);
	seq_buf_printf(s, "%s seconds=%llu.%03u memory_bytes=%llu%s",
		       session->enabled ? "enabled" :
		       session->expired ? "expired" : "disabled", ns,
		       rest / (u32)NSEC_PER_MSEC, recording ? recording->bytes : 0,
		       sp_clock_id_remark(session->config.clock));
	if (session->functions &&
	    sp_mode_profiles_functions(&sp_modes[session->config.mode]))
		seq_buf_printf(s, " functions=%u left_out=%u by=%s", session->functions->count,
			       session->functions->left_out, sp_probes_name);
	if (sp_traits_cgroup_is_gone(sp_session_asked(session)))
		sp_puts(s, " cgroup=gone");
}

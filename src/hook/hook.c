// SPDX-License-Identifier: GPL-2.0-only
/*
 * hook: chooses how scheduler events are observed, arms it while a session
 * needs it, and tells about it.
 *
 * For each role the candidates of the backend that was asked for are tried in
 * order, then those of the tracepoint backend; one is chosen only if it proved
 * itself (hook/check.c), and anew if it went blind (hook/watch.c). The table of
 * task clocks lives as long as the hooks are armed: it is made before and
 * destroyed after them.
 *
 * One mutex; hooks know nothing of this file.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/security.h>

#include "compat/compat.h"
#include "hook/check.h"
#include "hook/hook.h"
#include "hook/migrate.h"
#include "hook/switch.h"
#include "hook/throttling.h"
#include "hook/watch.h"
#include "lib/longest.h"
#include "lib/memory.h"
#include "lib/print.h"
#include "record/live.h"
#include "record/verify.h"
#include "task/task_table.h"
#include "lib/why.h"

static unsigned int task_slots = 65536;
module_param(task_slots, uint, 0444);
MODULE_PARM_DESC(task_slots, "tasks whose time is observed at once, and those that ended in the last quarter of a second (65536)");

static const struct sp_backend *const backends[] = {
	&sp_kprobe_backend,
	&sp_tracepoint_backend,
#ifdef SP_FTRACE_HOOK
	&sp_ftrace_backend,
#endif
};

struct role {
	const char *name;
	const struct sp_backend *backend;	/* NULL: nothing worked (yet) */
	const char *symbol;
	bool armed;
	struct sp_verdict verdict;
	unsigned long misses;			/* of probes that are gone */
	unsigned int went_blind;		/* so many times */
	char tried[SP_ERROR_LEN];		/* what failed, and how */
};

static DEFINE_MUTEX(mutex);	/* protects all below */
static const struct sp_backend *requested = &sp_kprobe_backend;
static unsigned int users;	/* enabled sessions */
static unsigned int wakeup_users;	/* those that need wakeups */
static u64 wakeups_seen;	/* ns; when their probe was known to see */
static u64 blind_told;		/* ns; until then, if hooks see nothing, that is counted */
static struct role roles[SP_ROLES] = {
	[SP_ROLE_SWITCH] = { .name = "switch" },
	[SP_ROLE_WAKEUP] = { .name = "wakeup" },
};

static void describe_role(struct role *role, struct sp_probe *probe)
{
	*probe = (struct sp_probe) { .how = "no", .remark = "" };
	if (role->armed)
		role->backend->describe(role - roles, probe);
	probe->misses += role->misses;
}

static void disarm_role(struct role *role)
{
	struct sp_probe probe;

	if (!role->armed)
		return;
	describe_role(role, &probe);
	role->misses = probe.misses;
	role->armed = false;
	role->backend->disarm(role - roles);
}

__printf(2, 3)
static void note_remark(struct role *role, const char *format, ...)
{
	size_t at = strlen(role->tried);
	va_list args;

	if (at && at < sizeof(role->tried) - 1)
		role->tried[at++] = ',';
	va_start(args, format);
	vscnprintf(role->tried + at, sizeof(role->tried) - at, format, args);
	va_end(args);
}

static void note_failure(struct role *role, const char *symbol, int err)
{
	if (err == -ENOENT)
		note_remark(role, "%s:absent", symbol);
	else if (err)
		note_remark(role, "%s:error%d", symbol, err);
	else
		note_remark(role, "%s:saw_%u_of_%u", symbol, role->verdict.seen,
			    role->verdict.real);
}

/* Arm one candidate and let it prove itself: 0, -ENOMEM or -EOPNOTSUPP. */
static int try_symbol(struct role *role, const struct sp_backend *backend,
		      const char *symbol)
{
	int err = backend->arm(role - roles, symbol);

	if (!err) {
		WRITE_ONCE(role->backend, backend);
		role->symbol = symbol;
		role->armed = true;
		err = sp_check(role - roles, &role->verdict);
		if (!err && role->verdict.passed)
			return 0;
		disarm_role(role);
	}
	WRITE_ONCE(role->backend, NULL);
	note_failure(role, symbol, err);
	return err == -ENOMEM ? err : -EOPNOTSUPP;
}

static int try_backend(struct role *role, const struct sp_backend *backend)
{
	const struct sp_candidates *candidates = &backend->candidates[role - roles];
	const char *silenced = backend->silenced(role - roles);
	unsigned int i;
	int err = -EOPNOTSUPP;

	if (silenced) {
		note_remark(role, "%s:%s", backend->name, silenced);
		return err;
	}
	for (i = 0; i < *candidates->count && err == -EOPNOTSUPP; i++)
		err = try_symbol(role, backend, candidates->symbols[i]);
	return err;
}

/*
 * -ENOMEM is no verdict on a candidate, so the next one is not tried then.
 * What is armed here is believed only after sp_check_end().
 */
static int choose_backend(struct role *role)
{
	int err;

	sp_check_begin(role - roles);
	role->tried[0] = '\0';
	role->verdict = (struct sp_verdict) { };
	err = try_backend(role, requested);
	if (err == -EOPNOTSUPP && requested != &sp_tracepoint_backend)
		err = try_backend(role, &sp_tracepoint_backend);
	return err;
}

/*
 * Tasks that exist already. Every switch that was under way when the hooks
 * were armed is over after the grace period, so on_cpu tells the truth, or a
 * hook that knows better was faster.
 */
static void start_clocks(u64 now)
{
	struct task_struct *process, *task;

	synchronize_rcu();
	rcu_read_lock();
	for_each_process_thread(process, task) {
		/* Dead: its last switch is over, nothing will remove a clock. */
		if (sp_task_state(task) == TASK_DEAD ||
		    READ_ONCE(task->exit_state))
			continue;
		/* Whoever has a clock needs no slot, not even for a moment. */
		if (!sp_task_find(task))
			sp_task_add_living(task, sp_task_phase(task), now);
	}
	rcu_read_unlock();
}

/*
 * Whoever was woken before the wakeup hook was armed, and has not come in yet,
 * waits since now for all that is known.
 */
static void stamp_woken(u64 now)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (sp_task_phase(task) != SP_PHASE_RUNNABLE)
			continue;
		if (sp_task_stamp_woken(task, 0, now))
			sp_live_forget_waker(task);
		/* It came in meanwhile, and sleeps again: nobody has woken it. */
		if (sp_task_phase(task) == SP_PHASE_ASLEEP)
			sp_task_stamp_woken(task, now, 0);
	}
	rcu_read_unlock();
}

/* The table of task clocks is there, and nothing is armed. */
static int arm_switch(struct sp_why *why)
{
	struct role *role = &roles[SP_ROLE_SWITCH];
	int err = choose_backend(role);

	if (err == -ENOMEM)
		return sp_refuse(why, err, "there is not enough memory to arm the hooks; try again");
	if (err)
		return sp_refuse(why, err, "no hook works for the role 'switch': %s",
				 role->tried);
	sp_hot_reset();
	/* Whoever comes in then is seen; if it takes long from here to there, somebody is not. */
	preempt_disable();
	/*
	 * The release in sp_check_end() lets no hook of switches believe itself before. Hooks of
	 * functions and readers may see the time of the last arming for a moment; they trust no
	 * clock until sp_task_table_trust().
	 */
	WRITE_ONCE(sp_armed_at, sp_time());
	sp_check_end(SP_ROLE_SWITCH);
	preempt_enable();
	start_clocks(sp_time_now());
	sp_task_table_trust();
	return 0;
}

static int arm_wakeup(struct sp_why *why)
{
	struct role *role = &roles[SP_ROLE_WAKEUP];
	int err = choose_backend(role);

	sp_check_end(SP_ROLE_WAKEUP);
	if (err == -ENOMEM)
		return sp_refuse(why, err, "there is not enough memory to arm the hooks; try again");
	if (err)
		return sp_refuse(why, err, "no hook works for the role 'wakeup': %s",
				 role->tried);
	wakeups_seen = sp_time_now();
	stamp_woken(wakeups_seen);
	return 0;
}

static void tell_blind(struct role *role, u64 ns)
{
	const char *silenced = role->backend->silenced(role - roles);

	pr_warn("the %s on %s went blind%s%s, so %llu ms are missing; looking for another hook\n",
		role->backend->name, role->symbol, silenced ? ": " : "", silenced ?: "",
		div_u64(ns, NSEC_PER_MSEC));
	role->went_blind++;
}

/*
 * The hooks that were armed see nothing, or the time in which they saw is in doubt. They may have
 * missed births, deaths and any number of switches, so no clock is believed any more; recordings
 * go on. All of that is blind until a hook is believed again. Returns 0 if nothing was done,
 * because the mutex was held.
 */
static u64 rearm_roles(u64 since, bool blind)
{
	struct role *role = &roles[SP_ROLE_SWITCH];
	struct sp_why why;
	u64 now, told;
	bool lost;

	if (!mutex_trylock(&mutex))
		return 0;
	now = sp_time_now();
	lost = role->armed;
	if (lost && blind)
		tell_blind(role, sp_time_between(since, now));
	else if (lost)
		pr_warn("the kernel stopped trusting the TSC, so %llu ms are missing; arming the hooks anew\n",
			div_u64(sp_time_between(since, now), NSEC_PER_MSEC));
	disarm_role(role);
	if (wakeup_users)
		disarm_role(&roles[SP_ROLE_WAKEUP]);
	sp_hot_blind(sp_time_between(max(since, blind_told), now));
	sp_throttling_blind();
	sp_hot_restart();
	if (wakeup_users && arm_wakeup(&why) && lost)
		pr_warn("%s\n", why.text);
	if (!arm_switch(&why)) {
		pr_info("context switches are seen again, by the %s on %s\n",
			role->backend->name, role->symbol);
		told = sp_armed_at;
	} else {
		if (lost)
			pr_warn("%s; nothing is recorded until one does\n", why.text);
		told = sp_time_now();
	}
	sp_hot_blind(sp_time_between(now, told));
	/* Also what wakeups missed. */
	wakeups_seen = told;
	blind_told = told;
	mutex_unlock(&mutex);
	return told;
}

static u64 switch_hits(void)
{
	return sp_hook_hits(SP_ROLE_SWITCH);
}

/*
 * The probe on wakeups can be silenced alone, as where it is on the entry of its function and
 * the other one behind ftrace's call; or there was no memory when both were armed anew. Then
 * nobody would be told to wait for a CPU.
 */
static void settle_wakeups_locked(void)
{
	struct role *role = &roles[SP_ROLE_WAKEUP];
	const char *silenced = NULL;
	u64 now = sp_time_now();
	struct sp_why why;

	lockdep_assert_held(&mutex);
	if (role->armed)
		silenced = role->backend->silenced(SP_ROLE_WAKEUP);
	if (!wakeup_users || (role->armed && !silenced)) {
		wakeups_seen = now;
		return;
	}
	if (role->armed) {
		pr_warn("the %s on %s went blind: %s; looking for another hook\n",
			role->backend->name, role->symbol, silenced);
		role->went_blind++;
		disarm_role(role);
	}
	sp_hot_blind(sp_time_between(wakeups_seen, now));
	wakeups_seen = now;
	if (arm_wakeup(&why))
		return;
	sp_hot_blind(sp_time_between(now, wakeups_seen));
	pr_info("wakeups are seen again, by the %s on %s\n", role->backend->name, role->symbol);
}

/* Now and then while hooks are armed; not while somebody arms or disarms them. */
static void settle_roles(void)
{
	struct role *role;

	if (!mutex_trylock(&mutex))
		return;
	for (role = roles; role < roles + SP_ROLES; role++)
		if (role->armed && role->backend->settle)
			role->backend->settle(role - roles);
	/* If it is the other one, too, both are armed anew. */
	role = &roles[SP_ROLE_SWITCH];
	if (role->armed && !role->backend->silenced(SP_ROLE_SWITCH))
		settle_wakeups_locked();
	mutex_unlock(&mutex);
}

/**
 * sp_hook_tell_blind() - count for how long hooks may have seen nothing until now
 *
 * For whoever ends a session while nobody has found that yet.
 *
 * Context: process, while there is a user; sleeps for a moment.
 */
void sp_hook_tell_blind(void)
{
	const struct role *role = &roles[SP_ROLE_SWITCH], *wakeup = &roles[SP_ROLE_WAKEUP];
	u64 now, since;

	mutex_lock(&mutex);
	since = sp_watch_blind_since(!role->armed ||
				     role->backend->silenced(SP_ROLE_SWITCH));
	now = sp_time_now();
	if (since) {
		sp_hot_blind(sp_time_between(max(since, blind_told), now));
		blind_told = now;
		wakeups_seen = now;
	} else if (wakeup_users &&
		   (!wakeup->armed || wakeup->backend->silenced(SP_ROLE_WAKEUP))) {
		sp_hot_blind(sp_time_between(wakeups_seen, now));
		wakeups_seen = now;
	}
	mutex_unlock(&mutex);
}

static const struct sp_watch_ops watch_ops = {
	.hits = switch_hits,
	.rearm = rearm_roles,
	.settle = settle_roles,
};

static void power_down(void)
{
	disarm_role(&roles[SP_ROLE_SWITCH]);
	sp_clock_stop_following();
	/* disarm_role() waited for the hooks. */
	sp_task_table_destroy();
}

/* Each session is asked for, also where hooks are armed: some arm more probes. */
static int may_arm(struct sp_why *why)
{
	if (security_locked_down(LOCKDOWN_KPROBES))
		return sp_refuse(why, -EPERM, "the kernel is locked down for confidentiality and allows no probes; boot without lockdown=confidentiality to profile");
	return 0;
}

static int power_up(struct sp_why *why)
{
	int err;

	if (!task_slots || task_slots > SP_MAX_TABLE)
		return sp_refuse(why, -ERANGE, "the module parameter task_slots must be 1 to %d; load the module with another value",
				 SP_MAX_TABLE);
	if (sp_task_table_init(task_slots))
		return sp_refuse(why, -ENOMEM, "the table of task clocks needs %llu bytes, which are not free; load the module with a smaller task_slots",
				 sp_task_table_bytes(task_slots));
	sp_clock_start_following();
	/* A probe looks at what each CPU knows before it is proved. */
	sp_hot_reset();
	/* The time may have stepped back since. */
	blind_told = 0;
	err = arm_switch(why);
	if (!err) {
		err = sp_watch_start(&watch_ops);
		if (err)
			sp_refuse(why, err, "there is not enough memory to watch the hooks; try again");
	}
	if (err)
		power_down();
	return err;
}

static void put_locked(void)
{
	lockdep_assert_held(&mutex);
	if (--users)
		return;
	sp_watch_stop();
	power_down();
}

/**
 * sp_hook_get() - a session needs the scheduler's events
 * @wakeups: those, too
 * @why: filled on failure
 *
 * The first user arms the hooks, which takes a few milliseconds.
 *
 * Return: 0, -EPERM under lockdown, -ENOMEM, or -EOPNOTSUPP if no candidate
 * proved itself.
 */
int sp_hook_get(bool wakeups, struct sp_why *why)
{
	int err = may_arm(why);

	mutex_lock(&mutex);
	if (!err && !users)
		err = power_up(why);
	if (!err)
		users++;
	if (!err && wakeups && !wakeup_users) {
		err = arm_wakeup(why);
		if (err)
			put_locked();
	}
	if (!err && wakeups)
		wakeup_users++;
	mutex_unlock(&mutex);
	return err;
}

/**
 * sp_hook_put() - a session needs them no longer
 * @wakeups: as for sp_hook_get()
 *
 * The last user disarms the hooks; on return none of them runs.
 */
void sp_hook_put(bool wakeups)
{
	mutex_lock(&mutex);
	if (wakeups && !--wakeup_users)
		disarm_role(&roles[SP_ROLE_WAKEUP]);
	put_locked();
	mutex_unlock(&mutex);
}

/**
 * sp_hook_init() - the module was loaded: can hooks work at all?
 * @why: filled on failure
 *
 * Return: as sp_hook_get().
 */
int sp_hook_init(struct sp_why *why)
{
	struct sp_why wakeups;
	int i, err;

	for (i = 0; i < ARRAY_SIZE(backends); i++)
		backends[i]->enter();
	err = sp_hook_get(false, why);
	if (err) {
		sp_hook_exit();
		return err;
	}
	/* What wakeups look like is good to know, but not always needed. */
	if (!sp_hook_get(true, &wakeups))
		sp_hook_put(true);
	sp_hook_put(false);
	return 0;
}

/**
 * sp_hook_exit() - the module goes away
 *
 * Context: process, may sleep, nobody uses the hooks.
 */
void sp_hook_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(backends); i++)
		backends[i]->leave();
}

/**
 * sp_hook_request() - choose how events shall be observed
 * @name: of a backend
 * @why: filled on failure
 *
 * Return: 0, -EINVAL, or -EBUSY while a session is enabled.
 */
int sp_hook_request(const char *name, struct sp_why *why)
{
	int i, err;

	mutex_lock(&mutex);
	for (i = 0; i < ARRAY_SIZE(backends); i++)
		if (!strcmp(backends[i]->name, name))
			break;
	if (i == ARRAY_SIZE(backends)) {
		err = sp_refuse(why, -EINVAL, "'%*pEhp' is no way to observe events; write %s",
				min_t(int, strlen(name), 32), name, SP_BACKEND_NAMES);
	} else if (users && backends[i] != requested) {
		err = sp_refuse(why, -EBUSY, "the hook is in use by %u session(s); write 0 to their enable first",
				users);
	} else {
		requested = backends[i];
		err = 0;
	}
	mutex_unlock(&mutex);
	return err;
}

/* Name of the backend that was asked for. */
const char *sp_hook_requested(void)
{
	return READ_ONCE(requested)->name;
}

/* Name of the backend that sees the switches; "none" before the first use. */
const char *sp_hook_in_effect(void)
{
	const struct sp_backend *backend = READ_ONCE(roles[SP_ROLE_SWITCH].backend);

	return backend ? backend->name : "none";
}

/* Events that probes dropped since the module was loaded. */
unsigned long sp_hook_misses(void)
{
	unsigned long misses = 0;
	struct sp_probe probe;
	int i;

	mutex_lock(&mutex);
	for (i = 0; i < SP_ROLES; i++) {
		describe_role(&roles[i], &probe);
		misses += probe.misses;
	}
	mutex_unlock(&mutex);
	return misses;
}

/* Events that were seen since the module was loaded. Context: any. */
u64 sp_hook_hits(enum sp_role role)
{
	u64 hits = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct sp_counts *counts = &per_cpu_ptr(sp_cpu, cpu)->counts;

		hits += role == SP_ROLE_SWITCH ? READ_ONCE(counts->switches) :
						 READ_ONCE(counts->wakeups);
	}
	return hits;
}

static void show_role(struct seq_buf *s, struct role *role)
{
	struct sp_probe probe;

	describe_role(role, &probe);
	seq_buf_printf(s, "role=%s backend=%s symbol=%s armed=%s check=",
		       role->name, role->backend ? role->backend->name : "none",
		       role->backend ? role->symbol : "none", probe.how);
	if (!role->verdict.real)
		sp_puts(s, "not_run_yet");
	else
		seq_buf_printf(s, "%s:%u/%u",
			       role->verdict.passed ? "passed" : "failed",
			       role->verdict.seen, role->verdict.real);
	seq_buf_printf(s, " hits=%llu misses=%lu%s", sp_hook_hits(role - roles),
		       probe.misses, probe.remark);
	if (role->went_blind)
		seq_buf_printf(s, " went_blind=%u", role->went_blind);
	if (role->tried[0])
		seq_buf_printf(s, " tried=%s", role->tried);
	sp_putc(s, '\n');
}

#ifdef SP_COUNT_CONTENTION
static void show_contention(struct seq_buf *s)
{
	u64 taken = 0, waited = 0, repeats = 0, calls = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct sp_contention *contention = per_cpu_ptr(&sp_contention, cpu);

		taken += READ_ONCE(contention->taken);
		waited += READ_ONCE(contention->waited);
		repeats += READ_ONCE(contention->repeats);
		calls += sp_cpu_entries(cpu) + READ_ONCE(per_cpu_ptr(sp_cpu, cpu)->counts.wakeups);
	}
	seq_buf_printf(s, "locks taken=%llu waited=%llu repeats=%llu calls=%llu\n",
		       taken, waited, repeats, calls);
}
#endif

#ifdef SP_COUNT_LONGEST
static void show_longest(struct seq_buf *s)
{
	struct sp_longest most = { };
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct sp_longest *longest = per_cpu_ptr(&sp_longest, cpu);

		most.switch_ns = max(most.switch_ns, READ_ONCE(longest->switch_ns));
		most.wakeup_ns = max(most.wakeup_ns, READ_ONCE(longest->wakeup_ns));
		most.stacks = max(most.stacks, READ_ONCE(longest->stacks));
		most.entries = max(most.entries, READ_ONCE(longest->entries));
		most.tasks = max(most.tasks, READ_ONCE(longest->tasks));
	}
	seq_buf_printf(s, "longest switch_ns=%lu wakeup_ns=%lu stacks=%lu entries=%lu tasks=%lu\n",
		       most.switch_ns, most.wakeup_ns, most.stacks, most.entries, most.tasks);
}
#endif

/**
 * sp_hook_status() - one line per role, and per feature that this kernel lacks
 * @s: where to
 */
void sp_hook_status(struct seq_buf *s)
{
	/* Anybody may read that all the time: of all who do, one stands in the way of who arms. */
	static DEFINE_MUTEX(readers);
	int i;

	mutex_lock(&readers);
	mutex_lock(&mutex);
	for (i = 0; i < SP_ROLES; i++)
		show_role(s, &roles[i]);
	mutex_unlock(&mutex);
	sp_migrate_status(s);
	sp_throttling_status(s);
	mutex_unlock(&readers);
	seq_buf_printf(s, "time source=%s\n", sp_clock_source());
#ifdef SP_VERIFY_STACKS
	sp_verify_status(s);
#endif
#ifdef SP_COUNT_CONTENTION
	show_contention(s);
#endif
#ifdef SP_COUNT_LONGEST
	show_longest(s);
#endif
	/* As it was found when the module was built (features.mk). */
	sp_puts(s, SP_MISSING);
}

/**
 * sp_hook_counts() - entries into and exits from the switch hook
 * @s: where to
 */
void sp_hook_counts(struct seq_buf *s)
{
	unsigned long pre = 0, post = 0;
	int cpu;

	/* Exits first: a hook that runs meanwhile shows as entered. */
	for_each_possible_cpu(cpu)
		post += sp_cpu_exits(cpu);
	for_each_possible_cpu(cpu)
		pre += sp_cpu_entries(cpu);
	seq_buf_printf(s, "pre_count %lu\npost_count %lu\ncontext_switch_count %llu\n",
		       pre, post, sp_hook_hits(SP_ROLE_SWITCH));
}

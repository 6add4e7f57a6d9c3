// SPDX-License-Identifier: GPL-2.0-only
/*
 * lifecycle: birth, start, end and death of all that one session keeps from one start
 * to the next.
 *
 * Memory is taken when it is created and never grows. Hooks see it from
 * sp_live_add() to sp_live_del(). What a CPU counts belongs to that CPU: it is
 * switched on and off there, with interrupts off, so that counts agree to the
 * last event. Readers hold references and may outlive the session.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "lib/memory.h"
#include "lib/readers.h"
#include "record/account.h"
#include "record/blame.h"
#include "record/compact.h"
#include "record/ledger_snapshot.h"
#include "record/lifecycle.h"
#include "record/live.h"
#include "record/open_intervals.h"
#include "record/totals.h"
#include "task/task_table.h"
#include "lib/why.h"
#include "lib/widen.h"
#include "record/recording.h"
#include "unwind/spaces.h"

/* When programs are looked at again that were too busy, at the earliest: 10 ms. */
#define RETRY_JIFFIES DIV_ROUND_UP(HZ, 100)
/* For each of them. To try takes a tenth of that. */
#define REST_NS 10000

static struct workqueue_struct *workqueue;

/* Context: process, at load. Return: 0 or -ENOMEM. */
int sp_recording_init(void)
{
	workqueue = alloc_workqueue("schedprof", WQ_UNBOUND, 0);
	return workqueue ? 0 : -ENOMEM;
}

/* Context: process, at unload: no recording is left. */
void sp_recording_exit(void)
{
	destroy_workqueue(workqueue);
}

static u32 programs_of(const struct sp_config *config)
{
	return config->stack & SP_WANT_USER ? config->max_tasks : 0;
}

static u64 ledger_bytes(const struct sp_config *config)
{
	return (config->max_tasks + SP_THREAD_FIRST) * sizeof(struct sp_ledger);
}

static u64 claimed_bytes(void)
{
	return BITS_TO_LONGS(sp_task_table_slots()) * sizeof(long);
}

/*
 * Words for struct sp_also, beside two for each entry: few entries, but many sessions. Half of
 * the entries have room for two sessions each; where there is none, switches take the long way.
 */
#define MIN_ALSO_WORDS	(16 * SP_MAX_ENABLED)

static u32 also_words(const struct sp_config *config)
{
	return 2 * config->max_entries + MIN_ALSO_WORDS;
}

static bool counts_functions(const struct sp_config *config)
{
	return sp_mode_profiles_functions(&sp_modes[config->mode]);
}

static u64 wakers_bytes(void)
{
	return sp_task_table_slots() * sizeof(u32);
}

static bool samples_stacks(const struct sp_config *config)
{
	return sp_mode_samples_stacks(&sp_modes[config->mode]);
}

static u64 sampled_bytes(void)
{
	return (u64)sp_task_table_slots() * sizeof(struct sp_sampled);
}

static bool knows_programs_of_wakers(const struct sp_config *config)
{
	return config->stack & SP_WANT_WAKER && config->stack & SP_WANT_USER;
}

static u64 new_wakers_bytes(const struct sp_config *config)
{
	return BITS_TO_LONGS(config->max_stacks) * sizeof(long);
}

/* In nosched the trace is what is looked for. */
static u32 trace_kb_of(const struct sp_config *config)
{
	if (!config->trace_kb && SP_EVENTS_ARE_KEPT &&
	    sp_mode_samples(&sp_modes[config->mode]))
		return SP_NOSCHED_TRACE_KB;
	return config->trace_kb;
}

/* All memory that it takes, but that of functions. */
static u64 recording_bytes(const struct sp_config *config)
{
	return sizeof(struct sp_recording) +
	       claimed_bytes() + also_words(config) * sizeof(u64) +
	       num_possible_cpus() * sizeof(struct sp_recording_cpu) +
	       sp_stack_table_bytes(config->max_stacks, config->stack_depth) +
	       sp_tally_bytes(config->max_entries, counts_functions(config)) +
	       sp_threads_bytes(config->max_tasks, sp_task_table_slots()) + sp_cgroups_bytes() +
	       sp_mappings_bytes(programs_of(config), knows_programs_of_wakers(config)) +
	       (sp_config_keeps_books(config) ? ledger_bytes(config) : 0) +
	       sp_blame_bytes(config) +
	       (config->stack & SP_WANT_WAKER ? wakers_bytes() : 0) +
	       (samples_stacks(config) ? sampled_bytes() : 0) +
	       (knows_programs_of_wakers(config) ? 3 * new_wakers_bytes(config) : 0) +
	       sp_events_bytes(trace_kb_of(config));
}

/*
 * Of a thread that has the program's memory; the first one may be gone. With a reference;
 * NULL: there is none any more.
 */
static struct pid *pid_of(const struct sp_waker *waker)
{
	struct task_struct *leader, *thread;
	struct pid *found = NULL;

	rcu_read_lock();
	leader = pid_task(find_pid_ns(waker->tgid, &init_pid_ns), PIDTYPE_TGID);
	if (leader && leader->start_time == waker->start_time) {
		for_each_thread(leader, thread) {
			if (!READ_ONCE(thread->mm))
				continue;
			found = get_pid(task_pid(thread));
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

/* Whose programs are looked at, by a bit for each: threads, or stacks of wakers. */
struct looks {
	unsigned long *asked;	/* by hooks */
	unsigned long *taken;	/* what was taken from there; looking */
	unsigned long *busy;	/* of these, what could not be looked at; looking */
	u32 end;
	/* Returns false if it is to be tried again. */
	bool (*look_locked)(struct sp_recording *recording, u32 number,
			    const struct sp_look_times *times);
};

/*
 * What hooks asked for until now. Whoever asks later may have mapped more. A look that begins
 * from then on does for all of them, and for what others have taken before.
 * @again: also what was busy. @eager: for somebody who waits, whoever makes the looks
 */
static void take_what_is_asked(struct sp_recording *recording, const struct looks *looks,
			       bool again, bool eager)
{
	u32 i;

	/* A worker and a reader may be here at the same time. */
	mutex_lock(&recording->looking);
	for (i = 0; i < BITS_TO_LONGS(looks->end); i++) {
		if (READ_ONCE(looks->asked[i]))
			looks->taken[i] |= xchg(&looks->asked[i], 0);
		if (again) {
			looks->taken[i] |= looks->busy[i];
			looks->busy[i] = 0;
		}
	}
	recording->taken_at = ktime_get_ns();
	if (eager)
		recording->eager_until = recording->taken_at + SP_EAGER_NS;
	mutex_unlock(&recording->looking);
}

static enum sp_look_result look_at_waker(struct sp_recording *recording,
					 const struct sp_waker *waker,
					 const struct sp_look_times *times, bool counts)
{
	const struct sp_who who = { .tgid = waker->tgid, .start_time = waker->start_time };
	struct pid *pid = pid_of(waker);
	enum sp_look_result result;

	result = sp_mappings_look_at_waker(&recording->mappings, pid, &who, waker->exec_id, times,
					   counts);
	put_pid(pid);
	return result;
}

/**
 * sp_recording_look_at_waker() - a reader is about to tell of a waker
 * @recording: the recording
 * @stack: of the waker; NULL: it is not known
 * @times: as for sp_mappings_look()
 *
 * Once an interval that it ended is over, the worker looks at its program. Before that,
 * nobody has.
 *
 * Context: process, may sleep.
 */
void sp_recording_look_at_waker(struct sp_recording *recording, const struct sp_stack *stack,
				const struct sp_look_times *times)
{
	const struct sp_waker *waker = stack ? sp_stack_waker(stack) : NULL;

	if (waker && waker->user != SP_STACK_NONE &&
	    !sp_mappings_find(&recording->mappings, waker->tgid, waker->exec_id,
			      waker->start_time))
		look_at_waker(recording, waker, times, false);
}

static bool look_at_thread_locked(struct sp_recording *recording, u32 number,
				  const struct sp_look_times *times)
{
	struct sp_thread *thread = &recording->threads.list[number];
	struct task_struct *task;
	struct pid *pid = NULL;
	u32 program;
	bool done;

	lockdep_assert_held(&recording->looking);
	rcu_read_lock();
	task = sp_who_task(&thread->who);
	if (task)
		pid = get_task_pid(task, PIDTYPE_PID);
	rcu_read_unlock();
	done = sp_mappings_look(&recording->mappings, pid, &thread->who,
				thread->exec_id, times, &program) == SP_LOOK_DONE;
	put_pid(pid);
	if (program)
		WRITE_ONCE(thread->who.program, program);
	return done;
}

static bool look_at_new_waker_locked(struct sp_recording *recording, u32 number,
				     const struct sp_look_times *times)
{
	const struct sp_stack *stack = sp_stack_table_get(&recording->stacks, number + 1);

	lockdep_assert_held(&recording->looking);
	return look_at_waker(recording, sp_stack_waker(stack), times, true) == SP_LOOK_DONE;
}

static void look_at_all(struct sp_recording *recording, const struct looks *looks, bool again,
			bool eager)
{
	struct sp_look_times times;
	u32 number;
	bool done;

	take_what_is_asked(recording, looks, again, eager);
	for (number = 0; number < looks->end; number++) {
		/*
		 * The worker and a reader may be here at the same time, or one of them in
		 * sp_compact(), which gives threads back.
		 */
		mutex_lock(&recording->looking);
		number = find_next_bit(looks->taken, looks->end, number);
		if (number < looks->end) {
			__clear_bit(number, looks->taken);
			times.since = recording->taken_at;
			times.eager_until = recording->eager_until;
			done = looks->look_locked(recording, number, &times);
			/* Whoever asked again may have been busy before. */
			__assign_bit(number, looks->busy, !done);
		}
		mutex_unlock(&recording->looking);
		cond_resched();
	}
}

/* @again: also at what was busy. @eager: for somebody who waits */
static void look_at_mappings(struct sp_recording *recording, bool again, bool eager)
{
	struct sp_threads *threads = &recording->threads;
	const struct looks of_threads = {
		.asked = threads->wanted,
		.taken = threads->taken,
		.busy = threads->busy,
		.end = sp_threads_end(threads),
		.look_locked = look_at_thread_locked,
	};
	const struct looks of_wakers = {
		.asked = recording->new_wakers,
		.taken = recording->taken_wakers,
		.busy = recording->busy_wakers,
		.end = recording->config.max_stacks,
		.look_locked = look_at_new_waker_locked,
	};

	look_at_all(recording, &of_threads, again, eager);
	if (recording->new_wakers)
		look_at_all(recording, &of_wakers, again, eager);
}

/* How many are busy, or are just being looked at. */
static u32 looks_left_locked(struct sp_recording *recording)
{
	struct sp_threads *threads = &recording->threads;
	u32 end = sp_threads_end(threads), max = recording->config.max_stacks;
	u32 left;

	lockdep_assert_held(&recording->looking);
	if (!programs_of(&recording->config))
		return 0;
	left = bitmap_weight(threads->busy, end) + bitmap_weight(threads->taken, end);
	if (recording->new_wakers)
		left += bitmap_weight(recording->busy_wakers, max) +
			bitmap_weight(recording->taken_wakers, max);
	return left;
}

/*
 * How many programs keep their mappings from being looked at, and with how many threads, is up
 * to other users. So those are looked at again when that has a small share of all time, whatever
 * is asked meanwhile; and what is asked does not wait for them.
 * Return: jiffies until the worker is to look again; 0: nobody is left
 */
static unsigned long look_for_worker(struct sp_recording *recording)
{
	unsigned long now = jiffies, rest;
	bool over = sp_recording_over(recording);
	bool again = over || time_after_eq(now, recording->busy_until);
	u32 left;

	look_at_mappings(recording, again, over);
	mutex_lock(&recording->looking);
	left = looks_left_locked(recording);
	mutex_unlock(&recording->looking);
	if (!left)
		return 0;
	now = jiffies;
	if (again) {
		rest = min_t(unsigned long, nsecs_to_jiffies((u64)left * REST_NS), HZ);
		recording->busy_until = now + max_t(unsigned long, rest, RETRY_JIFFIES);
	}
	return time_before(now, recording->busy_until) ? recording->busy_until - now : 1;
}

static void recording_work(struct work_struct *work)
{
	struct sp_recording *recording =
		container_of(to_delayed_work(work), struct sp_recording, work);
	unsigned long delay;

	WRITE_ONCE(recording->kicked, false);
	/* Pairs with sp_record_ask_for_mappings() and note_cgroup(). */
	smp_mb();
	sp_cgroups_find_paths(&recording->cgroups);
	/* New tasks wait for that, and who is given back need not be looked at. */
	if (sp_recording_wants_room(recording))
		sp_compact(recording);
	/* Nobody gets what was dropped. */
	if (!programs_of(&recording->config) || READ_ONCE(recording->dropped))
		return;
	delay = look_for_worker(recording);
	/* Nothing may be queued any more once the recording has ended. */
	if (delay && !sp_recording_over(recording))
		queue_delayed_work(workqueue, &recording->work, delay);
}

/*
 * In a hard interrupt right behind the hook, which could not do this itself, also on PREEMPT_RT:
 * the thread that has such work there else may never run beside one of a higher priority, and
 * whoever ends the recording would wait for it. What queues work takes raw locks alone.
 */
static void kick_irq_work(struct irq_work *kick)
{
	struct sp_recording *recording =
		container_of(kick, struct sp_recording, kick);

	mod_delayed_work(workqueue, &recording->work, 0);
}

static void destroy_recording(struct sp_recording *recording)
{
	if (recording->functions)
		recording->function_ops->put(recording->functions);
	vfree(recording->ledgers);
	vfree(recording->ledger);
	sp_blame_destroy(recording);
	sp_cgroups_destroy(&recording->cgroups);
	vfree(recording->wakers);
	vfree(recording->sampled);
	vfree(recording->new_wakers);
	vfree(recording->taken_wakers);
	vfree(recording->busy_wakers);
	vfree(recording->claimed);
	sp_events_destroy(&recording->events);
	sp_mappings_destroy(&recording->mappings);
	sp_threads_destroy(&recording->threads);
	sp_tally_destroy(&recording->tally);
	vfree(recording->also);
	sp_stack_table_destroy(&recording->stacks);
	free_percpu(recording->cpu);
	mutex_destroy(&recording->looking);
	mutex_destroy(&recording->reading);
	kfree(recording);
}

/* Hooks and readers find it there. */
static int put_unseen_waker(struct sp_recording *recording)
{
	struct sp_callchain *callchain = kzalloc(sizeof(*callchain), GFP_KERNEL);

	if (!callchain)
		return -ENOMEM;
	callchain->flags = SP_STACK_WAKER | SP_STACK_UNSEEN;
	recording->unseen_waker = sp_stack_table_put(&recording->stacks, callchain);
	kfree(callchain);
	return 0;
}

static int take_memory(struct sp_recording *recording)
{
	const struct sp_config *config = &recording->config;

	recording->cpu = alloc_percpu(struct sp_recording_cpu);
	if (!recording->cpu ||
	    sp_stack_table_init(&recording->stacks, config->max_stacks,
				config->stack_depth) ||
	    sp_tally_init(&recording->tally, config->max_entries, counts_functions(config)) ||
	    sp_threads_init(&recording->threads, config->max_tasks,
			    sp_task_table_slots()) ||
	    sp_cgroups_init(&recording->cgroups) ||
	    sp_mappings_init(&recording->mappings, programs_of(config),
			     knows_programs_of_wakers(config)) ||
	    sp_events_init(&recording->events, trace_kb_of(config)))
		return -ENOMEM;
	recording->claimed = sp_alloc(claimed_bytes());
	recording->also_words = also_words(config);
	recording->also = sp_alloc(recording->also_words * sizeof(u64));
	if (!recording->claimed || !recording->also)
		return -ENOMEM;
	if (sp_config_keeps_books(config))
		recording->ledger = sp_alloc(ledger_bytes(config));
	if (config->stack & SP_WANT_WAKER)
		recording->wakers = sp_alloc(wakers_bytes());
	if (samples_stacks(config))
		recording->sampled = sp_alloc(sampled_bytes());
	if (knows_programs_of_wakers(config)) {
		recording->new_wakers = sp_alloc(new_wakers_bytes(config));
		recording->taken_wakers = sp_alloc(new_wakers_bytes(config));
		recording->busy_wakers = sp_alloc(new_wakers_bytes(config));
	}
	if (sp_blame_init(recording) || (sp_config_keeps_books(config) && !recording->ledger) ||
	    (config->stack & SP_WANT_WAKER &&
	     (!recording->wakers || put_unseen_waker(recording))) ||
	    (samples_stacks(config) && !recording->sampled) ||
	    (knows_programs_of_wakers(config) &&
	     (!recording->new_wakers || !recording->taken_wakers || !recording->busy_wakers)))
		return -ENOMEM;
	return 0;
}

/**
 * sp_recording_create() - make an empty recording
 * @name: of the session; copied
 * @config: copied
 * @filter: outlives the time in which the recording is live
 * @functions: that it is about; NULL: none
 * @ops: what is asked of them
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed: it has a place for each
 * task clock.
 * Return: the recording with one reference, or ERR_PTR(-ENOMEM).
 */
struct sp_recording *sp_recording_create(const char *name,
					 const struct sp_config *config,
					 const struct sp_filter *filter,
					 struct sp_functions *functions,
					 const struct sp_function_ops *ops,
					 struct sp_why *why)
{
	u64 bytes = recording_bytes(config);
	struct sp_recording *recording = NULL;

	if (bytes >> PAGE_SHIFT < si_mem_available())
		/* Of such a size it is aligned to cache lines. */
		recording = kzalloc(roundup_pow_of_two(sizeof(*recording)), GFP_KERNEL);
	if (!recording)
		goto err_memory;
	kref_init(&recording->kref);
	mutex_init(&recording->reading);
	mutex_init(&recording->looking);
	sp_irq_work_init_hard(&recording->kick, kick_irq_work);
	INIT_DELAYED_WORK(&recording->work, recording_work);
	recording->busy_until = jiffies;
	recording->config = *config;
	recording->mode = &sp_modes[config->mode];
	recording->asks = sp_config_keeps_books(config) || config->stack & SP_WANT_WAKER;
	recording->more = recording->asks ||
			  recording->mode->time != SP_TIME_OFF_CPU ||
			  config->states != SP_STATES_ALL || config->clock != SP_CLOCK_MONO ||
			  trace_kb_of(config);
	strscpy(recording->name, name, sizeof(recording->name));
	recording->function_ops = ops;
	if (functions)
		recording->functions = ops->get(functions);
	recording->filter = filter;
	recording->bytes = bytes;
	/* Those have been taken. */
	if (functions)
		recording->bytes += ops->bytes(functions, config);
	recording->bit = -1;
	if (take_memory(recording))
		goto err_destroy;
	return recording;

err_destroy:
	destroy_recording(recording);
err_memory:
	return ERR_PTR(sp_refuse(why, -ENOMEM,
		"recording needs %llu bytes, which are not free; lower trace_kb, max_stacks, max_entries, max_tasks or stack_depth",
		bytes));
}

static void recording_release(struct kref *kref)
{
	destroy_recording(container_of(kref, struct sp_recording, kref));
}

/**
 * sp_recording_put() - drop a reference
 * @recording: not live
 */
void sp_recording_put(struct sp_recording *recording)
{
	kref_put(&recording->kref, recording_release);
}

static void percpu_start(struct sp_recording_cpu *part, int cpu)
{
	part->base = per_cpu_ptr(sp_cpu, cpu)->counts;
	sp_foreign_read(&part->foreign_base, cpu);
	WRITE_ONCE(part->since, sp_time());
	part->live = true;
}

static void percpu_stop(struct sp_recording_cpu *part, int cpu)
{
	part->live = false;
	sp_recording_cpu_count(part, cpu);
}

/* The same, but tasks that come in still hand on what they did until the end. */
static void percpu_close(struct sp_recording_cpu *part, int cpu)
{
	percpu_stop(part, cpu);
	part->closing = true;
}

struct turn {
	struct sp_recording *recording;
	void (*part)(struct sp_recording_cpu *part, int cpu);
};

/*
 * What an idle CPU had until now is told apart from what it has in this part, or after it. It
 * may not have switched since the probes were armed: then nobody knows yet that it idles.
 */
static void settle_idle_cpu(void)
{
	struct sp_cpu *cpu;

	/* Those that idle for another reason, as to cool a CPU, are tasks as any. */
	if (current->pid)
		return;
	/* Readers try again; and while hooks are made anew, nothing is touched. */
	cpu = sp_hot_call_begin();
	if (!cpu)
		return;
	sp_cpu_take_foreign(cpu, &cpu->idle);
	cpu->running = &cpu->idle;
	sp_hot_call_end(cpu);
}

static void percpu_switch_here(void *data)
{
	struct turn *turn = data;
	u64 until;

	if (turn->recording->config.interrupts)
		settle_idle_cpu();
	turn->part(this_cpu_ptr(turn->recording->cpu), raw_smp_processor_id());
	/* What hooks handed on here while it was live they did not tell. */
	if (turn->part == percpu_close)
		sp_recording_closes(turn->recording, sp_time(), &until);
	if (turn->part != percpu_start)
		sp_record_cut_nosched_span(turn->recording);
}

/* On every CPU with interrupts off there, so that no hook runs meanwhile. */
static void percpu_switch(struct sp_recording *recording,
			  void (*part)(struct sp_recording_cpu *part, int cpu))
{
	struct turn turn = { .recording = recording, .part = part };
	int cpu;

	cpus_read_lock();
	on_each_cpu(percpu_switch_here, &turn, 1);
	/* No hook runs on the others, and the lock keeps them off. */
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			part(per_cpu_ptr(recording->cpu, cpu), cpu);
	cpus_read_unlock();
}

/**
 * sp_recording_start() - let hooks fill a recording
 * @recording: fresh
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0, or -ENOSPC if too many recordings are live.
 */
int sp_recording_start(struct sp_recording *recording, struct sp_why *why)
{
	int err;

	if (recording->config.stack & SP_WANT_USER)
		sp_unwind_spaces_begin();
	/* Who adds up what CPUs counted finds none that begins just then. */
	mutex_lock(&recording->reading);
	err = sp_live_add(recording);
	if (!err)
		percpu_switch(recording, percpu_start);
	mutex_unlock(&recording->reading);
	if (err) {
		if (recording->config.stack & SP_WANT_USER)
			sp_unwind_spaces_end();
		return sp_refuse(why, err, "%d sessions are enabled already; disable one first",
				 SP_MAX_ENABLED);
	}
	/* Until now no switch was plain that is of this recording. */
	WRITE_ONCE(recording->settled, true);
	return 0;
}

static void cut_one(const struct sp_open_interval *open, void *data)
{
	sp_record_cut(data, open);
}

/**
 * sp_recording_run_work() - do what hooks asked the worker for
 * @recording: a recording; the caller does not hold its reading mutex
 *
 * The worker may wait for a CPU that somebody keeps busy, which is what the
 * caller wants to see. So it is waited for only if it is at work already.
 */
void sp_recording_run_work(struct sp_recording *recording)
{
	if (sp_recording_wants_room(recording))
		sp_compact(recording);
	if (programs_of(&recording->config))
		look_at_mappings(recording, true, true);
	if (work_busy(&recording->work.work) & WORK_BUSY_RUNNING)
		flush_delayed_work(&recording->work);
}

/**
 * sp_recording_flush() - wait until what hooks asked for is done
 * @recording: a recording
 */
void sp_recording_flush(struct sp_recording *recording)
{
	mod_delayed_work(workqueue, &recording->work, 0);
	flush_delayed_work(&recording->work);
}

static void do_nothing(void *unused)
{
}

/* Hooks that do not know of the end have handed on until then at most. */
static void publish_end(struct sp_recording *recording)
{
	unsigned long late = jiffies + 2;
	struct sp_moment end;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	sp_moment_read(&end);
	now = sp_recording_end_now(recording, sp_time());
	sp_moment_move(&end, now);
	memcpy(recording->end.kernel, end.kernel, sizeof(end.kernel));
	WRITE_ONCE(recording->end.ns, now);
	local_irq_restore(flags);
	/* Another CPU's clock may be ahead, but one that went back is not waited for. */
	while (sp_time_now() <= now && time_before(jiffies, late))
		usleep_range(10, 100);
	/*
	 * A hook that read its clock before the end may not have handed on yet what was until
	 * then. It is over when its CPU has taken an interrupt. Would it claim its task, then
	 * what is between its clock and the end would be nobody's.
	 */
	on_each_cpu(do_nothing, NULL, 1);
	atomic64_or(SP_LAST_IS_OVER, &recording->last);
	/* And clocks of tasks are looked at behind all hooks that do not claim. */
	on_each_cpu(do_nothing, NULL, 1);
}

/* From now on no switch is plain that is of this recording. */
static void unsettle(struct sp_recording *recording)
{
	WRITE_ONCE(recording->settled, false);
	/* Whoever sees what that releases sees it unsettled. */
	sp_plain_bump();
}

/* What is still open ends here, and nothing is to be handed on but that. */
static void close_recording(struct sp_recording *recording, struct sp_open_intervals *intervals)
{
	WRITE_ONCE(recording->closing, true);
	unsettle(recording);
	percpu_switch(recording, percpu_close);
	sp_window();
	publish_end(recording);
	sp_open_intervals_find(intervals, recording);
}

/* There was no room: in the list, for who was born since it was made, or for their clocks. */
static void count_missed(struct sp_recording *recording, u32 missed)
{
	struct sp_recording_cpu *cpu = per_cpu_ptr(recording->cpu, 0);

	cpu->kept.intervals[recording->mode->time] += missed;
	cpu->fates.lost_tasks += missed;
}

/*
 * Until sp_live_del() hooks hand on what they claim. Then no other writes to the
 * recording.
 */
static void cut_open_intervals(struct sp_recording *recording, struct sp_open_intervals *intervals)
{
	/* Claims are by slot: whoever gets one that was claimed would have none. */
	sp_task_table_keep_slots();
	close_recording(recording, intervals);
	/*
	 * A hook may just be giving a newborn its clock, which was not there to be looked at: it
	 * still finds the recording, and hands on what it claims.
	 */
	on_each_cpu(do_nothing, NULL, 1);
	sp_live_del(recording);
	sp_task_table_give_slots();
	sp_record_keep_names(recording);
	sp_open_intervals_visit(intervals, recording->config.stack, cut_one, recording);
	count_missed(recording, intervals->missed);
	if (recording->functions)
		recording->function_ops->cut(recording);
}

/* All memory that the end needs: it cannot fail half-way. */
static int prepare_cut(struct sp_recording *recording, struct sp_open_intervals *intervals,
		       struct sp_why *why)
{
	int err = sp_open_intervals_init(intervals, recording, &sp_module_memory);

	/* The ledger of each task is closed at a moment of its own. */
	if (!err && recording->ledger) {
		recording->ledgers = sp_ledger_snapshot_take(recording, &sp_module_memory);
		if (!recording->ledgers) {
			sp_open_intervals_free(intervals);
			err = -ENOMEM;
		} else {
			recording->bytes += recording->ledgers->bytes;
		}
	}
	if (!err)
		return 0;
	return sp_refuse(why, err, "there is not enough memory to keep what is still open; the session goes on recording, try again, or remove it");
}

/* What is busy now is told as missed, though a reader may come who finds some of it yet. */
static void end_looks(struct sp_recording *recording)
{
	/* No reader looks between the one and the other. */
	mutex_lock(&recording->looking);
	sp_mappings_end(&recording->mappings, looks_left_locked(recording));
	mutex_unlock(&recording->looking);
}

/**
 * sp_recording_stop() - hooks shall not fill it any more
 * @recording: a live one
 * @keep: keep the intervals that are open now; else the result is of no
 *	interest to anybody, and no reader that comes later gets it
 * @why: filled on failure
 *
 * On return no hook, interrupt or worker touches it.
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: 0; only with @keep also -ENOMEM, and then it goes on.
 */
int sp_recording_stop(struct sp_recording *recording, bool keep, struct sp_why *why)
{
	struct sp_open_intervals intervals = { };
	int err = 0;

	/* A reader either sees it live with its open intervals, ended with all, or dropped. */
	mutex_lock(&recording->reading);
	if (keep)
		err = prepare_cut(recording, &intervals, why);
	if (err) {
		mutex_unlock(&recording->reading);
		return err;
	}
	if (keep) {
		cut_open_intervals(recording, &intervals);
	} else {
		WRITE_ONCE(recording->dropped, true);
		unsettle(recording);
		percpu_switch(recording, percpu_stop);
		sp_moment_read(&recording->end);
		sp_live_del(recording);
	}
	sp_open_intervals_free(&intervals);
	mutex_unlock(&recording->reading);
	if (recording->config.stack & SP_WANT_USER)
		sp_unwind_spaces_end();
	irq_work_sync(&recording->kick);
	sp_mappings_hurry(&recording->mappings);
	sp_recording_flush(recording);
	end_looks(recording);
	return 0;
}

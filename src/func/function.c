// SPDX-License-Identifier: GPL-2.0-only
/*
 * function: what a session that profiles functions has while it is enabled, and
 * how that comes and goes.
 *
 * Memory is taken before anything is armed. Arming and disarming are done by a
 * worker (lib/worker.c says why). While ftrace is off, probes are parked (lib/park.c),
 * with nothing to fill.
 *
 * Process context; the session's mutex is held, except where parked probes are removed, and
 * by the thread that watches the hooks. It looks at those that are armed under a mutex of its
 * own, inside of the session's.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "func/function.h"
#include "func/probe.h"
#include "lib/canary.h"
#include "lib/lock.h"
#include "lib/memory.h"
#include "lib/readers.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "lib/why.h"
#include "lib/worker.h"
#include "lib/widen.h"

/* What is called more often and is shorter is switched off: TAU's rule. */
static unsigned int throttle_calls = 100000;
module_param(throttle_calls, uint, 0644);
MODULE_PARM_DESC(throttle_calls, "timing a function distorts if it is called more often than this, and is short");
static unsigned int throttle_ns = 10000;
module_param(throttle_ns, uint, 0644);
MODULE_PARM_DESC(throttle_ns, "short is what takes less on average, in nanoseconds");

/* A hook that writes a task's calls is done within microseconds. */
#define COPY_TRIES	10000

static DEFINE_MUTEX(armed_mutex);
static LIST_HEAD(armed);	/* of functions, linked by their armed */

static u64 uses_bytes(const struct sp_function_list *list)
{
	return (u64)nr_cpu_ids * list->count * sizeof(struct sp_function_use);
}

/* Memory that they take, beside what the kernel needs to instrument them. */
static u64 functions_bytes(const struct sp_function_list *list, const struct sp_config *config)
{
	return sizeof(struct sp_functions) +
	       (u64)config->max_tasks * sizeof(struct sp_calls) + sp_parts_bytes() +
	       sp_task_table_slots() * sizeof(u32) + uses_bytes(list);
}

static void functions_release(struct kref *kref)
{
	struct sp_functions *functions = container_of(kref, struct sp_functions, kref);

	sp_pool_destroy(&functions->pool);
	vfree(functions->calls);
	vfree(functions->of_slot);
	vfree(functions->uses);
	bitmap_free(functions->throttled);
	free_percpu(functions->cpu);
	sp_function_list_put(functions->list);
	kfree(functions);
}

struct sp_functions *sp_functions_get(struct sp_functions *functions)
{
	kref_get(&functions->kref);
	return functions;
}

/**
 * sp_functions_put() - drop a reference
 * @functions: disarmed, if it is the last one; or NULL
 */
void sp_functions_put(struct sp_functions *functions)
{
	if (functions)
		kref_put(&functions->kref, functions_release);
}

/**
 * sp_functions_create() - get ready to instrument functions
 * @list: which ones; gets a reference
 * @config: of the session's recordings
 * @why: filled on failure
 *
 * Context: process, may sleep, while hooks are armed.
 * Return: one reference, or ERR_PTR(-ENOMEM).
 */
struct sp_functions *sp_functions_create(struct sp_function_list *list,
					 const struct sp_config *config,
					 struct sp_why *why)
{
	u64 bytes = functions_bytes(list, config);
	struct sp_functions *functions = NULL;

	if (bytes >> PAGE_SHIFT < si_mem_available())
		/* Of such a size it is aligned to cache lines. */
		functions = kzalloc(roundup_pow_of_two(sizeof(*functions)), GFP_KERNEL);
	if (!functions)
		goto err_memory;
	kref_init(&functions->kref);
	functions->list = sp_function_list_get(list);
	functions->throttle = config->throttle;
	functions->cpu = alloc_percpu(struct sp_function_cpu);
	functions->throttled = bitmap_zalloc(list->count, GFP_KERNEL);
	functions->uses = sp_alloc(uses_bytes(list));
	functions->of_slot = sp_alloc(sp_task_table_slots() * sizeof(*functions->of_slot));
	functions->calls = sp_alloc((size_t)config->max_tasks * sizeof(*functions->calls));
	if (!sp_pool_init(&functions->pool, config->max_tasks,
			  SP_POOL_OF(functions->calls, next_free)) &&
	    functions->cpu && functions->throttled && functions->uses &&
	    functions->of_slot && functions->calls)
		return functions;
	sp_functions_put(functions);
err_memory:
	return ERR_PTR(sp_refuse(why, -ENOMEM, "following the calls of tasks needs %llu bytes, which are not free; lower max_tasks",
				 bytes));
}

/**
 * sp_functions_fill() - which recording gets what happens from now on?
 * @functions: of its session
 * @recording: it is live
 *
 * Whoever stops the one before waits for hooks that still use it.
 */
void sp_functions_fill(struct sp_functions *functions, struct sp_recording *recording)
{
	/* How long nothing was seen is told of each recording. */
	mutex_lock(&armed_mutex);
	functions->looked = ktime_get_ns();
	WRITE_ONCE(functions->blind_ns, 0);
	mutex_unlock(&armed_mutex);
	recording->epoch = ++functions->epoch;
	/* Pairs with READ_ONCE() in hooks, which follow the pointer. */
	smp_store_release(&functions->recording, recording);
}

static void look_at_armed_locked(struct sp_functions *functions, enum sp_silence silence)
{
	u64 now = ktime_get_ns();

	lockdep_assert_held(&armed_mutex);
	if (silence != SP_SILENCE_NONE)
		WRITE_ONCE(functions->blind_ns, functions->blind_ns + now - functions->looked);
	functions->looked = now;
}

static void note_armed(struct sp_functions *functions)
{
	mutex_lock(&armed_mutex);
	functions->looked = ktime_get_ns();
	list_add(&functions->armed, &armed);
	mutex_unlock(&armed_mutex);
}

static void note_disarmed(struct sp_functions *functions)
{
	mutex_lock(&armed_mutex);
	look_at_armed_locked(functions, sp_probes_ask());
	list_del(&functions->armed);
	mutex_unlock(&armed_mutex);
}

/**
 * sp_functions_settle() - do armed probes see anything?
 *
 * They may be silenced while the hooks on switches see all: with ftrace, or because these were
 * armed anew by other means.
 *
 * Context: the thread that watches the hooks, four times a second.
 */
void sp_functions_settle(void)
{
	enum sp_silence silence = SP_SILENCE_NONE;
	struct sp_functions *functions;
	static bool told;		/* under the mutex */
	bool silent;

	mutex_lock(&armed_mutex);
	if (!list_empty(&armed))
		silence = sp_probes_ask();
	list_for_each_entry(functions, &armed, armed)
		look_at_armed_locked(functions, silence);
	silent = silence != SP_SILENCE_NONE;
	if (silent && !told)
		pr_warn("the probes on functions see nothing, because %s off; blind_ns of their sessions tells for how long\n",
			silence == SP_SILENCE_KPROBES ? "kprobes are" : "ftrace is");
	told = silent;
	mutex_unlock(&armed_mutex);
}

struct arming {
	struct sp_functions *functions;
	struct sp_why *why;
};

static int do_arm(void *data)
{
	struct arming *arming = data;
	struct sp_probes *probes = sp_probes_arm(arming->functions, arming->why);

	if (IS_ERR(probes))
		return PTR_ERR(probes);
	arming->functions->probes = probes;
	return 0;
}

static int do_disarm(void *probes)
{
	return sp_probes_disarm(probes) ? 0 : -EBUSY;
}

/**
 * sp_functions_arm() - instrument them
 * @functions: being filled
 * @why: filled on failure
 *
 * Context: process, may sleep; some milliseconds for each function.
 * Return: 0, -ENOENT if one is gone with its module, -ENOMEM, -EOPNOTSUPP while
 * nothing would be seen, or what the kernel says.
 */
int sp_functions_arm(struct sp_functions *functions, struct sp_why *why)
{
	struct arming arming = { .functions = functions, .why = why };
	const struct sp_function_list *list = functions->list;
	int err;
	u32 i;

	switch (sp_probes_ask()) {
	case SP_SILENCE_KPROBES:
		return sp_refuse(why, -EOPNOTSUPP, "all kprobes are off, so no function would be seen; write 1 to /sys/kernel/debug/kprobes/enabled");
	case SP_SILENCE_FTRACE:
		return sp_refuse(why, -EOPNOTSUPP, "ftrace is off, so no function would be seen; set sysctl kernel.ftrace_enabled=1");
	default:
		break;
	}
	for (i = 0; i < list->count; i++) {
		err = sp_function_check(&list->function[i]);
		if (err == -ENOENT)
			return sp_refuse(why, err, "the module of '%s' was unloaded since it was written; write functions again",
					 list->function[i].name);
		if (err)
			return sp_refuse(why, err, "there is not enough memory to find out if '%s' is still there; try again",
					 list->function[i].name);
	}
	err = sp_in_worker(do_arm, &arming);
	/* Probes that could not be removed again find nothing to fill. */
	if (err)
		WRITE_ONCE(functions->recording, NULL);
	else
		note_armed(functions);
	return err;
}

/**
 * sp_functions_keep() - the kernel could not remove all probes
 * @functions: their handlers go on doing nothing, with all that they look at
 */
void sp_functions_keep(struct sp_functions *functions)
{
	sp_functions_get(functions);
	__module_get(THIS_MODULE);
	pr_err("the kernel could not remove all probes on functions; the module stays loaded\n");
}

static void remove_probes(struct sp_functions *functions)
{
	if (sp_in_worker(do_disarm, functions->probes))
		sp_functions_keep(functions);
	functions->probes = NULL;
}

static void remove_parked(struct sp_parked *parked)
{
	struct sp_functions *functions = container_of(parked, struct sp_functions, parked);

	remove_probes(functions);
	sp_functions_put(functions);
}

/**
 * sp_functions_disarm() - leave the functions alone again
 * @functions: armed; the session's recording has ended
 */
void sp_functions_disarm(struct sp_functions *functions)
{
	note_disarmed(functions);
	functions->kernel_missed = sp_probes_missed(functions->probes);
	WRITE_ONCE(functions->recording, NULL);
	/* Hooks that still see it, or the memory below. */
	synchronize_rcu();
	if (sp_probes_ask() == SP_SILENCE_FTRACE) {
		functions->parked.remove = remove_parked;
		sp_park(&sp_functions_get(functions)->parked, "probes", "functions");
	} else {
		remove_probes(functions);
	}
	/* What is left are figures for readers of the recordings. */
	vfree(functions->calls);
	vfree(functions->of_slot);
	functions->calls = NULL;
	functions->of_slot = NULL;
	sp_pool_destroy(&functions->pool);
}

/* Does the kernel look at them? For readers, who hold the session's mutex. */
static unsigned long kernel_missed(const struct sp_functions *functions)
{
	return functions->recording ? sp_probes_missed(functions->probes) :
				      functions->kernel_missed;
}

static void sum_up(const struct sp_functions *functions, u32 number,
		   struct sp_function_use *use)
{
	u32 cpu;

	*use = (struct sp_function_use) { };
	for_each_possible_cpu(cpu) {
		const struct sp_function_use *part =
			&functions->uses[(size_t)cpu * functions->list->count + number];

		use->calls += READ_ONCE(part->calls);
		use->time += READ_ONCE(part->time);
	}
}

/* Returns false if it is never left alone. */
static bool copy_calls(const struct sp_calls *calls, struct sp_calls *copy)
{
	unsigned long told = SP_NO_REPEAT;
	unsigned int tries;

	for (tries = 0; tries < COPY_TRIES; tries++) {
		unsigned int seq = raw_read_seqcount(&calls->seq);

		sp_window();
		memcpy(copy, calls, sizeof(*copy));
		if (!read_seqcount_retry(&calls->seq, seq) && !(seq & 1))
			return true;
		sp_count_repeat(seq, &told);
		cpu_relax();
	}
	return false;
}

/**
 * sp_functions_open() - how many activations are open now?
 * @functions: of a session
 *
 * Context: process; the caller holds the session's mutex. About right: tasks run.
 */
u32 sp_functions_open(const struct sp_functions *functions)
{
	u32 i, open = 0, used = sp_pool_end(&functions->pool);

	for (i = 0; i < used; i++) {
		if (READ_ONCE(functions->calls[i].serial))
			open += READ_ONCE(functions->calls[i].depth);
		sp_readers_yield();
	}
	return open;
}

/**
 * sp_functions_visit_open() - all activations that are open now
 * @functions: of a session
 * @recording: which of its recordings
 * @now: until when they count
 * @visit: called for each, of a task the innermost first; gets a copy of its
 *	calls, which it may change
 * @data: for @visit
 *
 * Return: how many more there are of which nobody knows if they are.
 */
u32 sp_functions_visit_open(struct sp_functions *functions,
			    const struct sp_recording *recording, u64 now,
			    void (*visit)(struct sp_calls *calls,
					  const struct sp_ended_call *open,
					  void *data),
			    void *data)
{
	struct sp_calls *copy = &functions->copy;
	u32 i, dropped = 0, used = sp_pool_end(&functions->pool);
	struct sp_ended_call open;

	for (i = 0; i < used; i++) {
		sp_readers_yield();
		if (!READ_ONCE(functions->calls[i].depth) ||
		    !copy_calls(&functions->calls[i], copy) || !copy->serial)
			continue;
		/* While they are shut, returns are missed, and the count is of before. */
		if (sp_hot_is_shut() || !sp_calls_hold(copy)) {
			dropped += copy->depth;
			continue;
		}
		sp_calls_follow(recording, copy);
		while (sp_calls_pop_top(copy, now, &open))
			visit(copy, &open, data);
	}
	return dropped;
}

/**
 * sp_functions_distort() - is a function called so often that this distorts it?
 * @functions: of a session
 * @number: which function
 * @clock_id: of the recording's times
 * @use: filled with what it did on all CPUs
 *
 * Context: any, also a hook.
 */
bool sp_functions_distort(const struct sp_functions *functions, u32 number,
			  enum sp_clock_id clock_id, struct sp_function_use *use)
{
	sum_up(functions, number, use);
	return use->calls > READ_ONCE(throttle_calls) &&
	       div64_u64(use->time, max(use->calls, 1ULL)) <
	       sp_clock_id_of_ns(clock_id, READ_ONCE(throttle_ns));
}

/**
 * sp_functions_totals() - what was counted since enable
 * @functions: of a session
 * @totals: filled
 */
void sp_functions_totals(struct sp_functions *functions,
			 struct sp_function_totals *totals)
{
	u32 cpu;

	*totals = (struct sp_function_totals) {
		.functions = functions->list->count,
		.throttled = bitmap_weight(functions->throttled, functions->list->count),
		.missed = kernel_missed(functions),
		.blind_ns = READ_ONCE(functions->blind_ns),
	};
	for_each_possible_cpu(cpu) {
		const struct sp_function_cpu *part = per_cpu_ptr(functions->cpu, cpu);

		totals->missed += READ_ONCE(part->missed);
		totals->dropped += READ_ONCE(part->dropped);
		totals->idle += READ_ONCE(part->idle);
		totals->throttled_calls += READ_ONCE(part->throttled);
	}
}

static u64 bytes_of_functions(const struct sp_functions *functions,
			      const struct sp_config *config)
{
	return functions_bytes(functions->list, config);
}

static void cut_open_calls(struct sp_recording *recording)
{
	struct sp_functions *functions = recording->functions;
	u32 dropped = sp_functions_visit_open(functions, recording, sp_recording_end(recording),
					      sp_record_cut_call, recording);

	this_cpu_add(functions->cpu->dropped, dropped);
}

const struct sp_function_ops sp_function_ops = {
	.bytes = bytes_of_functions,
	.get = sp_functions_get,
	.put = sp_functions_put,
	.cut = cut_open_calls,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * call: what runs when an instrumented function is entered or left.
 *
 * The handlers run wherever the functions are called: in tasks and interrupts,
 * also under a run queue lock. So they switch interrupts off, and do nothing in
 * an NMI, or inside of another hook of this CPU, which they may have interrupted
 * anywhere, at a lock of ours, or while hooks are shut; what is missed so is
 * counted. All that they write belongs to this CPU or to the task that runs on it.
 * Memory was taken before anything was armed; a raw spinlock is taken for the end of a
 * task that was in one, and when what is free then is given to another one.
 */
#include <linux/bitops.h>
#include <linux/percpu.h>

#include "func/function.h"
#include "record/live.h"
#include "record/recording.h"
#include "task/task_table.h"
#include "lib/widen.h"

/* So often a CPU looks whether a function is called too often. */
#define THROTTLE_LOOK	1024

static struct sp_calls *take_call(struct sp_functions *functions, u32 slot)
{
	u32 i = sp_pool_take(&functions->pool, slot % SP_PARTS);

	if (i == SP_POOL_NONE)
		return NULL;
	WRITE_ONCE(functions->of_slot[slot], i + 1);
	return &functions->calls[i];
}

/* NULL if there is none yet. */
static struct sp_calls *find_calls(const struct sp_functions *functions, u32 slot)
{
	u32 number = READ_ONCE(functions->of_slot[slot]);

	sp_window();
	return number ? &functions->calls[number - 1] : NULL;
}

static void give_calls(struct sp_functions *functions, u32 slot, struct sp_calls *calls)
{
	raw_write_seqcount_begin(&calls->seq);
	calls->serial = 0;
	sp_calls_clear(calls);
	raw_write_seqcount_end(&calls->seq);
	WRITE_ONCE(functions->of_slot[slot], 0);
	sp_pool_put(&functions->pool, slot % SP_PARTS, calls - functions->calls);
}

/* With nothing that may be over. */
static bool are_calls_of(const struct sp_calls *calls, const struct sp_task *st)
{
	return calls->serial == st->serial && sp_calls_hold(calls);
}

/* The calls of the task, being written until the caller ends that; or NULL. */
static struct sp_calls *calls_of(struct sp_functions *functions,
				 const struct sp_recording *recording,
				 const struct sp_task *st)
{
	struct sp_calls *calls = find_calls(functions, sp_task_slot(st));

	if (unlikely(!calls))
		calls = take_call(functions, sp_task_slot(st));
	if (unlikely(!calls))
		return NULL;
	raw_write_seqcount_begin(&calls->seq);
	if (unlikely(!are_calls_of(calls, st))) {
		/* The end of whoever was here before was missed, or returns of this one. */
		this_cpu_add(functions->cpu->dropped, calls->depth);
		sp_calls_clear(calls);
		calls->serial = st->serial;
		calls->opening = READ_ONCE(sp_hot_openings);
		calls->epoch = 0;
	}
	sp_calls_follow(recording, calls);
	return calls;
}

/* What the CPU has for events of switches is free: no hook of one runs here now. */
static struct sp_switch *event_here(struct sp_cpu *cpu, struct sp_task *st)
{
	struct sp_switch *sw = &cpu->sw;

	sw->st = st;
	sw->task = current;
	sw->regs = NULL;
	sw->now = cpu->now;
	sp_window();
	return sw;
}

static bool enter_function(struct sp_functions *functions, struct sp_recording *recording,
			   struct sp_cpu *cpu, u32 number, struct sp_call *call)
{
	struct sp_task *st = sp_live_current(cpu);
	struct sp_calls *calls;
	bool room;

	if (unlikely(!st)) {
		sp_record_call_unknown(recording, true);
		return false;
	}
	if (!test_bit(recording->bit, st->match)) {
		sp_record_call_unknown(recording, false);
		return false;
	}
	calls = calls_of(functions, recording, st);
	if (unlikely(!calls)) {
		sp_record_call_unknown(recording, true);
		return false;
	}
	room = likely(calls->thread) ||
	       sp_record_call_enters(recording, event_here(cpu, st), calls);
	if (unlikely(!room)) {
		sp_record_call_unknown(recording, true);
	} else {
		/* Last, because what is before it is not the function's time. */
		room = sp_calls_push(calls, number,
				     sp_time_by(recording->config.clock, sp_time()), call);
		if (unlikely(!room))
			this_cpu_inc(functions->cpu->missed);
	}
	raw_write_seqcount_end(&calls->seq);
	return room;
}

/**
 * sp_function_enter() - an instrumented function is being entered
 * @functions: of a session
 * @number: which of them
 * @call: filled, if it is to be told when it is left
 *
 * Context: any but the idle task's and an NMI, which are counted.
 * Return: false if nobody wants to know when it is left.
 */
bool sp_function_enter(struct sp_functions *functions, u32 number,
		       struct sp_call *call)
{
	struct sp_recording *recording;
	struct sp_cpu *cpu;
	unsigned long flags;
	bool wanted = false;

	if (unlikely(test_bit(number, functions->throttled))) {
		this_cpu_inc(functions->cpu->throttled);
		return false;
	}
	if (!current->pid) {
		this_cpu_inc(functions->cpu->idle);
		return false;
	}
	local_irq_save(flags);
	cpu = sp_hot_call_begin();
	if (unlikely(!cpu)) {
		this_cpu_inc(functions->cpu->missed);
		goto out;
	}
	recording = READ_ONCE(functions->recording);
	if (likely(recording && this_cpu_ptr(recording->cpu)->live))
		wanted = enter_function(functions, recording, cpu, number, call);
	sp_hot_call_end(cpu);
out:
	local_irq_restore(flags);
	return wanted;
}

static void count_use(struct sp_functions *functions, u32 number, u64 time,
		      enum sp_clock_id clock_id)
{
	struct sp_function_use all, *use =
		&functions->uses[(size_t)smp_processor_id() * functions->list->count +
				 number];

	WRITE_ONCE(use->calls, use->calls + 1);
	WRITE_ONCE(use->time, use->time + time);
	if (likely(!functions->throttle || use->calls % THROTTLE_LOOK))
		return;
	if (sp_functions_distort(functions, number, clock_id, &all))
		set_bit(number, functions->throttled);
}

static void leave_function(struct sp_functions *functions, struct sp_recording *recording,
			   struct sp_cpu *cpu, const struct sp_call *call)
{
	enum sp_clock_id clock_id = recording->config.clock;
	struct sp_task *st = sp_live_current(cpu);
	struct sp_calls *calls = NULL;
	struct sp_ended_call ended;

	if (likely(st))
		calls = find_calls(functions, sp_task_slot(st));
	if (unlikely(!calls || !are_calls_of(calls, st)))
		goto missed;
	raw_write_seqcount_begin(&calls->seq);
	sp_calls_follow(recording, calls);
	if (unlikely(!sp_calls_pop(calls, call, sp_time_by(clock_id, cpu->now), &ended))) {
		raw_write_seqcount_end(&calls->seq);
		goto missed;
	}
	if (unlikely(ended.dropped))
		this_cpu_add(functions->cpu->dropped, ended.dropped);
	if (likely(test_bit(recording->bit, st->match))) {
		count_use(functions, calls->frame[ended.depth].function,
			  ended.inclusive, clock_id);
		sp_record_call(recording, event_here(cpu, st), calls, &ended);
	} else {
		sp_record_call_unknown(recording, false);
	}
	raw_write_seqcount_end(&calls->seq);
	return;

missed:
	this_cpu_inc(functions->cpu->missed);
}

/**
 * sp_function_leave() - an instrumented function returned
 * @functions: of a session
 * @call: as sp_function_enter() filled it
 *
 * Context: that of the entry, perhaps on another CPU.
 */
void sp_function_leave(struct sp_functions *functions, const struct sp_call *call)
{
	struct sp_recording *recording;
	struct sp_cpu *cpu;
	unsigned long flags;
	/* First, because what comes is not the function's time. */
	u64 now = sp_time();

	local_irq_save(flags);
	cpu = sp_hot_call_begin();
	if (unlikely(!cpu)) {
		this_cpu_inc(functions->cpu->missed);
		goto out;
	}
	cpu->now = now;
	recording = READ_ONCE(functions->recording);
	if (likely(recording && this_cpu_ptr(recording->cpu)->live))
		leave_function(functions, recording, cpu, call);
	sp_hot_call_end(cpu);
out:
	local_irq_restore(flags);
}

/**
 * sp_function_bury() - a task left the CPU for the last time
 * @recording: a live recording of functions
 * @sw: of the task
 * @wanted: its filter lets the task in
 *
 * Functions that never return, as do_exit(), end here.
 */
void sp_function_bury(struct sp_recording *recording, struct sp_switch *sw,
		      bool wanted)
{
	struct sp_functions *functions = recording->functions;
	u32 slot = sp_task_slot(sw->st);
	struct sp_calls *calls = find_calls(functions, slot);
	struct sp_ended_call ended;
	u64 now = sp_time_by(recording->config.clock, sw->now);

	/*
	 * After a reset there may be two recordings for a moment. And at the end of
	 * the last one, what is open is cut by whoever ends it.
	 */
	if (!calls || functions->recording != recording ||
	    !this_cpu_ptr(recording->cpu)->live)
		return;
	raw_write_seqcount_begin(&calls->seq);
	sp_calls_follow(recording, calls);
	while (wanted && are_calls_of(calls, sw->st) && sp_calls_pop_top(calls, now, &ended))
		sp_record_call(recording, sw, calls, &ended);
	this_cpu_add(functions->cpu->dropped, calls->depth);
	raw_write_seqcount_end(&calls->seq);
	give_calls(functions, slot, calls);
}


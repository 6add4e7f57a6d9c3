// SPDX-License-Identifier: GPL-2.0-only
/*
 * kretprobe: a kretprobe on each function of a session, on kernels that
 * have no fprobe.
 *
 * The handlers run wherever the functions are called. What the entry hands to
 * the exit is kept by the kernel beside the return address.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>

#include "compat/compat.h"
#include "func/function.h"
#include "func/probe.h"
#include "lib/export.h"
#include "lib/memory.h"
#include "lib/why.h"

/*
 * A task that sleeps in a function keeps an activation of it, and all tasks may
 * do so; but each takes memory, whether it is used or not. So few functions get
 * many each, and many few; what has no room is missed and counted.
 */
#define MAX_ACTIVE	65536
#define MIN_ACTIVE_EACH	64
#define MAX_ACTIVE_EACH	4096

struct probe {
	struct kretprobe kretprobe;
	struct sp_functions *functions;
	u32 number;
	/*
	 * Reads of user memory that is not there. Kernels up to 5.13 count them as
	 * misses, and only those tell of them.
	 */
	atomic_long_t faults;
};

struct sp_probes {
	u32 count;			/* that are armed */
	struct kretprobe **armed;
	struct probe list[];
};

struct activation {
	struct probe *probe;
	struct sp_call call;
};

const char *const sp_probes_name = "kretprobe";

/* They are on the entries of functions, as the one of the canary is that may be part of ftrace. */
enum sp_silence sp_probes_ask(void)
{
	return sp_canary_ask();
}

static struct probe *probe_of(struct kretprobe *kretprobe)
{
	return container_of(kretprobe, struct probe, kretprobe);
}

static int function_enters(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct activation *activation = (void *)instance->data;
	struct kretprobe *kretprobe = sp_kretprobe_of(instance);

	/* What is not 0 keeps the exit away. Its recording is over, so nobody counts the call. */
	if (unlikely(!kretprobe))
		return 1;
	activation->probe = probe_of(kretprobe);
	return !sp_function_enter(activation->probe->functions,
				  activation->probe->number, &activation->call);
}
NOKPROBE_SYMBOL(function_enters);

static int function_leaves(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct activation *activation = (void *)instance->data;

	sp_function_leave(activation->probe->functions, &activation->call);
	return 0;
}
NOKPROBE_SYMBOL(function_leaves);

static int on_fault(struct kprobe *kprobe, struct pt_regs *regs, int trap)
{
	atomic_long_inc(&probe_of(container_of(kprobe, struct kretprobe, kp))->faults);
	return 0;
}
NOKPROBE_SYMBOL(on_fault);

static int arm_one(struct sp_probes *probes, struct sp_functions *functions, u32 number)
{
	const struct sp_function *function = &functions->list->function[number];
	struct probe *probe = &probes->list[number];
	u32 each = MAX_ACTIVE / functions->list->count;
	int err;

	probe->functions = functions;
	probe->number = number;
	probe->kretprobe.kp.addr = (kprobe_opcode_t *)function->address;
	probe->kretprobe.entry_handler = function_enters;
	probe->kretprobe.handler = function_leaves;
	probe->kretprobe.data_size = sizeof(struct activation);
	probe->kretprobe.maxactive = clamp_t(u32, each, MIN_ACTIVE_EACH, MAX_ACTIVE_EACH);
	err = register_kretprobe(&probe->kretprobe);
	if (err)
		return err;
	/* Which would have cleared it. Nobody records yet, so what is there is none. */
	sp_kprobe_on_fault(&probe->kretprobe.kp, on_fault);
	atomic_long_add(probe->kretprobe.kp.nmissed, &probe->faults);
	probes->armed[probes->count++] = &probe->kretprobe;
	return 0;
}

static struct sp_probes *alloc_probes(u32 count)
{
	struct sp_probes *probes = sp_alloc(struct_size(probes, list, count));

	if (!probes)
		return NULL;
	probes->armed = sp_alloc(count * sizeof(*probes->armed));
	if (probes->armed)
		return probes;
	vfree(probes);
	return NULL;
}

/**
 * sp_probes_take() - can a function be instrumented?
 * @address: where a kprobe can be
 *
 * Context: any.
 * Return: true.
 */
bool sp_probes_take(unsigned long address)
{
	return true;
}

/**
 * sp_probes_arm() - instrument all functions
 * @functions: outlives the probes
 * @why: filled on failure
 *
 * Return: the probes, or ERR_PTR(): -ENOMEM, or what the kernel says.
 */
struct sp_probes *sp_probes_arm(struct sp_functions *functions, struct sp_why *why)
{
	const struct sp_function_list *list = functions->list;
	struct sp_probes *probes;
	int err = 0;
	u32 i;

	probes = alloc_probes(list->count);
	if (!probes)
		return ERR_PTR(sp_refuse(why, -ENOMEM,
			"there is not enough memory to instrument the functions; write fewer"));
	for (i = 0; i < list->count && !err; i++) {
		err = arm_one(probes, functions, i);
		cond_resched();
	}
	if (!err)
		return probes;
	sp_refuse(why, err, "the kernel does not let '%s' be instrumented (error %d); leave it out, or write functions again if a module was unloaded",
		  list->function[i - 1].name, -err);
	/* Those that stay call handlers, which look at them. */
	if (!sp_probes_disarm(probes))
		sp_functions_keep(functions);
	return ERR_PTR(err);
}
SP_EXPORT_FOR_KUNIT(sp_probes_arm);

#ifdef SCHEDPROF_KUNIT
struct kretprobe **sp_probes_armed(struct sp_probes *probes)
{
	return probes->armed;
}
SP_EXPORT_FOR_KUNIT(sp_probes_armed);

/* As where the kernel's own count, which CPUs share, has lost the fault. */
void sp_probes_fault(struct sp_probes *probes, u32 number)
{
	on_fault(&probes->armed[number]->kp, NULL, 0);
}
SP_EXPORT_FOR_KUNIT(sp_probes_fault);
#endif

/**
 * sp_probes_disarm() - leave the functions alone again
 * @probes: as from sp_probes_arm()
 *
 * Context: process, may sleep. On return no handler runs any more.
 * Return: false if the kernel could not; then they are kept for good.
 */
bool sp_probes_disarm(struct sp_probes *probes)
{
	u32 i;

	if (probes->count)
		unregister_kretprobes(probes->armed, probes->count);
	/* Exits that are under way: preemption is off in a handler. */
	synchronize_rcu();
	/* How a failure shows, since no kernel returns it. */
	for (i = 0; i < probes->count; i++)
		if (!probes->armed[i]->kp.addr)
			return false;
	vfree(probes->armed);
	vfree(probes);
	return true;
}
SP_EXPORT_FOR_KUNIT(sp_probes_disarm);

/**
 * sp_probes_missed() - activations that the kernel could not hand on
 * @probes: as from sp_probes_arm()
 *
 * Context: any.
 */
unsigned long sp_probes_missed(const struct sp_probes *probes)
{
	unsigned long missed = 0, nmissed;
	struct kretprobe *armed;
	u32 i;

	for (i = 0; i < probes->count; i++) {
		armed = probes->armed[i];
		nmissed = READ_ONCE(armed->kp.nmissed);
		missed += READ_ONCE(armed->nmissed) +
			  sp_kprobe_misses(nmissed, atomic_long_read(&probe_of(armed)->faults));
	}
	return missed;
}
SP_EXPORT_FOR_KUNIT(sp_probes_missed);

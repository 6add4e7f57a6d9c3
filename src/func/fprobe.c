// SPDX-License-Identifier: GPL-2.0-only
/*
 * fprobe: all functions of a session instrumented with one fprobe, on
 * kernels that have it.
 *
 * The handlers run wherever the functions are called. What the entry hands to
 * the exit is kept by the kernel beside the return address. A hash table, made
 * before the probe is armed and never changed, tells which function it is.
 */
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mutex.h>

#include "compat/compat.h"
#include "func/function.h"
#include "func/probe.h"
#include "lib/memory.h"
#include "lib/why.h"

/*
 * Where the kernel wants to know how many activations may be open at the same
 * time: all tasks may sleep in one, but each costs memory on every CPU.
 */
#define MAX_ACTIVE	16384

/*
 * What the kernel calls the entry is where it is instrumented: the function's first byte
 * on some kernels, else what lies behind its landing pad (x86), or behind that and an
 * instruction that saves the link register (arm64). Where a function is shorter, the last
 * of these is in the next one, which comes later in the list and takes its place.
 */
static const unsigned int entry_offsets[] = { 0, 4, 8 };

struct place {
	unsigned long at;	/* 0: free */
	u32 number;
};

struct sp_probes {
	struct fprobe fprobe;
	struct sp_functions *functions;
	u32 bits;
	struct place places[];	/* at least half are free */
};

const char *const sp_probes_name = "fprobe";

/* It is no kprobe. */
enum sp_silence sp_probes_ask(void)
{
	return sp_canary_ftrace_is_off() ? SP_SILENCE_FTRACE : SP_SILENCE_NONE;
}

static struct sp_probes *probes_of(struct fprobe *fprobe)
{
	return container_of(fprobe, struct sp_probes, fprobe);
}

/* Where it is, or the free one where it would be. */
static struct place *find_probe(struct sp_probes *probes, unsigned long at)
{
	u32 mask = BIT(probes->bits) - 1, i = hash_long(at, probes->bits);

	while (probes->places[i].at && probes->places[i].at != at)
		i = (i + 1) & mask;
	return &probes->places[i];
}

static int function_enters(struct fprobe *fprobe, unsigned long entry, unsigned long ret,
			   SP_FPROBE_REGS *regs, void *data)
{
	struct sp_probes *probes = probes_of(fprobe);
	const struct place *place = find_probe(probes, entry);

	/* What is not 0 keeps the exit away. */
	if (unlikely(!place->at)) {
		this_cpu_inc(probes->functions->cpu->missed);
		return 1;
	}
	return !sp_function_enter(probes->functions, place->number, data);
}

static void function_leaves(struct fprobe *fprobe, unsigned long entry, unsigned long ret,
			    SP_FPROBE_REGS *regs, void *data)
{
	sp_function_leave(probes_of(fprobe)->functions, data);
}

/* Never armed. The kernel checks what it is asked to put into its list. */
static struct ftrace_ops asked;
static DEFINE_MUTEX(asking);	/* because old kernels initialise it at the first call */

/**
 * sp_probes_take() - can a function be instrumented?
 * @address: of its entry, as from kallsyms
 *
 * Where a kprobe can be, ftrace need not: some kprobes are broken into the code, and so can
 * be in what is notrace. The kernel refuses a list with one such function in it.
 *
 * Context: process, may sleep.
 * Return: true if ftrace has its entry.
 */
bool sp_probes_take(unsigned long address)
{
	bool takes;

	mutex_lock(&asking);
	takes = !ftrace_set_filter_ip(&asked, address, 0, 1);
	/* Gives the memory of the list back. */
	ftrace_set_filter(&asked, NULL, 0, 1);
	mutex_unlock(&asking);
	return takes;
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
	u32 bits = order_base_2(max(list->count, 1U) * 2 * (ARRAY_SIZE(entry_offsets) + 1));
	unsigned long *at = sp_alloc(list->count * sizeof(*at));
	struct sp_probes *probes;
	int err = -ENOMEM;
	u32 i, o;

	probes = sp_alloc(struct_size(probes, places, BIT(bits)));
	if (!at || !probes)
		goto err_free;
	probes->functions = functions;
	probes->bits = bits;
	probes->fprobe.entry_handler = function_enters;
	probes->fprobe.exit_handler = function_leaves;
	probes->fprobe.entry_data_size = sizeof(struct sp_call);
	sp_fprobe_max_active(&probes->fprobe, MAX_ACTIVE);
	for (i = 0; i < list->count; i++) {
		at[i] = list->function[i].probe;
		*find_probe(probes, at[i]) = (struct place) { .at = at[i], .number = i };
		for (o = 0; o < ARRAY_SIZE(entry_offsets); o++) {
			unsigned long entry = list->function[i].address + entry_offsets[o];

			*find_probe(probes, entry) = (struct place) { .at = entry, .number = i };
		}
	}
	err = register_fprobe_ips(&probes->fprobe, at, list->count);
	if (err) {
		/* Some of them may have been there for a moment. */
		synchronize_rcu();
		goto err_free;
	}
	vfree(at);
	return probes;

err_free:
	vfree(probes);
	vfree(at);
	return ERR_PTR(sp_refuse(why, err, "the kernel does not let these functions be instrumented (error %d); if a module was unloaded, write functions again",
				 -err));
}

/**
 * sp_probes_disarm() - leave the functions alone again
 * @probes: as from sp_probes_arm()
 *
 * Context: process, may sleep. On return no handler runs any more.
 * Return: false if the kernel could not; then they are kept for good.
 */
bool sp_probes_disarm(struct sp_probes *probes)
{
	if (unregister_fprobe(&probes->fprobe))
		return false;
	/* Exits that are under way: preemption is off in a handler. */
	synchronize_rcu();
	vfree(probes);
	return true;
}

/**
 * sp_probes_missed() - activations that the kernel could not hand on
 * @probes: as from sp_probes_arm()
 *
 * Context: any.
 */
unsigned long sp_probes_missed(const struct sp_probes *probes)
{
	return READ_ONCE(probes->fprobe.nmissed);
}

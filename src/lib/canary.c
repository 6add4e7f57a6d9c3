// SPDX-License-Identifier: GPL-2.0-only
/*
 * canary: has somebody switched probes off?
 *
 * Root can silence all kprobes (/sys/kernel/debug/kprobes/enabled), or those
 * at the entries of functions along with ftrace (sysctl kernel.ftrace_enabled).
 * Registering still succeeds then. And removing a kprobe while ftrace is off
 * leaves a mark in its records, at which ftrace later warns and gives up for
 * good (the check at the end of ftrace_shutdown() in kernel/trace/ftrace.c).
 * So two kprobes on functions of our own tell, as long as the module is loaded:
 * one that is part of ftrace, one that cannot be. Where functions are instrumented by fprobe,
 * which is part of ftrace also where no kprobe is (arm64), and whatever becomes of kprobes, a
 * callback of ftrace tells of it. The marks that they leave go away with the module.
 *
 * One mutex, held by whoever asks.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "lib/canary.h"

static noinline void in_ftrace(void)
{
	barrier();
}

static notrace noinline void not_in_ftrace(void)
{
	barrier();
}

struct canary {
	void (*call)(void);
	struct kprobe probe;
	bool registered;
	bool heard;
};

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	WRITE_ONCE(container_of(probe, struct canary, probe)->heard, true);
	return 0;
}
NOKPROBE_SYMBOL(on_call);

/*
 * A kprobe with a post-handler is not jump-optimized (optimize_kprobe() in
 * kernel/kprobes.c), but switched off at once, and gone at once when the
 * module goes. Part of ftrace, it is never optimized.
 */
static void after_call(struct kprobe *probe, struct pt_regs *regs,
		       unsigned long flags)
{
}
NOKPROBE_SYMBOL(after_call);

static DEFINE_MUTEX(mutex);	/* protects what is armed, and what canaries heard */
static struct canary ftraced = { .call = in_ftrace };
static struct canary plain = {
	.call = not_in_ftrace,
	.probe.post_handler = after_call,
};

/* One that could not be registered tells nothing, and so never of trouble. */
static bool canary_hears(struct canary *canary)
{
	lockdep_assert_held(&mutex);
	WRITE_ONCE(canary->heard, !canary->registered);
	canary->call();
	return READ_ONCE(canary->heard);
}

/**
 * sp_canary_ask() - do kprobes fire at all?
 */
enum sp_silence sp_canary_ask(void)
{
	enum sp_silence silence = SP_SILENCE_NONE;

	mutex_lock(&mutex);
	if (!canary_hears(&plain))
		silence = SP_SILENCE_KPROBES;
	else if (!canary_hears(&ftraced))
		silence = SP_SILENCE_FTRACE;
	mutex_unlock(&mutex);
	return silence;
}

#ifdef SP_HAS_fprobe

static struct {
	/*
	 * Not of the module: once ftrace has given up for good it lets go of nobody, and goes on
	 * to look at those it has.
	 */
	struct ftrace_ops *ops;
	bool heard;
} traced;			/* the same mutex; ops: module init and exit */

static void notrace on_trace(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			     struct ftrace_regs *regs)
{
	WRITE_ONCE(traced.heard, true);
}

/**
 * sp_canary_ftrace_is_off() - does ftrace call nobody back?
 */
bool sp_canary_ftrace_is_off(void)
{
	bool off;

	/* Where a kprobe is part of ftrace, that knows, too. */
	if (!traced.ops)
		return sp_canary_ask() == SP_SILENCE_FTRACE;
	mutex_lock(&mutex);
	WRITE_ONCE(traced.heard, false);
	in_ftrace();
	off = !READ_ONCE(traced.heard);
	mutex_unlock(&mutex);
	return off;
}

static void free_ops(struct ftrace_ops *ops)
{
	/* Gives the memory of the list back. */
	ftrace_set_filter(ops, NULL, 0, 1);
	kfree(ops);
}

static void trace_begin(void)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err = -ENOMEM;

	if (ops) {
		ops->func = on_trace;
		err = ftrace_set_filter_ip(ops, (unsigned long)in_ftrace, 0, 1);
		if (!err)
			err = register_ftrace_function(ops);
		if (err)
			free_ops(ops);
		else
			traced.ops = ops;
	}
	if (err)
		pr_warn("ftrace takes no callback (error %d), so if it is switched off, sessions of mode function may not tell\n",
			-err);
}

static void trace_end(void)
{
	if (traced.ops && !unregister_ftrace_function(traced.ops))
		free_ops(traced.ops);
}

#else

/* Nothing of ours is part of it but kprobes. */
bool sp_canary_ftrace_is_off(void)
{
	return sp_canary_ask() == SP_SILENCE_FTRACE;
}

static void trace_begin(void)
{
}

static void trace_end(void)
{
}

#endif

static void canary_begin(struct canary *canary)
{
	canary->probe.addr = (kprobe_opcode_t *)canary->call;
	canary->probe.pre_handler = on_call;
	canary->registered = !register_kprobe(&canary->probe);
}

static void canary_end(struct canary *canary)
{
	if (canary->registered)
		unregister_kprobe(&canary->probe);
}

void sp_canary_init(void)
{
	canary_begin(&plain);
	canary_begin(&ftraced);
	trace_begin();
}

void sp_canary_exit(void)
{
	canary_end(&ftraced);
	canary_end(&plain);
	/*
	 * If somebody else left a mark, ftrace gives up when the last one goes. A kprobe could
	 * not be removed then.
	 */
	trace_end();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq: when interrupts and softirqs begin and end, for sessions that want to know how much
 * of a task's time on a CPU was not its own.
 *
 * The kernel's tracepoints bracket the handlers. They are armed only while such a session is
 * enabled. Ends are armed before beginnings and disarmed after them, so no span stays open
 * whose end nobody sees. What is written belongs to this CPU (lib/irq_time.h).
 *
 * One mutex, for users.
 */
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#ifdef CONFIG_X86
#include <asm/hypervisor.h>
#endif

#include "compat/compat.h"
#include "hook/irq.h"
#include "lib/print.h"
#include "lib/tracepoint.h"
#include "lib/why.h"
#include "task/percpu.h"

/* Where interrupts come from, as far as the kernel has tracepoints of their own for them. */
#ifdef CONFIG_X86
#define VECTORS(V)							\
	V(local_timer) V(reschedule) V(call_function)			\
	V(call_function_single) V(irq_work) V(x86_platform_ipi)		\
	V(thermal_apic) V(threshold_apic) V(deferred_error_apic)	\
	V(error_apic) V(spurious_apic)
#else
#define VECTORS(V)	V(ipi)
#endif

#define OF_VECTOR(name)	SOURCE_##name,
enum source {
	/* Softirqs by their vectors. */
	SOURCE_IRQ_HANDLER = NR_SOFTIRQS,
	VECTORS(OF_VECTOR)
	SOURCES
};

/*
 * @data is enum source. All of these run with hard interrupts off, but those of softirqs. Where
 * NMIs are interrupts of the same kind, as on arm64, their handlers pass here, too, perhaps in
 * the midst of what another one, or a switch, is writing: they touch nothing, and their
 * time is that of what they came into.
 */
static __always_inline void enter_irq(void *data)
{
	struct sp_cpu *cpu = this_cpu_ptr(sp_cpu);

	if (unlikely(in_nmi()))
		return;
	cpu->irqs[(unsigned long)data]++;
	sp_irq_time_enter(&cpu->irq_time, SP_SPAN_IRQ, current, sp_time());
}

static __always_inline void leave_irq(void)
{
	if (unlikely(in_nmi()))
		return;
	sp_irq_time_leave(&this_cpu_ptr(sp_cpu)->irq_time, true, sp_time());
}

static void on_irq_handler_entry(void *data, int irq, struct irqaction *action)
{
	enter_irq(data);
}

static void on_irq_handler_exit(void *data, int irq, struct irqaction *action, int ret)
{
	leave_irq();
}

#ifdef CONFIG_X86
static void on_vector_entry(void *data, int vector)
{
	enter_irq(data);
}

static void on_vector_exit(void *data, int vector)
{
	leave_irq();
}
#else
static void on_vector_entry(void *data, const char *reason)
{
	enter_irq(data);
}

static void on_vector_exit(void *data, const char *reason)
{
	leave_irq();
}
#endif

/*
 * ksoftirqd, and ktimers of PREEMPT_RT: the kernel does not export which threads these are.
 * A kernel thread gets its name before it runs, and no user can give it another one
 * (comm_write() in fs/proc/base.c asks for the same process). So the name may be
 * read here without a lock, and says what it is.
 */
static bool is_softirq_thread(const struct task_struct *task)
{
	return task->flags & PF_KTHREAD && (!memcmp(task->comm, "ksoftirq", 8) ||
					    !memcmp(task->comm, "ktimers/", 8));
}

/* A hard interrupt may come in any time before they are off here, and is counted by then. */
static void on_softirq_entry(void *data, unsigned int vector)
{
	struct sp_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(sp_cpu);
	cpu->irqs[min_t(unsigned int, vector, NR_SOFTIRQS - 1)]++;
	sp_irq_time_enter(&cpu->irq_time, is_softirq_thread(current) ? SP_SPAN_SOFTIRQ_THREAD :
								       SP_SPAN_SOFTIRQ,
			  current, sp_time());
	local_irq_restore(flags);
}

static void on_softirq_exit(void *data, unsigned int vector)
{
	unsigned long flags;

	local_irq_save(flags);
	sp_irq_time_leave(&this_cpu_ptr(sp_cpu)->irq_time, false, sp_time());
	local_irq_restore(flags);
}

struct bracket {
	const char *entry, *exit;	/* names of tracepoints */
	void *on_entry, *on_exit;	/* with their arguments */
	unsigned long source;
};

#define VECTOR_BRACKET(name)						\
	{ #name "_entry", #name "_exit", on_vector_entry, on_vector_exit, SOURCE_##name },
static const struct bracket brackets[] = {
	{ "softirq_entry", "softirq_exit", on_softirq_entry, on_softirq_exit, 0 },
	{ "irq_handler_entry", "irq_handler_exit", on_irq_handler_entry, on_irq_handler_exit,
	  SOURCE_IRQ_HANDLER },
	VECTORS(VECTOR_BRACKET)
};

/* Without these two nothing is worth telling; of the others each kernel has some. */
#define NEEDED	2

static const char *const softirq_names[NR_SOFTIRQS] = {
	[HI_SOFTIRQ] = "hi", [TIMER_SOFTIRQ] = "timer", [NET_TX_SOFTIRQ] = "net_tx",
	[NET_RX_SOFTIRQ] = "net_rx", [BLOCK_SOFTIRQ] = "block", [IRQ_POLL_SOFTIRQ] = "irq_poll",
	[TASKLET_SOFTIRQ] = "tasklet", [SCHED_SOFTIRQ] = "sched", [HRTIMER_SOFTIRQ] = "hrtimer",
	[RCU_SOFTIRQ] = "rcu",
};

static DEFINE_MUTEX(mutex);	/* protects all below */
static unsigned int users;
/* While there are users; both NULL: this kernel has no such tracepoint. */
static struct tracepoint *entry_of[ARRAY_SIZE(brackets)], *exit_of[ARRAY_SIZE(brackets)];

static void find_brackets(void)
{
	unsigned int i;

	lockdep_assert_held(&mutex);
	for (i = 0; i < ARRAY_SIZE(brackets); i++) {
		entry_of[i] = sp_tracepoint_find(brackets[i].entry);
		exit_of[i] = sp_tracepoint_find(brackets[i].exit);
		if (entry_of[i] && exit_of[i])
			continue;
		entry_of[i] = NULL;
		exit_of[i] = NULL;
	}
}

static void *source_of(unsigned int i)
{
	return (void *)brackets[i].source;
}

static void disarm(unsigned int entries, unsigned int exits)
{
	while (entries--)
		if (entry_of[entries])
			tracepoint_probe_unregister(entry_of[entries], brackets[entries].on_entry,
						    source_of(entries));
	tracepoint_synchronize_unregister();
	while (exits--)
		if (exit_of[exits])
			tracepoint_probe_unregister(exit_of[exits], brackets[exits].on_exit,
						    source_of(exits));
	tracepoint_synchronize_unregister();
}

/* No probe is armed. */
static void forget_all(void)
{
	int cpu;

	BUILD_BUG_ON(SOURCES > SP_IRQ_SOURCES);
	for_each_possible_cpu(cpu) {
		struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);

		memset(c->irqs, 0, sizeof(c->irqs));
		sp_irq_time_begin(&c->irq_time, sp_cpu_stolen_of(cpu));
	}
}

/* Ends whose beginnings were not armed yet say nothing of what is to come. */
static void count_from_now(void *data)
{
	this_cpu_ptr(sp_cpu)->irq_time.unmatched = 0;
}

static int arm(void)
{
	unsigned int i, exits = 0, entries = 0;
	int err;

	find_brackets();
	for (i = 0; i < NEEDED; i++)
		if (!entry_of[i])
			return -ENOENT;
	/* A softirq that was switched out in the time of the last user is not open any more. */
	sp_irq_armings += SP_SPANS;
	forget_all();
	for (; exits < ARRAY_SIZE(brackets); exits++) {
		err = exit_of[exits] ? tracepoint_probe_register(exit_of[exits],
								 brackets[exits].on_exit,
								 source_of(exits)) : 0;
		if (err)
			goto err_disarm;
	}
	for (; entries < ARRAY_SIZE(brackets); entries++) {
		err = entry_of[entries] ? tracepoint_probe_register(entry_of[entries],
								    brackets[entries].on_entry,
								    source_of(entries)) : 0;
		if (err)
			goto err_disarm;
	}
	on_each_cpu(count_from_now, NULL, 1);
	return 0;

err_disarm:
	disarm(entries, exits);
	return err;
}

/**
 * sp_irq_get() - a session needs to know of interrupts
 * @why: filled on failure
 *
 * Context: process, may sleep.
 * Return: 0, or what the kernel says.
 */
int sp_irq_get(struct sp_why *why)
{
	int err = 0;

	mutex_lock(&mutex);
	if (!users)
		err = arm();
	if (!err)
		users++;
	mutex_unlock(&mutex);
	if (err)
		sp_refuse(why, err, "the tracepoints of interrupts and softirqs cannot be used (error %d); set interrupts to 0",
			  -err);
	return err;
}

/**
 * sp_irq_put() - a session needs it no longer
 *
 * Context: process, may sleep; on return no probe of the last user runs.
 */
void sp_irq_put(void)
{
	mutex_lock(&mutex);
	if (!--users)
		disarm(ARRAY_SIZE(brackets), ARRAY_SIZE(brackets));
	mutex_unlock(&mutex);
}

static u64 count_of(unsigned int source)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += READ_ONCE(per_cpu_ptr(sp_cpu, cpu)->irqs[source]);
	return count;
}

static void show_counts(struct seq_buf *s)
{
	unsigned int i;

	sp_puts(s, "interrupts");
	for (i = NEEDED - 1; i < ARRAY_SIZE(brackets); i++)
		if (entry_of[i])
			seq_buf_printf(s, " %.*s=%llu", (int)strlen(brackets[i].entry) - 6,
				       brackets[i].entry, count_of(brackets[i].source));
	sp_puts(s, "\nsoftirqs");
	for (i = 0; i < NR_SOFTIRQS; i++)
		seq_buf_printf(s, " %s=%llu", softirq_names[i], count_of(i));
	sp_puts(s, "\n");
}

/* Interrupts without a tracepoint on any kernel, where they are those that come most. */
static void show_untraced(struct seq_buf *s)
{
#ifdef CONFIG_X86
	/* The timer there is mostly no local_timer. */
	if (!hypervisor_is_type(X86_HYPER_MS_HYPERV))
		return;
	sp_puts(s, "feature=interrupts missing=hyperv_stimer0\n");
	sp_puts(s, "feature=interrupts missing=hyperv_callback\n");
#endif
}

static void show_doubts(struct seq_buf *s)
{
	u64 deep = 0, unmatched = 0, steps = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct sp_irq_time *time = &per_cpu_ptr(sp_cpu, cpu)->irq_time;

		deep += READ_ONCE(time->too_deep);
		unmatched += READ_ONCE(time->unmatched);
		steps += READ_ONCE(time->steps);
	}
	seq_buf_printf(s, "interrupt_spans too_deep=%llu unmatched=%llu clock_steps=%llu\n",
		       deep, unmatched, steps);
}

/**
 * sp_irq_status() - what was seen while a session asks, and what this kernel cannot tell
 * @s: where to
 */
void sp_irq_status(struct seq_buf *s)
{
	unsigned int i;

	mutex_lock(&mutex);
	if (users) {
		show_counts(s);
		show_doubts(s);
		for (i = 0; i < ARRAY_SIZE(brackets); i++)
			if (!entry_of[i])
				seq_buf_printf(s, "feature=interrupts missing=%s\n",
					       brackets[i].entry);
		show_untraced(s);
	}
	mutex_unlock(&mutex);
}

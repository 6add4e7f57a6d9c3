// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu: what the hooks counted on each CPU, for others than hooks.
 *
 * A CPU's part is written by its hooks alone, which never wait for a reader: a
 * reader tries again while one runs.
 */
#include <linux/irqflags.h>
#include <linux/kcsan-checks.h>
#include <linux/math64.h>

#include "lib/export.h"
#include "lib/widen.h"
#include "task/percpu.h"

struct sp_cpu __percpu *sp_cpu __read_mostly;
SP_EXPORT_FOR_KUNIT(sp_cpu);
struct sp_task sp_nobody __read_mostly;
u32 sp_irq_armings __read_mostly;

/* Context: process, at load. Return: 0 or -ENOMEM. */
int sp_hot_init(void)
{
	sp_cpu = alloc_percpu(struct sp_cpu);
	return sp_cpu ? 0 : -ENOMEM;
}

/* Context: process, at unload: no hook is armed. */
void sp_hot_exit(void)
{
	free_percpu(sp_cpu);
}

/**
 * sp_hot_mean_ns() - how long a switch hook takes on this machine
 *
 * Looks are not in it: there may be many more of them than switches, and they are in no switch.
 */
u64 sp_hot_mean_ns(void)
{
	u64 ns = 0, entries = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		ns += READ_ONCE(per_cpu_ptr(sp_cpu, cpu)->counts.overhead_ns);
		/* The first of each lot was measured. */
		entries += roundup(sp_cpu_entries(cpu), SP_OVERHEAD_SAMPLE);
	}
	return entries ? div64_u64(ns, entries) : 0;
}

/**
 * sp_hot_blind() - the hooks missed what happened
 * @ns: for so long
 *
 * Context: process.
 */
void sp_hot_blind(u64 ns)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_ptr(sp_cpu)->counts.blind_ns += ns;
	local_irq_restore(flags);
}

/**
 * sp_cpu_read() - what a CPU counted, all of one moment
 * @cpu: a possible CPU
 * @copy: called to take the copy; may be called several times
 * @data: for @copy
 *
 * The hooks never wait for a reader. A reader tries again while one runs, and
 * after many tries takes what it gets: then a hook has been busy all the time.
 *
 * Context: process.
 */
void sp_cpu_read(int cpu, void (*copy)(int cpu, void *data), void *data)
{
	const struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);
	unsigned long told = SP_NO_REPEAT;
	unsigned int tries;

	for (tries = 0; tries < 100000; tries++) {
		unsigned long sequence = READ_ONCE(c->sequence);
		unsigned long calls = READ_ONCE(c->calls);

		/* Pairs with sp_cpu_write_begin(), sp_cpu_write_end() and sp_hot_call_begin(). */
		smp_rmb();
		sp_window();
		/* What is not of one moment is thrown away. */
		kcsan_nestable_atomic_begin();
		copy(cpu, data);
		kcsan_nestable_atomic_end();
		/* As above. */
		smp_rmb();
		if (!((sequence | calls) & 1) && sequence == READ_ONCE(c->sequence) &&
		    calls == READ_ONCE(c->calls))
			return;
		sp_count_repeat(sequence + calls, &told);
		cpu_relax();
	}
}

/* Entries into and exits from the switch hook, on one CPU, since loading. */
unsigned long sp_cpu_entries(int cpu)
{
	const struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);

	return (READ_ONCE(c->sequence) + 1) / 2 - READ_ONCE(c->counts.samples);
}

unsigned long sp_cpu_exits(int cpu)
{
	const struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);

	return READ_ONCE(c->sequence) / 2 - READ_ONCE(c->counts.samples);
}

/* The same as sp_cpu_take_foreign(), which calls it if there is something to take, or was. */
noinline void sp_cpu_take_some_foreign(struct sp_cpu *cpu, struct sp_task *out, u64 stolen)
{
	unsigned int i;

	out->has_foreign = sp_irq_time_came(&cpu->irq_time, stolen);
	sp_irq_time_take(&cpu->irq_time, stolen, out->foreign);
	if (out != &cpu->idle)
		return;
	for (i = 0; i < SP_FOREIGNS; i++)
		cpu->foreign_idle[i] += out->foreign[i];
}
SP_EXPORT_FOR_KUNIT(sp_cpu_take_some_foreign);

/**
 * sp_foreign_open() - what came since the last switch of a CPU
 * @foreign: filled, SP_FOREIGNS of them
 * @cpu: a possible CPU
 *
 * Context: any; of another CPU each of them is of a moment of its own, and in sp_cpu_read(), so
 * that it is no moment in the midst of a switch.
 */
void sp_foreign_open(u64 *foreign, int cpu)
{
	const struct sp_irq_time *time = &per_cpu_ptr(sp_cpu, cpu)->irq_time;
	u64 stolen = READ_ONCE(time->stolen), now;

	/* The counter grows: it is read behind what it was. */
	smp_rmb();
	now = sp_cpu_stolen_of(cpu);
	foreign[SP_FOREIGN_IRQ] = READ_ONCE(time->ns[SP_SPAN_IRQ]);
	foreign[SP_FOREIGN_SOFTIRQ] = READ_ONCE(time->ns[SP_SPAN_SOFTIRQ]);
	foreign[SP_FOREIGN_STOLEN] = now > stolen ? now - stolen : 0;
}

/* Of all time. */
static void read_all(u64 *all, int cpu)
{
	const struct sp_irq_time *time = &per_cpu_ptr(sp_cpu, cpu)->irq_time;

	all[SP_FOREIGN_IRQ] = READ_ONCE(time->total[SP_SPAN_IRQ]);
	all[SP_FOREIGN_SOFTIRQ] = READ_ONCE(time->total[SP_SPAN_SOFTIRQ]);
	all[SP_FOREIGN_STOLEN] = sp_cpu_stolen_of(cpu);
}

/* An interrupt comes every few microseconds, at most. */
#define TRIES	1000

/**
 * sp_foreign_read() - what came on a CPU since hook/irq.c was armed
 * @sums: filled
 * @cpu: a possible CPU
 *
 * What interrupts add moves no sequence count: it is read again until none came meanwhile.
 *
 * Context: as sp_foreign_open().
 */
void sp_foreign_read(struct sp_foreign_sums *sums, int cpu)
{
	const struct sp_cpu *c = per_cpu_ptr(sp_cpu, cpu);
	unsigned int i, tries = TRIES;
	u64 then[SP_FOREIGNS];

	do {
		read_all(sums->all, cpu);
		/* Both pair with sp_irq_time_spend(). */
		smp_rmb();
		memcpy(sums->idle, c->foreign_idle, sizeof(sums->idle));
		memcpy(sums->lost, c->foreign_lost, sizeof(sums->lost));
		sp_foreign_open(sums->open, cpu);
		/* As above. */
		smp_rmb();
		read_all(then, cpu);
	} while (memcmp(then, sums->all, sizeof(then)) && --tries);
	if (READ_ONCE(c->running) != &c->idle)
		return;
	for (i = 0; i < SP_FOREIGNS; i++) {
		sums->idle[i] += sums->open[i];
		sums->open[i] = 0;
	}
}

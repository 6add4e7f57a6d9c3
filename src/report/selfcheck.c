// SPDX-License-Identifier: GPL-2.0-only
/*
 * selfcheck: the module's books against the kernel's own, for every task of
 * every session that keeps a ledger, those that have ended included.
 *
 * When a task's books are opened, its hook notes what the kernel's say; both
 * must have grown by the same since. Switches must agree exactly. Times are
 * taken at different points of a switch and with different clocks, so some
 * difference is allowed for each switch; doc/accuracy.md tells why, and why
 * the kernel's time on the run queue is only a lower bound.
 *
 * Process context; the recording's reading mutex keeps its end away.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "lib/kernel_books.h"
#include "record/live.h"
#include "lib/readers.h"
#include "record/recording.h"
#include "report/report.h"
#include "lib/text.h"
#include "record/lifecycle.h"
#include "record/totals.h"
#include "record/ledger_snapshot.h"

/* Tasks with less are too short for a share of it to mean something. */
#define ENOUGH_NS	(100 * NSEC_PER_MSEC)
/*
 * Between the kernel's stamp of a switch and ours lies a part of the switch.
 * How long that takes is the machine's own; so does a hook, which is measured.
 */
#define LEAST_PER_SWITCH_NS	2000
#define HOOKS_PER_SWITCH	8

enum quantity {
	VOLUNTARY,
	INVOLUNTARY,
	RAN,
	WAITED,
	QUANTITIES
};

static const char *const names[] = {
	[VOLUNTARY] = "switches_vol",
	[INVOLUNTARY] = "switches_invol",
	[RAN] = "oncpu_ns",
	[WAITED] = "runqueue_ns",
};

/* What was found for one quantity. */
struct finding {
	u32 tasks;		/* that were compared */
	u32 beyond;		/* of them, with more than is allowed */
	bool any;		/* what follows is filled */
	/* Of the task that is furthest beyond, or nearest to it. */
	u64 difference;
	u64 allowed;
	u64 kernel;
	u64 ours;
	struct sp_who who;
};

static u64 how_far_apart(enum quantity quantity, u64 kernel, u64 ours)
{
	if (kernel > ours)
		return kernel - ours;
	/* The kernel leaves out waits for a CPU that was idle. */
	return quantity == WAITED ? 0 : ours - kernel;
}

static u64 per_switch_ns(void)
{
	return max_t(u64, LEAST_PER_SWITCH_NS, sp_hot_mean_ns() * HOOKS_PER_SWITCH);
}

static u64 allowance_of(enum quantity quantity, u64 kernel, u64 switches, u64 per_switch)
{
	if (quantity < RAN)
		return 0;
	return div_u64(kernel, quantity == RAN ? 200 : 40) + TICK_NSEC +
	       switches * per_switch;
}

static void compare_counts(struct finding *finding, enum quantity quantity,
			   const struct sp_task_ledger *task, u64 kernel, u64 ours, u64 per_switch)
{
	const struct sp_ledger *ledger = &task->ledger;
	u64 difference = how_far_apart(quantity, kernel, ours);
	u64 allowed = allowance_of(quantity, kernel,
				   ledger->voluntary + ledger->involuntary, per_switch);

	finding->tasks++;
	finding->beyond += difference > allowed;
	if (finding->any && (s64)(difference - allowed) <=
			    (s64)(finding->difference - finding->allowed))
		return;
	*finding = (struct finding) {
		.tasks = finding->tasks, .beyond = finding->beyond, .any = true,
		.difference = difference, .allowed = allowed,
		.kernel = kernel, .ours = ours, .who = task->who,
	};
}

static void compare_all(struct finding *findings, const struct sp_task_ledger *task,
			u64 per_switch)
{
	const struct sp_ledger *ledger = &task->ledger;
	const struct sp_kernel_books *base = &ledger->base;
	const struct sp_kernel_books *end = ledger->over ? &ledger->end : &task->now;
	u64 ran = end->ran_ns - base->ran_ns;
	u64 waited = end->waited_ns - base->waited_ns;

	/* A task on its way off a CPU may be counted by the kernel already. */
	if (ledger->over || task->off_cpu) {
		compare_counts(&findings[VOLUNTARY], VOLUNTARY, task,
			       (u32)(end->voluntary - base->voluntary),
			       (u32)ledger->voluntary, per_switch);
		compare_counts(&findings[INVOLUNTARY], INVOLUNTARY, task,
			       (u32)(end->involuntary - base->involuntary),
			       (u32)ledger->involuntary, per_switch);
	}
	if (ran >= ENOUGH_NS)
		compare_counts(&findings[RAN], RAN, task, ran,
			       ledger->ns[SP_ACCOUNT_ON_CPU], per_switch);
	if (SP_HAS_RUN_DELAY && waited >= ENOUGH_NS)
		compare_counts(&findings[WAITED], WAITED, task, waited,
			       ledger->ns[SP_ACCOUNT_RUN_QUEUE], per_switch);
}

static void show_finding(struct seq_buf *s, enum quantity quantity,
			 const struct finding *finding)
{
	seq_buf_printf(s, "%s\t%u\t%u\t", names[quantity], finding->tasks,
		       finding->beyond);
	if (!finding->any) {
		sp_puts(s, "-\t-\t-\t-\t-\t-\n");
		return;
	}
	seq_buf_printf(s, "%llu\t%llu\t%llu\t%llu\t%d\t", finding->difference,
		       finding->allowed, finding->kernel, finding->ours,
		       finding->who.tid);
	sp_text_name(s, finding->who.comm, sp_text_folded);
	sp_putc(s, '\n');
}

static void show_ledgers(struct seq_buf *s, const struct sp_recording *recording,
			 const struct sp_ledger_snapshot *ledgers, const struct sp_totals *totals)
{
	struct finding findings[QUANTITIES] = { };
	u64 per_switch = per_switch_ns();
	u32 i, tasks = 0, beyond = 0;

	for (i = 0; i < ledgers->count; i++) {
		const struct sp_task_ledger *task = &ledgers->list[i];

		sp_readers_yield();
		/*
		 * Folded rows are of many; others were never opened by a hook, or are those
		 * of a thread that goes on as its leader.
		 */
		if (!task->who.tid || !task->ledger.based ||
		    !(task->lives || task->ledger.over))
			continue;
		tasks++;
		compare_all(findings, task, per_switch);
	}
	sp_puts(s, "# Session ");
	sp_text_plain(s, recording->name);
	seq_buf_printf(s, ": books of %u tasks, and how much the kernel's own differ; %llu ns allowed per switch\n",
		       tasks, per_switch);
	sp_puts(s, "quantity\ttasks\tbeyond\tdifference\tallowed\tkernel\tschedprof\ttid\tcomm\n");
	for (i = 0; i < QUANTITIES; i++) {
		show_finding(s, i, &findings[i]);
		beyond += findings[i].beyond;
	}
	if (totals->counts.blind_ns)
		seq_buf_printf(s, "# The hooks saw nothing for %llu ns.\n",
			       totals->counts.blind_ns);
	if (totals->unbooked)
		seq_buf_printf(s, "# %llu events had no row to be in: raise max_tasks.\n",
			       totals->unbooked);
	seq_buf_printf(s, "result %s\n", beyond ? "failed" :
		       tasks ? "passed" : "nothing_to_check");
}

/* Return: false: it is over by now, and nothing is told. */
static bool show_recording(struct seq_buf *s, struct sp_recording *recording)
{
	struct sp_ledger_snapshot *ledgers = NULL;
	struct sp_totals *totals = kmalloc(sizeof(*totals), GFP_KERNEL);
	bool over;

	mutex_lock(&recording->reading);
	over = sp_recording_over(recording);
	if (!over && totals && !sp_recording_totals(recording, totals))
		ledgers = sp_ledger_snapshot_take(recording, &sp_reader_memory);
	mutex_unlock(&recording->reading);
	/* Of which it may have noted some, and holds them until then. */
	sp_cgroups_find_paths(&recording->cgroups);
	if (ledgers)
		show_ledgers(s, recording, ledgers, totals);
	else if (!over)
		sp_puts(s, "# There is not enough memory to look at the books; try again.\n");
	sp_readers_free(ledgers);
	kfree(totals);
	return !over;
}

/* Books in cycles cannot be compared. */
static bool has_ledgers(const struct sp_recording *recording)
{
	return recording->ledger && recording->config.clock != SP_CLOCK_TSC;
}

/**
 * sp_selfcheck_show() - the books of all live recordings
 * @s: where to
 */
void sp_selfcheck_show(struct seq_buf *s)
{
	unsigned int bit, shown = 0;

	for (bit = 0; bit < sp_live_end(); bit++) {
		struct sp_recording *recording = sp_live_get(bit);

		if (!recording)
			continue;
		if (has_ledgers(recording) && show_recording(s, recording))
			shown++;
		sp_recording_put(recording);
	}
	if (!shown)
		sp_puts(s, "# No enabled session keeps books in nanoseconds: write 1 to ledger, mono to clock, and 1 to enable.\nresult nothing_to_check\n");
}

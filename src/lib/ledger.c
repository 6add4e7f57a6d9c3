// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger: where a task's time went, all of it. It knows neither tasks nor
 * sessions. No lock: the ledger is the caller's.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "lib/export.h"
#include "lib/ledger.h"
#include "lib/task_clock.h"

static __always_inline u64 time_within(u64 start, u64 end, u64 begin)
{
	start = max(start, begin);
	return end > start ? end - start : 0;
}

/* What lies between is nobody's time: the task was not wanted, or there was no room. */
static noinline void add_gap(struct sp_ledger *ledger, u64 since)
{
	if (!ledger->since) {
		ledger->since = since;
		return;
	}
	ledger->apart += since - ledger->until;
	/* The kernel's counts went on. */
	ledger->based = false;
}

/**
 * sp_ledger_add() - what a clock tells that is not in the ledger yet
 * @ledger: of the task
 * @clock: its clock before it comes in again or ends, or as it is at a look
 * @woken: ns; when it was woken since it left, 0 if it was not
 * @now: ns; when that is
 * @begin: ns; what was before does not count
 *
 * Whoever adds hands over each state of the clock once. A task that left and
 * has not come in again is counted as having left.
 */
void sp_ledger_add(struct sp_ledger *ledger, const struct sp_clock *clock,
		   u64 woken, u64 now, u64 begin)
{
	bool off = sp_phase_off_cpu(clock->phase);
	u64 in_ts = clock->in_ts, out_ts = clock->out_ts, queued = out_ts;
	u64 since, from = begin;

	now = max3(now, out_ts, in_ts);
	since = max((in_ts ?: out_ts) ?: now, begin);
	if (unlikely(since != ledger->until)) {
		/* Less, if an event was missed and the time stepped back: that is booked. */
		if (since < ledger->until) {
			from = ledger->until;
			since = from;
		} else {
			add_gap(ledger, since);
		}
	}
	ledger->until = max(now, since);
	if (likely(in_ts))
		ledger->ns[SP_ACCOUNT_ON_CPU] += time_within(in_ts, off ? out_ts : now, from);
	if (!off)
		return;
	if (clock->phase == SP_PHASE_ASLEEP) {
		ledger->wakeups += woken >= begin;
		queued = woken ? clamp(woken, out_ts, now) : now;
		ledger->ns[clock->state == SP_STATE_D ? SP_ACCOUNT_DISK :
			   SP_ACCOUNT_SLEEP] += time_within(out_ts, queued, from);
	}
	ledger->ns[SP_ACCOUNT_RUN_QUEUE] += time_within(queued, now, from);
	if (unlikely(out_ts < begin))
		return;
	ledger->voluntary += clock->leaving == SP_LEFT_VOLUNTARILY;
	ledger->involuntary += clock->leaving == SP_LEFT_INVOLUNTARILY;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_add);

/**
 * sp_ledger_add_foreign() - what of a time on a CPU was not the task's own
 * @ledger: of the task
 * @foreign: SP_FOREIGNS of them; the first is believed most
 * @on: that time, which is in the ledger
 *
 * Return: what there was more than @on, and is not in the ledger.
 */
u64 sp_ledger_add_foreign(struct sp_ledger *ledger, const u64 *foreign, u64 on)
{
	u64 excess = 0;
	unsigned int i;

	for (i = 0; i < SP_FOREIGNS; i++) {
		u64 part = min(foreign[i], on);

		ledger->foreign[i] += part;
		on -= part;
		excess += foreign[i] - part;
	}
	return excess;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_add_foreign);

/**
 * sp_ledger_base() - where the kernel's counts and these stand now
 * @ledger: of the task
 * @kernel: what the kernel's say of the same moment
 *
 * From now on both must grow by the same. Wraps around, as differences do.
 */
void sp_ledger_base(struct sp_ledger *ledger, const struct sp_kernel_books *kernel)
{
	ledger->base = *kernel;
	ledger->base.ran_ns -= ledger->ns[SP_ACCOUNT_ON_CPU];
	ledger->base.waited_ns -= ledger->ns[SP_ACCOUNT_RUN_QUEUE];
	ledger->base.voluntary -= ledger->voluntary;
	ledger->base.involuntary -= ledger->involuntary;
	ledger->based = true;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_base);

/**
 * sp_ledger_close() - make books of a copy that was made while a hook may have been writing
 * @ledger: the copy
 *
 * Parts of it may be of before the hook wrote, and others of after that. What has a time is
 * kept: the books end there, and whoever adds what comes behind that counts nothing twice.
 */
void sp_ledger_close(struct sp_ledger *ledger)
{
	u64 on = ledger->ns[SP_ACCOUNT_ON_CPU], sum = 0;
	unsigned int i;

	if (!ledger->since) {
		*ledger = (struct sp_ledger) { };
		return;
	}
	for (i = 0; i < SP_ACCOUNTS; i++)
		sum += ledger->ns[i];
	ledger->until = ledger->since + ledger->apart + sum;
	for (i = 0; i < SP_FOREIGNS; i++) {
		ledger->foreign[i] = min(ledger->foreign[i], on);
		on -= ledger->foreign[i];
	}
	/* What the kernel said at the begin, or in the end, may be half written. */
	ledger->based = false;
	ledger->over = false;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_close);

/**
 * sp_ledger_merge() - the ledger of the same task under another program
 * @to: gets the sum
 * @from: the other ones
 *
 * Their times may lie apart, if the task was not wanted in between.
 */
void sp_ledger_merge(struct sp_ledger *to, const struct sp_ledger *from)
{
	u64 observed = sp_ledger_observed(to) + sp_ledger_observed(from);
	u64 apart = to->apart + from->apart;
	unsigned int i;

	if (!to->since || (from->since && from->since < to->since)) {
		to->since = from->since;
		to->base = from->base;
		to->based = from->based;
	}
	if (from->over) {
		to->end = from->end;
		to->over = true;
	}
	to->until = max(to->until, from->until);
	to->apart = 0;
	/* Wraps around if they overlap, as differences do. */
	to->apart = sp_ledger_observed(to) - observed;
	/* The kernel's counts went on in between. */
	if (to->apart != apart)
		to->based = false;
	for (i = 0; i < SP_ACCOUNTS; i++)
		to->ns[i] += from->ns[i];
	for (i = 0; i < SP_FOREIGNS; i++)
		to->foreign[i] += from->foreign[i];
	to->voluntary += from->voluntary;
	to->involuntary += from->involuntary;
	to->wakeups += from->wakeups;
	to->migrations += from->migrations;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_merge);

/**
 * sp_ledger_merge_other() - the ledger of another task, which shall be shown as one
 * @to: gets the sum
 * @from: the other ones
 *
 * A thread that takes the place of its leader by exec, or tasks that have exited: their
 * times may lie apart or overlap, so each is observed for its own.
 */
void sp_ledger_merge_other(struct sp_ledger *to, const struct sp_ledger *from)
{
	sp_ledger_merge(to, from);
	/* What the kernel says is of each of them alone. */
	to->based = false;
}
SP_EXPORT_FOR_KUNIT(sp_ledger_merge_other);

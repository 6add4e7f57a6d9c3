// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks: where the time of every task went, one line per task, for
 * programs. Reads views only; no lock. Row 0 is the head.
 */
#include "report/report.h"
#include "lib/text.h"
#include "record/ledger_snapshot.h"

/**
 * sp_tasks_prepare() - every task is a row
 * @view: a fresh view
 */
int sp_tasks_prepare(struct sp_view *view)
{
	view->rows = 1 + (view->ledgers ? view->ledgers->count : 0);
	return 0;
}

static void show_head(struct seq_buf *s, const struct sp_view *view)
{
	const char *unit = sp_report_unit(view);

	if (!view->recording)
		sp_puts(s, "# Nothing recorded yet: write 1 to ledger, then to enable.\n");
	else if (!sp_config_keeps_books(&view->recording->config))
		sp_puts(s, "# This session keeps no books: write 0 to enable, 1 to ledger, and 1 to enable.\n");
	else
		seq_buf_printf(s, "tid\ttgid\tcomm\toncpu_%s\trunqueue_%s\tsleep_%s\tdisk_%s\tswitches_vol\tswitches_invol\twakeups\tmigrations\tobserved_%s",
			       unit, unit, unit, unit, unit);
	if (view->ledgers && view->recording->config.interrupts)
		seq_buf_printf(s, "\tirq_%s\tsoftirq_%s\tstolen_%s", unit, unit, unit);
	if (view->ledgers)
		sp_puts(s, "\n");
}

/**
 * sp_tasks_show() - the books of one task
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_tasks_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_ledger *ledger;
	const struct sp_task_ledger *task;
	unsigned int i;

	if (!row) {
		show_head(s, view);
		return;
	}
	task = &view->ledgers->list[row - 1];
	ledger = &task->ledger;
	if (task->who.tid) {
		seq_buf_printf(s, "%d\t%d\t", task->who.tid, task->who.tgid);
		sp_text_name(s, task->who.comm, sp_text_folded);
	} else {
		sp_puts(s, "0\t0\t[exited]");
	}
	for (i = 0; i < SP_ACCOUNTS; i++)
		seq_buf_printf(s, "\t%llu", ledger->ns[i]);
	seq_buf_printf(s, "\t%llu\t%llu\t%llu\t%llu\t%llu", ledger->voluntary,
		       ledger->involuntary, ledger->wakeups, ledger->migrations,
		       sp_ledger_observed(ledger));
	if (view->recording->config.interrupts)
		for (i = 0; i < SP_FOREIGNS; i++)
			seq_buf_printf(s, "\t%llu", ledger->foreign[i]);
	sp_puts(s, "\n");
}

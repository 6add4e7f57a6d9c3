// SPDX-License-Identifier: GPL-2.0-only
/*
 * blame: who ran while a task waited for a CPU, one line for each two of them, for
 * programs. The lines of a waiter are what its books say that it waited. Reads views only;
 * no lock. Row 0 is the head.
 */
#include <linux/sort.h>

#include "compat/compat.h"
#include "lib/export.h"
#include "lib/readers.h"
#include "lib/text.h"
#include "record/blame.h"
#include "record/ledger_snapshot.h"
#include "report/report.h"

/**
 * sp_blame_is_self() - is the culprit of the waiter's own process?
 * @waiter: who waited
 * @row: of that task
 */
bool sp_blame_is_self(const struct sp_who *waiter, const struct sp_blame_row *row)
{
	return row->culprit.tid && row->culprit.tgid == waiter->tgid &&
	       row->culprit.leader_start == waiter->leader_start;
}

/* As the rows are grouped. */
static void name_pair(const struct sp_view *view, struct sp_blame_line *line,
		      const struct sp_blame_row *row)
{
	line->waiter = view->ledgers->list[row->task].who;
	line->culprit = row->culprit;
	line->who = row->who;
	line->total = row->total;
	line->count = row->count;
	line->longest = row->longest;
	if (line->who >= SP_CULPRITS && !line->culprit.tid)
		line->who = SP_CULPRIT_LOST;
	line->self = sp_blame_is_self(&line->waiter, row);
	sp_group_who(&line->waiter, view->group_by);
	if (line->who < SP_CULPRITS)
		memset(&line->culprit, 0, sizeof(line->culprit));
	else
		sp_group_who(&line->culprit, view->group_by);
	/* All tasks are alike. */
	line->who = min_t(u64, line->who, SP_CULPRITS);
}

static int by_waiter(const struct sp_blame_line *x, const struct sp_blame_line *y)
{
	return sp_view_compare_tasks(&x->waiter, &y->waiter);
}

static int by_pair(const void *a, const void *b)
{
	const struct sp_blame_line *x = a, *y = b;

	sp_readers_yield();
	return by_waiter(x, y) ?: cmp_int(x->who, y->who) ?: cmp_int(x->self, y->self) ?:
	       sp_view_compare_tasks(&x->culprit, &y->culprit);
}

/* Of each waiter, the greatest culprit comes first. */
static int by_waiter_and_total(const void *a, const void *b)
{
	const struct sp_blame_line *x = a, *y = b;

	sp_readers_yield();
	return by_waiter(x, y) ?: cmp_int(y->total, x->total) ?: by_pair(a, b);
}

/* And before all, who waited most. */
static int by_wait(const void *a, const void *b)
{
	const struct sp_blame_line *x = a, *y = b;

	sp_readers_yield();
	return cmp_int(y->waited, x->waited) ?: by_waiter_and_total(a, b);
}

static u32 merge_pairs(struct sp_blame_line *lines, u32 count)
{
	u32 i, n = 0;

	for (i = 0; i < count; i++) {
		struct sp_blame_line *to = &lines[n - 1], *from = &lines[i];

		sp_readers_yield();
		if (!n || by_pair(to, from)) {
			lines[n++] = *from;
			continue;
		}
		to->total += from->total;
		to->count += from->count;
		to->longest = max(to->longest, from->longest);
	}
	return n;
}

/* What each waiter waited in all. */
static void add_up_waiters(struct sp_blame_line *lines, u32 count)
{
	u32 i, j, first = 0;
	u64 waited = 0;

	for (i = 0; i < count; i++) {
		sp_readers_yield();
		waited += lines[i].total;
		if (i + 1 < count && !by_waiter(&lines[i], &lines[i + 1]))
			continue;
		for (j = first; j <= i; j++) {
			sp_readers_yield();
			lines[j].waited = waited;
		}
		first = i + 1;
		waited = 0;
	}
}

/**
 * sp_blame_gather() - each waiter and culprit, as sp_blame_show_greatest() looks them up
 * @view: a fresh view; nothing happens without books
 *
 * Return: 0 or -ENOMEM.
 */
int sp_blame_gather(struct sp_view *view)
{
	const struct sp_ledger_snapshot *ledgers = view->ledgers;
	u32 i;

	if (!ledgers || !ledgers->rows)
		return 0;
	view->blame = sp_readers_alloc(ledgers->rows * sizeof(*view->blame));
	if (!view->blame)
		return -ENOMEM;
	for (i = 0; i < ledgers->rows; i++) {
		name_pair(view, &view->blame[i], &ledgers->blame[i]);
		sp_readers_yield();
	}
	sort(view->blame, ledgers->rows, sizeof(*view->blame), by_pair, NULL);
	view->blames = merge_pairs(view->blame, ledgers->rows);
	add_up_waiters(view->blame, view->blames);
	sort(view->blame, view->blames, sizeof(*view->blame), by_waiter_and_total, NULL);
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_blame_gather);

/**
 * sp_blame_prepare() - a row for each of them
 * @view: a fresh view
 *
 * Return: 0 or -ENOMEM.
 */
int sp_blame_prepare(struct sp_view *view)
{
	int err = sp_blame_gather(view);

	sort(view->blame, view->blames, sizeof(*view->blame), by_wait, NULL);
	view->rows = 1 + view->blames;
	return err;
}

static void show_head(struct seq_buf *s, const struct sp_view *view)
{
	const char *unit = sp_report_unit(view);

	if (!view->recording)
		sp_puts(s, "# Nothing recorded yet: write 1 to blame, then to enable.\n");
	else if (!view->recording->config.blame)
		sp_puts(s, "# This session blames nobody: write 0 to enable, 1 to blame, and 1 to enable.\n");
	else
		seq_buf_printf(s, "tid\twaiter\tculprit_tid\tculprit\t%s\tcount\tlongest_%s\tself\n",
			       unit, unit);
}

static void show_who(struct seq_buf *s, const struct sp_view *view, const struct sp_who *who)
{
	seq_buf_printf(s, "%d\t", max(who->tid, 0));
	if (who->tid)
		sp_view_show_name(s, view, who, sp_text_folded);
	else
		sp_puts(s, "[exited]");
}

/**
 * sp_blame_show() - a waiter and a culprit
 * @s: where to
 * @view: prepared
 * @row: below view->rows
 */
void sp_blame_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_blame_line *line;

	if (!row) {
		show_head(s, view);
		return;
	}
	line = &view->blame[row - 1];
	show_who(s, view, &line->waiter);
	sp_putc(s, '\t');
	if (line->who < SP_CULPRITS)
		seq_buf_printf(s, "0\t%s", sp_culprit_names[line->who]);
	else
		show_who(s, view, &line->culprit);
	seq_buf_printf(s, "\t%llu\t%llu\t%llu\t%d\n", line->total, line->count, line->longest,
		       line->self);
}

/* More of them say little. */
#define GREATEST	3

static void show_culprit(struct seq_buf *s, const struct sp_view *view,
			 const struct sp_blame_line *line)
{
	if (line->who < SP_CULPRITS)
		sp_puts(s, sp_culprit_names[line->who]);
	else
		sp_view_show_name(s, view, &line->culprit, sp_text_plain);
	if (line->who == SP_CULPRITS && line->culprit.tid > 0)
		seq_buf_printf(s, " %d", line->culprit.tid);
	if (line->self)
		sp_puts(s, " (self)");
	sp_putc(s, ' ');
	sp_text_share(s, line->total, line->waited);
}

/**
 * sp_blame_show_greatest() - because of whom somebody waited for a CPU, for people
 * @s: where to; gets nothing if nobody is known to be blamed
 * @view: with sp_blame_gather()
 * @waiter: whose row it is
 */
void sp_blame_show_greatest(struct seq_buf *s, const struct sp_view *view,
			    const struct sp_who *waiter)
{
	u32 i, first = 0, end = view->blames, n = 0;

	while (first < end) {
		i = first + (end - first) / 2;
		if (sp_view_compare_tasks(&view->blame[i].waiter, waiter) < 0)
			first = i + 1;
		else
			end = i;
	}
	for (i = first; i < view->blames && n < GREATEST; i++, n++) {
		if (sp_view_compare_tasks(&view->blame[i].waiter, waiter))
			break;
		sp_puts(s, n ? ", " : "    because of ");
		show_culprit(s, view, &view->blame[i]);
	}
	if (!n)
		return;
	sp_puts(s, " of ");
	sp_report_time(s, view, view->blame[first].waited);
	sp_puts(s, " that it waited\n");
}
SP_EXPORT_FOR_KUNIT(sp_blame_show_greatest);

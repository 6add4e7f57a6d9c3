// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded: one line per key, outermost frame first, as flame graph
 * programs read it. Reads views only; no lock.
 */
#include "lib/export.h"
#include "report/report.h"
#include "lib/text.h"

/**
 * sp_folded_prepare() - every line is a row
 * @view: a fresh view
 */
int sp_folded_prepare(struct sp_view *view)
{
	view->rows = view->count;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_folded_prepare);

/**
 * sp_folded_show() - one line
 * @s: where to
 * @view: the view
 * @row: below view->rows
 */
void sp_folded_show(struct seq_buf *s, struct sp_view *view, u32 row)
{
	const struct sp_report_entry *line = &view->lines[row];

	if (!line->sum.count)
		return;
	sp_view_show_name(s, view, &line->who, sp_text_folded);
	if (line->who.tid > 0)
		seq_buf_printf(s, "-%d", line->who.tid);
	sp_report_stacks_folded(s, view, line);
	seq_buf_printf(s, " %llu\n",
		       sp_clock_id_row_unit(view->recording->config.clock,
					    line->sum.total));
}
SP_EXPORT_FOR_KUNIT(sp_folded_show);

/* SPDX-License-Identifier: GPL-2.0-only */
/* What is open now, added to a view while it is taken. Process context. */
#ifndef SP_REPORT_VIEW_OPEN_H
#define SP_REPORT_VIEW_OPEN_H

#include "report/view.h"

struct sp_open_intervals;

int sp_view_add_open(struct sp_view *view, const struct sp_open_intervals *intervals);
void sp_view_count_open(struct sp_view *view, const struct sp_open_intervals *intervals);
void sp_view_add_nosched_spans(struct sp_view *view);
int sp_view_add_calls(struct sp_view *view, u32 room);
void sp_view_free_stacks(struct sp_view *view);

#endif

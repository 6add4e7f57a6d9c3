/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_IDLE_H
#define SP_REPORT_IDLE_H

#include "report/view.h"

struct sp_idle_waits;

int sp_idle_find(struct sp_view *view, const struct sp_idle_waits *list);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_GROUP_H
#define SP_REPORT_GROUP_H

#include "report/view.h"

int sp_group(struct sp_view *view, enum sp_group by);

#endif

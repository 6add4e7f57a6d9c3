/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_REPORT_SELFCHECK_H
#define SP_REPORT_SELFCHECK_H

#include "lib/print.h"

void sp_selfcheck_show(struct seq_buf *s);

#endif

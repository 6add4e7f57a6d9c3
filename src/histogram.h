/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HISTOGRAM_H
#define SP_HISTOGRAM_H

#include <linux/types.h>

/* One row per power of two of a unit of time; the last one is open-ended. */
#define SP_HISTOGRAM_ROWS 48

struct sp_histogram {
	u64 count[SP_HISTOGRAM_ROWS];
};

unsigned int sp_histogram_row(u64 length);
u64 sp_histogram_low(unsigned int row);
u64 sp_histogram_high(unsigned int row);
void sp_histogram_add(struct sp_histogram *h, u64 length);
void sp_histogram_merge(struct sp_histogram *to, const struct sp_histogram *from);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_HISTOGRAM_H
#define SP_LIB_HISTOGRAM_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* One row per power of two of a unit of time; the last one is open-ended. */
#define SP_HISTOGRAM_ROWS 48

struct sp_histogram {
	u64 count[SP_HISTOGRAM_ROWS];
};

u64 sp_histogram_low(unsigned int row);
u64 sp_histogram_high(unsigned int row);
void sp_histogram_merge(struct sp_histogram *to, const struct sp_histogram *from);

/**
 * sp_histogram_row() - the row of a duration
 * @length: duration in whole units
 *
 * Row 0 holds what is shorter than one unit, row n the durations from 2^(n-1)
 * up to, but not including, 2^n units.
 */
static inline unsigned int sp_histogram_row(u64 length)
{
	return min_t(unsigned int, fls64(length), SP_HISTOGRAM_ROWS - 1);
}

/**
 * sp_histogram_add() - count one duration
 * @h: the histogram; the caller is its only writer
 * @length: duration in whole units
 */
static inline void sp_histogram_add(struct sp_histogram *h, u64 length)
{
	unsigned int row = sp_histogram_row(length);

	h->count[row]++;
}

#endif

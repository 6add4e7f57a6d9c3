// SPDX-License-Identifier: GPL-2.0-only
/*
 * histogram: how many intervals were how long, per power of two of
 * microseconds.
 *
 * Pure arithmetic, no lock: a recording keeps one per CPU, written by that
 * CPU alone with interrupts off; readers merge copies.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "export.h"
#include "histogram.h"

/**
 * sp_histogram_row() - the row of a duration
 * @ns: duration in nanoseconds
 *
 * Row 0 holds what is shorter than one microsecond, row n the durations from
 * 2^(n-1) up to, but not including, 2^n microseconds.
 *
 * Context: any.
 */
unsigned int sp_histogram_row(u64 ns)
{
	return min_t(unsigned int, fls64(div_u64(ns, 1000)),
		     SP_HISTOGRAM_ROWS - 1);
}
SP_EXPORT_FOR_KUNIT(sp_histogram_row);

/**
 * sp_histogram_low() - the first microsecond of a row
 * @row: a row below SP_HISTOGRAM_ROWS
 *
 * Context: any.
 */
u64 sp_histogram_low(unsigned int row)
{
	return row ? 1ULL << (row - 1) : 0;
}
SP_EXPORT_FOR_KUNIT(sp_histogram_low);

/**
 * sp_histogram_high() - the first microsecond behind a row
 * @row: a row below SP_HISTOGRAM_ROWS
 *
 * Context: any.
 * Return: microseconds; U64_MAX for the last row, which has no end.
 */
u64 sp_histogram_high(unsigned int row)
{
	return row < SP_HISTOGRAM_ROWS - 1 ? 1ULL << row : U64_MAX;
}
SP_EXPORT_FOR_KUNIT(sp_histogram_high);

/**
 * sp_histogram_add() - count one duration
 * @h: the histogram; the caller is its only writer
 * @ns: duration in nanoseconds
 *
 * Context: any, also a hook.
 */
void sp_histogram_add(struct sp_histogram *h, u64 ns)
{
	unsigned int row = sp_histogram_row(ns);

	/* WRITE_ONCE: a reader on another CPU may look at the same time. */
	WRITE_ONCE(h->count[row], h->count[row] + 1);
}
SP_EXPORT_FOR_KUNIT(sp_histogram_add);

/**
 * sp_histogram_merge() - add one histogram to another
 * @to: gains the counts
 * @from: read only; may be written meanwhile
 *
 * Context: any.
 */
void sp_histogram_merge(struct sp_histogram *to, const struct sp_histogram *from)
{
	unsigned int row;

	for (row = 0; row < SP_HISTOGRAM_ROWS; row++)
		to->count[row] += READ_ONCE(from->count[row]);
}
SP_EXPORT_FOR_KUNIT(sp_histogram_merge);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * histogram: how many intervals were how long, per power of two of the unit in
 * which the caller measures.
 *
 * Pure arithmetic, no lock: a recording keeps one per CPU, written by that
 * CPU alone with interrupts off; readers merge copies.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "lib/export.h"
#include "lib/histogram.h"

/**
 * sp_histogram_low() - the first unit of a row
 * @row: a row below SP_HISTOGRAM_ROWS
 */
u64 sp_histogram_low(unsigned int row)
{
	return row ? 1ULL << (row - 1) : 0;
}
SP_EXPORT_FOR_KUNIT(sp_histogram_low);

/**
 * sp_histogram_high() - the first unit behind a row
 * @row: a row below SP_HISTOGRAM_ROWS
 *
 * Return: units; U64_MAX for the last row, which has no end.
 */
u64 sp_histogram_high(unsigned int row)
{
	return row < SP_HISTOGRAM_ROWS - 1 ? 1ULL << row : U64_MAX;
}
SP_EXPORT_FOR_KUNIT(sp_histogram_high);

/**
 * sp_histogram_merge() - add one histogram to another
 * @to: gains the counts
 * @from: read only; may be written meanwhile
 */
void sp_histogram_merge(struct sp_histogram *to, const struct sp_histogram *from)
{
	unsigned int row;

	for (row = 0; row < SP_HISTOGRAM_ROWS; row++)
		to->count[row] += READ_ONCE(from->count[row]);
}
SP_EXPORT_FOR_KUNIT(sp_histogram_merge);

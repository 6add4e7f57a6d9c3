// SPDX-License-Identifier: GPL-2.0-only
/*
 * events_sort: the order in which a copy of a trace is told. No lock: the copy is
 * its reader's.
 *
 * Not the kernel's sort(), which is one stretch without rescheduling, and there can
 * be millions: runs are merged, and a trace is nearly sorted.
 */
#include <linux/minmax.h>
#include <linux/sched.h>

#include "events.h"
#include "export.h"
#include "memory.h"

static void merge(const struct sp_happening *list, const u32 *from, u32 *to,
		  u32 start, u32 middle, u32 end)
{
	u32 left = start, right = middle, i;

	for (i = start; i < end; i++) {
		if (left < middle &&
		    (right == end || list[from[left]].at <= list[from[right]].at))
			to[i] = from[left++];
		else
			to[i] = from[right++];
		if (!(i % 4096))
			cond_resched();
	}
}

/**
 * sp_events_sort() - find the order of what was copied
 * @copy: its order is filled, unless it is empty: by time, those of the same time
 *	as they are in the list
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_events_sort(struct sp_events_copy *copy)
{
	u32 *from, *to, n = copy->count;
	u64 width, i;

	if (!n)
		return 0;
	from = sp_alloc(n * sizeof(*from));
	to = sp_alloc(n * sizeof(*to));
	if (!from || !to) {
		vfree(from);
		vfree(to);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++)
		from[i] = i;
	for (width = 1; width < n; width *= 2) {
		for (i = 0; i < n; i += 2 * width)
			merge(copy->list, from, to, i, min_t(u64, i + width, n),
			      min_t(u64, i + 2 * width, n));
		swap(from, to);
	}
	vfree(to);
	copy->order = from;
	return 0;
}
SP_EXPORT_FOR_KUNIT(sp_events_sort);

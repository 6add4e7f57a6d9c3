// SPDX-License-Identifier: GPL-2.0-only
/*
 * events: the last things that happened, each with its time, in a ring that
 * forgets the oldest.
 *
 * Rare by nature (stretches that are too long), so one raw spinlock does; it is
 * held for a copy of one of them.
 */
#include <linux/math64.h>

#include "events.h"
#include "export.h"
#include "memory.h"

/* Memory that a ring will take. */
u64 sp_events_bytes(u32 max)
{
	return (u64)max * sizeof(struct sp_happening);
}
SP_EXPORT_FOR_KUNIT(sp_events_bytes);

/**
 * sp_events_init() - make an empty ring
 * @events: to be filled
 * @max: how many are kept; 0 for none
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int sp_events_init(struct sp_events *events, u32 max)
{
	raw_spin_lock_init(&events->lock);
	events->max = max;
	events->count = 0;
	events->list = max ? sp_alloc(sp_events_bytes(max)) : NULL;
	return max && !events->list ? -ENOMEM : 0;
}
SP_EXPORT_FOR_KUNIT(sp_events_init);

/**
 * sp_events_destroy() - give the memory back
 * @events: nobody uses it any more
 *
 * Context: process, may sleep.
 */
void sp_events_destroy(struct sp_events *events)
{
	vfree(events->list);
	events->list = NULL;
}
SP_EXPORT_FOR_KUNIT(sp_events_destroy);

static struct sp_happening *place_of(const struct sp_events *events, u64 number)
{
	u32 at;

	div_u64_rem(number, events->max, &at);
	return &events->list[at];
}

/**
 * sp_events_add() - something happened
 * @events: a ring with room
 * @what: copied
 *
 * Context: any, also a hook.
 */
void sp_events_add(struct sp_events *events, const struct sp_happening *what)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&events->lock, flags);
	*place_of(events, events->count++) = *what;
	raw_spin_unlock_irqrestore(&events->lock, flags);
}
SP_EXPORT_FOR_KUNIT(sp_events_add);

/* How many ever happened; they are numbered from 0. Context: any. */
u64 sp_events_count(struct sp_events *events)
{
	unsigned long flags;
	u64 count;

	raw_spin_lock_irqsave(&events->lock, flags);
	count = events->count;
	raw_spin_unlock_irqrestore(&events->lock, flags);
	return count;
}
SP_EXPORT_FOR_KUNIT(sp_events_count);

/**
 * sp_events_get() - one of them
 * @events: a ring with room
 * @number: which one
 * @what: filled
 *
 * Context: any.
 * Return: false if it was forgotten, or has not happened yet.
 */
bool sp_events_get(struct sp_events *events, u64 number, struct sp_happening *what)
{
	unsigned long flags;
	bool is;

	raw_spin_lock_irqsave(&events->lock, flags);
	is = number < events->count && number + events->max >= events->count;
	if (is)
		*what = *place_of(events, number);
	raw_spin_unlock_irqrestore(&events->lock, flags);
	return is;
}
SP_EXPORT_FOR_KUNIT(sp_events_get);

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_cache: is the stack of a task one of its last ones? Then it need not be unwound,
 * nor looked up in the stack table.
 *
 * A part of record/account.c: hooks only, interrupts off; inline where it is what most
 * switches do, because that is most of what a switch costs. Whatever is written
 * belongs to the thread of the task that is switched, or to its clock.
 */
#ifndef SP_RECORD_STACK_CACHE_H
#define SP_RECORD_STACK_CACHE_H

#include <linux/sched/task_stack.h>

#include "record/recording.h"
#include "task/task_table.h"
#include "unwind/unwind.h"

/* Is what was proved for another recording enough for this stack? */
static inline bool proved(const struct sp_known *known, const struct sp_stack *stack)
{
	return known->unchanged >= stack->n &&
	       (known->unchanged == U16_MAX || stack->flags & SP_STACK_CUT);
}

static inline void prove(struct sp_known *known, const struct sp_stack *stack)
{
	known->unchanged = stack->flags & SP_STACK_CUT ? stack->n : U16_MAX;
}

static inline bool is_stack_id(u32 id)
{
	return id != SP_STACK_NONE && id != SP_STACK_LOST;
}

/* Makes place @at of a task the first one. */
static inline u32 to_front(struct sp_stack_cache *places, unsigned int at, u32 id)
{
	for (; at; at--)
		places->id[at] = places->id[at - 1];
	places->id[0] = id;
	return id;
}

/*
 * A task that keeps missing the cache is compared at each SP_LOOK_EVERY-th switch only: as
 * long as the first place of the cache is empty, nothing is compared.
 */
static inline u32 remember_seldom(struct sp_stack_cache *places, u32 id)
{
	if (places->id[0] != SP_STACK_NONE)
		to_front(places, SP_PLACES - 1, SP_STACK_NONE);
	if (!(places->misses++ % SP_LOOK_EVERY))
		places->id[0] = id;
	return id;
}

/*
 * The same, for a stack that may be among them or not. One that was lost is not
 * kept; then the first is not the last one, and its generation none.
 */
static inline u32 remember(struct sp_stack_cache *places, u32 id)
{
	unsigned int at;

	if (!is_stack_id(id)) {
		places->gen--;
		return id;
	}
	if (places->misses > SP_PLACES)
		return remember_seldom(places, id);
	for (at = 0; at < SP_PLACES - 1 && places->id[at] != id && places->id[at]; at++)
		;
	return to_front(places, at, id);
}

/*
 * The stack of the task is another one than the last time, so it gets the next generation,
 * which is what other recordings compare; once for all recordings of a switch.
 */
static inline void next_gen(const struct sp_known *known, u32 *of_task,
			    struct sp_stack_cache *places)
{
	if (!known->unchanged && !known->unwound)
		++*of_task;
	places->gen = *of_task;
}

static __always_inline bool stack_unchanged(const struct sp_stack *stack,
					    const struct sp_switch *sw, bool user)
{
	return user ? sp_unwind_user_same(stack, task_pt_regs(sw->task)) :
		      sp_unwind_kernel_same(stack, sw->task, &sw->place);
}

u32 sp_other_place(struct sp_recording *recording, const struct sp_switch *sw,
		   struct sp_stack_cache *places, struct sp_known *known, u32 *gen,
		   bool user);

/* Returns SP_STACK_NONE if it stands where it was not seen before. */
static __always_inline u32 known_stack(struct sp_recording *recording,
				       const struct sp_switch *sw,
				       struct sp_stack_cache *places,
				       struct sp_known *known, u32 *gen, bool user)
{
	u32 first = places->id[0];
	const struct sp_stack *stack;

	if (unlikely(known->unwound || first == SP_STACK_NONE))
		return SP_STACK_NONE;
	stack = sp_stack_table_get(&recording->stacks, first);
	/* What was proved for another recording is the last stack, the first one here. */
	if (known->unchanged && places->gen == *gen && proved(known, stack))
		return first;
	if (unlikely(!stack_unchanged(stack, sw, user)))
		return sp_other_place(recording, sw, places, known, gen, user);
	if (unlikely(places->gen != *gen))
		next_gen(known, gen, places);
	prove(known, stack);
	return first;
}

#endif

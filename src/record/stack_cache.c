// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_cache: tasks that stand where they stood some time before. See record/stack_cache.h,
 * which has the case that counts and says how it is locked.
 */
#include "record/stack_cache.h"
#include "unwind/unwind.h"

/**
 * sp_other_place() - a task does not stand where it stood the last time; but
 * in one of the other places?
 * @recording: whose stacks
 * @sw: of the task
 * @places: the recording's of the task
 * @known: what is known of the stack so far
 * @gen: of the task's stacks
 * @user: its user stack is meant
 *
 * Return: the stack, or SP_STACK_NONE.
 */
u32 sp_other_place(struct sp_recording *recording, const struct sp_switch *sw,
		   struct sp_stack_cache *places, struct sp_known *known, u32 *gen,
		   bool user)
{
	unsigned int i;

	for (i = 1; i < SP_PLACES && places->id[i]; i++) {
		const struct sp_stack *stack =
			sp_stack_table_get(&recording->stacks, places->id[i]);

		if (!stack_unchanged(stack, sw, user))
			continue;
		places->misses = 0;
		next_gen(known, gen, places);
		prove(known, stack);
		return to_front(places, i, places->id[i]);
	}
	places->misses++;
	return SP_STACK_NONE;
}

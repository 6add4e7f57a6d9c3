// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls: in which instrumented functions a task is, and for how long.
 *
 * A stack beside the task's own. An exit names the activation that it ends, so
 * functions above it that never returned are dropped, and an exit whose entry
 * was not seen ends nothing. Knows no task, no lock and no clock: the caller is
 * the only writer, and says what time it is.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "lib/calls.h"
#include "lib/export.h"

static bool is_inside(const struct sp_calls *calls, u16 function)
{
	unsigned int i;

	for (i = 0; i < calls->depth; i++)
		if (calls->frame[i].function == function)
			return true;
	return false;
}

/**
 * sp_calls_push() - a function was entered
 * @calls: of the task
 * @function: its number
 * @now: when
 * @call: filled: what sp_calls_pop() is to be told
 *
 * Return: false if there is no room; then nothing was changed.
 */
bool sp_calls_push(struct sp_calls *calls, u16 function, u64 now,
		   struct sp_call *call)
{
	struct sp_activation *activation;

	if (unlikely(calls->depth >= SP_CALL_DEPTH))
		return false;
	activation = &calls->frame[calls->depth];
	/* The same function at the same place: so is the path to it. */
	if (calls->depth >= calls->known || activation->function != function) {
		activation->function = function;
		activation->path = 0;
		activation->entry = 0;
		calls->known = calls->depth + 1;
	}
	activation->again = is_inside(calls, function);
	activation->since = now;
	activation->inside = 0;
	activation->id = ++calls->last_id;
	call->id = activation->id;
	call->depth = calls->depth++;
	return true;
}
SP_EXPORT_FOR_KUNIT(sp_calls_push);

/**
 * sp_calls_pop() - a function returned
 * @calls: of the task
 * @call: which activation, as from sp_calls_push()
 * @now: when; what is before the entry counts as no time
 * @ended: filled
 *
 * Return: false if the activation is not open; then nothing was changed.
 */
bool sp_calls_pop(struct sp_calls *calls, const struct sp_call *call, u64 now,
		  struct sp_ended_call *ended)
{
	struct sp_activation *activation = &calls->frame[call->depth];
	unsigned int i;

	if (call->depth >= calls->depth || activation->id != call->id)
		return false;
	/* What those called that never returned was called from here, too. */
	for (i = call->depth + 1; unlikely(i < calls->depth); i++)
		activation->inside += calls->frame[i].inside;
	ended->depth = call->depth;
	ended->dropped = calls->depth - 1 - call->depth;
	ended->inclusive = now > activation->since ? now - activation->since : 0;
	ended->exclusive = ended->inclusive - min(ended->inclusive, activation->inside);
	calls->depth = call->depth;
	if (call->depth)
		calls->frame[call->depth - 1].inside += ended->inclusive;
	return true;
}
SP_EXPORT_FOR_KUNIT(sp_calls_pop);

/**
 * sp_calls_pop_top() - the innermost function ends
 * @calls: of the task
 * @now: when
 * @ended: filled
 *
 * Return: false if no function is open.
 */
bool sp_calls_pop_top(struct sp_calls *calls, u64 now, struct sp_ended_call *ended)
{
	struct sp_call call;

	if (!calls->depth)
		return false;
	call.depth = calls->depth - 1;
	call.id = calls->frame[call.depth].id;
	return sp_calls_pop(calls, &call, now, ended);
}
SP_EXPORT_FOR_KUNIT(sp_calls_pop_top);

/**
 * sp_calls_clear() - nothing is open, nothing is known
 * @calls: fresh, or of a task that is gone
 *
 * Numbers of activations go on, so that no exit of before matches.
 */
void sp_calls_clear(struct sp_calls *calls)
{
	calls->depth = 0;
	calls->known = 0;
}

/**
 * sp_calls_restart() - what is open counts from a later moment on
 * @calls: of the task
 * @begin: when
 *
 * Nothing that the caller knew of paths holds any more.
 */
void sp_calls_restart(struct sp_calls *calls, u64 begin)
{
	unsigned int i;

	for (i = 0; i < calls->depth; i++) {
		struct sp_activation *activation = &calls->frame[i];

		activation->since = max(activation->since, begin);
		activation->inside = 0;
		activation->path = 0;
		activation->entry = 0;
	}
	calls->known = calls->depth;
}
SP_EXPORT_FOR_KUNIT(sp_calls_restart);

/**
 * sp_calls_forget_entries() - paths hold, entries do not
 * @calls: of the task
 */
void sp_calls_forget_entries(struct sp_calls *calls)
{
	unsigned int i;

	for (i = 0; i < calls->known; i++)
		calls->frame[i].entry = 0;
}
SP_EXPORT_FOR_KUNIT(sp_calls_forget_entries);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * merge_stacks: the same symbols and stacks of different recordings become one. All
 * functions give the number in the result, and return false if there is no memory.
 */
#ifndef LIBSP_MERGE_STACKS_H
#define LIBSP_MERGE_STACKS_H

#include "merge_state.h"

bool libsp_merge_symbol(struct libsp_merge *merge,
			const struct schedprof_recording *recording, uint64_t address,
			uint64_t *number);
bool libsp_merge_stack(struct libsp_merge *merge,
		       const struct schedprof_recording *recording,
		       const struct schedprof_task *task,
		       const struct schedprof_stack *stack, uint32_t *number);

#endif

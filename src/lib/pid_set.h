/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_PID_SET_H
#define SP_LIB_PID_SET_H

#include <linux/types.h>

struct pid;

/*
 * Which processes or threads a filter names. Immutable: a change makes a new
 * set. Identity is the struct pid, whose reference the set holds, so a number
 * that the kernel gives to another task later does not match.
 */
struct sp_pid_set {
	bool all;
	u32 count;
	pid_t *number;		/* theirs, ascending, so in another order than pid[], and
				 * behind the room for that
				 */
	struct pid *pid[];	/* ascending by address, no one twice */
};

struct sp_pid_set *sp_pid_set_make(bool all, struct pid **pids, u32 count);
struct sp_pid_set *sp_pid_set_change(const struct sp_pid_set *base,
				     struct pid **pids, u32 count, bool add);
bool sp_pid_set_has(const struct sp_pid_set *set, const struct pid *pid);
void sp_pid_set_free(struct sp_pid_set *set);

#endif

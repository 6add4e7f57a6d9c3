/* SPDX-License-Identifier: GPL-2.0-only */
/* Births, for sessions that inherit; see hook/fork.c, which has a mutex for its users. */
#ifndef SP_HOOK_FORK_H
#define SP_HOOK_FORK_H

struct sp_why;

int sp_fork_get(struct sp_why *why);
void sp_fork_put(void);

#endif

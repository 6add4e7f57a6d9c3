/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_HOOK_HOOK_H
#define SP_HOOK_HOOK_H

#include "hook/backend.h"

struct seq_buf;
struct sp_why;

int sp_hook_init(struct sp_why *why);
void sp_hook_exit(void);
int sp_hook_request(const char *name, struct sp_why *why);
const char *sp_hook_requested(void);
const char *sp_hook_in_effect(void);
int sp_hook_get(bool wakeups, struct sp_why *why);
void sp_hook_put(bool wakeups);
void sp_hook_tell_blind(void);
void sp_hook_status(struct seq_buf *s);
void sp_hook_counts(struct seq_buf *s);
unsigned long sp_hook_misses(void);
u64 sp_hook_hits(enum sp_role role);

#endif

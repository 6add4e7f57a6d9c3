/* SPDX-License-Identifier: GPL-2.0-only */
/* When tasks are moved from CPU to CPU, for recordings with blame. */
#ifndef SP_HOOK_MIGRATE_H
#define SP_HOOK_MIGRATE_H

struct seq_buf;
struct sp_why;

int sp_migrate_get(struct sp_why *why);
void sp_migrate_put(void);
void sp_migrate_status(struct seq_buf *s);

#endif

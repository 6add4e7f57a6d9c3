/* SPDX-License-Identifier: GPL-2.0-only */
/* When control groups are throttled, for recordings with blame. */
#ifndef SP_HOOK_THROTTLING_H
#define SP_HOOK_THROTTLING_H

struct seq_buf;
struct sp_why;

int sp_throttling_get(struct sp_why *why);
void sp_throttling_put(void);
void sp_throttling_blind(void);
void sp_throttling_settle(void);
void sp_throttling_status(struct seq_buf *s);

#endif

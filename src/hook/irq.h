/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts and softirqs, for sessions that ask; see hook/irq.c, which has a mutex for users. */
#ifndef SP_HOOK_IRQ_H
#define SP_HOOK_IRQ_H

struct seq_buf;
struct sp_why;

int sp_irq_get(struct sp_why *why);
void sp_irq_put(void);
void sp_irq_status(struct seq_buf *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_BINARY_TEXT_H
#define SP_BINARY_TEXT_H

#include <linux/types.h>

struct seq_buf;

ssize_t sp_binary_text_read(void (*show)(struct seq_buf *s, void *unused), char *to, size_t room);
void sp_binary_text_exit(void);

#endif

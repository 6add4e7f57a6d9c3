/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SP_LIB_TEXT_H
#define SP_LIB_TEXT_H

#include "lib/print.h"

void sp_text_plain(struct seq_buf *s, const char *name);
void sp_text_folded(struct seq_buf *s, const char *name);
void sp_text_name(struct seq_buf *s, const char *name,
		  void (*show)(struct seq_buf *s, const char *name));
void sp_text_time(struct seq_buf *s, u64 ns);
void sp_text_share(struct seq_buf *s, u64 part, u64 whole);
void sp_text_bar(struct seq_buf *s, u64 part, u64 whole);
void sp_text_symbol(struct seq_buf *s, unsigned long address);
void sp_text_function(struct seq_buf *s, unsigned long address);

#endif
